package schedsim

import (
	"slices"
	"testing"
	"time"
)

// TestDetachOrder: v3.10 takes first what was queued last, later kernels what ran longest
// ago; those attach in the opposite order.
func TestDetachOrder(t *testing.T) {
	for _, k := range everyKernel(2) {
		if k.RunnableLoad.HLoad || k.Version == "v5.10" {
			continue
		}
		t.Run(k.Version, func(t *testing.T) {
			w := &script{tasks: repeat(4, scripted{ops: []Op{hog()}, cpus: pinned(0)})}
			s := newSchedOf(t, testMachine(1, 2, 1), k, w, true)
			simulate(t, s, 201*time.Millisecond)
			for i := range s.tasks {
				s.tasks[i].allowed = nil
				s.ents[s.tasks[i].se].execStart = 0 // cold
			}
			s.ents[s.tasks[s.cpus[0].curr].se].execStart = s.now
			from := slices.Clone(s.cpus[0].fairTasks)
			from = slices.DeleteFunc(from, func(id TaskID) bool { return id == s.cpus[0].curr })
			want := []TaskID{from[1], from[0]} // attached in this order
			if k.Version == "v3.10" {
				want = []TaskID{from[2], from[1]}
			}
			s.at(1)
			env := lbEnv{d: &s.cpus[1].domains[0], dst: 1, idle: cpuNotIdle, kind: migrateTask, imbalance: 2}
			if !s.since(5, 5) {
				env.kind, env.imbalance = migrateLoad, 1800
			}
			if got := s.pull(&env); got != 2 || !slices.Equal(s.cpus[1].fairTasks, want) {
				t.Errorf("moved %d, CPU 1 has %v, want %v of %v", got, s.cpus[1].fairTasks, want, from)
			}
		})
	}
}

// TestTaskHotVersions: what is hot to whom.
func TestTaskHotVersions(t *testing.T) {
	for _, tc := range []struct {
		name      string
		smt, last bool
		thisBusy  bool // the CPU that balances, for another
		ago       int64
		want      map[string]bool
	}{
		{"sibling", true, false, false, 0, map[string]bool{"v3.10": true, "v4.18": true, "v5.9": true, "v5.10": false, "v6.1": false, "v6.12": false}},
		{"last-buddy", false, true, false, 1e9, map[string]bool{"v3.10": false, "v4.18": true, "v5.9": true, "v5.10": true, "v6.1": true, "v6.12": false}},
		{"last-buddy-for-another", false, true, true, 1e9, map[string]bool{"v3.10": true, "v4.18": true, "v6.12": false}},
	} {
		for _, k := range everyKernel(4) {
			want, ok := tc.want[k.String()]
			if !ok {
				continue
			}
			s := stillOf(t, k, 1, 4, 1)
			task := &s.tasks[0]
			e := &s.ents[task.se]
			e.execStart = s.now - tc.ago
			if tc.last {
				s.cfs[e.cfs].last = task.se
			}
			s.load(1, 1)
			s.at(2)
			if tc.thisBusy {
				s.load(1, 2)
			}
			if got := s.taskHot(&lbEnv{d: &Domain{smt: tc.smt}, dst: 1}, task); got != want {
				t.Errorf("%s, %s: hot %v", tc.name, k.Version, got)
			}
		}
	}
}

// bound starts five hogs: three that may run on CPU 1 only, and two on CPU 2.
func bound(t *testing.T, k Kernel) *Sched {
	tasks := append(repeat(3, scripted{ops: []Op{hog()}, cpus: pinned(1), cpu: 1}), repeat(2, scripted{ops: []Op{hog()}, cpus: pinned(2), cpu: 2})...)
	s := newSchedOf(t, testMachine(1, 4, 1), k, &script{tasks: tasks}, true)
	simulate(t, s, 201*time.Millisecond)
	s.at(0)
	return s
}

// TestAllPinned: a pass that finds only tasks bound to the busiest CPU goes on with the
// next; if there is none it backs off further than otherwise, and forgets its failures.
func TestAllPinned(t *testing.T) {
	for _, k := range everyKernel(4) {
		if k.Version == "v5.10" || k.RunnableLoad.HLoad {
			continue
		}
		t.Run(k.Version, func(t *testing.T) {
			s := bound(t, k)
			d := &s.cpus[0].domains[0]
			d.nrBalanceFailed, d.balanceInterval = 2, d.maxInterval
			if moved, _ := s.loadBalance(0, d, cpuIdle); moved != 0 || d.nrBalanceFailed != 0 || d.balanceInterval != 2*d.maxInterval {
				t.Errorf("all bound: moved %d, failed %d, interval %d", moved, d.nrBalanceFailed, d.balanceInterval)
			}
			for i := range s.tasks[3:5] {
				s.tasks[3+i].allowed = nil
				s.ents[s.tasks[3+i].se].execStart = 0
			}
			d.nrBalanceFailed = 2
			moved, _ := s.loadBalance(0, d, cpuIdle)
			if moved != 1 || s.tasks[3].cpu == s.tasks[4].cpu {
				t.Errorf("moved %d; tasks on CPUs %d and %d", moved, s.tasks[3].cpu, s.tasks[4].cpu)
			}
		})
	}
}

