package schedsim

// The deadline class: kernel/sched/deadline.c, since 3.14. The earliest absolute
// deadline runs first (EDF), and a constant bandwidth server gives each task its
// runtime once a period (CBS). Runtimes run out at ticks and at switches
// (HRTICK_DL is off).
//
// schedutil's thread is of this class with the flag SUGOV: always first, without
// a deadline or a bandwidth. Since 6.12 each CPU has a server for its fair tasks
// among its deadlines (fairserver.go).
//
// Left out: reclaiming of unused bandwidth (GRUB) and with it the inactive
// timer: a task's bandwidth counts from when it asks for it until it leaves the
// class; priority inheritance.

// dlEntity is struct sched_dl_entity.
type dlEntity struct {
	task TaskID // none for a server
	cpu  int32  // of a server

	// What was asked for (dl_runtime, dl_deadline, dl_period), ns.
	ask struct{ runtime, deadline, period int64 }
	// What is left of it, and until when.
	runtime, deadline int64

	onRQ      bool
	special   bool // SCHED_FLAG_SUGOV
	throttled bool // waits for the timer
	yielded   bool
	// Of a server: it is to wait until fair tasks starve; the timer is set for
	// that time; they starve.
	defer_, armed, running bool

	timer   int64 // when dl_timer fires, 0 for never
	pending int64 // for when the last entry in classTimers is
}

// dlRQ is struct dl_rq.
type dlRQ struct {
	queue     []int32 // entities that are not throttled, by deadline
	pushable  []int32 // of them, tasks that may run elsewhere and do not run
	bandwidth int64   // of its tasks, of capacityScale (cpu_bw_dl)
	avg       schedAvg
}

// dlFirst are the first deadlines of a CPU's tasks; servers do not count.
func (q *dlRQ) earliest(s *Sched) int32 {
	for _, d := range q.queue {
		if s.dls[d].task != none {
			return d
		}
	}
	return none
}

// newDLEntity makes an entity for a task, or returns the one that it had.
func (s *Sched) newDLEntity(t *Task) int32 {
	if t.dl != none {
		return t.dl
	}
	s.dls = append(s.dls, dlEntity{task: t.ID})
	s.otherClasses = true
	return int32(len(s.dls) - 1)
}

// dlSet gives a task its reservation (__setparam_dl); the first deadline is set
// when it is queued.
func (s *Sched) dlSet(t *Task, a *SchedAttr) {
	t.dl = s.newDLEntity(t)
	e := &s.dls[t.dl]
	timer := e.pending
	*e = dlEntity{task: t.ID, pending: timer}
	e.ask.runtime, e.ask.deadline, e.ask.period = a.Runtime, a.Deadline, a.period()
	s.dlTotal += e.density()
}

// dlLeave takes back the reservation of a task that leaves the class.
func (s *Sched) dlLeave(t *Task) {
	s.dlTotal -= s.dls[t.dl].density()
	s.dls[t.dl].timer = 0
}

// density is runtime in a period, of 2^20 (to_ratio).
func (e *dlEntity) density() int64 {
	if e.ask.period == 0 {
		return 0
	}
	return e.ask.runtime << 20 / e.ask.period
}

// dlAdmit is the admission test: all reservations together may take 95 % of the
// CPUs (__dl_overflow). Those of the fair servers count.
func (s *Sched) dlAdmit(t *Task, a *SchedAttr) bool {
	total := s.dlTotal + a.Runtime<<20/a.period()
	if t.class == classDeadline {
		total -= s.dls[t.dl].density()
	}
	const limit = int64(rtRuntime) << 20 / int64(rtPeriod)
	return total <= limit*int64(len(s.online))
}

// dlBefore reports whether entity a goes before b (dl_entity_preempt).
func (s *Sched) dlBefore(a, b int32) bool {
	return s.dls[a].special || s.dls[a].deadline < s.dls[b].deadline && !s.dls[b].special
}

