package schedsim

import (
	"testing"
)

// TestPreemption: which waking task takes the CPU at once from which running
// one. Rows are what runs, columns what wakes. Fair tasks wake with the credit
// of a long sleep beside a hog, so that a normal one is owed more than the
// wakeup granularity.
func TestPreemption(t *testing.T) {
	kinds := []struct {
		name string
		attr SchedAttr
	}{
		{"idle", SchedAttr{Policy: PolicyIdle}},
		{"batch", SchedAttr{Policy: PolicyBatch}},
		{"normal", SchedAttr{}},
		{"fifo10", fifo(10)},
		{"rr10", rr(10)},
		{"fifo50", fifo(50)},
		{"deadline-late", SchedAttr{Policy: PolicyDeadline, Runtime: 5e6, Deadline: 900e6}},
		{"deadline", SchedAttr{Policy: PolicyDeadline, Runtime: 5e6, Deadline: 20e6}},
	}
	want := []string{ // of kinds, in their order
		"0 1 1 1 1 1 1 1", // idle
		"0 0 1 1 1 1 1 1", // batch
		"0 0 1 1 1 1 1 1", // normal
		"0 0 0 0 0 1 1 1", // fifo10
		"0 0 0 0 0 1 1 1", // rr10
		"0 0 0 0 0 0 1 1", // fifo50
		"0 0 0 0 0 0 0 1", // deadline-late
		"0 0 0 0 0 0 0 0", // deadline
	}
	// Both tasks become what they are to be by an operation, the second early, and
	// the first two milliseconds before the second wakes at 50 ms.
	for _, version := range []func(int) Kernel{V418, V510, V61} {
		for i, running := range kinds {
			for j, waking := range kinds {
				w := &changing{script: script{tasks: []scripted{
					{ops: []Op{run(100 * 1e3), {Kind: OpSetScheduler}, hog()}, start: 48 * millisecond},
					{ops: []Op{{Kind: OpSetScheduler, Arg: 1}, sleep(50 * millisecond), run(100 * 1e3)}, start: 0},
				}}, attrs: []SchedAttr{running.attr, waking.attr}}
				k := version(1)
				s := newKernelSched(t, k, testMachine(1, 1, 1), w, true)
				simulate(t, s, 50*millisecond+500*1e3)
				got := '0'
				if s.cpus[0].curr == 1 || s.ran(1) > 50e3 {
					got = '1'
				}
				if s.startErr != nil {
					t.Fatal(s.startErr)
				}
				if byte(got) != want[i][2*j] {
					t.Errorf("%s: %s wakes while %s runs: preempts %c, want %c", k.Version, waking.name, running.name, got, want[i][2*j])
				}
			}
		}
	}
}

// changing is a script with policies to change to.
type changing struct {
	script
	attrs []SchedAttr
}

func (w *changing) Start(s *Sched) {
	for _, a := range w.attrs {
		s.Attr(a)
	}
	w.script.Start(s)
}

// TestYieldCounts: sched_yield counts an involuntary switch if another task
// runs, and nothing if none does.
func TestYieldCounts(t *testing.T) {
	yielder := scripted{ops: []Op{{Kind: OpYield, Work: 10e3}}, cpus: pinned(0)}
	for _, tc := range []struct {
		name  string
		tasks []scripted
		// switches for each turn of the first task
		want float64
	}{
		{"alone", []scripted{yielder}, 0},
		{"rt-alone", []scripted{yielder.as(fifo(10))}, 0},
		{"rt-equals", []scripted{yielder.as(fifo(10)), yielder.as(fifo(10))}, 1},
		{"rt-above", []scripted{yielder.as(fifo(20)), yielder.as(fifo(10))}, 0},
		{"two", []scripted{yielder, yielder}, 1}, // the skip buddy makes way to one that is as far
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := &script{tasks: tc.tasks}
			s := newTestSched(t, testMachine(1, 1, 1), w, true)
			simulate(t, s, 100*millisecond)
			task := &s.tasks[0]
			turns := float64(w.iters[0])
			if turns < 1000 {
				t.Fatalf("%v turns", turns)
			}
			if got := float64(task.nivcsw) / turns; !near(got, tc.want, .02) || task.nvcsw != 0 {
				t.Errorf("%.3f involuntary switches a turn and %d voluntary ones, want %v and none", got, task.nvcsw, tc.want)
			}
		})
	}
}