// TestSomePinned: a task that may not run on the balancing CPU but on another of its group
// goes there, and since v3.12 a pass that affinity kept from its end tells the domain above.
func TestSomePinned(t *testing.T) {
	for _, k := range everyKernel(4) {
		if k.Version == "v5.10" || k.RunnableLoad.HLoad {
			continue
		}
		t.Run(k.Version, func(t *testing.T) {
			// Nodes of CPUs 0 and 1, and 2 and 3; CPU 0 balances.
			tasks := repeat(4, scripted{ops: []Op{hog()}, cpus: pinned(2), cpu: 2})
			s := newSchedOf(t, testMachine(2, 2, 1), k, &script{tasks: tasks}, true)
			simulate(t, s, 201*time.Millisecond)
			for i := range s.tasks {
				s.tasks[i].allowed = maskOf(4, []int{1, 2})
				s.ents[s.tasks[i].se].execStart = 0
			}
			s.at(0)
			d := &s.cpus[0].domains[len(s.cpus[0].domains)-1]
			moved, _ := s.loadBalance(0, d, cpuIdle)
			if moved == 0 || s.cpus[1].nrRunning != int32(moved) {
				t.Errorf("moved %d, CPU 1 has %d", moved, s.cpus[1].nrRunning)
			}
			s.kickIdle(1, 0)
			if err := s.verify(); err != nil {
				t.Error(err)
			}

			// Inside a node: CPU 2 is overloaded with what may not go to CPU 3.
			s = newSchedOf(t, testMachine(2, 2, 1), k, &script{tasks: tasks}, true)
			simulate(t, s, 201*time.Millisecond)
			s.at(3)
			mc := &s.cpus[3].domains[0]
			up := s.cpus[3].domains[len(s.cpus[3].domains)-1].groups[0]
			s.loadBalance(3, mc, cpuIdle)
			if want := k.Version != "v3.10"; up.imbalance != want {
				t.Errorf("group_imbalanced %v, want %v", up.imbalance, want)
			}
		})
	}
}

// TestBalancingCPU: since v6.0 a newly idle CPU that has got work leaves it at that; since
// v6.6 the CPU of an idle core goes before the idle sibling of a busy one.
func TestBalancingCPU(t *testing.T) {
	chosen := func(s *Sched, idle idleType) (cpus []int32) {
		node := &s.cpus[0].domains[len(s.cpus[0].domains)-1]
		for _, c := range node.groups[0].cpus {
			if s.shouldWeBalance(&lbEnv{d: node, dst: c, idle: idle}) {
				cpus = append(cpus, c)
			}
		}
		return cpus
	}
	for _, tc := range []struct {
		kernel  func(int) Kernel
		newly   int
		sibling int32 // who balances when CPU 4, the sibling of CPU 0, is busy
	}{{V59, 4, 0}, {V61, 3, 0}, {V612, 3, 1}} {
		k := tc.kernel(8)
		// Two nodes of two cores: the local node's are CPUs 0 and 4, and 1 and 5.
		s := stillOf(t, k, 2, 2, 2)
		s.load(1, 0)
		if got := chosen(s, cpuNewlyIdle); len(got) != tc.newly {
			t.Errorf("%s: newly idle: %v", k.Version, got)
		}
		if got := chosen(s, cpuIdle); len(got) != 1 || got[0] != 1 {
			t.Errorf("%s: CPU 0 is busy: %v balances, want 1", k.Version, got)
		}
		s.load(1, 1)
		if got := chosen(s, cpuIdle); len(got) != 1 || got[0] != 4 {
			t.Errorf("%s: both cores are busy: %v balances, want 4", k.Version, got)
		}
		s.load(0, 0)
		s.load(1, 4)
		s.load(0, 1)
		if got := chosen(s, cpuIdle); len(got) != 1 || got[0] != tc.sibling {
			t.Errorf("%s: CPU 4 is busy: %v balances, want %d", k.Version, got, tc.sibling)
		}
	}
}
