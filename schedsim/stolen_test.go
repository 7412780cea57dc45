package schedsim

import "testing"

// TestStolenBalance: what a hypervisor takes in the middle of a newly idle CPU's balance
// is part of what the kernel measures as the balance's cost, and with it in
// max_newidle_lb_cost a CPU whose idle periods are shorter no longer looks for work
// (newidle_balance: avg_idle < curr_cost + sd->max_newidle_lb_cost).
func TestStolenBalance(t *testing.T) {
	for _, k := range kernels(4) {
		if k.Version == "v3.10" {
			continue // it measures nothing
		}
		t.Run(k.Version, func(t *testing.T) {
			for _, tc := range []struct {
				name    string
				every   int64
				avgIdle int64
				// whether it looks for work, and what at least the cost is then
				looks bool
				cost  int64
			}{
				{"not-virtual", 0, 2_000_000, true, 0},
				{"stolen", 1, 2_000_000, true, 100_000},
				{"remembered", 1, 500_000, false, 1_000_000},
			} {
				t.Run(tc.name, func(t *testing.T) {
					s := stillOf(t, k, 1, 4, 1)
					s.hogsOn(1, 3)
					s.overload = true
					s.cost.StealEvery, s.cost.StealTime = tc.every, 5_000_000
					c := &s.cpus[0]
					d := &c.domains[0]
					c.avgIdle, d.maxNewidleCost = tc.avgIdle, 0
					if !tc.looks {
						d.maxNewidleCost = tc.cost
					}
					s.lbWork = 0
					s.newidleBalance(0)
					if got := s.lbWork > 0; got != tc.looks {
						t.Errorf("looked for work: %v, want %v", got, tc.looks)
					}
					if d.maxNewidleCost < tc.cost || tc.every == 0 && d.maxNewidleCost > 100_000 {
						t.Errorf("max_newidle_lb_cost %d, want at least %d", d.maxNewidleCost, tc.cost)
					}
					if owed := c.owedWork; tc.looks && tc.every > 0 && owed < tc.cost {
						t.Errorf("%d owed: what is stolen is not charged", owed)
					}
				})
			}
		})
	}
}

// TestThefts: their mean is StealTime, and how many there are follows from the work.
func TestThefts(t *testing.T) {
	s := stillOf(t, V61(4), 1, 4, 1)
	s.cost.StealEvery, s.cost.StealTime, s.lbWork = 1_000_000, 2_000_000, 100_000
	const n = 100_000
	some, sum := 0, int64(0)
	for range n {
		if d := s.stolen(0); d > 0 {
			some++
			sum += d
		}
	}
	// 1 - exp(-0.1) = 0.09516 of them.
	if some < 9_200 || some > 9_830 {
		t.Errorf("%d of %d passes stolen from, want 9516", some, n)
	}
	if mean := sum / int64(some); mean < 1_900_000 || mean > 2_100_000 {
		t.Errorf("%d ns each, want 2 ms", mean)
	}
	s.cost.StealEvery = 0
	if d := s.stolen(0); d != 0 {
		t.Errorf("%d stolen on a machine that is not virtual", d)
	}
}
