package schedsim

import "math"

// timelineNode is an entity in the timeline of a cfs_rq. Neither value changes
// while it is there.
type timelineNode struct {
	deadline, vruntime int64
	se                 int32
}

// The kernel's timeline is a tree by deadline, augmented with the least
// vruntime below each node, for a search in logarithmic time. Here it is an
// array: the search stops at the first that is eligible, mostly among the first
// few, and a new entity mostly belongs near the end. The order is the same,
// ties included.

// insertTimeline queues an entity behind all with the same deadline
// (__enqueue_entity).
func (s *Sched) insertTimeline(q *cfsRQ, se int32) {
	e := &s.ents[se]
	w := scaleDown(e.load.weight)
	q.avgVruntime += (e.vruntime - q.minVruntime) * w
	q.avgLoad += w
	if len(q.timeline) == 0 || e.vruntime < q.timelineMin {
		q.timelineMin = e.vruntime
	}
	q.timeline = append(q.timeline, timelineNode{})
	i := len(q.timeline) - 1
	for i > 0 && q.timeline[i-1].deadline > e.deadline {
		q.timeline[i] = q.timeline[i-1]
		i--
	}
	q.timeline[i] = timelineNode{e.deadline, e.vruntime, se}
}

// removeTimeline takes an entity out (__dequeue_entity).
func (s *Sched) removeTimeline(q *cfsRQ, se int32) {
	e := &s.ents[se]
	w := scaleDown(e.load.weight)
	q.avgVruntime -= (e.vruntime - q.minVruntime) * w
	q.avgLoad -= w
	i := 0
	for q.timeline[i].se != se {
		i++
	}
	copy(q.timeline[i:], q.timeline[i+1:])
	q.timeline = q.timeline[:len(q.timeline)-1]
	if e.vruntime > q.timelineMin {
		return
	}
	least := int64(math.MaxInt64)
	for i := range q.timeline {
		least = min(least, q.timeline[i].vruntime)
	}
	q.timelineMin = least
}

// pickEEVDF returns the eligible entity of q with the earliest deadline
// (pick_eevdf). The running one stays until its slice is used up or it is not
// eligible any more (RUN_TO_PARITY).
func (s *Sched) pickEEVDF(q *cfsRQ) int32 {
	curr := q.curr
	if curr != none && !s.ents[curr].onRQ {
		curr = none
	}
	if q.nrRunning == 1 {
		if curr != none {
			return curr
		}
		return q.timeline[0].se
	}
	avg, load := s.averages(q)
	if curr != none {
		c := &s.ents[curr]
		if avg < (c.vruntime-q.minVruntime)*load {
			curr = none
		} else if s.k.RunToParity && c.vlag == c.deadline {
			return curr
		}
	}
	for i := range q.timeline {
		n := &q.timeline[i]
		if avg < (n.vruntime-q.minVruntime)*load {
			continue
		}
		if curr != none && s.ents[curr].deadline < n.deadline {
			break
		}
		return n.se
	}
	return curr
}

// didPreemptShort reports whether the running entity lost its protection and is
// not eligible any more (did_preempt_short, 6.12).
func (s *Sched) didPreemptShort(q *cfsRQ, e *entity) bool {
	return s.k.PreemptShort && e.vlag != e.deadline && !s.eligible(q, e.vruntime)
}

// doPreemptShort reports whether pse, which woke, may take the protection from
// the running se: it asks for less, and is eligible, and has the earlier
// deadline, or se is not eligible (do_preempt_short, 6.12).
func (s *Sched) doPreemptShort(q *cfsRQ, pse, se *entity) bool {
	return s.k.PreemptShort && pse.slice < se.slice && s.eligible(q, pse.vruntime) &&
		(pse.deadline < se.deadline || !s.eligible(q, se.vruntime))
}

// checkPreemptEEVDF is check_preempt_wakeup_fair for a woken task and the
// current one of its CPU: the woken one preempts if it would be picked.
func (s *Sched) checkPreemptEEVDF(t, currTask *Task) bool {
	c := &s.cpus[t.cpu]
	if !s.k.WakeupPreemption {
		return false
	}
	se, pse := s.findMatchingSE(currTask.se, t.se)
	switch curr, woken := s.seIsIdle(se), s.seIsIdle(pse); {
	case curr && !woken:
		c.needResched = true
		return true
	case curr != woken, t.policy != PolicyNormal:
		return false
	}
	e := &s.ents[se]
	q := &s.cfs[e.cfs]
	s.updateCurr(q)
	if e.vlag == e.deadline && s.doPreemptShort(q, &s.ents[pse], e) {
		e.vlag = e.deadline + 1
	}
	if c.needResched || s.pickEEVDF(q) != pse {
		return false
	}
	c.needResched = true
	return true
}
