package schedsim

// class is a scheduling class (struct sched_class), the highest last.
type class uint8

const (
	classIdle     class = iota // the idle task of a CPU
	classFair                  // SCHED_NORMAL, SCHED_BATCH, SCHED_IDLE
	classRT                    // SCHED_FIFO, SCHED_RR
	classDeadline              // SCHED_DEADLINE and schedutil's thread; since 3.14
	classStop                  // migration/N
)

// Flags of enqueue for classes other than fair.
const (
	enqHead      = 1 << (16 + iota) // ENQUEUE_HEAD: before its equals
	enqReplenish                    // ENQUEUE_REPLENISH: a throttled deadline entity comes back
)

// The functions of this file are those of struct sched_class: each hands a
// task to its class.

func (s *Sched) enqueueTask(t *Task, flags int) {
	switch t.class {
	case classFair:
		s.enqueueFair(t, flags)
	case classRT:
		s.enqueueTaskRT(t, flags)
	case classDeadline:
		s.enqueueTaskDL(t, flags)
	case classStop:
		s.enqueueTaskStop(t)
	}
}

// enqueueFair is enqueueTaskFair with what hangs on the first and on each fair
// task of a CPU.
func (s *Sched) enqueueFair(t *Task, flags int) {
	c := &s.cpus[t.cpu]
	if s.servers == 0 || s.cfs[t.cpu].hNr > 0 {
		s.enqueueTaskFair(t, flags)
		return
	}
	if c.nrRunning == 0 {
		s.serverIdleTime(t.cpu)
	}
	s.enqueueTaskFair(t, flags)
	s.serverStartStop(t.cpu, 0)
}

func (s *Sched) dequeueTask(t *Task, flags int) {
	switch t.class {
	case classFair:
		s.dequeueTaskFair(t, flags)
	case classRT:
		s.dequeueTaskRT(t)
	case classDeadline:
		s.dequeueTaskDL(t)
	case classStop:
		s.dequeueTaskStop(t)
	}
}

// balanceSchedIdle lets a CPU that has nothing but SCHED_IDLE tasks from now on
// balance at its next tick (dequeue_task_fair, 5.7). was is how many it had.
func (s *Sched) balanceSchedIdle(ci, was int32) {
	if c := &s.cpus[ci]; c.idleHNr == was && s.since(5, 7) && s.SchedIdleCPU(int(ci)) {
		c.nextBalance = s.jiffies
	}
}

// putPrevTask takes the current task off (put_prev_task).
func (s *Sched) putPrevTask(t *Task) {
	switch t.class {
	case classFair:
		s.putPrevTaskFair(t)
	case classRT:
		s.putPrevTaskRT(t)
	case classDeadline:
		s.putPrevTaskDL(t)
	case classStop:
		s.updateCurrOther(t)
	}
}

// setNextTask makes a task the current one of its class (set_next_task). first
// is set when schedule() picked it, and not when it was current before.
func (s *Sched) setNextTask(t *Task, first bool) {
	switch t.class {
	case classFair:
		s.setNextTaskFair(t)
	case classRT:
		s.setNextTaskRT(t, first)
	case classDeadline:
		s.setNextTaskDL(t, first)
	case classStop:
		s.ents[t.se].execStart = s.now
	}
}

func (s *Sched) taskTick(ci int32, t *Task) {
	switch t.class {
	case classFair:
		s.taskTickFair(ci, t)
	case classRT:
		s.taskTickRT(ci, t)
	case classDeadline:
		s.taskTickDL(ci, t)
	case classStop:
		s.updateCurrOther(t)
	}
}

// updateCurrOther charges a running task that is not fair (update_curr_common)
// and returns for how long, ns.
func (s *Sched) updateCurrOther(t *Task) int64 {
	e := &s.ents[t.se]
	delta := s.now - e.execStart
	if delta <= 0 {
		return 0
	}
	e.sumExec += delta
	e.execStart = s.now
	return delta
}

