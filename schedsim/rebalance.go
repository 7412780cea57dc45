package schedsim

// When to balance: newly idle, periodically, and for idle CPUs without a tick.

// loadBalance is one pass of load_balance over a domain for dst. It returns
// how many tasks it moved, and whether to go on to the next domain.
func (s *Sched) loadBalance(dst int32, d *Domain, idle idleType) (moved int, more bool) {
	env := lbEnv{d: d, dst: dst, idle: idle}
	s.lbWork += s.cost.BalanceBase
	more = s.shouldWeBalance(&env)
	src := none
	if more {
		if idle != cpuNewlyIdle && d == &s.cpus[dst].domains[0] {
			s.updateCPUCapacity(dst)
		}
		s.chargeStats(d)
		if g := s.findBusiestGroup(&env); g != nil {
			src = s.findBusiestQueue(&env, g)
		}
	}
	if src == none || src == dst {
		// Balanced, or somebody else's business (out_balanced).
		d.nrBalanceFailed = 0
		if idle != cpuNewlyIdle && d.balanceInterval < d.maxInterval {
			d.balanceInterval *= 2
		}
		return 0, more
	}
	if s.cpus[src].nrRunning > 1 {
		moved = s.detachTasks(&env, src)
		s.lbWork += int64(moved) * s.cost.MoveTask
	}
	active := false
	if moved == 0 {
		if idle != cpuNewlyIdle {
			d.nrBalanceFailed++
		}
		if d.nrBalanceFailed > d.cacheNiceTries+2 {
			b := &s.cpus[src]
			if b.curr != none && !s.tasks[b.curr].Allowed(int(dst)) {
				// out_one_pinned: pushing the running task would not help.
				if idle != cpuNewlyIdle && d.balanceInterval < d.maxInterval {
					d.balanceInterval *= 2
				}
				return 0, true
			}
			if !b.activeBalance {
				b.activeBalance = true
				b.pushCPU = dst
				active = true
				s.wakeStopper(dst, src)
			}
			d.nrBalanceFailed = d.cacheNiceTries + 1
		}
	} else {
		d.nrBalanceFailed = 0
	}
	if !active {
		d.balanceInterval = d.minInterval
	} else if d.balanceInterval < d.maxInterval {
		d.balanceInterval *= 2
	}
	return moved, true
}

// chargeStats adds up the work of a pass over a domain; the caller charges it.
func (s *Sched) chargeStats(d *Domain) {
	s.lbWork += int64(len(d.span)) * s.cost.BalanceCPU
	if !d.sharePkg {
		s.lbWork += int64(len(d.span)-len(d.groups[0].cpus)) * s.cost.BalanceRemote
	}
}

// newidleBalance pulls work to a CPU that is about to go idle. It reports
// whether there is something to run now.
func (s *Sched) newidleBalance(ci int32) bool {
	c := &s.cpus[ci]
	c.idleStamp = s.now
	s.at(ci)
	if c.avgIdle < s.k.SchedMigrationCost || !s.overload {
		if len(c.domains) > 0 {
			s.updateNextBalance(&c.domains[0], &c.nextBalance)
		}
		if c.avgIdle >= s.k.SchedMigrationCost && s.nohzHasBlocked && s.jiffies >= s.nohzNextBlocked {
			s.balanceNohz(ci, false, false) // nohz_newidle_balance
		}
		return false
	}
	s.updateBlockedAverages(ci)
	next := s.jiffies + int64(s.k.HZ)
	cost, pulled := int64(0), 0
	for i := range c.domains {
		d := &c.domains[i]
		if c.avgIdle < cost+d.maxNewidleCost {
			s.updateNextBalance(d, &next)
			break
		}
		if d.newidle {
			s.lbWork = 0
			pulled, _ = s.loadBalance(ci, d, cpuNewlyIdle)
			took := s.scale(c, s.lbWork)
			c.owedWork += s.lbWork
			d.maxNewidleCost = max(d.maxNewidleCost, took)
			cost += took
		}
		s.updateNextBalance(d, &next)
		if pulled > 0 || c.nrRunning > 0 {
			break
		}
	}
	c.maxIdleBalanceCost = max(c.maxIdleBalanceCost, cost)
	c.nextBalance = min(c.nextBalance, next)
	s.count.NewidlePulls += int64(pulled)
	if pulled == 0 && c.nrRunning == 0 {
		return false
	}
	c.idleStamp = 0
	return true
}

