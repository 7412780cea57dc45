package schedsim

// The timers of bandwidth control: the period timer of a group, that refills its
// pool, and the slack timer, that hands on what queues gave back. Their interrupts
// are on the CPU that started them, and take Costs.IRQ and, for each queue that
// they let go on, Costs.TTWU.

// returnCFSRuntime gives back the runtime of a queue that has become empty, but for
// 1 ms (return_cfs_rq_runtime).
func (s *Sched) returnCFSRuntime(q *cfsRQ) {
	if !q.runtimeEnabled || q.nrRunning > 0 {
		return
	}
	slack := q.runtimeRemaining - minCFSRQRuntime
	if slack <= 0 {
		return
	}
	b := &s.groups[q.group].cfsBandwidth
	if b.quota != noQuota && (s.since(5, 4) || q.runtimeExpires == b.expires) {
		b.runtime += slack
		if b.runtime > cfsBandwidthSlice && len(b.throttledList) > 0 {
			s.startSlack(b)
		}
	}
	q.runtimeRemaining -= slack
}

// refreshWithin reports whether the pool is refilled in less than ns
// (runtime_refresh_within).
func (s *Sched) refreshWithin(b *cfsBandwidth, ns int64) bool { return b.periodAt-s.now < ns }

// startSlack is start_cfs_slack_bandwidth. Up to 5.2 it put off a timer that ran
// already.
func (s *Sched) startSlack(b *cfsBandwidth) {
	if s.refreshWithin(b, cfsBandwidthSlackTime+minBandwidthExpire) {
		return
	}
	if s.since(5, 3) {
		if b.slackStarted {
			return
		}
		b.slackStarted = true
	}
	b.slackAt, b.slackCPU = s.now+cfsBandwidthSlackTime, s.timerCPU()
	s.armBandwidth(b.slackAt)
}

func (s *Sched) armBandwidth(at int64) {
	if due := s.q.at(s.bandwidthSlot); due < 0 || at < due {
		s.q.set(s.bandwidthSlot, at)
	}
}

// bandwidthEvent handles the timers that are due, and sets the next.
func (s *Sched) bandwidthEvent() {
	s.q.clear(s.bandwidthSlot)
	for _, g := range s.bandwidth {
		b := &s.groups[g].cfsBandwidth
		if b.slackAt != 0 && b.slackAt <= s.now {
			b.slackAt = 0
			s.timerInterrupt(b.slackCPU)
			s.slackTimer(b)
		}
		if b.periodActive && b.periodAt <= s.now {
			s.timerInterrupt(b.periodCPU)
			n := b.forward(s.now)
			b.periodActive = s.periodTimer(b, n)
		}
		if b.slackAt != 0 {
			s.armBandwidth(b.slackAt)
		}
		if b.periodActive {
			s.armBandwidth(b.periodAt)
		}
	}
}

// timerInterrupt makes ci the CPU whose event is dispatched.
func (s *Sched) timerInterrupt(ci int32) {
	s.smp = ci
	s.at(ci)
	s.clockPelt(ci)
	s.charge(ci, 0, s.cost.IRQ)
}

// periodTimer is do_sched_cfs_period_timer. It reports whether the timer is to run
// on: after a period without any use of the pool it stops.
func (s *Sched) periodTimer(b *cfsBandwidth, overrun int64) bool {
	if b.quota == noQuota {
		return false
	}
	b.nrPeriods += overrun
	if s.since(5, 14) {
		s.refillBandwidth(b) // for the burst, also if it stops
	}
	throttled := len(b.throttledList) > 0
	if b.idle && !throttled {
		return false
	}
	if !s.since(5, 14) {
		s.refillBandwidth(b)
	}
	if !throttled {
		b.idle = true
		return true
	}
	b.nrThrottled += overrun
	if b.runtime > 0 {
		s.distributeRuntime(b)
	}
	b.idle = false
	return true
}

// slackTimer is do_sched_cfs_slack_timer.
func (s *Sched) slackTimer(b *cfsBandwidth) {
	b.slackStarted = false
	if s.refreshWithin(b, minBandwidthExpire) {
		return
	}
	if b.quota != noQuota && b.runtime > cfsBandwidthSlice {
		s.distributeRuntime(b)
	}
}

// distributeRuntime is distribute_cfs_runtime: throttled queues are paid their debt
// and 1 ns, and go on, one after another until the pool is empty. They take a
// slice when they run.
func (s *Sched) distributeRuntime(b *cfsBandwidth) {
	here := s.smp
	local := none
	for i := 0; i < len(b.throttledList) && b.runtime > 0; {
		id := b.throttledList[i]
		q := &s.cfs[id]
		if q.unthrottling {
			i++ // its CPU was asked already
			continue
		}
		pay := min(1-q.runtimeRemaining, b.runtime)
		b.runtime -= pay
		q.runtimeRemaining += pay
		q.runtimeExpires, q.expiresSeq = b.expires, b.expiresSeq
		switch {
		case q.runtimeRemaining <= 0:
			i++
		case !s.since(6, 3):
			s.charge(here, 0, s.cost.TTWU)
			s.unthrottleCFS(q) // takes it off the list
		case q.cpu == here:
			local = id // since 6.6 the last; there is one at most
			i++
		default:
			i++
			c := &s.cpus[q.cpu]
			q.unthrottling = true
			c.unthrottle = append(c.unthrottle, id)
			if len(c.unthrottle) == 1 {
				s.sendIPI(here, q.cpu, ipiUnthrottle)
			}
		}
	}
	if local != none {
		s.charge(here, 0, s.cost.TTWU)
		s.unthrottleCFS(&s.cfs[local])
	}
	s.preemptIfNeeded(here)
}

// unthrottleListed lets the queues of ci go on that another CPU's timer paid for
// (__cfsb_csd_unthrottle).
func (s *Sched) unthrottleListed(ci int32) {
	c := &s.cpus[ci]
	for _, id := range c.unthrottle {
		q := &s.cfs[id]
		q.unthrottling = false
		if q.throttled {
			s.steal(ci, s.cost.TTWU)
			s.unthrottleCFS(q)
		}
	}
	c.unthrottle = c.unthrottle[:0]
}
