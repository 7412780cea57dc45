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
			ImbalancePct: 110, BusyFactor: 16, CacheNiceTries: 0, MinInterval: 2, MaxInterval: 4, BalanceInterval: 2,
		},
		{
			Name: "MC", Span: socket0, Groups: cores,
			Flags:        common | SDSharePkgResources | SDPreferSibling,
			ImbalancePct: 117, BusyFactor: 16, CacheNiceTries: 1, MinInterval: 40, MaxInterval: 80, BalanceInterval: 40,
		},
		{
			Name: "NUMA", Span: cpuList(t, "0-79"), Groups: [][]int{socket0, socket1},
			Flags:        common | SDSerialize | SDOverlap | SDNUMA,
			ImbalancePct: 117, BusyFactor: 16, CacheNiceTries: 2, MinInterval: 80, MaxInterval: 160, BalanceInterval: 80,
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
		"ring": nodesOf(t, 2, [][]int{{10, 20, 30, 20}, {20, 10, 20, 30}, {30, 20, 10, 20}, {20, 30, 20, 10}}),
		"line": nodesOf(t, 1, line),
		"ccx": machineOfShape(t, shape{sockets: 2, nodes: 2, coresPerSocket: 12, coresPerLLC: 3, threadsPerCore: 2, coresPerL2: 1},
			OddEven, [][]int{{10, 32}, {32, 10}}),
	}
	for _, id := range Catalog() {
		machines[id] = load(t, id)
	}
	for name, m := range machines {
		for _, r := range domainRulesByVersion {
			t.Run(name+"/"+r.version, func(t *testing.T) {
				for cpu, domains := range allDomainsOf(t, m, r.version) {
					checkDomains(t, m, &r, cpu, domains)
				}
			})
		}
	}
}

