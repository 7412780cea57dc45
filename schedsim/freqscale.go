package schedsim

// Frequency invariance: arch_scale_freq_capacity, by which load tracking slows
// its clock down.

// scaleMHz is the clock that arch_scale_freq_capacity calls 1024, or 0 if it is
// 1024 at any clock, as on powerpc.
func (s *Sched) scaleMHz() int64 {
	m := s.m
	switch m.Arch {
	case archX86:
		// Since v5.7, from APERF and MPERF, relative to the four-core turbo;
		// on AMD since v5.11.
		if s.since(5, 7) && (m.Vendor != "amd" || s.since(5, 11)) {
			return int64(m.Frequency.At(min(4, m.CoresPerSocket())))
		}
	case "arm64", "aarch64":
		// What the driver asked for, or since v5.7 the activity monitors,
		// relative to the maximum.
		if s.since(4, 15) {
			return int64(m.Frequency.At(1))
		}
	}
	return 0
}

// scaleFreqTick is arch_scale_freq_tick: it takes over the clock at which the
// CPU ran since the last tick.
func (s *Sched) scaleFreqTick(ci int32) {
	c := &s.cpus[ci]
	switch {
	case s.freqScale == 0:
		return
	case s.freq == nil:
		c.freqScale = min(s.mhz[c.socket]*1024/s.freqScale, 1024)
		return
	}
	s.countCycles(ci)
	k := &s.freq.cpu[ci]
	c0, cycles := k.c0-k.tickC0, k.cycles-k.tickCycles
	k.tickC0, k.tickCycles = k.c0, k.cycles
	if full := c0 * s.freqScale >> 10; full > 0 {
		c.freqScale = min(max(cycles/full, 1), 1024)
	}
}
