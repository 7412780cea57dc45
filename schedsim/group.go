package schedsim

// What goes up and down the levels of task groups: load from below, a group's shares on
// each CPU from its load, and the load of a task seen from the root.

func (q *cfsRQ) addPropagate(runnableSum int64) {
	q.propagate = true
	q.propRunnableSum += runnableSum
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
