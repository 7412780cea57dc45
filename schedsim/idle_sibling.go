package schedsim

// Looking for an idle CPU near the one that wake_affine chose:
// select_idle_sibling. What it tries, in order:
//
//	                              3.10  4.18  5.9, 5.10  6.1  6.12
//	target                         x     x       x        x    x
//	prev, of the same LLC          x     x       x        x    in the cluster
//	prev of a kthread's wakee                    x        x    x
//	the CPU recently used                x       x        x    in the cluster
//	a sibling of prev                                     x    x    unless idle cores
//	an idle core                   x     x       x        x    x
//	an idle CPU                          x       x        x    x    6.1: one search for both
//	a sibling of target            x     x       x
//	prev or recent, other cluster                              x
//
// The domains of CPUs of different capacity (sd_asym_cpucapacity, since 4.20) are
// left out: all CPUs have the same.

// selectIdleSibling is select_idle_sibling of 5.9 and 5.10.
func selectIdleSibling(s *Sched, t *Task, prev, target int) int {
	if s.idleTarget(target) {
		return target
	}
	if s.idlePrev(prev, target) || s.kthreadWakee(prev) {
		return prev
	}
	return s.searchLLC(t, prev, target)
}

// selectIdleSibling418 is select_idle_sibling of 4.18.
func selectIdleSibling418(s *Sched, t *Task, prev, target int) int {
	if s.idleTarget(target) {
		return target
	}
	if s.idlePrev(prev, target) {
		return prev
	}
	return s.searchLLC(t, prev, target)
}

func (s *Sched) idleTarget(target int) bool { return s.IdleCPU(target) || s.SchedIdleCPU(target) }

func (s *Sched) idlePrev(prev, target int) bool {
	return prev != target && s.CPUsShareCache(prev, target) && s.idleTarget(prev)
}

// kthreadWakee reports, since 5.6, whether a kthread of this CPU alone wakes a task
// that ran here before and most likely had queued work for it: the wakeup is as
// good as sync, and the task stays. Since 5.17 only if it is the thread itself, and
// not an interrupt on top of it.
func (s *Sched) kthreadWakee(prev int) bool {
	if prev != s.This() || s.cpus[prev].nrRunning > 1 || s.hardirq && s.since(5, 17) {
		return false
	}
	waker := s.Current(prev)
	return waker != nil && waker.kthread && waker.allowed.only() >= 0
}

// searchLLC is the rest of select_idle_sibling up to 5.10: the CPU recently used,
// then the searches.
func (s *Sched) searchLLC(t *Task, prev, target int) int {
	recent := int(t.recentUsedCPU)
	if recent != prev && recent != target && s.CPUsShareCache(recent, target) &&
		t.Allowed(recent) && s.usableCPU(recent) {
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

// selectIdleSibling61 is select_idle_sibling of 6.1. recent_used_cpu becomes prev
// at each search; that the affinity test is then made of prev is as in the kernel.
func selectIdleSibling61(s *Sched, t *Task, prev, target int) int {
	if s.idleTarget(target) {
		return target
	}
	if s.idlePrev(prev, target) || s.kthreadWakee(prev) {
		return prev
	}
	recent := s.swapRecent(t, prev)
	if recent != prev && recent != target && s.CPUsShareCache(recent, target) &&
		s.usableCPU(recent) && t.Allowed(prev) {
		return recent
	}
	if i := s.searchMerged(t, prev, target); i >= 0 {
		return i
	}
	return target
}

// selectIdleSibling612 is select_idle_sibling of 6.12. Where some cores share an L2
// or the tags of the LLC (SD_CLUSTER), an idle prev or recent CPU of another
// cluster is taken only if the search, which begins in target's, finds none.
func selectIdleSibling612(s *Sched, t *Task, prev, target int) int {
	if s.idleTarget(target) {
		return target
	}
	prevAffine := -1
	if s.idlePrev(prev, target) {
		if s.sameCluster(prev, target) {
			return prev
		}
		prevAffine = prev
	}
	if s.kthreadWakee(prev) {
		return prev
	}
	recent := s.swapRecent(t, prev)
	if recent != prev && recent != target && s.CPUsShareCache(recent, target) &&
		s.usableCPU(recent) && t.Allowed(recent) {
		if s.sameCluster(recent, target) {
			return recent
		}
	} else {
		recent = -1
	}
	if i := s.searchMerged(t, prev, target); i >= 0 {
		return i
	}
	if prevAffine >= 0 {
		return prevAffine
	}
	if recent >= 0 {
		return recent
	}
	return target
}

func (s *Sched) swapRecent(t *Task, prev int) int {
	recent := int(t.recentUsedCPU)
	if !s.dry {
		t.recentUsedCPU = int32(prev)
	}
	return recent
}

// searchMerged is the searches of select_idle_sibling since 5.13: siblings of prev
// unless there may be an idle core, then one pass for a core or a CPU.
func (s *Sched) searchMerged(t *Task, prev, target int) int {
	if s.llcDomain(int32(target)) == nil {
		return -1
	}
	if s.smtPresent && !s.TestIdleCores(target) && s.CPUsShareCache(prev, target) {
		if i := s.k.SelectIdleSMT(s, t, prev); i >= 0 {
			return i
		}
	}
	return s.k.SelectIdleCPU(s, t, target)
}

// selectIdleSibling310 is select_idle_sibling of 3.10: it goes down the domains
// from the LLC, and takes the first group whose CPUs are all idle and none the
// target. In the LLC groups are cores, in the domain below threads of target's
// core: the idle threads of other cores are never found. There is no limit, and
// what it costs shows in the waker's time.
func selectIdleSibling310(s *Sched, t *Task, prev, target int) int {
	if s.IdleCPU(target) {
		return target
	}
	if prev != target && s.CPUsShareCache(prev, target) && s.IdleCPU(prev) {
		return prev
	}
	c := &s.cpus[target]
	for l := int(c.llcLevel); l >= 0; l-- {
		for _, g := range c.domains[l].groups {
			if i := s.firstAllowed(t, g); i >= 0 && s.groupIdle(g, target) {
				return i
			}
		}
	}
	return target
}

// groupIdle reports whether all CPUs of a group are idle and none is target.
func (s *Sched) groupIdle(g *group, target int) bool {
	for _, ci := range g.cpus {
		if int(ci) == target || !s.AvailableIdleCPU(int(ci)) {
			return false
		}
	}
	return true
}

// firstAllowed returns the first CPU of a group that t may use, or -1.
func (s *Sched) firstAllowed(t *Task, g *group) int {
	for _, ci := range g.cpus {
		if t.Allowed(int(ci)) {
			return int(ci)
		}
	}
	return -1
}
