package schedsim

import "math"

// hostEvent is what is due on the host: ends of thefts, thefts, the tick.
func (s *Sched) hostEvent() {
	h := s.host
	for i := range h.cpus {
		c := &h.cpus[i]
		switch {
		case c.backAt != 0 && c.backAt <= s.now:
			c.backAt = 0
			c.stealAt = h.nextTheft(s.now)
			s.hostSchedule(int32(i))
		case c.backAt == 0 && c.stealAt != 0 && c.stealAt <= s.now:
			took := h.StealTime
			if h.SpareEvery > 0 && h.spare() {
				if took = h.SpareTime; h.rand.Float64()*float64(h.SpareEvery) > float64(h.StealEvery) {
					c.stealAt = h.nextTheft(s.now)
					continue
				}
			}
			s.hostHold(c)
			c.backAt = s.now + h.draw(took)
		}
	}
	if h.tickAt == s.now {
		s.hostTick()
	}
	s.armHost()
}

// hostTick ends slices and balances.
func (s *Sched) hostTick() {
	h := s.host
	most, least := 0, 0
	for i := range h.cpus {
		if h.cpus[i].threads() > h.cpus[most].threads() {
			most = i
		}
		if h.cpus[i].threads() < h.cpus[least].threads() {
			least = i
		}
	}
	if n := h.cpus[most].threads() - h.cpus[least].threads(); n > 1 || n == 1 && (s.now-h.phase)/h.Tick%hostBalance == 0 {
		s.hostMove(int32(most), int32(least))
	}
	for i := range h.cpus {
		s.hostSchedule(int32(i))
	}
}

// armHost sets the next event of the host. Its tick matters if somebody waits.
func (s *Sched) armHost() {
	h := s.host
	next := int64(math.MaxInt64)
	h.tickAt = 0
	for i := range h.cpus {
		c := &h.cpus[i]
		if c.backAt != 0 {
			next = min(next, c.backAt)
		} else if c.stealAt != 0 {
			next = min(next, c.stealAt)
		}
		if len(c.queue) > 0 {
			h.tickAt = h.nextTick(s.now)
			next = min(next, h.tickAt)
		}
	}
	if next == math.MaxInt64 {
		s.q.clear(h.slot)
		return
	}
	s.q.set(h.slot, next)
}

// nextTick is the first tick after a time.
func (h *host) nextTick(at int64) int64 { return h.phase + (at-h.phase)/h.Tick*h.Tick + h.Tick }

// nextTheft draws when something else wants a CPU of the host.
func (h *host) nextTheft(now int64) int64 {
	if h.StealEvery == 0 {
		return 0
	}
	return now + h.draw(h.StealEvery)
}

func (h *host) draw(mean int64) int64 {
	return 1 + int64(-float64(mean)*math.Log(1-h.rand.Float64()))
}