// insertByDeadline puts d behind those with the same deadline.
func (s *Sched) insertByDeadline(list []int32, d int32) []int32 {
	list = append(list, d)
	i := len(list) - 1
	for ; i > 0 && s.dlBefore(d, list[i-1]); i-- {
		list[i] = list[i-1]
	}
	list[i] = d
	return list
}

// queueDL puts an entity on its CPU's queue (__enqueue_dl_entity).
func (s *Sched) queueDL(d int32) {
	e := &s.dls[d]
	ci := s.dlCPU(e)
	q := &s.dl[ci]
	q.queue = s.insertByDeadline(q.queue, d)
	e.onRQ = true
	if e.task == none {
		return
	}
	s.addNrRunning(ci, 1)
	if t := &s.tasks[e.task]; s.cpus[ci].curr != t.ID && s.migratory(t) {
		q.pushable = s.insertByDeadline(q.pushable, d)
	}
}

// unqueueDL takes it off (__dequeue_dl_entity); it need not be there.
func (s *Sched) unqueueDL(d int32) {
	e := &s.dls[d]
	if !e.onRQ {
		return
	}
	ci := s.dlCPU(e)
	q := &s.dl[ci]
	q.queue, q.pushable = without(q.queue, d), without(q.pushable, d)
	e.onRQ = false
	if e.task != none {
		s.addNrRunning(ci, -1)
	}
}

func (s *Sched) dlCPU(e *dlEntity) int32 {
	if e.task == none {
		return e.cpu
	}
	return s.tasks[e.task].cpu
}

// dlNewPeriod starts a period now (replenish_dl_new_period). A server that does
// not serve waits in it until its tasks starve.
func (s *Sched) dlNewPeriod(e *dlEntity) {
	e.deadline, e.runtime = s.now+e.ask.deadline, e.ask.runtime
	if e.defer_ && !e.running {
		e.throttled, e.armed = true, true
	}
}

// dlOverflow reports whether what is left would be more of the time to the
// deadline than was asked for (dl_entity_overflow).
func (s *Sched) dlOverflow(e *dlEntity) bool {
	left := (e.ask.deadline >> dlScale) * (e.runtime >> dlScale)
	right := ((e.deadline - s.now) >> dlScale) * (e.ask.runtime >> dlScale)
	return right < left
}

// dlUpdate is update_dl_entity: an entity that wakes goes on with its deadline if
// it can, and else starts a period. With a deadline before the end of the period
// it gets what is left in the same proportion (the revised wakeup rule, 4.13).
func (s *Sched) dlUpdate(e *dlEntity) {
	switch {
	case e.deadline < s.now || s.dlOverflow(e):
		if e.ask.deadline != e.ask.period && e.deadline >= s.now {
			density := e.ask.runtime << 20 / e.ask.deadline
			e.runtime = density * (e.deadline - s.now) >> 20
			return
		}
		s.dlNewPeriod(e)
	case e.task == none && e.defer_ && !e.running:
		e.armed, e.throttled = true, true
	}
}

// dlReplenish is replenish_dl_entity.
func (s *Sched) dlReplenish(d int32) {
	e := &s.dls[d]
	if e.ask.deadline == 0 || e.armed && s.dlOverflow(e) {
		e.deadline, e.runtime = s.now+e.ask.deadline, e.ask.runtime
	}
	if e.yielded && e.runtime > 0 {
		e.runtime = 0
	}
	for e.runtime <= 0 {
		e.deadline += e.ask.period
		e.runtime += e.ask.runtime
	}
	if e.deadline < s.now {
		s.dlNewPeriod(e)
	}
	e.yielded, e.throttled = false, false
	if e.armed {
		e.armed = false
		return
	}
	if e.defer_ && !e.running && s.now < e.deadline-e.runtime && s.cfs[e.cpu].hNr > 0 {
		e.armed, e.throttled = true, true
		if !s.startDLTimer(d) {
			e.timer = 0
			e.armed, e.throttled = false, false
		}
	}
}

