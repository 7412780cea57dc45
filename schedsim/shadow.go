package schedsim

// selectBoth asks both kernels where a wakeup goes and acts on the first. The
// shadow is asked first and dry: it pays nothing and changes nothing, so the
// run is the same as without it. What it counts is how often the changed
// function's value differed at the same state, and how often the wakeup would
// have gone elsewhere.
func (s *Sched) selectBoth(t *Task, sync bool) int {
	const notAsked = -2
	active := s.k
	shadowCore, activeCore := notAsked, notAsked
	work, stall := s.probeWork, s.probeStall

	s.dry, s.k, s.idleCoreChoice = true, s.shadow, &shadowCore
	other := s.k.SelectTaskRQFair(s, t, int(t.cpu), sync)
	s.dry, s.k, s.idleCoreChoice = false, active, &activeCore
	s.probeWork, s.probeStall = work, stall

	cpu := s.k.SelectTaskRQFair(s, t, int(t.cpu), sync)
	s.idleCoreChoice = nil
	if shadowCore != notAsked || activeCore != notAsked {
		s.count.ShadowDecisions++
		if shadowCore != activeCore {
			s.count.ShadowDiffers++
		}
	}
	if other != cpu {
		s.count.ShadowOther++
	}
	return cpu
}
