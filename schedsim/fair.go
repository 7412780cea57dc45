package schedsim

// The fair class of kernels up to 6.5: kernel/sched/fair.c.

// Flags of enqueue and dequeue.
const (
	enqWakeup   = 1 << iota // ENQUEUE_WAKEUP / DEQUEUE_SLEEP
	enqMigrated             // ENQUEUE_MIGRATED: woken on another CPU
	enqInitial              // a new task
)

// updateCurr charges the running entity of q for the time since it was last
// charged (update_curr).
func (s *Sched) updateCurr(q *cfsRQ) {
	if q.curr == none {
		return
	}
	se := &s.ents[q.curr]
	delta := s.now - se.execStart
	if delta <= 0 {
		return
	}
	se.execStart = s.now
	se.sumExec += delta
	se.vruntime += calcDeltaFair(delta, &se.load)
	s.updateMinVruntime(q)
	if s.servers > 0 && se.my == none {
		s.serverUpdate(q.cpu, delta)
	}
	if q.runtimeEnabled {
		s.accountCFSRuntime(q, delta)
	}
}

func (s *Sched) updateMinVruntime(q *cfsRQ) {
	v := q.minVruntime
	has := false
	if q.curr != none && s.ents[q.curr].onRQ {
		v, has = s.ents[q.curr].vruntime, true
	}
	if len(q.queue) > 0 {
		if left := q.queue[0].vruntime; !has || left < v {
			v = left
		}
	} else if !has {
		return
	}
	q.minVruntime = max(q.minVruntime, v)
}

// schedSlice is the wall time that se should run before the others have had
// their turn (sched_slice).
func (s *Sched) schedSlice(q *cfsRQ, se int32) int64 {
	e := &s.ents[se]
	nr := int(q.nrRunning)
	if !e.onRQ {
		nr++
	}
	slice := s.k.SchedLatency
	if nr > s.k.SchedNrLatency {
		slice = int64(nr) * s.k.SchedMinGranularity
	}
	for {
		q := &s.cfs[e.cfs]
		load := &q.load
		if !e.onRQ {
			sum := q.load
			sum.add(e.load.weight)
			load = &sum
		}
		slice = calcDelta(slice, e.load.weight, load)
		if e.parent == none {
			return slice
		}
		e = &s.ents[e.parent]
	}
}

// placeEntity sets the vruntime of an entity that joins q: a new one starts a
// slice late, a woken one gets credit for its sleep (place_entity).
func (s *Sched) placeEntity(q *cfsRQ, se int32, initial bool) {
	e := &s.ents[se]
	v := q.minVruntime
	if initial {
		if s.k.StartDebit {
			v += calcDeltaFair(s.schedSlice(q, se), &e.load)
		}
	} else {
		credit := s.k.SchedLatency
		if s.k.GentleFairSleepers {
			credit >>= 1
		}
		v -= credit
	}
	e.vruntime = max(e.vruntime, v)
}

func (s *Sched) enqueueEntity(q *cfsRQ, se int32, flags int) {
	e := &s.ents[se]
	renorm := flags&enqWakeup == 0 || flags&enqMigrated != 0
	curr := q.curr == se
	if renorm && curr {
		e.vruntime += q.minVruntime
	}
	s.updateCurr(q)
	if renorm && !curr {
		e.vruntime += q.minVruntime
	}
	if s.pelt == peltV310 {
		s.enqueueEntityV310(q, se, flags&enqWakeup != 0)
	} else {
		s.updateLoadAvg(q, se, updateTG|doAttach)
	}
	s.updateRunnable(se)
	s.updateCFSGroup(se)
	s.accountEnqueue(q, e)
	if flags&enqWakeup != 0 {
		s.placeEntity(q, se, false)
	}
	if !curr {
		q.insert(se, e.vruntime)
	}
	e.onRQ = true
	if q.nrRunning == 1 {
		s.checkEnqueueThrottle(q)
	}
}

