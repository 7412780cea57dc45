package schedsim

// This file is schedule() of kernel/sched/core.c and the switch that follows it.

// cpuEvent ends the activity of ci.
func (s *Sched) cpuEvent(ci int32) {
	c := &s.cpus[ci]
	switch c.act {
	case actExit:
		s.leaveIdle(ci)
		s.softInterrupts(ci)
		if c.nrRunning == 0 && len(c.wakeList) > 0 {
			// It balanced for others, and woke a thread of its own in their name.
			s.ttwuPending(ci)
		}
		if c.nrRunning == 0 && !c.needResched {
			// Nothing but an interrupt: the idle loop goes on without
			// schedule().
			s.enterIdle(ci)
			return
		}
		if c.tickStopped && s.cpuLoads != nil {
			s.cpuLoadNohzStop(ci)
		}
		c.tickStopped = false // tick_nohz_idle_exit
		s.schedule(ci)
	case actRun:
		c.stall, c.work = 0, 0
		t := &s.tasks[c.curr]
		t.stall, t.work = 0, 0
		if s.effect(ci, t) {
			s.run(ci)
		}
	case actSelect:
		s.confirmSelection(ci)
	case actWake:
		s.finishWakeup(ci)
	default:
		panic("schedsim: event on an idle CPU")
	}
}

// block puts the current task to sleep and schedules.
func (s *Sched) block(ci int32, t *Task) {
	if t.state == taskRunning {
		t.state = taskSleeping
	}
	s.dequeueTask(t, enqWakeup)
	if t.state == taskDead {
		s.taskDead(t)
	}
	s.schedule(ci)
}

// preempt takes the current task off ci while it can run on, after cost ns of
// work in the interrupt that asked for it.
func (s *Sched) preempt(ci int32) {
	c := &s.cpus[ci]
	s.progress(c)
	t := &s.tasks[c.curr]
	// What is left includes the interrupt; it is charged to the task, as the
	// kernel without IRQ time accounting does.
	t.stall, t.work = c.stall, c.work
	s.schedule(ci)
}

// schedule picks the next task of ci and switches to it.
func (s *Sched) schedule(ci int32) {
	s.switchTo(ci, s.pickNextTask(ci))
}

// switchTo makes next current on ci.
func (s *Sched) switchTo(ci int32, next TaskID) {
	c := &s.cpus[ci]
	c.needResched = false
	prev := c.curr
	if prev == next {
		if next == none {
			s.switchToIdle(ci)
			return
		}
		s.run(ci)
		return
	}
	cost := s.cost.Switch
	if prev == none || next == none {
		cost = s.cost.SwitchIdle
	}
	if prev != none {
		p := &s.tasks[prev]
		p.switchedOut = s.now + s.scale(c, c.owedWork+cost) + c.owedStall
		switch {
		case p.kthread && p.class == classFair:
			s.count.KworkerSwitches++
		case p.kthread:
			s.count.HighClassSwitches++
		case p.state == taskRunning:
			p.nivcsw++
			s.count.InvoluntarySwitch++
		default:
			p.nvcsw++
			s.count.VoluntarySwitches++
		}
	}
	// Close the load-tracking clock of the outgoing state before curr, which
	// decides how it runs, changes.
	s.clockPelt(ci)
	if s.servers > 0 && (prev == none || next == none) {
		s.serverIdleTime(ci) // up to now, if it was idle
		s.serverIdleSince[ci] = s.now
	}
	c.curr = next
	if s.spin != nil {
		s.spinSwitch(ci, next)
	}
	s.touch(ci)
	if s.takeProbed(ci) {
		// The lines of this runqueue are shared with a searching core: the
		// first write fetches them back.
		c.owedStall += s.line.llc
	}
	s.trace.record(s.now, TraceSwitch, next, ci)
	if next == none {
		s.switchToIdle(ci)
		return
	}
	t := &s.tasks[next]
	if s.mem != nil {
		s.setMemorySpeed(ci)
	}
	c.owedWork += cost
	if t.homeCore != c.core {
		t.stall += s.refill(t.homeCore, ci)
		t.homeCore = c.core
	}
	s.pushAfterSwitch(ci, t)
	s.run(ci)
}

// pushAfterSwitch is what a class does once its task is current: it pushes those
// away that now have to wait (balance callbacks, post_schedule in 3.10).
func (s *Sched) pushAfterSwitch(ci int32, t *Task) {
	switch t.class {
	case classRT:
		s.pushRTTasks(ci, ci)
	case classDeadline:
		s.pushDLTasks(ci, ci)
	}
}

// yield is sched_yield: the task stays runnable, so that if another one runs
// the switch is an involuntary one. schedule() costs as much as one to the idle
// task if the task goes on.
func (s *Sched) yield(ci int32, t *Task) {
	s.yieldTask(ci, t)
	next := s.pickNextTask(ci)
	if next == t.ID {
		s.cpus[ci].owedWork += s.cost.SwitchIdle
	}
	s.switchTo(ci, next)
}

// refill is the stall for fetching a task's private working set from the core
// that it ran on before.
func (s *Sched) refill(core, ci int32) int64 {
	if core == none {
		return 0
	}
	return s.transfer(s.cores[core].cpus[0], ci, s.loc.RefillLines)
}
