package schedsim

// Placement of woken tasks as of v5.10: select_task_rq_fair and below.

// This returns the CPU that the decision is taken on.
func (s *Sched) This() int { return int(s.this) }

// Current returns the task running on cpu, or nil if it is idle.
func (s *Sched) Current(cpu int) *Task {
	if id := s.cpus[cpu].curr; id != none {
		return &s.tasks[id]
	}
	return nil
}

// at sets the CPU that decisions are taken on.
func (s *Sched) at(ci int32) {
	s.this = ci
	s.thisCore = s.cpus[ci].core
	s.seenByCore = s.seen[int(s.thisCore)*len(s.cpus):][:len(s.cpus)]
}

// idle is idle_cpu, for free.
func (s *Sched) idle(ci int32) bool { return s.rq[ci].idle }

// AvailableIdleCPU is available_idle_cpu. The CPU that asks pays for looking:
// cheap if nothing changed since its core last looked, a line transfer if the
// owner wrote to its runqueue.
func (s *Sched) AvailableIdleCPU(cpu int) bool {
	if !s.dry {
		s.probe(cpu)
	}
	return s.rq[cpu].idle
}

// IdleCPU is idle_cpu on a runqueue that the wakeup touches anyway: the cost of
// looking is part of Costs.TTWU.
func (s *Sched) IdleCPU(cpu int) bool { return s.idle(int32(cpu)) }

// probe charges the deciding CPU for a look at cpu's runqueue.
func (s *Sched) probe(cpu int) {
	s.count.CPUsScanned++
	s.probeWork += s.cost.ProbeBase
	r := &s.rq[cpu]
	if seen := &s.seenByCore[cpu]; *seen != r.version && r.core != s.thisCore {
		*seen = r.version
		r.probed = true
		if r.llc == s.cpus[s.this].llc && s.line.l2 == s.line.llc {
			s.probeStall += s.probeNS
		} else {
			s.probeStall += s.transfer(int32(cpu), s.this, s.cost.ProbeLines)
		}
	}
}

// CPUsShareCache is cpus_share_cache.
func (s *Sched) CPUsShareCache(a, b int) bool { return s.cpus[a].llc == s.cpus[b].llc }

// SMTMask returns the hardware threads of cpu's core, cpu included, ascending.
func (s *Sched) SMTMask(cpu int) []int { return s.smt[cpu] }

// LLCFrom returns the CPUs of cpu's LLC in the order of for_each_cpu_wrap: from
// cpu upwards, then round from the first.
func (s *Sched) LLCFrom(cpu int) []int { return s.llcFrom[cpu] }

// CoresFrom returns one CPU of each core of cpu's LLC: the one that
// for_each_cpu_wrap reaches first.
func (s *Sched) CoresFrom(cpu int) []int { return s.coresFrom[cpu] }

// TestIdleCores is test_idle_cores: a hint that cpu's LLC has an idle core.
// On a machine without SMT it is never set.
func (s *Sched) TestIdleCores(cpu int) bool { return s.llcs[s.cpus[cpu].llc].hasIdleCores }

// SetIdleCores is set_idle_cores.
func (s *Sched) SetIdleCores(cpu int, v bool) {
	if !s.dry {
		s.llcs[s.cpus[cpu].llc].hasIdleCores = v
	}
}

// selectTaskRQFair is select_task_rq_fair for wakeups. The slow path of
// wakeups is unreachable: no domain has SD_BALANCE_WAKE.
func selectTaskRQFair(s *Sched, t *Task, prevCPU int, sync bool) int {
	this := s.This()
	waker := s.Current(this)
	s.recordWakee(waker, t)
	wantAffine := t.Allowed(this) && !(waker != nil && s.k.WakeWide(s, waker, t, this))

	newCPU := prevCPU
	if wantAffine && this != prevCPU {
		if d := s.affineDomain(this, prevCPU); d != nil {
			newCPU = s.wakeAffine(d, t, this, prevCPU, sync)
		}
	}
	newCPU = s.k.SelectIdleSibling(s, t, prevCPU, newCPU)
	if wantAffine && waker != nil && !s.dry {
		waker.recentUsedCPU = s.this
	}
	return newCPU
}

// affineDomain returns the lowest domain of this that has SD_WAKE_AFFINE and
// contains prev, or nil.
func (s *Sched) affineDomain(this, prev int) *Domain {
	domains := s.cpus[this].domains
	for i := range domains {
		if d := &domains[i]; d.wakeAffine && d.mask.has(prev) {
			return d
		}
	}
	return nil
}

// recordWakee counts how often a waker changes whom it wakes (record_wakee).
func (s *Sched) recordWakee(waker, t *Task) {
	if waker == nil || s.dry {
		return
	}
	if s.jiffies > waker.wakeeFlipDecay+int64(s.k.HZ) {
		waker.wakeeFlips >>= 1
		waker.wakeeFlipDecay = s.jiffies
	}
	if waker.lastWakee != t.ID {
		waker.lastWakee = t.ID
		waker.wakeeFlips++
	}
}

// wakeWide is wake_wide: one of the two wakes so many others that pulling the
// wakee to the waker would crowd its LLC.
func wakeWide(s *Sched, waker, t *Task, thisCPU int) bool {
	master, slave := waker.wakeeFlips, t.wakeeFlips
	factor := int32(len(s.llcFrom[thisCPU])) // sd_llc_size
	if master < slave {
		master, slave = slave, master
	}
	return slave >= factor && master >= slave*factor
}

