package schedsim

// The share of a task group on each CPU: how much the group's entity there
// weighs, by which part of the group's load is there.
//
// Load resolution: since 4.7, on 64-bit, shares are stored with fixedShift more
// bits and divided at that resolution. 3.10 divides whole shares: its stored
// weights are multiples of 1<<fixedShift here, so that all that scales weights
// down sees the integers that 3.10 has.

// updateTGLoadAvg adds q's load to the group's (update_tg_load_avg), unless it
// changed by less than 1/64, or, since 6.7, it did so less than 1 ms ago.
//
// For 3.10 see updateTGLoadContrib.
func (s *Sched) updateTGLoadAvg(q *cfsRQ) {
	if q.se == none {
		return
	}
	if s.since(6, 7) {
		if s.now-q.tgUpdated < 1e6 {
			return
		}
	}
	delta := q.avg.load - q.tgContrib
	if max(delta, -delta) > q.tgContrib/64 {
		s.groups[q.group].loadAvg += delta
		q.tgContrib = q.avg.load
		q.tgUpdated = s.now
	}
}

// updateTGLoadContrib is __update_cfs_rq_tg_load_contrib of 3.10: load, which is the
// queue's runnable_load_avg + blocked_load_avg, is added to the group's, unless it
// changed by less than 1/8 or force is set. 3.10's load tracking calls it where it
// decays blocked load (update_cfs_rq_blocked_load).
func (s *Sched) updateTGLoadContrib(q *cfsRQ, load int64, force bool) {
	if delta := load - q.tgContrib; force || max(delta, -delta) > q.tgContrib/8 {
		s.groups[q.group].loadAvg += delta
		q.tgContrib += delta
	}
}

// updateTGRunnableAvg is __update_tg_runnable_avg of 3.10: the part of its time, of
// 1024, that a group's queue had something runnable is added to the group's, unless
// it changed by less than 1/64. sum and period are those of the queue's entity.
func (s *Sched) updateTGRunnableAvg(q *cfsRQ, sum, period int64) {
	contrib := sum<<10/(period+1) - q.tgRunnable
	if max(contrib, -contrib) > q.tgRunnable/64 {
		s.groups[q.group].runnableAvg += contrib
		q.tgRunnable += contrib
	}
}

// groupEntityContrib is __update_group_entity_contrib of 3.10: what the entity of a
// group's queue contributes to the load of its parent's, in whole shares. A group
// that uses less than one CPU in all contributes as much less.
func (s *Sched) groupEntityContrib(q *cfsRQ) int64 {
	tg := &s.groups[q.group]
	contrib := q.tgContrib * (tg.shares >> fixedShift) / (tg.loadAvg + 1)
	if tg.runnableAvg < 1024 {
		contrib = contrib * tg.runnableAvg >> 10
	}
	return contrib
}

// updateCFSGroup recomputes the weight of a group entity from its CPU's part
// of the group's load (update_cfs_group). Up to 4.14 the weight is recomputed
// elsewhere; see updateCFSShares.
func (s *Sched) updateCFSGroup(se int32) {
	e := &s.ents[se]
	if e.my == none || !s.since(4, 15) {
		return
	}
	g := &s.cfs[e.my]
	if g.throttleCount > 0 {
		return
	}
	shares := s.calcGroupShares(g)
	if s.since(6, 7) && e.load.weight == shares {
		return // before, the averages were recomputed all the same
	}
	s.reweightEntity(&s.cfs[e.cfs], se, shares)
}

// calcGroupShares is calc_group_shares of 4.15 and later: the group's shares by
// the larger of the weight that is queued on g and its average, which is there
// when its tasks sleep.
func (s *Sched) calcGroupShares(g *cfsRQ) int64 {
	tg := &s.groups[g.group]
	load := max(scaleDown(g.load.weight), g.avg.load)
	weight := tg.loadAvg - g.tgContrib + load
	shares := tg.shares * load
	if weight != 0 {
		shares /= weight
	}
	return min(max(shares, minShares), tg.shares)
}

