package schedsim

// The fair class of kernel/sched/fair.c: the walks over the hierarchy of task
// groups, which are the same for both policies. What an entity is owed is up to
// CFS (until 6.5, cfs.go) or EEVDF (since 6.6, eevdf.go).

// Flags of enqueue and dequeue.
const (
	enqWakeup   = 1 << iota // ENQUEUE_WAKEUP / DEQUEUE_SLEEP
	enqMigrated             // ENQUEUE_MIGRATED: woken on another CPU
	enqInitial              // a new task
	enqDelayed              // ENQUEUE_DELAYED / DEQUEUE_DELAYED
	deqSpecial              // DEQUEUE_SPECIAL: the task will not be woken
	deqSave                 // DEQUEUE_SAVE without DEQUEUE_MOVE: it comes back to where it is
)

// updateCurr charges the running entity of q for the time since it was last
// charged (update_curr).
func (s *Sched) updateCurr(q *cfsRQ) {
	if q.curr == none {
		return
	}
	se := &s.ents[q.curr]
	delta := s.now - se.execStart
	if delta <= 0 {
		return
	}
	se.execStart = s.now
	se.sumExec += delta
	se.vruntime += s.calcDeltaFair(delta, &se.load)
	used := false
	if s.eevdf {
		used = s.updateDeadline(se)
		s.updateMinVruntimeEEVDF(q)
	} else {
		s.updateMinVruntime(q)
	}
	if s.servers > 0 && se.my == none {
		s.serverUpdate(q.cpu, delta)
	}
	if q.runtimeEnabled {
		s.accountCFSRuntime(q, delta)
	}
	if s.eevdf {
		s.makeRoom(q, se, used)
	}
}

// insert and remove put an entity that does not run into its queue's order and
// take it out (__enqueue_entity, __dequeue_entity).

// taskTickFair is the tick of the running task: accounting, load tracking,
// shares, and with CFS the end of its slice. With EEVDF the accounting sees to
// that.
func (s *Sched) taskTickFair(ci int32, t *Task) {
	for se := t.se; se != none; se = s.ents[se].parent {
		q := &s.cfs[s.ents[se].cfs]
		s.updateCurr(q)
		s.updateLoadAvg(q, se, updateTG|onTick)
		if s.pelt != peltV310 {
			s.updateCFSGroup(se) // not at the tick before v3.13
		}
		if !s.eevdf && q.nrRunning > 1 {
			s.checkPreemptTick(ci, q, se)
		}
	}
}

// taskForkFair places the child of the current task beside its parent, as far
// as the version does so before the child's CPU is known (task_fork_fair).
func (s *Sched) taskForkFair(parent, child *Task) {
	p, e := &s.ents[parent.se], &s.ents[child.se]
	q := &s.cfs[p.cfs]
	if s.eevdf {
		e.slice, e.customSlice = p.slice, p.customSlice
		if !s.since(6, 12) {
			// It is placed as well, and again where it is enqueued.
			s.updateCurr(q)
		}
		return
	}
	s.updateCurr(q)
	e.vruntime = p.vruntime
	s.placeEntity(q, child.se, true)
	e.vruntime -= q.minVruntime
}

// findMatchingSE walks up from two entities until both are queued on the same
// cfs_rq (find_matching_se).
func (s *Sched) findMatchingSE(se, pse int32) (int32, int32) {
	for s.ents[se].cfs != s.ents[pse].cfs {
		if s.depth(se) >= s.depth(pse) {
			se = s.ents[se].parent
		} else {
			pse = s.ents[pse].parent
		}
	}
	return se, pse
}

// checkPreemptWakeup decides whether the woken task t preempts the current one
// of its CPU (check_preempt_wakeup).
func (s *Sched) checkPreemptWakeup(t *Task) bool {
	c := &s.cpus[t.cpu]
	if c.curr == none || c.curr == t.ID || c.needResched || s.cfs[s.ents[t.se].cfs].throttleCount > 0 {
		return false
	}
	if s.eevdf {
		return s.checkPreemptEEVDF(t, &s.tasks[c.curr])
	}
	return s.checkPreemptCFS(t, &s.tasks[c.curr])
}
