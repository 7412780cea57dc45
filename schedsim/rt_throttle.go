package schedsim

// Real-time throttling: in each period of a second the real-time tasks of a CPU
// may run for 950 ms (sched_rt_period_us, sched_rt_runtime_us). When that is used
// up, found out at a tick or at a switch, they are off the runqueue until a timer
// has given them back their time.
//
// Up to 5.9 a CPU that runs out borrows what others have left
// (RT_RUNTIME_SHARE). Since 6.12 there is no throttling without real-time group
// scheduling: the fair server keeps fair tasks from starving instead.
const (
	rtPeriod  = 1000e6 // ns
	rtRuntime = 950e6  // ns
)

func (s *Sched) rtThrottling() bool { return !s.since(6, 12) }

// startRTBandwidth starts the period timer. It fires at once, since 4.6, and
// then each period until nothing real-time is left; before, it fires at multiples
// of the period.
func (s *Sched) startRTBandwidth() {
	if s.rtPeriodActive || !s.rtThrottling() {
		return
	}
	s.rtPeriodActive = true
	s.rtTimerCPU = s.smp
	at := s.now
	if !s.since(4, 6) {
		at = (s.now/rtPeriod + 1) * rtPeriod
	}
	s.classTimers.push(at, rtPeriodTimer)
	s.armClassTimers()
}

// rtPeriodEvent is do_sched_rt_period_timer.
func (s *Sched) rtPeriodEvent(at int64) {
	by := s.rtTimerCPU
	s.smp = by
	s.steal(by, s.cost.IRQ)
	idle := true
	for _, ci := range s.online {
		q := &s.rt[ci]
		if s.since(5, 10) {
			q.runtime = rtRuntime // before, what was lent stays lent
		}
		if q.time == 0 && len(q.queue) == 0 {
			continue
		}
		enqueue := false
		if q.time > 0 {
			if q.throttled {
				s.borrowRuntime(ci)
			}
			q.time -= min(q.time, q.runtime)
			if q.throttled && q.time < q.runtime {
				q.throttled = false
				enqueue = true
			}
			if q.time > 0 || len(q.queue) > 0 {
				idle = false
			}
		} else if len(q.queue) > 0 {
			idle = false
			enqueue = !q.throttled
		}
		if enqueue && len(q.queue) > 0 {
			s.countRT(ci)
			s.reschedCurr(by, ci)
		}
	}
	if idle {
		s.rtPeriodActive = false
	} else {
		s.classTimers.push(at+rtPeriod, rtPeriodTimer)
	}
	s.preemptIfNeeded(by)
}

// chargeRT adds to the time of a CPU's period and throttles it when that is
// more than it has (sched_rt_runtime_exceeded).
func (s *Sched) chargeRT(ci int32, delta int64) {
	if !s.rtThrottling() {
		return
	}
	q := &s.rt[ci]
	q.time += delta
	if q.throttled {
		s.reschedCurr(s.smp, ci)
		return
	}
	if q.runtime >= rtPeriod {
		return
	}
	s.borrowRuntime(ci)
	if q.time <= q.runtime {
		return
	}
	q.throttled = true
	s.count.RTThrottled++
	s.countRT(ci)
	s.reschedCurr(s.smp, ci)
}

// borrowRuntime takes a part of what each other CPU has left of its runtime, for
// one that has none, up to the whole period (do_balance_runtime).
func (s *Sched) borrowRuntime(ci int32) {
	q := &s.rt[ci]
	if s.since(5, 10) || q.time <= q.runtime {
		return
	}
	n := int64(len(s.online))
	for _, i := range s.online {
		o := &s.rt[i]
		if i == ci {
			continue
		}
		if left := o.runtime - o.time; left > 0 {
			d := min(left/n, rtPeriod-q.runtime)
			o.runtime -= d
			q.runtime += d
			if q.runtime == rtPeriod {
				return
			}
		}
	}
}
