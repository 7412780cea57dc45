package schedsim

import "testing"

// TestShadowIsAskedAtEveryCall: the shadow is asked whether or not the acting
// select_idle_core has anything to do, pays nothing, and is counted by its value
// and by where the wakeup would have gone.
func TestShadowIsAskedAtEveryCall(t *testing.T) {
	answer := func(cpu int) Kernel {
		return V510(8).With(Patch{Name: "answer", Apply: func(k *Kernel) {
			k.SelectIdleCore = func(s *Sched, _ *Task, target int) int {
				s.AvailableIdleCPU(target) // a look, which must be free
				return cpu
			}
		}})
	}
	for _, tc := range []struct {
		name           string
		busy           []int
		idleCores      bool
		answer         int // of the shadow
		differs, other int64
	}{
		{"same-value", []int{0, 1, 2, 3}, false, -1, 0, 0},
		{"another-value-without-the-hint", []int{0, 1, 2, 3}, false, 7, 1, 1},
		{"another-value-same-cpu", []int{0, 1, 2, 3, 5, 6, 7}, false, 4, 1, 0}, // base finds it as sibling
		{"another-core", []int{0}, true, 3, 1, 1},
		{"same-core", []int{0}, true, 1, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var cost [2]int64
			for i := range cost {
				s := still(t, testMachine(1, 4, 2))
				s.load(1, tc.busy...)
				s.SetIdleCores(0, tc.idleCores)
				s.cpus[0].avgIdle = 0 // two useful looks of select_idle_cpu
				k := answer(tc.answer)
				k.Autogroup = s.k.Autogroup
				if i == 1 {
					s.shadow = newShadow(s.k, &k)
				}
				s.at(0)
				selectIdleSibling(s, &s.tasks[0], 0, 0)
				cost[i] = s.probeWork
				if i == 0 {
					continue
				}
				c := &s.count
				if c.ShadowDecisions != 1 || c.ShadowDiffers != tc.differs || c.ShadowOther != tc.other {
					t.Errorf("%d decisions, %d differ, %d other; want 1, %d, %d",
						c.ShadowDecisions, c.ShadowDiffers, c.ShadowOther, tc.differs, tc.other)
				}
			}
			if cost[0] != cost[1] {
				t.Errorf("the search costs %d ns with a shadow and %d without", cost[1], cost[0])
			}
		})
	}
}

// TestShadowTellsClosuresApart: a patch with a parameter is another one for
// another value, although the code is the same.
func TestShadowTellsClosuresApart(t *testing.T) {
	depth := func(n int) Kernel {
		return V510(8).With(Patch{Name: "depth", Apply: func(k *Kernel) {
			k.SelectIdleCore = func(*Sched, *Task, int) int { return n }
		}})
	}
	one, two := depth(1), depth(2)
	for _, tc := range []struct {
		name  string
		other Kernel
		asked bool
	}{
		{"itself", one, false},
		{"another-value", two, true},
		{"base", V510(8), true},
	} {
		if sh := newShadow(&one, &tc.other); sh.core != tc.asked || sh.whole {
			t.Errorf("%s: core %v, whole %v, want %v, false", tc.name, sh.core, sh.whole, tc.asked)
		}
	}
}
