package schedsim

// The real-time class: kernel/sched/rt.c, without task groups
// (CONFIG_RT_GROUP_SCHED is off in the distributions' kernels) and priority
// inheritance.
//
// What versions differ in: throttling and who may borrow time (rt_throttle.go),
// how tasks are pulled (rt_push.go), and how the time that is gone is told to
// the fair class (rt_capacity.go).

// rtRQ is struct rt_rq. One list sorted by priority stands for the hundred
// lists and their bitmap: runqueues hold few real-time tasks.
type rtRQ struct {
	// queue has the runnable tasks, the current one included, the most urgent
	// first and in order of arrival within a priority.
	queue []TaskID
	// pushable has those that may run elsewhere and do not run.
	pushable  []TaskID
	migratory int32 // of queue, those that may run elsewhere
	queued    bool  // rt_queued: it has tasks and is not throttled
	counted   int32 // how much of nr_running is its

	throttled     bool
	time, runtime int64 // of this period, ns
	last          int32 // distribute_cpu_mask_prev

	avg schedAvg // avg_rt, since 4.19
	// rt_avg and its age stamp, before: halved every half a second.
	old, oldStamp int64
}

func (q *rtRQ) empty() bool { return len(q.queue) == 0 }

// highest is highest_prio.curr: the priority of the most urgent task.
func (q *rtRQ) highest(s *Sched) int16 {
	if len(q.queue) == 0 {
		return maxRTPrio
	}
	return s.tasks[q.queue[0]].prio
}

// next is highest_prio.next: the priority of the most urgent pushable task.
func (q *rtRQ) next(s *Sched) int16 {
	if len(q.pushable) == 0 {
		return maxRTPrio
	}
	return s.tasks[q.pushable[0]].prio
}

// rrTimesliceMS is RR_TIMESLICE.
const rrTimesliceMS = 100

// rrTimeslice is the quantum of SCHED_RR in ticks.
func (s *Sched) rrTimeslice() int32 { return int32(rrTimesliceMS * s.k.HZ / 1000) }

// insertByPrio puts t behind its equals, or before them.
func (s *Sched) insertByPrio(list []TaskID, t *Task, head bool) []TaskID {
	list = append(list, t.ID)
	i := len(list) - 1
	for ; i > 0; i-- {
		if p := s.tasks[list[i-1]].prio; p < t.prio || p == t.prio && !head {
			break
		}
		list[i] = list[i-1]
	}
	list[i] = t.ID
	return list
}

// without takes a task off a list; it need not be there.
func without(list []TaskID, id TaskID) []TaskID {
	for i, v := range list {
		if v == id {
			copy(list[i:], list[i+1:])
			return list[:len(list)-1]
		}
	}
	return list
}

// migratory reports whether a task may run on more than one CPU.
func (s *Sched) migratory(t *Task) bool { return len(s.online) > 1 && t.allowed.only() < 0 }

func (s *Sched) enqueueTaskRT(t *Task, flags int) {
	q := &s.rt[t.cpu]
	q.queue = s.insertByPrio(q.queue, t, flags&enqHead != 0)
	t.onRQ = true
	if s.migratory(t) {
		q.migratory++
		if s.cpus[t.cpu].curr != t.ID {
			q.pushable = s.insertByPrio(q.pushable, t, false)
		}
	}
	s.otherClasses = true
	s.startRTBandwidth()
	s.countRT(t.cpu)
	s.updateOverload(t.cpu)
	s.cpufreqUpdateUtil(t.cpu)
}

func (s *Sched) dequeueTaskRT(t *Task) {
	q := &s.rt[t.cpu]
	s.updateCurrRT(t.cpu)
	q.queue = without(q.queue, t.ID)
	q.pushable = without(q.pushable, t.ID)
	if s.migratory(t) {
		q.migratory--
	}
	t.onRQ = false
	s.countRT(t.cpu)
	s.updateOverload(t.cpu)
}

// countRT makes nr_running count the real-time tasks of ci (enqueue_top_rt_rq,
// dequeue_top_rt_rq). Throttled ones do not count; in 3.10 they did.
func (s *Sched) countRT(ci int32) {
	q := &s.rt[ci]
	q.queued = len(q.queue) > 0 && !q.throttled
	n := int32(0)
	if q.queued || !s.since(3, 17) {
		n = int32(len(q.queue))
	}
	if d := n - q.counted; d != 0 {
		q.counted = n
		s.addNrRunning(ci, d)
	}
}

// requeueTaskRT puts a task behind its equals, or before them.
func (s *Sched) requeueTaskRT(t *Task, head bool) {
	q := &s.rt[t.cpu]
	q.queue = s.insertByPrio(without(q.queue, t.ID), t, head)
}

func (s *Sched) setNextTaskRT(t *Task, first bool) {
	q := &s.rt[t.cpu]
	s.ents[t.se].execStart = s.now
	q.pushable = without(q.pushable, t.ID)
	s.updateOverload(t.cpu)
	if first && s.classOf(t.cpu) != classRT {
		s.updateRTAvg(t.cpu, false)
	}
}

func (s *Sched) putPrevTaskRT(t *Task) {
	s.updateCurrRT(t.cpu)
	s.updateRTAvg(t.cpu, true)
	if t.onRQ && s.migratory(t) {
		q := &s.rt[t.cpu]
		q.pushable = s.insertByPrio(q.pushable, t, false)
		s.updateOverload(t.cpu)
	}
}

// updateCurrRT charges the running task of ci if it is a real-time one, and
// its CPU's time of this period (update_curr_rt).
func (s *Sched) updateCurrRT(ci int32) {
	id := s.cpus[ci].curr
	if id == none || s.tasks[id].class != classRT {
		return
	}
	if delta := s.updateCurrOther(&s.tasks[id]); delta > 0 {
		s.chargeOldRTAvg(ci, delta)
		s.chargeRT(ci, delta)
	}
}

// taskTickRT ends the turn of a SCHED_RR task when its quantum is over and an
// equal waits.
func (s *Sched) taskTickRT(ci int32, t *Task) {
	s.updateCurrRT(ci)
	s.updateRTAvg(ci, true)
	if t.policy != PolicyRR {
		return
	}
	t.timeSlice--
	if t.timeSlice > 0 {
		return
	}
	t.timeSlice = s.rrTimeslice()
	equals := 0
	for _, id := range s.rt[ci].queue {
		if s.tasks[id].prio == t.prio {
			equals++
		}
	}
	if equals > 1 {
		s.requeueTaskRT(t, false)
		s.cpus[ci].needResched = true
	}
}

// checkPreemptRT decides between two real-time tasks of a CPU, and marks it if
// the woken one is to run (check_preempt_curr_rt). Of two equals the running one
// goes on, unless it can run elsewhere and the other cannot.
func (s *Sched) checkPreemptRT(t, curr *Task) bool {
	c := &s.cpus[t.cpu]
	switch {
	case c.needResched:
		return false
	case t.prio < curr.prio:
	case t.prio > curr.prio || !s.migratory(curr) || !s.cpupriFind(curr),
		s.migratory(t) && s.cpupriFind(t):
		return false
	default: // check_preempt_equal_prio
		s.requeueTaskRT(t, true)
	}
	c.needResched = true
	return true
}
