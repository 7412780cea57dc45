package topology

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDomainsCSL spells out the domains of one CPU, with the fields that
// kernels do not print.
func TestDomainsCSL(t *testing.T) {
	m := load(t, "csl-2s-80")
	const common = SDBalanceNewidle | SDBalanceExec | SDBalanceFork | SDWakeAffine
	got := domainsOf(t, m, "v5.10", 45)
	socket0, socket1 := cpuList(t, "0-19,40-59"), cpuList(t, "20-39,60-79")
	var cores [][]int
	for core := range 20 {
		// CPU 45 is the second thread of core 5; from there upwards.
		first := (core + 5) % 20
		cores = append(cores, []int{first, first + 40})
	}
	want := []Domain{
		{
			Name: "SMT", Span: []int{5, 45}, Groups: [][]int{{45}, {5}},
			Flags:        common | SDShareCPUCapacity | SDSharePkgResources | SDPreferSibling,
			ImbalancePct: 110, BusyFactor: 16, CacheNiceTries: 0, MinInterval: 2, MaxInterval: 4,
		},
		{
			Name: "MC", Span: socket0, Groups: cores,
			Flags:        common | SDSharePkgResources | SDPreferSibling,
			ImbalancePct: 117, BusyFactor: 16, CacheNiceTries: 1, MinInterval: 40, MaxInterval: 80,
		},
		{
			Name: "NUMA", Span: cpuList(t, "0-79"), Groups: [][]int{socket0, socket1},
			Flags:        common | SDSerialize | SDOverlap | SDNUMA,
			ImbalancePct: 117, BusyFactor: 16, CacheNiceTries: 2, MinInterval: 80, MaxInterval: 160,
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("domains of CPU 45 (-want +got):\n%s", diff)
	}
}

// TestDomainInvariants holds for every machine, version and CPU: what
// sched_domain_debug_one of the kernel checks.
func TestDomainInvariants(t *testing.T) {
	machines := map[string]*Machine{
		"csl":  load(t, "csl-2s-80"),
		"ring": nodesOf(t, 2, [][]int{{10, 20, 30, 20}, {20, 10, 20, 30}, {30, 20, 10, 20}, {20, 30, 20, 10}}),
		"line": nodesOf(t, 1, line),
		"ccx": machineOfShape(t, shape{sockets: 2, nodes: 2, coresPerSocket: 12, coresPerLLC: 3, threadsPerCore: 2, coresPerL2: 1},
			OddEven, [][]int{{10, 32}, {32, 10}}),
	}
	for name, m := range machines {
		for _, r := range domainRulesByVersion {
			t.Run(name+"/"+r.version, func(t *testing.T) {
				for cpu := range m.CPUs {
					checkDomains(t, m, r.version, cpu)
				}
			})
		}
	}
}

func checkDomains(t *testing.T, m *Machine, version string, cpu int) {
	t.Helper()
	domains := domainsOf(t, m, version, cpu)
	if len(domains) == 0 || len(domains[len(domains)-1].Span) != len(m.CPUs) {
		t.Fatalf("CPU %d: the top domain does not span the machine: %+v", cpu, domains)
	}
	for i, d := range domains {
		if !slices.IsSorted(d.Span) || !slices.Contains(d.Span, cpu) {
			t.Errorf("CPU %d %s: span %v", cpu, d.Name, d.Span)
		}
		if len(d.Groups) < 2 || !slices.Contains(d.Groups[0], cpu) {
			t.Errorf("CPU %d %s: groups %v", cpu, d.Name, d.Groups)
		}
		if i > 0 && !slices.Equal(d.Groups[0], domains[i-1].Span) {
			t.Errorf("CPU %d %s: first group %v is not the domain below, %v", cpu, d.Name, d.Groups[0], domains[i-1].Span)
		}
		// Before v5.13 a group could reach beyond its domain.
		union := slices.Concat(d.Groups...)
		slices.Sort(union)
		union = slices.Compact(union)
		if version != "v5.10" && !slices.Equal(union, d.Span) {
			t.Errorf("CPU %d %s: groups cover %v of %v", cpu, d.Name, union, d.Span)
		}
	}
}

// line is four nodes in a row: three hops from end to end.
var line = [][]int{{10, 20, 30, 40}, {20, 10, 20, 30}, {30, 20, 10, 20}, {40, 30, 20, 10}}

// nodesOf is a machine of one socket a node, without SMT.
func nodesOf(t *testing.T, cores int, distances [][]int) *Machine {
	t.Helper()
	return machineOfShape(t, shape{
		sockets: len(distances), nodes: len(distances),
		coresPerSocket: cores, coresPerLLC: cores, threadsPerCore: 1,
	}, Adjacent, distances)
}

// TestNUMAGroups compares with the groups that the comments of
// kernel/sched/topology.c work out for a ring and, before v5.13, a line of four
// nodes, one CPU a node.
func TestNUMAGroups(t *testing.T) {
	ring := [][]int{{10, 20, 30, 20}, {20, 10, 20, 30}, {30, 20, 10, 20}, {20, 30, 20, 10}}
	tests := []struct {
		name, version string
		distances     [][]int
		cpu           int
		want          string // groups of each NUMA level, lowest first
	}{
		{"ring node 0", "v6.1", ring, 0, "{0}{1}{3} {0-1,3}{1-3}"},
		{"ring node 1", "v6.1", ring, 1, "{1}{2}{0} {0-2}{0,2-3}"},
		{"ring node 3", "v5.10", ring, 3, "{3}{0}{2} {0,2-3}{0-2}"},
		{"line node 0 reaching beyond", "v5.10", line, 0, "{0}{1} {0-1}{1-3} {0-2}{1-3}"},
		{"line node 3 reaching beyond", "v5.10", line, 3, "{3}{2} {2-3}{0-2} {1-3}{0-2}"},
		{"line node 1", "v5.10", line, 1, "{1}{2}{0} {0-2}{2-3}"},
		{"line node 0 descending", "v6.1", line, 0, "{0}{1} {0-1}{2} {0-2}{1-3}"},
		{"line node 3 descending", "v6.1", line, 3, "{3}{2} {2-3}{1} {1-3}{0-2}"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var levels []string
			for _, d := range domainsOf(t, nodesOf(t, 1, test.distances), test.version, test.cpu) {
				if d.Name != "NUMA" {
					t.Errorf("level %s, want only NUMA", d.Name)
				}
				var groups strings.Builder
				for _, g := range d.Groups {
					fmt.Fprintf(&groups, "{%s}", FormatCPUList(g))
				}
				levels = append(levels, groups.String())
			}
			if got := strings.Join(levels, " "); got != test.want {
				t.Errorf("groups %s, want %s", got, test.want)
			}
		})
	}
}

