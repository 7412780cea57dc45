package schedsim

// This file is what CPUs do between tasks: interrupts of other CPUs and timers.

// interrupt delivers the pending interrupts of ci.
func (s *Sched) interrupt(ci int32) {
	s.q.clear(s.ipiSlot(ci))
	s.count.Interrupts++
	c := &s.cpus[ci]
	if c.act <= actExit {
		s.kickIdle(ci, 0)
		return
	}
	s.charge(ci, 0, s.cost.IRQ)
	s.softInterrupts(ci)
	s.preemptIfNeeded(ci)
}

// softInterrupts does what was asked of ci while it was elsewhere.
func (s *Sched) softInterrupts(ci int32) {
	c := &s.cpus[ci]
	why := c.ipi
	c.ipi = 0
	if why&ipiWakeList != 0 {
		s.ttwuPending(ci)
		if c.act > actExit {
			w := c.owedWork
			c.owedWork = 0
			s.charge(ci, 0, w)
		}
	}
	if why&ipiUnthrottle != 0 {
		s.unthrottleListed(ci)
	}
	if why&ipiIRQWork != 0 {
		s.freqIRQWork(ci)
	}
	if why&ipiRTPush != 0 {
		s.rtPushInterrupt(ci)
	}
	if why&ipiNohz != 0 {
		s.nohzIdleBalance(ci)
	}
}

// preemptIfNeeded reschedules on the way out of an interrupt. A wakeup in
// progress runs with interrupts off and reschedules at its end.
func (s *Sched) preemptIfNeeded(ci int32) {
	c := &s.cpus[ci]
	if c.needResched && c.act == actRun && !s.inSyscall(c) {
		s.preempt(ci)
	}
}

// timerEvent wakes the tasks whose sleep is over, each from the CPU it sleeps
// on, as its timer interrupt does.
func (s *Sched) timerEvent() {
	for len(s.timers.heap) > 0 && s.timers.heap[0].at <= s.now {
		due := s.timers.pop()
		s.count.Interrupts++
		switch {
		case due.task < 0:
			s.hostTimerInterrupt(^due.task)
		case s.host != nil:
			s.hostTimer(due)
		default:
			s.timerWakes(&s.tasks[due.task])
		}
	}
	s.armTimers()
}

// timerWakes wakes a task from the CPU that it sleeps on.
func (s *Sched) timerWakes(t *Task) {
	s.smp = t.cpu
	t.state = taskWaking
	s.taskWaking(t)
	if s.ents[t.se].delayed {
		s.charge(t.cpu, 0, s.cost.IRQ+s.cost.TTWU)
		s.ttwuRunnable(t.cpu, t)
		s.preemptIfNeeded(t.cpu)
		return
	}
	s.probeWork, s.probeStall = 0, 0
	s.hardirq = true
	target := int32(s.selectCPU(t.cpu, t, false))
	s.hardirq = false
	s.charge(t.cpu, s.probeStall, s.probeWork+s.cost.IRQ+s.cost.TTWU)
	by := t.cpu
	s.countWakeup(t, target)
	if t.cpu != target {
		s.setTaskCPU(t, target)
		t.migrated = true
	}
	s.trace.record(s.now, TraceWakeup, t.ID, target)
	s.activateFromTimer(by, t)
}

func (s *Sched) activateFromTimer(by int32, t *Task) {
	d := &s.cpus[t.cpu]
	if t.cpu == by && d.curr == none {
		s.activate(by, t)
		d.needResched = true
		s.kickIdle(by, 0)
		return
	}
	s.activate(by, t)
	if t.cpu == by {
		s.preemptIfNeeded(by)
	}
}

func (s *Sched) armTimers() {
	if len(s.timers.heap) == 0 {
		s.q.clear(s.timerSlot)
		return
	}
	s.q.set(s.timerSlot, s.timers.heap[0].at)
}
