package schedsim

// This file is try_to_wake_up() of kernel/sched/core.c and what follows it.

// tryToWakeUp starts the wakeup of t by ci: choosing a CPU, which takes time.
//
// A task that is still being switched out on another CPU is handed to that CPU
// (since 5.8), or waited for; then comes the search.
func (s *Sched) tryToWakeUp(ci int32, t *Task, sync bool) {
	c := &s.cpus[ci]
	t.state = taskWaking
	s.taskWaking(t)
	c.wakee = t.ID
	c.wakeScanned = false
	c.wakeOnCPU = false
	c.wakeQueue = false
	c.wakeSync = sync

	if s.ents[t.se].delayed {
		c.wakeDelayed = true
		c.wakeCPU = t.cpu
		s.beginEnqueue(ci)
		return
	}
	if t.switchedOut > s.now && t.cpu != ci {
		// p->on_cpu: it is off the queue but still being switched out.
		if s.since(5, 8) && s.ttwuQueueCond(ci, t, t.cpu, true) {
			c.wakeCPU = t.cpu
			c.wakeOnCPU = true
			c.wakeQueue = true
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

// ttwuQueueCond is ttwu_queue_cond: whether a wakeup is handed over to target
// through its wake list, for it to do the rest itself. onCPU is WF_ON_CPU.
//
//   - All versions: if target does not share the waker's cache.
//   - 5.8 to 5.18: also for a task that is being switched out, on a CPU that has no
//     more to do than one other task.
//   - Since 6.0: also if target has nothing else to run, be it idle or switching
//     out the task.
func (s *Sched) ttwuQueueCond(ci int32, t *Task, target int32, onCPU bool) bool {
	if !s.k.TTWUQueue || target == ci || !t.Allowed(int(target)) {
		return false
	}
	d := &s.cpus[target]
	switch {
	case d.llc != s.cpus[ci].llc:
		return true
	case s.since(6, 0):
		return d.nrRunning == 0
	}
	return onCPU && d.nrRunning <= 1
}

// ttwuPending is sched_ttwu_pending: ci finishes the wakeups that were handed over
// to it. Until 5.7 the list gives the newest first.
func (s *Sched) ttwuPending(ci int32) {
	c := &s.cpus[ci]
	list := c.wakeList
	c.wakeList = c.wakeList[:0]
	s.touch(ci)
	for i := range list {
		id := list[i]
		if !s.since(5, 8) {
			id = list[len(list)-1-i]
		}
		c.owedWork += s.cost.TTWU / 2
		s.activate(ci, &s.tasks[id])
	}
}

// selectCPU is select_task_rq; with a shadow kernel it also asks that one,
// without acting on the answer.
func (s *Sched) selectCPU(ci int32, t *Task, sync bool) int {
	s.at(ci)
	if cpu := t.allowed.only(); cpu >= 0 {
		return cpu // nr_cpus_allowed == 1: nothing to choose
	}
	var cpu int
	switch {
	case t.class == classRT:
		cpu = int(s.selectTaskRQRT(t))
	case t.class == classDeadline:
		cpu = int(s.selectTaskRQDL(t))
	case s.shadow.whole:
		cpu = s.selectWhole(t, sync)
	default:
		cpu = s.k.SelectTaskRQFair(s, t, s.prevCPU(t), sync)
	}
	if !t.Allowed(cpu) {
		return s.selectFallbackRQ(t)
	}
	return cpu
}

// prevCPU is the CPU that a wakeup takes for the previous one.
func (s *Sched) prevCPU(t *Task) int {
	if s.since(3, 12) {
		return int(t.wakeCPU)
	}
	return int(t.cpu)
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
		if w := s.k.SelectTaskRQFair(s, t, s.prevCPU(t), c.wakeSync); t.Allowed(w) {
			c.wakeCPU = int32(w)
		}
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
	target := c.wakeCPU
	c.wakeQueue = s.ttwuQueueCond(ci, &s.tasks[c.wakee], target, false)
	switch {
	case target == ci:
	case s.cpus[target].llc != c.llc:
		work += s.cost.TTWURemoteLLC
	case c.wakeQueue:
		// The queue's lines stay where they are.
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
	if c.wakeDelayed {
		c.wakeDelayed = false
		if !s.ttwuRunnable(ci, t) {
			// It was dequeued before the runqueue was locked.
			s.tryToWakeUp(ci, t, c.wakeSync)
			return
		}
		s.wokeUp(ci)
		return
	}
	s.countWakeup(t, target)
	if t.cpu != target {
		s.setTaskCPU(t, target)
		t.migrated = true // ENQUEUE_MIGRATED
	}
	s.trace.record(s.now, TraceWakeup, t.ID, target)

	d := &s.cpus[target]
	if c.wakeQueue {
		d.wakeList = append(d.wakeList, t.ID)
		s.touch(target)
		s.sendIPI(ci, target, ipiWakeList)
	} else {
		s.activate(ci, t)
	}
	s.wokeUp(ci)
}

// wokeUp is the end of a wakeup on the CPU that did it.
func (s *Sched) wokeUp(ci int32) {
	c := &s.cpus[ci]
	c.owedWork += s.cost.TTWU - s.cost.TTWU/2
	if w := s.tasks[c.curr].nextWaiter; w != none {
		s.wakeNext(ci, w)
		return
	}
	if c.needResched && (s.spin == nil || !s.wakesMore(ci)) {
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
	} else if s.wakesRelative() {
		flags |= enqMigrated // ENQUEUE_WAKING
	}
	t.state = taskRunning
	s.enqueueTask(t, flags)
	s.checkPreemptCurr(by, t)
	s.taskWoken(by, t)

	d := &s.cpus[t.cpu]
	if d.idleStamp != 0 {
		s.updateAvgIdle(d, s.now-d.idleStamp)
		d.idleStamp = 0
	}
}

// updateAvgIdle takes the idle time that a wakeup ends into the average by which
// searches and newidle balance are limited. In 3.10 an interval of more than two
// migration costs is taken for the average itself; later it counts as one sample,
// and the result is capped. Until 5.7 the average moves by a shift.
func (s *Sched) updateAvgIdle(c *cpu, idle int64) {
	limit := 2 * c.maxIdleBalanceCost
	if !s.since(3, 11) {
		limit = 2 * s.k.SchedMigrationCost
		if idle > limit {
			c.avgIdle = limit
			return
		}
	}
	if s.since(5, 8) {
		updateAvg(&c.avgIdle, idle)
	} else {
		c.avgIdle += (idle - c.avgIdle) >> 3
	}
	c.avgIdle = min(c.avgIdle, limit)
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

// taskWaking makes the vruntime of a task relative that is about to wake
// (task_waking_fair, before 4.8).
func (s *Sched) taskWaking(t *Task) {
	if s.wakesRelative() && t.class == classFair {
		e := &s.ents[t.se]
		e.vruntime -= s.cfs[e.cfs].minVruntime
	}
}

// setTaskCPU moves a task that is off the queue (set_task_cpu with
// migrate_task_rq_fair): its vruntime becomes relative, its load stays behind.
func (s *Sched) setTaskCPU(t *Task, target int32) {
	e := &s.ents[t.se]
	if t.cpu != target {
		s.count.Migrations++
		if s.cpus[t.cpu].socket != s.cpus[target].socket {
			s.count.MigrationsRemote++
		}
	}
	if t.class != classFair {
		s.setOtherCPU(t, target)
		return
	}
	if t.state == taskWaking && !e.delayed {
		if !s.eevdf && !s.wakesRelative() {
			e.vruntime -= s.cfs[e.cfs].minVruntime
		}
		s.removeLoadAvg(t)
	} else {
		s.detachEntity(t)
	}
	e.avg.lastUpdate = 0
	e.execStart = 0
	if s.mem != nil {
		s.numaMigrateTaskRQ(t, target)
	}
	s.setTaskRQ(t, target)
}

func (s *Sched) setTaskRQ(t *Task, target int32) {
	e := &s.ents[t.se]
	t.cpu, t.wakeCPU = target, target
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
