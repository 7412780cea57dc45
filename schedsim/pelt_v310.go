package schedsim

import "slices"

// Per-entity load tracking of v3.10, the first form of it: each entity tracks how
// much of its life it was runnable, queued or running, and contributes its weight
// times that ratio to one of two sums of its cfs_rq, that of queued entities or
// that of blocked ones. There is no utilisation. Later forms are in pelt.go and
// pelt_v418.go.
//
// An entity uses these fields of schedAvg:
//
//	lastUpdate  last_runnable_update
//	loadSum     runnable_avg_sum
//	period      runnable_avg_period
//	load        load_avg_contrib
//	decayCount  decay_count
//
// Left out: rq->avg, which feeds nothing but root_task_group.runnable_avg, which
// nothing reads.

// cfsLoadV310 is what struct cfs_rq of v3.10 tracks, beside tg_load_contrib.
type cfsLoadV310 struct {
	runnable     int64 // runnable_load_avg: exactly the sum of the contributions of queued entities
	blocked      int64 // blocked_load_avg
	decayCounter int64 // how often blocked was decayed, from 1
	lastDecay    int64 // in units of 1<<20 ns
	removed      int64 // removed_load: contributions of tasks that woke elsewhere
	tgRunnable   int64 // tg_runnable_contrib
}

// runnableAvgYNSum is the sum of 1024*y^k over k = 1..n (runnable_avg_yN_sum).
var runnableAvgYNSum = [loadAvgPeriod + 1]int64{
	0, 1002, 1982, 2941, 3880, 4798, 5697, 6576, 7437, 8279, 9103, 9909, 10698, 11470, 12226, 12966, 13690,
	14398, 15091, 15769, 16433, 17082, 17718, 18340, 18949, 19545, 20128, 20698, 21256, 21802, 22336, 22859, 23371,
}

// loadAvgMaxN is how many periods it takes a sum to reach loadAvgMax.
const loadAvgMaxN = 345

// runnableContrib is what n full periods add (__compute_runnable_contrib).
func runnableContrib(n int64) int64 {
	if n <= loadAvgPeriod {
		return runnableAvgYNSum[n]
	}
	if n >= loadAvgMaxN {
		return loadAvgMax
	}
	sum := int64(0)
	for n > loadAvgPeriod {
		sum = sum/2 + runnableAvgYNSum[loadAvgPeriod]
		n -= loadAvgPeriod
	}
	return decayLoad(sum, uint64(n)) + runnableAvgYNSum[n]
}

// decayLoadV310 is decay_load of v3.10: none for no period.
func decayLoadV310(val int64, n uint64) int64 {
	if n == 0 {
		return val
	}
	return decayLoad(val, n)
}

// accumulateV310 brings the sums to now and reports whether a period rolled over
// (__update_entity_runnable_avg). Unlike later kernels it drops what is left below
// 1024 ns.
func (a *schedAvg) accumulateV310(now int64, runnable bool) bool {
	delta := now - a.lastUpdate
	if delta < 0 {
		a.lastUpdate = now
		return false
	}
	delta >>= 10
	if delta == 0 {
		return false
	}
	a.lastUpdate = now

	period, decayed := int64(a.period), false
	if rest := 1024 - period&1023; delta >= rest {
		decayed = true
		if runnable {
			a.loadSum += rest
		}
		period += rest
		delta -= rest
		periods := delta >> 10
		delta &= 1023
		a.loadSum = decayLoad(a.loadSum, uint64(periods+1))
		period = decayLoad(period, uint64(periods+1))
		full := runnableContrib(periods)
		if runnable {
			a.loadSum += full
		}
		period += full
	}
	if runnable {
		a.loadSum += delta
	}
	a.period = uint32(period + delta)
	return decayed
}

// contribV310 is a task's load_avg_contrib (__update_task_entity_contrib).
func (a *schedAvg) contribV310(weight int64) int64 {
	return a.loadSum * weight / (int64(a.period) + 1)
}

