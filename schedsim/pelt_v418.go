package schedsim

// Load tracking of v4.18, which differs from pelt.go's in this:
//
//   - runnable is runnable_load_avg: the load of queued entities only, by weight.
//     That of a cfs_rq is the load of a CPU for balancing. (v5.7 replaced it.)
//   - Time is not scaled; what it adds is, by the frequency. (v5.1 scaled the clock.)
//   - A group's entity has a second weight, runnable_weight, for its runnable load.
//   - What a group's queue hands up is divided by the largest sum there can be.
//
// What it adds to util_sum is scaled by arch_scale_cpu_capacity without a domain, which
// is 1024 for a hardware thread too; only the capacity of its CPU is lower.

// accumulateV418 is accumulate with the contribution scaled by the frequency instead
// of the clock (accumulate_sum of v4.18).
func (a *schedAvg) accumulateV418(now, freqScale, load, runnable int64, running bool) bool {
	delta := now - a.lastUpdate
	if delta < 0 {
		a.lastUpdate = now
		return false
	}
	units := uint64(delta) >> 10
	if units == 0 {
		return false
	}
	a.lastUpdate += int64(units << 10)
	if load == 0 {
		runnable, running = 0, false
	}

	contrib := int64(units)
	total := units + uint64(a.period)
	periods := total >> 10
	if periods > 0 {
		a.loadSum = decayLoad(a.loadSum, periods)
		a.runnableSum = decayLoad(a.runnableSum, periods)
		a.utilSum = decayLoad(a.utilSum, periods)
		total &= 1023
		contrib = decayLoad(int64(1024-a.period), periods) +
			loadAvgMax - decayLoad(loadAvgMax, periods) - 1024 + int64(total)
	}
	a.period = uint32(total)
	contrib = contrib * freqScale >> 10
	a.loadSum += load * contrib
	a.runnableSum += runnable * contrib
	if running {
		a.utilSum += contrib << 10
	}
	return periods > 0
}

// averageV418 derives the averages from the sums (___update_load_avg of v4.18).
func (a *schedAvg) averageV418(weight, runnableWeight int64) {
	d := a.divider()
	a.load = weight * a.loadSum / d
	a.runnable = runnableWeight * a.runnableSum / d
	a.util = a.utilSum / d
}

// updateSelfV418 accounts an entity (__update_load_avg_se).
func (s *Sched) updateSelfV418(q *cfsRQ, se int32) {
	e := &s.ents[se]
	if e.my == none {
		e.runnableWeight = e.load.weight
	}
	queued := int64(0)
	if e.onRQ {
		queued = 1
	}
	if e.avg.accumulateV418(s.cfsClock(q), s.cpus[q.cpu].freqScale, queued, queued, q.curr == se) {
		e.avg.averageV418(s.weightOf(se), scaleDown(e.runnableWeight))
		e.avg.estChanged = true
	}
}

// updateCFSV418 accounts a cfs_rq (update_cfs_rq_load_avg).
func (s *Sched) updateCFSV418(q *cfsRQ) bool {
	a := &q.avg
	decayed := false
	if q.removedNr > 0 {
		d := a.divider()
		subPositive(&a.load, q.removedLoad)
		subPositive(&a.loadSum, q.removedLoad*d)
		subPositive(&a.util, q.removedUtil)
		subPositive(&a.utilSum, q.removedUtil*d)
		q.addPropagate(-q.removedRunnable) // removed.runnable_sum
		q.removedNr, q.removedLoad, q.removedUtil, q.removedRunnable = 0, 0, 0, 0
		decayed = true
	}
	if a.accumulateV418(s.cfsClock(q), s.cpus[q.cpu].freqScale, scaleDown(q.load.weight), scaleDown(q.runnableWeight), q.curr != none) {
		a.averageV418(1, 1)
		decayed = true
	}
	return decayed
}

// enqueueRunnable adds an entity that is being queued to the runnable load of q
// (enqueue_runnable_load_avg).
func (q *cfsRQ) enqueueRunnable(e *entity) {
	if e.my == none {
		e.runnableWeight = e.load.weight
	}
	q.runnableWeight += e.runnableWeight
	q.avg.runnable += e.avg.runnable
	q.avg.runnableSum += scaleDown(e.runnableWeight) * e.avg.runnableSum
}

