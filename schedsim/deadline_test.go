package schedsim

import (
	"testing"
	"time"
)

func deadline(runtime, dl, period time.Duration) SchedAttr {
	return SchedAttr{Policy: PolicyDeadline, Runtime: int64(runtime), Deadline: int64(dl), Period: int64(period)}
}

// dlTasks is a workload whose tasks become deadline tasks first.
func dlTasks(attrs []SchedAttr, tasks ...scripted) *changing {
	w := &changing{script: script{tasks: tasks}, attrs: attrs}
	for i := range attrs {
		w.tasks[i].ops = append([]Op{{Kind: OpSetScheduler, Arg: int32(i)}}, w.tasks[i].ops...)
	}
	return w
}

// TestCBS: a task that never sleeps gets its runtime once a period, in whole
// ticks and on average exactly: what it took too much at one tick is missing in
// the next period.
func TestCBS(t *testing.T) {
	for _, tc := range []struct {
		name string
		attr SchedAttr
		want float64 // percent
	}{
		{"tenth", deadline(10*millisecond, 100*millisecond, 0), 10},
		{"half", deadline(50*millisecond, 100*millisecond, 0), 50},
		{"constrained", deadline(20*millisecond, 50*millisecond, 200*millisecond), 10},
		{"short", deadline(millisecond, 10*millisecond, 0), 10},
	} {
		for _, k := range []func(int) Kernel{V418, V510, V612} {
			kernel := k(1)
			kernel.HZ = 1000
			w := dlTasks([]SchedAttr{tc.attr}, scripted{ops: []Op{hog()}}, scripted{ops: []Op{hog()}})
			s := newKernelSched(t, kernel, testMachine(1, 1, 1), w, true)
			const length = 10 * time.Second
			simulate(t, s, length)
			if got := shares(s, 2, length); !near(got[0], tc.want, .5) || !near(got[1], 100-tc.want, .6) {
				t.Errorf("%s, %s: shares %.2f, want %v for the deadline task", kernel.Version, tc.name, got, tc.want)
			}
			if s.startErr != nil {
				t.Error(s.startErr)
			}
		}
	}
}

// TestEDF: of two reservations the one with the earlier absolute deadline runs,
// and both meet theirs though priorities by period could not do it.
func TestEDF(t *testing.T) {
	attrs := []SchedAttr{deadline(15*millisecond, 50*millisecond, 0), deadline(40*millisecond, 70*millisecond, 0)}
	w := dlTasks(attrs, scripted{ops: []Op{hog()}}, scripted{ops: []Op{hog()}}, scripted{ops: []Op{hog()}, start: 30 * millisecond})
	k := V61(1)
	k.HZ = 1000
	s := newKernelSched(t, k, testMachine(1, 1, 1), w, true)
	const length = 7 * time.Second
	simulate(t, s, length)
	got := shares(s, 3, length)
	for i, want := range []float64{30, 57.1, 12.9} {
		if !near(got[i], want, .7) {
			t.Errorf("task %d has %.2f %%, want %v", i, got[i], want)
		}
	}
}

// TestDLUpdate: when a task wakes, what is left of its runtime is kept if that is
// no more of the time to the deadline than it asked for (CBS), and with a
// deadline before the end of the period it is cut to that (the revised rule).
func TestDLUpdate(t *testing.T) {
	for _, tc := range []struct {
		name                             string
		attr                             SchedAttr
		runtime, deadline                int64 // left, in ns; from now
		wantRuntime, wantDeadline, slack int64
	}{
		{"keeps", deadline(10*millisecond, 100*millisecond, 0), 4e6, 50e6, 4e6, 50e6, 0},
		{"too-much", deadline(10*millisecond, 100*millisecond, 0), 6e6, 50e6, 10e6, 100e6, 0},
		{"passed", deadline(10*millisecond, 100*millisecond, 0), 4e6, -1, 10e6, 100e6, 0},
		{"revised", deadline(10*millisecond, 20*millisecond, 100*millisecond), 9e6, 10e6, 5e6, 10e6, 20},
		{"revised-passed", deadline(10*millisecond, 20*millisecond, 100*millisecond), 9e6, -1, 10e6, 20e6, 0},
	} {
		s := newTestSched(t, testMachine(1, 1, 1), &script{tasks: hogs(1)}, true)
		e := dlEntity{runtime: tc.runtime, deadline: s.now + tc.deadline}
		e.ask.runtime, e.ask.deadline, e.ask.period = tc.attr.Runtime, tc.attr.Deadline, tc.attr.period()
		s.dlUpdate(&e)
		if d := e.runtime - tc.wantRuntime; d > tc.slack || d < -tc.slack || e.deadline-s.now != tc.wantDeadline {
			t.Errorf("%s: %d ns until %d, want %d until %d", tc.name, e.runtime, e.deadline-s.now, tc.wantRuntime, tc.wantDeadline)
		}
	}
}

// TestAdmission: reservations of up to 95 % of the CPUs are granted.
func TestAdmission(t *testing.T) {
	for _, tc := range []struct {
		name   string
		kernel func(int) Kernel
		each   time.Duration // of 100 ms, by three tasks on two CPUs
		ok     bool
	}{
		{"fits", V510, 63 * millisecond, true},
		{"too-much", V510, 64 * millisecond, false},
		{"servers-fit", V612, 59 * millisecond, true},
		{"servers-count", V612, 63 * millisecond, false}, // two of 5 %
	} {
		a := deadline(tc.each, 100*millisecond, 0)
		h := scripted{ops: []Op{hog()}}
		w := dlTasks([]SchedAttr{a, a, a}, h, h, h)
		s := newKernelSched(t, tc.kernel(2), testMachine(1, 2, 1), w, true)
		simulate(t, s, 300*millisecond)
		if (s.startErr == nil) != tc.ok {
			t.Errorf("%s: %v", tc.name, s.startErr)
		}
	}
}

// TestGlobalEDF: three reservations of 60 % share two CPUs: they are moved to
// wherever there is time.
func TestGlobalEDF(t *testing.T) {
	a := deadline(60*millisecond, 100*millisecond, 0)
	h := scripted{ops: []Op{hog()}}
	w := dlTasks([]SchedAttr{a, a, a}, h, h, h)
	k := V61(2)
	k.HZ = 1000
	s := newKernelSched(t, k, testMachine(1, 2, 1), w, true)
	const length = 5 * time.Second
	simulate(t, s, length)
	for i, got := range shares(s, 3, length) {
		if !near(got, 60, 3) {
			t.Errorf("task %d has %.1f %%, want 60", i, got)
		}
	}
	if s.count.DLPushes+s.count.DLPulls == 0 {
		t.Error("nothing moved")
	}
	if err := s.verify(); err != nil {
		t.Error(err)
	}
}

// TestDLYield: sched_yield gives up the rest of the period.
func TestDLYield(t *testing.T) {
	ops := make([]Op, 20)
	for i := range ops {
		ops[i] = Op{Kind: OpYield, Work: 10e6}
	}
	w := dlTasks([]SchedAttr{deadline(50*millisecond, 100*millisecond, 0)}, scripted{ops: ops})
	s := newTestSched(t, testMachine(1, 1, 1), w, true)
	simulate(t, s, 1000*millisecond)
	if got := shares(s, 1, 1000*millisecond)[0]; !near(got, 10, 1.1) {
		t.Errorf("%.1f %%, want 10 ms in 100", got)
	}
}