// startDLTimer sets an entity's timer for its next period, or a waiting
// server's for when it has to begin. It reports whether that is to come.
func (s *Sched) startDLTimer(d int32) bool {
	e := &s.dls[d]
	at := e.deadline - e.ask.deadline + e.ask.period
	if e.armed {
		at = e.deadline - e.runtime
	}
	if at < s.now {
		return false
	}
	if e.timer == 0 {
		e.timer = at
		s.armDLTimer(d)
	}
	return true
}

// enqueueDL is enqueue_dl_entity.
func (s *Sched) enqueueDL(d int32, flags int) {
	e := &s.dls[d]
	if e.special {
		s.queueDL(d)
		return
	}
	if !e.throttled && e.ask.deadline != e.ask.period {
		// dl_check_constrained_dl: after the deadline it waits for the period.
		if e.deadline < s.now && s.now < e.deadline-e.ask.deadline+e.ask.period && s.startDLTimer(d) {
			e.throttled = true
			e.runtime = min(e.runtime, 0)
		}
	}
	if !e.defer_ && e.throttled && flags&enqReplenish == 0 {
		return // the timer queues it
	}
	switch {
	case flags&enqReplenish != 0:
		s.dlReplenish(d)
	case flags&enqWakeup != 0 || e.deadline == 0:
		s.dlUpdate(e)
	}
	if e.throttled && s.startDLTimer(d) {
		return
	}
	if e.throttled {
		e.timer = 0
		e.armed, e.throttled = false, false
	}
	s.queueDL(d)
}

func (s *Sched) enqueueTaskDL(t *Task, flags int) {
	t.onRQ = true
	s.dl[t.cpu].bandwidth += s.dls[t.dl].density() >> 10
	s.enqueueDL(t.dl, flags)
	s.cpufreqUpdateUtil(t.cpu)
}

func (s *Sched) dequeueTaskDL(t *Task) {
	s.updateCurrDL(t.cpu)
	s.dl[t.cpu].bandwidth -= s.dls[t.dl].density() >> 10
	s.unqueueDL(t.dl)
	t.onRQ = false
}

func (s *Sched) setNextTaskDL(t *Task, first bool) {
	s.ents[t.se].execStart = s.now
	q := &s.dl[t.cpu]
	q.pushable = without(q.pushable, t.dl)
	if first && s.classOf(t.cpu) != classDeadline {
		s.updateDLAvg(t.cpu, false)
	}
}

func (s *Sched) putPrevTaskDL(t *Task) {
	s.updateCurrDL(t.cpu)
	s.updateDLAvg(t.cpu, true)
	if q := &s.dl[t.cpu]; s.dls[t.dl].onRQ && s.migratory(t) {
		q.pushable = s.insertByDeadline(q.pushable, t.dl)
	}
}

// updateCurrDL charges the running task of ci if it is a queued deadline task
// (update_curr_dl).
func (s *Sched) updateCurrDL(ci int32) {
	id := s.cpus[ci].curr
	if id == none || s.tasks[id].class != classDeadline || !s.dls[s.tasks[id].dl].onRQ {
		return
	}
	t := &s.tasks[id]
	delta := s.updateCurrOther(t)
	if delta > 0 {
		s.chargeOldRTAvg(ci, delta)
	}
	s.chargeDL(ci, t.dl, delta)
	if q := &s.rt[ci]; delta > 0 && s.rtThrottling() && !s.dls[t.dl].special && (s.rtPeriodActive || q.time < q.runtime) {
		q.time += delta
	}
}

// chargeDL is update_curr_dl_se: an entity that has used up its runtime waits
// for its next period, and one that comes back at once goes to the end of the
// line. The runtime is at the highest clock of the CPU.
func (s *Sched) chargeDL(ci, d int32, delta int64) {
	e := &s.dls[d]
	if e.special || delta <= 0 && !e.yielded || e.task == none && e.throttled && !e.defer_ {
		return
	}
	e.runtime -= delta * s.cpus[ci].freqScale >> 10
	if e.defer_ && e.throttled && e.runtime <= 0 {
		// Fair tasks had the time of the server without it: the wait starts anew.
		e.running = false
		e.timer = 0
		s.dlNewPeriod(e)
		s.startDLTimer(d)
		return
	}
	if e.runtime > 0 && !e.yielded {
		return
	}
	e.throttled = true
	s.unqueueDL(d)
	if !s.startDLTimer(d) {
		s.enqueueDL(d, enqReplenish)
	}
	if q := &s.dl[ci]; len(q.queue) == 0 || q.queue[0] != d {
		s.reschedCurr(s.smp, ci)
	}
}

