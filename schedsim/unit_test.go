package schedsim

import "testing"

// newUnit is a simulation of n hogs on CPU 0 of a machine with eight, of which
// none runs yet, for tests that call the fair class by hand. With groups their
// task group is one below the root.
func newUnit(t testing.TB, k Kernel, n int, grouped bool) *Sched {
	t.Helper()
	s := newKernelSched(t, k, testMachine(1, 8, 1), &script{tasks: repeat(n, scripted{ops: []Op{hog()}})}, !grouped)
	s.smp = 0
	return s
}

// queueTask wakes a task of newUnit on CPU 0, without preempting anybody.
func (s *Sched) queueTask(id TaskID) *Task {
	t := &s.tasks[id]
	t.state = taskRunning
	s.enqueueTask(t, enqWakeup)
	return t
}

// pass lets the current entities of CPU 0 run for ns, and accounts it from the
// task up.
func (s *Sched) pass(ns int64) {
	s.now += ns
	for se := s.tasks[s.cpus[0].curr].se; se != none; se = s.ents[se].parent {
		s.updateCurr(&s.cfs[s.ents[se].cfs])
	}
}

// pick schedules on CPU 0.
func (s *Sched) pick() TaskID {
	s.schedule(0)
	return s.cpus[0].curr
}