// loadV310 returns what q tracks.
func (s *Sched) loadV310(q *cfsRQ) *cfsLoadV310 {
	return &s.cfsV310[int(q.group)*len(s.cpus)+int(q.cpu)]
}

// updateEntityV310 accounts an entity up to now, and with updateCFS the change of
// its contribution to its cfs_rq (update_entity_load_avg).
func (s *Sched) updateEntityV310(se int32, updateCFS bool) {
	e := &s.ents[se]
	own := e.cfs // a group's entity goes by the clock of its own queue
	if e.my != none {
		own = e.my
	}
	if !e.avg.accumulateV310(s.cfsClock(&s.cfs[own]), e.onRQ) {
		return
	}
	was := e.avg.load
	if e.my == none {
		e.avg.load = e.avg.contribV310(scaleDown(e.load.weight))
	} else {
		s.updateGroupContribV310(e)
	}
	if !updateCFS {
		return
	}
	l := s.loadV310(&s.cfs[e.cfs])
	if e.onRQ {
		l.runnable += e.avg.load - was
	} else {
		l.subtractBlocked(was - e.avg.load)
	}
}

// updateGroupContribV310 is the contribution of a group's entity: the group's
// shares by this CPU's part of the group's load, less if all CPUs together have
// the group runnable for less than one CPU's time (__update_tg_runnable_avg,
// __update_group_entity_contrib).
func (s *Sched) updateGroupContribV310(e *entity) {
	q := &s.cfs[e.my]
	l := s.loadV310(q)
	tg := &s.groups[q.group]

	delta := e.avg.loadSum<<10/(int64(e.avg.period)+1) - l.tgRunnable
	if max(delta, -delta) > l.tgRunnable/64 {
		tg.runnableAvg += delta
		l.tgRunnable += delta
	}
	e.avg.load = q.tgContrib * scaleDown(tg.shares) / (tg.loadAvg + 1)
	if tg.runnableAvg < 1024 {
		e.avg.load = e.avg.load * tg.runnableAvg >> 10
	}
}

// subtractBlocked takes v off the blocked load, down to nothing.
func (l *cfsLoadV310) subtractBlocked(v int64) {
	if v < l.blocked {
		l.blocked -= v
	} else {
		l.blocked = 0
	}
}

// updateBlockedV310 decays the blocked load of q by the periods of 1<<20 ns that
// began since the last time, and tells the group (update_cfs_rq_blocked_load).
func (s *Sched) updateBlockedV310(q *cfsRQ, force bool) {
	l := s.loadV310(q)
	now := s.cfsClock(q) >> 20
	decays := now - l.lastDecay
	if decays == 0 && !force {
		return
	}
	if l.removed != 0 {
		l.subtractBlocked(l.removed)
		l.removed = 0
	}
	if decays != 0 {
		l.blocked = decayLoad(l.blocked, uint64(decays))
		l.decayCounter += decays
		l.lastDecay = now
	}
	s.updateTGLoadContribV310(q, force)
}

// updateTGLoadContribV310 adds q's load to the group's, if it changed by more than
// an eighth or has to (__update_cfs_rq_tg_load_contrib).
func (s *Sched) updateTGLoadContribV310(q *cfsRQ, force bool) {
	if q.se == none {
		return
	}
	l := s.loadV310(q)
	delta := l.runnable - q.tgContrib
	if !s.k.RunnableLoad.TGRunnableOnly {
		delta += l.blocked
	}
	if force || max(delta, -delta) > q.tgContrib/8 {
		s.groups[q.group].loadAvg += delta
		q.tgContrib += delta
	}
}

