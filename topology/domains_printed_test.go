package topology

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// asPrinted is a domain in the form that the kernel prints. Kernels since
// v6.9 print SD_SHARE_LLC.
func asPrinted(version string, d Domain) printedDomain {
	flags := d.Flags.String()
	if version == "v6.12" {
		flags = strings.Replace(flags, "SD_SHARE_PKG_RESOURCES", "SD_SHARE_LLC", 1)
	}
	return printedDomain{
		name:         d.Name,
		imbalancePct: d.ImbalancePct, busyFactor: d.BusyFactor,
		minInterval: d.MinInterval, maxInterval: d.MaxInterval,
		flags: flags,
	}
}

func domainsAsPrinted(t *testing.T, m *Machine, version string, cpu int) []printedDomain {
	t.Helper()
	domains, err := m.Domains(version, cpu)
	if err != nil {
		t.Fatal(err)
	}
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
// what running kernels printed on virtual machines of the same shape.
func TestDomainsPrinted(t *testing.T) {
	tests := []struct {
		file, version string
		sockets       int
		cores         int
	}{
		{"domains-csl-2s-80-6.1.txt", "v6.1", 2, 20},
		{"domains-bdx-ex-4s-6.1.txt", "v6.1", 4, 20},
		{"domains-wsm-ex-8s-6.1.txt", "v6.1", 8, 10},
		{"domains-2s-96-6.12.txt", "v6.12", 2, 24},
	}
	for _, test := range tests {
		t.Run(strings.TrimSuffix(strings.TrimPrefix(test.file, "domains-"), ".txt"), func(t *testing.T) {
			want := readPrinted(t, test.file)
			m := machineOfShape(t, shape{
				sockets: test.sockets, nodes: test.sockets,
				coresPerSocket: test.cores, coresPerLLC: test.cores, threadsPerCore: 2, coresPerL2: 1,
			}, Adjacent, want.distances)
			comparePlaces(t, m, want)
			for cpu := range want.cpus {
				got := domainsAsPrinted(t, m, test.version, cpu)
				if diff := cmp.Diff(want.domains[cpu], got, cmp.AllowUnexported(printedDomain{})); diff != "" {
					t.Fatalf("CPU %d (-printed +built):\n%s", cpu, diff)
				}
			}
		})
	}
}

// comparePlaces compares sockets and siblings with those that were printed.
func comparePlaces(t *testing.T, m *Machine, want printed) {
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
	for cpu := range m.CPUs {
		printedCPU := toAdjacent[cpu]
		got := domainsAsPrinted(t, m, "v6.1", cpu)
		if diff := cmp.Diff(want.domains[printedCPU], got, cmp.AllowUnexported(printedDomain{})); diff != "" {
			t.Errorf("CPU %d, printed as %d (-printed +built):\n%s", cpu, printedCPU, diff)
		}
		// The same spans, whichever way the CPUs are numbered.
		here, there := domainsOf(t, m, "v6.1", cpu), domainsOf(t, adjacent, "v6.1", printedCPU)
		for k := range here {
			var span []int
			for _, c := range here[k].Span {
				span = append(span, toAdjacent[c])
			}
			slices.Sort(span)
			if !slices.Equal(span, there[k].Span) {
				t.Errorf("CPU %d %s: span %v, in the other numbering %v", cpu, here[k].Name, span, there[k].Span)
			}
		}
	}
}

// TestDomainsSameSince510 holds because nothing between v5.10 and v6.1 changed
// the domains of a machine like this one.
func TestDomainsSameSince510(t *testing.T) {
	m := load(t, "csl-2s-80")
	for cpu := range m.CPUs {
		want := domainsOf(t, m, "v6.1", cpu)
		if diff := cmp.Diff(want, domainsOf(t, m, "v5.10", cpu)); diff != "" {
			t.Fatalf("CPU %d (-v6.1 +v5.10):\n%s", cpu, diff)
		}
	}
}

func domainsOf(t *testing.T, m *Machine, version string, cpu int) []Domain {
	t.Helper()
	domains, err := m.Domains(version, cpu)
	if err != nil {
		t.Fatal(err)
	}
	return domains
}