func (s *Sched) dequeueEntity(q *cfsRQ, se int32, flags int) {
	e := &s.ents[se]
	s.updateCurr(q)
	if s.pelt == peltV310 {
		s.dequeueEntityV310(q, se, flags&enqWakeup != 0)
	} else {
		s.updateLoadAvg(q, se, updateTG)
	}
	s.updateRunnable(se)
	s.clearBuddies(q, se)
	if q.curr != se {
		q.remove(se)
	}
	e.onRQ = false
	s.accountDequeue(q, e)
	if flags&enqWakeup == 0 {
		e.vruntime -= q.minVruntime
	}
	s.returnCFSRuntime(q)
	s.updateCFSGroup(se)
	s.updateMinVruntime(q)
}

func (s *Sched) accountEnqueue(q *cfsRQ, e *entity) {
	q.load.add(e.load.weight)
	q.nrRunning++
	if s.pelt == peltV418 {
		q.enqueueRunnable(e)
	}
}

func (s *Sched) accountDequeue(q *cfsRQ, e *entity) {
	q.load.add(-e.load.weight)
	q.nrRunning--
	if s.pelt == peltV418 {
		q.dequeueRunnable(e)
	}
	if q.nrRunning < 0 || q.load.weight < 0 {
		panic("schedsim: negative queue length or load")
	}
}

// enqueueTaskFair puts a task on its CPU's queue, level by level
// (enqueue_task_fair). It counts up to a throttled level.
func (s *Sched) enqueueTaskFair(t *Task, flags int) {
	s.utilEstEnqueue(t)
	t.onRQ = true
	if s.mem != nil {
		s.accountNUMA(t, 1)
	}
	s.cpus[t.cpu].addFair(t.ID)
	se := t.se
	for se != none && !s.ents[se].onRQ {
		q := &s.cfs[s.ents[se].cfs]
		s.enqueueEntity(q, se, flags)
		q.hNr++
		if q.throttled {
			return
		}
		flags = enqWakeup
		se = s.ents[se].parent
	}
	for ; se != none; se = s.ents[se].parent {
		q := &s.cfs[s.ents[se].cfs]
		s.updateLoadAvg(q, se, updateTG)
		s.updateRunnable(se)
		s.updateCFSGroup(se)
		q.hNr++
		if q.throttled {
			return
		}
	}
	s.addNrRunning(t.cpu, 1)
}

// dequeueTaskFair takes a task off its CPU's queue (dequeue_task_fair).
func (s *Sched) dequeueTaskFair(t *Task, flags int) {
	s.utilEstDequeue(t)
	if s.dequeueEntities(t, flags) {
		s.addNrRunning(t.cpu, -1)
	}
	t.onRQ = false
	if s.mem != nil {
		s.accountNUMA(t, -1)
	}
	s.cpus[t.cpu].removeFair(t.ID)
	s.utilEstUpdate(t, flags&enqWakeup != 0)
}

// dequeueEntities takes a task's entities off the queues of all levels. It reports
// whether it came to the root: it ends at a throttled level.
func (s *Sched) dequeueEntities(t *Task, flags int) bool {
	sleep := flags&enqWakeup != 0
	se := t.se
	for se != none {
		q := &s.cfs[s.ents[se].cfs]
		s.dequeueEntity(q, se, flags)
		q.hNr--
		if q.throttled {
			return false
		}
		se = s.ents[se].parent
		if q.load.weight != 0 {
			if sleep && se != none && q.throttleCount == 0 {
				// Bias the pick towards the rest of the group.
				s.setNextBuddy(se)
			}
			break
		}
		flags |= enqWakeup
	}
	for ; se != none; se = s.ents[se].parent {
		q := &s.cfs[s.ents[se].cfs]
		s.updateLoadAvg(q, se, updateTG)
		s.updateRunnable(se)
		s.updateCFSGroup(se)
		q.hNr--
		if q.throttled {
			return false
		}
	}
	return true
}

// addNrRunning changes rq->nr_running and, when a second task appears, marks
// the root domain overloaded.
func (s *Sched) addNrRunning(ci int32, d int32) {
	c := &s.cpus[ci]
	was := c.nrRunning
	c.nrRunning += d
	s.touch(ci)
	if was < 2 && c.nrRunning >= 2 {
		s.accountIdle()
		s.nrOverloaded++
		s.overload = true
	} else if was >= 2 && c.nrRunning < 2 {
		s.accountIdle()
		s.nrOverloaded--
	}
}

