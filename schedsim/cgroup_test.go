package schedsim

import (
	"strings"
	"testing"
	"time"
)

// TestMoveTask: a task that moves while it runs, waits or sleeps takes its load
// along, and its place in line is as good as it was.
func TestMoveTask(t *testing.T) {
	for _, k := range []Kernel{V510(2), V61(2), V418(2)} {
		tasks := append(repeat(2, joined(1, scripted{ops: []Op{hog()}, cpus: pinned(0)})),
			joined(1, scripted{ops: []Op{run(100 * time.Millisecond), sleep(20 * time.Second)}, cpus: pinned(1), cpu: 1}))
		s := newGroupSched(t, k, 2, tasks, 0, func(s *Sched) { s.NewGroup("a", 0, 1024); s.NewGroup("b", 0, 1024) })
		simulate(t, s, 500*time.Millisecond)
		running, waiting, asleep := s.cpus[0].curr, TaskID(0), TaskID(2)
		if running == 0 {
			waiting = 1
		}
		if s.tasks[waiting].state != taskRunning || s.tasks[asleep].state != taskSleeping {
			t.Fatal("the tasks do not do what they should")
		}
		for _, id := range []TaskID{running, waiting, asleep} {
			task := &s.tasks[id]
			e := &s.ents[task.se]
			ci := int(task.cpu)
			s.updateLoadAvg(&s.cfs[e.cfs], task.se, 0)
			load, lead := e.avg.load, e.vruntime-s.cfs[e.cfs].minVruntime
			from, to := &s.cfs[2+ci], &s.cfs[4+ci]
			left, had := from.avg.load-load, to.avg.load
			s.MoveTask(task, 2)
			if err := s.verify(); err != nil {
				t.Fatalf("%s, task %d: %v", k, id, err)
			}
			if task.group != 2 || e.cfs != int32(4+ci) {
				t.Fatalf("%s, task %d: group %d", k, id, task.group)
			}
			if d := from.avg.load - left; d < -1 || d > 1 {
				t.Errorf("%s, task %d: load %d stays behind, want %d", k, id, from.avg.load, left)
			}
			if d := to.avg.load - had - load; d < -1 || d > 1 || e.avg.load != load {
				t.Errorf("%s, task %d: load %d comes, of %d", k, id, to.avg.load-had, load)
			}
			// A sleeper's lead is bounded as if it woke; others keep theirs.
			if got := e.vruntime - to.minVruntime; id == asleep && got < -k.SchedLatency || id != asleep && got != lead {
				t.Errorf("%s, task %d: vruntime %d ahead of the queue's, was %d", k, id, got, lead)
			}
			if id == running && (s.cpus[0].curr != id || !s.cpus[0].needResched && s.since(5, 6)) {
				t.Errorf("%s: task %d was taken off its CPU", k, id)
			}
		}
		s.cpus[0].needResched = false
		simulate(t, s, 2*time.Second)
		for _, id := range []TaskID{running, waiting} {
			if got := s.shareOf(int(id)); !around(got, .5, .03) {
				t.Errorf("%s, task %d: %.3f of the CPU", k, id, got)
			}
		}
	}
}

// TestMoveTaskOnItsWay: a task that was woken and waits in another CPU's wake list
// moves to the group's queue of that CPU.
func TestMoveTaskOnItsWay(t *testing.T) {
	s := newGroupSched(t, V510(2), 2, []scripted{joined(1, scripted{ops: []Op{run(time.Millisecond), sleep(time.Hour)}})}, 0,
		func(s *Sched) { s.NewGroup("a", 0, 1024); s.NewGroup("b", 0, 1024) })
	simulate(t, s, 100*time.Millisecond)
	task := &s.tasks[0]
	task.state = taskWaking
	s.setTaskCPU(task, 1-task.cpu)
	task.migrated = true
	e := &s.ents[task.se]
	vruntime, load := e.vruntime, e.avg.load
	s.MoveTask(task, 2)
	if e.vruntime != vruntime || e.avg.load != load || e.avg.lastUpdate != 0 {
		t.Errorf("vruntime %d, load %d, last update %d: want the relative %d, %d, and not attached", e.vruntime, e.avg.load, e.avg.lastUpdate, vruntime, load)
	}
	if q := &s.cfs[4+task.cpu]; e.cfs != 4+task.cpu || q.avg.load != 0 {
		t.Errorf("queue %d with load %d before it is there", e.cfs, q.avg.load)
	}
	s.activate(0, task)
	if q := &s.cfs[4+task.cpu]; q.nrRunning != 1 || q.avg.load != load {
		t.Errorf("%d queued with load %d", q.nrRunning, q.avg.load)
	}
}