// yieldTask is sched_yield in the class of the running task.
func (s *Sched) yieldTask(ci int32, t *Task) {
	switch t.class {
	case classFair:
		s.yieldTaskFair(ci, t)
	case classRT:
		s.requeueTaskRT(t, false)
	case classDeadline:
		s.yieldTaskDL(t)
	}
}

// yieldTaskFair steps aside once (yield_task_fair). Up to 6.5 the pick skips
// the task if another one is not owed too much less; with EEVDF, from 6.6 on,
// its virtual deadline moves by a slice, and in stable releases of 6.12 an eligible
// task's vruntime to the deadline before that.
func (s *Sched) yieldTaskFair(ci int32, t *Task) {
	if s.cpus[ci].nrRunning == 1 {
		return
	}
	e := &s.ents[t.se]
	q := &s.cfs[e.cfs]
	if s.eevdf {
		s.updateCurr(q)
		if s.k.YieldForfeits {
			// It forfeits what is left of its request, if it is owed any: one that is
			// not would run away.
			if !s.eligible(q, e.vruntime) {
				return
			}
			e.vruntime = e.deadline
			s.updateMinVruntimeEEVDF(q)
		}
		e.deadline += s.calcDeltaFair(e.slice, &e.load)
		return
	}
	s.clearBuddies(q, t.se)
	if t.policy != PolicyBatch {
		s.updateCurr(q)
	}
	// set_skip_buddy; the kernel marks entities of a throttled group too.
	for se := t.se; se != none && s.ents[se].onRQ; se = s.ents[se].parent {
		s.cfs[s.ents[se].cfs].skip = se
	}
}

// preempts decides whether t, which was just queued on a CPU that runs a task,
// is to run there at once (check_preempt_curr). It marks the CPU if so.
func (s *Sched) preempts(t *Task) bool {
	c := &s.cpus[t.cpu]
	switch curr := &s.tasks[c.curr]; {
	case t.class > curr.class:
		if c.needResched {
			return false // told already
		}
		c.needResched = true
		return true
	case t.class < curr.class:
		return false
	case t.class == classFair:
		return s.checkPreemptWakeup(t)
	case t.class == classRT:
		return s.checkPreemptRT(t, curr)
	case t.class == classDeadline:
		return s.checkPreemptDL(t, curr)
	}
	return false
}

// taskDead is the end of a task in its class.
func (s *Sched) taskDead(t *Task) {
	switch t.class {
	case classFair:
		s.removeLoadAvg(t)
	case classDeadline:
		s.dlLeave(t)
	}
}

// taskWoken is task_woken: a queued task of a high class that does not run at
// once may run elsewhere. by is the CPU that woke it.
func (s *Sched) taskWoken(by int32, t *Task) {
	switch t.class {
	case classRT:
		s.taskWokenRT(by, t)
	case classDeadline:
		s.taskWokenDL(by, t)
	}
}

// reschedCurr tells ci to call schedule() as soon as it can (resched_curr). by
// is the CPU that tells it; one that tells itself from an interrupt looks at
// needResched on its way out.
func (s *Sched) reschedCurr(by, ci int32) {
	c := &s.cpus[ci]
	was := c.needResched
	c.needResched = true
	switch {
	case c.curr == none && by == ci:
		s.kickIdle(ci, 0)
	case c.curr == none:
		s.sendIPI(by, ci, 0)
	case by != ci && !was:
		s.sendIPI(by, ci, ipiResched)
	}
}

// classOf is the class of a CPU's current task.
func (s *Sched) classOf(ci int32) class {
	if id := s.cpus[ci].curr; id != none {
		return s.tasks[id].class
	}
	return classIdle
}

