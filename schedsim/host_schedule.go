package schedsim

// free reports whether a CPU of the host has nothing to do.
func (c *hostCPU) free() bool { return c.curr == none && c.backAt == 0 && len(c.queue) == 0 }

// spare reports whether a CPU has nothing to do.
func (h *host) spare() bool {
	for i := range h.cpus {
		if h.cpus[i].free() {
			return true
		}
	}
	return false
}

// threads is how many virtual CPUs run or wait on a CPU. What else runs there is taken to weigh
// nothing: recorded guests had ten times the weight of it.
func (c *hostCPU) threads() int {
	if c.curr == none {
		return len(c.queue)
	}
	return len(c.queue) + 1
}

// hostUpdate charges the thread that runs on a CPU, and computes the mean.
func (s *Sched) hostUpdate(c *hostCPU) {
	h := s.host
	sum, n := int64(0), int64(0)
	if c.curr != none {
		v := &h.vcpus[c.curr]
		v.vruntime += s.now - c.since
		sum, n = v.vruntime-c.avg, 1
	}
	c.since = s.now
	for _, ci := range c.queue {
		sum += h.vcpus[ci].vruntime - c.avg
		n++
	}
	if n > 0 {
		c.avg += sum / n
	}
}

// hostPlace puts a woken or moved thread on the queue of a CPU; ahead is by how much its
// vruntime is ahead of the mean.
func (s *Sched) hostPlace(p, ci int32, ahead int64) {
	h := s.host
	c, v := &h.cpus[p], &h.vcpus[ci]
	s.hostUpdate(c)
	v.home, v.state = p, hostWaits
	v.vruntime = c.avg + ahead
	v.deadline = v.vruntime + h.Slice
	c.queue = append(c.queue, ci)
	s.hostUpdate(c)
}

// hostWake makes the thread of a virtual CPU runnable, and reports whether it runs.
func (s *Sched) hostWake(ci int32) bool {
	h := s.host
	if h == nil {
		return true
	}
	v := &h.vcpus[ci]
	if v.state != hostAsleep {
		return v.state == hostRuns
	}
	// What it was owed it is still owed, up to a tick; what it has had too much of it
	// has paid off while others ran (DELAY_DEQUEUE).
	old := &h.cpus[v.home]
	s.hostUpdate(old)
	ahead := max(v.vruntime-old.avg, 0)
	if v.lag > 0 {
		ahead = -min(v.lag, h.Tick)
	}
	p := v.home
	if !old.free() {
		for i := range h.cpus {
			if h.cpus[i].free() {
				p = int32(i)
				break
			}
		}
	}
	if n := int64(len(h.cpus[p].queue)); ahead < 0 {
		// So that the mean, which it lowers, is still ahead by its lag.
		if h.cpus[p].curr != none {
			n++
		}
		if n == 0 {
			ahead = 0
		} else {
			ahead += ahead / n
		}
	}
	s.cpus[ci].frozen = true
	s.cpus[ci].since = s.now
	s.hostPlace(p, ci, ahead)
	c := &h.cpus[p]
	if c.backAt != 0 {
		c.backAt, c.stealAt = 0, h.nextTheft(s.now)
	}
	if c.curr == none || v.vruntime <= c.avg {
		c.queue = c.queue[:len(c.queue)-1]
		s.hostHold(c)
		s.hostRun(p, ci)
	} else {
		s.hostSchedule(p)
	}
	s.armHost()
	return v.state == hostRuns
}

