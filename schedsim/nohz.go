package schedsim

// Balancing for idle CPUs without a tick, by version: who is kicked when, and what it
// does then. (balanceNohz is what v5.10 does, and the loop that v4.18 and v5.9 share
// with it.)

// What a CPU is kicked for.
const (
	nohzBalanceKick uint8 = 1 << iota // NOHZ_BALANCE_KICK: balance
	nohzStatsKick                     // NOHZ_STATS_KICK: decay blocked load, since v4.17
	nohzNextKick                      // NOHZ_NEXT_KICK: collect next_balance, since v5.14
)

// nohzBalancerKick is the decision of nohz_kick_needed and nohz_balancer_kick at a tick of ci.
func (s *Sched) nohzBalancerKick(ci int32) {
	flags := uint8(0)
	if s.since(4, 17) && s.nohzHasBlocked && s.jiffies > s.nohzNextBlocked {
		flags = nohzStatsKick
	}
	if s.jiffies >= s.nohzNext && s.needsILB(ci) {
		flags = nohzBalanceKick | nohzStatsKick
	}
	if s.since(5, 14) && s.nohzNeedsUpdate {
		flags |= nohzNextKick
	}
	if flags != 0 {
		s.kickILB(ci, flags)
	}
}

// needsILB reports whether ci has tasks that idle CPUs could take: two or more; or its
// last-level cache has another busy CPU, in v3.10 its own core or module; or higher
// classes take its time; or a CPU that is preferred to it is idle.
func (s *Sched) needsILB(ci int32) bool {
	c := &s.cpus[ci]
	if c.nrRunning >= 2 {
		return true
	}
	if !s.since(3, 12) {
		return s.needsILBV310(ci)
	}
	if len(c.domains) > 0 && s.cfs[ci].hNr >= 1 && s.reducedCapacity(ci, &c.domains[0]) {
		return true
	}
	for i := len(c.domains) - 1; i >= 0; i-- {
		if d := &c.domains[i]; d.asym { // the highest
			if s.preferredIdle(d, ci) {
				return true
			}
			break
		}
	}
	l := &s.llcs[c.llc]
	return l.cpus-l.nohz > 1
}

// needsILBV310 goes up the domains that share a cache and looks at the CPU's own group
// there: more than one of its CPUs is busy, or in an SD_ASYM_PACKING domain not all are
// and a lower one is idle.
func (s *Sched) needsILBV310(ci int32) bool {
	c := &s.cpus[ci]
	for i := range c.domains {
		d := &c.domains[i]
		busy := 0
		for _, g := range d.groups[0].cpus {
			if !s.cpus[g].sdIdle {
				busy++
			}
		}
		switch {
		case d.sharePkg && busy > 1:
			return true
		case d.asym && busy != len(d.groups[0].cpus) && s.preferredIdle(d, ci):
			return true
		case !d.sharePkg && !d.asym:
			return false
		}
	}
	return false
}

// preferredIdle reports whether a CPU of a lower number is idle without a tick; since
// v6.6 one whose core is idle, if cores are balanced.
func (s *Sched) preferredIdle(d *Domain, ci int32) bool {
	for _, i := range d.span {
		if i >= ci {
			return false
		}
		if s.cpus[i].nohz && !(s.since(6, 6) && s.smtPresent && !d.smt && !s.siblingsIdle(i)) {
			return true
		}
	}
	return false
}

// kickILB interrupts the CPU that is to balance for the others: the lowest in the nohz
// mask, before v5.0 only if it is idle indeed.
func (s *Sched) kickILB(ci int32, flags uint8) {
	switch {
	case !s.since(5, 0):
		s.nohzNext++
	case flags&nohzBalanceKick != 0:
		s.nohzNext = s.jiffies + 1
	}
	for _, i := range s.online {
		c := &s.cpus[i]
		if !c.nohz || i == ci {
			continue
		}
		if !s.idle(i) {
			if !s.since(5, 0) {
				return
			}
			continue
		}
		kicked := c.nohzFlags != 0
		c.nohzFlags |= flags
		if !kicked {
			s.sendIPI(ci, i, ipiNohz)
		}
		return
	}
}

// nohzIdleBalance is the softirq that a kick raises on an idle CPU.
func (s *Sched) nohzIdleBalance(ci int32) {
	me := &s.cpus[ci]
	flags := me.nohzFlags
	me.nohzFlags = 0
	if flags == 0 || !s.idle(ci) {
		return // work came first
	}
	s.at(ci)
	s.lbWork = 0
	switch {
	case !s.since(3, 12):
		s.balanceNohzV310(ci)
	case s.since(5, 12):
		s.balanceNohzV61(ci, flags)
	default:
		s.balanceNohz(ci, flags&nohzBalanceKick != 0, true)
	}
	me.owedWork += s.lbWork
}

