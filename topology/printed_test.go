package topology

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// printed is what a running kernel printed about its machine and its sched
// domains; testdata/domains-*.txt say where each is from.
type printed struct {
	kernel       string // as uname -r gives it
	arch, vendor string
	noClusters   bool // it is configured without SCHED_CLUSTER
	cpus         int
	// offline and isolated CPUs have no domains. Those offline are in the
	// lists below, which were recorded before.
	offline, isolated []int
	nodes             []int // node numbers
	nodeCPUs          [][]int
	distances         [][]int
	packages          [][]int
	siblings          [][]int
	// l2s, llcs and clusters are nil where they were not recorded.
	l2s, llcs, clusters [][]int
	// domains[cpu][k] is domain k of a CPU.
	domains [][]printedDomain
	// groups[cpu][k] are the groups of domain k in the order of the ring, for
	// the CPUs that they were recorded for.
	groups [][][][]int
}

// printedDomain has zeros where the kernel did not print a field.
type printedDomain struct {
	Name                                               string
	Span                                               string
	ImbalancePct, BusyFactor, MinInterval, MaxInterval int
	CacheNiceTries                                     int
	Flags                                              string
}

// version is the kernel version that Domains knows for "6.1.0-57-amd64".
func (p *printed) version() string {
	parts := strings.FieldsFunc(p.kernel, func(r rune) bool { return r == '.' || r == '-' })
	if len(parts) < 2 {
		return ""
	}
	return "v" + parts[0] + "." + parts[1]
}

func readPrinted(t *testing.T, name string) *printed {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p := &printed{arch: archX86, vendor: "intel"}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "#") {
			// No line has the vendor of the virtual CPUs.
			if strings.Contains(line, "AMD") || strings.Contains(line, "EPYC") {
				p.vendor = "amd"
			}
			continue
		}
		key, rest, _ := strings.Cut(line, " ")
		if !p.read(t, key, strings.TrimSpace(rest)) {
			t.Fatalf("%s:%d: unknown key %q", name, n, key)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if p.nodeCPUs == nil {
		// A node a socket, as the distances say.
		p.nodeCPUs = p.packages
		for i := range p.packages {
			p.nodes = append(p.nodes, i)
		}
	}
	if p.version() == "" || p.cpus == 0 || len(p.packages) == 0 || len(p.siblings) == 0 || len(p.distances) != len(p.nodes) {
		t.Fatalf("%s is incomplete: %+v", name, p)
	}
	return p
}

// read takes one line and tells whether its key is known.
func (p *printed) read(t *testing.T, key, rest string) bool {
	t.Helper()
	fields := strings.Fields(rest)
	switch key {
	case "kernel":
		p.kernel = rest
		// The release of a Debian kernel ends in the architecture.
		switch {
		case strings.HasSuffix(rest, "-arm64"):
			p.arch = "arm64"
		case strings.HasSuffix(rest, "-powerpc64le"):
			p.arch = "ppc64le"
		}
	case "arch":
		p.arch = rest
	case "vendor":
		p.vendor = rest
	case "cpus":
		p.cpus = atoi(t, rest)
		p.domains = make([][]printedDomain, p.cpus)
		p.groups = make([][][][]int, p.cpus)
	case "offline":
		p.offline = cpuList(t, rest)
	case "isolated":
		p.isolated = cpuList(t, rest)
	case "config":
		p.noClusters = rest == "SCHED_CLUSTER=n"
		return p.noClusters
	case "distances":
		var row []int
		for _, d := range fields {
			row = append(row, atoi(t, d))
		}
		p.distances = append(p.distances, row)
	case "package":
		p.packages = append(p.packages, cpuList(t, strings.TrimPrefix(fields[1], "cpus=")))
	case "node":
		p.nodes = append(p.nodes, atoi(t, fields[0]))
		var cpus []int
		if len(fields) > 1 && fields[1] != "cpus=" {
			cpus = cpuList(t, strings.TrimPrefix(fields[1], "cpus="))
		}
		p.nodeCPUs = append(p.nodeCPUs, cpus)
	case "siblings":
		p.siblings = append(p.siblings, cpuLists(t, fields)...)
	case "l2":
		p.l2s = append(p.l2s, cpuLists(t, fields)...)
	case "llc":
		p.llcs = append(p.llcs, cpuLists(t, fields)...)
	case "cluster":
		p.clusters = append(p.clusters, cpuLists(t, fields)...)
	case "domain":
		k := atoi(t, fields[0])
		cpus, d := parsePrintedDomain(t, rest)
		for _, cpu := range cpus {
			if len(p.domains[cpu]) != k {
				t.Fatalf("domains of CPU %d are out of order", cpu)
			}
			p.domains[cpu] = append(p.domains[cpu], d)
		}
	case "span", "cache_nice_tries":
		k := atoi(t, fields[0])
		for _, cpu := range cpuList(t, strings.TrimPrefix(fields[1], "cpus=")) {
			if key == "span" {
				p.domains[cpu][k].Span = strings.TrimPrefix(fields[2], "span=")
			} else {
				p.domains[cpu][k].CacheNiceTries = atoi(t, fields[2])
			}
		}
	case "groups":
		cpu, k := atoi(t, fields[0]), atoi(t, fields[1])
		if len(p.groups[cpu]) != k {
			t.Fatalf("groups of CPU %d are out of order", cpu)
		}
		p.groups[cpu] = append(p.groups[cpu], cpuLists(t, fields[2:]))
	case "die", "groups_flags", "masks":
		// Not in the model.
	default:
		return false
	}
	return true
}

