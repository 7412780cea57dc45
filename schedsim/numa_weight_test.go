package schedsim

import (
	"testing"

	"github.com/schedlab/schedlab/topology"
)

// withDistances is numaMachine of as many sockets as rows, of one CPU each.
func withDistances(rows ...[]int) *topology.Machine {
	m := numaMachine(len(rows), 1, 1)
	m.Distances = rows
	for _, row := range rows {
		for _, d := range row {
			m.Transfer.Remote[d] = topology.Quantity{Value: float64(10 * d)}
			m.Memory.Remote[d] = topology.Quantity{Value: float64(8 * d)}
		}
	}
	return m
}

var (
	// Two sockets of two nodes, and four nodes in a ring.
	backplane = [][]int{{10, 20, 40, 40}, {20, 10, 40, 40}, {40, 40, 10, 20}, {40, 40, 20, 10}}
	circle    = [][]int{{10, 20, 30, 20}, {20, 10, 20, 30}, {30, 20, 10, 20}, {20, 30, 20, 10}}
	direct    = [][]int{{10, 20, 20, 20}, {20, 10, 20, 20}, {20, 20, 10, 20}, {20, 20, 20, 10}}
)

// TestNUMAWeights: 100, 200, 300 and 400 faults on nodes 0 to 3.
func TestNUMAWeights(t *testing.T) {
	for _, tc := range []struct {
		name     string
		rows     [][]int
		rework   bool
		topology numaTopology
		limit    int32
		want     [4]int64
		node     int32 // preferred by a group, of which node 3 has the most
	}{
		{"direct", direct, true, numaDirect, 20, [4]int64{100, 200, 300, 400}, 3},
		// Neighbours at 20 count in full for a limit above.
		{"backplane-40", backplane, true, numaBackplane, 40, [4]int64{300, 300, 700, 700}, 3},
		// At the limit: left out since the rework, counted before.
		{"backplane-20", backplane, true, numaBackplane, 20, [4]int64{100, 200, 300, 400}, 3},
		{"backplane-20-v4.18", backplane, false, numaBackplane, 20, [4]int64{300, 300, 700, 700}, 3},
		// Neighbours at 20 of 30 count half: 100 + (200+400)/2, 200 + (100+300)/2, ...
		{"mesh", circle, true, numaGluelessMesh, 30, [4]int64{400, 400, 600, 600}, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := &processes{script: script{tasks: hogs(1)}, proc: []process{{private: []Region{{Bytes: 4096}}, threads: []int{0}}}}
			s := newNUMASched(t, withDistances(tc.rows...), w)
			s.k.NUMARework = tc.rework
			m, task, nt := s.mem, &s.tasks[0], &s.mem.tasks[0]
			if m.topology != tc.topology {
				t.Fatalf("topology %d, want %d", m.topology, tc.topology)
			}
			nt.hasFaults, nt.totalFaults, nt.group = true, 1000, 0
			m.groups[0] = numaGroup{tasks: 1, totalFaults: 1000}
			for n := range 4 {
				m.faultsOf(0)[m.at(numaMem, n, 0)] = 40 * int64(n+1)
				m.faultsOf(0)[m.at(numaMem, n, 1)] = 60 * int64(n+1)
			}
			copy(m.groupFaultsOf(0), m.faultsOf(0))
			for n, want := range tc.want {
				if got := s.taskWeight(task, n, tc.limit); got != want {
					t.Errorf("task weight of node %d is %d, want %d", n, got, want)
				}
				if got := s.groupWeight(task, n, tc.limit); got != want {
					t.Errorf("group weight of node %d is %d, want %d", n, got, want)
				}
			}
			if got := m.preferredGroupNode(0, 3); got != tc.node {
				t.Errorf("preferred node %d, want %d", got, tc.node)
			}
		})
	}
}

// TestBackplaneNode: the half with more faults wins, though the node with the most
// is in the other one.
func TestBackplaneNode(t *testing.T) {
	w := &processes{script: script{tasks: hogs(1)}, proc: []process{{private: []Region{{Bytes: 4096}}, threads: []int{0}}}}
	s := newNUMASched(t, withDistances(backplane...), w)
	m := s.mem
	m.groups[0] = numaGroup{tasks: 1, totalFaults: 1000}
	for n, v := range []int64{400, 0, 310, 290} {
		m.groupFaultsOf(0)[m.at(numaMem, n, 0)] = v
	}
	if got := m.preferredGroupNode(0, 0); got != 2 {
		t.Errorf("preferred node %d, want 2", got)
	}
}

// TestLoadTooImbalanced is the two rules by hand, on nodes of capacity 2048.
func TestLoadTooImbalanced(t *testing.T) {
	for _, tc := range []struct {
		name           string
		rework         bool
		src, dst       int64 // now
		newSrc, newDst int64
		want           bool
	}{
		{"even, one moves", false, 2048, 2048, 1024, 3072, true},
		{"even, one moves", true, 2048, 2048, 1024, 3072, true},
		{"within half of the percentage", false, 1000, 1000, 950, 1050, false}, // 1050*100 < 950*112
		{"within half of the percentage", true, 1000, 1000, 950, 1050, true},
		{"the other way round", false, 2000, 1000, 1000, 2000, false},
		{"the other way round", true, 2000, 1000, 1000, 2000, false},
		{"better", true, 3000, 0, 2000, 1000, false},
		{"worse than it was", false, 1000, 1200, 700, 1500, true},
	} {
		s, _, _ := oneTask(t)
		s.k.NUMARework = tc.rework
		env := numaEnv{pct: 112, src: numaStats{load: tc.src, capacity: 2048}, dst: numaStats{load: tc.dst, capacity: 2048}}
		if got := s.loadTooImbalanced(&env, tc.newSrc, tc.newDst); got != tc.want {
			t.Errorf("%s, rework %v: %v, want %v", tc.name, tc.rework, got, tc.want)
		}
	}
}