func TestDomainLevels(t *testing.T) {
	far := [][]int{{10, 32}, {32, 10}}
	onOne := [][]int{{10}}
	tests := []struct {
		name, version string
		shape         shape
		distances     [][]int
		vendor        string
		year          int
		want          string // level and size, '-' if it does not wake affine
	}{
		{"no SMT", "v5.10", shape{2, 2, 4, 4, 1, 1}, [][]int{{10, 21}, {21, 10}}, "intel", 2019, "MC4 NUMA8"},
		{"one socket", "v5.10", shape{1, 1, 4, 4, 2, 1}, onOne, "intel", 2019, "SMT2 MC8"},
		{"one core", "v6.1", shape{1, 1, 1, 1, 2, 1}, onOne, "intel", 2019, "SMT2"},
		{"one CPU", "v6.1", shape{1, 1, 1, 1, 1, 1}, onOne, "intel", 2019, ""},
		{"several caches a node", "v5.10", shape{1, 1, 8, 4, 2, 1}, onOne, "amd", 2019, "SMT2 MC8 DIE16"},
		{"package level renamed", "v6.12", shape{1, 1, 8, 4, 2, 1}, onOne, "amd", 2019, "SMT2 MC8 PKG16"},
		{"uniform memory", "v5.10", shape{2, 1, 4, 2, 1, 1}, onOne, "intel", 2007, "MC2 DIE8"},
		{"beyond reclaim distance", "v5.10", shape{2, 2, 2, 2, 1, 1}, far, "intel", 2019, "MC2 NUMA4-"},
		{"EPYC", "v5.10", shape{2, 2, 2, 2, 1, 1}, far, "amd", 2019, "MC2 NUMA4"},
		{"older AMD", "v5.10", shape{2, 2, 2, 2, 1, 1}, far, "amd", 2011, "MC2 NUMA4-"},
		{"nodes in a package", "v5.10", shape{1, 2, 8, 2, 1, 1}, [][]int{{10, 12}, {12, 10}}, "amd", 2019, "MC2 NODE4 NUMA8"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := machineOfShape(t, test.shape, ThreadsLast, test.distances)
			m.Vendor, m.Year = test.vendor, test.year
			var got []string
			for _, d := range domainsOf(t, m, test.version, 0) {
				s := fmt.Sprintf("%s%d", d.Name, len(d.Span))
				if d.Flags&SDWakeAffine == 0 {
					s += "-"
				}
				got = append(got, s)
			}
			if s := strings.Join(got, " "); s != test.want {
				t.Errorf("levels %q, want %q", s, test.want)
			}
		})
	}
}

