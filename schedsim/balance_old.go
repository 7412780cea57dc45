package schedsim

// Finding what to balance before v5.5: everything is load, and one task more or less is
// decided by fix_small_imbalance. v3.10 counts a group's capacity in tasks and calls a
// group imbalanced if the tasks on its CPUs are; v4.18 classifies by utilisation and by
// whether affinity was in the way below.

// oldGroup is what v3.10 and v4.18 know of a group (struct sg_lb_stats). Loads are
// unsigned, and wrap, as the kernel's do.
type oldGroup struct {
	g           *group
	power       uint64    // of the group: cpu_power, capacity
	kind        groupType // v4.18: groupHasSpare stands for group_other
	load        uint64    // biased
	weighted    uint64    // not biased
	util        uint64
	nr          uint64 // tasks; those of other classes only in v3.10
	idle        int
	avgLoad     uint64
	loadPerTask uint64
	capacity    uint64 // v3.10: how many tasks it is made for
	noCapacity  bool   // v4.18: more tasks than CPUs, and those used up
	hasCapacity bool   // v3.10
	imbalanced  bool   // v3.10
}

// groupStatsOld is update_sg_lb_stats. It reports whether a runqueue has more than one
// task.
func (s *Sched) groupStatsOld(env *lbEnv, g *group, idx int) (st oldGroup, overload bool) {
	st.g, st.power = g, uint64(s.groupCapacity(g))
	local := g == env.d.groups[0]
	old := s.pelt == peltV310
	var maxLoad, maxNr uint64
	minLoad, minNr := ^uint64(0), ^uint64(0)
	for _, ci := range g.cpus {
		if !s.takesPart(env, ci) {
			continue
		}
		c := &s.cpus[ci]
		if !old && env.idle == cpuNewlyIdle && s.nohzHasBlocked && c.nohz && c.hasBlockedLoad && c.blockedUpdate != s.jiffies {
			c.blockedUpdate = s.jiffies
			s.updateBlockedAverages(ci)
		}
		var load uint64
		if local {
			load = uint64(s.targetLoad(ci, idx))
		} else {
			load = uint64(s.sourceLoad(ci, idx))
		}
		nr := uint64(c.nrRunning)
		if !local {
			maxLoad, minLoad = max(maxLoad, load), min(minLoad, load)
			maxNr, minNr = max(maxNr, nr), min(minNr, nr)
		}
		st.load += load
		st.weighted += uint64(s.weightedCPULoad(ci))
		st.util += uint64(s.cpuUtil(ci))
		if old {
			st.nr += nr
		} else {
			st.nr += uint64(s.cfs[ci].hNr)
		}
		overload = overload || nr > 1
		if s.idle(ci) {
			st.idle++
		}
	}
	st.avgLoad = st.load * capacityScale / st.power
	if st.nr > 0 {
		st.loadPerTask = st.weighted / st.nr
	}
	if old {
		st.imbalanced = maxLoad-minLoad >= st.loadPerTask && maxNr-minNr > 1 && !local
		st.capacity = uint64(s.tasksFit(env.d, g.cpus[0], int64(st.power)))
		st.hasCapacity = st.capacity > st.nr
		return st, overload
	}
	st.noCapacity = st.nr > uint64(len(g.cpus)) && st.power*100 < st.util*uint64(env.d.imbalancePct)
	st.classify()
	return st, overload
}

// tasksFit turns power into a number of tasks, to the nearest: at least one among the
// threads of a core, unless a tenth of it is taken by others (group_capacity,
// fix_small_capacity).
func (s *Sched) tasksFit(d *Domain, ci int32, power int64) int64 {
	n := (power + capacityScale/2) / capacityScale
	if n == 0 && d.smt && power*32 > s.capacityOrigOf(ci)*29 {
		return 1
	}
	return n
}

// classify is group_classify of v4.18.
func (g *oldGroup) classify() {
	switch {
	case g.noCapacity:
		g.kind = groupOverloaded
	case g.g.imbalance:
		g.kind = groupImbalanced
	default:
		g.kind = groupHasSpare
	}
}