// hostSchedule lets a CPU run who should, unless its thread has not had its slice.
func (s *Sched) hostSchedule(p int32) {
	h := s.host
	c := &h.cpus[p]
	s.hostUpdate(c)
	if c.backAt != 0 || len(c.queue) == 0 {
		return
	}
	if c.curr != none {
		v := &h.vcpus[c.curr]
		if v.vruntime < v.deadline {
			return
		}
		v.deadline = v.vruntime + h.Slice
	}
	best, at := none, -1
	better := func(ci int32) bool {
		v := &h.vcpus[ci]
		return v.vruntime <= c.avg && (best == none || v.deadline < h.vcpus[best].deadline)
	}
	if c.curr != none && better(c.curr) {
		best = c.curr
	}
	for i, ci := range c.queue {
		if better(ci) {
			best, at = ci, i
		}
	}
	if best == none {
		best, at = c.queue[0], 0 // the mean is rounded down
	}
	if at < 0 {
		return
	}
	c.queue = append(c.queue[:at], c.queue[at+1:]...)
	s.hostHold(c)
	s.hostRun(p, best)
}

// hostHold makes the thread that runs on a CPU of the host wait.
func (s *Sched) hostHold(c *hostCPU) {
	ci := c.curr
	if ci == none {
		return
	}
	s.hostUpdate(c)
	c.curr = none
	c.queue = append(c.queue, ci)
	s.host.vcpus[ci].state = hostWaits
	s.progress(&s.cpus[ci])
	s.cpus[ci].frozen = true
}

// hostRun gives a CPU of the host to a thread, which goes on with what it did.
func (s *Sched) hostRun(p, ci int32) {
	c, v := &s.host.cpus[p], &s.host.vcpus[ci]
	v.state = hostRuns
	c.curr, c.since = ci, s.now
	g := &s.cpus[ci]
	g.frozen, g.since = false, s.now
	if g.act != actIdle {
		s.q.set(ci, g.end())
	}
	s.hostDeliver(ci)
	if v.tick {
		v.tick = false
		if !g.tickStopped {
			s.tickCPU(ci)
		}
	}
}

// hostDeliver lets the interrupts and timers come that were kept for a virtual CPU.
func (s *Sched) hostDeliver(ci int32) {
	v := &s.host.vcpus[ci]
	if v.interrupt {
		v.interrupt = false
		s.q.set(s.ipiSlot(ci), s.now)
	}
	if len(v.timers) > 0 && !v.armed {
		v.armed = true
		s.timers.push(s.now, ^ci)
		s.armTimers()
	}
}

// hostSleep takes the thread of a virtual CPU that has nothing to do off the host.
func (s *Sched) hostSleep(ci int32) {
	h := s.host
	v := &h.vcpus[ci]
	if v.state == hostAsleep {
		return
	}
	p := v.home
	c := &h.cpus[p]
	s.hostUpdate(c)
	v.lag = c.avg - v.vruntime
	if v.state == hostRuns {
		c.curr = none
	} else {
		for i, w := range c.queue {
			if w == ci {
				c.queue = append(c.queue[:i], c.queue[i+1:]...)
				break
			}
		}
		s.cpus[ci].frozen = false
	}
	v.state = hostAsleep
	// A timer of bandwidth control or of a class may have put it to sleep while it waited:
	// those come at once.
	s.hostDeliver(ci)
	if c.curr == none {
		s.hostNext(p)
	}
	s.armHost()
}

// hostNext gives a CPU of the host to the next thread, if need be one that waits for another
// CPU.
func (s *Sched) hostNext(p int32) {
	h := s.host
	if c := &h.cpus[p]; len(c.queue) == 0 && c.backAt == 0 {
		from := p
		for i := range h.cpus {
			if len(h.cpus[i].queue) > len(h.cpus[from].queue) {
				from = int32(i)
			}
		}
		s.hostMove(from, p)
	}
	s.hostSchedule(p)
}

// hostMove moves the thread that waits for longest.
func (s *Sched) hostMove(from, to int32) {
	c := &s.host.cpus[from]
	if from == to || len(c.queue) == 0 {
		return
	}
	s.hostUpdate(c)
	ci := c.queue[0]
	c.queue = c.queue[:copy(c.queue, c.queue[1:])]
	s.hostPlace(to, ci, s.host.vcpus[ci].vruntime-c.avg)
}