// interval is get_sd_balance_interval, in jiffies. While the run is aged it is
// shorter by that factor.
func (s *Sched) interval(d *Domain, busy bool) int64 {
	ms := d.balanceInterval
	if busy {
		ms *= d.busyFactor
	}
	j := (ms*int64(s.k.HZ)/s.aging + 999) / 1000 // msecs_to_jiffies rounds up
	if busy {
		j--
	}
	return min(max(j, 1), int64(s.k.HZ*len(s.online)/10))
}

func (s *Sched) updateNextBalance(d *Domain, next *int64) {
	*next = min(*next, d.lastBalance+s.interval(d, false))
}

// rebalanceDomains is the periodic balance of ci (rebalance_domains).
func (s *Sched) rebalanceDomains(ci int32, idle idleType) {
	if !s.k.LoadBalance {
		return
	}
	c := &s.cpus[ci]
	busy := idle != cpuIdle && !(s.since(5, 7) && s.SchedIdleCPU(int(ci)))
	next := s.jiffies + 60*int64(s.k.HZ)
	update, decayed, more := false, false, true
	maxCost := int64(0)
	for i := range c.domains {
		d := &c.domains[i]
		if s.jiffies > d.nextDecayMaxCost {
			d.maxNewidleCost = d.maxNewidleCost * 253 / 256
			d.nextDecayMaxCost = s.jiffies + int64(s.k.HZ)
			decayed = true
		}
		maxCost += d.maxNewidleCost
		if !more {
			if decayed {
				continue
			}
			break
		}
		// SERIALIZE: a pass takes no simulated time before it is charged, so
		// two CPUs are never in one at once.
		interval := s.interval(d, busy)
		if s.jiffies >= d.lastBalance+interval {
			var moved int
			moved, more = s.loadBalance(ci, d, idle)
			if moved > 0 {
				idle = cpuNotIdle
				if s.idle(ci) {
					idle = cpuIdle
				}
				busy = idle != cpuIdle && !(s.since(5, 7) && s.SchedIdleCPU(int(ci)))
			}
			d.lastBalance = s.jiffies
			interval = s.interval(d, busy)
		}
		if next > d.lastBalance+interval {
			next = d.lastBalance + interval
			update = true
		}
	}
	if decayed {
		c.maxIdleBalanceCost = max(s.k.SchedMigrationCost, maxCost)
	}
	if update {
		c.nextBalance = next
	}
}

// nohzKick asks an idle CPU without a tick to balance for all of them when
// this CPU has more than it can run (nohz_balancer_kick).
func (s *Sched) nohzKick(ci int32) {
	c := &s.cpus[ci]
	if c.nohz {
		c.nohz = false // nohz_balance_exit_idle
		s.nohzCount--
		s.llcs[c.llc].nohz--
	}
	if s.nohzCount == 0 || !s.k.LoadBalance {
		return
	}
	l := &s.llcs[c.llc]
	if s.jiffies >= s.nohzNext && (c.nrRunning >= 2 || l.cpus-l.nohz > 1) {
		s.kickILB(ci, true)
	} else if s.nohzHasBlocked && s.jiffies > s.nohzNextBlocked {
		s.kickILB(ci, false)
	}
}

// kickILB interrupts the lowest idle CPU without a tick.
func (s *Sched) kickILB(ci int32, balance bool) {
	if balance {
		s.nohzNext = s.jiffies + 1
	}
	for _, i := range s.online {
		if c := &s.cpus[i]; c.nohz && s.idle(i) {
			c.nohzBalance = c.nohzBalance || balance
			s.sendIPI(ci, i, ipiNohz)
			return
		}
	}
}

// nohzIdleBalance is the softirq that a kick raises on an idle CPU.
func (s *Sched) nohzIdleBalance(ci int32) {
	me := &s.cpus[ci]
	balance := me.nohzBalance
	me.nohzBalance = false
	if !s.idle(ci) {
		return // work came first (nohz_csd_func)
	}
	s.at(ci)
	s.lbWork = 0
	s.balanceNohz(ci, balance, true)
	me.owedWork += s.lbWork
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
