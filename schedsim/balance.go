package schedsim

// Finding what to balance, as kernels since v5.5 do: group statistics, the busiest
// group, how much and what to move, and from which runqueue. balance_old.go has what
// they did before.

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

// Flags of a pass.
const (
	lbfAllPinned  uint8 = 1 << iota // LBF_ALL_PINNED: no task seen yet may run on dst
	lbfNeedBreak                    // LBF_NEED_BREAK: take a breather
	lbfDstPinned                    // LBF_DST_PINNED, in v3.10 LBF_SOME_PINNED: newDst is another CPU to try
	lbfSomePinned                   // LBF_SOME_PINNED: a task may not run on dst
)

// lbEnv is struct lb_env: one load_balance pass.
type lbEnv struct {
	d         *Domain
	dst, src  int32
	newDst    int32
	idle      idleType
	kind      migrationType
	flags     uint8
	partial   bool // not all CPUs of the groups take part (env->cpus): see takesPart
	imbalance int64

	loop, loopBreak, loopMax int
}

// lbState is what passes share.
type lbState struct {
	excluded cpuMask  // CPUs that the pass in progress gave up
	detached []TaskID // on their way between runqueues
}

func (s *Sched) buildBalance() {
	s.lb = lbState{
		excluded: newCPUMask(len(s.cpus)),
		detached: make([]TaskID, 0, max(s.k.SchedNrMigrate, 32)),
	}
}

// takesPart reports whether the pass looks at a CPU of a group.
func (s *Sched) takesPart(env *lbEnv, ci int32) bool {
	return !env.partial || !s.lb.excluded.has(int(ci)) && (!env.d.beyond || env.d.mask.has(int(ci)))
}

// exclude takes a CPU out of the pass.
func (s *Sched) exclude(env *lbEnv, ci int32) {
	s.openExcluded(env)
	s.lb.excluded.set(int(ci))
}

// openExcluded empties the set of CPUs that are out, the first time in a pass.
func (s *Sched) openExcluded(env *lbEnv) {
	if !env.partial {
		clear(s.lb.excluded)
		env.partial = true
	}
}

// shouldWeBalance lets one CPU of the local group balance for it: the first
// idle one, else the first. Since v6.0 a CPU that is newly idle does not if it has got
// something to run meanwhile; since v6.6 CPUs of idle cores go before idle siblings of
// busy ones.
func (s *Sched) shouldWeBalance(env *lbEnv) bool {
	if env.idle == cpuNewlyIdle {
		c := &s.cpus[env.dst]
		return !s.since(6, 0) || c.nrRunning == 0 && len(c.wakeList) == 0
	}
	g := env.d.groups[0]
	cores := s.since(6, 6) && s.smtPresent && !env.d.smt
	sibling := none
	for _, ci := range g.cpus {
		if !s.idle(ci) || !s.takesPart(env, ci) {
			continue
		}
		if cores && !s.siblingsIdle(ci) {
			if sibling == none {
				sibling = ci
			}
			continue
		}
		return ci == env.dst
	}
	if sibling != none {
		return sibling == env.dst
	}
	return g.cpus[0] == env.dst
}

// siblingsIdle is is_core_idle: the other threads of a CPU's core are idle.
func (s *Sched) siblingsIdle(ci int32) bool {
	for _, sib := range s.smt[ci] {
		if int32(sib) != ci && !s.idle(int32(sib)) {
			return false
		}
	}
	return true
}

