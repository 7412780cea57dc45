package schedsim

// intel_pstate in active mode without HWP: drivers/cpufreq/intel_pstate.c of
// v5.10. Its governor powersave is this; performance asks for the highest
// P-state once, and with HWP the hardware decides.

// intelPstateInterval is INTEL_PSTATE_SAMPLING_INTERVAL, ns.
const intelPstateInterval = 10e6

// intelPstateUpdateUtil is intel_pstate_update_util, without the boost for tasks
// that waited for I/O.
func intelPstateUpdateUtil(s *Sched, ci int32) {
	if s.smp != ci {
		return
	}
	c := &s.freq.cpu[ci]
	if s.now-c.sampleTime < intelPstateInterval {
		return
	}
	s.countCycles(ci)
	window := s.now - c.sampleTime
	c0, cycles := c.c0-c.sampleC0, c.cycles-c.sampleCycles
	if c0 == 0 {
		return
	}
	first := c.sampleTime == 0
	c.sampleTime, c.sampleC0, c.sampleCycles = s.now, c.c0, c.cycles
	if first {
		return // there is no window yet
	}
	p := s.freq.targetPstate(c0, window, cycles/c0)
	if p == c.pstate {
		return
	}
	c.pstate = p
	s.target(&s.freq.policies[s.freq.policyOf[ci]], min(p*s.freq.stepKHz/1000, s.freq.maxMHz))
}

// targetPstate is get_target_pstate, in P-states: the busy fraction of the
// window with a quarter on top, and half of what the mean P-state of the window,
// at avgMHz, was above that.
func (f *cpufreq) targetPstate(c0, window, avgMHz int64) int64 {
	lo, turbo := f.minKHz/f.stepKHz, f.maxKHz/f.stepKHz
	const fracBits = 8
	busy := c0 << fracBits / window
	target := max((turbo+turbo>>2)*busy>>fracBits, lo)
	if avg := avgMHz * 1000 / f.stepKHz; avg > target {
		target += (avg - target) >> 1
	}
	return min(max(target, lo), turbo)
}
