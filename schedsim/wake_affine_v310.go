package schedsim

// wake_affine of 3.10: weights of queues as they are at the moment, with what a
// move would change in the shares of task groups.

// wakeAffine310 is wake_affine of 3.10. There is no test for idle CPUs.
func wakeAffine310(s *Sched, d *Domain, t *Task, thisCPU, prevCPU int, sync bool) int {
	load, thisLoad := s.sourceLoad(int32(prevCPU), 0), s.targetLoad(int32(thisCPU), 0)
	if curr := s.Current(thisCPU); sync && curr != nil {
		w := s.weightOf(curr.se)
		thisLoad += s.effectiveLoad(curr.group, int32(thisCPU), -w, -w)
		load += s.effectiveLoad(curr.group, int32(prevCPU), 0, -w)
	}
	w := s.weightOf(t.se)
	balanced := true
	if thisLoad > 0 {
		this := 100 * s.capacityOf(int32(prevCPU)) * (thisLoad + s.effectiveLoad(t.group, int32(thisCPU), w, w))
		prev := (100 + int64(d.imbalancePct-100)/2) * s.capacityOf(int32(thisCPU)) *
			(load + s.effectiveLoad(t.group, int32(prevCPU), 0, w))
		balanced = this <= prev
	}
	if balanced {
		return thisCPU
	}
	// Also if both CPUs together have less than one average task has here.
	if thisLoad <= load && thisLoad+s.targetLoad(int32(prevCPU), 0) <= s.cpuAvgLoadPerTask(int32(thisCPU)) {
		return thisCPU
	}
	return prevCPU
}

// effectiveLoad is effective_load: by how much the root queue of a CPU grows if
// weight wl is added to a group's queue there, and wg to the whole group.
func (s *Sched) effectiveLoad(g, ci int32, wl, wg int64) int64 {
	for q := &s.cfs[int(g)*len(s.cpus)+int(ci)]; q.se != none; {
		e := &s.ents[q.se]
		tg := &s.groups[q.group]
		queued := scaleDown(q.load.weight)
		all := wg + tg.loadAvg - q.tgContrib + queued // calc_tg_weight
		w := queued + wl
		shares := tg.shares >> fixedShift
		wl = shares
		if all > 0 && w < all {
			wl = w * shares / all
		}
		wl = max(wl, minShares) - s.weightOf(q.se)
		wg = 0
		q = &s.cfs[e.cfs]
	}
	return wl
}
