package schedsim

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

const millisecond = time.Millisecond

func fifo(prio int) SchedAttr { return SchedAttr{Policy: PolicyFIFO, Priority: prio} }
func rr(prio int) SchedAttr   { return SchedAttr{Policy: PolicyRR, Priority: prio} }

func (st scripted) as(a SchedAttr) scripted { st.attr = a; return st }

// shares are the parts of a CPU that tasks had, in percent.
func shares(s *Sched, n int, d time.Duration) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(s.ran(int32(i))) / float64(d) * 100
	}
	return out
}

func near(got, want, slack float64) bool { return got >= want-slack && got <= want+slack }

// TestRTPriorities: the most urgent task runs, of two equals the first until it
// blocks.
func TestRTPriorities(t *testing.T) {
	on0 := func(ops ...Op) scripted { return scripted{ops: ops, cpus: pinned(0)} }
	for _, tc := range []struct {
		name  string
		tasks []scripted
		want  []float64 // percent
	}{
		{"urgent-first", []scripted{
			on0(hog()).as(fifo(10)),
			on0(sleep(10*millisecond), run(10*millisecond)).as(fifo(50)),
			on0(hog()),
		}, []float64{50, 50, 0}},
		{"less-urgent-waits", []scripted{
			on0(hog()).as(fifo(50)),
			on0(sleep(10*millisecond), run(10*millisecond)).as(fifo(10)),
		}, []float64{100, 0}},
		{"fifo-of-equals", []scripted{on0(hog()).as(fifo(10)), on0(hog()).as(fifo(10))}, []float64{100, 0}},
		{"behind-an-rr", []scripted{on0(hog()).as(fifo(10)), on0(hog()).as(rr(10))}, []float64{100, 0}},
		{"turns", []scripted{on0(hog()).as(rr(10)), on0(hog()).as(rr(10))}, []float64{50, 50}},
		{"turns-of-equals-only", []scripted{on0(hog()).as(rr(10)), on0(hog()).as(rr(10)), on0(hog()).as(rr(9))}, []float64{50, 50, 0}},
		// A requeued task goes behind the one that has no turns.
		{"rr-then-fifo", []scripted{on0(hog()).as(rr(10)), on0(hog()).as(fifo(10))}, []float64{10, 90}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m := testMachine(1, 1, 1)
			w := &script{tasks: tc.tasks}
			for i := range w.tasks {
				w.tasks[i].start = time.Duration(i) * time.Microsecond
			}
			const length = time.Second // without throttling
			s := newKernelSched(t, V612(1), m, w, true)
			s.classTimers.heap = nil
			s.servers = 0 // and without a server
			simulate(t, s, length)
			got := shares(s, len(tc.tasks), length)
			for i, want := range tc.want {
				if !near(got[i], want, 2) {
					t.Errorf("task %d has %.1f %%, want %v", i, got[i], want)
				}
			}
		})
	}
}

// TestRoundRobin: a turn is 100 ms in whole ticks; the switch at its end is
// involuntary.
func TestRoundRobin(t *testing.T) {
	for _, hz := range []int{100, 250, 1000} {
		k := V61(1)
		k.HZ = hz
		w := &script{tasks: []scripted{scripted{ops: []Op{hog()}}.as(rr(10)), scripted{ops: []Op{hog()}}.as(rr(10))}}
		s := newKernelSched(t, k, testMachine(1, 1, 1), w, true)
		simulate(t, s, 895*millisecond)
		if n := s.tasks[0].nivcsw + s.tasks[1].nivcsw; n != 8 {
			t.Errorf("HZ %d: %d switches in 895 ms, want 8", hz, n)
		}
		if s.rrTimeslice() != int32(hz/10) {
			t.Errorf("HZ %d: %d ticks", hz, s.rrTimeslice())
		}
	}
}

