package schedsim

// What tasks that come and go change in a group's queue is handed up, level by
// level: to the group's entity and to the queue that it is on, at each next
// update of that entity. (Since 4.10; 3.10 recomputes what an entity contributes
// from the load of its group instead.)

func (q *cfsRQ) addPropagate(runnableSum int64) {
	q.propagate = true
	q.propRunnableSum += runnableSum
}

// propagateLoadAvg hands changes of a group's queue, caused by tasks that came
// or went, on to the group entity and the queue that it is on
// (propagate_entity_load_avg).
func (s *Sched) propagateLoadAvg(q *cfsRQ, se int32) bool {
	e := &s.ents[se]
	if e.my == none {
		return false
	}
	g := &s.cfs[e.my]
	if !g.propagate {
		return false
	}
	g.propagate = false
	q.addPropagate(g.propRunnableSum)

	d := q.avg.divider()
	s.propagateAvg(&g.avg.util, &e.avg.util, &e.avg.utilSum, &q.avg.util, &q.avg.utilSum, d)
	s.propagateAvg(&g.avg.runnable, &e.avg.runnable, &e.avg.runnableSum, &q.avg.runnable, &q.avg.runnableSum, d)
	s.propagateLoad(q, e, g, d)
	return true
}

// propagateAvg gives an entity the average of its group's queue, and the queue
// that the entity is on the difference (update_tg_cfs_util,
// update_tg_cfs_runnable). Since 5.17 the difference goes into that queue's sum as
// well; before, the sum was made anew of the average.
func (s *Sched) propagateAvg(group, avg, sum, queue, queueSum *int64, d int64) {
	delta := *group - *avg
	if delta == 0 {
		return
	}
	was := *sum
	*avg = *group
	*sum = *avg * d
	addPositive(queue, delta)
	if !s.since(5, 17) {
		*queueSum = *queue * d
		return
	}
	addPositive(queueSum, *sum-was)
	s.floorSum(queueSum, *queue)
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
	delta := loadAvg - e.avg.load
	if delta == 0 && s.since(5, 17) {
		return
	}
	addPositive(&q.avg.load, delta)
	addPositive(&q.avg.loadSum, w*sum-w*e.avg.loadSum)
	e.avg.loadSum = sum
	e.avg.load = loadAvg
	s.floorSum(&q.avg.loadSum, q.avg.load)
}

// propagateEntity updates the entities above se, after what it is on changed
// (propagate_entity_cfs_rq). It ends at a throttled queue, which up to 6.0 was
// not updated itself.
func (s *Sched) propagateEntity(se int32) {
	q := &s.cfs[s.ents[se].cfs]
	if s.since(5, 13) {
		if q.throttled {
			return
		}
		s.addLeaf(q)
	}
	for se = s.ents[se].parent; se != none; se = s.ents[se].parent {
		q := &s.cfs[s.ents[se].cfs]
		if q.throttled && !s.since(6, 1) {
			return
		}
		s.updateLoadAvg(q, se, updateTG)
		if q.throttled {
			return
		}
		if s.since(5, 13) {
			s.addLeaf(q)
		}
	}
}