// pickNextTask picks the task to run next on ci, or none for the idle task, and
// makes it the current one of its class in place of the one before
// (pick_next_task).
//
// If every runnable task is fair, and the one before was not of a higher class,
// fair is asked at once; what is pulled for a CPU that has nothing may be of a
// higher class, for which the pick begins again (RETRY_TASK). From 3.15 on that
// is newidle balance in fair's pick; 3.10 did it in schedule() before it put the
// task before aside, whenever nothing at all was runnable.
func (s *Sched) pickNextTask(ci int32) TaskID {
	c := &s.cpus[ci]
	prev := c.curr
	if s.classOf(ci) <= classFair && c.nrRunning == s.cfs[ci].hNr {
		next := s.pickNextTaskFair(ci, prev)
		if next == none && s.newidleBalance(ci) && c.nrRunning == s.cfs[ci].hNr {
			next = s.pickNextTaskFair(ci, prev)
		}
		if next != none {
			return next
		}
		if c.nrRunning == s.cfs[ci].hNr {
			s.updateIdleClockPelt(ci)
			if prev != none {
				s.putPrevTask(&s.tasks[prev])
			}
			return none
		}
	}
	return s.pickFromClasses(ci, prev)
}

// pickFromClasses asks all classes from the top down. Before, those up to the
// class of the task before may pull work from other CPUs
// (put_prev_task_balance).
func (s *Sched) pickFromClasses(ci int32, prev TaskID) TaskID {
	c := &s.cpus[ci]
	if prev != none {
		s.balanceClasses(ci, &s.tasks[prev])
	}
	if c.nrRunning == 0 {
		s.newidleBalance(ci) // balance_fair
	}
	// Up to 6.11 the task before goes back to its queue first. From 6.12 on it
	// does only if another one is picked.
	if prev != none && !s.since(6, 12) {
		s.putPrevTask(&s.tasks[prev])
		prev = none
	}
	next, viaFair := s.pickAbove(ci)
	if viaFair {
		had := s.cfs[ci].nrRunning > 0
		next, prev = s.pickAsFair(ci, prev)
		if next == none && had {
			// All fair tasks were asleep, their dequeue delayed: if it was the
			// turn of their server, others are to run.
			next, viaFair = s.pickAbove(ci)
		}
	}
	switch {
	case viaFair:
		if next == none {
			s.updateIdleClockPelt(ci)
			if prev != none {
				s.putPrevTask(&s.tasks[prev])
			}
		}
		return next
	case next == prev:
		return next
	}
	if prev != none {
		s.putPrevTask(&s.tasks[prev])
	}
	s.setNextTask(&s.tasks[next], true)
	return next
}

// pickAbove picks from the classes above fair. fair says that it is fair's turn:
// nothing is above it, or its server is first among the deadlines.
func (s *Sched) pickAbove(ci int32) (next TaskID, fair bool) {
	if next := s.cpus[ci].stopTask; next != none {
		return next, false
	}
	if next, fair := s.pickTaskDL(ci); fair || next != none {
		return next, fair
	}
	if q := &s.rt[ci]; q.queued {
		return q.queue[0], false
	}
	return none, true
}

// pickAsFair is fair's pick with prev the task before, or none if that is back
// on its queue. It returns the task before as well, or none if it put it there.
func (s *Sched) pickAsFair(ci int32, prev TaskID) (next, before TaskID) {
	if prev != none && s.tasks[prev].class != classFair {
		if s.cfs[ci].nrRunning == 0 {
			return none, prev
		}
		s.putPrevTask(&s.tasks[prev])
		prev = none
	}
	return s.pickNextTaskFair(ci, prev), prev
}

// balanceClasses pulls deadline and real-time tasks to a CPU whose task before
// was of such a class and does not go on.
func (s *Sched) balanceClasses(ci int32, prev *Task) {
	if prev.class >= classDeadline && !prev.onRQ {
		s.pullDL(ci)
	}
	if prev.class < classRT || s.cpus[ci].stopTask != none || len(s.dl[ci].queue) > 0 {
		return
	}
	if !(prev.class == classRT && prev.onRQ) && s.rt[ci].highest(s) > prev.prio {
		s.pullRT(ci)
	}
}