// synchronizeV310 decays the contribution of an entity that is off its cfs_rq by
// what the blocked load was decayed meanwhile (__synchronize_entity_decay).
func (s *Sched) synchronizeV310(e *entity) int64 {
	decays := s.loadV310(&s.cfs[e.cfs]).decayCounter - e.decayCount
	if decays == 0 {
		return 0 // decay_count stays
	}
	e.avg.load = decayLoadV310(e.avg.load, uint64(decays))
	e.decayCount = 0
	return decays
}

// enqueueEntityV310 adds an entity to the runnable load of q
// (enqueue_entity_load_avg). A decay count that is not positive is that of a task
// from another CPU, or that was moved: it is no part of q's blocked load.
func (s *Sched) enqueueEntityV310(q *cfsRQ, se int32, wakeup bool) {
	e := &s.ents[se]
	a := &e.avg
	if e.decayCount <= 0 {
		a.lastUpdate = s.now
		if e.decayCount != 0 {
			a.lastUpdate -= -e.decayCount << 20
			s.updateEntityV310(se, false)
			e.decayCount = 0
		}
		wakeup = false
	} else {
		decays := s.synchronizeV310(e)
		if s.k.RunnableLoad.SleepOnce {
			a.lastUpdate += decays << 20
		}
	}
	l := s.loadV310(q)
	if wakeup {
		l.subtractBlocked(a.load)
		s.updateEntityV310(se, false)
	}
	l.runnable += a.load
	s.updateBlockedV310(q, !wakeup)
}

// dequeueEntityV310 takes an entity off the runnable load of q, and adds it to the
// blocked one if it sleeps (dequeue_entity_load_avg).
func (s *Sched) dequeueEntityV310(q *cfsRQ, se int32, sleep bool) {
	s.updateEntityV310(se, true)
	s.updateBlockedV310(q, !sleep)
	e := &s.ents[se]
	l := s.loadV310(q)
	l.runnable -= e.avg.load
	if sleep {
		l.blocked += e.avg.load
		e.decayCount = l.decayCounter
	}
}

// migrateV310 leaves a note with the old cfs_rq of a task that goes to another CPU
// while it is off the queue (migrate_task_rq_fair). The decays that it slept
// through go along as a negative count.
func (s *Sched) migrateV310(t *Task) {
	e := &s.ents[t.se]
	if e.decayCount != 0 {
		e.decayCount = -s.synchronizeV310(e)
		s.loadV310(&s.cfs[e.cfs]).removed += e.avg.load
	}
}

// forkV310 gives the child of a task on ci its first load, once it is placed: what
// its parent contributes, with an empty past, so that the first period makes its
// weight of it. With patch 3 of the runnable load series it starts with a slice
// of being runnable instead.
func (s *Sched) forkV310(parent, child *Task, ci int32) {
	e := &s.ents[child.se]
	p := &s.ents[parent.se]
	e.avg = schedAvg{lastUpdate: p.avg.lastUpdate, load: p.avg.load}
	e.decayCount = p.decayCount
	if target := child.cpu; target != ci {
		s.setTaskRQ(child, ci)
		s.migrateV310(child)
		s.setTaskRQ(child, target)
	}
	if s.k.RunnableLoad.ForkSlice {
		slice := s.schedSlice(&s.cfs[e.cfs], child.se) >> 10
		e.decayCount = 0
		e.avg.loadSum, e.avg.period = slice, uint32(slice)
		e.avg.load = e.avg.contribV310(scaleDown(e.load.weight))
	}
}

// moveGroupV310 is what task_move_group_fair does to the load of a task that sleeps: it
// becomes blocked load of the new queue. That of the old one is left to decay there, and
// nothing else tells it that the task is gone.
func (s *Sched) moveGroupV310(t *Task, queued bool) {
	if queued {
		return
	}
	e := &s.ents[t.se]
	l := s.loadV310(&s.cfs[e.cfs])
	e.decayCount = l.decayCounter
	l.blocked += e.avg.load
}