// Buddies: hints to the next pick.

// clearBuddies drops the hints of q that point to se, and those above that
// point to the groups that it is in (clear_buddies).
func (s *Sched) clearBuddies(q *cfsRQ, se int32) {
	if q.last == se {
		for up := se; up != none && s.cfs[s.ents[up].cfs].last == up; up = s.ents[up].parent {
			s.cfs[s.ents[up].cfs].last = none
		}
	}
	if q.next == se {
		for up := se; up != none && s.cfs[s.ents[up].cfs].next == up; up = s.ents[up].parent {
			s.cfs[s.ents[up].cfs].next = none
		}
	}
	if q.skip == se {
		for up := se; up != none && s.cfs[s.ents[up].cfs].skip == up; up = s.ents[up].parent {
			s.cfs[s.ents[up].cfs].skip = none
		}
	}
}

func (s *Sched) setNextBuddy(se int32) {
	for ; se != none && s.ents[se].onRQ; se = s.ents[se].parent {
		s.cfs[s.ents[se].cfs].next = se
	}
}

func (s *Sched) setLastBuddy(se int32) {
	for ; se != none && s.ents[se].onRQ; se = s.ents[se].parent {
		s.cfs[s.ents[se].cfs].last = se
	}
}

// wakeupPreemptEntity compares a running and a waiting entity: 1 if the
// latter is owed more than the wakeup granularity, 0 if it is owed less, -1 if
// nothing.
func (s *Sched) wakeupPreemptEntity(curr, se int32) int {
	e := &s.ents[se]
	diff := s.ents[curr].vruntime - e.vruntime
	if diff <= 0 {
		return -1
	}
	if diff > calcDeltaFair(s.k.SchedWakeupGranularity, &e.load) {
		return 1
	}
	return 0
}

// pickNextEntity picks from q, curr being the running entity if it is to
// compete (pick_next_entity as of 5.10: next before last).
func (s *Sched) pickNextEntity(q *cfsRQ, curr int32) int32 {
	left := q.leftmost()
	if left == none || curr != none && s.ents[curr].vruntime < s.ents[left].vruntime {
		left = curr
	}
	se := left
	if q.skip == se {
		second := none
		if se == curr {
			second = q.leftmost()
		} else {
			if len(q.queue) > 1 {
				second = q.queue[1].se
			}
			if second == none || curr != none && s.ents[curr].vruntime < s.ents[second].vruntime {
				second = curr
			}
		}
		if second != none && s.wakeupPreemptEntity(second, left) < 1 {
			se = second
		}
	}
	if q.next != none && s.wakeupPreemptEntity(q.next, left) < 1 {
		se = q.next
	} else if q.last != none && s.wakeupPreemptEntity(q.last, left) < 1 {
		se = q.last
	}
	s.clearBuddies(q, se)
	return se
}

// pickNextTaskFair picks the task to run next on ci and makes it current at
// all levels; none if there is none. prev is the fair task that is current still,
// or none.
func (s *Sched) pickNextTaskFair(ci int32, prev TaskID) TaskID {
	c := &s.cpus[ci]
	q := &s.cfs[ci]
	if q.nrRunning == 0 {
		return none
	}
	se := none
	for {
		curr := q.curr
		if curr != none {
			if s.ents[curr].onRQ {
				s.updateCurr(q)
			} else {
				curr = none
			}
			if s.checkCFSRuntime(q) {
				return s.pickThrottled(ci)
			}
		}
		se = s.pickNextEntity(q, curr)
		if s.ents[se].my == none {
			break
		}
		q = &s.cfs[s.ents[se].my]
	}
	next := s.ents[se].task
	if s.since(4, 15) {
		c.toFront(next) // before, cfs_tasks is in order of enqueue
	}
	if next == prev {
		return next
	}

	// Switch the current entity of each level that differs.
	if prev != none {
		pse := s.tasks[prev].se
		for s.ents[se].cfs != s.ents[pse].cfs {
			// Entities of one CPU: the deeper one has the higher depth.
			if s.depth(pse) >= s.depth(se) {
				s.putPrevEntity(pse)
				pse = s.ents[pse].parent
			} else {
				s.setNextEntity(se)
				se = s.ents[se].parent
			}
		}
		s.putPrevEntity(pse)
		s.setNextEntity(se)
		return next
	}
	for ; se != none; se = s.ents[se].parent {
		s.setNextEntity(se)
	}
	return next
}