// TestShouldNUMAMigrateMemory goes through the tests of
// should_numa_migrate_memory: a task on node 1 faults on a page of node 0.
func TestShouldNUMAMigrateMemory(t *testing.T) {
	const on0, on1 = int32(0), int32(2)
	for _, tc := range []struct {
		name     string
		last     TaskID
		lastCPU  int32
		group    bool
		cpu, mem [2]int64 // of the group
		early    bool
		seq      int32
		want     bool
	}{
		{name: "first touch", last: none, want: true},
		{name: "mine, from the other node", last: 0, lastCPU: on0, want: false},
		{name: "mine, from here", last: 0, lastCPU: on1, want: true},
		{name: "another's, from the other node", last: 1, lastCPU: on0, want: false},
		{name: "another's, no group", last: 1, lastCPU: on1, want: true},
		{name: "much more CPU here", last: 1, lastCPU: on1, group: true, cpu: [2]int64{10, 31}, mem: [2]int64{0, 100}, want: true},
		{name: "as much CPU, as much memory", last: 1, lastCPU: on1, group: true, cpu: [2]int64{10, 10}, mem: [2]int64{50, 50}, want: false},
		{name: "as much CPU, less memory here", last: 1, lastCPU: on1, group: true, cpu: [2]int64{10, 10}, mem: [2]int64{60, 40}, want: true}, // 10*60*3 > 10*40*4
		{name: "as much CPU, 3 to 4", last: 1, lastCPU: on1, group: true, cpu: [2]int64{10, 10}, mem: [2]int64{40, 30}, want: false},          // equal
		{name: "early, from the other node", last: 0, lastCPU: on0, early: true, seq: 4, want: true},
		{name: "late, from the other node", last: 0, lastCPU: on0, early: true, seq: 5, want: false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, task, nt := oneTask(t)
			nt.preferred, nt.scanSeq = 0, tc.seq
			s.k.NUMAEarlyFaults = tc.early
			if tc.group {
				nt.group = 0
				f := s.mem.groupFaultsOf(0)
				for n := range 2 {
					f[s.mem.at(numaCPUs, n, 1)], f[s.mem.at(numaMem, n, 0)] = tc.cpu[n], tc.mem[n]
				}
			}
			if got := s.shouldNUMAMigrateMemory(task, tc.last, tc.lastCPU, 0, 1); got != tc.want {
				t.Errorf("%v, want %v", got, tc.want)
			}
		})
	}
}

// TestDegradesLocality: load balancing between two nodes, of a task with faults.
func TestDegradesLocality(t *testing.T) {
	for _, tc := range []struct {
		name           string
		rework         bool
		preferred      int32
		idle           idleType
		others         int32 // on the source, elsewhere preferred
		src, dst, want int
	}{
		{"off its node, others there", false, 0, cpuIdle, 1, 0, 0, 1},
		{"off its node, all prefer it", false, 0, cpuIdle, 0, 0, 0, -1},
		{"to its node", false, 1, cpuNotIdle, 0, 9, 0, 0},
		{"elsewhere, idle", false, none, cpuIdle, 0, 9, 0, -1},
		{"elsewhere, newly idle", false, none, cpuNewlyIdle, 0, 9, 0, -1},
		{"elsewhere, newly idle", true, none, cpuNewlyIdle, 0, 9, 0, 1},
		{"elsewhere, idle", true, none, cpuIdle, 0, 9, 0, -1},
		{"elsewhere, busy, worse", false, none, cpuNotIdle, 0, 9, 8, 1},
		{"elsewhere, busy, better", false, none, cpuNotIdle, 0, 8, 9, 0},
		{"elsewhere, busy, better", true, none, cpuNotIdle, 0, 8, 9, 0},
	} {
		s, task, nt := oneTask(t)
		s.k.NUMARework = tc.rework
		nt.hasFaults, nt.preferred, nt.totalFaults = true, tc.preferred, 100
		s.mem.faultsOf(0)[s.mem.at(numaMem, 0, 0)] = int64(tc.src)
		s.mem.faultsOf(0)[s.mem.at(numaMem, 1, 0)] = int64(tc.dst)
		task.cpu = 0
		s.cpus[0].nrRunning = 2 + tc.others
		s.mem.cpu[0].nrPreferred = 2
		env := lbEnv{d: s.numaDomain(2), dst: 2, idle: tc.idle}
		if got := s.migrateDegradesLocality(&env, task); got != tc.want {
			t.Errorf("%s, rework %v: %d, want %d", tc.name, tc.rework, got, tc.want)
		}
	}
	for _, tc := range []struct {
		nr, numa, preferred int32
		want                fbqType
	}{{2, 1, 1, fbqRegular}, {2, 2, 1, fbqRemote}, {2, 2, 2, fbqAll}, {0, 0, 0, fbqAll}} {
		if got := fbqClassify(tc.nr, tc.numa, tc.preferred); got != tc.want {
			t.Errorf("%+v: %d", tc, got)
		}
	}
}
