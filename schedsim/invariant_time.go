package schedsim

// Time: what a CPU was given to tasks for is what they are charged, to the nanosecond, and a
// task's vruntime passes with what it is charged.

// follow notes what runs on a CPU now. It is called for all CPUs that an event changed before
// time is: a task may have left one for another.
func (c *checker) follow(ci int32) {
	s := c.s
	k := &c.cpu[ci]
	curr := s.cpus[ci].curr
	k.out = none
	if curr == k.curr {
		return
	}
	if k.curr != none {
		c.ran[k.curr] += s.now - k.since
	}
	k.out, k.outThrottled = k.curr, k.throttled
	k.curr, k.since, k.cfs, k.throttled, k.demoted = curr, s.now, none, false, false
	if curr != none {
		k.class = s.tasks[curr].class
	}
}

// time compares what the checker saw running, from event to event, with what the classes
// charged.
func (c *checker) time(ci int32, undisturbed bool) error {
	s := c.s
	k := &c.cpu[ci]
	curr := s.cpus[ci].curr
	if out := k.out; out != none && s.cpus[s.tasks[out].cpu].curr != out {
		if err := c.ranAs(out, s.ents[s.tasks[out].se].sumExec, c.ran[out], k.outThrottled); err != nil {
			return err
		}
	}
	if curr == none {
		return nil
	}
	t := &s.tasks[curr]
	e := &s.ents[t.se]
	// Neither side has what is not charged yet.
	if e.execStart < k.since || e.execStart > s.now {
		return t.breach("runs since %d and is charged from %d on, at %d", k.since, e.execStart, s.now)
	}
	over := t.class == classDeadline && !s.dls[t.dl].onRQ
	if err := c.ranAs(curr, e.sumExec+s.now-e.execStart, c.ran[curr]+s.now-k.since, over || k.throttled); err != nil {
		return err
	}
	k.throttled = over
	if t.class != classFair {
		k.cfs = none
		return nil
	}
	if undisturbed && k.cfs == e.cfs && k.weight == e.load.weight {
		got, ran := e.vruntime-k.vruntime, e.sumExec-k.sumExec
		want := ran * 1024 / scaleDown(e.load.weight)
		// The kernel multiplies by an inverse of 32 bits, rounds each time that it charges,
		// and v3.10 by 16 bits more.
		if slack := want>>13 + 64; got < want-slack || got > want+slack {
			return t.breach("ran for %d ns with weight %d, its vruntime passed by %d, want %d", ran, scaleDown(e.load.weight), got, want)
		}
	}
	k.cfs, k.weight, k.sumExec, k.vruntime = e.cfs, e.load.weight, e.sumExec, e.vruntime
	return nil
}

// ranAs compares what a task was charged with how long it was seen running. The deadline
// class does not charge a task that has used up its runtime for the time that it keeps the
// CPU until the next reschedule (update_curr_dl returns if it is off the queue).
func (c *checker) ranAs(id TaskID, charged, seen int64, over bool) error {
	missing := seen - charged
	if missing == c.lost[id] {
		return nil
	}
	t := &c.s.tasks[id]
	if missing > c.lost[id] && over && t.dl != none {
		c.lost[id] = missing
		return nil
	}
	return t.breach("is charged %d ns, but ran for %d", charged, seen-c.lost[id])
}

// allTime: CPU time handed out is time elapsed by CPUs, less what they were idle.
func (c *checker) allTime() error {
	lost := int64(0)
	for _, v := range c.lost {
		lost += v
	}
	if got := c.unaccounted() - c.unspent - lost; got != 0 {
		return inMachine("of the CPU time that passed and was not idle %d ns were not charged to any task", got)
	}
	return nil
}

// unaccounted is the time of all CPUs since the start that was neither idle nor charged.
func (c *checker) unaccounted() int64 {
	s := c.s
	idle := c.idleNS + s.count.IdleNS + (s.now-s.idleAt)*int64(s.nrIdle)
	left := (s.now-bootTime)*int64(len(s.online)) - idle
	for i := range s.tasks {
		left -= s.ents[s.tasks[i].se].sumExec
	}
	for _, ci := range s.online {
		if id := s.cpus[ci].curr; id != none {
			left -= s.now - s.ents[s.tasks[id].se].execStart
		}
	}
	return left
}
