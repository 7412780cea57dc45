package schedsim

// The timer tick. All CPUs tick at the same instants (skew_tick=0).

// tick is the timer interrupt of the whole machine.
func (s *Sched) tick() {
	s.jiffies++
	s.q.set(s.tickSlot, s.now+s.tickNS)
	for _, ci := range s.online {
		if s.cpus[ci].tickStopped {
			continue
		}
		if s.cpus[ci].frozen {
			s.hostMissesTick(ci)
			continue
		}
		s.count.Events++
		s.count.Interrupts++
		s.tickCPU(ci)
	}
	s.sampleSockets()
	s.readDebug()
	if s.nrIdle == len(s.online) {
		s.checkDeadlock()
	}
}

// tickCPU is scheduler_tick of one CPU, and the balancing softirq after it.
func (s *Sched) tickCPU(ci int32) {
	c := &s.cpus[ci]
	s.smp = ci
	s.at(ci)
	s.clockPelt(ci)
	s.scaleFreqTick(ci)
	if s.cpuLoads != nil && (c.curr == none || !s.cpuLoadLast()) {
		s.cpuLoadTick(ci)
	}
	if c.curr == none {
		s.idleTick(ci)
		return
	}
	s.charge(ci, 0, s.cost.Tick)
	s.taskTick(ci, &s.tasks[c.curr])
	if s.mem != nil {
		s.tickNUMA(&s.tasks[c.curr])
	}
	if s.cpuLoads != nil && s.cpuLoadLast() {
		s.cpuLoadTick(ci)
	}
	s.nohzKick(ci) // decided before the softirq runs
	s.lbWork = 0
	if s.jiffies >= c.nextBalance {
		s.updateBlockedAverages(ci)
		s.rebalanceDomains(ci, cpuNotIdle)
	}
	s.charge(ci, 0, s.lbWork)
	s.preemptIfNeeded(ci)
	if s.mem != nil {
		s.numaReturn(ci)
	}
}

// idleTick is the tick on a CPU that has not stopped it: the CPU wakes,
// balances if it is time, and chooses an idle state anew.
func (s *Sched) idleTick(ci int32) {
	c := &s.cpus[ci]
	s.lbWork = 0
	if s.jiffies >= c.nextBalance {
		s.updateBlockedAverages(ci)
		s.rebalanceDomains(ci, cpuIdle)
	}
	if c.act != actIdle {
		c.owedWork += s.lbWork
		return
	}
	if c.nrRunning > 0 {
		c.owedWork += s.lbWork
		s.kickIdle(ci, 0)
		return
	}
	// The governor takes a wakeup by the tick as a sign that it would have
	// slept on: 9/10 of the longest interval of interest.
	c.gov.reflect(maxInteresting * 900)
	c.idleEntered = s.now + s.scale(c, s.cost.Tick+s.lbWork)
	s.chooseIdleState(ci)
}

// stopTick stops the tick of an idle CPU and offers it to the nohz balancer. The
// tick starts again when the CPU leaves the idle loop; it stays in the nohz mask
// until the next tick.
func (s *Sched) stopTick(ci int32) {
	c := &s.cpus[ci]
	c.tickStopped = true
	if s.cpuLoads != nil {
		s.cpuLoadNohzStart(ci)
	}
	if !c.nohz {
		c.nohz = true
		s.nohzNeedsUpdate = true
		s.nohzCount++
		s.llcs[c.llc].nohz++
	}
	c.hasBlockedLoad = true
	s.nohzHasBlocked = true
}

// sampleSockets accumulates where runnable tasks are, once a tick.
func (s *Sched) sampleSockets() {
	var first, all int64
	for _, ci := range s.online {
		n := int64(s.cpus[ci].nrRunning)
		all += n
		if s.cpus[ci].socket == 0 {
			first += n
		}
	}
	s.runnable += all
	s.runnableSamples++
	if all > 0 {
		s.socketShare += float64(first) / float64(all)
		s.socketSamples++
	}
}
