package schedsim

// DELAY_DEQUEUE, since 6.12: an entity that goes to sleep while it had more than
// its share stays in the queue, and counts there, until it is eligible. So it
// cannot leave its debt behind by a short sleep. It is taken off when it is
// picked, or goes on when it is woken: at once and where it is, without a choice
// of a CPU.
//
// As of 6.12 it counts in nr_running and h_nr_running of all queues above, and
// in nr_running of the CPU; later versions count it apart.

// delayDequeue is the first part of dequeue_entity: it marks an entity that has
// to stay.
func (s *Sched) delayDequeue(q *cfsRQ, se int32, flags int) bool {
	e := &s.ents[se]
	if !s.k.DelayDequeue || flags&enqWakeup == 0 || flags&(enqDelayed|deqSpecial) != 0 || s.eligible(q, e.vruntime) {
		return false
	}
	s.updateLoadAvg(q, se, 0)
	e.delayed = true
	return true
}

// finishDelayed is the end of a dequeue that was delayed: with DELAY_ZERO it
// takes no credit for the time that it stayed
// (finish_delayed_dequeue_entity).
func (s *Sched) finishDelayed(e *entity) {
	e.delayed = false
	if s.k.DelayZero {
		e.vlag = min(e.vlag, 0)
	}
}

// requeueDelayed lets an entity go on that was woken before it was off the
// queue, or whose group got a task before it was (requeue_delayed_entity). With
// DELAY_ZERO it takes no credit for having stayed.
func (s *Sched) requeueDelayed(se int32) {
	e := &s.ents[se]
	q := &s.cfs[e.cfs]
	if s.k.DelayZero {
		e.vlag = s.entityLag(s.averageVruntime(q), e)
		if e.vlag > 0 {
			q.nrRunning--
			if q.curr != se {
				s.removeTimeline(q, se)
			}
			e.vlag = 0
			s.placeEEVDF(q, se, 0)
			if q.curr != se {
				s.insertTimeline(q, se)
			}
			q.nrRunning++
		}
	}
	s.updateLoadAvg(q, se, 0)
	e.delayed = false
}

// ttwuRunnable wakes a task whose dequeue is delayed, from CPU by. It reports
// false if the task is off the queue, and has to be woken like any other
// (ttwu_runnable).
func (s *Sched) ttwuRunnable(by int32, t *Task) bool {
	if !s.ents[t.se].delayed {
		return false
	}
	s.countWakeup(t, t.cpu)
	s.trace.record(s.now, TraceWakeup, t.ID, t.cpu)
	s.enqueueTask(t, enqDelayed)
	t.state = taskRunning
	s.checkPreemptCurr(by, t)
	return true
}