// TestSwitchCounts: each turn of a real-time task costs the fair task beside it
// one involuntary switch, and itself a voluntary one.
func TestSwitchCounts(t *testing.T) {
	w := &script{tasks: []scripted{
		scripted{ops: []Op{run(millisecond), sleep(9 * millisecond)}, cpus: pinned(0)}.as(fifo(10)),
		{ops: []Op{hog()}, cpus: pinned(0)},
	}}
	s := newTestSched(t, testMachine(1, 1, 1), w, true)
	simulate(t, s, 1005*millisecond)
	rt, hog := &s.tasks[0], &s.tasks[1]
	// A period is 10 ms and the costs of waking.
	if rt.nvcsw < 98 || rt.nvcsw > 101 || rt.nivcsw != 0 {
		t.Errorf("real-time task: %d voluntary, %d involuntary", rt.nvcsw, rt.nivcsw)
	}
	if d := rt.nvcsw - hog.nivcsw; d < 0 || d > 1 || hog.nvcsw != 0 {
		t.Errorf("hog: %d voluntary, %d involuntary, the other slept %d times", hog.nvcsw, hog.nivcsw, rt.nvcsw)
	}
}

// TestNrRunning: rq.nr_running counts all classes, and cfs.h_nr_running fair
// tasks.
func TestNrRunning(t *testing.T) {
	w := &changing{script: script{tasks: []scripted{
		{ops: []Op{{Kind: OpSetScheduler}, hog()}, cpus: pinned(0)},
		scripted{ops: []Op{hog()}, cpus: pinned(0), start: millisecond}.as(fifo(10)),
		scripted{ops: []Op{hog()}, cpus: pinned(0), start: millisecond}.as(rr(20)),
		{ops: []Op{hog()}, cpus: pinned(0), start: millisecond},
		scripted{ops: []Op{hog()}, cpus: pinned(0), start: millisecond}.as(SchedAttr{Policy: PolicyIdle}),
	}}, attrs: []SchedAttr{{Policy: PolicyDeadline, Runtime: 50e6, Deadline: 100e6}}}
	s := newTestSched(t, testMachine(1, 2, 1), w, true)
	simulate(t, s, 20*millisecond)
	if c := &s.cpus[0]; c.nrRunning != 5 || s.cfs[0].hNr != 2 || c.idleHNr != 1 || c.curr != 0 {
		t.Errorf("nr_running %d, h_nr_running %d, idle_h_nr_running %d, task %d runs", c.nrRunning, s.cfs[0].hNr, c.idleHNr, c.curr)
	}
	simulate(t, s, 50*millisecond) // the deadline task has used up its runtime
	if c := &s.cpus[0]; c.nrRunning != 4 || c.curr != 2 {
		t.Errorf("throttled: nr_running %d, task %d runs", c.nrRunning, c.curr)
	}
}

