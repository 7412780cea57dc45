package schedsim

// Load tracking of entities that come to a queue and leave it.

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
