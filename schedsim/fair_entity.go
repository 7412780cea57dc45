package schedsim

// Entities come to a cfs_rq and leave it.

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
		if flags&deqSave == 0 {
			s.updateMinVruntimeEEVDF(q)
		}
		if flags&enqDelayed != 0 {
			s.finishDelayed(e)
		}
	case flags&deqSave != 0 == s.minStaysBehind() || !s.since(4, 9):
		s.updateMinVruntime(q)
	}
	return true
}

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
