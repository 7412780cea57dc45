package schedsim

// find_idlest_group since 5.5: groups are classified, and compared by what their
// type calls for. What a version allows a node to keep for itself differs.

// groupType orders groups from least to most loaded (enum group_type).
type groupType uint8

const (
	groupHasSpare groupType = iota
	groupFullyBusy
	groupMisfit
	groupSMTBalance // since v6.6
	groupAsymPacking
	groupImbalanced
	groupOverloaded
)

// groupStats is struct sg_lb_stats.
type groupStats struct {
	g                       *group
	kind                    groupType
	load, util, runnable    int64
	capacity                int64
	nrRunning, hNr, idle    int
	weight                  int
	avgLoad                 int64
	misfit                  int64 // load of a task whose CPU higher classes use, since 6.1
	overloaded, hasCapacity bool
}

// groupTypeOf classifies a group by its sums (group_classify).
func (s *Sched) groupTypeOf(st *groupStats, pct int) groupType {
	capacity, p := st.capacity, int64(pct)
	tight := capacity*p < st.runnable*100
	st.overloaded = st.nrRunning > st.weight && (capacity*100 < st.util*p || tight)
	st.hasCapacity = st.nrRunning < st.weight || !tight && capacity*100 > st.util*p
	switch {
	case st.overloaded:
		return groupOverloaded
	case st.g.imbalance:
		return groupImbalanced
	case st.hasCapacity:
		return groupHasSpare
	}
	return groupFullyBusy
}

// wakeGroupStats collects what find_idlest_group compares, without the task itself
// (update_sg_wakeup_stats). A new one is in no sum yet.
func (s *Sched) wakeGroupStats(g *group, t *Task, pct int) groupStats {
	st := groupStats{g: g, weight: len(g.cpus), capacity: s.groupCapacity(g)}
	for _, ci := range g.cpus {
		c := &s.cpus[ci]
		s.probe(int(ci))
		own := int32(0) // task_running_on_cpu
		if t.onRQ && s.counted(t, ci) {
			own = 1
		}
		st.load += s.cpuLoadWithout(ci, t)
		st.util += s.cpuUtilWithout(ci, t)
		st.runnable += s.cpuRunnableWithout(ci, t)
		st.hNr += int(s.cfs[ci].hNr - own)
		st.nrRunning += int(c.nrRunning - own)
		// idle_cpu_without
		if c.nrRunning == own && (s.idle(ci) || c.curr == t.ID && len(c.wakeList) == 0) {
			st.idle++
		}
	}
	st.kind = s.groupTypeOf(&st, pct)
	if st.kind == groupFullyBusy || st.kind == groupOverloaded {
		st.avgLoad = st.load * capacityScale / st.capacity
	}
	return st
}

// counted reports whether a task is in the averages of a CPU.
func (s *Sched) counted(t *Task, ci int32) bool {
	return t.cpu == ci && s.ents[t.se].avg.lastUpdate != 0
}

// cpuLoadWithout is cpu_load_without: the load of a CPU but for a task's part.
func (s *Sched) cpuLoadWithout(ci int32, t *Task) int64 {
	load := s.cpuLoad(ci)
	if s.counted(t, ci) {
		load = max(load-s.taskHLoad(t), 0)
	}
	return load
}

// cpuRunnableWithout is cpu_runnable_without.
func (s *Sched) cpuRunnableWithout(ci int32, t *Task) int64 {
	runnable := s.cfs[ci].avg.runnable
	if s.counted(t, ci) {
		runnable = max(runnable-s.ents[t.se].avg.runnable, 0)
	}
	return runnable
}

// cpuUtilWithout is cpu_util_without: the larger of the utilisation and its
// estimate, each but for a task's part.
func (s *Sched) cpuUtilWithout(ci int32, t *Task) int64 {
	if !s.counted(t, ci) {
		return min(s.cpuUtil(ci), s.capacityOrigOf(ci))
	}
	a, own := &s.cfs[ci].avg, &s.ents[t.se].avg
	est := int64(a.estEnqueued)
	if t.onRQ {
		est = max(est-int64(own.taskUtilEst()), 0)
	}
	return min(max(a.util-own.util, est, 0), s.capacityOrigOf(ci))
}

// findIdlestGroup returns the group to go to, or nil to stay in the local one.
func findIdlestGroup(s *Sched, d *Domain, t *Task, thisCPU int32, why placement) *group {
	var local, best groupStats
	for i, g := range d.groups {
		if s.firstAllowed(t, g) < 0 {
			continue
		}
		st := s.wakeGroupStats(g, t, d.imbalancePct)
		if i == 0 {
			local = st
		} else if best.g == nil || idler(&st, &best) {
			best = st
		}
	}
	switch {
	case best.g == nil:
		return nil
	case local.g == nil:
		return best.g // the task may not stay
	case local.kind < best.kind:
		return nil
	case local.kind > best.kind:
		return best.g
	}
	switch local.kind {
	case groupOverloaded, groupFullyBusy:
		imbalance := int64(capacityScale) * int64(d.imbalancePct-100) / 100
		if d.numa && best.avgLoad+imbalance >= local.avgLoad {
			return nil
		}
		if best.avgLoad >= local.avgLoad+imbalance {
			return nil
		}
		if 100*local.avgLoad <= int64(d.imbalancePct)*best.avgLoad {
			return nil
		}
	case groupHasSpare:
		if d.numa {
			if prefer := s.NUMAPreferredNode(t); prefer != int(none) {
				if s.m.CPUs[thisCPU].Node == prefer {
					return nil
				}
				if s.m.CPUs[best.g.cpus[0]].Node == prefer {
					return best.g
				}
			}
			if s.nodeKeeps(d, t, &local, &best) {
				return nil
			}
		}
		if local.idle >= best.idle {
			return nil
		}
	default:
		return nil
	}
	return best.g
}

// nodeKeeps reports whether a task stays on its parent's node although there is
// room on others. Until 5.10 it does while the node has an idle CPU: forks fill one
// node before the next. Since 5.18 it does only up to imb_numa_nr tasks, and only
// while the nodes differ by no more than two idle CPUs.
func (s *Sched) nodeKeeps(d *Domain, t *Task, local, best *groupStats) bool {
	if s.since(5, 18) {
		allowed := 0
		for _, ci := range local.g.cpus {
			if t.Allowed(int(ci)) {
				allowed++
			}
		}
		difference := max(local.idle-best.idle, best.idle-local.idle)
		return local.nrRunning+1 <= min(d.imbNumaNr, allowed) && difference <= numaImbalanceMin
	}
	return local.idle > 0
}

// idler reports whether a is a better place than b (update_pick_idlest).
func idler(a, b *groupStats) bool {
	if a.kind != b.kind {
		return a.kind < b.kind
	}
	switch a.kind {
	case groupOverloaded, groupFullyBusy:
		return a.avgLoad < b.avgLoad
	case groupHasSpare:
		if a.idle != b.idle {
			return a.idle > b.idle
		}
		return a.util < b.util
	}
	return false
}
