package schedsim

// The governor schedutil: kernel/sched/cpufreq_schedutil.c of v5.10, without
// interrupt time, clamps, and the boost for I/O.

// sugovUpdate is sugov_update_single and sugov_update_shared.
func sugovUpdate(s *Sched, ci int32) {
	f := s.freq
	p := s.policyHere(ci)
	if p == nil || s.now-p.lastUpdate < f.delay {
		return
	}
	// A CPU that has not been idle since the last look keeps its frequency: it
	// is likely that its utilisation has only not grown yet.
	busy := len(p.cpus) == 1 && f.cpu[ci].sugovIsBusy()
	util := int64(0)
	for _, j := range p.cpus {
		util = max(util, s.sugovUtil(j))
	}
	next := s.sugovNextFreq(p, util)
	if busy && next < p.next {
		next = p.next
		p.raw = 0
	}
	if next == p.next {
		return
	}
	p.next = next
	p.lastUpdate = s.now
	if f.driver.fastSwitch {
		s.target(p, f.pstate(next, relationL))
		return
	}
	if !p.busy {
		p.busy = true
		s.irqWork(ci)
	}
}

// sugovIsBusy is sugov_cpu_is_busy.
func (c *cpuClock) sugovIsBusy() bool {
	busy := c.idleCalls == c.savedIdleCalls
	c.savedIdleCalls = c.idleCalls
	return busy
}

// sugovNextFreq is get_next_freq, in kHz: a quarter more than the utilisation
// of the maximum, or of the present frequency if utilisation depends on it.
func (s *Sched) sugovNextFreq(p *policy, util int64) int64 {
	f := s.freq
	freq := p.cur
	if s.freqScale > 0 {
		freq = f.maxKHz
	}
	freq = (freq + freq>>2) * util / capacityScale // map_util_freq
	if freq == p.raw {
		return p.next
	}
	p.raw = freq
	return min(max(freq, f.minKHz), f.maxKHz)
}

// sugovWake wakes the thread sugov:N of a policy, which drivers without a fast
// switch need. It is of the deadline class, before all others there.
func (s *Sched) sugovWake(ci, policy int32) {
	s.steal(ci, s.cost.TTWU)
	s.wakeKthread(ci, &s.tasks[s.sugovs+policy])
}

// sugovDone is the end of sugov_work in the thread t.
func (s *Sched) sugovDone(t *Task) {
	p := &s.freq.policies[t.ID-s.sugovs]
	p.busy = false
	s.count.SugovWakeups++
	s.target(p, s.freq.pstate(p.next, relationL))
}
