package schedsim

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/schedlab/schedlab/topology"
)

// forks returns the CPUs that n children of a task on CPU 0 of an idle machine were
// created on.
func forks(t *testing.T, m *topology.Machine, k Kernel, n int) (cpus, nodes []int) {
	t.Helper()
	w := forkers(n, scripted{ops: []Op{hog()}})
	s, err := newSched(&Config{Machine: m, Kernel: k, Workload: w, Seed: 1, TraceEvents: 1 << 12})
	if err != nil {
		t.Fatal(err)
	}
	w.Start(s)
	simulate(t, s, time.Duration(n)*150*time.Microsecond)
	for _, e := range s.trace.all() {
		if e.Kind == TraceFork {
			cpus = append(cpus, int(e.CPU))
			nodes = append(nodes, s.m.CPUs[e.CPU].Node)
		}
	}
	if len(cpus) != n {
		t.Fatalf("%d of %d forks", len(cpus), n)
	}
	if err := s.verify(); err != nil {
		t.Error(err)
	}
	return cpus, nodes
}

// TestForkByVersion: where the first children go, in the root group. The machines
// have two nodes; the threads of core k are k and k plus half of the CPUs.
func TestForkByVersion(t *testing.T) {
	for _, tc := range []struct {
		cores int
		want  map[string]string // CPUs by version
	}{
		{2, map[string]string{
			// Loads: the other node has none, and of cores and threads without
			// load the last compared is taken, as 0 is not less than 0.
			"v3.10": "[7 5 6 4]",
			// Also by load: the parent's 435 (1024 on 4 threads of 589) is more
			// than the margin of 256 above the other node's 0.
			"v4.18": "[7 5 6 4]",
			// A node is filled first, cores before threads.
			"v5.9": "[1 4 5 2]", "v5.10": "[1 4 5 2]",
			// One task a node may be kept (imb_numa_nr 1), and the parent is one.
			"v6.1": "[2 1 3 4]", "v6.12": "[2 1 3 4]",
		}},
		{8, map[string]string{
			"v3.10": "[25 17 26 18]",
			// 1024 on 16 threads of 589 is 111: two tasks are within the margin,
			// the third is not.
			"v4.18": "[17 18 25 19]",
			"v5.9":  "[1 2 3 4]", "v5.10": "[1 2 3 4]",
			// Two tasks may be kept.
			"v6.1": "[1 8 9 2]", "v6.12": "[1 8 9 2]",
		}},
	} {
		for _, k := range kernels(4 * tc.cores) {
			t.Run(fmt.Sprintf("%d-cores/%s", tc.cores, k.Version), func(t *testing.T) {
				cpus, _ := forks(t, testMachine(2, tc.cores, 2), flat(k), 4)
				if got := fmt.Sprint(cpus); got != tc.want[k.Version] {
					t.Errorf("children on CPUs %s, want %s", got, tc.want[k.Version])
				}
			})
		}
	}
}

// TestForkSpread: until the machine is all but full, no CPU is used twice in any
// version, and no core before all cores of its node are. (The last child but one
// would be within 4.18's margin between nodes, and stay on the full one.)
func TestForkSpread(t *testing.T) {
	for _, k := range kernels(16) {
		cpus, nodes := forks(t, testMachine(2, 4, 2), flat(k), 14)
		used := map[int]bool{0: true}
		cores := map[int]int{0: 1}
		for i, c := range cpus {
			if used[c] {
				t.Errorf("%v: child %d is the second on CPU %d: %v", k, i, c, cpus)
			}
			used[c] = true
			core := c % 8
			cores[core]++
			for other := range 8 {
				if other/4 == core/4 && cores[core] == 2 && cores[other] == 0 {
					t.Errorf("%v: child %d shares core %d while %d is idle: %v", k, i, core, other, cpus)
				}
			}
		}
		// How many children are on the other node when there are half as many as
		// CPUs in a node.
		far := 0
		for _, n := range nodes[:4] {
			far += n
		}
		want := 2
		if k.Version == "v5.9" || k.Version == "v5.10" {
			want = 0
		}
		if far != want {
			t.Errorf("%v: %d of four children on the other node, want %d", k, far, want)
		}
	}
}

// TestForkOnPOWER8: nodes are farther apart there than the kernels of old look, and
// all children stay on their parent's node.
func TestForkOnPOWER8(t *testing.T) {
	m, err := topology.Load("p8-2s4n")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []Kernel{V310(160), V418(160)} {
		_, nodes := forks(t, m, flat(k), 44) // a node has 40 threads
		if slices.Max(nodes) != nodes[0] || slices.Min(nodes) != nodes[0] {
			t.Errorf("%v: children on nodes %v", k, nodes)
		}
	}
}