func (s *Sched) taskTickDL(ci int32, t *Task) {
	s.updateCurrDL(ci)
	s.updateDLAvg(ci, true)
}

// yieldTaskDL gives up what is left of the period (yield_task_dl).
func (s *Sched) yieldTaskDL(t *Task) {
	s.dls[t.dl].yielded = true
	s.updateCurrDL(t.cpu)
}

// checkPreemptDL marks the CPU if the woken task's deadline is the earlier one.
// Two tasks with one deadline are left as they are.
func (s *Sched) checkPreemptDL(t, curr *Task) bool {
	c := &s.cpus[t.cpu]
	if c.needResched || !s.dls[t.dl].onRQ || !s.dlBefore(t.dl, curr.dl) {
		return false
	}
	c.needResched = true
	return true
}

// pickTaskDL returns the task with the earliest deadline. fair says that it is
// the fair server's turn instead; a server without tasks gives up its runtime.
func (s *Sched) pickTaskDL(ci int32) (next TaskID, fair bool) {
	q := &s.dl[ci]
	for len(q.queue) > 0 {
		e := &s.dls[q.queue[0]]
		if e.task != none {
			return e.task, false
		}
		if s.cfs[ci].hNr > 0 {
			return none, true
		}
		e.yielded = true
		s.chargeDL(ci, q.queue[0], 0)
	}
	return none, false
}

// armDLTimer makes sure that classTimers has an entry for an entity's timer. A
// timer that is set later than its entry is set anew when that comes; so there
// is about one entry for each entity however often it is set.
func (s *Sched) armDLTimer(d int32) {
	e := &s.dls[d]
	if e.pending != 0 && e.pending <= e.timer {
		return
	}
	e.pending = e.timer
	s.classTimers.push(e.timer, d)
	s.armClassTimers()
}

// rtPeriodTimer is the entry of the real-time period in classTimers.
const rtPeriodTimer = none

func (s *Sched) armClassTimers() {
	if h := s.classTimers.heap; len(h) == 0 {
		s.q.clear(s.classSlot)
	} else {
		s.q.set(s.classSlot, h[0].at)
	}
}

// classTimerEvent fires the timers of deadline entities and of real-time
// throttling that are due.
func (s *Sched) classTimerEvent() {
	for len(s.classTimers.heap) > 0 && s.classTimers.heap[0].at <= s.now {
		t := s.classTimers.pop()
		if t.task == rtPeriodTimer {
			s.rtPeriodEvent(t.at)
			continue
		}
		e := &s.dls[t.task]
		if e.pending != t.at {
			continue // overtaken by an earlier one
		}
		e.pending = 0
		switch {
		case e.timer == 0:
		case e.timer > s.now:
			s.armDLTimer(t.task)
		default:
			e.timer = 0
			s.dlTimer(t.task)
		}
	}
	s.armClassTimers()
}

// dlTimer is dl_task_timer: the next period begins.
func (s *Sched) dlTimer(d int32) {
	e := &s.dls[d]
	if e.task == none {
		s.serverTimer(d)
		return
	}
	t := &s.tasks[e.task]
	if t.class != classDeadline || !e.throttled {
		return
	}
	if !t.onRQ {
		s.dlReplenish(d)
		return
	}
	ci := t.cpu
	s.smp = ci
	s.steal(ci, s.cost.IRQ)
	s.enqueueDL(d, enqReplenish)
	if e.onRQ {
		if c := &s.cpus[ci]; c.curr == none || s.tasks[c.curr].class != classDeadline || s.dlBefore(d, s.tasks[c.curr].dl) {
			s.reschedCurr(ci, ci)
		}
		s.pushDLTask(ci, ci)
	}
	s.preemptIfNeeded(ci)
}
