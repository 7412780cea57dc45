package schedsim

// The migration threads' part of NUMA balancing: taking a running task to another
// CPU. As in active balancing the thread is a cost, Costs.Stopper, on each CPU
// that it runs on; what it does is done at the moment that it is asked for.

// takeOff takes the current task of ci off it and its queue. The caller puts it
// somewhere and then calls schedule for ci, which has no current task until then.
func (s *Sched) takeOff(ci int32) *Task {
	c := &s.cpus[ci]
	t := &s.tasks[c.curr]
	s.progress(c)
	t.stall, t.work = c.stall, c.work
	c.stall, c.work = 0, 0
	s.dequeueTask(t, 0)
	s.putPrevTask(t)
	s.clockPelt(ci)
	c.owedWork += s.cost.Stopper
	t.switchedOut = s.now + s.scale(c, c.owedWork) + c.owedStall
	t.nivcsw++
	s.count.InvoluntarySwitch++
	c.curr = none
	if s.servers > 0 {
		s.serverIdleSince[ci] = s.now // it does not idle
	}
	s.touch(ci)
	return t
}

// putOn queues a task that was taken off on another CPU.
func (s *Sched) putOn(t *Task, ci int32) {
	s.setTaskCPU(t, ci)
	s.enqueueTask(t, 0)
	s.trace.record(s.now, TraceMigrate, t.ID, ci)
}

// migrateTaskTo is migrate_task_to: the current task of a CPU goes to another one.
func (s *Sched) migrateTaskTo(t *Task, dst int32) {
	src := t.cpu
	if dst == src || !t.Allowed(int(dst)) {
		s.count.NUMAMoveFailed++
		return
	}
	s.count.NUMAMoves++
	s.takeOff(src)
	s.putOn(t, dst)
	s.at(src)
	s.checkPreemptCurr(src, t)
	s.schedule(src)
}

// migrateSwap is migrate_swap: two current tasks change places. One that is in the
// middle of a wakeup cannot be taken off.
func (s *Sched) migrateSwap(t, other *Task) {
	a, b := t.cpu, other.cpu
	d := &s.cpus[b]
	if d.curr != other.ID || d.act != actRun || !t.Allowed(int(b)) || !other.Allowed(int(a)) {
		s.count.NUMAMoveFailed++
		return
	}
	s.count.NUMASwaps++
	// stop_two_cpus: each waits for the other one.
	s.cpus[a].owedStall += s.cost.IPIRemote
	s.takeOff(a)
	s.takeOff(b)
	s.putOn(t, b)
	s.putOn(other, a)
	smp := s.smp
	s.smp = b
	s.schedule(b)
	s.smp = smp
	s.at(a)
	s.schedule(a)
}
