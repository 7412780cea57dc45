package schedsim

import (
	"testing"
	"time"
)

// forkers is a parent on CPU 0 that forks n children and then sleeps.
func forkers(n int, child scripted) *script {
	child.child = true
	parent := scripted{}
	for i := range n {
		parent.ops = append(parent.ops, Op{Kind: OpFork, Arg: int32(i + 1), Work: 50_000})
	}
	parent.ops = append(parent.ops, sleep(time.Hour))
	return &script{tasks: append([]scripted{parent}, repeat(n, child)...), channels: 1}
}

// TestForkFillsOneNodeFirst: until 5.11 a child stays on its parent's node as
// long as that has an idle CPU.
func TestForkFillsOneNodeFirst(t *testing.T) {
	w := forkers(6, scripted{ops: []Op{hog()}})
	s := newTestSched(t, testMachine(2, 2, 2), w, false)
	simulate(t, s, 600*time.Microsecond)
	var nodes []int32
	for _, e := range s.trace.all() {
		if e.Kind == TraceFork {
			nodes = append(nodes, int32(s.m.CPUs[e.CPU].Node))
		}
	}
	// The parent runs on one of the node's four CPUs itself.
	want := []int32{0, 0, 0, 1, 1, 1}
	if len(nodes) != len(want) {
		t.Fatalf("%d forks, want %d", len(nodes), len(want))
	}
	for i := range want {
		if nodes[i] != want[i] {
			t.Fatalf("children on nodes %v, want %v", nodes, want)
		}
	}
}

// TestForkPrefersIdleCores: inside a node a child gets the core with most idle
// threads.
func TestForkPrefersIdleCores(t *testing.T) {
	w := forkers(3, scripted{ops: []Op{hog()}})
	s := newTestSched(t, testMachine(1, 4, 2), w, false)
	simulate(t, s, 400*time.Microsecond)
	seen := map[int32]bool{s.cpus[0].core: true}
	for _, e := range s.trace.all() {
		if e.Kind != TraceFork {
			continue
		}
		if core := s.cpus[e.CPU].core; seen[core] {
			t.Errorf("a child on the busy core %d", core)
		} else {
			seen[core] = true
		}
	}
	if len(seen) != 4 {
		t.Errorf("%d cores used, want 4", len(seen))
	}
}

// TestForkedTask: a child starts with the load of its weight, half of the CPU's
// spare capacity, and a slice of debt.
func TestForkedTask(t *testing.T) {
	w := forkers(1, scripted{ops: []Op{hog()}})
	w.tasks[0].cpus = nil
	s := newTestSched(t, testMachine(1, 1, 1), w, true)
	for s.trace.n == 0 || s.born < 2 {
		s.step()
	}
	parent, child := &s.ents[s.tasks[0].se], &s.ents[s.tasks[1].se]
	if child.avg.load != 1024 {
		t.Errorf("load %d, want 1024", child.avg.load)
	}
	if spare := (1024 - s.cfs[0].avg.util + child.avg.util) / 2; child.avg.util != spare {
		t.Errorf("util %d, want %d, half of what was spare", child.avg.util, spare)
	}
	// START_DEBIT: vslice of two equal tasks, 6 ms / 2 on one CPU.
	if debt := child.vruntime - parent.vruntime; debt < 2_900_000 || debt > 3_100_000 {
		t.Errorf("the child is %d ns behind, want about 3 ms", debt)
	}
}

// TestIdler compares group statistics as update_pick_idlest does.
func TestIdler(t *testing.T) {
	spare := func(idle int, util int64) groupStats {
		return groupStats{kind: groupHasSpare, idle: idle, util: util}
	}
	full := func(k groupType, load int64) groupStats { return groupStats{kind: k, avgLoad: load} }
	for _, tc := range []struct {
		name string
		a, b groupStats
		want bool
	}{
		{"type", spare(0, 900), full(groupFullyBusy, 1), true},
		{"more-idle", spare(3, 900), spare(2, 0), true},
		{"less-util", spare(2, 10), spare(2, 20), true},
		{"first-wins", spare(2, 10), spare(2, 10), false},
		{"less-load", full(groupOverloaded, 5), full(groupOverloaded, 6), true},
		{"same-load", full(groupFullyBusy, 6), full(groupFullyBusy, 6), false},
	} {
		if got := idler(&tc.a, &tc.b); got != tc.want {
			t.Errorf("%s: %v", tc.name, got)
		}
	}
}

// TestFindIdlestGroupCPU prefers the shallowest idle state, then the CPU that
// went idle last, then the least loaded.
func TestFindIdlestGroupCPU(t *testing.T) {
	for _, tc := range []struct {
		name    string
		prepare func(s *Sched)
		want    int32
	}{
		{"first", func(*Sched) {}, 0},
		{"shallowest", func(s *Sched) { s.cpus[2].idleState = 0 }, 2},
		{"latest", func(s *Sched) { s.cpus[1].idleStamp, s.cpus[3].idleStamp = 5, 7 }, 3},
		{"least-loaded", func(s *Sched) {
			s.load(1, 0, 1, 2, 3)
			for i := range 4 {
				s.cfs[i].avg.load = int64(1000 - 100*(i%3))
			}
		}, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := still(t, testMachine(1, 4, 1))
			tc.prepare(s)
			if got := findIdlestGroupCPU(s, &group{cpus: []int32{0, 1, 2, 3}}, &s.tasks[0], 0); got != tc.want {
				t.Errorf("CPU %d, want %d", got, tc.want)
			}
		})
	}
}
