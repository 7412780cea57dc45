package schedsim

import (
	"slices"
	"testing"
	"time"

	"github.com/schedlab/schedlab/topology"
)

// TestBalanceReference compares with what real kernels did of 6.1 (Debian's stable series)
// and 6.12 on four virtual CPUs, three boots each: the least and the largest share of a CPU
// that a task had, and how often tasks were migrated, wakeups and forks included.
func TestBalanceReference(t *testing.T) {
	type seen struct {
		lo, hi float64 // shares
		fewest int64
		most   int64
	}
	bound := repeat(3, scripted{ops: []Op{hog()}, cpus: pinned(0, 1)})
	for _, tc := range []struct {
		name   string
		smt    bool
		tasks  []scripted
		length time.Duration
		v61    seen
		v612   seen
		slack  float64
	}{
		{"hogs-five", false, hogs(5), 4 * time.Second, seen{.737, .879, 46, 49}, seen{.692, .877, 47, 48}, .05},
		{"hogs-sixteen", false, hogs(16), 3 * time.Second, seen{.242, .274, 14, 19}, seen{.224, .334, 14, 16}, .03},
		{"hogs-three-on-two", false, bound, 4 * time.Second, seen{.499, 1.001, 2, 6}, seen{.5, 1, 2, 2}, .01},
		{"hogs-five", true, hogs(5), 4 * time.Second, seen{.726, .858, 55, 63}, seen{.729, .846, 54, 58}, .05},
		{"hogs-sixteen", true, hogs(16), 3 * time.Second, seen{.241, .269, 19, 22}, seen{.241, .288, 24, 42}, .03},
		{"hogs-three-on-two", true, bound, 4 * time.Second, seen{.627, .714, 28, 31}, seen{.633, .710, 28, 31}, .05},
		{"smt-two", true, hogs(2), 2 * time.Second, seen{.997, 1.002, 0, 2}, seen{.99, 1, 0, 5}, .01},
	} {
		for _, k := range []Kernel{V61(4), V612(4)} {
			want, name := tc.v61, tc.name+"/"+k.Version
			if k.Version == "v6.12" {
				want = tc.v612
			}
			var m *topology.Machine
			if m = testMachine(1, 4, 1); tc.smt {
				m = smtGuest()
				name += "/smt"
			}
			t.Run(name, func(t *testing.T) {
				s := newSchedOf(t, m, k, &script{tasks: tc.tasks}, true)
				simulate(t, s, tc.length)
				var shares []float64
				for i := range tc.tasks {
					shares = append(shares, float64(s.ran(int32(i)))/float64(tc.length))
				}
				if lo, hi := slices.Min(shares), slices.Max(shares); lo < want.lo-tc.slack || hi > want.hi+tc.slack {
					t.Errorf("shares from %.3f to %.3f, real kernels %.3f to %.3f", lo, hi, want.lo, want.hi)
				}
				if tc.name == "hogs-three-on-two" && !tc.smt && slices.Max(shares) < .99 {
					t.Errorf("the bound hogs take turns, which no real kernel let them: %.3f", shares)
				}
				// Half as many to half as many again: fork and exec are not in the model's, and
				// virtual CPUs lose ticks.
				if n := s.count.LBMigrations; n < want.fewest/2-1 || n > want.most*3/2 {
					t.Errorf("%d migrations, real kernels %d to %d", n, want.fewest, want.most)
				}
			})
		}
	}
}

// TestLoadTrackingReference: the same kernels' util_avg of a task after 100 ms of running,
// and at the end of 2 s of 2 ms in 10.
func TestLoadTrackingReference(t *testing.T) {
	ramp := scripted{ops: []Op{hog()}, cpus: pinned(0), start: 200 * time.Millisecond}
	for _, k := range []Kernel{V61(2), V612(2)} {
		s := newSchedOf(t, testMachine(1, 2, 1), k, &script{tasks: []scripted{ramp}}, true)
		simulate(t, s, 300*time.Millisecond)
		if got := s.ents[s.tasks[0].se].avg.util; got < 879-4 || got > 897+4 {
			t.Errorf("%s: util %d after 100 ms, real kernels 879 to 897", k.Version, got)
		}
		s = newSchedOf(t, testMachine(1, 2, 1), k, &script{tasks: []scripted{{ops: []Op{run(2 * time.Millisecond), sleep(8 * time.Millisecond)}, cpus: pinned(0)}}}, true)
		simulate(t, s, 2*time.Second)
		if got := s.ents[s.tasks[0].se].avg.util; got < 201-15 || got > 258+15 {
			t.Errorf("%s: util %d of 2 ms in 10, real kernels 201 to 258", k.Version, got)
		}
	}
}
