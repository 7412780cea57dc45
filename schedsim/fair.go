package schedsim

// The fair class of kernel/sched/fair.c: the walks over the hierarchy of task
// groups, which are the same for both policies. What an entity is owed is up to
// CFS (until 6.5, cfs.go) or EEVDF (since 6.6, eevdf.go).

// Flags of enqueue and dequeue.
const (
	enqWakeup   = 1 << iota // ENQUEUE_WAKEUP / DEQUEUE_SLEEP
	enqMigrated             // ENQUEUE_MIGRATED: woken on another CPU
	enqInitial              // a new task
	enqDelayed              // ENQUEUE_DELAYED / DEQUEUE_DELAYED
	deqSpecial              // DEQUEUE_SPECIAL: the task will not be woken
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
	se.vruntime += s.calcDeltaFair(delta, &se.load)
	used := false
	if s.eevdf {
		used = s.updateDeadline(se)
		s.updateMinVruntimeEEVDF(q)
	} else {
		s.updateMinVruntime(q)
	}
	if s.servers > 0 && se.my == none {
		s.serverUpdate(q.cpu, delta)
	}
	if q.runtimeEnabled {
		s.accountCFSRuntime(q, delta)
	}
	if s.eevdf {
		s.makeRoom(q, se, used)
	}
}

func (s *Sched) enqueueEntity(q *cfsRQ, se int32, flags int) {
	e := &s.ents[se]
	curr := q.curr == se
	renorm := !s.eevdf && (flags&enqWakeup == 0 || flags&enqMigrated != 0)
	early := curr || s.wakesRelative()
	switch {
	case s.eevdf && curr:
		s.placeEEVDF(q, se, flags)
	case renorm && early:
		e.vruntime += q.minVruntime
	}
	s.updateCurr(q)
	if renorm && !early {
		e.vruntime += q.minVruntime
	}
	if s.pelt == peltV310 {
		s.enqueueEntityV310(q, se, flags&enqWakeup != 0)
	} else {
		s.updateLoadAvg(q, se, updateTG|doAttach)
	}
	s.updateRunnable(se)
	s.updateCFSGroup(se)
	if s.eevdf && !curr {
		s.placeEEVDF(q, se, flags)
	}
	s.accountEnqueue(q, e)
	if !s.eevdf && flags&enqWakeup != 0 {
		s.placeEntity(q, se, false)
	}
	if !curr {
		s.insert(q, se)
	}
	e.onRQ = true
	if q.nrRunning == 1 {
		s.checkEnqueueThrottle(q)
	}
}

// dequeueEntity takes an entity off its queue. With EEVDF it may have to stay
// for the time being; it reports whether it is off.
func (s *Sched) dequeueEntity(q *cfsRQ, se int32, flags int) bool {
	e := &s.ents[se]
	s.updateCurr(q)
	if s.eevdf && s.delayDequeue(q, se, flags) {
		return false
	}
	if s.pelt == peltV310 {
		s.dequeueEntityV310(q, se, flags&enqWakeup != 0)
	} else {
		s.updateLoadAvg(q, se, updateTG)
	}
	s.updateRunnable(se)
	if s.eevdf {
		s.leaveEEVDF(q, e, flags)
	} else {
		s.clearBuddies(q, se)
	}
	if q.curr != se {
		s.remove(q, se)
	}
	e.onRQ = false
	s.accountDequeue(q, e)
	if !s.eevdf && flags&enqWakeup == 0 {
		e.vruntime -= q.minVruntime
	}
	s.returnCFSRuntime(q)
	s.updateCFSGroup(se)
	switch {
	case s.eevdf:
		s.updateMinVruntimeEEVDF(q)
		if flags&enqDelayed != 0 {
			s.finishDelayed(e)
		}
	case !s.minStaysBehind():
		s.updateMinVruntime(q)
	}
	return true
}

// insert and remove put an entity that does not run into its queue's order and
// take it out (__enqueue_entity, __dequeue_entity).

