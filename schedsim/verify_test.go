package schedsim

// verify checks the whole state as it is, for tests that step by themselves.
func (s *Sched) verify() error { return newChecker(s).whole() }

// verifyQueues checks the queues of the fair class alone, for tests that handle them by hand.
func (s *Sched) verifyQueues() error {
	c := newChecker(s)
	for _, ci := range s.online {
		if err := c.queues(ci); err != nil {
			return err
		}
	}
	return nil
}

// verifyTimeline checks one of EEVDF's.
func (s *Sched) verifyTimeline(q *cfsRQ) error {
	c := newChecker(s)
	c.stamp++
	return c.timeline(q.cpu, s.cfsIndex(q), q, &tally{})
}

// stepVerified dispatches an event and checks the whole state after it.
func (s *Sched) stepVerified() error {
	if s.checks == nil {
		s.checks = newChecker(s)
	}
	slot, _ := s.q.next()
	s.step()
	if err := s.checks.after(slot); err != nil {
		return err
	}
	return s.checks.whole()
}
