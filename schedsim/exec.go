package schedsim

// This file is the hardware under the kernel: how segments of stall and work
// progress on a CPU whose speed changes.

// progress brings the segment of c up to now.
func (s *Sched) progress(c *cpu) {
	el := s.now - c.since
	c.since = s.now
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
	speed := s.socketSpeed[k.socket]
	if k.busy > 1 {
		speed = speed * s.smtShare[k.busy] >> 16
	}
	for _, ci := range k.cpus {
		c := &s.cpus[ci]
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

// transfer returns the stall for pulling lines over from one CPU to another,
// one after another.
func (s *Sched) transfer(from, to int32, lines float64) int64 {
	return int64(lines * float64(s.lineNS(from, to)))
}

// lineNS is the one-way latency of a cache line between two CPUs.
func (s *Sched) lineNS(from, to int32) int64 {
	a, b := &s.cpus[from], &s.cpus[to]
	switch {
	case from == to:
		return 0
	case a.core == b.core:
		return s.line.smt
	case a.llc == b.llc:
		return s.line.llc
	default:
		return s.line.remote[a.node*s.nodes+b.node]
	}
}

// sendIPI interrupts a CPU. An idle CPU polls need_resched in its idle state
// and needs no interrupt: it leaves the state and looks at its lists.
func (s *Sched) sendIPI(from, to int32, why uint8) {
	c := &s.cpus[to]
	c.ipi |= why
	if c.act <= actExit {
		s.kickIdle(to, s.lineNS(from, to))
		return
	}
	delay := s.cost.IPISame
	if s.cpus[from].socket != c.socket {
		delay = s.cost.IPIRemote
	}
	slot := s.ipiSlot(to)
	at := s.now + delay
	if due := s.q.at(slot); due < 0 || at < due {
		s.q.set(slot, at)
	}
}

// turbo re-evaluates the frequency of each socket from its active cores, as
// the hardware does about once a millisecond (assumed).
func (s *Sched) turbo() {
	for i := range s.active {
		s.active[i] = 0
	}
	for i := range s.cores {
		k := &s.cores[i]
		if k.busy > 0 || !s.asleep(k) {
			s.active[k.socket]++
		}
	}
	for i, n := range s.active {
		speed := s.speedAt[n]
		s.mhz[i] = s.mhzAt[n]
		if speed == s.socketSpeed[i] {
			continue
		}
		s.socketSpeed[i] = speed
		for j := range s.cores {
			if s.cores[j].socket == int32(i) {
				s.retimeCore(int32(j))
			}
		}
	}
	s.q.set(s.turboSlot, s.now+turboPeriod)
}

// turboPeriod is how often the power control unit re-evaluates, ns (assumed).
const turboPeriod = 1e6

// asleep reports whether all threads of a core are in the deepest idle state,
// which takes the core out of the turbo count.
func (s *Sched) asleep(k *core) bool {
	deepest := int8(len(s.m.IdleStates) - 1)
	for _, ci := range k.cpus {
		if c := &s.cpus[ci]; c.act != actIdle || c.idleState != deepest {
			return false
		}
	}
	return true
}
