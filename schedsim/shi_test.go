package schedsim

import (
	"fmt"
	"testing"
	"time"
)

// TestRunnableLoadSwitches: each patch of the series switches its own change on, and the
// sums of patches all of theirs.
func TestRunnableLoadSwitches(t *testing.T) {
	all := RunnableLoadSeries{ForkSlice: true, SleepOnce: true, CPULoadLast: true, CPULoad: true, HLoad: true, TGRunnableOnly: true}
	merged := all
	merged.TGRunnableOnly = false
	for name, want := range map[string]RunnableLoadSeries{
		"runnable-load-1": {}, "runnable-load-2": {},
		"runnable-load-3": {ForkSlice: true}, "runnable-load-4": {SleepOnce: true}, "runnable-load-5": {CPULoadLast: true},
		"runnable-load-6": {CPULoad: true}, "runnable-load-7": {HLoad: true}, "runnable-load-8": {TGRunnableOnly: true},
		"runnable-load": all, "runnable-load-1-7": merged,
	} {
		p, err := LookupPatch(name)
		if err != nil {
			t.Fatal(err)
		}
		base := V310(4)
		if k := base.With(p); k.RunnableLoad != want || base.RunnableLoad != (RunnableLoadSeries{}) {
			t.Errorf("%s: %+v, want %+v", name, k.RunnableLoad, want)
		}
	}
}

func patched(numbers ...int) Kernel {
	k := V310(4)
	for _, n := range numbers {
		k = k.With(runnableLoadPatch(n))
	}
	return k
}

// TestForkLoad: a child of v3.10 contributes what its parent does until its first period
// is over, and with patch 3 its whole weight at once.
func TestForkLoad(t *testing.T) {
	for _, tc := range []struct {
		k                 Kernel
		load, sum, period int64
	}{
		{patched(), 300, 0, 0},
		{patched(3), 1023, 17578, 17578}, // a slice of 18 ms of four CPUs, all of it for the child
	} {
		s := stillOf(t, tc.k, 1, 4, 1)
		s.ents[s.tasks[0].se].avg.load = 300
		s.forkV310(&s.tasks[0], &s.tasks[1], 0)
		a := &s.ents[s.tasks[1].se].avg
		if a.load != tc.load || a.loadSum != tc.sum || int64(a.period) != tc.period {
			t.Errorf("%v: load %d, sum %d, period %d; want %d, %d, %d", &tc.k, a.load, a.loadSum, a.period, tc.load, tc.sum, tc.period)
		}
	}
}

// TestSleepDecay: a task that ran for 400 ms wakes on its CPU after 32 ms. Its sums decay
// over its sleep; with patch 4 they do not, and its load jumps back a period later.
func TestSleepDecay(t *testing.T) {
	for _, tc := range []struct {
		k           Kernel
		woken, then [2]int64
	}{
		{patched(), [2]int64{500, 525}, [2]int64{510, 535}},
		{patched(4), [2]int64{510, 510}, [2]int64{1000, 1023}},
	} {
		t.Run(tc.k.String(), func(t *testing.T) {
			s := stillOf(t, tc.k, 1, 4, 1)
			se, q := s.tasks[0].se, &s.cfs[0]
			a, l := &s.ents[se].avg, s.loadV310(q)
			a.lastUpdate = s.now - 400e6
			for i := int64(1); i <= 400; i++ {
				a.accumulateV310(s.now-400e6+i*1e6, true)
			}
			a.load = a.contribV310(1024)
			l.blocked, s.ents[se].decayCount = a.load, l.decayCounter
			s.now += 32 << 20
			s.updateBlockedV310(q, true)
			if l.blocked != 510 {
				t.Errorf("blocked load %d after a half-life, want 510", l.blocked)
			}
			s.enqueueEntityV310(q, se, true)
			s.ents[se].onRQ = true
			in := func(when string, v int64, r [2]int64) {
				t.Helper()
				if v < r[0] || v > r[1] {
					t.Errorf("%s: %d, want %d to %d", when, v, r[0], r[1])
				}
			}
			in("load when woken", l.runnable, tc.woken)
			if l.blocked != 0 {
				t.Errorf("blocked load %d, want 0", l.blocked)
			}
			s.now += 2 << 20
			s.updateEntityV310(se, true)
			in("load two periods later", l.runnable, tc.then)
		})
	}
}

// TestWakeElsewhere: a task that wakes on another CPU takes its contribution along, as
// decayed as the old CPU knows, and the old CPU gives it up at its next update.
func TestWakeElsewhere(t *testing.T) {
	s := stillOf(t, V310(4), 1, 4, 1)
	task := &s.tasks[0]
	e, q := &s.ents[task.se], &s.cfs[0]
	l := s.loadV310(q)
	e.avg.load, e.avg.loadSum, e.avg.period = 800, 37000, 47000
	l.blocked, e.decayCount = 1000, l.decayCounter
	s.now += 16 << 20
	s.updateBlockedV310(q, true) // 707 = 1000 * y^16
	task.state = taskWaking
	s.setTaskCPU(task, 1)
	if e.avg.load != 565 || e.decayCount != -16 || l.removed != 565 {
		t.Errorf("load %d, decay_count %d, removed %d; want 565, -16, 565", e.avg.load, e.decayCount, l.removed)
	}
	s.updateBlockedV310(q, true)
	if l.blocked != 707-565 || l.removed != 0 {
		t.Errorf("blocked %d, removed %d; want 142, 0", l.blocked, l.removed)
	}
	s.enqueueEntityV310(&s.cfs[1], task.se, true)
	to := s.loadV310(&s.cfs[1])
	// The sums have slept too: 37000 * y^16 of a period that grows to 47,300 or so.
	if to.runnable != e.avg.load || e.avg.load < 560 || e.avg.load > 575 || e.decayCount != 0 || to.blocked != 0 {
		t.Errorf("on CPU 1: load %d of %d, decay_count %d, blocked %d", e.avg.load, to.runnable, e.decayCount, to.blocked)
	}
}

