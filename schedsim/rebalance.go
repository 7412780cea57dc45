package schedsim

// When to balance: newly idle, periodically, and for idle CPUs without a tick.

// maxPinnedInterval is MAX_PINNED_INTERVAL, ms: how far the interval grows while all
// tasks are bound elsewhere.
const maxPinnedInterval = 512

// loadBalance is one pass of load_balance over a domain for dst. It returns
// how many tasks it moved, and whether to go on to the next domain.
func (s *Sched) loadBalance(dst int32, d *Domain, idle idleType) (moved int, more bool) {
	env := lbEnv{d: d, dst: dst, idle: idle}
	if d.beyond {
		s.openExcluded(&env)
	}
	s.lbWork += s.cost.BalanceBase
	for {
		if !s.shouldWeBalance(&env) {
			// Somebody else's business.
			s.balanced(&env, dst)
			return 0, false
		}
		if idle != cpuNewlyIdle && d == &s.cpus[dst].domains[0] {
			s.updateCPUCapacity(dst)
		}
		s.chargeStats(d)
		env.src = s.findBusiest(&env)
		if env.src == none || env.src == dst {
			s.balanced(&env, dst)
			return 0, true
		}
		moved += s.pull(&env)
		if env.flags&lbfAllPinned == 0 || s.cpus[env.src].nrRunning <= 1 {
			break
		}
		// All that is queued there is bound: try without that CPU.
		s.exclude(&env, env.src)
		if !s.othersLeft(&env) {
			d.nrBalanceFailed = 0
			s.backOff(&env)
			return 0, true
		}
	}
	if moved > 0 {
		d.nrBalanceFailed = 0
		d.balanceInterval = d.minInterval
		return moved, true
	}
	s.balanceFailed(&env, dst)
	return 0, true
}

// findBusiest returns the runqueue to take from, with env.imbalance set, or none.
func (s *Sched) findBusiest(env *lbEnv) int32 {
	if !s.since(5, 5) {
		if g := s.findBusiestGroupOld(env); g != nil {
			return s.findBusiestQueueOld(env, g)
		}
		return none
	}
	if g := s.findBusiestGroup(env); g != nil {
		return s.findBusiestQueue(env, g)
	}
	return none
}

// balanced is out_balanced: there is nothing to do for dst, or somebody else does it.
func (s *Sched) balanced(env *lbEnv, dst int32) {
	env.d.nrBalanceFailed = 0
	if p := s.parentGroup(env.d, dst); p != nil && (env.flags&lbfAllPinned == 0 || !s.since(5, 0)) {
		p.imbalance = false
	}
	s.backOff(env)
}

// backOff makes the next balance of the domain later; since v5.1 not because of newly
// idle CPUs, which do not wait for it anyway.
func (s *Sched) backOff(env *lbEnv) {
	d := env.d
	if env.idle == cpuNewlyIdle && s.since(5, 1) {
		return
	}
	pinned := env.flags&lbfAllPinned != 0 && d.balanceInterval < maxPinnedInterval
	if pinned || d.balanceInterval < d.maxInterval {
		d.balanceInterval *= 2
	}
}

// parentGroup is the group of the parent domain that holds what is below, or nil. Since
// v3.12 a balance that affinity kept from its end marks it.
func (s *Sched) parentGroup(d *Domain, ci int32) *group {
	domains := s.cpus[ci].domains
	if up := int(d.level) + 1; s.since(3, 12) && up < len(domains) && d == &domains[d.level] {
		return domains[up].groups[0]
	}
	return nil
}

// pull moves tasks from env.src to env.dst, and to other CPUs of its group what may
// not run on that one (the middle of load_balance).
func (s *Sched) pull(env *lbEnv) int {
	src, dst := &s.cpus[env.src], env.dst
	if s.since(5, 12) {
		env.flags |= lbfAllPinned // until a task is found that could be pulled
	}
	if src.nrRunning <= 1 {
		return 0
	}
	env.flags |= lbfAllPinned
	moved := 0
	env.loop, env.loopBreak = 0, migrateBreak
	env.loopMax = min(s.k.SchedNrMigrate, int(src.nrRunning))
	for {
		n := s.detachTasks(env)
		s.lbWork += int64(n) * s.cost.MoveTask
		moved += n
		if env.flags&lbfNeedBreak != 0 {
			env.flags &^= lbfNeedBreak
			if !s.since(6, 1) || s.since(6, 12) || env.loop < int(src.nrRunning) {
				continue
			}
		}
		if env.flags&lbfDstPinned == 0 || env.imbalance <= 0 {
			break
		}
		if s.since(3, 12) {
			s.exclude(env, env.dst)
			env.dst = env.newDst
		} else {
			env.dst = env.newDst
			s.exclude(env, env.dst)
		}
		env.flags &^= lbfDstPinned
		env.loop, env.loopBreak = 0, migrateBreak
	}
	if p := s.parentGroup(env.d, dst); p != nil && env.flags&lbfSomePinned != 0 && env.imbalance > 0 {
		p.imbalance = true
	}
	return moved
}

