package topology

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// printed is what a running kernel printed about its machine and its sched
// domains; testdata/domains-*.txt say where each is from.
type printed struct {
	cpus      int
	distances [][]int
	packages  [][]int
	siblings  [][]int
	// domains[cpu][k] is domain k of a CPU.
	domains [][]printedDomain
}

type printedDomain struct {
	name                                               string
	imbalancePct, busyFactor, minInterval, maxInterval int
	flags                                              string
}

func readPrinted(t *testing.T, name string) printed {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var p printed
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		key, rest, _ := strings.Cut(lines.Text(), " ")
		fields := strings.Fields(rest)
		switch key {
		case "cpus":
			p.cpus = atoi(t, rest)
			p.domains = make([][]printedDomain, p.cpus)
		case "distances":
			var row []int
			for _, d := range fields {
				row = append(row, atoi(t, d))
			}
			p.distances = append(p.distances, row)
		case "package":
			p.packages = append(p.packages, cpuList(t, strings.TrimPrefix(fields[1], "cpus=")))
		case "siblings":
			for _, s := range fields {
				p.siblings = append(p.siblings, cpuList(t, s))
			}
		case "domain":
			cpus, d := parsePrintedDomain(t, rest)
			for _, cpu := range cpus {
				if len(p.domains[cpu]) != atoi(t, fields[0]) {
					t.Fatalf("%s: domains of CPU %d are out of order", name, cpu)
				}
				p.domains[cpu] = append(p.domains[cpu], d)
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if p.cpus == 0 || len(p.packages) == 0 || len(p.siblings) == 0 || len(p.distances) != len(p.packages) {
		t.Fatalf("%s is incomplete: %+v", name, p)
	}
	return p
}

// parsePrintedDomain reads "2 cpus=0-79 name=NUMA ... flags=A B C".
func parsePrintedDomain(t *testing.T, line string) ([]int, printedDomain) {
	t.Helper()
	line, flags, ok := strings.Cut(line, " flags=")
	if !ok {
		t.Fatalf("no flags in %q", line)
	}
	d := printedDomain{flags: flags}
	var cpus []int
	for _, field := range strings.Fields(line)[1:] {
		key, value, _ := strings.Cut(field, "=")
		switch key {
		case "cpus":
			cpus = cpuList(t, value)
		case "name":
			d.name = value
		case "imbalance_pct":
			d.imbalancePct = atoi(t, value)
		case "busy_factor":
			d.busyFactor = atoi(t, value)
		case "min_interval":
			d.minInterval = atoi(t, value)
		case "max_interval":
			d.maxInterval = atoi(t, value)
		default:
			t.Fatalf("unknown field %q in %q", field, line)
		}
	}
	return cpus, d
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
