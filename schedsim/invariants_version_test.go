package schedsim

import (
	"fmt"
	"testing"

	"github.com/schedlab/schedlab/topology"
)

// everyKernel are all versions, and the patches of v3.10.
func everyKernel(cpus int) []Kernel {
	var kernels []Kernel
	for _, v := range versions {
		kernels = append(kernels, v.kernel(cpus))
	}
	return append(kernels, V310(cpus).With(RunnableLoad), V310(cpus).With(RunnableLoad17))
}

// newSchedOf builds a simulation of w under k and starts it.
func newSchedOf(t testing.TB, m *topology.Machine, k Kernel, w Workload, flat bool) *Sched {
	t.Helper()
	k.Autogroup = !flat
	s, err := newSched(&Config{Machine: m, Kernel: k, Workload: w, Seed: *chaosSeed, TraceEvents: 1 << 12, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	w.Start(s)
	return s
}

// TestInvariantsVersions is TestInvariants for each version: the state holds after every
// event, with tasks that are bound and without.
func TestInvariantsVersions(t *testing.T) {
	const events = 15000
	for _, tc := range []struct {
		name                    string
		sockets, cores, threads int
		tasks                   int
		flat, packing           bool
	}{
		{"flat", 1, 4, 1, 12, true, false},
		{"two-sockets", 2, 3, 2, 20, false, false},
		{"overloaded", 2, 2, 2, 60, false, false},
		{"power7", 1, 2, 4, 11, true, true},
	} {
		m := testMachine(tc.sockets, tc.cores, tc.threads)
		if tc.packing {
			m.Arch = "ppc64"
		}
		for _, k := range everyKernel(len(m.CPUs)) {
			t.Run(fmt.Sprintf("%s/%v", tc.name, &k), func(t *testing.T) {
				t.Parallel()
				s := newSchedOf(t, m, k, newChaos(tc.tasks, tc.sockets > 1), tc.flat)
				if tc.packing {
					for ci := range s.cpus {
						s.cpus[ci].domains[0].asym = true
					}
				}
				for range events {
					if err := s.stepVerified(); err != nil {
						t.Fatal(err)
					}
					if err := s.verifyLoads(); err != nil {
						t.Fatal(err)
					}
				}
				if s.count.Wakeups < 200 {
					t.Errorf("only %d wakeups", s.count.Wakeups)
				}
			})
		}
	}
}

// verifyLoads checks that the sums that load tracking keeps beside the averages are
// those of their parts.
func (s *Sched) verifyLoads() error {
	runnable := make([]int64, len(s.cfs))
	weights := make([]int64, len(s.cfs))
	for i := range s.ents {
		if e := &s.ents[i]; e.onRQ {
			runnable[e.cfs] += e.avg.load
			weights[e.cfs] += e.runnableWeight
		}
	}
	for i := range s.cfs {
		q := &s.cfs[i]
		if s.pelt == peltV418 && q.runnableWeight != weights[i] {
			return fmt.Errorf("cfs_rq %d: runnable weight %d, its entities make %d", i, q.runnableWeight, weights[i])
		}
		if s.pelt != peltV310 {
			continue
		}
		l := &s.cfsV310[i]
		if l.runnable != runnable[i] {
			return fmt.Errorf("cfs_rq %d: runnable load %d, its entities contribute %d", i, l.runnable, runnable[i])
		}
		if l.blocked < 0 || l.removed < 0 || l.decayCounter < 1 {
			return fmt.Errorf("cfs_rq %d: %+v", i, *l)
		}
	}
	for g := range s.groups {
		sum := int64(0)
		if s.pelt == peltV310 {
			for c := range s.cpus {
				sum += s.cfsV310[g*len(s.cpus)+c].tgRunnable
			}
		}
		if sum != s.groups[g].runnableAvg {
			return fmt.Errorf("group %d: runnable_avg %d, contributions %d", g, s.groups[g].runnableAvg, sum)
		}
	}
	for i := range s.cpuLoads {
		for j, l := range s.cpuLoads[i].load {
			if l < 0 {
				return fmt.Errorf("CPU %d: cpu_load[%d] is %d", i, j, l)
			}
		}
	}
	return nil
}