// updateCFSShares is update_cfs_shares of 3.10: once the weight of a queue has
// changed, the entity of the group that owns it gets another weight. 3.10 has no
// update at the tick.
func (s *Sched) updateCFSShares(q *cfsRQ) {
	if s.since(4, 15) || q.se == none || q.throttleCount > 0 {
		return
	}
	s.reweightEntity(&s.cfs[s.ents[q.se].cfs], q.se, s.calcCFSShares(q))
}

// calcCFSShares is calc_cfs_shares of 3.10: by the queued weight alone, and in
// whole shares.
func (s *Sched) calcCFSShares(q *cfsRQ) int64 {
	weight := s.calcTGWeight(q)
	load := q.load.weight >> fixedShift
	total := s.groups[q.group].shares >> fixedShift
	shares := total * load
	if weight != 0 {
		shares /= weight
	}
	return min(max(shares, minShares), total) << fixedShift
}

// calcTGWeight is calc_tg_weight of 3.10: the load of q's group, with what is
// queued on q at the moment instead of what q contributed to it.
func (s *Sched) calcTGWeight(q *cfsRQ) int64 {
	return s.groups[q.group].loadAvg - q.tgContrib + q.load.weight>>fixedShift
}

// calcGroupRunnable is calc_group_runnable of 4.15 to 5.6: the part of a group
// entity's shares that stands for what is runnable below, from the averages and
// weights of its queue with (load, weight) and without (runnableLoad,
// runnableWeight) what sleeps.
func calcGroupRunnable(shares, load, weight, runnableLoad, runnableWeight int64) int64 {
	runnable := max(runnableLoad, scaleDown(runnableWeight)) * shares
	if l := max(load, scaleDown(weight)); l != 0 {
		runnable /= l
	}
	return min(max(runnable, minShares), shares)
}

// reweightEntity gives an entity another weight (reweight_entity): the time it
// ran so far counts by the old one, its queue's weight and averages follow.
//
// Up to 5.9 the kernel takes the entity off the count of its queue and puts it
// back, which for the entity of a group comes to the same. In 3.10 averages do
// not follow. Since 6.6 the entity's lag and deadline follow: that belongs at the
// two places where load.weight is written.
func (s *Sched) reweightEntity(q *cfsRQ, se int32, weight int64) {
	e := &s.ents[se]
	if e.onRQ {
		if q.curr == se {
			s.updateCurr(q)
		}
		q.load.add(-e.load.weight)
	}
	if s.since(4, 15) {
		s.dequeueLoadAvg(q, se)
	}
	if e.load.weight != weight {
		e.load.set(weight)
	}
	if s.since(4, 15) {
		e.avg.load = s.weightOf(se) * e.avg.loadSum / e.avg.divider()
		s.enqueueLoadAvg(q, se)
	}
	if e.onRQ {
		q.load.add(e.load.weight)
	}
}

// enqueueLoadAvg and dequeueLoadAvg add an entity's load to that of its queue and
// take it out (enqueue_load_avg, dequeue_load_avg).
func (s *Sched) enqueueLoadAvg(q *cfsRQ, se int32) {
	e := &s.ents[se]
	q.avg.load += e.avg.load
	q.avg.loadSum += s.weightOf(se) * e.avg.loadSum
}

func (s *Sched) dequeueLoadAvg(q *cfsRQ, se int32) {
	e := &s.ents[se]
	subPositive(&q.avg.load, e.avg.load)
	subPositive(&q.avg.loadSum, s.weightOf(se)*e.avg.loadSum)
	s.floorSum(&q.avg.loadSum, q.avg.load)
}

// floorSum keeps a sum from falling below what its average stands for at least,
// since 5.17: sums and averages are changed each by its own delta.
func (s *Sched) floorSum(sum *int64, avg int64) {
	if s.since(5, 17) {
		*sum = max(*sum, avg*(loadAvgMax-1024))
	}
}
