package schedsim

// The governor ondemand: drivers/cpufreq/cpufreq_ondemand.c and
// cpufreq_governor.c of v5.10, with sampling_down_factor 1, no powersave_bias,
// and nice tasks counted as busy, as by default.

// microUpThreshold is MICRO_FREQUENCY_UP_THRESHOLD, percent: the up_threshold of
// kernels that know idle time to the microsecond (nohz).
const microUpThreshold = 95

// dbsUpdateUtil is dbs_update_util_handler. It asks for a sample by an irq_work
// of this CPU, which wakes the CPU's kworker. A CPU that sleeps without a tick
// takes none.
func dbsUpdateUtil(s *Sched, ci int32) {
	p := s.policyHere(ci)
	if p == nil || p.busy || s.now-p.lastSample < s.freq.delay {
		return
	}
	p.lastSample = s.now
	p.busy = true
	s.irqWork(s.smp)
}

// odUpdate is the work: od_update, for the policy of the kworker's CPU.
func (s *Sched) odUpdate(ci int32) {
	f := s.freq
	p := &f.policies[f.policyOf[ci]]
	load := s.dbsUpdate(p)
	freq, r := f.maxKHz, relationH
	if load <= f.upThreshold {
		freq, r = f.minKHz+load*(f.maxKHz-f.minKHz)/100, relationC
	}
	if freq != p.cur {
		s.target(p, f.pstate(freq, r))
	}
	p.busy = false
}

// dbsUpdate is dbs_update: the load of the busiest CPU of a policy since the
// last sample, percent. After a long sleep the load from before is taken once,
// so that a task that wakes does not start at the lowest clock.
func (s *Sched) dbsUpdate(p *policy) int64 {
	f := s.freq
	most := int64(0)
	for _, ci := range p.cpus {
		s.countCycles(ci)
		c := &f.cpu[ci]
		elapsed, idle := (s.now-c.sampleTime)/1000, (c.idle-c.sampleIdle)/1000
		if c.sampleTime == 0 {
			elapsed = (s.now - bootTime) / 1000
		}
		c.sampleTime, c.sampleIdle = s.now, c.idle
		load := c.prevLoad
		switch {
		case elapsed == 0:
		case idle > 2*f.delay/1000 && c.prevLoad > 0:
			c.prevLoad = 0
		default:
			load = 100 * max(elapsed-idle, 0) / elapsed
			c.prevLoad = load
		}
		most = max(most, load)
	}
	return most
}
