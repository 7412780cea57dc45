package schedsim

// Who of the fair class runs next.

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
