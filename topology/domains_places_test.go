package topology

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestDomainsOffline: CPUs that are not online have no domains, and for the
// others it is as if there were none such.
func TestDomainsOffline(t *testing.T) {
	// Two sockets of two cores; the second thread of core 0 is off, socket 1
	// has one CPU left, and the numbers have a gap.
	m := machineOfShape(t, shape{2, 2, 2, 2, 2, 1}, Adjacent, [][]int{{10, 21}, {21, 10}})
	for cpu, state := range map[int]CPUState{1: Offline, 4: Offline, 5: Absent, 7: Offline} {
		m.CPUs[cpu] = CPU{ID: cpu, Core: -1, L2: -1, LLC: -1, Node: -1, Socket: -1, Thread: -1, State: state}
	}
	want := []string{"MC3 NUMA4", "", "SMT2 MC3 NUMA4", "SMT2 MC3 NUMA4", "", "", "NUMA4", ""}
	for _, version := range []string{"v4.18", "v5.10", "v6.12"} {
		for cpu, domains := range allDomainsOf(t, m, version) {
			if got := levelText(version, domains, 0); got != want[cpu] {
				t.Errorf("%s: levels of CPU %d: %q, want %q", version, cpu, got, want[cpu])
			}
		}
		if domains, err := m.Domains(version, 1); domains != nil || err != nil {
			t.Errorf("%s: domains of an offline CPU: %v, %v", version, domains, err)
		}
	}
	top := domainsOf(t, m, "v6.12", 6)[0]
	if got, want := fmt.Sprint(top.Span, top.Groups, top.MinInterval), "[0 2 3 6] [[6] [0 2 3]] 4"; got != want {
		t.Errorf("top domain of CPU 6 is %s, want %s", got, want)
	}
}

// TestDomainsNodes: which distances make a level where node 0 does not see all
// of them, where nodes have no CPU and where numbers have gaps.
func TestDomainsNodes(t *testing.T) {
	tests := []struct {
		name      string
		ids       []int // all nodes; those after the second have no CPU
		distances [][]int
		want      map[string]string // of CPU 2, the first of the second node
	}{
		{
			// The memory of node 2 is nearer to node 0 than node 1 is.
			"node without CPUs", []int{0, 1, 2}, [][]int{{10, 20, 17}, {20, 10, 28}, {17, 28, 10}},
			map[string]string{
				"v3.10": "MC2 CPU2 NUMA2 NUMA4",
				"v4.18": "MC2 NUMA2 NUMA4",
				"v5.9":  "MC2 NUMA2 NUMA4", // a single group, but SD_SERIALIZE counts
				"v5.10": "MC2 NUMA4",
				"v6.1":  "MC2 NUMA4",
			},
		},
		{
			// The table holds 20 for node 1, which does not exist.
			"gap in the numbers", []int{0, 2}, [][]int{{10, 21}, {21, 10}},
			map[string]string{"v5.9": "MC2 NUMA2 NUMA4", "v5.10": "MC2 NUMA4", "v6.12": "MC2 NUMA4"},
		},
		{
			// Node 0 does not exist, and the others are 20 from it.
			"no node 0", []int{1, 2}, [][]int{{10, 21}, {21, 10}},
			map[string]string{"v5.9": "MC2 NUMA2", "v5.10": "MC2", "v6.1": "MC2 NUMA4"},
		},
	}
	for _, test := range tests {
		for version, want := range test.want {
			t.Run(test.name+"/"+version, func(t *testing.T) {
				m := nodesOf(t, 2, [][]int{{10, 20}, {20, 10}})
				m.Distances = test.distances
				for _, id := range test.ids {
					m.NUMANodes = append(m.NUMANodes, Node{ID: id})
				}
				if got := levelText(version, domainsOf(t, m, version, 2), 0); got != want {
					t.Errorf("levels %q, want %q", got, want)
				}
			})
		}
	}
}

// TestDomainsNode0Row: nodes 1 and 2 are further apart than node 0 is from
// either. Before v5.13 no domain of theirs spans the machine.
func TestDomainsNode0Row(t *testing.T) {
	m := nodesOf(t, 2, [][]int{{10, 20, 20}, {20, 10, 30}, {20, 30, 10}})
	for version, want := range map[string]string{"v5.10": "MC2 NUMA4", "v6.1": "MC2 NUMA4 NUMA6"} {
		if got := levelText(version, domainsOf(t, m, version, 2), 0); got != want {
			t.Errorf("%s: levels %q, want %q", version, got, want)
		}
	}
}

