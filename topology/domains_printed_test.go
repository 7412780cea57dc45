package topology

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// asPrinted is a domain in the form that the kernel prints.
func asPrinted(version string, d Domain) printedDomain {
	return printedDomain{
		Name:         d.Name,
		ImbalancePct: d.ImbalancePct, BusyFactor: d.BusyFactor,
		MinInterval: d.MinInterval, MaxInterval: d.MaxInterval,
		Flags: strings.Join(d.Flags.Names(version), " "),
	}
}

func allAsPrinted(version string, domains []Domain) []printedDomain {
	var out []printedDomain
	for _, d := range domains {
		out = append(out, asPrinted(version, d))
	}
	return out
}

// machineOfShape is a machine of nothing but CPUs and distances.
func machineOfShape(t *testing.T, s shape, scheme Numbering, distances [][]int) *Machine {
	t.Helper()
	s.coresPerL2 = max(s.coresPerL2, 1)
	if err := s.check(); err != nil {
		t.Fatal(err)
	}
	cpus, err := s.cpus(scheme)
	if err != nil {
		t.Fatal(err)
	}
	return &Machine{ID: "test", Vendor: "intel", Arch: "x86_64", CPUs: cpus, Distances: distances}
}

// TestDomainsPrinted compares the domains of every CPU, field by field, with
// what running kernels printed on virtual machines of the same shape: every
// file testdata/domains-*.txt.
func TestDomainsPrinted(t *testing.T) {
	files, err := filepath.Glob("testdata/domains-*.txt")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 4 {
		t.Errorf("%d recordings, want 4 at least", len(files))
	}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(strings.TrimSuffix(strings.TrimPrefix(name, "domains-"), ".txt"), func(t *testing.T) {
			want := readPrinted(t, name)
			got := allDomainsOf(t, want.machine(t), want.version())
			for cpu := range want.cpus {
				if diff := cmp.Diff(want.domains[cpu], allAsPrinted(want.version(), got[cpu])); diff != "" {
					t.Fatalf("CPU %d (-printed +built):\n%s", cpu, diff)
				}
				for k, groups := range want.groups[cpu] {
					if diff := cmp.Diff(groups, got[cpu][k].Groups); diff != "" {
						t.Fatalf("groups of CPU %d, domain %d (-printed +built):\n%s", cpu, k, diff)
					}
				}
			}
		})
	}
}

// comparePlaces compares sockets and siblings with those that were printed.
func comparePlaces(t *testing.T, m *Machine, want *printed) {
	t.Helper()
	if len(m.CPUs) != want.cpus {
		t.Fatalf("%d CPUs, want %d", len(m.CPUs), want.cpus)
	}
	for socket, cpus := range want.packages {
		got := m.selectCPUs(func(c CPU) bool { return c.Socket == socket })
		if !slices.Equal(got, cpus) {
			t.Errorf("CPUs of socket %d: %v, want %v", socket, got, cpus)
		}
	}
	for _, siblings := range want.siblings {
		got := m.selectCPUs(func(c CPU) bool { return c.Core == m.CPUs[siblings[0]].Core })
		if !slices.Equal(got, siblings) {
			t.Errorf("siblings %v, want %v", got, siblings)
		}
	}
}

// TestDomainsPrintedCatalog does the same for csl-2s-80 as it is in the
// catalogue, whose CPUs are numbered in another way than the virtual machine's.
func TestDomainsPrintedCatalog(t *testing.T) {
	want := readPrinted(t, "domains-csl-2s-80-6.1.txt")
	m := load(t, "csl-2s-80")
	adjacent := renumbered(t, "adjacent", "0-1", "0-39", "40-79")
	comparePlaces(t, adjacent, want)
	toAdjacent := make([]int, len(m.CPUs))
	for _, c := range m.CPUs {
		same := adjacent.selectCPUs(func(a CPU) bool { return a.Core == c.Core && a.Thread == c.Thread })
		if len(same) != 1 {
			t.Fatalf("CPU %d is %v in the other numbering", c.ID, same)
		}
		toAdjacent[c.ID] = same[0]
	}
	here, there := allDomainsOf(t, m, "v6.1"), allDomainsOf(t, adjacent, "v6.1")
	for cpu := range m.CPUs {
		printedCPU := toAdjacent[cpu]
		if diff := cmp.Diff(want.domains[printedCPU], allAsPrinted("v6.1", here[cpu])); diff != "" {
			t.Errorf("CPU %d, printed as %d (-printed +built):\n%s", cpu, printedCPU, diff)
		}
		// The same spans, whichever way the CPUs are numbered.
		for k, d := range here[cpu] {
			var span []int
			for _, c := range d.Span {
				span = append(span, toAdjacent[c])
			}
			slices.Sort(span)
			if !slices.Equal(span, there[printedCPU][k].Span) {
				t.Errorf("CPU %d %s: span %v, in the other numbering %v", cpu, d.Name, span, there[printedCPU][k].Span)
			}
		}
	}
}

// TestDomainsSameSince510 holds because nothing between v5.10 and v6.1 changed
// the domains of a machine like this one.
func TestDomainsSameSince510(t *testing.T) {
	m := load(t, "csl-2s-80")
	if diff := cmp.Diff(allDomainsOf(t, m, "v6.1"), allDomainsOf(t, m, "v5.10")); diff != "" {
		t.Fatalf("-v6.1 +v5.10:\n%s", diff)
	}
}

func allDomainsOf(t *testing.T, m *Machine, version string) [][]Domain {
	t.Helper()
	all, err := m.AllDomains(version)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func domainsOf(t *testing.T, m *Machine, version string, cpu int) []Domain {
	t.Helper()
	domains, err := m.Domains(version, cpu)
	if err != nil {
		t.Fatal(err)
	}
	return domains
}