// balanceGroupStats is update_sg_lb_stats. It reports whether a runqueue has
// more than one task. Up to v5.11 a newly idle CPU updates the blocked load of those
// that are idle already.
func (s *Sched) balanceGroupStats(env *lbEnv, g *group) (st groupStats, overload bool) {
	st = groupStats{g: g, weight: len(g.cpus), capacity: s.groupCapacity(g)}
	stats := env.idle == cpuNewlyIdle && !s.since(5, 12)
	misfits := s.otherClasses && env.idle != cpuNotIdle && g != env.d.groups[0] && s.since(6, 1)
	for _, ci := range g.cpus {
		if !s.takesPart(env, ci) {
			continue
		}
		c := &s.cpus[ci]
		if stats && c.nohz && c.hasBlockedLoad && c.blockedUpdate != s.jiffies {
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
		if misfits && s.cfs[ci].hNr == 1 && s.reducedCapacity(ci, env.d) {
			st.misfit = max(st.misfit, s.cpuLoad(ci))
		}
		if c.nrRunning == 0 && s.idle(ci) {
			st.idle++
		}
	}
	st.kind = s.groupTypeOf(&st, env.d.imbalancePct)
	if g != env.d.groups[0] && st.kind < groupImbalanced {
		s.groupTypeByThreads(env, &st)
	}
	if st.kind == groupOverloaded {
		st.avgLoad = st.load * capacityScale / st.capacity
	}
	return st, overload
}

// groupTypeByThreads makes a group one to take from because of which of its CPUs run
// what: CPUs of lower priority than dst where the domain has SD_ASYM_PACKING (higher
// numbers, as on POWER7), since v6.6 a core on which two tasks run, and since v6.1 a CPU
// whose only fair task higher classes slow down.
func (s *Sched) groupTypeByThreads(env *lbEnv, st *groupStats) {
	if env.idle == cpuNotIdle || st.hNr == 0 {
		return
	}
	g := st.g
	if st.misfit > 0 {
		st.kind = groupMisfit
	}
	if s.since(6, 6) && g.smt && st.hNr > 1 {
		st.kind = groupSMTBalance
	}
	if env.d.asym && env.dst < g.cpus[0] {
		if s.since(6, 6) && (g.smt && st.weight-st.idle != 1 || s.smtPresent && !env.d.smt && !s.siblingsIdle(env.dst)) {
			return
		}
		st.kind = groupAsymPacking
	}
}

// pickBusiest is update_sd_pick_busiest: what busier does, with the cases that need
// more than the sums of both groups.
func (s *Sched) pickBusiest(a, b *groupStats) bool {
	if a.hNr == 0 || b.g == nil || a.kind != b.kind {
		return busier(a, b)
	}
	switch {
	case a.kind == groupAsymPacking:
		if s.since(6, 12) {
			return a.g.cpus[0] > b.g.cpus[0]
		}
		return a.g.cpus[0] >= b.g.cpus[0] // from the lowest priority
	case a.kind == groupMisfit:
		return a.misfit > b.misfit || a.misfit == b.misfit && !s.since(6, 12)
	case !s.since(6, 6):
		return busier(a, b)
	case a.kind == groupSMTBalance && a.idle == 0 && b.idle == 0, a.kind == groupFullyBusy:
		return a.avgLoad > b.avgLoad || a.avgLoad == b.avgLoad && !b.g.smt
	case a.kind == groupHasSpare && a.g.smt != b.g.smt:
		// A core with one task is not emptied for the sake of a CPU without
		// siblings.
		return !a.g.smt || a.hNr > 1
	case a.kind == groupSMTBalance:
		return fewerIdle(a, b)
	}
	return busier(a, b)
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
		return fewerIdle(a, b)
	}
	return false
}

