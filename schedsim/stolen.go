package schedsim

import "math"

// stolen is for how long a hypervisor takes ci away during the balancing pass that
// lbWork is the work of. It is charged like the pass itself.
//
// It matters because newidle_balance gives up on a CPU whose idle periods are shorter
// than the dearest pass so far, which is forgotten by 1 % a second only: one theft of
// some milliseconds ends newly idle balancing of a CPU for minutes.
func (s *Sched) stolen(ci int32) int64 {
	every := s.cost.StealEvery
	if every == 0 {
		return 0
	}
	if s.thefts.Float64() >= 1-math.Exp(-float64(s.lbWork)/float64(every)) {
		return 0
	}
	d := s.theft()
	s.cpus[ci].owedWork += d
	return d
}

// theft draws how long a theft takes.
func (s *Sched) theft() int64 {
	return int64(-float64(s.cost.StealTime) * math.Log(1-s.thefts.Float64()))
}

// stolenBefore is what newly idle CPUs of a virtual machine remember at the start, each one of
// Host.NewidleCosts by chance.
func (s *Sched) stolenBefore() {
	if s.host == nil || len(s.host.NewidleCosts) == 0 || !s.since(3, 12) {
		return // v3.10 does not measure
	}
	for _, ci := range s.online {
		c := &s.cpus[ci]
		costs := s.host.NewidleCosts[s.thefts.IntN(len(s.host.NewidleCosts))]
		sum := int64(0)
		for i := range c.domains {
			d := &c.domains[i]
			if len(costs) > 0 {
				d.maxNewidleCost = max(d.maxNewidleCost, costs[min(i, len(costs)-1)])
			}
			sum += d.maxNewidleCost
		}
		c.maxIdleBalanceCost = max(c.maxIdleBalanceCost, sum)
	}
}
