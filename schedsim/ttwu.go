package schedsim

// This file is try_to_wake_up() of kernel/sched/core.c and what follows it.

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
	if s.preempts(t) && t.cpu != by {
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
