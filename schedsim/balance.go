package schedsim

// Finding what to balance, as of v5.10: group statistics, the busiest group,
// how much and what to move, and from which runqueue.

type idleType uint8

const (
	cpuNotIdle idleType = iota
	cpuIdle
	cpuNewlyIdle
)

type migrationType uint8

const (
	migrateLoad migrationType = iota
	migrateUtil
	migrateTask
)

// lbEnv is struct lb_env: one load_balance pass.
type lbEnv struct {
	d         *Domain
	dst       int32
	idle      idleType
	imbalance int64
	kind      migrationType
}

// shouldWeBalance lets one CPU of the local group balance for it: the first
// idle one, else the first.
func (s *Sched) shouldWeBalance(env *lbEnv) bool {
	if env.idle == cpuNewlyIdle {
		return true
	}
	g := env.d.groups[0]
	for _, ci := range g.cpus {
		if s.idle(ci) {
			return ci == env.dst
		}
	}
	return g.cpus[0] == env.dst
}

// balanceGroupStats is update_sg_lb_stats. It reports whether a runqueue has
// more than one task.
func (s *Sched) balanceGroupStats(env *lbEnv, g *group) (st groupStats, overload bool) {
	st = groupStats{g: g, weight: len(g.cpus), capacity: s.groupCapacity(g)}
	for _, ci := range g.cpus {
		c := &s.cpus[ci]
		if env.idle == cpuNewlyIdle && c.nohz && c.hasBlockedLoad && c.blockedUpdate != s.jiffies {
			c.blockedUpdate = s.jiffies
			s.updateBlockedAverages(ci)
		}
		st.load += s.cpuLoad(ci)
		st.util += s.cpuUtil(ci)
		st.runnable += s.cfs[ci].avg.runnable
		st.hNr += int(s.cfs[ci].hNr)
		st.nrRunning += int(c.nrRunning)
		if c.nrRunning > 1 {
			overload = true
		}
		if c.nrRunning == 0 && s.idle(ci) {
			st.idle++
		}
	}
	st.kind = s.groupTypeOf(&st, env.d.imbalancePct)
	if st.kind == groupOverloaded {
		st.avgLoad = st.load * capacityScale / st.capacity
	}
	return st, overload
}

// busier is update_sd_pick_busiest.
func busier(a, b *groupStats) bool {
	if a.hNr == 0 {
		return false
	}
	if b.g == nil {
		return true
	}
	if a.kind != b.kind {
		return a.kind > b.kind
	}
	switch a.kind {
	case groupOverloaded, groupFullyBusy:
		return a.avgLoad > b.avgLoad
	case groupHasSpare:
		if a.idle != b.idle {
			return a.idle < b.idle
		}
		return a.nrRunning > b.nrRunning
	}
	return false
}

// findBusiestGroup returns the group to take from, with env.kind and
// env.imbalance set, or nil if the domain is balanced.
func (s *Sched) findBusiestGroup(env *lbEnv) *group {
	d := env.d
	var local, busiest groupStats
	var totalLoad, totalCapacity, totalUtil int64
	overload := false
	for i, g := range d.groups {
		st, over := s.balanceGroupStats(env, g)
		overload = overload || over
		totalLoad += st.load
		totalUtil += st.util
		totalCapacity += st.capacity
		if i == 0 {
			local = st
		} else if busier(&st, &busiest) {
			busiest = st
		}
	}
	if d == &s.cpus[env.dst].domains[len(s.cpus[env.dst].domains)-1] {
		s.overload = overload // the root domain's flag, set at the top level
	}
	s.updateIdleCPUScan(env, totalUtil)
	if busiest.g == nil {
		return nil
	}
	avg := totalLoad * capacityScale / totalCapacity
	if busiest.kind != groupImbalanced {
		if local.kind > busiest.kind {
			return nil
		}
		if local.kind == groupOverloaded {
			if local.avgLoad >= busiest.avgLoad || local.avgLoad >= avg ||
				100*busiest.avgLoad <= int64(d.imbalancePct)*local.avgLoad {
				return nil
			}
		}
		force := d.childPrefer && local.kind == groupHasSpare && busiest.nrRunning > local.nrRunning+1
		if !force && busiest.kind != groupOverloaded {
			if env.idle == cpuNotIdle ||
				busiest.weight > 1 && local.idle <= busiest.idle+1 ||
				busiest.hNr == 1 {
				return nil
			}
		}
	}
	s.calculateImbalance(env, &local, &busiest, avg)
	if env.imbalance <= 0 {
		return nil
	}
	return busiest.g
}

// calculateImbalance decides what kind of thing to move, and how much.
func (s *Sched) calculateImbalance(env *lbEnv, local, busiest *groupStats, avg int64) {
	d := env.d
	if busiest.kind == groupImbalanced {
		env.kind, env.imbalance = migrateTask, 1
		return
	}
	if local.kind == groupHasSpare {
		if busiest.kind > groupFullyBusy && !d.sharePkg {
			env.kind = migrateUtil
			env.imbalance = max(local.capacity, local.util) - local.util
			if env.imbalance == 0 && env.idle != cpuNotIdle {
				env.kind, env.imbalance = migrateTask, 1
			}
			return
		}
		env.kind = migrateTask
		if busiest.weight == 1 || d.childPrefer {
			env.imbalance = int64(max(busiest.nrRunning-local.nrRunning, 0)) >> 1
		} else {
			env.imbalance = int64(max(0, (local.idle-busiest.idle)>>1))
		}
		if d.numa && busiest.nrRunning <= numaImbalanceMin {
			env.imbalance = 0
		}
		return
	}
	if local.kind < groupOverloaded {
		local.avgLoad = local.load * capacityScale / local.capacity
		if local.avgLoad >= busiest.avgLoad {
			env.imbalance = 0
			return
		}
	}
	env.kind = migrateLoad
	// Unsigned, as in the kernel: if the local group is above the average
	// already, the other term decides.
	env.imbalance = int64(min(uint64((busiest.avgLoad-avg)*busiest.capacity),
		uint64((avg-local.avgLoad)*local.capacity)) / capacityScale)
}

// numaImbalanceMin is how many tasks a node may have while the other is idle:
// a pair that communicates is left together (adjust_numa_imbalance, 5.7).
const numaImbalanceMin = 2

// findBusiestQueue returns the runqueue to take from, or none.
func (s *Sched) findBusiestQueue(env *lbEnv, g *group) int32 {
	busiest, most := none, int64(0)
	for _, ci := range g.cpus {
		nr := int64(s.cfs[ci].hNr)
		switch env.kind {
		case migrateLoad:
			load := s.cpuLoad(ci)
			if nr == 1 && load > env.imbalance {
				continue
			}
			if load > most {
				busiest, most = ci, load
			}
		case migrateUtil:
			if nr <= 1 {
				continue
			}
			if util := s.cpuUtil(ci); util > most {
				busiest, most = ci, util
			}
		case migrateTask:
			if nr > most {
				busiest, most = ci, nr
			}
		}
	}
	return busiest
}