func (s *Sched) depth(se int32) int {
	d := 0
	for se = s.ents[se].parent; se != none; se = s.ents[se].parent {
		d++
	}
	return d
}

func (s *Sched) putPrevEntity(se int32) {
	e := &s.ents[se]
	q := &s.cfs[e.cfs]
	if e.onRQ {
		s.updateCurr(q)
	}
	s.checkCFSRuntime(q)
	if e.onRQ {
		q.insert(se, e.vruntime)
		s.updateLoadAvg(q, se, 0)
	}
	q.curr = none
}

func (s *Sched) setNextEntity(se int32) {
	e := &s.ents[se]
	q := &s.cfs[e.cfs]
	if e.onRQ {
		q.remove(se)
		s.updateLoadAvg(q, se, updateTG|onPick)
	}
	e.execStart = s.now
	q.curr = se
	e.prevSumExec = e.sumExec
}

// putPrevTaskFair takes the current task off at all levels (put_prev_task_fair).
func (s *Sched) putPrevTaskFair(t *Task) {
	for se := t.se; se != none; se = s.ents[se].parent {
		s.putPrevEntity(se)
	}
}

// taskTickFair is the tick of the running task: accounting, load tracking,
// shares, and the end of its slice.
func (s *Sched) taskTickFair(ci int32, t *Task) {
	for se := t.se; se != none; se = s.ents[se].parent {
		q := &s.cfs[s.ents[se].cfs]
		s.updateCurr(q)
		s.updateLoadAvg(q, se, updateTG|onTick)
		if s.pelt != peltV310 {
			s.updateCFSGroup(se) // not at the tick before v3.13
		}
		if q.nrRunning > 1 {
			s.checkPreemptTick(ci, q, se)
		}
	}
}

func (s *Sched) checkPreemptTick(ci int32, q *cfsRQ, curr int32) {
	e := &s.ents[curr]
	ideal := s.schedSlice(q, curr)
	ran := e.sumExec - e.prevSumExec
	if ran > ideal {
		s.cpus[ci].needResched = true
		s.clearBuddies(q, curr)
		return
	}
	if ran < s.k.SchedMinGranularity {
		return
	}
	left := q.leftmost()
	if left == none {
		return
	}
	if e.vruntime-s.ents[left].vruntime > ideal {
		s.cpus[ci].needResched = true
	}
}

// checkPreemptWakeup decides whether the woken task t preempts the current one
// of its CPU (check_preempt_wakeup).
func (s *Sched) checkPreemptWakeup(t *Task) bool {
	c := &s.cpus[t.cpu]
	if c.curr == none || c.curr == t.ID || c.needResched || !s.k.WakeupPreemption {
		return false
	}
	switch t.policy {
	case PolicyNormal, PolicyBatch:
		if s.tasks[c.curr].policy == PolicyIdle {
			c.needResched = true
			return true
		}
		if t.policy == PolicyBatch {
			return false
		}
	default:
		return false
	}
	curr := s.tasks[c.curr].se
	if s.cfs[s.ents[t.se].cfs].throttleCount > 0 {
		return false
	}
	scale := int(s.cfs[s.ents[curr].cfs].nrRunning) >= s.k.SchedNrLatency
	// Walk up until both are queued on the same cfs_rq (find_matching_se).
	se, pse := curr, t.se
	for s.ents[se].cfs != s.ents[pse].cfs {
		if s.depth(se) >= s.depth(pse) {
			se = s.ents[se].parent
		} else {
			pse = s.ents[pse].parent
		}
	}
	s.updateCurr(&s.cfs[s.ents[se].cfs])
	if s.wakeupPreemptEntity(se, pse) != 1 {
		return false
	}
	s.setNextBuddy(pse)
	c.needResched = true
	if s.k.LastBuddy && scale && s.ents[se].my == none {
		s.setLastBuddy(se)
	}
	return true
}
