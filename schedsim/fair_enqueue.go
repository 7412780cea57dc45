package schedsim

// Tasks of the fair class come to their cfs_rqs, group by group, and leave them.

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
