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

// theftsBefore is how many thefts a newly idle CPU has seen since it booted, in the mean; how
// many each has is exponential (assumed). It decides in how many of its chances, a task
// waiting elsewhere, a CPU pulls. Pulled of chances, in per cent, by traces of 6.1 and 6.12
// under QEMU, and by the model, with NI_RANDOM as they have it, and 4, 8, 16 and 32 thefts:
//
//	fanout-four       30    3  2  1  1
//	futex-barrier     13   38 31 16  7
//	rt-push-pull      44   64 61 62 58
//	sleepers-sixteen   9   22  9  6  3
//	idle-policy-many  26   67 63 54 48
//	nodes-pairs       10    2  1  0  0
//
// Of these numbers 16 is the nearest on the whole. It is what some 2500 passes of 100 us see.
// A guest of 6.1 on a busy host had max_newidle_lb_cost of 0.07, 0.09, 0.10 and 2.9 ms when it
// had booted, and of 27 to 64 ms after four scenarios.
const theftsBefore = 16

// stolenBefore is what newly idle CPUs of a virtual machine remember at the start: of each
// domain of each CPU the longest of some thefts.
func (s *Sched) stolenBefore() {
	if s.cost.StealEvery == 0 || !s.since(3, 12) {
		return // v3.10 does not measure
	}
	for _, ci := range s.online {
		c := &s.cpus[ci]
		sum := int64(0)
		for i := range c.domains {
			for range int(-theftsBefore * math.Log(1-s.thefts.Float64())) {
				c.domains[i].maxNewidleCost = max(c.domains[i].maxNewidleCost, s.theft())
			}
			sum += c.domains[i].maxNewidleCost
		}
		c.maxIdleBalanceCost = max(c.maxIdleBalanceCost, sum)
	}
}