// roomV418 is group_has_capacity.
func (g *oldGroup) roomV418(pct int) bool {
	return g.nr < uint64(len(g.g.cpus)) || g.power*100 > g.util*uint64(pct)
}

// room reports whether the group could take tasks.
func (s *Sched) room(env *lbEnv, g *oldGroup) bool {
	if s.pelt == peltV310 {
		return g.hasCapacity
	}
	return g.roomV418(env.d.imbalancePct)
}

// busierOld is update_sd_pick_busiest: whether a is busier than b, the busiest so far.
func (s *Sched) busierOld(env *lbEnv, a, b *oldGroup) bool {
	if s.pelt == peltV310 {
		if a.avgLoad <= b.avgLoad {
			return false
		}
		return a.nr > a.capacity || a.imbalanced ||
			env.d.asym && a.nr > 0 && env.dst < a.g.cpus[0] && (b.g == nil || a.g.cpus[0] < b.g.cpus[0])
	}
	switch {
	case a.kind != b.kind:
		return a.kind > b.kind
	case a.avgLoad <= b.avgLoad:
		return false
	case !env.d.asym || env.idle == cpuNotIdle:
		return true
	}
	return a.nr > 0 && env.dst < a.g.cpus[0] && (b.g == nil || a.g.cpus[0] > b.g.cpus[0])
}

// findBusiestGroupOld is find_busiest_group before v5.5.
func (s *Sched) findBusiestGroupOld(env *lbEnv) *group {
	d := env.d
	old := s.pelt == peltV310
	idx := d.loadIdx(env.idle)
	var local, busiest oldGroup
	var totalLoad, totalPower uint64
	overload := false
	for i, g := range d.groups {
		st, over := s.groupStatsOld(env, g, idx)
		overload = overload || over
		totalLoad += st.load
		totalPower += st.power
		if i == 0 {
			local = st
			continue
		}
		// The child domain wants tasks on its siblings: what a group has too much is to
		// come here as long as there is room.
		if d.childPrefer && s.room(env, &local) {
			switch {
			case old:
				st.capacity = min(st.capacity, 1)
			case st.nr > local.nr+1:
				st.noCapacity = true
				st.classify()
			}
		}
		if s.busierOld(env, &st, &busiest) {
			busiest = st
		}
	}
	if !old && d == &s.cpus[env.dst].domains[len(s.cpus[env.dst].domains)-1] {
		s.overload = overload
	}

	if d.asym && env.idle != cpuNotIdle && busiest.g != nil && env.dst <= busiest.g.cpus[0] {
		// check_asym_packing
		env.imbalance = int64((busiest.avgLoad*busiest.power + capacityScale/2) / capacityScale)
		return busiest.g
	}
	if busiest.g == nil || busiest.nr == 0 {
		return nil
	}
	avg := totalLoad * capacityScale / totalPower
	if !s.balancedOld(env, &local, &busiest, avg) {
		s.calculateImbalanceOld(env, &local, &busiest, avg)
		return busiest.g
	}
	return nil
}

// balancedOld reports whether the local group had better not take anything.
func (s *Sched) balancedOld(env *lbEnv, local, busiest *oldGroup, avg uint64) bool {
	old := s.pelt == peltV310
	switch {
	case busiest.imbalanced || busiest.kind == groupImbalanced:
		return false // averages mislead where tasks are bound
	case old && env.idle == cpuNewlyIdle && local.hasCapacity && !busiest.hasCapacity,
		!old && env.idle != cpuNotIdle && s.room(env, local) && busiest.noCapacity:
		return false
	case local.avgLoad >= busiest.avgLoad, local.avgLoad >= avg:
		return true
	case env.idle != cpuIdle:
		return 100*busiest.avgLoad <= uint64(env.d.imbalancePct)*local.avgLoad
	case local.idle > busiest.idle+1:
		return false
	case old:
		return busiest.nr <= uint64(len(busiest.g.cpus))
	}
	return busiest.kind != groupOverloaded
}

