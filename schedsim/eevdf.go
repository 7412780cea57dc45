package schedsim

// The policy of the fair class since 6.6: earliest eligible virtual deadline
// first (Stoica and Abdel-Wahab, 1995), as of 6.12.
//
// An entity asks for a slice of CPU time. Its virtual deadline is its vruntime
// plus the slice in its own virtual time. It is eligible while its vruntime is
// not above V, the average of all vruntimes of the queue by weight: while it
// had no more than its share, its lag V - vruntime being not negative. Among
// the eligible that with the earliest deadline runs.
//
// Of a cfs_rq that does not run are in the timeline; curr is not and is added
// where V is asked for. Sums are relative to min_vruntime, so that they stay
// small.
//
// Versions: 6.6 to 6.11 have neither slices of tasks and groups of their own,
// nor PREEMPT_SHORT, PLACE_REL_DEADLINE, DELAY_DEQUEUE and DELAY_ZERO
// (Features). What update_curr does about others that wait changed in 6.12-rc1
// and once more in -rc2: Kernel.UpdateCurrAlone. NEXT_BUDDY and HRTICK are off.

// averages returns the weighted sum of the vruntimes of q, relative to its
// min_vruntime, and the sum of the weights, curr included.
func (s *Sched) averages(q *cfsRQ) (avg, load int64) {
	avg, load = q.avgVruntime, q.avgLoad
	if q.curr != none {
		if c := &s.ents[q.curr]; c.onRQ {
			w := scaleDown(c.load.weight)
			avg += (c.vruntime - q.minVruntime) * w
			load += w
		}
	}
	return avg, load
}

// averageVruntime is V, rounded down, so that an entity placed there is
// eligible (avg_vruntime).
func (s *Sched) averageVruntime(q *cfsRQ) int64 {
	avg, load := s.averages(q)
	if load != 0 {
		if avg < 0 {
			avg -= load - 1
		}
		avg /= load
	}
	return q.minVruntime + avg
}

// eligible reports whether vruntime is not above V, without dividing
// (vruntime_eligible).
func (s *Sched) eligible(q *cfsRQ, vruntime int64) bool {
	avg, load := s.averages(q)
	return avg >= (vruntime-q.minVruntime)*load
}

// updateDeadline gives an entity that used its slice up the next one. It reports
// whether it did (update_deadline).
func (s *Sched) updateDeadline(e *entity) bool {
	if e.vruntime < e.deadline {
		return false
	}
	if !e.customSlice {
		e.slice = s.k.SchedBaseSlice
	}
	e.deadline = e.vruntime + s.calcDeltaFair(e.slice, &e.load)
	return true
}

// makeRoom is the end of update_curr: whether the running entity has to make
// room, having used its slice up or lost its protection.
func (s *Sched) makeRoom(q *cfsRQ, e *entity, used bool) {
	if !used && !s.didPreemptShort(q, e) {
		return
	}
	alone := s.k.UpdateCurrAlone(s, int(e.cfs))
	if s.shadow.updateCurr {
		s.shadowUpdateCurr(q.cpu, e.cfs, alone)
	}
	if !alone {
		s.reschedHere(q.cpu)
	}
}

// updateCurrAlone: nobody else is queued on the cfs_rq (all versions but
// 6.12-rc1).
func updateCurrAlone(s *Sched, cfsRQ int) bool { return s.CFSNrRunning(cfsRQ) == 1 }

// updateCurrAloneRQ: nobody else is queued on the CPU (85e511df3cec, in
// 6.12-rc1).
func updateCurrAloneRQ(s *Sched, cfsRQ int) bool { return s.NrRunning(s.CPUOf(cfsRQ)) == 1 }

// CFSNrRunning is nr_running of a cfs_rq: its entities, each group counting
// once, with those whose dequeue is delayed.
func (s *Sched) CFSNrRunning(cfsRQ int) int { return int(s.cfs[cfsRQ].nrRunning) }

// CPUOf returns the CPU that a cfs_rq is on.
func (s *Sched) CPUOf(cfsRQ int) int { return int(s.cfs[cfsRQ].cpu) }

// updateMinVruntimeEEVDF moves min_vruntime up to the least vruntime, and what
// is relative to it down (update_min_vruntime).
func (s *Sched) updateMinVruntimeEEVDF(q *cfsRQ) {
	v := q.minVruntime
	if q.curr != none && s.ents[q.curr].onRQ {
		v = s.ents[q.curr].vruntime
		if len(q.timeline) > 0 {
			v = min(v, q.timelineMin)
		}
	} else if len(q.timeline) > 0 {
		v = q.timelineMin
	}
	if d := v - q.minVruntime; d > 0 {
		q.avgVruntime -= q.avgLoad * d
		q.minVruntime = v
	}
}

// reweightEEVDF scales lag and deadline of an entity for its new weight, so that
// what it is owed in CPU time stays the same (reweight_eevdf). It takes a queued
// entity out of the timeline; reweighted puts it back once the weight is set.
//
// The deadline of the running entity moves, the token of its protection does
// not: it is unprotected then, in the kernel as here.
func (s *Sched) reweightEEVDF(q *cfsRQ, se int32, weight int64) {
	e := &s.ents[se]
	old := e.load.weight
	if !e.onRQ {
		e.vlag = e.vlag * old / weight
		return
	}
	v := s.averageVruntime(q)
	if q.curr != se {
		s.removeTimeline(q, se)
	}
	if v != e.vruntime {
		e.vruntime = v - s.entityLag(v, e)*old/weight
	}
	e.deadline = v + (e.deadline-v)*old/weight
}

func (s *Sched) reweighted(q *cfsRQ, se int32) {
	if q.curr != se {
		s.insertTimeline(q, se)
	}
	s.updateMinVruntimeEEVDF(q)
}
