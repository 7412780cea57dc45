package schedsim

// Placement of woken tasks: select_task_rq_fair, and what it looks at. Its parts
// are in wake_wide.go, wake_affine*.go, idle_*.go; the slow path of fork and exec
// is in find_idlest*.go.

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
}

// NrRunning is nr_running of a CPU's runqueue.
func (s *Sched) NrRunning(cpu int) int { return int(s.cpus[cpu].nrRunning) }

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

// SchedIdleCPU is sched_idle_cpu (since 5.4): nothing but SCHED_IDLE tasks runs
// there, so that a CPU counts as idle to a wakeup. Looking at it is free, as it is
// looked at after idle_cpu, in the same lines.
func (s *Sched) SchedIdleCPU(cpu int) bool {
	if !s.schedIdle || !s.since(5, 4) {
		return false
	}
	c := &s.cpus[cpu]
	return c.idleHNr > 0 && c.nrRunning == c.idleHNr &&
		(c.curr == none || s.tasks[c.curr].policy == PolicyIdle) // throttled ones count in one only
}

// usableCPU is what searches since 5.4 ask: an idle CPU, or one that runs
// nothing but SCHED_IDLE tasks.
func (s *Sched) usableCPU(cpu int) bool {
	return s.AvailableIdleCPU(cpu) || s.schedIdle && s.SchedIdleCPU(cpu)
}

// IdleCPU is idle_cpu on a runqueue that the wakeup touches anyway: the cost of
// looking is part of Costs.TTWU.
func (s *Sched) IdleCPU(cpu int) bool { return s.idle(int32(cpu)) }

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

// selectTaskRQFair is select_task_rq_fair for wakeups, as of 4.18 to 5.10. The slow path
// of wakeups is unreachable: no domain has SD_BALANCE_WAKE. Energy-aware wakeups
// are left out, and so are wakeups by a task that exits, whose WF_SYNC does not
// count.
//
// If no domain with SD_WAKE_AFFINE contains prev (its node is too far away),
// wake_affine is not asked, and the search starts at prev.
func selectTaskRQFair(s *Sched, t *Task, prevCPU int, sync bool) int {
	newCPU, wantAffine := s.aimOf(t, prevCPU, sync)
	newCPU = s.k.SelectIdleSibling(s, t, prevCPU, newCPU)
	if wantAffine && !s.dry {
		// The waker remembers where it woke somebody.
		s.waker(s.This()).recentUsedCPU = s.this
	}
	return newCPU
}

// selectTaskRQFair61 is select_task_rq_fair as of 6.1 and 6.12: a task's
// recent_used_cpu is no longer set by its waking others.
func selectTaskRQFair61(s *Sched, t *Task, prevCPU int, sync bool) int {
	newCPU, _ := s.aimOf(t, prevCPU, sync)
	return s.k.SelectIdleSibling(s, t, prevCPU, newCPU)
}

// aimOf is the first half of select_task_rq_fair: which CPU the search for an
// idle one starts at, and whether the waker's could have been it.
func (s *Sched) aimOf(t *Task, prevCPU int, sync bool) (cpu int, wantAffine bool) {
	this := s.This()
	waker := s.waker(this)
	s.recordWakee(waker, t)
	if s.k.WakeWide(s, waker, t, this) || !t.Allowed(this) {
		return prevCPU, false
	}
	if this != prevCPU {
		if d := s.affineDomain(this, prevCPU); d != nil {
			return s.askWakeAffine(d, t, this, prevCPU, sync), true
		}
	}
	return prevCPU, true
}

// selectTaskRQFair310 is select_task_rq_fair of 3.10: there is no wake_wide, and
// a task goes back to prev, idle or not and without a search, if prev's node is
// too far away or if the task may not run on the waker's CPU.
func selectTaskRQFair310(s *Sched, t *Task, prevCPU int, sync bool) int {
	this := s.This()
	if !t.Allowed(this) {
		return prevCPU
	}
	d := s.affineDomain(this, prevCPU)
	if d == nil {
		return prevCPU
	}
	target := prevCPU
	if this != prevCPU {
		target = s.askWakeAffine(d, t, this, prevCPU, sync)
	}
	return s.k.SelectIdleSibling(s, t, prevCPU, target)
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

// selectFallbackRQ is select_fallback_rq: where a task goes that may not run on
// the CPU that was chosen for it, the first CPU of its node that it may use, else
// the first of all.
func (s *Sched) selectFallbackRQ(t *Task) int {
	node := s.m.CPUs[t.cpu].Node
	for _, ci := range s.online {
		if s.m.CPUs[ci].Node == node && t.Allowed(int(ci)) {
			return int(ci)
		}
	}
	return t.allowed.first()
}

// llcDomain is sd_llc of a CPU: its highest domain that shares the LLC.
func (s *Sched) llcDomain(ci int32) *Domain {
	c := &s.cpus[ci]
	if c.llcLevel < 0 {
		return nil
	}
	return &c.domains[c.llcLevel]
}
