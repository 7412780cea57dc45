package schedsim

import "math"

// menu is the menu cpuidle governor, without its timer-distance buckets: it
// predicts the next idle period from the last eight (get_typical_interval) and
// falls back to their moving average.
type menu struct {
	intervals [8]int32 // us
	at        uint8
	ewma      int64 // ns
}

// maxInteresting is the longest interval that the governor tells apart, us.
const maxInteresting = 50000

// reflect feeds back how long the CPU really was idle, in ns.
func (g *menu) reflect(ns int64) {
	us := min(ns/1000, maxInteresting)
	g.intervals[g.at&7] = int32(us)
	g.at++
	g.ewma += (us*1000 - g.ewma) / 8
}

// predict returns the expected idle period in ns.
func (g *menu) predict() int64 {
	limit := int32(math.MaxInt32)
	for {
		var sum, sq, n, top int64
		for _, v := range g.intervals {
			if v <= limit {
				sum += int64(v)
				sq += int64(v) * int64(v)
				n++
				top = max(top, int64(v))
			}
		}
		avg := sum / n
		variance := sq/n - avg*avg
		// Accept when the average is six standard deviations or the spread
		// is 20 us, and at least three quarters of the samples are in.
		if n*4 >= 8*3 && avg*avg > 36*variance || variance <= 400 {
			return avg * 1000
		}
		if n*4 <= 8*3 {
			return g.ewma
		}
		limit = int32(top - 1) // drop the outlier and try again
	}
}

// switchToIdle is schedule() picking the idle task (set_next_task_idle).
func (s *Sched) switchToIdle(ci int32) {
	s.cpus[ci].owedWork += s.cost.SwitchIdle
	s.enterIdle(ci)
	s.updateIdleCore(ci)
}

// enterIdle is the idle loop going to sleep.
func (s *Sched) enterIdle(ci int32) {
	c := &s.cpus[ci]
	// What is left to do first delays the idle state.
	c.idleEntered = s.now + s.scale(c, c.owedWork) + c.owedStall
	c.owedStall, c.owedWork = 0, 0
	c.act = actIdle
	c.sdIdle = true
	s.q.clear(ci)
	s.setBusy(ci, false)
	s.accountIdle()
	s.nrIdle++
	if s.host != nil {
		s.hostSleep(ci)
	}

	s.chooseIdleState(ci)
}

// chooseIdleState picks the deepest state worth entering and decides whether
// the tick may stop.
func (s *Sched) chooseIdleState(ci int32) {
	c := &s.cpus[ci]
	if s.freq != nil {
		s.countCycles(ci)
	}
	predicted := c.gov.predict()
	if c.tickStopped {
		// Nothing but a timer would end a nap that lasts longer than expected.
		predicted = max(predicted, maxInteresting*1000)
	}
	c.idleState = 0
	for i := range s.m.IdleStates {
		if s.m.IdleStates[i].TargetResidency <= predicted {
			c.idleState = int8(i)
		}
	}
	if predicted >= s.tickNS && !c.tickStopped {
		s.stopTick(ci)
	}
	if c.tickStopped && s.freq != nil {
		s.freq.cpu[ci].idleCalls++
	}
}

// kickIdle sets need_resched on an idle CPU: it wakes from its idle state and
// schedules. lines is how long the store takes to get there.
func (s *Sched) kickIdle(ci int32, lines int64) {
	c := &s.cpus[ci]
	if c.act != actIdle {
		return // on its way already
	}
	exit := int64(0)
	if s.now < c.idleEntered {
		exit = c.idleEntered - s.now // still in schedule(): it sees the flag there
	} else {
		exit = s.idleExit[c.idleState]
		c.gov.reflect(s.now - c.idleEntered)
	}
	c.act = actExit
	c.stall, c.work, c.since = lines+exit, 0, s.now
	s.q.set(ci, s.now+c.stall)
	if s.host != nil {
		s.hostWake(ci)
	}
}

// leaveIdle is the first instruction after the idle state.
func (s *Sched) leaveIdle(ci int32) {
	s.accountIdle()
	s.nrIdle--
	s.setBusy(ci, true)
	if s.freq != nil {
		s.clockAwake(ci)
	}
}

// updateIdleCore sets has_idle_cores of the LLC when the whole core is idle
// (__update_idle_core).
func (s *Sched) updateIdleCore(ci int32) {
	l := &s.llcs[s.cpus[ci].llc]
	if l.hasIdleCores || !s.smtPresent {
		return
	}
	for _, sib := range s.smt[ci] {
		if int32(sib) != ci && !s.idle(int32(sib)) {
			return
		}
	}
	l.hasIdleCores = true
}

// accountIdle integrates idle time and idle-while-overloaded time up to now.
// It is called before either count changes.
func (s *Sched) accountIdle() {
	dt := s.now - s.idleAt
	s.idleAt = s.now
	s.count.IdleNS += dt * int64(s.nrIdle)
	if s.nrOverloaded > 0 {
		s.count.IdleOverloadedNS += dt * int64(s.nrIdle)
	}
}
