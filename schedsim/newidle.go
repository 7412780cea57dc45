package schedsim

// Balancing of a CPU that is about to go idle.

// newidleBalanceV310 is idle_balance of v3.10: all domains until something is pulled,
// whatever it costs and whether or not anybody has something to give, unless the CPU has
// been idle for less than the cost of a migration on average.
func (s *Sched) newidleBalanceV310(ci int32) bool {
	c := &s.cpus[ci]
	c.idleStamp = s.now
	s.at(ci)
	if c.avgIdle < s.k.SchedMigrationCost {
		return false
	}
	s.updateBlockedAverages(ci)
	next, pulled := s.jiffies+int64(s.k.HZ), 0
	for i := range c.domains {
		d := &c.domains[i]
		if d.newidle {
			s.lbWork = 0
			pulled, _ = s.loadBalance(ci, d, cpuNewlyIdle)
			c.owedWork += s.lbWork
		}
		// Not clamped, unlike the interval of a periodic balance.
		next = min(next, d.lastBalance+s.toJiffies(d.balanceInterval))
		if pulled > 0 {
			break
		}
	}
	s.count.NewidlePulls += int64(pulled)
	if pulled > 0 || s.jiffies > c.nextBalance {
		c.nextBalance = next
	}
	if pulled == 0 && c.nrRunning == 0 {
		return false
	}
	c.idleStamp = 0
	return true
}

// newidleBalanceV61 is newidle_balance since v6.0, and sched_balance_newidle: it leaves a
// pending wakeup to itself, and is limited by what balancing the lowest domain costs
// instead of by the cost of a migration.
func (s *Sched) newidleBalanceV61(ci int32) bool {
	c := &s.cpus[ci]
	if len(c.wakeList) > 0 {
		return false
	}
	c.idleStamp = s.now
	s.at(ci)
	next := s.jiffies + int64(s.k.HZ)
	if !s.overload || len(c.domains) > 0 && c.avgIdle < c.domains[0].maxNewidleCost {
		if len(c.domains) > 0 {
			s.updateNextBalance(&c.domains[0], &next)
		}
		c.nextBalance = min(c.nextBalance, next)
		s.nohzNewidleBalance(ci)
		return false
	}
	s.updateBlockedAverages(ci)
	cost, pulled, more := int64(0), 0, true
	for i := range c.domains {
		d := &c.domains[i]
		s.updateNextBalance(d, &next)
		if c.avgIdle < cost+d.maxNewidleCost {
			break
		}
		if d.newidle {
			weight, yes := s.throwDice(d)
			if !yes {
				continue
			}
			s.lbWork = 0
			pulled, more = s.loadBalance(ci, d, cpuNewlyIdle)
			took := s.scale(c, s.lbWork) + s.stolen(ci)
			c.owedWork += s.lbWork
			if pulled > 0 {
				d.dice.count(weight)
			} else {
				d.dice.count(0)
			}
			s.updateNewidleCost(d, took)
			cost += took
		}
		if pulled > 0 || s.since(6, 12) && !more || c.nrRunning > 0 || len(c.wakeList) > 0 {
			break
		}
	}
	c.maxIdleBalanceCost = max(c.maxIdleBalanceCost, cost)
	c.nextBalance = min(c.nextBalance, next)
	s.count.NewidlePulls += int64(pulled)
	if pulled == 0 && c.nrRunning == 0 {
		s.nohzNewidleBalance(ci)
		return false
	}
	c.idleStamp = 0
	return true
}

// updateNewidleCost remembers the highest cost of balancing a domain for a newly idle
// CPU; a periodic balance lets it decay by 1 % a second (update_newidle_cost).
func (s *Sched) updateNewidleCost(d *Domain, cost int64) {
	if cost > d.maxNewidleCost {
		d.maxNewidleCost = cost
		d.nextDecayMaxCost = s.jiffies + int64(s.k.HZ)
	} else if s.jiffies > d.nextDecayMaxCost {
		d.maxNewidleCost = d.maxNewidleCost * 253 / 256
		d.nextDecayMaxCost = s.jiffies + int64(s.k.HZ)
	}
}

// newidleBalance pulls work to a CPU that is about to go idle. It reports
// whether there is something to run now. What is here is of v4.18 to v5.10.
func (s *Sched) newidleBalance(ci int32) bool {
	switch {
	case !s.since(3, 12):
		return s.newidleBalanceV310(ci)
	case s.since(6, 0):
		return s.newidleBalanceV61(ci)
	}
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
			took := s.scale(c, s.lbWork) + s.stolen(ci)
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