// TestJoinGroup: a task moves itself by an operation, at any depth, and its
// children are where it is.
func TestJoinGroup(t *testing.T) {
	var tasks []scripted
	for _, g := range []int32{1, 2, 3, 0} {
		tasks = append(tasks, scripted{once: true, ops: []Op{
			{Kind: OpJoinGroup, Arg: g, Work: 1000}, {Kind: OpFork, Arg: int32(4 + len(tasks))}, run(50 * time.Millisecond)}})
	}
	tasks = append(tasks, repeat(4, scripted{ops: []Op{hog()}, child: true})...)
	s := newGroupSched(t, V510(2), 2, tasks, 0, func(s *Sched) {
		s.NewGroup("a", s.NewGroup("b", s.NewGroup("c", 0, 1024), 1024), 1024)
	})
	simulate(t, s, time.Second)
	for i := range s.tasks[:s.born] {
		task := &s.tasks[i]
		want := []int32{1, 2, 3, 0}[task.Arg%4]
		if task.group != want {
			t.Errorf("task %d of script %d is in group %d, want %d", i, task.Arg, task.group, want)
		}
	}
	if err := s.verify(); err != nil {
		t.Error(err)
	}
	st := s.GroupStats(1)
	if child := s.GroupStats(2); st.Name != "c" || child.Name != "b" || st.UsageNS <= child.UsageNS || child.UsageNS <= s.GroupStats(3).UsageNS {
		t.Errorf("usage %+v of the group, %+v below", st, child)
	}
}

// TestGroupErrors: what there is not ends the run with an error that says so.
func TestGroupErrors(t *testing.T) {
	for name, ask := range map[string]func(s *Sched){
		`"x" is to be below group 7`: func(s *Sched) { s.NewGroup("x", 7, 1024) },
		`below group -1`:             func(s *Sched) { s.NewGroup("x", -1, 1024) },
		`group 3, which`:             func(s *Sched) { s.MoveTask(&s.tasks[0], 3) },
		`group 0 has no shares`:      func(s *Sched) { s.SetShares(0, 1024) },
		`session 9`:                  func(s *Sched) { s.SetSession(&s.tasks[0], 9) },
	} {
		s := newGroupSched(t, V510(1), 1, hogs(1), 0, func(*Sched) {})
		ask(s)
		err := s.runFor(t.Context(), 1e6)
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLeafList: a group's queue leaves the list when nothing is left of its load,
// since 5.13 after those below it.
func TestLeafList(t *testing.T) {
	for _, k := range []Kernel{V510(2), V61(2)} {
		s := newGroupSched(t, k, 1, []scripted{joined(3, scripted{ops: []Op{run(20 * time.Millisecond), sleep(time.Hour)}})}, 0, func(s *Sched) {
			s.NewGroup("a", 0, 1024)
			s.NewGroup("b", 0, 1024)
			s.NewGroup("c", 1, 1024)
		})
		simulate(t, s, 19*time.Millisecond)
		if got := s.cpus[0].leaf; len(got) != 2 || got[0] != 3 || got[1] != 1 {
			t.Fatalf("%s: list %v, want c and a", k, got)
		}
		simulate(t, s, 100*time.Millisecond)
		s.updateBlockedAverages(0)
		if !s.cpus[0].hasBlockedLoad || len(s.cpus[0].leaf) != 2 {
			t.Errorf("%s: blocked load %v, list %v, after 100 ms", k, s.cpus[0].hasBlockedLoad, s.cpus[0].leaf)
		}
		for range 4 {
			s.now += 1e9
			s.updateBlockedAverages(0)
		}
		if s.cpus[0].hasBlockedLoad || len(s.cpus[0].leaf) != 0 {
			t.Errorf("%s: blocked load %v, list %v, after 4 s", k, s.cpus[0].hasBlockedLoad, s.cpus[0].leaf)
		}
	}
}

// TestRootFollowsNested: what wakes, sleeps and migrates three levels down is
// handed up to the root, once the averages are brought up to date.
func TestRootFollowsNested(t *testing.T) {
	for _, k := range []Kernel{V510(8), V61(8)} {
		w := newChaos(24, false)
		k.Autogroup = false
		m := testMachine(2, 2, 2)
		s, err := newSched(&Config{Machine: m, Kernel: k, Workload: w, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		w.Start(s)
		g := s.NewGroup("c", s.NewGroup("b", s.NewGroup("a", 0, 1024), 1024), 1024)
		for i := range s.tasks[:s.born] {
			s.MoveTask(&s.tasks[i], g)
		}
		n := len(m.CPUs)
		for range 40 {
			simulate(t, s, 10*time.Millisecond)
			for i := range n {
				s.updateBlockedAverages(int32(i))
				root := &s.cfs[i].avg
				for level := 1; level <= 3; level++ {
					q := &s.cfs[level*n+i].avg
					// They are updated at different moments, by a period at most each.
					slack := int64(60 * level)
					for _, v := range [][2]int64{{root.util, q.util}, {root.runnable, q.runnable}} {
						if d := v[0] - v[1]; d > slack+v[1]/16 || d < -slack-v[1]/16 {
							t.Fatalf("%s, CPU %d at %d ms: level %d has %d, the root %d", k, i, (s.now-bootTime)/1e6, level, v[1], v[0])
						}
					}
				}
			}
		}
	}
}
