package schedsim

// Loads as seen from the root: a task's part of its group's part of a CPU.

// taskHLoad is a task's load as seen from the root (task_h_load). The path is
// recomputed once a jiffy.
//
// Since 3.12 it goes by load averages, before by weights.
func (s *Sched) taskHLoad(t *Task) int64 {
	e := &s.ents[t.se]
	q := &s.cfs[e.cfs]
	if !s.since(3, 12) {
		s.updateHLoad(q.cpu)
		return s.weightOf(t.se) * q.hLoad / (q.load.weight>>fixedShift + 1)
	}
	return e.avg.load * s.hLoad(q) / (q.avg.load + 1)
}

// hLoad is update_cfs_rq_h_load: the load of a queue as seen from the root.
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

// updateHLoad is update_h_load of 3.10: once a jiffy and CPU, for all of its
// queues from the root down. load_balance calls it for the CPU that it takes
// from.
func (s *Sched) updateHLoad(ci int32) {
	root := &s.cfs[ci]
	if root.hLoadJiffy == s.jiffies {
		return
	}
	root.hLoad, root.hLoadJiffy = root.load.weight>>fixedShift, s.jiffies
	// A parent's index is lower than its children's.
	for g := 1; g < len(s.groups); g++ {
		q := &s.cfs[g*len(s.cpus)+int(ci)]
		e := &s.ents[q.se]
		up := &s.cfs[e.cfs]
		q.hLoad = up.hLoad * s.weightOf(q.se) / (up.load.weight>>fixedShift + 1)
	}
}

// effectiveLoad is effective_load, which wake_affine asks until 4.12: by how much
// the root queue of a CPU grows if weight wl is added to a group's queue there,
// and wg to the whole group. Weights are whole shares. A level above the group
// gets no weight, it only redistributes what it has.
func (s *Sched) effectiveLoad(group, ci int32, wl, wg int64) int64 {
	for q := &s.cfs[int(group)*len(s.cpus)+int(ci)]; q.se != none; q = &s.cfs[s.ents[q.se].cfs] {
		all := wg + s.calcTGWeight(q)
		w := q.load.weight>>fixedShift + wl
		wl = s.groups[q.group].shares >> fixedShift
		if all > 0 && w < all {
			wl = w * wl / all
		}
		wl = max(wl, minShares) - s.ents[q.se].load.weight>>fixedShift
		wg = 0
	}
	return wl
}