// othersLeft reports whether a pass that gave up CPUs has others to take from. In v3.10
// it goes on as long as there is any CPU at all.
func (s *Sched) othersLeft(env *lbEnv) bool {
	if !s.since(3, 12) {
		for _, ci := range s.online {
			if !s.lb.excluded.has(int(ci)) {
				return true
			}
		}
		return false
	}
	local := env.d.groups[0].mask
	for _, ci := range env.d.span {
		if s.takesPart(env, ci) && !local.has(int(ci)) {
			return true
		}
	}
	return false
}

// balanceFailed is the end of a pass that moved nothing though it should have: after
// some of these the migration thread pushes the running task.
func (s *Sched) balanceFailed(env *lbEnv, dst int32) {
	d := env.d
	if env.idle != cpuNewlyIdle {
		d.nrBalanceFailed++
	}
	active := false
	if s.needActiveBalance(env) {
		b := &s.cpus[env.src]
		if b.curr != none && !s.tasks[b.curr].Allowed(int(dst)) {
			// out_one_pinned: pushing the running task would not help.
			if !s.since(5, 12) {
				env.flags |= lbfAllPinned
			}
			s.backOff(env)
			return
		}
		if !b.activeBalance {
			b.activeBalance = true
			b.pushCPU = dst
			active = true
			s.wakeStopper(dst, env.src)
		}
		if !s.since(5, 11) {
			d.nrBalanceFailed = d.cacheNiceTries + 1 // force the migration of hot tasks
		}
	}
	if !active || s.since(5, 11) || s.since(5, 5) && (s.asymActive(env) || s.squeezed(env)) {
		d.balanceInterval = d.minInterval
	} else if d.balanceInterval < d.maxInterval {
		d.balanceInterval *= 2
	}
}

// needActiveBalance is need_active_balance: whether to push the running task. Since
// v5.11 failures count only if it was tasks that could not be moved.
func (s *Sched) needActiveBalance(env *lbEnv) bool {
	d := env.d
	if s.asymActive(env) || s.squeezed(env) {
		return true
	}
	return d.nrBalanceFailed > d.cacheNiceTries+2 && (env.kind == migrateTask || !s.since(5, 11))
}

// squeezed reports whether the only fair task of the source had better run on dst, as
// higher classes take its CPU's time.
func (s *Sched) squeezed(env *lbEnv) bool {
	return env.idle != cpuNotIdle && s.cfs[env.src].hNr == 1 && s.reducedCapacity(env.src, env.d) &&
		s.capacityOf(env.src)*int64(env.d.imbalancePct) < s.capacityOf(env.dst)*100
}

// asymActive reports whether a running task is to be packed onto a CPU of a lower
// number, as SD_ASYM_PACKING asks for; in v3.10 and v4.18 only by CPUs that are newly
// idle. In v3.10 the source is not known, and CPU 0 taken for it, if it has one task.
func (s *Sched) asymActive(env *lbEnv) bool {
	if !env.d.asym || env.idle == cpuNotIdle {
		return false
	}
	if !s.since(5, 0) && env.idle != cpuNewlyIdle || !s.since(3, 12) && s.cpus[env.src].nrRunning <= 1 {
		return false
	}
	return env.dst < env.src
}

// chargeStats adds up the work of a pass over a domain; the caller charges it.
func (s *Sched) chargeStats(d *Domain) {
	s.lbWork += int64(len(d.span)) * s.cost.BalanceCPU
	if !d.sharePkg {
		s.lbWork += int64(len(d.span)-len(d.groups[0].cpus)) * s.cost.BalanceRemote
	}
}

// newidleBalance pulls work to a CPU that is about to go idle. It reports
// whether there is something to run now. newidle.go has it for v3.10 and since v6.0.
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
