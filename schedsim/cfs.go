package schedsim

// The policy of the fair class up to 6.5: the completely fair scheduler.
//
// Versions differ in:
//   - calc_delta, and the resolution of weights: see weight.go
//   - a task picked again is put and set again before 3.15, and so starts a new
//     slice
//   - a woken task's vruntime is made relative on every wakeup before 4.8
//     (task_waking), later if it changes its CPU
//   - min_vruntime counts the current entity even if it is off the queue before
//     4.9, and is not moved when an entity leaves from then to 4.18, but for one that
//     comes back at once (the test of DEQUEUE_SAVE was the wrong way round)
//   - buddies are cleared at the pick before 5.14, later when the entity is set
//   - ALT_PERIOD and BASE_SLICE from 5.13
//   - SCHED_IDLE entities have less credit for sleep and a smaller slice from
//     5.15
//
// NEXT_BUDDY and HRTICK are off in all of them and not modelled.

// The releases at which CFS changed. Between two that are modelled the exact one
// makes no difference.
func (s *Sched) putsPrevFirst() bool  { return !s.since(3, 15) }
func (s *Sched) wakesRelative() bool  { return !s.since(4, 8) }
func (s *Sched) countsOffCurr() bool  { return !s.since(4, 9) }
func (s *Sched) minStaysBehind() bool { return s.since(4, 9) && !s.since(4, 19) }
func (s *Sched) picksClear() bool     { return !s.since(5, 14) }
func (s *Sched) idleEntities() bool   { return s.since(5, 15) }

// idleMinGranularity is sysctl_sched_idle_min_granularity, which does not scale
// with the number of CPUs, in ns.
const idleMinGranularity = 750e3

// updateMinVruntime moves the least vruntime of q up (update_min_vruntime).
func (s *Sched) updateMinVruntime(q *cfsRQ) {
	v := q.minVruntime
	has := false
	if q.curr != none && (s.ents[q.curr].onRQ || s.countsOffCurr()) {
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
	if s.k.AltPeriod {
		nr = int(s.cfs[q.cpu].hNr)
	}
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
		slice = s.calcDelta(slice, e.load.weight, load)
		if e.parent == none {
			break
		}
		e = &s.ents[e.parent]
	}
	if s.k.BaseSlice {
		gran := s.k.SchedMinGranularity
		if s.idleEntities() && s.seIsIdle(se) && !s.onlyIdle(q) {
			gran = idleMinGranularity
		}
		slice = max(slice, gran)
	}
	return slice
}

// placeEntity sets the vruntime of an entity that joins q: a new one starts a
// slice late, a woken one gets credit for its sleep (place_entity).
func (s *Sched) placeEntity(q *cfsRQ, se int32, initial bool) {
	e := &s.ents[se]
	v := q.minVruntime
	if initial {
		if s.k.StartDebit {
			v += s.calcDeltaFair(s.schedSlice(q, se), &e.load)
		}
	} else {
		credit := s.k.SchedLatency
		if s.idleEntities() && s.seIsIdle(se) {
			credit = s.k.SchedMinGranularity
		}
		if s.k.GentleFairSleepers {
			credit >>= 1
		}
		v -= credit
	}
	e.vruntime = max(e.vruntime, v)
}

// Buddies: hints to the next pick. They are CFS's: EEVDF sets them on and off,
// but looks at none as long as NEXT_BUDDY is off, so there the model has none.

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
	for ; se != none && s.ents[se].onRQ && !s.seIsIdle(se); se = s.ents[se].parent {
		s.cfs[s.ents[se].cfs].next = se
	}
}

func (s *Sched) setLastBuddy(se int32) {
	for ; se != none && s.ents[se].onRQ && !s.seIsIdle(se); se = s.ents[se].parent {
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
	if diff > s.calcDeltaFair(s.k.SchedWakeupGranularity, &e.load) {
		return 1
	}
	return 0
}

// pickNextCFS picks from q, curr being the running entity if it is to compete
// (pick_next_entity).
func (s *Sched) pickNextCFS(q *cfsRQ, curr int32) int32 {
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
	// Until 5.9 the kernel looks at last, then at next, which wins; since, at
	// next, then at last. The choice is the same.
	if q.next != none && s.wakeupPreemptEntity(q.next, left) < 1 {
		se = q.next
	} else if q.last != none && s.wakeupPreemptEntity(q.last, left) < 1 {
		se = q.last
	}
	if s.picksClear() {
		s.clearBuddies(q, se)
	}
	return se
}

// checkPreemptTick ends the turn of the running entity when it ran for its
// slice, or is that far ahead of the first that waits (check_preempt_tick).
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

// checkPreemptCFS is check_preempt_wakeup for a waking task and the current
// one of its CPU.
func (s *Sched) checkPreemptCFS(t, currTask *Task) bool {
	curr := currTask.se
	scale := int(s.cfs[s.ents[curr].cfs].nrRunning) >= s.k.SchedNrLatency
	se, pse := curr, t.se
	if currTask.policy != PolicyIdle || t.policy == PolicyIdle {
		if t.policy != PolicyNormal || !s.k.WakeupPreemption {
			return false
		}
		se, pse = s.findMatchingSE(se, pse)
		if s.idleEntities() {
			switch curr, woken := s.seIsIdle(se), s.seIsIdle(pse); {
			case curr && !woken:
				return s.preemptCFS(t.cpu, se, scale)
			case curr != woken:
				return false
			}
		}
		s.updateCurr(&s.cfs[s.ents[se].cfs])
		if s.wakeupPreemptEntity(se, pse) != 1 {
			return false
		}
		s.setNextBuddy(pse)
	}
	return s.preemptCFS(t.cpu, se, scale)
}

func (s *Sched) preemptCFS(ci, se int32, scale bool) bool {
	s.cpus[ci].needResched = true
	if s.k.LastBuddy && scale && s.ents[se].my == none {
		s.setLastBuddy(se)
	}
	return true
}