// wakeAffine chooses between the waker's CPU and the previous one
// (wake_affine).
func (s *Sched) wakeAffine(d *Domain, t *Task, thisCPU, prevCPU int, sync bool) int {
	target := -1
	if s.k.WAIdle {
		target = s.k.WakeAffineIdle(s, thisCPU, prevCPU, sync)
	}
	if s.k.WAWeight && target == -1 {
		target = s.k.WakeAffineWeight(s, d, t, thisCPU, prevCPU, sync)
	}
	if target == -1 {
		return prevCPU
	}
	if target == thisCPU && !s.dry {
		s.count.WakeAffinePulls++
	}
	return target
}

func wakeAffineIdle(s *Sched, thisCPU, prevCPU int, sync bool) int {
	// An interrupt on an idle CPU that shares the cache: no reason to move.
	if s.IdleCPU(thisCPU) && s.CPUsShareCache(thisCPU, prevCPU) {
		if s.IdleCPU(prevCPU) {
			return prevCPU
		}
		return thisCPU
	}
	if sync && s.cpus[thisCPU].nrRunning == 1 {
		return thisCPU
	}
	return -1
}

// wakeAffineWeight compares the loads of both CPUs, blocked tasks included, as
// if the task were moved.
func wakeAffineWeight(s *Sched, d *Domain, t *Task, thisCPU, prevCPU int, sync bool) int {
	thisLoad := s.cpuLoad(int32(thisCPU))
	if sync {
		if curr := s.Current(thisCPU); curr != nil {
			h := s.taskHLoad(curr)
			if h > thisLoad {
				return thisCPU
			}
			thisLoad -= h
		}
	}
	h := s.taskHLoad(t)
	thisLoad += h
	prevLoad := s.cpuLoad(int32(prevCPU)) - h
	if s.k.WABias {
		thisLoad *= 100
		prevLoad *= 100 + int64(d.imbalancePct-100)/2
	}
	// Both capacities are capacityScale.
	if sync {
		prevLoad++
	}
	if thisLoad < prevLoad {
		return thisCPU
	}
	return -1
}

func selectIdleSibling(s *Sched, t *Task, prev, target int) int {
	if s.IdleCPU(target) {
		return target
	}
	if prev != target && s.CPUsShareCache(prev, target) && s.IdleCPU(prev) {
		return prev
	}
	recent := int(t.recentUsedCPU)
	if recent != prev && recent != target && s.CPUsShareCache(recent, target) &&
		t.Allowed(recent) && s.AvailableIdleCPU(recent) {
		if !s.dry {
			t.recentUsedCPU = int32(prev)
		}
		return recent
	}
	core, other := s.bothIdleCores(t, target)
	cpu := s.afterIdleCore(t, target, core)
	if other >= 0 && other != cpu {
		s.count.ShadowOther++
	}
	return cpu
}

// afterIdleCore is the rest of select_idle_sibling once select_idle_core has
// returned core.
func (s *Sched) afterIdleCore(t *Task, target, core int) int {
	if core >= 0 {
		return core
	}
	if i := s.k.SelectIdleCPU(s, t, target); i >= 0 {
		return i
	}
	if i := s.k.SelectIdleSMT(s, t, target); i >= 0 {
		return i
	}
	return target
}

func selectIdleCore(s *Sched, t *Task, target int) int {
	if !s.TestIdleCores(target) {
		return -1
	}
	for _, core := range s.CoresFrom(target) {
		idle := true
		for _, cpu := range s.SMTMask(core) {
			if !s.AvailableIdleCPU(cpu) {
				idle = false
				break
			}
		}
		if idle {
			return core
		}
	}
	s.SetIdleCores(target, false)
	return -1
}

// selectIdleCPU scans the LLC for an idle CPU, as many runqueues as the
// average idle time of this CPU pays for at the average cost of a scan
// (SIS_PROP).
func selectIdleCPU(s *Sched, t *Task, target int) int {
	c := &s.cpus[s.this]
	d := s.llcDomain(s.this)
	if d == nil {
		return -1
	}
	avgIdle := c.avgIdle / 512
	avgCost := d.avgScanCost + 1
	if s.k.SISAvgCPU && avgIdle < avgCost {
		return -1
	}
	nr := int64(1) << 62
	if s.k.SISProp {
		nr = 4
		if span := int64(len(d.span)) * avgIdle; span > 4*avgCost {
			nr = span / avgCost
		}
	}
	if !s.dry {
		s.count.IdleCPUSearches++
	}
	work, stall := s.probeWork, s.probeStall
	found := -1
	for _, cpu := range s.LLCFrom(target) {
		if !t.Allowed(cpu) {
			continue
		}
		nr--
		if nr == 0 {
			if !s.dry {
				s.count.IdleCPUFailed++
			}
			return -1 // without updating the cost
		}
		if s.AvailableIdleCPU(cpu) {
			found = cpu
			break
		}
	}
	if !s.dry {
		took := s.scale(c, s.probeWork-work) + s.probeStall - stall
		updateAvg(&d.avgScanCost, took)
		if found < 0 {
			s.count.IdleCPUFailed++
		}
	}
	return found
}

func selectIdleSMT(s *Sched, t *Task, target int) int {
	if !s.smtPresent {
		return -1
	}
	for _, cpu := range s.SMTMask(target) {
		if t.Allowed(cpu) && s.AvailableIdleCPU(cpu) {
			return cpu
		}
	}
	return -1
}

// llcDomain is sd_llc of a CPU: its highest domain that shares the LLC.
func (s *Sched) llcDomain(ci int32) *Domain {
	c := &s.cpus[ci]
	if c.llcLevel < 0 {
		return nil
	}
	return &c.domains[c.llcLevel]
}
