package topology

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// expectedMachine is one machine of testdata/expected-domains.txt, with the
// domains of its CPU 0 by kernel version.
type expectedMachine struct {
	m        *Machine
	versions []string
	domains  map[string][]Domain
}

// TestDomainsExpected compares with the domains that were worked out by
// reading the kernel trees: all fields of the domains of CPU 0, as text. The
// machine of the file and that of the catalogue have to agree.
func TestDomainsExpected(t *testing.T) {
	for _, e := range readExpected(t, "testdata/expected-domains.txt") {
		machines := map[string]*Machine{"file": e.m}
		if slices.Contains(Catalog(), e.m.ID) {
			machines["catalogue"] = load(t, e.m.ID)
		}
		for from, m := range machines {
			for _, version := range e.versions {
				t.Run(e.m.ID+"/"+from+"/"+version, func(t *testing.T) {
					got := allDomainsOf(t, m, version)[0]
					if diff := cmp.Diff(expectedText(version, e.domains[version]), expectedText(version, got)); diff != "" {
						t.Errorf("CPU 0 (-expected +built):\n%s", diff)
					}
				})
			}
		}
	}
}

// expectedText writes domains in the form of the file.
func expectedText(version string, domains []Domain) []string {
	var lines []string
	for i, d := range domains {
		lines = append(lines, fmt.Sprintf("domain %d cpus=%s name=%s imbalance_pct=%d busy_factor=%d cache_nice_tries=%d "+
			"min_interval=%d max_interval=%d balance_interval=%d flags=%s", i, FormatCPUList(d.Span), d.Name, d.ImbalancePct, d.BusyFactor,
			d.CacheNiceTries, d.MinInterval, d.MaxInterval, d.BalanceInterval, strings.Join(d.Flags.Names(version), " ")))
	}
	return lines
}

func readExpected(t *testing.T, name string) []*expectedMachine {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var machines []*expectedMachine
	var e *expectedMachine
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		key, rest, _ := strings.Cut(lines.Text(), " ")
		fields := strings.Fields(rest)
		switch key {
		case "", "#":
		case "machine":
			e = &expectedMachine{m: expectedShape(t, fields), domains: map[string][]Domain{}}
			machines = append(machines, e)
		case "nodes":
			for _, id := range fields {
				e.m.NUMANodes = append(e.m.NUMANodes, Node{ID: atoi(t, id)})
			}
		case "distances":
			var row []int
			for _, d := range fields {
				row = append(row, atoi(t, d))
			}
			e.m.Distances = append(e.m.Distances, row)
		case "kernel":
			e.versions = append(e.versions, rest)
		case "domain":
			version := e.versions[len(e.versions)-1]
			e.domains[version] = append(e.domains[version], parseExpectedDomain(t, version, rest))
		default:
			t.Fatalf("%s:%d: unknown key %q", name, n, key)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return machines
}

// expectedShape reads "id arch=... sockets=...".
func expectedShape(t *testing.T, fields []string) *Machine {
	t.Helper()
	m := &Machine{ID: fields[0]}
	var s shape
	var scheme Numbering
	for _, field := range fields[1:] {
		key, value, _ := strings.Cut(field, "=")
		switch key {
		case "arch":
			m.Arch = value
		case "vendor":
			m.Vendor = value
		case "year":
			m.Year = atoi(t, value)
		case "numbering":
			scheme = Numbering(value)
		default:
			to := map[string]*int{
				"sockets": &s.sockets, "nodes": &s.nodes, "cores_per_socket": &s.coresPerSocket,
				"cores_per_llc": &s.coresPerLLC, "cores_per_l2": &s.coresPerL2, "threads_per_core": &s.threadsPerCore,
			}[key]
			if to == nil {
				t.Fatalf("unknown field %q", field)
			}
			*to = atoi(t, value)
		}
	}
	var err error
	if m.CPUs, err = s.cpus(scheme); err != nil {
		t.Fatal(err)
	}
	return m
}

func parseExpectedDomain(t *testing.T, version, line string) Domain {
	t.Helper()
	line, flags, _ := strings.Cut(line, " flags=")
	var d Domain
	for _, field := range strings.Fields(line)[1:] {
		key, value, _ := strings.Cut(field, "=")
		switch key {
		case "cpus":
			d.Span = cpuList(t, value)
		case "name":
			d.Name = value
		default:
			to := map[string]*int{
				"imbalance_pct": &d.ImbalancePct, "busy_factor": &d.BusyFactor, "cache_nice_tries": &d.CacheNiceTries,
				"min_interval": &d.MinInterval, "max_interval": &d.MaxInterval, "balance_interval": &d.BalanceInterval,
			}[key]
			if to == nil {
				t.Fatalf("unknown field %q", field)
			}
			*to = atoi(t, value)
		}
	}
	for _, name := range strings.Fields(flags) {
		i := 0
		for i < len(domainFlagNames) && DomainFlags(1 << i).Names(version)[0] != name {
			i++
		}
		if i == len(domainFlagNames) {
			t.Fatalf("%s has no flag %q", version, name)
		}
		d.Flags |= 1 << i
	}
	return d
}
