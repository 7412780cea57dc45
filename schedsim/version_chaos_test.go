package schedsim

import (
	"context"
	"testing"
	"time"
)

// execs is chaos whose tasks call exec now and then.
type execs struct{ *chaos }

func (w *execs) Next(s *Sched, t *Task) Op {
	op := w.chaos.Next(s, t)
	if op.Kind == OpCompute && t.Rand.IntN(4) == 0 {
		op.Kind = OpExec
	}
	return op
}

// TestVersionInvariants runs random workloads on every version and checks the whole
// state after every event.
func TestVersionInvariants(t *testing.T) {
	for _, k := range kernels(16) {
		for _, tasks := range []int{9, 40} {
			for _, m := range []struct {
				name string
				cpus int
			}{{"two-sockets", 16}, {"clusters", 8}} {
				t.Run(k.Version+"/"+m.name, func(t *testing.T) {
					t.Parallel()
					machine := testMachine(2, 4, 2)
					if m.name == "clusters" {
						machine = clustered()
					}
					w := &execs{newChaos(tasks, true)}
					s, err := newSched(&Config{Machine: machine, Kernel: k, Workload: w, Seed: 1})
					if err != nil {
						t.Fatal(err)
					}
					w.Start(s)
					for range 15000 {
						if err := s.stepVerified(); err != nil {
							t.Fatal(err)
						}
					}
					if tasks == 40 && (s.count.ExecMigrations == 0 || s.count.WakeupsRemote == 0 && m.cpus == 16) {
						t.Errorf("%d exec migrations, %d wakeups on another cache", s.count.ExecMigrations, s.count.WakeupsRemote)
					}
				})
			}
		}
	}
}

// TestVersionsAllocate: no version allocates in the loop.
func TestVersionsAllocate(t *testing.T) {
	for _, k := range kernels(16) {
		w := &execs{newChaos(14, false)}
		s, err := newSched(&Config{Machine: testMachine(2, 4, 2), Kernel: k, Workload: w, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		w.Start(s)
		simulate(t, s, 100*time.Millisecond)
		if n := testing.AllocsPerRun(20, func() {
			for range 1000 {
				s.step()
			}
		}); n > 0 {
			t.Errorf("%v: %v allocations in 1000 events", k, n)
		}
	}
}

// TestVersionsDiffer: the versions are not one model by several names.
func TestVersionsDiffer(t *testing.T) {
	seen := map[uint64]string{}
	for _, k := range kernels(16) {
		r, err := Run(context.Background(), Config{
			Machine: testMachine(2, 4, 2), Kernel: k, Workload: newChaos(14, false), Seed: 1, Measure: 50 * time.Millisecond,
		})
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := seen[r.TraceHash]; ok && k.Version != "v6.12" {
			t.Errorf("%s runs as %s does", k.Version, other)
		}
		seen[r.TraceHash] = k.Version
	}
}