// calculateImbalanceOld sets how much load to move (calculate_imbalance).
func (s *Sched) calculateImbalanceOld(env *lbEnv, local, busiest *oldGroup, avg uint64) {
	old := s.pelt == peltV310
	imbalanced := busiest.imbalanced || busiest.kind == groupImbalanced
	if imbalanced {
		busiest.loadPerTask = min(busiest.loadPerTask, avg)
	}
	if old && busiest.avgLoad < avg || !old && (busiest.avgLoad <= avg || local.avgLoad >= avg) {
		env.imbalance = 0
		s.fixSmallImbalance(env, local, busiest)
		return
	}
	// Not so much that CPUs of the busiest group would go idle.
	above := ^uint64(0)
	if old && !imbalanced {
		above = (busiest.nr - busiest.capacity) * (1024 * capacityScale) / busiest.power
	}
	if !old && busiest.kind == groupOverloaded && local.kind == groupOverloaded {
		if have := busiest.nr * capacityScale; have > busiest.power {
			above = (have - busiest.power) * 1024 / busiest.power
		}
	}
	pull := min(busiest.avgLoad-avg, above)
	env.imbalance = int64(min(pull*busiest.power, (avg-local.avgLoad)*local.power) / capacityScale)
	if uint64(env.imbalance) < busiest.loadPerTask {
		s.fixSmallImbalance(env, local, busiest)
	}
}

// fixSmallImbalance makes one task's load of an imbalance that is less, if the groups
// differ by that much, or if more would get done then (fix_small_imbalance).
func (s *Sched) fixSmallImbalance(env *lbEnv, local, busiest *oldGroup) {
	times := uint64(2)
	if local.nr == 0 {
		local.loadPerTask = uint64(s.cpuAvgLoadPerTask(env.dst))
	} else if busiest.loadPerTask > local.loadPerTask {
		times = 1
	}
	scaled := busiest.loadPerTask * capacityScale / busiest.power
	if s.pelt == peltV310 {
		if busiest.avgLoad-local.avgLoad+scaled >= scaled*times {
			env.imbalance = int64(busiest.loadPerTask)
			return
		}
	} else if busiest.avgLoad+scaled >= local.avgLoad+scaled*times {
		env.imbalance = int64(busiest.loadPerTask)
		return
	}

	// What gets done now, and with a task less there and one more here.
	now := (busiest.power*min(busiest.loadPerTask, busiest.avgLoad) +
		local.power*min(local.loadPerTask, local.avgLoad)) / capacityScale
	moved := uint64(0)
	if busiest.avgLoad > scaled {
		moved += busiest.power * min(busiest.loadPerTask, busiest.avgLoad-scaled)
	}
	added := busiest.loadPerTask * capacityScale / local.power
	if busiest.avgLoad*busiest.power < busiest.loadPerTask*capacityScale {
		added = busiest.avgLoad * busiest.power / local.power
	}
	moved += local.power * min(local.loadPerTask, local.avgLoad+added)
	if moved/capacityScale > now {
		env.imbalance = int64(busiest.loadPerTask)
	}
}

// findBusiestQueueOld is find_busiest_queue before v5.5: the highest load by capacity. A
// queue with one task that is more than the imbalance is no use; but in v3.10 for CPUs
// that are made for less than half a task.
func (s *Sched) findBusiestQueueOld(env *lbEnv, g *group) int32 {
	old := s.pelt == peltV310
	busiest, most, mostCapacity := none, int64(0), int64(1)
	fbq := s.fbqOfGroup(env, g)
	for _, ci := range g.cpus {
		if !s.takesPart(env, ci) || fbq != fbqAll && s.fbqOfRQ(ci) > fbq {
			continue
		}
		c := &s.cpus[ci]
		load := s.weightedCPULoad(ci)
		capacity := max(s.capacityOf(ci), 1)
		if c.nrRunning == 1 && load > env.imbalance && !(old && s.tasksFit(env.d, ci, capacity) == 0) && !s.reducedCapacity(ci, env.d) {
			continue
		}
		if old {
			load = load * capacityScale / capacity
			if load > most {
				busiest, most = ci, load
			}
		} else if load*mostCapacity > most*capacity {
			busiest, most, mostCapacity = ci, load, capacity
		}
	}
	return busiest
}