// updateBlockedAveragesV310 is update_blocked_averages of v3.10. A group whose
// entity has nothing left of its past leaves the list.
func (s *Sched) updateBlockedAveragesV310(ci int32) {
	c := &s.cpus[ci]
	for i := 0; i < len(c.leaf); {
		q := &s.cfs[int(c.leaf[i])*len(s.cpus)+int(ci)]
		i++
		if q.throttleCount > 0 {
			continue
		}
		s.updateBlockedV310(q, true)
		s.updateEntityV310(q.se, true)
		if s.ents[q.se].avg.loadSum == 0 && q.nrRunning == 0 {
			q.onLeaf = false
			i--
			c.leaf = slices.Delete(c.leaf, i, i+1)
		}
	}
	s.updateBlockedV310(&s.cfs[ci], true)
	c.hasBlockedLoad = false
}

// calcSharesV310 is the weight of the entity that owns g: the group's shares by
// this CPU's weight in the group (calc_cfs_shares). Weights of v3.10 are not
// scaled, so that it is a whole multiple of 1<<fixedShift here.
func (s *Sched) calcSharesV310(g *cfsRQ) int64 {
	tg := &s.groups[g.group]
	load := g.load.weight >> fixedShift
	weight := tg.loadAvg - g.tgContrib + load
	shares := tg.shares >> fixedShift * load
	if weight != 0 {
		shares /= weight
	}
	return min(max(shares, minShares), tg.shares>>fixedShift) << fixedShift
}

// reweightV310 changes the weight of a group's entity (reweight_entity): v3.10
// tracks its load by the group, not by this weight.
func (s *Sched) reweightV310(q *cfsRQ, se int32, weight int64) {
	e := &s.ents[se]
	if e.onRQ {
		if q.curr == se {
			s.updateCurr(q)
		}
		q.load.add(weight - e.load.weight)
	}
	e.load.set(weight)
}

// updateHLoadV310 computes once a jiffy, for a CPU that is about to lose tasks,
// what part of its load each group is (update_h_load, tg_load_down).
func (s *Sched) updateHLoadV310(ci int32) {
	if s.k.RunnableLoad.HLoad {
		return // computed where it is used
	}
	for g := range s.groups {
		s.hLoadV310(&s.cfs[g*len(s.cpus)+int(ci)])
	}
}

func (s *Sched) hLoadV310(q *cfsRQ) int64 {
	if q.hLoadJiffy == s.jiffies {
		return q.hLoad
	}
	load := int64(0)
	switch series := s.k.RunnableLoad.HLoad; {
	case q.se == none && !series:
		load = q.load.weight >> fixedShift
	case q.se == none && s.k.RunnableLoad.HLoadFixed:
		load = s.loadV310(q).runnable
	case q.se == none:
		// rq->avg.load_avg_contrib, which nobody ever writes.
	case !series:
		e := &s.ents[q.se]
		up := &s.cfs[e.cfs]
		load = s.hLoadV310(up) * (e.load.weight >> fixedShift) / (up.load.weight>>fixedShift + 1)
	default:
		e := &s.ents[q.se]
		up := &s.cfs[e.cfs]
		load = s.hLoadV310(up) * e.avg.load / (s.loadV310(up).runnable + 1)
	}
	if !s.dry {
		q.hLoad, q.hLoadJiffy = load, s.jiffies
	}
	return load
}

// taskHLoadV310 is task_h_load: by weights, or by averages with patch 7 of the
// runnable load series, which makes it 0 for every task, as the load of the root is
// taken from a field that is never written (until v3.12).
func (s *Sched) taskHLoadV310(t *Task) int64 {
	e := &s.ents[t.se]
	q := &s.cfs[e.cfs]
	if s.k.RunnableLoad.HLoad {
		return e.avg.load * s.hLoadV310(q) / (s.loadV310(q).runnable + 1)
	}
	return (e.load.weight >> fixedShift) * s.hLoadV310(q) / (q.load.weight>>fixedShift + 1)
}