// TestDomainsUnequalCores: CPUs of different capacity, by version.
func TestDomainsUnequalCores(t *testing.T) {
	const flags = SDAsymCPUCapacity | SDAsymCPUCapacityFull | SDAsymPacking | SDPreferSibling
	// arm gives each of the cores of a machine one of the capacities, in turn.
	arm := func(s shape, distances [][]int, capacities ...int) *Machine {
		m := machineOfShape(t, s, Adjacent, distances)
		m.Arch = "arm64"
		for cpu := range m.CPUs {
			c := capacities[m.CPUs[cpu].LLC]
			kind := slices.IndexFunc(m.CoreKinds, func(k CoreKind) bool { return k.Capacity == c })
			if kind < 0 {
				kind = len(m.CoreKinds)
				m.CoreKinds = append(m.CoreKinds, CoreKind{Name: fmt.Sprint(c), Capacity: c})
			}
			m.CPUs[cpu].Kind = kind
		}
		return m
	}
	one := [][]int{{10}}
	two := [][]int{{10, 20}, {20, 10}}
	// Two cores with two threads, and a cluster of four.
	hybrid := machineOfShape(t, shape{1, 1, 8, 8, 1, 1}, Adjacent, one)
	hybrid.CoreKinds = []CoreKind{{Name: "performance", Capacity: 1024}, {Name: "efficiency", Capacity: 600}}
	for cpu, place := range [][2]int{{0, 0}, {0, 0}, {1, 1}, {1, 1}, {2, 2}, {3, 2}, {4, 2}, {5, 2}} {
		c := &hybrid.CPUs[cpu]
		c.Core, c.L2, c.Thread, c.Kind = place[0], place[1], 0, min(place[0]/2, 1)
		if cpu == 1 || cpu == 3 {
			c.Thread = 1
		}
	}
	noSMT := *hybrid
	noSMT.CPUs = slices.Clone(hybrid.CPUs)
	for _, cpu := range []int{1, 3} {
		noSMT.CPUs[cpu] = CPU{ID: cpu, Core: -1, L2: -1, LLC: -1, Node: -1, Socket: -1, Thread: -1, Kind: -1, State: Offline}
	}
	unknown := arm(shape{1, 1, 8, 4, 1, 1}, one, 446, 1024)
	unknown.CoreKinds[1].Capacity = 0
	tests := []struct {
		name, version string
		m             *Machine
		cpu           int
		want          string
	}{
		{"little and big", "v4.18", arm(shape{1, 1, 8, 4, 1, 1}, one, 446, 1024), 0, "MC4+s DIE8+s"},
		{"little and big", "v5.9", arm(shape{1, 1, 8, 4, 1, 1}, one, 446, 1024), 0, "MC4 DIE8+a+s"},
		{"little and big", "v6.1", arm(shape{1, 1, 8, 4, 1, 1}, one, 446, 1024), 0, "MC4 DIE8+a+f+s"},
		{"capacity not known", "v6.1", unknown, 0, "MC4+s DIE8+s"},
		{"two nodes", "v5.9", arm(shape{2, 2, 4, 2, 1, 1}, two, 446, 1024, 446, 1024), 0, "MC2 DIE4+a+s NUMA8"},
		{"two nodes", "v5.10", arm(shape{2, 2, 4, 2, 1, 1}, two, 446, 1024, 446, 1024), 0, "MC2 DIE4+a NUMA8+a"},
		{"two nodes", "v6.12", arm(shape{2, 2, 4, 2, 1, 1}, two, 446, 1024, 446, 1024), 0, "MC2 PKG4+a+f NUMA8+a+f"},
		{"one capacity missing", "v6.12", arm(shape{2, 2, 4, 2, 1, 1}, two, 446, 1024, 446, 800), 0, "MC2 PKG4+a NUMA8+a+f"},
		// Marked as a whole, though node 1 has no larger core in it.
		{"one even node", "v5.9", arm(shape{2, 2, 4, 2, 1, 1}, two, 446, 1024, 1024, 1024), 4, "MC2 DIE4+a+s NUMA8"},
		// SD_PREFER_SIBLING goes from the NODE level, which is removed.
		{"one even node", "v6.1", arm(shape{2, 2, 4, 2, 1, 1}, two, 446, 1024, 1024, 1024), 4, "MC2+s DIE4+s NUMA8+a+f"},
		{"hybrid", "v5.10", hybrid, 0, "SMT2+p+s MC8+p+s"},
		{"hybrid", "v6.1", hybrid, 4, "MC8+p+s"},
		{"hybrid", "v6.12", hybrid, 0, "SMT2+s MC8+p+s"},
		{"hybrid cluster", "v6.12", hybrid, 4, "CLS4+p+s MC8+p+s"},
		{"hybrid without SMT", "v6.1", &noSMT, 0, "MC6+p+s"},
		{"hybrid without SMT", "v6.12", &noSMT, 4, "CLS4 MC6+a+f+s"},
	}
	short := strings.NewReplacer("ASYM_CPUCAPACITY_FULL", "f", "ASYM_CPUCAPACITY", "a", "ASYM_PACKING", "p", "PREFER_SIBLING", "s")
	for _, test := range tests {
		t.Run(test.name+"/"+test.version, func(t *testing.T) {
			got := short.Replace(levelText(test.version, domainsOf(t, test.m, test.version, test.cpu), flags))
			if got != test.want {
				t.Errorf("levels %q, want %q", got, test.want)
			}
		})
	}
}