// TestThrottling: what a fair task gets beside a real-time task that never
// sleeps, in percent of the CPU.
func TestThrottling(t *testing.T) {
	for _, tc := range []struct {
		kernel func(int) Kernel
		cpus   int
		want   float64
	}{
		{V310, 1, 5}, {V418, 1, 5}, {V59, 1, 5}, {V510, 1, 5}, {V61, 1, 5},
		{V612, 1, 5}, // by the fair server
		// The other CPU lends what it does not need, a second's 5 % and more.
		{V310, 2, 0}, {V418, 2, 0}, {V59, 2, 0}, {V510, 2, 5}, {V61, 2, 5}, {V612, 2, 5},
	} {
		k := tc.kernel(tc.cpus)
		t.Run(fmt.Sprintf("%s-%d", k.Version, tc.cpus), func(t *testing.T) {
			t.Parallel()
			w := &script{tasks: []scripted{
				scripted{ops: []Op{hog()}, cpus: pinned(0)}.as(fifo(10)), {ops: []Op{hog()}, cpus: pinned(0)},
			}}
			s := newKernelSched(t, k, testMachine(1, tc.cpus, 1), w, true)
			const length = 10 * time.Second
			simulate(t, s, length)
			if got := shares(s, 2, length); !near(got[1], tc.want, .5) || !near(got[0], 100-tc.want, .6) {
				t.Errorf("shares %.2f, want %v for the fair task", got, tc.want)
			}
			throttled := s.count.RTThrottled
			if tc.want == 0 || s.since(6, 12) {
				if throttled != 0 {
					t.Errorf("throttled %d times", throttled)
				}
			} else if throttled < 9 || throttled > 11 {
				t.Errorf("throttled %d times in 10 s", throttled)
			}
			if err := s.verify(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestThrottledIdles: without a fair task a CPU is idle while its real-time
// tasks are throttled; from 6.12 on they run through.
func TestThrottledIdles(t *testing.T) {
	for _, tc := range []struct {
		kernel func(int) Kernel
		want   float64
	}{{V310, 95}, {V510, 95}, {V612, 100}} {
		w := &script{tasks: []scripted{scripted{ops: []Op{hog()}}.as(fifo(1))}}
		k := tc.kernel(1)
		s := newKernelSched(t, k, testMachine(1, 1, 1), w, true)
		simulate(t, s, 5*time.Second)
		if got := shares(s, 1, 5*time.Second)[0]; !near(got, tc.want, .6) {
			t.Errorf("%s: %.1f %%, want %v", k.Version, got, tc.want)
		}
	}
}

// TestRTPush: real-time tasks that wake on one CPU go to others, as many as
// there are, and the most urgent ones run.
func TestRTPush(t *testing.T) {
	for _, k := range []func(int) Kernel{V310, V418, V510, V61, V612} {
		kernel := k(4)
		t.Run(kernel.Version, func(t *testing.T) {
			t.Parallel()
			w := &script{tasks: repeat(5, scripted{ops: []Op{hog()}}.as(fifo(10)))}
			for i := range w.tasks {
				w.tasks[i].attr.Priority = 10 + i
				w.tasks[i].start = time.Duration(i) * millisecond
			}
			s := newKernelSched(t, kernel, testMachine(1, 4, 1), w, true)
			simulate(t, s, 100*millisecond)
			var running []TaskID
			for _, ci := range s.online {
				running = append(running, s.cpus[ci].curr)
			}
			slices.Sort(running)
			if want := []TaskID{1, 2, 3, 4}; !slices.Equal(running, want) {
				t.Errorf("%v run, want %v", running, want)
			}
			// Each preempts the one before on CPU 0, which is pushed: the last
			// of these has no CPU that is less urgent to go to but one's own.
			if s.count.RTPushes < 4 {
				t.Errorf("%d pushes", s.count.RTPushes)
			}
			if err := s.verify(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestRTPull: a CPU whose urgent task sleeps gets the one that waits elsewhere:
// it takes it in 3.10 and without RT_PUSH_IPI, and has it sent in later kernels.
func TestRTPull(t *testing.T) {
	for _, k := range []func(int) Kernel{V310, V418, V510, V612, V61Stable, V612Stable} {
		kernel := k(2)
		t.Run(kernel.Version, func(t *testing.T) {
			t.Parallel()
			w := &script{tasks: []scripted{
				scripted{ops: []Op{hog()}, cpus: pinned(0)}.as(fifo(20)),
				scripted{ops: []Op{run(20 * millisecond), sleep(20 * millisecond)}, cpus: pinned(1), cpu: 1}.as(fifo(30)),
				scripted{ops: []Op{hog()}, start: millisecond}.as(fifo(10)),
			}}
			s := newKernelSched(t, kernel, testMachine(1, 2, 1), w, true)
			const length = 400 * millisecond
			simulate(t, s, length)
			if got := shares(s, 3, length); !near(got[2], 50, 3) {
				t.Errorf("shares %.1f, want the third to have half of a CPU", got)
			}
			pulls, pushes := s.count.RTPulls, s.count.RTPushes
			if !kernel.RTPushIPI && (pulls == 0 || pushes != 0) || kernel.RTPushIPI && (pulls != 0 || pushes == 0) {
				t.Errorf("%d pulls, %d pushes", pulls, pushes)
			}
		})
	}
}

// TestSelectRT: where a real-time task wakes.
func TestSelectRT(t *testing.T) {
	for _, tc := range []struct {
		name string
		on0  scripted
		prio int
		want int32
	}{
		{"fair", scripted{ops: []Op{hog()}, cpus: pinned(0)}, 10, 0},
		{"less-urgent", scripted{ops: []Op{hog()}}.as(fifo(5)), 10, 0},
		{"less-urgent-pinned", scripted{ops: []Op{hog()}, cpus: pinned(0)}.as(fifo(5)), 10, 1},
		{"equal", scripted{ops: []Op{hog()}}.as(fifo(10)), 10, 1},
		{"more-urgent", scripted{ops: []Op{hog()}}.as(fifo(20)), 10, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := &script{tasks: []scripted{tc.on0, scripted{ops: []Op{hog()}, start: time.Second}.as(fifo(tc.prio))}}
			s := newTestSched(t, testMachine(2, 2, 1), w, true)
			simulate(t, s, 10*millisecond)
			s.smp = 3
			task := &s.tasks[1]
			if got := s.selectTaskRQRT(task); got != tc.want {
				t.Errorf("CPU %d, want %d", got, tc.want)
			}
		})
	}
}

// TestLowestMask: the CPUs with the least urgent work, idle or fair alike, and
// the nearest of them.
func TestLowestMask(t *testing.T) {
	w := &script{tasks: []scripted{
		scripted{ops: []Op{hog()}, cpus: pinned(0)}.as(fifo(20)),
		scripted{ops: []Op{hog()}, cpus: pinned(1), cpu: 1}.as(fifo(10)),
		{ops: []Op{hog()}, cpus: pinned(2), cpu: 2},
		scripted{ops: []Op{hog()}, start: time.Second}.as(fifo(15)),
		scripted{ops: []Op{hog()}, start: time.Second}.as(fifo(5)),
	}}
	s := newTestSched(t, testMachine(1, 4, 1), w, true)
	simulate(t, s, 10*millisecond)
	s.smp = 0
	a, b := &s.tasks[3], &s.tasks[4]
	if !s.cpupriFind(a) || s.lowestMask[0] != 0b1100 {
		t.Errorf("mask %b, want CPUs 2 and 3", s.lowestMask)
	}
	if got := s.findLowestRQ(a); got != 2 {
		t.Errorf("nearest %d, want 2", got)
	}
	a.allowed = maskOf(4, []int{0, 1})
	if !s.cpupriFind(a) || s.lowestMask[0] != 0b10 {
		t.Errorf("mask %b, want CPU 1", s.lowestMask)
	}
	b.allowed = a.allowed
	if s.cpupriFind(b) {
		t.Errorf("mask %b, want nothing less urgent", s.lowestMask)
	}
}

// TestRTCapacity: real-time tasks that run half of the time leave half of a CPU
// for fair ones.
func TestRTCapacity(t *testing.T) {
	for _, k := range []func(int) Kernel{V310, V418, V59, V510, V61, V612} {
		kernel := k(2)
		t.Run(kernel.Version, func(t *testing.T) {
			t.Parallel()
			w := &script{tasks: []scripted{
				scripted{ops: []Op{run(5 * millisecond), sleep(5 * millisecond)}, cpus: pinned(0)}.as(fifo(10)),
				{ops: []Op{hog()}, cpus: pinned(0)},
			}}
			s := newKernelSched(t, kernel, testMachine(1, 2, 1), w, true)
			simulate(t, s, 3*time.Second)
			if got := s.scaleRTCapacity(0); !near(float64(got), 512, 60) {
				t.Errorf("capacity %d, want about 512", got)
			}
			if got := s.scaleRTCapacity(1); got != capacityScale {
				t.Errorf("idle CPU: capacity %d", got)
			}
			if got := s.capacityOf(0); !near(float64(got), 512, 60) {
				t.Errorf("at the last balance: capacity %d, want about 512", got)
			}
		})
	}
}

// TestOldRTAvg: rt_avg of kernels up to 4.18 against its definition: a second's
// time over half a second and the age.
func TestOldRTAvg(t *testing.T) {
	q := rtRQ{}
	q.old = 250e6 << 10 // a quarter of a second of running
	q.age(400e6)
	if used := q.old / (oldRTAvgPeriod + 400e6); used != 284 {
		t.Errorf("used %d of 1024, want 284 (250 of 900 ms)", used)
	}
	q.age(600e6)
	if q.old != 125e6<<10 || q.oldStamp != 500e6 {
		t.Errorf("after the period: %d at %d", q.old>>10, q.oldStamp)
	}
	q.age(100e9)
	if q.old != 0 || 100e9-q.oldStamp > 500e6 {
		t.Errorf("long after: %d at %d", q.old, q.oldStamp)
	}
}
