package schedsim

// Load tracking of entities and queues as time passes. Flags of updateLoadAvg:
const (
	updateTG = 1 << iota // UPDATE_TG
	doAttach             // DO_ATTACH
	onTick               // from the tick
	onPick               // from set_next_entity
)

// clockPelt is rq_clock_pelt: time as load tracking sees it. It runs at the
// relative frequency while the CPU is busy and catches up when it is idle, so
// that utilisation is independent of the clock (since 5.1).
func (s *Sched) clockPelt(ci int32) int64 {
	if s.pelt != peltScaledClock {
		return s.now // rq_clock_task
	}
	c := &s.cpus[ci]
	delta := s.now - c.peltAt
	if delta > 0 {
		c.peltAt = s.now
		if c.curr == none {
			c.peltClock = s.now
		} else {
			c.peltClock += delta * c.freqScale >> 10
		}
	}
	return c.peltClock - c.lostIdle
}

// updateIdleClockPelt remembers the time that a saturated CPU would have been
// busy still at full frequency (update_idle_rq_clock_pelt).
func (s *Sched) updateIdleClockPelt(ci int32) {
	c := &s.cpus[ci]
	if s.clockPelt(ci); s.pelt != peltScaledClock {
		return
	}
	const divider = (loadAvgMax-1024)<<10 - loadAvgMax
	if s.cfs[ci].avg.utilSum >= divider {
		c.lostIdle += s.now - c.peltClock
	}
}

func (s *Sched) weightOf(se int32) int64 { return scaleDown(s.ents[se].load.weight) }

// updateSelfLoadAvg accounts e's own average up to now.
func (s *Sched) updateSelfLoadAvg(now int64, q *cfsRQ, se int32, e *entity) {
	load, runnable := e.onQueue()
	if e.avg.accumulate(now, load, runnable, q.curr == se) {
		e.avg.average(scaleDown(e.load.weight))
		e.avg.estChanged = true
	}
}

// onQueue is what load tracking makes of an entity's being queued, or of what is queued
// below it: se_load over its weight, and se_runnable.
func (e *entity) onQueue() (load, runnable int64) {
	if e.onRQ {
		load, runnable = 1, 1
	}
	if e.my != none {
		runnable = int64(e.runnable)
	}
	return load, runnable
}

// updateRunnable takes over how many tasks are queued below a group entity, once
// the time before the change is accounted (se_update_runnable).
func (s *Sched) updateRunnable(se int32) {
	if e := &s.ents[se]; e.my != none {
		e.runnable = s.cfs[e.my].hNr
	}
}

// updateCFSLoadAvg accounts q's average, taking out what was migrated away
// (update_cfs_rq_load_avg). It reports whether the average changed.
func (s *Sched) updateCFSLoadAvg(now int64, q *cfsRQ) bool {
	if s.pelt == peltV418 {
		return s.updateCFSV418(q)
	}
	decayed, keep := false, s.since(5, 17)
	a := &q.avg
	if q.removedNr > 0 {
		d := a.divider()
		r := q.removedLoad
		subPositive(&a.load, r)
		subPositive(&a.loadSum, r*d)
		if keep {
			keepSum(&a.loadSum, a.load)
		}
		r = q.removedUtil
		subPositive(&a.util, r)
		subPositive(&a.utilSum, r*d)
		if keep {
			keepSum(&a.utilSum, a.util)
		}
		r = q.removedRunnable
		subPositive(&a.runnable, r)
		subPositive(&a.runnableSum, r*d)
		if keep {
			keepSum(&a.runnableSum, a.runnable)
		}
		q.addPropagate(-(r * d) >> 10)
		q.removedNr, q.removedLoad, q.removedUtil, q.removedRunnable = 0, 0, 0, 0
		decayed = true
	}
	if a.accumulate(now, scaleDown(q.load.weight), int64(q.hNr), q.curr != none) {
		a.average(1)
		decayed = true
	}
	return decayed
}