// TestDomainsBroken: caches across nodes are a broken topology to v4.18 on Arm.
func TestDomainsBroken(t *testing.T) {
	m := machineOfShape(t, shape{1, 2, 4, 2, 1, 1}, Adjacent, [][]int{{10, 20}, {20, 10}})
	m.Arch = "arm64"
	for cpu := range m.CPUs {
		m.CPUs[cpu].LLC = 0
	}
	if got := levelText("v5.10", domainsOf(t, m, "v5.10", 0), 0); got != "MC2 NUMA4" {
		t.Errorf("levels under v5.10: %s", got)
	}
	_, err := m.AllDomains("v4.18")
	const want = "topology: machine test: CPUs 0-3 share a cache or a cluster across nodes, " +
		"which Linux v4.18 calls a broken topology, no sched domains are known for it"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestFlagNames(t *testing.T) {
	const flags = SDShareCPUCapacity | SDSharePkgResources | SDAsymPacking | SDBalanceFork
	for version, want := range map[string]string{
		"v3.10": "SD_BALANCE_FORK SD_SHARE_CPUPOWER SD_SHARE_PKG_RESOURCES SD_ASYM_PACKING",
		"v5.10": "SD_BALANCE_FORK SD_SHARE_CPUCAPACITY SD_SHARE_PKG_RESOURCES SD_ASYM_PACKING",
		"v6.12": "SD_BALANCE_FORK SD_SHARE_CPUCAPACITY SD_SHARE_LLC SD_ASYM_PACKING",
		"v9.9":  "SD_BALANCE_FORK SD_SHARE_CPUCAPACITY SD_SHARE_PKG_RESOURCES SD_ASYM_PACKING",
	} {
		if got := strings.Join(flags.Names(version), " "); got != want {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
	if got := DomainFlags(0).String(); got != "" {
		t.Errorf("no flags: %q", got)
	}
}

func TestKernelVersions(t *testing.T) {
	want := []string{"v3.10", "v4.18", "v5.9", "v5.10", "v6.1", "v6.12"}
	if got := KernelVersions(); !slices.Equal(got, want) {
		t.Errorf("versions %v, want %v", got, want)
	}
}

// BenchmarkAllDomains is a machine of 8 nodes of 64 cores in a ring, so that
// there are NUMA levels whose groups differ by CPU.
func BenchmarkAllDomains(b *testing.B) {
	s := shape{sockets: 8, nodes: 8, coresPerSocket: 64, coresPerLLC: 8, threadsPerCore: 2, coresPerL2: 1}
	cpus, err := s.cpus(ThreadsLast)
	if err != nil {
		b.Fatal(err)
	}
	m := &Machine{ID: "bench", Vendor: "intel", Arch: archX86, Year: 2019, CPUs: cpus}
	for i := range s.nodes {
		var row []int
		for j := range s.nodes {
			hops := (i - j + s.nodes) % s.nodes
			row = append(row, 10+5*min(hops, s.nodes-hops))
		}
		m.Distances = append(m.Distances, row)
	}
	for _, version := range []string{"v3.10", "v5.10", "v6.12"} {
		b.Run(version, func(b *testing.B) {
			for b.Loop() {
				if _, err := m.AllDomains(version); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
