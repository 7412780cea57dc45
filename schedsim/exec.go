package schedsim

// This file is the hardware under the kernel: how segments of stall and work
// progress on a CPU whose speed changes.

// progress brings the segment of c up to now.
func (s *Sched) progress(c *cpu) {
	el := s.now - c.since
	c.since = s.now
	if c.frozen {
		return
	}
	if el <= c.stall {
		c.stall -= el
		return
	}
	el -= c.stall
	c.stall = 0
	c.work = max(c.work-el*c.speed>>16, 0)
}

// end returns when c's segment ends at its present speed.
func (c *cpu) end() int64 {
	t := c.since + c.stall
	if c.work > 0 {
		t += (c.work<<16 + c.speed - 1) / c.speed
	}
	return t
}

// scale turns work into wall time at c's present speed.
func (s *Sched) scale(c *cpu, work int64) int64 { return work << 16 / c.speed }

// begin starts an activity on ci, costs owed first.
func (s *Sched) begin(ci int32, act activity, stall, work int64) {
	c := &s.cpus[ci]
	c.act = act
	c.stall = stall + c.owedStall
	c.work = work + c.owedWork
	c.owedStall, c.owedWork = 0, 0
	c.since = s.now
	s.q.set(ci, c.end())
}

// charge makes whatever ci does take longer. An idle CPU does it in passing.
func (s *Sched) charge(ci int32, stall, work int64) {
	c := &s.cpus[ci]
	if c.act == actIdle {
		return
	}
	s.progress(c)
	c.stall += stall
	c.work += work
	s.q.set(ci, c.end())
}

// setBusy records that a hardware thread starts or stops executing, which
// changes the speed of its siblings and its own.
func (s *Sched) setBusy(ci int32, busy bool) {
	c := &s.cpus[ci]
	if c.busy == busy {
		return
	}
	if s.freq != nil {
		s.countCycles(ci)
	}
	c.busy = busy
	k := &s.cores[c.core]
	if busy {
		k.busy++
	} else {
		k.busy--
	}
	s.retimeCore(c.core)
}

// retimeCore recomputes the speed of all threads of a core.
func (s *Sched) retimeCore(core int32) {
	k := &s.cores[core]
	whole := k.speed
	if k.busy > 1 {
		whole = whole * s.smtShare[k.busy] >> 16
	}
	for _, ci := range k.cpus {
		c := &s.cpus[ci]
		speed := whole
		if s.spin != nil && k.busy > 1 {
			speed = s.besideSpinners(k, ci, whole)
		}
		if s.mem != nil {
			speed = s.mem.slowed(ci, speed)
		}
		if c.speed == speed {
			continue
		}
		if c.act > actExit {
			s.progress(c)
			c.speed = speed
			s.q.set(ci, c.end())
		} else {
			c.speed = speed
		}
	}
}

// sendIPI interrupts a CPU. An idle CPU whose idle state watches need_resched
// needs no interrupt: it leaves the state and looks at its lists.
func (s *Sched) sendIPI(from, to int32, why uint8) {
	c := &s.cpus[to]
	c.ipi |= why
	delay := s.cost.IPISame
	if s.cpus[from].socket != c.socket {
		delay = s.cost.IPIRemote
	}
	if c.act <= actExit {
		if s.idlePolls[c.idleState] {
			delay = s.lineNS(from, to)
		} else {
			s.count.Interrupts++
			s.cpus[from].owedWork += s.cost.IPISend
		}
		s.kickIdle(to, delay)
		return
	}
	s.cpus[from].owedWork += s.cost.IPISend
	slot := s.ipiSlot(to)
	at := s.now + delay
	if due := s.q.at(slot); due < 0 || at < due {
		s.q.set(slot, at)
	}
}