// updateLoadAvg brings se and the queue it is on up to now (update_load_avg).
func (s *Sched) updateLoadAvg(q *cfsRQ, se int32, flags int) {
	if s.pelt != peltScaledClock {
		s.updateLoadAvgOld(q, se, flags)
		return
	}
	e := &s.ents[se]
	now := s.cfsClock(q)
	decayed := false
	switch a, b := &e.avg, &q.avg; {
	case q.removedNr > 0 || a.lastUpdate == 0 || a.lastUpdate != b.lastUpdate || a.period != b.period:
		if uint64(now-a.lastUpdate) >= unit && a.lastUpdate != 0 {
			s.updateSelfLoadAvg(now, q, se, e)
		}
		if q.removedNr > 0 || uint64(now-b.lastUpdate) >= unit {
			decayed = s.updateCFSLoadAvg(now, q)
		}
	case now-b.lastUpdate >= unit:
		// Both were brought up to date together last time, as mostly: what has passed
		// since means the same to both.
		decayed = s.updateBoth(now, q, se, e)
	case now < b.lastUpdate:
		a.lastUpdate, b.lastUpdate = now, now
	}
	if e.my != none && s.propagateLoadAvg(q, e) {
		decayed = true
	}
	if decayed || e.avg.lastUpdate == 0 {
		s.attachOrTell(q, se, flags, decayed)
	}
}

// updateBoth is updateSelfLoadAvg and updateCFSLoadAvg of an entity and its queue that
// are at the same point of a period, at least a unit ago.
func (s *Sched) updateBoth(now int64, q *cfsRQ, se int32, e *entity) bool {
	l := q.avg.elapse(now)
	e.avg.lastUpdate, e.avg.period = q.avg.lastUpdate, q.avg.period
	load, runnable := e.onQueue()
	e.avg.add(l, load, runnable, q.curr == se)
	q.avg.add(l, scaleDown(q.load.weight), int64(q.hNr), q.curr != none)
	if l.rolled {
		e.avg.average(scaleDown(e.load.weight))
		e.avg.estChanged = true
		q.avg.average(1)
	}
	return l.rolled
}

// attachOrTell is the end of update_load_avg: an entity that is new to q brings its
// load along, and others hear of what changed.
func (s *Sched) attachOrTell(q *cfsRQ, se int32, flags int, decayed bool) {
	if s.ents[se].avg.lastUpdate == 0 && flags&doAttach != 0 {
		s.attachLoadAvg(q, se)
		s.cfsUtilChange(q)
		s.updateTGLoadAvg(q)
	} else if decayed {
		s.cfsUtilChange(q)
		if flags&updateTG != 0 {
			s.updateTGLoadAvg(q)
		}
	}
}

// updateLoadAvgOld is updateLoadAvg of the other forms of load tracking. In v3.10 it
// is update_entity_load_avg.
func (s *Sched) updateLoadAvgOld(q *cfsRQ, se int32, flags int) {
	if s.pelt == peltV310 {
		if flags&onPick == 0 {
			s.updateEntityV310(se, true)
		}
		if flags&onTick != 0 {
			s.updateBlockedV310(q, true)
		}
		return
	}
	e := &s.ents[se]
	if e.avg.lastUpdate != 0 {
		s.updateSelfV418(q, se)
	}
	decayed := s.updateCFSLoadAvg(s.cfsClock(q), q)
	if e.my != none && s.propagateLoadAvg(q, e) {
		decayed = true
	}
	s.attachOrTell(q, se, flags, decayed)
}

// cfsUtilChange tells the governor that the utilisation of a CPU changed
// (cfs_rq_util_change).
func (s *Sched) cfsUtilChange(q *cfsRQ) {
	if s.freq != nil && q.se == none {
		s.cpufreqUpdateUtil(q.cpu)
	}
}

// cpuLoad is the load of a CPU, blocked tasks included (cpu_load).
func (s *Sched) cpuLoad(ci int32) int64 { return s.cfs[ci].avg.load }

// cpuUtil is cpu_util: the larger of the utilisation and its estimate.
func (s *Sched) cpuUtil(ci int32) int64 {
	a := &s.cfs[ci].avg
	return min(max(a.util, int64(a.estEnqueued)), s.cpus[ci].capacity)
}

// capacityScale is the capacity of a CPU of which other classes take nothing (see
// scaleRTCapacity). Since 5.1 SMT siblings count in full; see buildCapacity for
// those before.
const capacityScale = 1024