// dequeueRunnable takes it off again (dequeue_runnable_load_avg).
func (q *cfsRQ) dequeueRunnable(e *entity) {
	q.runnableWeight -= e.runnableWeight
	subPositive(&q.avg.runnable, e.avg.runnable)
	subPositive(&q.avg.runnableSum, scaleDown(e.runnableWeight)*e.avg.runnableSum)
}

// attachV418 adds an entity's averages to the queue that it joins.
func (s *Sched) attachV418(q *cfsRQ, se int32) {
	e := &s.ents[se]
	a := &e.avg
	d := q.avg.divider()
	a.lastUpdate, a.period = q.avg.lastUpdate, q.avg.period
	a.utilSum = a.util * d
	a.loadSum = d
	w := s.weightOf(se)
	if w != 0 {
		a.loadSum = a.load * d / w
	}
	a.runnableSum = a.loadSum
	q.avg.load += a.load
	q.avg.loadSum += w * a.loadSum
	q.avg.util += a.util
	q.avg.utilSum += a.utilSum
	q.addPropagate(a.loadSum)
}

// propagateV418 takes over into the entity e of the group queue g, and into the queue q
// that it is on, what came or went below (update_tg_cfs_util, update_tg_cfs_runnable).
func (s *Sched) propagateV418(q *cfsRQ, e *entity, g *cfsRQ) {
	a := &e.avg
	if delta := g.avg.util - a.util; delta != 0 {
		a.util = g.avg.util
		a.utilSum = a.util * loadAvgMax
		addPositive(&q.avg.util, delta)
		q.avg.utilSum = q.avg.util * loadAvgMax
	}
	sum := g.propRunnableSum
	if sum == 0 {
		return
	}
	g.propRunnableSum = 0
	if sum >= 0 {
		sum = min(sum+a.loadSum, loadAvgMax)
	} else {
		load := int64(0)
		if w := scaleDown(g.load.weight); w != 0 {
			load = g.avg.loadSum / w
		}
		sum = min(a.loadSum, load)
	}
	sum = max(sum, a.utilSum>>10)

	w := scaleDown(e.load.weight)
	load := w * sum / loadAvgMax
	addPositive(&q.avg.load, load-a.load)
	addPositive(&q.avg.loadSum, w*sum-w*a.loadSum)
	a.loadSum, a.load = sum, load

	rw := scaleDown(e.runnableWeight)
	runnable := rw * sum / loadAvgMax
	deltaSum := rw*sum - w*a.runnableSum // by the other weight, as in the kernel
	delta := runnable - a.runnable
	a.runnableSum, a.runnable = sum, runnable
	if e.onRQ {
		addPositive(&q.avg.runnable, delta)
		addPositive(&q.avg.runnableSum, deltaSum)
	}
}

// updateGroupV418 is update_cfs_group with calc_group_runnable: the weight of a group's
// entity, and the part of it that stands for queued tasks.
func (s *Sched) updateGroupV418(se int32) {
	e := &s.ents[se]
	g := &s.cfs[e.my]
	tg := &s.groups[g.group]
	load := max(scaleDown(g.load.weight), g.avg.load)
	weight := tg.loadAvg - g.tgContrib + load
	shares := tg.shares * load
	if weight != 0 {
		shares /= weight
	}
	shares = min(max(shares, minShares), tg.shares)
	runnable := max(g.avg.runnable, scaleDown(g.runnableWeight)) * shares
	if load != 0 {
		runnable /= load
	}
	s.reweightV418(&s.cfs[e.cfs], e, shares, min(max(runnable, minShares), shares))
}

// reweightV418 is reweight_entity of v4.18.
func (s *Sched) reweightV418(q *cfsRQ, e *entity, weight, runnable int64) {
	if e.onRQ {
		if q.curr != none && &s.ents[q.curr] == e {
			s.updateCurr(q)
		}
		q.load.add(-e.load.weight)
		q.dequeueRunnable(e)
	}
	subPositive(&q.avg.load, e.avg.load)
	subPositive(&q.avg.loadSum, scaleDown(e.load.weight)*e.avg.loadSum)
	e.runnableWeight = runnable
	e.load.set(weight)
	d := e.avg.divider()
	w, rw := scaleDown(weight), scaleDown(runnable)
	e.avg.load = w * e.avg.loadSum / d
	e.avg.runnable = rw * e.avg.runnableSum / d
	q.avg.load += e.avg.load
	q.avg.loadSum += w * e.avg.loadSum
	if e.onRQ {
		q.load.add(e.load.weight)
		q.enqueueRunnable(e)
	}
}