// TestCPULoadSeries: the load of a CPU is the weight on it, with patch 6 its runnable
// load; with patch 5 the tick samples it after it accounted the running task.
func TestCPULoadSeries(t *testing.T) {
	for _, tc := range []struct {
		k    Kernel
		want int64 // cpu_load[0]
	}{
		{patched(), 1024},
		{patched(6), 100},
		{patched(5, 6), 0}, // what the tick makes of it
		{patched(5), 1024},
	} {
		t.Run(tc.k.String(), func(t *testing.T) {
			s := newSchedOf(t, testMachine(1, 4, 1), tc.k, &script{tasks: []scripted{{ops: []Op{hog()}, cpus: pinned(0)}}}, true)
			simulate(t, s, 10*time.Millisecond)
			s.now = bootTime + 12e6 // the next tick
			e, l := &s.ents[s.tasks[0].se], s.loadV310(&s.cfs[0])
			e.avg = schedAvg{lastUpdate: s.now - 4e6, load: 100, loadSum: 4000, period: 40000}
			l.runnable = 100
			s.tickCPU(0)
			if e.avg.load <= 150 || l.runnable != e.avg.load {
				t.Fatalf("after the tick the task contributes %d, its CPU has %d", e.avg.load, l.runnable)
			}
			want := tc.want
			if want == 0 {
				want = l.runnable
			}
			if got := s.cpuLoads[0].load[0]; got != want {
				t.Errorf("cpu_load[0] is %d, want %d", got, want)
			}
		})
	}
}

// TestHLoadSeries: four equal tasks of the root make 1023 each of the CPU's 4096, and
// with patch 7 nothing.
func TestHLoadSeries(t *testing.T) {
	for _, tc := range []struct {
		k    Kernel
		want int64
	}{{patched(), 1023}, {patched(7), 0}, {patched(1, 2, 3, 4, 5, 6, 8), 1023}} {
		s := stillOf(t, tc.k, 1, 4, 1)
		s.hogsOn(0, 4)
		s.updateHLoadV310(0)
		s.ents[s.tasks[0].se].avg.load = 1023
		if got := s.taskHLoad(&s.tasks[0]); got != tc.want {
			t.Errorf("%v: task_h_load %d, want %d", &tc.k, got, tc.want)
		}
	}
}

// TestGroupLoadSeries: a group's load counts what sleeps, but for patch 8. The weight of
// its entity follows.
func TestGroupLoadSeries(t *testing.T) {
	for _, tc := range []struct {
		k               Kernel
		contrib, shares int64
	}{
		// 1024 of 1024 - 1500 + 1024 on this CPU and 2048 on others, and so on.
		{patched(), 1500, 1024 * 1024 / 3072},
		{patched(8), 1000, 1024 * 1024 / 3072},
	} {
		w := &script{tasks: hogs(2)}
		s := newSchedOf(t, testMachine(1, 4, 1), tc.k, w, false)
		q := &s.cfs[1*len(s.cpus)]
		l := s.loadV310(q)
		s.groups[1].loadAvg = 2048
		l.runnable, l.blocked = 1000, 500
		q.load.set(nice0Load)
		s.updateTGLoadContribV310(q, false)
		if q.tgContrib != tc.contrib || s.groups[1].loadAvg != 2048+tc.contrib {
			t.Errorf("%v: contribution %d, want %d", &tc.k, q.tgContrib, tc.contrib)
		}
		if got := s.calcSharesV310(q) >> fixedShift; got != tc.shares {
			t.Errorf("%v: shares %d, want %d", &tc.k, got, tc.shares)
		}
		// Within an eighth nothing is passed on, unless it has to.
		l.runnable += tc.contrib / 8
		s.updateTGLoadContribV310(q, false)
		if q.tgContrib != tc.contrib {
			t.Errorf("%v: a change of an eighth goes to the group", &tc.k)
		}
		s.updateTGLoadContribV310(q, true)
		if q.tgContrib != tc.contrib+tc.contrib/8 {
			t.Errorf("%v: forced to %d", &tc.k, q.tgContrib)
		}
	}
}

// TestMoveTasksSeries: v3.10 moves what the imbalance allows; with patch 7 all that do not
// run, up to sched_nr_migrate, as none of them takes anything off it.
func TestMoveTasksSeries(t *testing.T) {
	for _, tc := range []struct {
		k     Kernel
		tasks int
		want  int
	}{{patched(), 6, 2}, {patched(7), 6, 5}, {patched(7), 40, 31}} {
		t.Run(fmt.Sprintf("%v-%d", &tc.k, tc.tasks), func(t *testing.T) {
			w := &script{tasks: repeat(tc.tasks, scripted{ops: []Op{hog()}, cpus: pinned(0)})}
			s := newSchedOf(t, testMachine(1, 2, 1), tc.k, w, true)
			simulate(t, s, 201*time.Millisecond)
			for i := range s.tasks {
				s.tasks[i].allowed = nil
				s.ents[s.tasks[i].se].execStart = 0 // cold
			}
			s.at(1)
			env := lbEnv{d: &s.cpus[1].domains[0], dst: 1, idle: cpuNotIdle, imbalance: 1800}
			env.d.nrBalanceFailed = 0
			if got := s.pull(&env); got != tc.want {
				t.Errorf("moved %d, want %d", got, tc.want)
			}
			s.kickIdle(1, 0)
			if err := s.verify(); err != nil {
				t.Error(err)
			}
		})
	}
}