// parsePrintedDomain reads "2 cpus=0-79 name=NUMA ... flags=A B C".
func parsePrintedDomain(t *testing.T, line string) ([]int, printedDomain) {
	t.Helper()
	line, flags, ok := strings.Cut(line, " flags=")
	if !ok {
		t.Fatalf("no flags in %q", line)
	}
	d := printedDomain{Flags: strings.TrimSpace(flags)}
	var cpus []int
	for _, field := range strings.Fields(line)[1:] {
		key, value, _ := strings.Cut(field, "=")
		switch key {
		case "cpus":
			cpus = cpuList(t, value)
		case "name":
			d.Name = value
		case "imbalance_pct":
			d.ImbalancePct = atoi(t, value)
		case "busy_factor":
			d.BusyFactor = atoi(t, value)
		case "min_interval":
			d.MinInterval = atoi(t, value)
		case "max_interval":
			d.MaxInterval = atoi(t, value)
		default:
			t.Fatalf("unknown field %q in %q", field, line)
		}
	}
	return cpus, d
}

// machine is a machine of nothing but what was printed.
func (p *printed) machine(t *testing.T) *Machine {
	t.Helper()
	const year = 2019 // of an AMD processor that is a Zen
	m := &Machine{ID: "printed", Vendor: p.vendor, Arch: p.arch, Year: year, Distances: p.distances}
	for id := range p.cpus {
		c := CPU{ID: id, Core: -1, L2: -1, LLC: -1, Node: -1, Socket: -1, Thread: -1}
		// To the domains of the others an isolated CPU does not exist either.
		if slices.Contains(p.offline, id) || slices.Contains(p.isolated, id) {
			c.State = Offline
		}
		m.CPUs = append(m.CPUs, c)
	}
	for _, id := range p.nodes {
		m.NUMANodes = append(m.NUMANodes, Node{ID: id})
	}
	// What a kernel calls a cluster is on x86 what it takes for a level-2
	// cache.
	l2s, llcs := p.clusters, p.llcs
	if l2s == nil {
		l2s = p.l2s
	}
	if l2s == nil {
		l2s = p.siblings
	}
	if llcs == nil {
		llcs = p.packages
	}
	for _, s := range []struct {
		name string
		sets [][]int
		at   func(*CPU) *int
	}{
		{"siblings", p.siblings, func(c *CPU) *int { return &c.Core }},
		{"l2", l2s, func(c *CPU) *int { return &c.L2 }},
		{"llc", llcs, func(c *CPU) *int { return &c.LLC }},
		{"node", p.nodeCPUs, func(c *CPU) *int { return &c.Node }},
		{"package", p.packages, func(c *CPU) *int { return &c.Socket }},
	} {
		for i, set := range s.sets {
			for _, id := range set {
				if c := &m.CPUs[id]; c.State == Online {
					*s.at(c) = i
				}
			}
		}
		for i := range m.CPUs {
			if c := &m.CPUs[i]; c.State == Online && *s.at(c) < 0 {
				t.Fatalf("CPU %d has no %s", i, s.name)
			}
		}
	}
	return m
}

func atoi(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func cpuList(t *testing.T, s string) []int {
	t.Helper()
	cpus, err := ParseCPUList(s)
	if err != nil {
		t.Fatal(err)
	}
	return cpus
}

func cpuLists(t *testing.T, lists []string) [][]int {
	t.Helper()
	var sets [][]int
	for _, list := range lists {
		sets = append(sets, cpuList(t, list))
	}
	return sets
}
