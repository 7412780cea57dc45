package schedsim

// find_idlest_group and find_idlest_cpu of 3.10: loads only, idle or not. At forks
// and execs the load index is 0: the weights of queues at the moment.

// findIdlestGroup310 is find_idlest_group of 3.10: the group with the least load for
// its capacity, if the local one has 12 % (half of imbalance_pct) more.
func findIdlestGroup310(s *Sched, d *Domain, t *Task, thisCPU int32, why placement) *group {
	var idlest *group
	thisLoad, minLoad := int64(0), int64(1<<62)
	for i, g := range d.groups {
		if s.firstAllowed(t, g) < 0 {
			continue
		}
		load := int64(0)
		for _, ci := range g.cpus {
			s.probe(int(ci))
			if i == 0 {
				load += s.sourceLoad(ci, 0)
			} else {
				load += s.targetLoad(ci, 0)
			}
		}
		load = load * capacityScale / s.groupCapacity(g)
		if i == 0 {
			thisLoad = load
		} else if load < minLoad {
			idlest, minLoad = g, load
		}
	}
	if idlest == nil || 100*thisLoad < (100+int64(d.imbalancePct-100)/2)*minLoad {
		return nil
	}
	return idlest
}

// leastLoadedCPU310 is find_idlest_cpu of 3.10: the CPU with the least load, this
// one among equals, else the first.
func leastLoadedCPU310(s *Sched, g *group, t *Task, thisCPU int32) int32 {
	idlest, minLoad := none, int64(1<<62)
	for _, ci := range g.cpus {
		if !t.Allowed(int(ci)) {
			continue
		}
		if load := s.weightedCPULoad(ci); load < minLoad || load == minLoad && ci == thisCPU {
			idlest, minLoad = ci, load
		}
	}
	return idlest
}
