package schedsim

import (
	"testing"
	"time"
)

// waking is a machine of two sockets of four cores whose CPU 0 runs task 0, and
// on which tasks 1 to 3 sleep on CPU 1 of the same cache; busy CPUs have a hog.
func waking(t *testing.T, busy ...int) *Sched {
	t.Helper()
	w := &script{tasks: []scripted{{ops: []Op{hog()}, cpus: pinned(0)}}}
	for range 3 {
		w.tasks = append(w.tasks, scripted{ops: []Op{sleep(time.Hour), run(time.Millisecond)}, cpu: 1})
	}
	for _, c := range busy {
		w.tasks = append(w.tasks, scripted{ops: []Op{hog()}, cpus: pinned(c), cpu: c, start: time.Millisecond})
	}
	s := newTestSched(t, testMachine(2, 4, 1), w, true)
	simulate(t, s, 2500*time.Microsecond)
	s.timers.heap = s.timers.heap[:0] // tasks 1 to 3 wake by hand only
	s.armTimers()
	for i := 1; i <= 3; i++ {
		s.tasks[i].cpu = 1
		s.setTaskRQ(&s.tasks[i], 1)
	}
	return s
}

// finish ends the wakeup in progress on CPU 0 and stops right there.
func (s *Sched) finish(t *testing.T) {
	t.Helper()
	for s.cpus[0].act == actSelect || s.cpus[0].act == actWake {
		s.step()
	}
}

func TestWakeToIdle(t *testing.T) {
	s := waking(t)
	before := s.count.WakeupsPrev
	s.tryToWakeUp(0, &s.tasks[1], true)
	s.finish(t)
	d := &s.cpus[1]
	if d.nrRunning != 1 || len(d.wakeList) != 0 || d.act != actExit {
		t.Errorf("nr_running %d, %d on the wake list, activity %d: want it queued at once and the CPU waking up",
			d.nrRunning, len(d.wakeList), d.act)
	}
	if s.count.WakeupsPrev != before+1 {
		t.Error("not counted as a wakeup on the previous CPU")
	}
}

// TestWakeOnCPU: a task that is being switched out is handed to its own CPU,
// without a search, if nothing else is queued there; otherwise the waker waits.
func TestWakeOnCPU(t *testing.T) {
	for _, alone := range []bool{true, false} {
		busy := []int{1}
		if alone {
			busy = nil
		}
		s := waking(t, busy...)
		task := &s.tasks[1]
		if !alone {
			s.load(2, 1)
		}
		task.switchedOut = s.now + 700
		scanned := s.count.CPUsScanned
		s.tryToWakeUp(0, task, true)
		c := &s.cpus[0]
		if c.wakeOnCPU != alone {
			t.Fatalf("alone %v: handed over %v", alone, c.wakeOnCPU)
		}
		if !alone {
			if c.stall < 700 {
				t.Errorf("the waker waits %d ns, want 700 for the switch", c.stall)
			}
			continue
		}
		s.finish(t)
		d := &s.cpus[1]
		if len(d.wakeList) != 1 || s.rq[1].idle || task.state != taskWaking || s.count.CPUsScanned != scanned {
			t.Errorf("wake list %v, idle %v, state %d, %d looks", d.wakeList, s.rq[1].idle, task.state, s.count.CPUsScanned-scanned)
		}
		simulate(t, s, 100*time.Microsecond)
		if d.curr != task.ID || len(d.wakeList) != 0 {
			t.Errorf("the CPU runs %d, wake list %v", d.curr, d.wakeList)
		}
	}
}

// TestWakeList: wakeups for another cache go through its CPU's list, oldest
// first, and make the CPU look busy at once.
func TestWakeList(t *testing.T) {
	s := waking(t, 1, 4)
	for i := 1; i <= 3; i++ {
		task := &s.tasks[i]
		task.cpu = 4
		s.setTaskRQ(task, 4)
		task.allowed = maskOf(8, []int{4}) // nothing to choose
		s.tryToWakeUp(0, task, false)
		for s.cpus[0].act == actWake && s.q.at(0) <= s.q.at(s.ipiSlot(4)) || s.cpus[0].wakee != none {
			s.step()
		}
		if len(s.cpus[4].wakeList)+int(s.cpus[4].nrRunning) != 1+i {
			t.Fatalf("after %d: wake list %v, nr_running %d", i, s.cpus[4].wakeList, s.cpus[4].nrRunning)
		}
	}
	simulate(t, s, 10*time.Microsecond)
	if len(s.cpus[4].wakeList) != 0 || s.cpus[4].nrRunning != 4 {
		t.Fatalf("wake list %v, nr_running %d", s.cpus[4].wakeList, s.cpus[4].nrRunning)
	}
	last := TaskID(0)
	for _, id := range s.cpus[4].fairTasks {
		if id >= 1 && id <= 3 {
			if id < last {
				t.Errorf("woken in the order of %v", s.cpus[4].fairTasks)
			}
			last = id
		}
	}
	if err := s.verify(); err != nil {
		t.Error(err)
	}
}

// TestFailedSearchEnds: a search that found nothing stacks the task on the
// target and is not repeated.
func TestFailedSearchEnds(t *testing.T) {
	s := waking(t, 1, 2, 3)
	// The waker is not alone, and its CPU is heavier: the target is the
	// wakee's.
	s.load(2, 0)
	s.cfs[0].avg.load = 5000
	before := s.count.IdleCPUSearches
	s.tryToWakeUp(0, &s.tasks[1], true)
	c := &s.cpus[0]
	if c.wakeCPU != 1 || c.act != actSelect || c.wakeScanned {
		t.Fatalf("CPU %d, activity %d, to be confirmed %v", c.wakeCPU, c.act, c.wakeScanned)
	}
	s.load(1, 0)
	s.finish(t)
	if got := s.count.IdleCPUSearches - before; got != 1 {
		t.Errorf("%d searches, want 1", got)
	}
	if s.count.WakeupsStacked == 0 || s.tasks[1].cpu != 1 {
		t.Errorf("on CPU %d, %d stacked", s.tasks[1].cpu, s.count.WakeupsStacked)
	}
}

// TestWakeupPreempts: a sleeper preempts a hog if it is owed more than the
// wakeup granularity, and not a task that was just woken as well.
func TestWakeupPreempts(t *testing.T) {
	for _, tc := range []struct {
		lead int64 // how far the running task's vruntime is ahead of the wakee's
		want bool
	}{{-1, false}, {0, false}, {4_000_000, false}, {4_000_001, true}} {
		s := waking(t, 1)
		// The granularity of eight CPUs is 4 ms.
		hog, task := &s.ents[s.tasks[4].se], &s.tasks[1]
		s.updateCurr(&s.cfs[1])
		task.state = taskRunning
		s.enqueueTask(task, enqWakeup)
		e := &s.ents[task.se]
		s.cfs[1].remove(task.se)
		e.vruntime = hog.vruntime - tc.lead
		s.cfs[1].insert(task.se, e.vruntime)
		if got := s.checkPreemptWakeup(task); got != tc.want {
			t.Errorf("%d ns behind: preempts %v", tc.lead, got)
		}
		if s.cpus[1].needResched != tc.want || (s.cfs[1].next == task.se) != tc.want {
			t.Errorf("%d ns behind: need_resched %v, next buddy %d", tc.lead, s.cpus[1].needResched, s.cfs[1].next)
		}
		if tc.want && s.checkPreemptWakeup(task) {
			t.Error("preempts a task that is to be rescheduled already")
		}
	}
}