// TestPreferSibling: a removed level hands the flag down; NUMA has none.
func TestPreferSibling(t *testing.T) {
	child := Domain{Span: []int{0, 1}, Groups: [][]int{{0}, {1}}, Flags: SDWakeAffine | SDSharePkgResources}
	parent := Domain{Span: []int{0, 1}, Groups: [][]int{{0, 1}}, Flags: SDWakeAffine | SDPreferSibling}
	got := attach([]Domain{child, parent})
	if len(got) != 1 || got[0].Flags != SDWakeAffine|SDSharePkgResources|SDPreferSibling {
		t.Errorf("attached %+v, want the child with SD_PREFER_SIBLING", got)
	}
	// With two groups the flag means something, and the parent stays.
	parent.Groups = [][]int{{0}, {1}}
	if got := attach([]Domain{child, parent}); len(got) != 2 {
		t.Errorf("attached %+v, want both", got)
	}
}

// TestSharedRing: the last CPU of a span decides the order of its groups.
func TestSharedRing(t *testing.T) {
	// Groups 0+3, 1+5 and 2+4: going up from CPU 3 one meets 0+3, 2+4, 1+5,
	// but CPU 5 links 1+5, 0+3, 2+4.
	table := []level{
		{part: []int{0, 1, 2, 0, 2, 1}, spans: [][]int{{0, 3}, {1, 5}, {2, 4}}},
		{part: make([]int, 6), spans: [][]int{{0, 1, 2, 3, 4, 5}}},
	}
	want := [][]int{{0, 3}, {2, 4}, {1, 5}}
	if got := disjointGroups(table, 1, 0); !cmp.Equal(got, want) {
		t.Errorf("groups of CPU 0: %v, want %v", got, want)
	}
}

func TestDomainsErrors(t *testing.T) {
	m := load(t, "csl-2s-80")
	power := *m
	power.Arch = "ppc64le"
	tests := []struct {
		name    string
		m       *Machine
		version string
		cpu     int
		want    string
	}{
		{"version", m, "v5.11", 0, `topology: no sched domains for kernel "v5.11", use v5.10, v6.1, v6.12`},
		{"architecture", &power, "v5.10", 0, `topology: no sched domains for architecture "ppc64le", use a machine of x86_64`},
		{"CPU", m, "v5.10", 80, "topology: machine csl-2s-80 has no CPU 80, use 0 to 79"},
		{"negative CPU", m, "v5.10", -1, "topology: machine csl-2s-80 has no CPU -1, use 0 to 79"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.m.Domains(test.version, test.cpu)
			if err == nil || err.Error() != test.want {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}