func checkDomains(t *testing.T, m *Machine, r *domainRules, cpu int, domains []Domain) {
	t.Helper()
	if len(domains) == 0 || len(domains[len(domains)-1].Span) != len(m.OnlineCPUs()) {
		t.Fatalf("CPU %d: the top domain does not span the machine: %+v", cpu, domains)
	}
	for i, d := range domains {
		if !slices.IsSorted(d.Span) || !slices.Contains(d.Span, cpu) {
			t.Errorf("CPU %d %s: span %v", cpu, d.Name, d.Span)
		}
		if !slices.Contains(d.Groups[0], cpu) {
			t.Errorf("CPU %d %s: groups %v", cpu, d.Name, d.Groups)
		}
		// Only v3.10 keeps a domain of a single group here.
		if len(d.Groups) < 2 && r.handDown {
			t.Errorf("CPU %d %s: a single group %v", cpu, d.Name, d.Groups)
		}
		if i > 0 && r.handDown && !slices.Equal(d.Groups[0], domains[i-1].Span) {
			t.Errorf("CPU %d %s: first group %v is not the domain below, %v", cpu, d.Name, d.Groups[0], domains[i-1].Span)
		}
		// Before v5.13 a group could reach beyond its domain.
		union := slices.Concat(d.Groups...)
		slices.Sort(union)
		union = slices.Compact(union)
		if r.descend && !slices.Equal(union, d.Span) {
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
		// In v3.10 groups start at the lowest CPU, whoever's they are, and a
		// CPU comes to balance a group that is not its own domain.
		{"ring node 0 of old", "v3.10", ring, 0, "{0}{1}{3} {0-1,3}{1-3}"},
		{"ring node 1 of old", "v3.10", ring, 1, "{1}{2}{0} {1-3}{0-1,3}"},
		{"ring node 2 of old", "v3.10", ring, 2, "{2}{3}{1} {1-3}{0-1,3}"},
		{"ring node 3 of old", "v3.10", ring, 3, "{3}{0}{2} {0-1,3}{1-3}"},
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
	near := [][]int{{10, 21}, {21, 10}}
	onOne := [][]int{{10}}
	tests := []struct {
		name, version string
		shape         shape
		distances     [][]int
		arch, vendor  string
		year          int
		want          string // as levelText
	}{
		{"no SMT", "v5.10", shape{2, 2, 4, 4, 1, 1}, near, "x86_64", "intel", 2019, "MC4 NUMA8"},
		{"one socket", "v5.10", shape{1, 1, 4, 4, 2, 1}, onOne, "x86_64", "intel", 2019, "SMT2 MC8"},
		{"one core", "v6.1", shape{1, 1, 1, 1, 2, 1}, onOne, "x86_64", "intel", 2019, "SMT2"},
		{"one CPU", "v6.1", shape{1, 1, 1, 1, 1, 1}, onOne, "x86_64", "intel", 2019, ""},
		{"one CPU", "v3.10", shape{1, 1, 1, 1, 1, 1}, onOne, "x86_64", "intel", 2019, ""},
		{"several caches a node", "v5.10", shape{1, 1, 8, 4, 2, 1}, onOne, "x86_64", "amd", 2019, "SMT2 MC8 DIE16"},
		{"package level renamed", "v6.12", shape{1, 1, 8, 4, 2, 1}, onOne, "x86_64", "amd", 2019, "SMT2 MC8 PKG16"},
		{"uniform memory", "v5.10", shape{2, 1, 4, 2, 1, 1}, onOne, "x86_64", "intel", 2007, "MC2 DIE8"},
		{"beyond reclaim distance", "v5.10", shape{2, 2, 2, 2, 1, 1}, far, "x86_64", "intel", 2019, "MC2 NUMA4-"},
		{"EPYC", "v5.10", shape{2, 2, 2, 2, 1, 1}, far, "x86_64", "amd", 2019, "MC2 NUMA4"},
		{"EPYC", "v5.9", shape{2, 2, 2, 2, 1, 1}, far, "x86_64", "amd", 2019, "MC2 NUMA4"},
		{"EPYC before v5.4", "v4.18", shape{2, 2, 2, 2, 1, 1}, far, "x86_64", "amd", 2019, "MC2 NUMA4-"},
		{"EPYC not known yet", "v6.1", shape{2, 2, 2, 2, 1, 1}, far, "x86_64", "amd", 2024, "MC2 NUMA4-"},
		{"EPYC known", "v6.12", shape{2, 2, 2, 2, 1, 1}, far, "x86_64", "amd", 2024, "MC2 NUMA4"},
		{"older AMD", "v5.10", shape{2, 2, 2, 2, 1, 1}, far, "x86_64", "amd", 2011, "MC2 NUMA4-"},
		{"nodes in a package", "v5.10", shape{1, 2, 8, 2, 1, 1}, [][]int{{10, 12}, {12, 10}}, "x86_64", "amd", 2019, "MC2 NODE4 NUMA8"},
		{"nodes in a package", "v4.18", shape{1, 2, 8, 2, 1, 1}, [][]int{{10, 12}, {12, 10}}, "x86_64", "amd", 2019, "MC2 NODE4 NUMA8"},
		{"nodes in a package", "v3.10", shape{1, 2, 8, 2, 1, 1}, [][]int{{10, 12}, {12, 10}}, "x86_64", "amd", 2011, "MC2 CPU4 NUMA8"},
		{"single group kept", "v3.10", shape{2, 2, 4, 4, 2, 1}, near, "x86_64", "intel", 2012, "SIBLING2 MC8 CPU8 NUMA16"},
		{"clusters", "v5.10", shape{1, 1, 8, 8, 1, 4}, onOne, "x86_64", "intel", 2021, "MC8"},
		{"clusters", "v6.1", shape{1, 1, 8, 8, 1, 4}, onOne, "x86_64", "intel", 2021, "CLS4 MC8"},
		{"clusters", "v6.12", shape{1, 1, 8, 8, 1, 4}, onOne, "x86_64", "intel", 2021, "CLS4+CLUSTER MC8"},
		{"POWER7", "v3.10", shape{2, 2, 4, 1, 4, 1}, near, "ppc64", "ibm", 2010, "SIBLING4+ASYM_PACKING CPU16 NUMA32-"},
		{"POWER7", "v5.9", shape{2, 2, 4, 1, 4, 1}, near, "ppc64", "ibm", 2010, "SMT4+ASYM_PACKING DIE16 NUMA32-"},
		{"POWER8", "v6.12", shape{2, 2, 4, 1, 8, 1}, near, "ppc64le", "ibm", 2014, "SMT8 PKG32 NUMA64-"},
		{"POWER9", "v4.18", shape{2, 2, 4, 2, 4, 2}, near, "ppc64le", "ibm", 2017, "SMT4 CACHE8 DIE16 NUMA32-"},
		{"POWER9", "v3.10", shape{2, 2, 4, 2, 4, 2}, near, "ppc64le", "ibm", 2017, "SIBLING4 CPU16 NUMA32-"},
		{"Arm without levels", "v3.10", shape{2, 2, 4, 4, 1, 1}, near, "arm64", "arm", 2014, "CPU8"},
		{"Arm", "v4.18", shape{2, 2, 4, 2, 1, 1}, near, "arm64", "arm", 2018, "MC2 DIE4 NUMA8"},
		{"Arm clusters", "v5.10", shape{2, 2, 8, 8, 1, 2}, near, "arm64", "arm", 2019, "MC8 NUMA16"},
		{"Arm clusters", "v6.1", shape{2, 2, 8, 8, 1, 2}, near, "arm64", "arm", 2019, "CLS2 MC8 NUMA16"},
		{"Arm clusters as large as the cache", "v6.12", shape{1, 1, 8, 4, 1, 4}, onOne, "arm64", "arm", 2019, "MC4 PKG8"},
		{"Arm without shared caches", "v5.10", shape{2, 2, 8, 1, 1, 1}, near, "arm64", "arm", 2019, "DIE8 NUMA16"},
		// The smallest group of cores that firmware tells of is the package.
		{"Arm without shared caches", "v6.1", shape{2, 2, 8, 1, 1, 1}, near, "arm64", "arm", 2019, "MC8 NUMA16"},
	}
	for _, test := range tests {
		t.Run(test.name+"/"+test.version, func(t *testing.T) {
			m := machineOfShape(t, test.shape, ThreadsLast, test.distances)
			m.Arch, m.Vendor, m.Year = test.arch, test.vendor, test.year
			got := levelText(test.version, domainsOf(t, m, test.version, 0), SDAsymPacking|SDCluster)
			if got != test.want {
				t.Errorf("levels %q, want %q", got, test.want)
			}
		})
	}
}

// levelText writes the name and the size of each domain, "-" if it does not
// wake affine, and those flags that are asked for.
func levelText(version string, domains []Domain, flags DomainFlags) string {
	var words []string
	for _, d := range domains {
		s := fmt.Sprintf("%s%d", d.Name, len(d.Span))
		if d.Flags&SDWakeAffine == 0 {
			s += "-"
		}
		for _, name := range (d.Flags & flags).Names(version) {
			s += "+" + strings.TrimPrefix(name, "SD_")
		}
		words = append(words, s)
	}
	return strings.Join(words, " ")
}

// TestPreferSibling: a removed level hands the flag down; NUMA has none.
func TestPreferSibling(t *testing.T) {
	child := Domain{Span: []int{0, 1}, Groups: [][]int{{0}, {1}}, Flags: SDWakeAffine | SDSharePkgResources}
	parent := Domain{Span: []int{0, 1}, Groups: [][]int{{0, 1}}, Flags: SDWakeAffine | SDPreferSibling}
	r, err := rulesFor("v5.10")
	if err != nil {
		t.Fatal(err)
	}
	got := attach(r, []Domain{child, parent})
	if len(got) != 1 || got[0].Flags != SDWakeAffine|SDSharePkgResources|SDPreferSibling {
		t.Errorf("attached %+v, want the child with SD_PREFER_SIBLING", got)
	}
	// With two groups the flag means something, and the parent stays.
	parent.Groups = [][]int{{0}, {1}}
	if got := attach(r, []Domain{child, parent}); len(got) != 2 {
		t.Errorf("attached %+v, want both", got)
	}
}

// TestSharedRing: the last CPU of a span decides the order of its groups; in
// v3.10 the first one does.
func TestSharedRing(t *testing.T) {
	// Groups 0+3, 1+5 and 2+4: going up from CPU 3 one meets 0+3, 2+4, 1+5,
	// but CPU 5 links 1+5, 0+3, 2+4.
	for version, want := range map[string][][]int{
		"v5.10": {{0, 3}, {2, 4}, {1, 5}},
		"v3.10": {{0, 3}, {1, 5}, {2, 4}},
	} {
		r, err := rulesFor(version)
		if err != nil {
			t.Fatal(err)
		}
		b := &domainBuilder{r: r, table: []level{
			{part: []int{0, 1, 2, 0, 2, 1}, spans: [][]int{{0, 3}, {1, 5}, {2, 4}}},
			{part: make([]int, 6), spans: [][]int{{0, 1, 2, 3, 4, 5}}},
		}}
		b.linkGroups(1)
		if got := b.disjointGroups(1, 0); !cmp.Equal(got, want) {
			t.Errorf("%s: groups of CPU 0: %v, want %v", version, got, want)
		}
	}
}

func TestDomainsErrors(t *testing.T) {
	m := load(t, "csl-2s-80")
	mips, short := *m, *m
	mips.Arch = "mips64"
	short.Distances = [][]int{{10}}
	cut := load(t, "csl-2s-80")
	cut.CPUs[40].L2 = 1
	tests := []struct {
		name    string
		m       *Machine
		version string
		cpu     int
		want    string
	}{
		{"version", m, "v5.11", 0, `topology: no sched domains for kernel "v5.11", use v3.10, v4.18, v5.9, v5.10, v6.1, v6.12`},
		{"architecture", &mips, "v5.10", 0, `topology: no sched domains for architecture "mips64", use a machine of x86_64, ppc64, ppc64le, arm64`},
		{"distances", &short, "v5.10", 0, "topology: machine csl-2s-80 has 2 nodes but distances for 1, correct one of the two"},
		{"core cut by a cache", cut, "v6.1", 0, "topology: machine csl-2s-80: CPUs 0 and 40 share a core but no level-2 cache, correct its CPUs"},
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
