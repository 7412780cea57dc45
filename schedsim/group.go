package schedsim

// Load tracking of entities and queues, and the share of a task group on each
// CPU. Flags of updateLoadAvg:
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

func (q *cfsRQ) addPropagate(runnableSum int64) {
	q.propagate = true
	q.propRunnableSum += runnableSum
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

// propagateLoadAvg hands changes of a group's queue, caused by tasks that came
// or went, on to the group entity e and the queue that it is on.
func (s *Sched) propagateLoadAvg(q *cfsRQ, e *entity) bool {
	g := &s.cfs[e.my]
	if !g.propagate {
		return false
	}
	g.propagate = false
	q.addPropagate(g.propRunnableSum)
	switch {
	case s.pelt == peltV418:
		s.propagateV418(q, e, g)
		return true
	case s.since(5, 17):
		s.propagateBounded(q, e, g)
		return true
	}

	d := q.avg.divider()
	if delta := g.avg.util - e.avg.util; delta != 0 {
		e.avg.util = g.avg.util
		e.avg.utilSum = e.avg.util * d
		addPositive(&q.avg.util, delta)
		q.avg.utilSum = q.avg.util * d
	}
	if delta := g.avg.runnable - e.avg.runnable; delta != 0 {
		e.avg.runnable = g.avg.runnable
		e.avg.runnableSum = e.avg.runnable * d
		addPositive(&q.avg.runnable, delta)
		q.avg.runnableSum = q.avg.runnable * d
	}
	s.propagateLoad(q, e, g, d)
	return true
}

// propagateLoad estimates the group entity's new load sum from what was
// attached or detached below (update_tg_cfs_load).
func (s *Sched) propagateLoad(q *cfsRQ, e *entity, g *cfsRQ, d int64) {
	sum := g.propRunnableSum
	if sum == 0 {
		return
	}
	g.propRunnableSum = 0
	if sum >= 0 {
		sum = min(sum+e.avg.loadSum, d)
	} else {
		// Tasks left: assume the rest is as runnable as the queue is.
		load := int64(0)
		if w := scaleDown(g.load.weight); w != 0 {
			load = g.avg.loadSum / w
		}
		sum = min(e.avg.loadSum, load)
	}
	sum = max(sum, e.avg.utilSum>>10)

	w := scaleDown(e.load.weight)
	loadAvg := w * sum / d
	addPositive(&q.avg.load, loadAvg-e.avg.load)
	addPositive(&q.avg.loadSum, w*sum-w*e.avg.loadSum)
	e.avg.loadSum = sum
	e.avg.load = loadAvg
}

// attachLoadAvg adds an entity's averages to the queue that it joins.
func (s *Sched) attachLoadAvg(q *cfsRQ, se int32) {
	switch s.pelt {
	case peltV418:
		s.attachV418(q, se)
		return
	case peltV310:
		return // it came with the enqueue
	}
	e := &s.ents[se]
	d := q.avg.divider()
	e.avg.lastUpdate = q.avg.lastUpdate
	e.avg.period = q.avg.period
	e.avg.utilSum = e.avg.util * d
	e.avg.runnableSum = e.avg.runnable * d
	e.avg.loadSum = d
	w := s.weightOf(se)
	if w != 0 {
		e.avg.loadSum = e.avg.load * d / w
	}
	if s.since(5, 17) && e.avg.load*d <= w {
		e.avg.loadSum = 1 // a sum that rounds to nothing
	}
	q.avg.load += e.avg.load
	q.avg.loadSum += w * e.avg.loadSum
	q.avg.util += e.avg.util
	q.avg.utilSum += e.avg.utilSum
	q.avg.runnable += e.avg.runnable
	q.avg.runnableSum += e.avg.runnableSum
	q.addPropagate(e.avg.loadSum)
}

func (s *Sched) detachLoadAvg(q *cfsRQ, se int32) {
	e := &s.ents[se]
	subPositive(&q.avg.load, e.avg.load)
	subPositive(&q.avg.loadSum, s.weightOf(se)*e.avg.loadSum)
	subPositive(&q.avg.util, e.avg.util)
	subPositive(&q.avg.utilSum, e.avg.utilSum)
	if s.pelt != peltV418 {
		subPositive(&q.avg.runnable, e.avg.runnable)
		subPositive(&q.avg.runnableSum, e.avg.runnableSum)
	}
	if s.since(5, 17) {
		keepSum(&q.avg.loadSum, q.avg.load)
		keepSum(&q.avg.utilSum, q.avg.util)
		keepSum(&q.avg.runnableSum, q.avg.runnable)
	}
	q.addPropagate(-e.avg.loadSum)
}

// removeLoadAvg leaves a note with the old CPU of a task that is migrated
// while asleep. The task's average is taken as of that queue's last update, not
// of now: a task woken elsewhere is not decayed for its sleep.
func (s *Sched) removeLoadAvg(t *Task) {
	e := &s.ents[t.se]
	q := &s.cfs[e.cfs]
	switch {
	case s.pelt == peltV310:
		if t.state != taskDead { // what a dead task leaves decays as if it slept
			s.migrateV310(t)
		}
		return
	case e.avg.lastUpdate == 0:
		return // never attached: a task of Spawn that did not run yet
	}
	s.ageBlocked(t.se, q.avg.lastUpdate)
	q.removedNr++
	q.removedLoad += e.avg.load
	q.removedUtil += e.avg.util
	if s.pelt == peltV418 {
		q.removedRunnable += e.avg.loadSum // removed.runnable_sum
		return
	}
	q.removedRunnable += e.avg.runnable
	if s.since(6, 0) {
		s.peltLag(t, q)
	}
}

// ageBlocked accounts a sleep up to now (__update_load_avg_blocked_se).
func (s *Sched) ageBlocked(se int32, now int64) {
	e := &s.ents[se]
	switch {
	case s.pelt == peltV418:
		if e.avg.accumulateV418(now, 1024, 0, 0, false) {
			e.avg.averageV418(s.weightOf(se), scaleDown(e.runnableWeight))
		}
	case e.avg.accumulate(now, 0, 0, false):
		e.avg.average(s.weightOf(se))
	}
}

// detachEntity takes a task's load off its queue, when load balancing moves it to
// another CPU or it is moved to another group (detach_entity_cfs_rq).
func (s *Sched) detachEntity(t *Task) {
	se := t.se
	q := &s.cfs[s.ents[se].cfs]
	if s.pelt == peltV310 {
		s.migrateV310(t)
		return
	}
	s.updateLoadAvg(q, se, 0)
	s.detachLoadAvg(q, se)
	s.cfsUtilChange(q)
	s.updateTGLoadAvg(q)
	s.propagateEntity(se)
}

// updateTGLoadAvg adds q's load to the group's, unless it changed by less than
// 1/64 (update_tg_load_avg).
func (s *Sched) updateTGLoadAvg(q *cfsRQ) {
	if q.se == none {
		return
	}
	if s.since(6, 7) && s.now-q.tgUpdate < 1e6 {
		return // at most once a millisecond
	}
	delta := q.avg.load - q.tgContrib
	if max(delta, -delta) > q.tgContrib/64 {
		s.groups[q.group].loadAvg += delta
		q.tgContrib = q.avg.load
		q.tgUpdate = s.now
	}
}

// updateCFSGroup recomputes the weight of a group entity from its CPU's part
// of the group's load (update_cfs_group, calc_group_shares).
func (s *Sched) updateCFSGroup(se int32) {
	e := &s.ents[se]
	if e.my == none {
		return
	}
	g := &s.cfs[e.my]
	if g.throttleCount > 0 {
		return
	}
	switch s.pelt {
	case peltV310:
		s.reweightV310(&s.cfs[e.cfs], se, s.calcSharesV310(g))
		return
	case peltV418:
		s.updateGroupV418(se)
		return
	}
	tg := &s.groups[g.group]
	load := max(scaleDown(g.load.weight), g.avg.load)
	weight := tg.loadAvg - g.tgContrib + load
	shares := tg.shares * load
	if weight != 0 {
		shares /= weight
	}
	shares = min(max(shares, minShares), tg.shares)
	s.reweightEntity(&s.cfs[e.cfs], se, shares)
}

func (s *Sched) reweightEntity(q *cfsRQ, se int32, weight int64) {
	e := &s.ents[se]
	switch s.pelt {
	case peltV310:
		s.reweightV310(q, se, weight)
		return
	case peltV418:
		s.reweightV418(q, e, weight, weight)
		return
	}
	if s.eevdf && e.load.weight == weight {
		return
	}
	if e.onRQ {
		if s.eevdf || q.curr == se {
			s.updateCurr(q)
		}
		q.load.add(-e.load.weight)
	}
	subPositive(&q.avg.load, e.avg.load)
	subPositive(&q.avg.loadSum, s.weightOf(se)*e.avg.loadSum)
	if s.eevdf {
		s.reweightEEVDF(q, se, weight)
	}
	if e.load.weight != weight {
		e.load.set(weight)
	}
	w := s.weightOf(se)
	e.avg.load = e.avg.average1(w * e.avg.loadSum)
	q.avg.load += e.avg.load
	q.avg.loadSum += w * e.avg.loadSum
	if e.onRQ {
		q.load.add(e.load.weight)
		if s.eevdf {
			s.reweighted(q, se)
		}
	}
}

// taskHLoad is a task's load as seen from the root: its part of its group's
// part (task_h_load). The path is recomputed once a jiffy.
func (s *Sched) taskHLoad(t *Task) int64 {
	if s.pelt == peltV310 {
		return s.taskHLoadV310(t)
	}
	q := &s.cfs[s.ents[t.se].cfs]
	return s.ents[t.se].avg.load * s.hLoad(q) / (q.avg.load + 1)
}

func (s *Sched) hLoad(q *cfsRQ) int64 {
	if q.hLoadJiffy == s.jiffies {
		return q.hLoad
	}
	load := q.avg.load
	if q.se != none {
		e := &s.ents[q.se]
		up := &s.cfs[e.cfs]
		load = s.hLoad(up) * e.avg.load / (up.avg.load + 1)
	}
	if !s.dry {
		q.hLoad, q.hLoadJiffy = load, s.jiffies
	}
	return load
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

// Estimated utilisation (UTIL_EST, with UTIL_EST_FASTUP): what a task used
// before it slept.

func (a *schedAvg) taskUtilEst() uint32 { return max(a.estEnqueued, a.estEwma) }

func (s *Sched) utilEstEnqueue(t *Task) {
	s.cfs[t.cpu].avg.estEnqueued += s.ents[t.se].avg.taskUtilEst()
}

func (s *Sched) utilEstDequeue(t *Task) {
	a := &s.cfs[t.cpu].avg
	a.estEnqueued -= min(a.estEnqueued, s.ents[t.se].avg.taskUtilEst())
}
