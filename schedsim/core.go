package schedsim

// This file is kernel/sched/core.c: schedule(), try_to_wake_up() and the
// operations of tasks that lead there.

// cpuEvent ends the activity of ci.
func (s *Sched) cpuEvent(ci int32) {
	c := &s.cpus[ci]
	switch c.act {
	case actExit:
		s.leaveIdle(ci)
		s.softInterrupts(ci)
		if c.nrRunning == 0 && !c.needResched {
			// Nothing but an interrupt: the idle loop goes on without
			// schedule().
			s.enterIdle(ci)
			return
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

// run lets the current task of ci execute: what is left of its operation, or
// the next ones.
func (s *Sched) run(ci int32) {
	c := &s.cpus[ci]
	t := &s.tasks[c.curr]
	for {
		if !t.inOp {
			t.op = s.nextOp(t)
			t.inOp = true
			t.work = t.op.Work
		}
		// A receive that was waiting takes its message at once: the switch that
		// brought the task back is part of what it does next.
		waited := t.op.Kind == OpRecv && t.work == 0 && s.channels[t.op.Arg].pending > 0
		if !waited && (t.work > 0 || t.stall > 0 || c.owedWork > 0 || c.owedStall > 0) {
			s.begin(ci, actRun, t.stall, t.work)
			return
		}
		if !s.effect(ci, t) {
			return
		}
	}
}

// effect does what an operation does once its work is done. It reports whether
// the task goes on at once.
func (s *Sched) effect(ci int32, t *Task) bool {
	op := &t.op
	t.inOp = false
	switch op.Kind {
	case OpSend:
		ch := &s.channels[op.Arg]
		ch.pending++
		ch.from = ci
		if w := ch.waiter; w != none {
			ch.waiter = none
			s.tryToWakeUp(ci, &s.tasks[w], op.Sync)
			return false
		}
	case OpRecv:
		ch := &s.channels[op.Arg]
		if ch.pending == 0 {
			ch.waiter = t.ID
			t.inOp = true // the receive itself is still to be done
			s.block(ci, t)
			return false
		}
		ch.pending--
		t.stall += s.transfer(ch.from, ci, s.loc.TransferLines)
	case OpFork:
		s.fork(ci, t, op.Arg)
		if s.cpus[ci].needResched {
			s.reschedAfterSyscall(ci)
			return false
		}
	case OpSleep:
		s.timers.push(s.now+op.Arg64, t.ID)
		s.armTimers()
		s.block(ci, t)
		return false
	case opFreqWork:
		s.odUpdate(ci)
		s.block(ci, t)
		return false
	case OpExit:
		t.state = taskDead
		s.block(ci, t)
		return false
	}
	return true
}

// block puts the current task to sleep and schedules.
func (s *Sched) block(ci int32, t *Task) {
	if t.state == taskRunning {
		t.state = taskSleeping
	}
	s.dequeueTask(t, enqWakeup)
	if t.state == taskDead {
		s.removeLoadAvg(t)
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
	next := s.pickNextTaskFair(ci)
	if next == none {
		if s.newidleBalance(ci) {
			next = s.pickNextTaskFair(ci)
		} else {
			s.updateIdleClockPelt(ci)
		}
	}
	s.switchTo(ci, next)
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
		if next == none {
			s.putPrevTask(p)
		}
		p.switchedOut = s.now + s.scale(c, c.owedWork+cost) + c.owedStall
		switch {
		case p.kthread:
			s.count.KworkerSwitches++
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
	c.curr = next
	s.touch(ci)
	if r := &s.rq[ci]; r.probed {
		// The lines of this runqueue are shared with a searching core: the
		// first write fetches them back.
		r.probed = false
		c.owedStall += s.line.llc
	}
	s.trace.record(s.now, TraceSwitch, next, ci)
	if next == none {
		s.switchToIdle(ci)
		return
	}
	t := &s.tasks[next]
	c.owedWork += cost
	if t.homeCore != c.core {
		t.stall += s.refill(t.homeCore, ci)
		t.homeCore = c.core
	}
	s.run(ci)
}

// refill is the stall for fetching a task's private working set from the core
// that it ran on before.
func (s *Sched) refill(core, ci int32) int64 {
	if core == none {
		return 0
	}
	return s.transfer(s.cores[core].cpus[0], ci, s.loc.RefillLines)
}

// tryToWakeUp starts the wakeup of t by ci: choosing a CPU, which takes time.
func (s *Sched) tryToWakeUp(ci int32, t *Task, sync bool) {
	c := &s.cpus[ci]
	t.state = taskWaking
	c.wakee = t.ID
	c.wakeScanned = false
	c.wakeOnCPU = false
	c.wakeSync = sync

	if t.switchedOut > s.now && t.cpu != ci {
		// p->on_cpu: it is off the queue but still being switched out.
		if s.k.TTWUQueue && (s.cpus[t.cpu].llc != c.llc || s.cpus[t.cpu].nrRunning <= 1) {
			c.wakeCPU = t.cpu
			c.wakeOnCPU = true
			s.count.WakeupsOnCPU++
			s.begin(ci, actWake, 0, s.cost.TTWU/2)
			return
		}
		c.owedStall += t.switchedOut - s.now
	}
	s.probeWork, s.probeStall = 0, 0
	c.wakeCPU = int32(s.selectCPU(ci, t, sync))
	if s.probeWork > 2*s.cost.ProbeBase {
		// A search, not just a look at one or two candidates.
		c.wakeScanned = s.idle(c.wakeCPU)
		s.begin(ci, actSelect, s.probeStall, s.probeWork)
		return
	}
	c.owedWork += s.probeWork
	c.owedStall += s.probeStall
	s.beginEnqueue(ci)
}

// selectCPU is select_task_rq; with a shadow kernel it also asks that one,
// without acting on the answer.
func (s *Sched) selectCPU(ci int32, t *Task, sync bool) int {
	s.at(ci)
	if cpu := t.allowed.only(); cpu >= 0 {
		return cpu // nr_cpus_allowed == 1: nothing to choose
	}
	if s.shadow.whole {
		return s.selectWhole(t, sync)
	}
	return s.k.SelectTaskRQFair(s, t, int(t.cpu), sync)
}

// confirmSelection runs when the search that began some time ago ends. The
// last runqueue that a search looks at is the one it takes, so the answer must
// hold now; if somebody else took that CPU meanwhile, the search goes on.
func (s *Sched) confirmSelection(ci int32) {
	c := &s.cpus[ci]
	if w := c.wakeCPU; w != ci && !s.idle(w) && c.wakeScanned {
		c.wakeScanned = false
		s.probeWork, s.probeStall = 0, 0
		t := &s.tasks[c.wakee]
		s.at(ci)
		c.wakeCPU = int32(s.k.SelectTaskRQFair(s, t, int(t.cpu), c.wakeSync))
		c.owedWork += s.probeWork
		c.owedStall += s.probeStall
	}
	s.beginEnqueue(ci)
}

// beginEnqueue is ttwu_queue up to the moment when the task becomes visible on
// the target's runqueue or wake list.
func (s *Sched) beginEnqueue(ci int32) {
	c := &s.cpus[ci]
	work := s.cost.TTWU / 2
	stall := int64(0)
	switch target := c.wakeCPU; {
	case target == ci:
	case s.cpus[target].llc != c.llc:
		work += s.cost.TTWURemoteLLC
	default:
		stall = s.transfer(target, ci, s.cost.QueueLines)
	}
	s.begin(ci, actWake, stall, work)
}

// finishWakeup makes the wakee visible on its CPU, and lets the waker go on.
func (s *Sched) finishWakeup(ci int32) {
	c := &s.cpus[ci]
	t := &s.tasks[c.wakee]
	target := c.wakeCPU
	c.wakee = none
	s.countWakeup(t, target)
	if t.cpu != target {
		s.setTaskCPU(t, target)
		t.migrated = true // ENQUEUE_MIGRATED
	}
	s.trace.record(s.now, TraceWakeup, t.ID, target)

	d := &s.cpus[target]
	if s.k.TTWUQueue && target != ci && (d.llc != c.llc || c.wakeOnCPU) {
		d.wakeList = append(d.wakeList, t.ID)
		s.touch(target)
		s.sendIPI(ci, target, ipiWakeList)
	} else {
		s.activate(ci, t)
	}
	c.owedWork += s.cost.TTWU - s.cost.TTWU/2
	if c.needResched {
		s.reschedAfterSyscall(ci)
		return
	}
	s.run(ci)
}

// reschedAfterSyscall is the way out of the system call that woke or created
// somebody when the current task is to be preempted.
func (s *Sched) reschedAfterSyscall(ci int32) {
	t := &s.tasks[s.cpus[ci].curr]
	t.stall, t.work = 0, 0
	s.schedule(ci)
}

// activate enqueues a woken task on its CPU and preempts what runs there if it
// should (ttwu_do_activate). by is the CPU that does it.
func (s *Sched) activate(by int32, t *Task) {
	flags := enqWakeup
	if t.migrated {
		flags |= enqMigrated
		t.migrated = false
	}
	t.state = taskRunning
	s.enqueueTask(t, flags)
	s.checkPreemptCurr(by, t)

	d := &s.cpus[t.cpu]
	if d.idleStamp != 0 {
		delta := s.now - d.idleStamp
		updateAvg(&d.avgIdle, delta)
		d.avgIdle = min(d.avgIdle, 2*d.maxIdleBalanceCost)
		d.idleStamp = 0
	}
}

// updateAvg is update_avg: a moving average over about eight samples. Since 5.8
// it divides; before, it shifted.
func updateAvg(avg *int64, sample int64) { *avg += (sample - *avg) / 8 }

// checkPreemptCurr tells t's CPU to reschedule if t should run now
// (check_preempt_curr, resched_curr).
func (s *Sched) checkPreemptCurr(by int32, t *Task) {
	d := &s.cpus[t.cpu]
	if d.curr == none {
		if t.cpu == by {
			return // in the idle loop's own interrupt: schedule() follows
		}
		d.needResched = true
		s.sendIPI(by, t.cpu, 0)
		return
	}
	if s.checkPreemptWakeup(t) && t.cpu != by {
		s.sendIPI(by, t.cpu, ipiResched)
	}
}

// setTaskCPU moves a task that is off the queue (set_task_cpu with
// migrate_task_rq_fair): its vruntime becomes relative, its load stays behind.
func (s *Sched) setTaskCPU(t *Task, target int32) {
	e := &s.ents[t.se]
	if t.state == taskWaking {
		e.vruntime -= s.cfs[e.cfs].minVruntime
		s.removeLoadAvg(t)
	} else {
		s.detachEntity(t)
	}
	e.avg.lastUpdate = 0
	e.execStart = 0
	s.setTaskRQ(t, target)
}

func (s *Sched) setTaskRQ(t *Task, target int32) {
	e := &s.ents[t.se]
	t.cpu = target
	e.cfs = t.group*int32(len(s.cpus)) + target
	e.parent = s.cfs[e.cfs].se
}

func (s *Sched) countWakeup(t *Task, target int32) {
	s.count.Wakeups++
	from := &s.cpus[t.cpu]
	switch {
	case t.cpu == target:
		s.count.WakeupsPrev++
	case from.llc == s.cpus[target].llc:
		s.count.WakeupsSameLLC++
	default:
		s.count.WakeupsRemote++
	}
	if !s.idle(target) {
		s.count.WakeupsStacked++
	}
}

// interrupt delivers the pending interrupts of ci.
func (s *Sched) interrupt(ci int32) {
	s.q.clear(s.ipiSlot(ci))
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
		list := c.wakeList
		c.wakeList = c.wakeList[:0]
		s.touch(ci)
		for _, id := range list {
			c.owedWork += s.cost.TTWU / 2
			s.activate(ci, &s.tasks[id])
		}
		if c.act > actExit {
			w := c.owedWork
			c.owedWork = 0
			s.charge(ci, 0, w)
		}
	}
	if why&ipiIRQWork != 0 {
		s.freqIRQWork(ci)
	}
	if why&ipiNohz != 0 {
		s.nohzIdleBalance(ci)
	}
	if why&ipiStopper != 0 {
		if c.act == actSelect || c.act == actWake {
			// Interrupts are off; the migration thread runs right after.
			c.ipi |= ipiStopper
			s.q.set(s.ipiSlot(ci), c.end())
			return
		}
		s.activeLoadBalance(ci)
	}
}

// preemptIfNeeded reschedules on the way out of an interrupt. A wakeup in
// progress runs with interrupts off and reschedules at its end.
func (s *Sched) preemptIfNeeded(ci int32) {
	c := &s.cpus[ci]
	if c.needResched && c.act == actRun {
		s.preempt(ci)
	}
}

// timerEvent wakes the tasks whose sleep is over, each from the CPU it sleeps
// on, as its timer interrupt does.
func (s *Sched) timerEvent() {
	for len(s.timers.heap) > 0 && s.timers.heap[0].at <= s.now {
		t := &s.tasks[s.timers.pop().task]
		s.smp = t.cpu
		t.state = taskWaking
		s.probeWork, s.probeStall = 0, 0
		target := int32(s.selectCPU(t.cpu, t, false))
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
	s.armTimers()
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