// balanceNohzV310 balances for ci first and then for every idle CPU of the mask, whether
// or not it is time (rebalance_domains, nohz_idle_balance of v3.10).
func (s *Sched) balanceNohzV310(ci int32) {
	me := &s.cpus[ci]
	s.rebalanceDomains(ci, cpuIdle)
	for _, i := range s.online {
		c := &s.cpus[i]
		if i == ci || !c.nohz || !s.idle(i) {
			continue
		}
		if me.nrRunning > 0 {
			break // need_resched
		}
		s.cpuLoadIdle(i)
		s.rebalanceDomains(i, cpuIdle)
		me.nextBalance = min(me.nextBalance, c.nextBalance)
	}
	s.nohzNext = me.nextBalance
}

// balanceNohzV61 is _nohz_idle_balance since v5.12: it goes round from the next CPU and
// ends with ci, so that the others get work first.
func (s *Sched) balanceNohzV61(ci int32, flags uint8) {
	me := &s.cpus[ci]
	stats := flags&nohzStatsKick != 0
	if stats {
		s.nohzHasBlocked = false
	}
	if flags&nohzNextKick != 0 {
		s.nohzNeedsUpdate = false
	}
	next, update, blocked := s.jiffies+60*int64(s.k.HZ), false, false
	n := int32(len(s.cpus))
	for off := int32(1); off <= n; off++ {
		i := (ci + off) % n
		c := &s.cpus[i]
		if !c.nohz || !s.idle(i) {
			continue
		}
		if me.nrRunning > 0 || len(me.wakeList) > 0 {
			// need_resched
			s.nohzHasBlocked = s.nohzHasBlocked || stats
			s.nohzNeedsUpdate = s.nohzNeedsUpdate || flags&nohzNextKick != 0
			return
		}
		if stats && s.updateNohzStats(i) {
			blocked = true
		}
		if flags&nohzBalanceKick != 0 && s.jiffies >= c.nextBalance {
			s.rebalanceDomains(i, cpuIdle)
		}
		if c.nextBalance < next {
			next, update = c.nextBalance, true
		}
	}
	if update {
		s.nohzNext = next
	}
	if stats {
		s.nohzNextBlocked = s.jiffies + (int64(s.k.HZ)*loadAvgPeriod+999)/1000
	}
	s.nohzHasBlocked = s.nohzHasBlocked || blocked
}

// updateNohzStats decays the blocked load of an idle CPU, once a jiffy, and reports
// whether there is some left (update_nohz_stats).
func (s *Sched) updateNohzStats(ci int32) bool {
	c := &s.cpus[ci]
	if !c.hasBlockedLoad {
		return false
	}
	if s.jiffies > c.blockedUpdate {
		s.updateBlockedAverages(ci)
	}
	return c.hasBlockedLoad
}

// nohzNewidleBalance decays blocked load for all idle CPUs when it is due and a CPU that
// goes idle expects to stay so (nohz_newidle_balance). Since v5.12 the idle loop does it
// first thing (nohz_run_idle_balance); here it comes right before.
func (s *Sched) nohzNewidleBalance(ci int32) {
	c := &s.cpus[ci]
	if c.avgIdle >= s.k.SchedMigrationCost && s.nohzHasBlocked && s.jiffies >= s.nohzNextBlocked {
		s.balanceNohzV61(ci, nohzStatsKick)
	}
}

// nohzKick asks an idle CPU without a tick to balance for all of them when
// this CPU has more than it can run (nohz_balancer_kick). nohz.go has it for other
// versions.
func (s *Sched) nohzKick(ci int32) {
	c := &s.cpus[ci]
	c.sdIdle = false
	if c.nohz {
		c.nohz = false // nohz_balance_exit_idle
		s.nohzCount--
		s.llcs[c.llc].nohz--
	}
	if s.nohzCount == 0 || !s.k.LoadBalance {
		return
	}
	s.nohzBalancerKick(ci)
}

// balanceNohz decays the blocked load of every idle CPU without a tick and, if
// balance is set, balances for it (_nohz_idle_balance). self includes ci.
func (s *Sched) balanceNohz(ci int32, balance, self bool) {
	me := &s.cpus[ci]
	blocked := false
	next, update := s.jiffies+60*int64(s.k.HZ), false
	for _, i := range s.online {
		c := &s.cpus[i]
		if i == ci || !c.nohz || !s.idle(i) {
			continue
		}
		if me.nrRunning > 0 {
			s.nohzHasBlocked = true
			return // need_resched: a task was moved here
		}
		if c.hasBlockedLoad {
			s.updateBlockedAverages(i)
			blocked = blocked || c.hasBlockedLoad
		}
		if s.cpuLoads != nil && s.jiffies >= c.nextBalance {
			s.cpuLoadIdle(i)
		}
		if balance && s.jiffies >= c.nextBalance {
			s.rebalanceDomains(i, cpuIdle)
		}
		if c.nextBalance < next {
			next, update = c.nextBalance, true
		}
	}
	if update {
		s.nohzNext = max(next, s.jiffies+1)
	}
	if self {
		s.updateBlockedAverages(ci)
		blocked = blocked || me.hasBlockedLoad
		if balance {
			s.rebalanceDomains(ci, cpuIdle)
			s.nohzNext = min(s.nohzNext, max(me.nextBalance, s.jiffies+1))
		}
	}
	s.nohzHasBlocked = blocked
	s.nohzNextBlocked = s.jiffies + int64(s.k.HZ)*loadAvgPeriod/1000
}