// TestShares: nice values and policies weigh what the kernel's table says, set at
// the start or by the task.
func TestShares(t *testing.T) {
	for _, tc := range []struct {
		name string
		attr SchedAttr
		want float64 // percent, beside a hog of nice 0
	}{
		{"nice5", SchedAttr{Nice: 5}, 24.65},          // 335 of 1359
		{"nice-5", SchedAttr{Nice: -5}, 75.3},         // 3121 of 4145
		{"nice19", SchedAttr{Nice: 19}, 1.44},         // 15 of 1039
		{"batch", SchedAttr{Policy: PolicyBatch}, 50}, //
		{"idle", SchedAttr{Policy: PolicyIdle}, .29},  // 3 of 1027
		{"idle-nice", SchedAttr{Policy: PolicyIdle, Nice: -20}, .29},
	} {
		for _, byOp := range []bool{false, true} {
			w := &changing{script: script{tasks: []scripted{{ops: []Op{hog()}}, {ops: []Op{hog()}, attr: tc.attr}}}, attrs: []SchedAttr{tc.attr}}
			if byOp {
				w.tasks[1] = scripted{ops: []Op{{Kind: OpSetScheduler}, hog()}}
			}
			s := newTestSched(t, testMachine(1, 1, 1), w, true)
			simulate(t, s, 100*millisecond)
			before := s.ran(1)
			const length = 20 * 1000 * millisecond
			simulate(t, s, length)
			if got := float64(s.ran(1)-before) / float64(length) * 100; !near(got, tc.want, .25) {
				t.Errorf("%s, by operation %v: %.2f %%, want %v", tc.name, byOp, got, tc.want)
			}
			if err := s.verify(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestInherit: a child has its parent's policy, weight and load.
func TestInherit(t *testing.T) {
	for _, a := range []SchedAttr{{Nice: 5}, {Policy: PolicyBatch, Nice: -5}, {Policy: PolicyIdle}, fifo(7), rr(8)} {
		w := &script{tasks: []scripted{
			scripted{ops: []Op{run(millisecond), {Kind: OpFork, Arg: 1}, hog()}}.as(a),
			{ops: []Op{hog()}, child: true},
		}}
		s := newTestSched(t, testMachine(1, 2, 1), w, true)
		simulate(t, s, 10*millisecond)
		p, c := &s.tasks[0], &s.tasks[1]
		if c.policy != a.Policy || c.prio != p.prio || s.ents[c.se].load.weight != a.weight() {
			t.Errorf("%+v: child has policy %d, priority %d, weight %d", a, c.policy, c.prio, s.ents[c.se].load.weight)
		}
		if s.ran(1) < 6e6 {
			t.Errorf("%+v: the child ran %d ns on CPU %d", a, s.ran(1), c.cpu)
		}
	}
}

// TestBadAttributes: what the kernel refuses is an error that names the task,
// and Run ends with it.
func TestBadAttributes(t *testing.T) {
	for _, tc := range []struct {
		name string
		attr SchedAttr
		want string
	}{
		{"nice", SchedAttr{Nice: 20}, "nice is 20, give -20 to 19"},
		{"priority", fifo(100), "priority of a real-time policy is 100, give 1 to 99"},
		{"no-priority", SchedAttr{Policy: PolicyRR}, "priority of a real-time policy is 0, give 1 to 99"},
		{"normal-priority", SchedAttr{Priority: 1}, "priority is 1 without a real-time policy, give 0"},
		{"policy", SchedAttr{Policy: 4}, "there is no policy 4"},
		{"runtime", SchedAttr{Runtime: 5}, "runtime, deadline or period is set without PolicyDeadline, leave them 0"},
		{"deadline", SchedAttr{Policy: PolicyDeadline, Runtime: 2e6, Deadline: 1e6},
			"runtime 2000000, deadline 1000000 and period 1000000 ns, give 1024 <= runtime <= deadline <= period and a period of 100000 to 4.194304e+09"},
	} {
		if err := tc.attr.check(); err == nil || err.Error() != tc.want {
			t.Errorf("%s: %v, want %q", tc.name, err, tc.want)
		}
	}
	m := testMachine(1, 1, 1)
	w := &changing{script: script{tasks: hogs(1)}, attrs: []SchedAttr{{Policy: PolicyDeadline, Runtime: 1e6, Deadline: 9e6}}}
	s, err := newSched(&Config{Machine: m, Kernel: V310(1), Workload: w})
	if err != nil {
		t.Fatal(err)
	}
	w.Start(s)
	if want := "schedsim: workload script: kernel v3.10 has no deadline class, use 3.14 or later"; s.startErr == nil || s.startErr.Error() != want {
		t.Errorf("%v, want %q", s.startErr, want)
	}
}

// TestAveragesGoAlong: a task takes its load to the fair class and away from it,
// once, whether it was born there or not.
func TestAveragesGoAlong(t *testing.T) {
	for _, born := range []SchedAttr{{}, fifo(10)} {
		w := &changing{script: script{tasks: []scripted{{ops: []Op{
			{Kind: OpSetScheduler, Arg: 0}, run(20 * millisecond), // real-time
			{Kind: OpSetScheduler, Arg: 1}, run(20 * millisecond), // fair
		}, attr: born}}}, attrs: []SchedAttr{fifo(10), {}}}
		s := newTestSched(t, testMachine(1, 1, 1), w, true)
		q, e := &s.cfs[0], &s.ents[s.tasks[0].se]
		fair, changes := false, 0
		for range 200_000 {
			s.step()
			if now := s.tasks[0].class == classFair; now != fair {
				fair = now
				changes++
				if d := q.avg.load - e.avg.load; fair && (d < -2 || d > 2) {
					t.Errorf("born %+v: as a fair task it has load %d, its queue %d", born, e.avg.load, q.avg.load)
				}
				if !fair && q.avg.load > 2 {
					t.Errorf("born %+v: it left load %d", born, q.avg.load)
				}
			}
			if changes == 6 {
				break
			}
		}
		if changes != 6 {
			t.Fatalf("%d changes", changes)
		}
	}
}
