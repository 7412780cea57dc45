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
			s.wakeStopper(env.src)
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
