package schedsim

// hostLate keeps what a virtual CPU that does not run is to do when it is back.
func (s *Sched) hostLate(slot, ci int32) {
	s.q.clear(slot)
	if slot != ci {
		s.host.vcpus[ci].interrupt = true
	}
}

// hostMissesTick keeps a tick of a virtual CPU that does not run. It takes one when it is
// back, however many it missed.
func (s *Sched) hostMissesTick(ci int32) {
	v := &s.host.vcpus[ci]
	if v.tick {
		s.host.missed++
	}
	v.tick = true
}

// hostTimer keeps the timer of a sleep that is over until the interrupt comes that serves it.
func (s *Sched) hostTimer(t timer) {
	h := s.host
	ci := s.tasks[t.task].cpu
	v := &h.vcpus[ci]
	v.timers = append(v.timers, t)
	if v.armed || v.state == hostWaits {
		return
	}
	v.armed = true
	late := h.TimerRunning
	if s.cpus[ci].act == actIdle {
		late = h.TimerHalted
	}
	at := s.now + late.Least
	if late.More > 0 {
		at += h.draw(late.More)
	}
	if h.TimerWaits > 0 && h.rand.Float64() < h.TimerWaits {
		at = h.nextTick(at)
	}
	s.timers.push(at, ^ci)
}

// hostTimerInterrupt is the interrupt of a virtual CPU's timer. If that has to wait for the
// host, it is served when it is back.
func (s *Sched) hostTimerInterrupt(ci int32) {
	v := &s.host.vcpus[ci]
	runs := s.hostWake(ci)
	v.armed = false
	if !runs {
		return
	}
	s.charge(ci, 0, s.host.TimerCost/2)
	due := v.timers
	v.timers = v.timers[len(v.timers):]
	for _, t := range due {
		s.timerWakes(&s.tasks[t.task])
	}
	if len(v.timers) == 0 {
		v.timers = due[:0]
	}
	// Whom the wakeup has let run is charged for it: the kernel keeps the clock of the
	// wakeup for the switch (rq_clock_skip_update).
	s.charge(ci, 0, s.host.TimerCost-s.host.TimerCost/2)
	if s.cpus[ci].act == actIdle {
		s.hostSleep(ci) // it has woken for others' sake
	}
}
