package schedsim

import "testing"

// TestUtilEst: how the estimate of a task's utilisation follows samples, by version. All
// start from 400 and get a sample of 200, then one of 800.
func TestUtilEst(t *testing.T) {
	for _, tc := range []struct {
		kernel            func(int) Kernel
		runnable          int64
		enqueued, low, up uint32 // after the low sample: enqueued and ewma; after the high one: ewma
	}{
		{V418, 200, 200, 350, 462}, // (4*350+450)/4
		{V59, 200, 200, 350, 800},  // UTIL_EST_FASTUP
		{V61, 200, 200, 350, 800},
		{V612, 200, 350, 350, 800},
		{V612, 300, 400, 400, 800}, // it waited for its CPU: the low sample tells nothing
	} {
		k := tc.kernel(2)
		t.Run(k.Version, func(t *testing.T) {
			s := stillOf(t, k, 1, 2, 1)
			task := &s.tasks[0]
			a := &s.ents[task.se].avg
			sample := func(util int64) {
				a.util, a.estChanged = util, true
				s.utilEstUpdate(task, true)
			}
			a.estEnqueued, a.estEwma = 400, 400
			a.runnable = tc.runnable
			sample(200)
			if a.estEnqueued != tc.enqueued || a.estEwma != tc.low {
				t.Errorf("enqueued %d, ewma %d; want %d, %d", a.estEnqueued, a.estEwma, tc.enqueued, tc.low)
			}
			a.util = 100
			s.utilEstUpdate(task, true)
			if a.estEwma != tc.low {
				t.Error("a sample without a change of the averages counts")
			}
			sample(800)
			if a.estEwma != tc.up {
				t.Errorf("ewma %d after the high sample, want %d", a.estEwma, tc.up)
			}
		})
	}
	s := stillOf(t, V310(2), 1, 2, 1)
	task := &s.tasks[0]
	s.ents[task.se].avg.util, s.ents[task.se].avg.estChanged = 500, true
	if s.utilEstUpdate(task, true); s.ents[task.se].avg.taskUtilEst() != 0 {
		t.Error("v3.10 has an estimate")
	}
}

// TestMigrationLag: a task that leaves an idle CPU after a sleep of 32 periods is as loaded
// as at its last update, and since v6.0 half as much.
func TestMigrationLag(t *testing.T) {
	for _, tc := range []struct {
		kernel func(int) Kernel
		util   int64
	}{{V418, 1000}, {V59, 1000}, {V510, 1000}, {V61, 499}, {V612, 499}} {
		k := tc.kernel(2)
		s := stillOf(t, k, 1, 2, 1)
		task := &s.tasks[0]
		e := &s.ents[task.se]
		d := e.avg.divider()
		e.avg = schedAvg{lastUpdate: s.now, util: 1000, load: 1000, loadSum: 1000 * d / 1024, runnable: 1000, runnableSum: 1000 * d}
		e.avg.utilSum = 1000 * d
		q := &s.cfs[0]
		q.avg.lastUpdate = s.now
		q.avg.load, q.avg.util, q.avg.runnable = 1000, 1000, 1000
		s.now += 32 << 20
		task.state = taskWaking
		s.setTaskCPU(task, 1)
		if e.avg.util > tc.util+2 || e.avg.util < tc.util-2 {
			t.Errorf("%s: util %d, want %d", k.Version, e.avg.util, tc.util)
		}
		if q.removedUtil != 1000 {
			t.Errorf("%s: the old CPU gives up %d, want 1000", k.Version, q.removedUtil)
		}
	}
}

// TestKeepSum: since v5.17 an average that is left has a sum.
func TestKeepSum(t *testing.T) {
	sum := int64(0)
	if keepSum(&sum, 3); sum != 3*46718 {
		t.Errorf("sum %d, want %d", sum, 3*46718)
	}
	sum = 1 << 33
	if keepSum(&sum, 0); sum != 0 {
		t.Errorf("a sum of 34 bits becomes %d, in the kernel 0", sum)
	}
}

// TestGroupRate: v6.12 passes a cfs_rq's load on to its group at most once a millisecond.
func TestGroupRate(t *testing.T) {
	for _, tc := range []struct {
		kernel func(int) Kernel
		second int64
	}{{V61, 900}, {V612, 500}} {
		k := tc.kernel(2)
		s := newSchedOf(t, testMachine(1, 2, 1), k, &script{tasks: hogs(1)}, false)
		q := &s.cfs[len(s.cpus)]
		q.avg.load = 500
		s.now += 2e6
		s.updateTGLoadAvg(q)
		q.avg.load = 900
		s.now += 900e3
		s.updateTGLoadAvg(q)
		if q.tgContrib != tc.second {
			t.Errorf("%s: contribution %d 0.9 ms later, want %d", k.Version, q.tgContrib, tc.second)
		}
		s.now += 200e3
		s.updateTGLoadAvg(q)
		if q.tgContrib != 900 {
			t.Errorf("%s: contribution %d in the end", k.Version, q.tgContrib)
		}
	}
}

// TestGroupRunnable: in v4.18 the entity of a group has its shares for the load of all, and
// of them as much for the runnable load as is queued.
func TestGroupRunnable(t *testing.T) {
	s := newSchedOf(t, testMachine(1, 2, 1), V418(2), &script{tasks: hogs(1)}, false)
	q := &s.cfs[len(s.cpus)]
	e := &s.ents[q.se]
	s.groups[1].loadAvg = 3000 // 1000 of it here
	q.tgContrib, q.avg.load, q.avg.runnable = 1000, 1000, 250
	s.updateCFSGroup(q.se)
	if w, r := e.load.weight, e.runnableWeight; w != 349525 || r != 87381 { // 2^20/3 and a quarter
		t.Errorf("weight %d, runnable weight %d; want 349525, 87381", w, r)
	}
}
