package schedsim

// schedExec is sched_exec: the current task of ci, which is about to replace its
// memory, is moved to the CPU that the slow path finds, if that is another one. It
// reports whether the task goes on at once where it is.
//
// The kernel's migration thread preempts the task and moves it while it is queued.
// Its time is a cost of ci; the task is queued on its new CPU at once.
func (s *Sched) schedExec(ci int32, t *Task) bool {
	if t.class != classFair {
		return true // select_task_rq of the other classes: where it is
	}
	c := &s.cpus[ci]
	s.at(ci)
	s.probeWork, s.probeStall = 0, 0
	dst := int32(s.k.FindIdlestCPU(s, t, int(ci), true))
	c.owedWork += s.probeWork
	c.owedStall += s.probeStall
	if dst == ci || !t.Allowed(int(dst)) {
		return true
	}
	t.stall, t.work = 0, 0
	s.count.ExecMigrations++
	s.dequeueTask(t, 0)
	c.owedWork += s.cost.Stopper
	s.schedule(ci)
	s.at(ci)
	s.setTaskCPU(t, dst)
	s.enqueueTask(t, 0)
	s.trace.record(s.now, TraceMigrate, t.ID, dst)
	s.checkPreemptCurr(ci, t)
	return false
}
