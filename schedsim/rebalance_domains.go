package schedsim

// When a CPU balances which of its domains.

// interval is get_sd_balance_interval, in jiffies. While the run is aged it is
// shorter by that factor.
func (s *Sched) interval(d *Domain, busy bool) int64 {
	ms := d.balanceInterval
	if busy {
		ms *= d.busyFactor
	}
	j := s.toJiffies(ms)
	if busy && s.since(5, 10) {
		j-- // so that periods of domains are no multiples of each other
	}
	return min(max(j, 1), int64(s.k.HZ*len(s.online)/10))
}

// toJiffies is msecs_to_jiffies of an interval, which rounds up.
func (s *Sched) toJiffies(ms int64) int64 { return (ms*int64(s.k.HZ)/s.aging + 999) / 1000 }

func (s *Sched) updateNextBalance(d *Domain, next *int64) {
	*next = min(*next, d.lastBalance+s.interval(d, false))
}

// rebalanceDomains is the periodic balance of ci (rebalance_domains).
func (s *Sched) rebalanceDomains(ci int32, idle idleType) {
	if !s.k.LoadBalance {
		return
	}
	if !s.since(3, 12) {
		s.rebalanceDomainsV310(ci, idle)
		return
	}
	c := &s.cpus[ci]
	busy := idle != cpuIdle && !(s.since(5, 7) && s.SchedIdleCPU(int(ci)))
	next := s.jiffies + 60*int64(s.k.HZ)
	update, decayed, more := false, false, true
	maxCost := int64(0)
	for i := range c.domains {
		d := &c.domains[i]
		if s.since(5, 17) {
			decayed = false // only the last domain counts
		}
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

// rebalanceDomainsV310 is rebalance_domains of v3.10: no cost is tracked, and a domain
// that is somebody else's business ends the walk.
func (s *Sched) rebalanceDomainsV310(ci int32, idle idleType) {
	c := &s.cpus[ci]
	next, update := s.jiffies+60*int64(s.k.HZ), false
	s.updateBlockedAverages(ci)
	for i := range c.domains {
		d := &c.domains[i]
		more := true
		interval := s.interval(d, idle != cpuIdle)
		if s.jiffies >= d.lastBalance+interval {
			var moved int
			if moved, more = s.loadBalance(ci, d, idle); moved > 0 {
				idle = cpuNotIdle
				if s.idle(ci) {
					idle = cpuIdle
				}
			}
			d.lastBalance = s.jiffies
		}
		if next > d.lastBalance+interval { // the interval from before
			next, update = d.lastBalance+interval, true
		}
		if !more {
			break
		}
	}
	if update {
		c.nextBalance = next
	}
}
