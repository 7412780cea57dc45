package schedsim

// What SCHED_IDLE means inside the fair class.

// seIsIdle reports whether an entity is a SCHED_IDLE task (se_is_idle). Groups
// that are idle (cpu.idle, since 5.15) are not modelled.
func (s *Sched) seIsIdle(se int32) bool {
	t := s.ents[se].task
	return t != none && s.tasks[t].policy == PolicyIdle
}

// onlyIdle reports whether all entities of a cfs_rq of CFS are idle
// (sched_idle_cfs_rq).
func (s *Sched) onlyIdle(q *cfsRQ) bool {
	for _, v := range q.queue {
		if !s.seIsIdle(v.se) {
			return false
		}
	}
	return q.curr == none || !s.ents[q.curr].onRQ || s.seIsIdle(q.curr)
}