func (s *Sched) insert(q *cfsRQ, se int32) {
	if s.eevdf {
		s.insertTimeline(q, se)
		return
	}
	q.insert(se, s.ents[se].vruntime)
}

func (s *Sched) remove(q *cfsRQ, se int32) {
	if s.eevdf {
		s.removeTimeline(q, se)
		return
	}
	q.remove(se)
}

func (s *Sched) accountEnqueue(q *cfsRQ, e *entity) {
	q.load.add(e.load.weight)
	q.nrRunning++
	if e.customSlice {
		q.customSlices++
	}
	if s.pelt == peltV418 {
		q.enqueueRunnable(e)
	}
}

func (s *Sched) accountDequeue(q *cfsRQ, e *entity) {
	q.load.add(-e.load.weight)
	q.nrRunning--
	if e.customSlice {
		q.customSlices--
	}
	if s.pelt == peltV418 {
		q.dequeueRunnable(e)
	}
	if q.nrRunning < 0 || q.load.weight < 0 {
		panic("schedsim: negative queue length or load")
	}
}

// enqueueTaskFair puts a task on its CPU's queue, level by level
// (enqueue_task_fair). With enqDelayed the task never left the queue. It counts
// up to a throttled level.
func (s *Sched) enqueueTaskFair(t *Task, flags int) {
	se := t.se
	if !s.ents[se].delayed || flags&enqDelayed != 0 {
		s.utilEstEnqueue(t)
	}
	if flags&enqDelayed != 0 {
		s.requeueDelayed(se)
		return
	}
	t.onRQ = true
	if s.mem != nil {
		s.accountNUMA(t, 1)
	}
	s.cpus[t.cpu].addFair(t.ID)
	if t.policy == PolicyIdle {
		s.cpus[t.cpu].idleHNr++
	}
	slice := int64(0)
	for ; se != none; se = s.ents[se].parent {
		e := &s.ents[se]
		if e.onRQ {
			if e.delayed {
				s.requeueDelayed(se)
			}
			break
		}
		if slice != 0 {
			e.slice, e.customSlice = slice, true
		}
		q := &s.cfs[e.cfs]
		s.enqueueEntity(q, se, flags)
		slice = s.minSlice(q)
		q.hNr++
		if q.throttled {
			return
		}
		flags = enqWakeup
	}
	for ; se != none; se = s.ents[se].parent {
		q := &s.cfs[s.ents[se].cfs]
		s.updateLoadAvg(q, se, updateTG)
		s.updateRunnable(se)
		s.updateCFSGroup(se)
		if s.groupSlices {
			s.ents[se].slice = slice
			slice = s.minSlice(q)
		}
		q.hNr++
		if q.throttled {
			return
		}
	}
	s.addNrRunning(t.cpu, 1)
}

// dequeueTaskFair takes a task off its CPU's queue (dequeue_task_fair). One
// that goes to sleep and is not eligible stays there for the time being.
func (s *Sched) dequeueTaskFair(t *Task, flags int) {
	sleep := flags&enqWakeup != 0
	if !s.ents[t.se].delayed {
		s.utilEstDequeue(t)
	}
	if t.state == taskDead {
		flags |= deqSpecial
	}
	early := s.since(6, 12)
	if early {
		s.utilEstUpdate(t, sleep)
	}
	s.dequeueEntities(t.se, flags)
	if !early {
		s.utilEstUpdate(t, sleep)
	}
}

// dequeueEntities takes an entity off its queue, and those of the groups above
// that get empty by it (dequeue_entities; before 6.12 the body of
// dequeue_task_fair). Nothing else happens if the entity is a task and has to
// stay. It counts up to a throttled level.
func (s *Sched) dequeueEntities(se int32, flags int) {
	task := s.ents[se].task
	ci := s.cfs[s.ents[se].cfs].cpu
	c := &s.cpus[ci]
	had, idle := s.cfs[ci].hNr, c.idleHNr
	if !s.dequeueLevels(se, flags) || task == none {
		return
	}
	t := &s.tasks[task]
	t.onRQ = false
	if s.mem != nil {
		s.accountNUMA(t, -1)
	}
	c.removeFair(task)
	if t.policy == PolicyIdle {
		c.idleHNr--
	}
	s.serverStartStop(ci, had)
	s.balanceSchedIdle(ci, idle)
}

