package schedsim

// Idle cores: the hint that an LLC has some, the search for one by kernels up to
// 5.11, where it is a pass of its own (select_idle_core), and the search for an
// idle sibling.

// TestIdleCores is test_idle_cores: a hint that cpu's LLC has an idle core.
// On a machine without SMT it is never set.
func (s *Sched) TestIdleCores(cpu int) bool { return s.llcs[s.cpus[cpu].llc].hasIdleCores }

// SetIdleCores is set_idle_cores.
func (s *Sched) SetIdleCores(cpu int, v bool) {
	if !s.dry {
		s.llcs[s.cpus[cpu].llc].hasIdleCores = v
	}
}

// selectIdleCore is select_idle_core of 5.9 and 5.10: it leaves a core at its first
// busy thread.
func selectIdleCore(s *Sched, t *Task, target int) int {
	if !s.TestIdleCores(target) {
		return -1
	}
	search, some := s.LLCFrom(target), !s.unbound(t)
	if !some {
		search = s.CoresFrom(target)
	}
	for _, cpu := range search {
		if some && !s.firstOfCore(t, target, cpu) {
			continue
		}
		idle := true
		for _, sibling := range s.SMTMask(cpu) {
			if !s.AvailableIdleCPU(sibling) {
				idle = false
				break
			}
		}
		if idle {
			return cpu
		}
	}
	s.SetIdleCores(target, false)
	return -1
}

// selectIdleCore418 is select_idle_core of 4.18: it looks at all threads of each
// core.
func selectIdleCore418(s *Sched, t *Task, target int) int {
	if !s.TestIdleCores(target) {
		return -1
	}
	for _, cpu := range s.LLCFrom(target) {
		if !s.firstOfCore(t, target, cpu) {
			continue
		}
		idle := true
		for _, sibling := range s.SMTMask(cpu) {
			idle = s.AvailableIdleCPU(sibling) && idle
		}
		if idle {
			return cpu
		}
	}
	s.SetIdleCores(target, false)
	return -1
}

// firstOfCore reports whether cpu is the first of its core that t may use in the
// order of for_each_cpu_wrap from a CPU: where a search that then strikes out the
// core comes across it.
func (s *Sched) firstOfCore(t *Task, from, cpu int) bool {
	if !t.Allowed(cpu) {
		return false
	}
	n := len(s.cpus)
	at := (cpu - from + n) % n
	for _, sibling := range s.smt[cpu] {
		if (sibling-from+n)%n < at && t.Allowed(sibling) {
			return false
		}
	}
	return true
}

// selectIdleSMT is select_idle_smt of 4.18 to 5.10: target itself is looked at
// again.
func selectIdleSMT(s *Sched, t *Task, target int) int {
	if !s.smtPresent {
		return -1
	}
	for _, cpu := range s.SMTMask(target) {
		if t.Allowed(cpu) && s.usableCPU(cpu) {
			return cpu
		}
	}
	return -1
}

// selectIdleSMT61 is select_idle_smt since 5.13, for a prev that is not looked at
// itself.
func selectIdleSMT61(s *Sched, t *Task, prev int) int {
	for _, cpu := range s.SMTMask(prev) {
		if cpu != prev && t.Allowed(cpu) && s.usableCPU(cpu) {
			return cpu
		}
	}
	return -1
}
