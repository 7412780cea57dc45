package schedsim

import (
	"testing"
	"time"
)

// TestTaskHot: what ran less than half a millisecond ago stays, except between
// siblings, and until balancing has failed more often than cache_nice_tries.
func TestTaskHot(t *testing.T) {
	for _, tc := range []struct {
		name   string
		ago    int64
		smt    bool
		failed int
		buddy  bool
		dstNr  int32
		want   bool // may migrate
	}{
		{"hot", 499_999, false, 0, false, 0, false},
		{"cold", 500_000, false, 0, false, 0, true},
		{"siblings-share-caches", 0, true, 0, false, 0, true},
		{"failed-once", 0, false, 1, false, 0, false},
		{"failed-twice", 0, false, 2, false, 0, true},
		{"buddy-to-busy", 1e9, false, 0, true, 1, false},
		{"buddy-to-idle", 1e9, false, 0, true, 0, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := still(t, testMachine(1, 2, 1))
			task := &s.tasks[0]
			e := &s.ents[task.se]
			e.execStart = s.now - tc.ago
			if tc.buddy {
				s.cfs[e.cfs].next = task.se
			}
			s.load(tc.dstNr, 1)
			d := Domain{smt: tc.smt, cacheNiceTries: 1, nrBalanceFailed: tc.failed}
			if got := s.canMigrate(&lbEnv{d: &d, dst: 1}, task); got != tc.want {
				t.Errorf("may migrate: %v", got)
			}
		})
	}
}

// TestCanMigrate: neither a running task nor one that is not allowed there; one
// on its way out may, since a pass begins when that is over (switchEnds).
func TestCanMigrate(t *testing.T) {
	s := still(t, testMachine(1, 2, 1))
	task := &s.tasks[0]
	env := lbEnv{d: &Domain{smt: true}, dst: 1}
	if !s.canMigrate(&env, task) {
		t.Fatal("a waiting task may not migrate")
	}
	s.cpus[0].curr = task.ID
	if s.canMigrate(&env, task) {
		t.Error("the running task may migrate")
	}
	s.cpus[0].curr = none
	task.allowed = maskOf(2, []int{0})
	env.idle = cpuNewlyIdle // looks for no other CPU
	if s.canMigrate(&env, task) {
		t.Error("a task may migrate to a CPU that it is not allowed on")
	}
}

// TestDetachTasks takes the tasks that ran longest ago first, leaves an idle
// CPU's donor one, and stops when the imbalance is used up.
func TestDetachTasks(t *testing.T) {
	for _, tc := range []struct {
		name      string
		kind      migrationType
		imbalance int64
		idle      idleType
		want      int
	}{
		{"one", migrateTask, 1, cpuIdle, 1},
		{"leaves-one", migrateTask, 9, cpuIdle, 3},
		{"busy-too", migrateTask, 9, cpuNotIdle, 3}, // the fourth runs
		// Loads of 1,020 each; h_load is of before the first move until the next
		// jiffy, which makes the second look like 1,360.
		{"load", migrateLoad, 2400, cpuNotIdle, 2},
		{"load-of-one", migrateLoad, 2300, cpuNotIdle, 1},
		{"too-heavy", migrateLoad, 500, cpuNotIdle, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := &script{tasks: repeat(4, scripted{ops: []Op{hog()}, cpus: pinned(0)})}
			s := newTestSched(t, testMachine(1, 2, 1), w, true)
			simulate(t, s, 201*time.Millisecond)
			first := s.tasks[s.cpus[0].fairTasks[0]].ID
			for i := range s.tasks {
				s.tasks[i].allowed = nil
				s.ents[s.tasks[i].se].execStart = 0 // cold
			}
			s.at(1)
			env := lbEnv{d: &s.cpus[1].domains[0], dst: 1, idle: tc.idle, kind: tc.kind, imbalance: tc.imbalance}
			env.d.nrBalanceFailed = 0
			if got := s.pull(&env); got != tc.want {
				t.Errorf("moved %d, want %d", got, tc.want)
			}
			if tc.want > 0 && s.tasks[first].cpu != 1 {
				t.Error("the task that ran longest ago stayed")
			}
			s.kickIdle(1, 0)
			if err := s.verify(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestMoveKeepsPlace: a task that is moved between runqueues keeps its distance
// to min_vruntime, and takes its load along.
func TestMoveKeepsPlace(t *testing.T) {
	w := &script{tasks: []scripted{
		{ops: []Op{hog()}, cpus: pinned(0)}, {ops: []Op{hog()}, cpus: pinned(0)}, {ops: []Op{hog()}, cpus: pinned(1), cpu: 1},
	}}
	s := newTestSched(t, testMachine(1, 2, 1), w, true)
	simulate(t, s, 301*time.Millisecond)
	id := s.cpus[0].fairTasks[0]
	task := &s.tasks[id]
	e := &s.ents[task.se]
	lag := e.vruntime - s.cfs[0].minVruntime
	from, to := s.cfs[0].avg.load, s.cfs[1].avg.load
	s.at(1)
	s.moveTask(task, 1)
	// Dequeueing the task may let the old queue's min_vruntime go on.
	if got := e.vruntime - s.cfs[1].minVruntime; got > lag || got < lag-8_000_000 {
		t.Errorf("%d ns from min_vruntime, before %d", got, lag)
	}
	if from-s.cfs[0].avg.load < 900 || s.cfs[1].avg.load-to < 900 {
		t.Errorf("loads went from %d, %d to %d, %d", from, to, s.cfs[0].avg.load, s.cfs[1].avg.load)
	}
}
