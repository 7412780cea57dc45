package schedsim

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

// groupChaos is chaos whose tasks also create groups, up to four deep, move
// themselves and each other, change shares and quotas, and start sessions.
type groupChaos struct {
	*chaos
	groups int
	quotas bool
}

func (w *groupChaos) Next(s *Sched, t *Task) Op {
	if t.Rand.IntN(20) != 0 {
		return w.chaos.Next(s, t)
	}
	any := func() int { return t.Rand.IntN(len(s.groups)) }
	switch k := t.Rand.IntN(10); {
	case k < 2 && len(s.groups) < w.groups:
		if p := any(); depthOf(s, p) < 4 {
			s.NewGroup(fmt.Sprint("g", len(s.groups)), p, int64(2+t.Rand.IntN(4000)))
		}
	case k < 4:
		return Op{Kind: OpJoinGroup, Arg: int32(any()), Work: 500}
	case k < 6:
		s.MoveTask(&s.tasks[t.Rand.IntN(int(s.born))], any())
	case k < 7:
		if g := any(); g > 0 {
			s.SetShares(g, int64(t.Rand.IntN(5000)))
		}
	case k < 8 && w.quotas:
		quota := time.Duration(1+t.Rand.IntN(20)) * time.Millisecond
		if t.Rand.IntN(4) == 0 {
			quota = -1
		}
		// Some are refused, as there is less above.
		_ = s.SetBandwidth(any(), quota, time.Duration(5+t.Rand.IntN(20))*time.Millisecond, 0)
	case k < 9 && len(s.groups) < w.groups:
		s.SetSession(t, s.NewSession())
	}
	return w.chaos.Next(s, t)
}

func depthOf(s *Sched, g int) int {
	d := 0
	for ; g > 0; g = int(s.groups[g].parent) {
		d++
	}
	return d
}

// TestGroupInvariants checks the whole state after each event of random workloads
// with groups, in all versions.
func TestGroupInvariants(t *testing.T) {
	for _, tc := range []struct {
		name                           string
		kernel                         func(int) Kernel
		sockets, cores, threads, tasks int
		quotas                         bool
	}{
		{"one-cpu", V510, 1, 1, 1, 5, false},
		{"nested", V510, 2, 2, 2, 24, false},
		{"quotas", V510, 2, 2, 2, 24, true},
		{"quotas-one-cpu", V510, 1, 1, 1, 5, true},
		{"v3.10", V310, 1, 4, 1, 14, true},
		{"v4.18", V418, 2, 2, 1, 14, true},
		{"v5.9", V59, 2, 2, 1, 14, true},
		{"v6.1", V61, 2, 2, 1, 14, true},
		{"v6.12", V612, 2, 2, 1, 14, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m := testMachine(tc.sockets, tc.cores, tc.threads)
			w := &groupChaos{chaos: newChaos(tc.tasks, true), groups: 14, quotas: tc.quotas}
			s, err := newSched(&Config{Machine: m, Kernel: tc.kernel(len(m.CPUs)), Workload: w, Seed: *chaosSeed})
			if err != nil {
				t.Fatal(err)
			}
			w.Start(s)
			s.NewGroup("c", s.NewGroup("b", s.NewGroup("a", 0, 1024), 2048), 512)
			for range 25000 {
				if err := s.stepVerified(); err != nil {
					t.Fatal(err)
				}
			}
			// Few random tasks may come to wait for each other.
			if d := (*Deadlock)(nil); s.startErr != nil && !errors.As(s.startErr, &d) {
				t.Fatal(s.startErr)
			}
			deep, throttled := 0, int64(0)
			for g := range s.groups {
				deep = max(deep, depthOf(s, g))
				throttled += s.groups[g].nrThrottled
			}
			if deep < 3 || s.count.Wakeups < 300 || tc.quotas && throttled == 0 {
				t.Errorf("groups nested %d deep, %d wakeups, throttled in %d periods", deep, s.count.Wakeups, throttled)
			}
		})
	}
}
