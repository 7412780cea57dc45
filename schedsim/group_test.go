package schedsim

import (
	"testing"
	"time"
)

// TestGroupShares: one busy task a CPU in one group makes each CPU's part of
// the group weigh 1024 / CPUs.
func TestGroupShares(t *testing.T) {
	for _, cpus := range []int{1, 2, 8, 16} {
		w := &script{}
		for i := range cpus {
			w.tasks = append(w.tasks, scripted{ops: []Op{hog()}, cpus: pinned(i), cpu: i})
		}
		s := newTestSched(t, testMachine(1, cpus, 1), w, false)
		simulate(t, s, time.Second)
		for i := range cpus {
			e := &s.ents[s.cfs[cpus+i].se]
			if got, want := scaleDown(e.load.weight), int64(1024/cpus); got < want-1 || got > want {
				t.Errorf("%d CPUs: weight %d on CPU %d, want %d", cpus, got, i, want)
			}
			// What wake_affine and load balancing see of the thread.
			if got, want := s.cfs[i].avg.load, int64(1024/cpus); got < want-1 || got > want {
				t.Errorf("%d CPUs: load_avg %d of CPU %d, want %d", cpus, got, i, want)
			}
			if got, want := s.taskHLoad(&s.tasks[i]), int64(1024/cpus); got < want-4 || got > want {
				t.Errorf("%d CPUs: task_h_load %d, want %d", cpus, got, want)
			}
		}
	}
}

// TestRootFollowsGroup: with all tasks in one group, the root's runqueue has the
// same tasks waiting as the group's, and its averages must follow through any
// number of migrations, once they are brought up to date.
func TestRootFollowsGroup(t *testing.T) {
	w := newChaos(24, false)
	m := testMachine(2, 2, 2)
	s := newTestSched(t, m, w, false)
	n := len(m.CPUs)
	for range 40 {
		simulate(t, s, 10*time.Millisecond)
		for i := range n {
			s.updateBlockedAverages(int32(i))
			root, g := &s.cfs[i].avg, &s.cfs[n+i].avg
			e := &s.ents[s.cfs[n+i].se].avg
			for _, v := range []struct {
				name                string
				root, group, entity int64
			}{
				{"runnable", root.runnable, g.runnable, e.runnable},
				{"util", root.util, g.util, e.util},
			} {
				// They are updated at different moments, by a period at most.
				const slack = 60
				if d := v.root - v.group; d > slack+v.group/16 || d < -slack-v.group/16 {
					t.Fatalf("CPU %d at %d ms: %s_avg %d of the root, %d of the group, %d of its entity",
						i, (s.now-bootTime)/1e6, v.name, v.root, v.group, v.entity)
				}
			}
		}
	}
	if s.count.LBMigrations+s.count.WakeupsSameLLC+s.count.WakeupsRemote < 100 {
		t.Errorf("hardly any migrations: %+v", s.count)
	}
}

// TestHLoadIsCached: h_load is taken once a jiffy, and a shadow decision does
// not take it.
func TestHLoadIsCached(t *testing.T) {
	s := still(t, testMachine(1, 2, 1))
	task := &s.tasks[0]
	s.ents[task.se].avg.load = 500
	s.cfs[0].avg.load = 1000
	s.jiffies++
	s.dry = true
	if got := s.taskHLoad(task); got != 500*1000/1001 {
		t.Fatalf("h_load %d", got)
	}
	s.dry = false
	s.cfs[0].avg.load = 2000
	if got := s.taskHLoad(task); got != 500*2000/2001 {
		t.Errorf("h_load %d: the dry call filled the cache", got)
	}
	s.cfs[0].avg.load = 4000
	if got := s.taskHLoad(task); got != 500*2000/4001 {
		t.Errorf("h_load %d, want the cached queue's", got)
	}
	s.jiffies++
	if got := s.taskHLoad(task); got != 500*4000/4001 {
		t.Errorf("h_load %d after a jiffy", got)
	}
}

// TestRemovedLoad: a task that wakes on another CPU leaves its load on the old
// one until that is next updated, and carries it over without decay for the
// time since the old queue's last update.
func TestRemovedLoad(t *testing.T) {
	w := &script{tasks: []scripted{{ops: []Op{run(50 * time.Millisecond), sleep(time.Hour)}, cpus: pinned(0)}}}
	s := newTestSched(t, testMachine(1, 2, 1), w, true)
	simulate(t, s, 200*time.Millisecond)
	task := &s.tasks[0]
	e := &s.ents[task.se]
	asleep, stale := e.avg.load, s.cfs[0].avg.load
	task.state = taskWaking
	s.setTaskCPU(task, 1)
	if s.cfs[0].removedNr != 1 || s.cfs[0].avg.load != stale {
		t.Errorf("removed.nr %d, load_avg %d, want 1 and the stale %d", s.cfs[0].removedNr, s.cfs[0].avg.load, stale)
	}
	if e.avg.load > asleep || e.avg.load < asleep*9/10 || e.avg.lastUpdate != 0 {
		t.Errorf("the task carries %d of %d, last update %d", e.avg.load, asleep, e.avg.lastUpdate)
	}
	s.updateBlockedAverages(0)
	if s.cfs[0].avg.load > 20 || s.cfs[0].removedNr != 0 {
		t.Errorf("load_avg %d after the update, want next to nothing", s.cfs[0].avg.load)
	}
}

// TestSpawnedTaskKeepsItsLoad: a task that never ran has no load to leave behind.
func TestSpawnedTaskKeepsItsLoad(t *testing.T) {
	s := still(t, testMachine(1, 2, 1))
	task := &s.tasks[0]
	task.state = taskWaking
	s.setTaskCPU(task, 1)
	if got := s.ents[task.se].avg.load; got != 1024 || s.cfs[0].removedNr != 0 {
		t.Errorf("load %d, removed.nr %d", got, s.cfs[0].removedNr)
	}
}

// TestUpdateTGLoadAvg: a queue's contribution to its group is renewed when it
// changed by more than 1/64.
func TestUpdateTGLoadAvg(t *testing.T) {
	s := newTestSched(t, testMachine(1, 2, 1), &script{tasks: hogs(1)}, false)
	q := &s.cfs[2]
	for _, tc := range []struct{ load, want int64 }{
		{6400, 6400}, {6500, 6400}, {6501, 6501}, {6400, 6501}, {6399, 6399}, {0, 0}, {1, 1},
	} {
		q.avg.load = tc.load
		s.updateTGLoadAvg(q)
		if q.tgContrib != tc.want || s.groups[1].loadAvg != tc.want {
			t.Errorf("load %d: contribution %d, sum %d, want %d", tc.load, q.tgContrib, s.groups[1].loadAvg, tc.want)
		}
	}
}