// dequeueLevels reports whether the entity is off its own queue.
func (s *Sched) dequeueLevels(se int32, flags int) bool {
	sleep := flags&enqWakeup != 0
	first := &s.ents[se]
	ci := s.cfs[first.cfs].cpu
	nr, slice := int32(0), int64(0)
	if first.task != none {
		nr = 1
	} else {
		slice = s.minSlice(&s.cfs[first.my])
	}
	for se != none {
		e := &s.ents[se]
		q := &s.cfs[e.cfs]
		if !s.dequeueEntity(q, se, flags) {
			if e == first && nr == 1 {
				return false
			}
			break
		}
		q.hNr -= nr
		if q.throttled {
			return true
		}
		se = e.parent
		if q.load.weight != 0 {
			slice = s.minSlice(q)
			if sleep && se != none && q.throttleCount == 0 && !s.eevdf {
				// Bias the pick towards the rest of the group.
				s.setNextBuddy(se)
			}
			break
		}
		flags = (flags | enqWakeup) &^ (enqDelayed | deqSpecial)
	}
	for ; se != none; se = s.ents[se].parent {
		q := &s.cfs[s.ents[se].cfs]
		s.updateLoadAvg(q, se, updateTG)
		s.updateRunnable(se)
		s.updateCFSGroup(se)
		if s.groupSlices {
			s.ents[se].slice = slice
			slice = s.minSlice(q)
		}
		q.hNr -= nr
		if q.throttled {
			return true
		}
	}
	s.addNrRunning(ci, -nr)
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

// pickNextTaskFair picks the task to run next on ci and makes it current at
// all levels; none if there is none. prev is the fair task that is current still,
// or none.
func (s *Sched) pickNextTaskFair(ci int32, prev TaskID) TaskID {
	c := &s.cpus[ci]
	asked := c.shadowResched
	c.shadowResched = false
	if s.cfs[ci].nrRunning == 0 {
		return none
	}
	if s.putsPrevFirst() && prev != none {
		s.putPrevTaskFair(&s.tasks[prev])
	}
	se := s.pickTaskFair(ci, prev)
	if se == none {
		return none
	}
	next := s.ents[se].task
	if s.shadow.updateCurr {
		c.shadowResched = asked // not what the pick itself asked for
		s.shadowPick(c, next)
	}
	if s.since(4, 15) {
		c.toFront(next) // before, cfs_tasks is in order of enqueue
	}
	running := prev != none && s.isCurrent(&s.tasks[prev])
	if running && next == prev {
		return next
	}

	// Switch the current entity of each level that differs.
	if running {
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
	if prev != none {
		s.setNextDown(se)
		return next
	}
	for ; se != none; se = s.ents[se].parent {
		s.setNextEntity(se)
	}
	return next
}

// pickTaskFair walks down to the entity of the task to run next
// (pick_task_fair). With EEVDF it finishes the dequeue of those that it meets
// on the way, and may be left with none; so it may when it finds the group of
// the current task out of its quota.
func (s *Sched) pickTaskFair(ci int32, prev TaskID) int32 {
	root := &s.cfs[ci]
	q := root
	for root.nrRunning > 0 {
		if q.curr != none && s.ents[q.curr].onRQ {
			s.updateCurr(q)
		}
		if (s.eevdf || q.curr != none) && s.checkCFSRuntime(q) {
			if !s.eevdf && root.nrRunning > 0 {
				// The simple path: the current task is put first, then there
				// is nothing to compare with. With nothing left it is put later.
				s.putPrevTaskFair(&s.tasks[prev])
			}
			q = root
			continue
		}
		se := none
		if s.eevdf {
			se = s.pickEEVDF(q)
			if s.ents[se].delayed {
				s.dequeueEntities(se, enqWakeup|enqDelayed)
				q = root
				continue
			}
		} else {
			curr := q.curr
			if curr != none && !s.ents[curr].onRQ {
				curr = none
			}
			se = s.pickNextCFS(q, curr)
		}
		if s.ents[se].my == none {
			return se
		}
		q = &s.cfs[s.ents[se].my]
	}
	return none
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
		s.insert(q, se)
		s.updateLoadAvg(q, se, 0)
	}
	q.curr = none
}

func (s *Sched) setNextEntity(se int32) {
	e := &s.ents[se]
	q := &s.cfs[e.cfs]
	if !s.eevdf && !s.picksClear() {
		s.clearBuddies(q, se)
	}
	if e.onRQ {
		s.remove(q, se)
		s.updateLoadAvg(q, se, updateTG|onPick)
		if s.eevdf {
			e.vlag = e.deadline // protected up to there, see RunToParity
		}
	}
	e.execStart = s.now
	q.curr = se
	e.prevSumExec = e.sumExec
}

// setNextDown makes an entity and those above current, from the root down.
func (s *Sched) setNextDown(se int32) {
	if up := s.ents[se].parent; up != none {
		s.setNextDown(up)
	}
	s.setNextEntity(se)
}

// isCurrent reports whether a task that runs was not put yet.
func (s *Sched) isCurrent(t *Task) bool { return s.cfs[s.ents[t.se].cfs].curr == t.se }

// putPrevTaskFair takes the current task off at all levels (put_prev_task_fair),
// unless the pick did so already.
func (s *Sched) putPrevTaskFair(t *Task) {
	if !s.isCurrent(t) {
		return
	}
	for se := t.se; se != none; se = s.ents[se].parent {
		s.putPrevEntity(se)
	}
}

// taskTickFair is the tick of the running task: accounting, load tracking,
// shares, and with CFS the end of its slice. With EEVDF the accounting sees to
// that.
func (s *Sched) taskTickFair(ci int32, t *Task) {
	for se := t.se; se != none; se = s.ents[se].parent {
		q := &s.cfs[s.ents[se].cfs]
		s.updateCurr(q)
		s.updateLoadAvg(q, se, updateTG|onTick)
		if s.pelt != peltV310 {
			s.updateCFSGroup(se) // not at the tick before v3.13
		}
		if !s.eevdf && q.nrRunning > 1 {
			s.checkPreemptTick(ci, q, se)
		}
	}
}

// taskForkFair places the child of the current task beside its parent, as far
// as the version does so before the child's CPU is known (task_fork_fair).
func (s *Sched) taskForkFair(parent, child *Task) {
	p, e := &s.ents[parent.se], &s.ents[child.se]
	q := &s.cfs[p.cfs]
	if s.eevdf {
		e.slice, e.customSlice = p.slice, p.customSlice
		if !s.since(6, 12) {
			// It is placed as well, and again where it is enqueued.
			s.updateCurr(q)
		}
		return
	}
	s.updateCurr(q)
	e.vruntime = p.vruntime
	s.placeEntity(q, child.se, true)
	e.vruntime -= q.minVruntime
}

// findMatchingSE walks up from two entities until both are queued on the same
// cfs_rq (find_matching_se).
func (s *Sched) findMatchingSE(se, pse int32) (int32, int32) {
	for s.ents[se].cfs != s.ents[pse].cfs {
		if s.depth(se) >= s.depth(pse) {
			se = s.ents[se].parent
		} else {
			pse = s.ents[pse].parent
		}
	}
	return se, pse
}

// checkPreemptWakeup decides whether the woken task t preempts the current one
// of its CPU (check_preempt_wakeup).
func (s *Sched) checkPreemptWakeup(t *Task) bool {
	c := &s.cpus[t.cpu]
	if c.curr == none || c.curr == t.ID || c.needResched || s.cfs[s.ents[t.se].cfs].throttleCount > 0 {
		return false
	}
	if s.eevdf {
		return s.checkPreemptEEVDF(t, &s.tasks[c.curr])
	}
	return s.checkPreemptCFS(t, &s.tasks[c.curr])
}