func fewerIdle(a, b *groupStats) bool {
	if a.idle != b.idle {
		return a.idle < b.idle
	}
	return a.nrRunning > b.nrRunning
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
		} else if s.pickBusiest(&st, &busiest) {
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
	switch busiest.kind {
	case groupImbalanced, groupAsymPacking, groupMisfit:
	default:
		if local.kind > busiest.kind {
			return nil
		}
		if local.kind == groupOverloaded {
			if local.avgLoad >= busiest.avgLoad || local.avgLoad >= avg ||
				100*busiest.avgLoad <= int64(d.imbalancePct)*local.avgLoad {
				return nil
			}
		}
		force := s.prefersSibling(d, busiest.g) && local.kind == groupHasSpare && s.siblingImbalance(env, &local, &busiest) > 1
		if !force && busiest.kind != groupOverloaded {
			switch {
			case env.idle == cpuNotIdle:
				return nil
			case busiest.kind == groupSMTBalance && !local.g.smt:
				// CPUs without siblings help cores out.
			case busiest.weight > 1 && local.idle <= busiest.idle+1, busiest.hNr == 1:
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

// prefersSibling reports whether tasks are to be spread over the groups of a domain
// rather than packed: by the flag of the child domain, since v6.6 by that of the busiest
// group.
func (s *Sched) prefersSibling(d *Domain, busiest *group) bool {
	if s.since(6, 6) {
		return busiest.prefer
	}
	return d.childPrefer
}

// siblingImbalance is how many more tasks run in the busiest group; since v6.6 by cores,
// and nothing for a CPU that is not idle (sibling_imbalance).
func (s *Sched) siblingImbalance(env *lbEnv, local, busiest *groupStats) int64 {
	more := max(busiest.nrRunning-local.nrRunning, 0)
	if !s.since(6, 6) {
		return int64(more)
	}
	if env.idle == cpuNotIdle || busiest.nrRunning == 0 {
		return 0
	}
	nl, nb := local.g.cores, busiest.g.cores
	if nl == nb {
		return int64(more)
	}
	imbalance := max(nl*busiest.nrRunning-nb*local.nrRunning, 0)
	imbalance = (2*imbalance + nl + nb) / (nl + nb)
	if imbalance <= 1 && local.nrRunning == 0 && busiest.nrRunning > 1 {
		imbalance = 2
	}
	return int64(imbalance)
}

// allowedNumaImbalance takes from an imbalance between nodes, in tasks, what may stay
// (adjust_numa_imbalance): a pair that communicates is left together. Since v5.18 as
// long as the local node has few tasks; before, if there is no other on the busiest.
func (s *Sched) allowedNumaImbalance(env *lbEnv, local, busiest *groupStats) {
	if s.since(5, 18) {
		if local.nrRunning+1 <= env.d.imbNumaNr && env.imbalance <= numaImbalanceMin {
			env.imbalance = 0
		}
	} else if busiest.nrRunning <= numaImbalanceMin {
		env.imbalance = 0
	}
}

// calculateImbalance decides what kind of thing to move, and how much.
func (s *Sched) calculateImbalance(env *lbEnv, local, busiest *groupStats, avg int64) {
	d := env.d
	switch busiest.kind {
	case groupImbalanced, groupSMTBalance:
		env.kind, env.imbalance = migrateTask, 1
		return
	case groupAsymPacking:
		env.kind, env.imbalance = migrateTask, int64(busiest.hNr)
		return
	case groupMisfit:
		env.kind, env.imbalance = migrateLoad, busiest.misfit
		return
	}
	if local.kind == groupHasSpare {
		if busiest.kind > groupFullyBusy && (!d.sharePkg || !s.since(5, 10)) {
			env.kind = migrateUtil
			env.imbalance = max(local.capacity, local.util) - local.util
			if env.imbalance == 0 && env.idle != cpuNotIdle {
				env.kind, env.imbalance = migrateTask, 1
			}
			return
		}
		env.kind = migrateTask
		if busiest.weight == 1 || s.prefersSibling(d, busiest.g) {
			env.imbalance = s.siblingImbalance(env, local, busiest)
		} else {
			env.imbalance = int64(max(0, local.idle-busiest.idle))
		}
		if d.numa {
			s.allowedNumaImbalance(env, local, busiest)
		}
		env.imbalance >>= 1
		return
	}
	if local.kind < groupOverloaded {
		local.avgLoad = local.load * capacityScale / local.capacity
		if local.avgLoad >= busiest.avgLoad {
			env.imbalance = 0
			return
		}
		// v6.4, and the stable series of v6.1.
		if s.since(6, 1) && local.avgLoad >= avg {
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

// numaImbalanceMin is NUMA_IMBALANCE_MIN: tasks that may stay on a node while the other
// is idle.
const numaImbalanceMin = 2

// findBusiestQueue returns the runqueue to take from, or none.
func (s *Sched) findBusiestQueue(env *lbEnv, g *group) int32 {
	if !s.since(5, 5) {
		return s.findBusiestQueueOld(env, g)
	}
	busiest, most, mostCapacity := none, int64(0), int64(1)
	asym := env.d.asym && s.since(5, 16)
	for _, ci := range g.cpus {
		if !s.takesPart(env, ci) {
			continue
		}
		nr := int64(s.cfs[ci].hNr)
		if asym && nr == 1 && ci < env.dst && !(s.since(6, 6) && s.smtPresent && !env.d.smt && !s.siblingsIdle(ci)) {
			continue // a CPU of higher priority keeps its task
		}
		switch env.kind {
		case migrateLoad:
			load := s.cpuLoad(ci)
			if nr == 1 && load > env.imbalance && !s.reducedCapacity(ci, env.d) {
				continue
			}
			if capacity := max(s.capacityOf(ci), 1); load*mostCapacity > most*capacity {
				busiest, most, mostCapacity = ci, load, capacity
			}
		case migrateUtil:
			if nr <= 1 {
				continue
			}
			util := s.cpuUtil(ci)
			if s.since(6, 5) {
				util = min(max(util, s.cfs[ci].avg.runnable), capacityScale) // cpu_util_cfs_boost
			}
			if util > most {
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