// TestForkAffinity: a child that may use one CPU goes there; one that may not use
// its parent's node goes to the other.
func TestForkAffinity(t *testing.T) {
	for _, k := range kernels(8) {
		s := stillOn(t, testMachine(2, 2, 2), flat(k))
		s.load(1, 0)
		s.cpus[0].curr = 0
		child := &s.tasks[1]
		s.setTaskRQ(child, 0)
		s.at(0)
		child.allowed = maskOf(8, []int{5})
		if got := s.selectNewCPU(child, 0); got != 5 {
			t.Errorf("%v: CPU %d, want 5", k, got)
		}
		child.allowed = maskOf(8, []int{2, 3})
		if got := s.selectNewCPU(child, 0); got != 2 && got != 3 {
			t.Errorf("%v: CPU %d, want 2 or 3", k, got)
		}
	}
}

// TestForkInheritsFlips: a child is a copy of its parent, its wakeups included.
func TestForkInheritsFlips(t *testing.T) {
	for _, k := range kernels(4) {
		w := forkers(1, scripted{ops: []Op{hog()}})
		s, err := newSched(&Config{Machine: testMachine(1, 4, 1), Kernel: flat(k), Workload: w, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		w.Start(s)
		s.tasks[0].wakeeFlips = 9
		simulate(t, s, 100*time.Microsecond)
		if got := s.tasks[1].wakeeFlips; s.born != 2 || got != 9 {
			t.Errorf("%v: %d flips, want 9", k, got)
		}
	}
}

// TestImbNUMANr: how many tasks a node may keep.
func TestImbNUMANr(t *testing.T) {
	for machine, want := range map[string][]int{ // by NUMA domain
		"csl-2s-80":    {5},       // an eighth of 40, although the package's domain is gone
		"zen2-2s-256":  {16},      // caches of a node
		"p9-2s2n":      {8},       // pairs of cores
		"wsm-ex-8s":    {2, 4, 8}, // an eighth of 20; then twice and four times the nodes
		"kp920-2s-128": {4, 4, 8},
	} {
		m, err := topology.Load(machine)
		if err != nil {
			t.Fatal(err)
		}
		s := stillOn(t, m, flat(V61(len(m.CPUs))))
		var got []int
		for _, d := range s.cpus[0].domains {
			if d.numa {
				got = append(got, d.imbNumaNr)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", machine, got, want)
		}
	}
}

// TestNodeKeeps: when a child stays on its parent's node of 16 CPUs, by the tasks
// that run there and the idle CPUs of both nodes.
func TestNodeKeeps(t *testing.T) {
	for _, tc := range []struct {
		name                 string
		running, idle, other int
		allowed              []int
		v510, v61            bool
	}{
		{"first", 1, 15, 16, nil, true, true},
		{"second", 2, 14, 16, nil, true, false},        // 3 tasks would be more than 2
		{"one-more-idle", 1, 13, 16, nil, true, false}, // 3 idle CPUs apart
		{"full", 16, 0, 16, nil, false, false},
		{"two-cpus-allowed", 1, 15, 16, []int{0, 1}, true, true},
		{"one-cpu-allowed", 1, 15, 16, []int{0, 24}, true, false},
	} {
		for _, k := range []Kernel{V59(32), V510(32), V61(32), V612(32)} {
			s := stillOn(t, testMachine(2, 8, 2), flat(k))
			d := &s.cpus[0].domains[len(s.cpus[0].domains)-1]
			task := &s.tasks[0]
			if tc.allowed != nil {
				task.allowed = maskOf(32, tc.allowed)
			}
			local := groupStats{g: d.groups[0], nrRunning: tc.running, idle: tc.idle}
			best := groupStats{g: d.groups[1], idle: tc.other}
			want := tc.v510
			if s.since(5, 18) {
				want = tc.v61
			}
			if got := s.nodeKeeps(d, task, &local, &best); got != want {
				t.Errorf("%s: %v: %v, want %v", tc.name, k, got, want)
			}
		}
	}
}

// TestIdlestByLoad: 3.10 goes to a group that has 12 % less load for its capacity
// (imbalance_pct 125), 4.18 adds margins.
func TestIdlestByLoad(t *testing.T) {
	for _, tc := range []struct {
		name          string
		local, remote int64 // load of each of the two CPUs of a node
		blocked       bool  // all of it sleeps
		v310, v418    bool  // goes
	}{
		{"same", 1000, 1000, false, false, false},
		{"11-percent", 1110, 1000, false, false, false},
		{"12-percent", 1120, 1000, false, true, false}, // 120 are within 256
		{"margin", 1256, 1000, false, true, false},
		{"beyond", 1257, 1000, false, true, true},
		{"less", 900, 1000, false, false, false},
		{"idle-all", 0, 0, false, true, false}, // 0 is not less than 0; 0 + 256 is not less than 0
	} {
		for _, k := range []Kernel{V310(4), V418(4)} {
			s := stillOn(t, testMachine(2, 2, 1), flat(k))
			for ci, load := range []int64{tc.local, tc.local, tc.remote, tc.remote} {
				s.cfs[ci].load.set(load << fixedShift)
				s.cfs[ci].avg.load, s.cfs[ci].avg.runnable = load, load
				if load > 0 {
					s.load(1, ci)
				}
			}
			d := &s.cpus[0].domains[len(s.cpus[0].domains)-1]
			child := &s.tasks[0]
			s.at(0)
			find, want := findIdlestGroup310, tc.v310
			if k.Version == "v4.18" {
				find, want = findIdlestGroup418, tc.v418
			}
			if got := find(s, d, child, 0, placeFork) != nil; got != want {
				t.Errorf("%s: %v: goes %v, want %v", tc.name, k, got, want)
			}
		}
	}
}

// TestIdlestBlocked: where what is runnable is close, 4.18 compares the loads with
// sleepers: inside a node, where there is no other margin.
func TestIdlestBlocked(t *testing.T) {
	for _, tc := range []struct {
		avg  [4]int64 // load of the CPUs, nothing runnable
		want int      // first CPU of the group, or -1
	}{
		{[4]int64{100, 100, 100, 100}, -1},
		{[4]int64{120, 100, 100, 100}, 1},  // more than 8 % above
		{[4]int64{100, 200, 109, 120}, -1}, // 100*100 < 108*109
		{[4]int64{100, 200, 150, 90}, 3},
		{[4]int64{0, 0, 0, 0}, 1},
	} {
		s := stillOn(t, testMachine(1, 4, 1), flat(V418(4)))
		for ci, load := range tc.avg {
			s.cfs[ci].avg.load = load
		}
		d := &s.cpus[0].domains[0]
		s.at(0)
		got := -1
		if g := findIdlestGroup418(s, d, &s.tasks[0], 0, placeFork); g != nil {
			got = int(g.cpus[0])
		}
		if got != tc.want {
			t.Errorf("%v: group of CPU %d, want %d", tc.avg, got, tc.want)
		}
	}
}

// TestIdlestForExec: 4.18 stays where there is room for half of the task, and goes
// to the group with the most if not.
func TestIdlestForExec(t *testing.T) {
	for _, tc := range []struct {
		name         string
		util         int64
		local, else_ int64 // utilisation of the CPUs
		goes         bool
	}{
		{"room", 400, 700, 680, false},           // 324 > 200, and 108*324 > 100*344
		{"more-room-there", 400, 700, 600, true}, // 108*324 <= 100*424
		{"no-room", 400, 900, 500, true},
		{"no-room-anywhere", 800, 900, 900, false},
	} {
		s := stillOn(t, testMachine(1, 2, 1), flat(V418(2)))
		s.load(1, 0, 1)
		s.cfs[0].avg.util, s.cfs[1].avg.util = tc.local, tc.else_
		s.cfs[0].avg.load, s.cfs[1].avg.load = 1000, 1000
		task := &s.tasks[0]
		s.ents[task.se].avg.util = tc.util // not attached: it is in no sum
		d := &s.cpus[0].domains[0]
		s.at(0)
		if got := findIdlestGroup418(s, d, task, 0, placeExec) != nil; got != tc.goes {
			t.Errorf("%s: goes %v, want %v", tc.name, got, tc.goes)
		}
	}
}

// TestExecBalance: two tasks on one CPU of four; one calls exec and goes to an idle
// CPU, where it runs on; alone on its CPU it stays, but in 3.10, which takes the
// task's own weight for a load of the CPU.
func TestExecBalance(t *testing.T) {
	exec := Op{Kind: OpExec, Work: 100_000}
	for _, k := range kernels(4) {
		for _, alone := range []bool{false, true} {
			w := &script{tasks: []scripted{{ops: []Op{run(60 * time.Millisecond), exec, hog()}, cpus: pinned(0)}}}
			if !alone {
				w.tasks = append(w.tasks, scripted{ops: []Op{hog()}, cpus: pinned(0)})
			}
			k := flat(k)
			k.LoadBalance, k.NewidleBalance = false, false // nothing else moves it
			s, err := newSched(&Config{Machine: testMachine(1, 4, 1), Kernel: k, Workload: w, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			w.Start(s)
			task := &s.tasks[0]
			for task.op.Kind != OpExec {
				s.step()
			}
			task.allowed = nil
			for task.op.Kind == OpExec {
				s.step()
			}
			for range 50 {
				if err := s.stepVerified(); err != nil {
					t.Fatalf("%v: %v", k, err)
				}
			}
			moved := int64(1)
			if alone && k.Version != "v3.10" {
				moved = 0
			}
			if s.count.ExecMigrations != moved || (task.cpu != 0) != (moved == 1) {
				t.Errorf("%v, alone %v: %d moves, to CPU %d", k, alone, s.count.ExecMigrations, task.cpu)
			}
			if s.cpus[task.cpu].curr != task.ID || task.op.Kind != OpCompute {
				t.Errorf("%v, alone %v: the task does not run on", k, alone)
			}
		}
	}
}
