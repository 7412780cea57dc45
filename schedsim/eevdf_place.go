package schedsim

// entityLag is how far an entity is behind V, of which it may keep two slices,
// or a tick if that is more (entity_lag).
func (s *Sched) entityLag(v int64, e *entity) int64 {
	limit := s.calcDeltaFair(max(2*e.slice, s.tickNS), &e.load)
	return min(max(v-e.vruntime, -limit), limit)
}

// placeEEVDF sets vruntime and deadline of an entity that joins q
// (place_entity). It keeps the lag that it left with: since V moves when it
// joins, it is placed further away, so that the lag is right afterwards. The
// deadline of an entity that moved here from another CPU keeps its distance.
func (s *Sched) placeEEVDF(q *cfsRQ, se int32, flags int) {
	e := &s.ents[se]
	v := s.averageVruntime(q)
	if !e.customSlice {
		e.slice = s.k.SchedBaseSlice
	}
	vslice := s.calcDeltaFair(e.slice, &e.load)
	lag := int64(0)
	if s.k.PlaceLag && q.nrRunning > 0 {
		_, load := s.averages(q)
		lag = e.vlag * (load + scaleDown(e.load.weight)) / max(load, 1)
	}
	e.vruntime = v - lag
	if e.relDeadline {
		e.deadline += e.vruntime
		e.relDeadline = false
		return
	}
	if s.k.PlaceDeadlineInitial && flags&enqInitial != 0 {
		// The others are halfway through their slices, on average.
		vslice /= 2
	}
	e.deadline = e.vruntime + vslice
}

// leaveEEVDF remembers the lag of an entity that leaves its queue, and the
// distance of its deadline if it moves to another.
func (s *Sched) leaveEEVDF(q *cfsRQ, e *entity, flags int) {
	e.vlag = s.entityLag(s.averageVruntime(q), e)
	if s.k.PlaceRelDeadline && flags&enqWakeup == 0 {
		e.deadline -= e.vruntime
		e.relDeadline = true
	}
}

// minSlice returns the least slice of the entities of q, which the group
// asks for whose queue it is (cfs_rq_min_slice, 6.12); 0 where that is of no
// use: for root queues and before 6.12.
//
// The kernel keeps the least of the tree up when an entity is queued and not
// when the slice of a queued group changes; here it is exact. For an empty queue
// the kernel gives a group the slice 2^64-1, or 0, depending on the way that it
// got empty; here it is 0 always.
func (s *Sched) minSlice(q *cfsRQ) int64 {
	if !s.groupSlices || q.se == none || q.nrRunning == 0 {
		return 0
	}
	if q.customSlices == 0 {
		return s.k.SchedBaseSlice
	}
	least := int64(1<<63 - 1)
	if q.curr != none && s.ents[q.curr].onRQ {
		least = s.ents[q.curr].slice
	}
	for i := range q.timeline {
		least = min(least, s.ents[q.timeline[i].se].slice)
	}
	return least
}

// The least and the greatest slice that sched_setattr grants, ns.
const (
	minCustomSlice = 100e3
	maxCustomSlice = 100e6
)

// SetSlice sets the slice that a task asks for, ns, as sched_setattr does with
// sched_runtime since 6.12, which grants 0.1 to 100 ms. 0 is the base slice.
// Other versions take no notice. Workloads call it in Start.
func (s *Sched) SetSlice(t *Task, ns int64) {
	e := &s.ents[t.se]
	if !s.groupSlices || e.onRQ {
		return
	}
	e.customSlice = ns != 0
	e.slice = s.k.SchedBaseSlice
	if e.customSlice {
		e.slice = min(max(ns, minCustomSlice), maxCustomSlice)
	}
}
