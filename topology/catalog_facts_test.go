package topology

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// catalogFacts are what the sources of each machine say of its shape, written
// out by hand: the posts, dumps and data sheets that the files name, not the
// counts in the files.
var catalogFacts = []struct {
	id                          string
	sockets, nodes, cores, cpus int
	siblings                    string // of CPU 0
	node0                       string // the CPUs of the first node
	llcs                        int    // as select_idle_sibling sees them
	farthest                    int    // largest entry of the SLIT
}{
	{"altra-2s-160", 2, 2, 160, 160, "0", "0-79", 80, 20},
	{"bdx-ex-4s", 4, 4, 80, 160, "0,80", "0-19,80-99", 4, 21},
	{"core2-2s", 2, 1, 8, 8, "0", "0-7", 4, 10},
	{"csl-2s-80", 2, 2, 40, 80, "0,40", "0-19,40-59", 2, 21},
	{"hsw-ep-2s", 2, 2, 36, 72, "0,36", "0-17,36-53", 2, 21},
	{"icx-2s-128", 2, 2, 64, 128, "0,64", "0-31,64-95", 2, 20},
	{"ivb-ep-2s", 2, 2, 20, 40, "0,20", "0-9,20-29", 2, 21},
	{"kp920-2s-128", 2, 4, 128, 128, "0", "0-31", 4, 33},
	{"nhm-ep-2s", 2, 2, 8, 16, "0,8", "0-3,8-11", 2, 20},
	{"nhm-ex-4s", 4, 4, 32, 64, "0,32", "0-7,32-39", 4, 20},
	{"p7-4s4n", 4, 4, 32, 128, "0-3", "0-31", 32, 40},
	{"p8-2s4n", 2, 4, 20, 160, "0-7", "0-39", 20, 40},
	{"p9-2s2n", 2, 2, 32, 128, "0-3", "0-63", 16, 40},
	{"snb-ep-2s", 2, 2, 16, 32, "0,16", "0-7,16-23", 2, 21},
	{"snb-ep-4s", 4, 4, 32, 64, "0,32", "0-7,32-39", 4, 21},
	{"spr-2s-224", 2, 2, 112, 224, "0,112", "0-55,112-167", 2, 21},
	{"wsm-ex-8s", 8, 8, 80, 160, "0,80", "0-9,80-89", 8, 19},
	{"zen2-2s-256", 2, 2, 128, 256, "0,128", "0-63,128-191", 32, 32},
	{"zen3-2s-256", 2, 2, 128, 256, "0,128", "0-63,128-191", 16, 32},
	{"zen4-2s-384", 2, 2, 192, 384, "0,192", "0-95,192-287", 24, 32},
}

func TestCatalogFacts(t *testing.T) {
	if len(Catalog()) != len(catalogFacts) {
		t.Errorf("%d machines in the catalogue, %d in this table", len(Catalog()), len(catalogFacts))
	}
	for _, want := range catalogFacts {
		t.Run(want.id, func(t *testing.T) {
			m := load(t, want.id)
			check := func(what string, got, want int) {
				t.Helper()
				if got != want {
					t.Errorf("%s: %d, want %d", what, got, want)
				}
			}
			check("sockets", countPlaces(m, func(c CPU) int { return c.Socket }), want.sockets)
			check("nodes with CPUs", countPlaces(m, func(c CPU) int { return c.Node }), want.nodes)
			check("cores", countPlaces(m, func(c CPU) int { return c.Core }), want.cores)
			check("last-level caches", countPlaces(m, func(c CPU) int { return c.LLC }), want.llcs)
			check("CPUs", len(m.CPUs), want.cpus)
			var siblings, node0 []int
			for _, c := range m.CPUs {
				if c.Core == m.CPUs[0].Core {
					siblings = append(siblings, c.ID)
				}
				if c.Node == 0 {
					node0 = append(node0, c.ID)
				}
			}
			if got := FormatCPUList(siblings); got != want.siblings {
				t.Errorf("siblings of CPU 0: %s, want %s", got, want.siblings)
			}
			if got := FormatCPUList(node0); got != want.node0 {
				t.Errorf("first node: %s, want %s", got, want.node0)
			}
			farthest := 0
			for _, row := range m.Distances {
				for _, d := range row {
					farthest = max(farthest, d)
				}
			}
			check("farthest node", farthest, want.farthest)
		})
	}
}

// countPlaces counts the values that a place has over all CPUs.
func countPlaces(m *Machine, place func(CPU) int) int {
	seen := map[int]bool{}
	for _, c := range m.CPUs {
		seen[place(c)] = true
	}
	return len(seen)
}

func TestCatalogNodeIDs(t *testing.T) {
	for id, want := range map[string][]int{
		"p8-2s4n":   {0, 1, 16, 17},
		"p9-2s2n":   {0, 8},
		"csl-2s-80": {0, 1},
	} {
		for i, node := range load(t, id).NUMANodes {
			if node.ID != want[i] {
				t.Errorf("%s: node %d has number %d, want %d", id, i, node.ID, want[i])
			}
		}
	}
}

// TestCatalogNodesOfSockets holds because no firmware of these machines puts
// CPUs of two sockets on one node, but that of Core 2, which has one node.
func TestCatalogNodesOfSockets(t *testing.T) {
	for _, id := range Catalog() {
		m := load(t, id)
		socket := map[int]int{}
		for _, c := range m.CPUs {
			if first, ok := socket[c.Node]; ok && first != c.Socket && id != "core2-2s" {
				t.Fatalf("%s: node %d is on sockets %d and %d", id, c.Node, first, c.Socket)
			}
			socket[c.Node] = c.Socket
		}
	}
}

// TestCatalogSources finds sources that nothing in the file refers to, and
// numbers that claim to be from a data sheet, a driver or a machine while
// their source is an estimate.
func TestCatalogSources(t *testing.T) {
	for _, id := range Catalog() {
		t.Run(id, func(t *testing.T) {
			data, err := os.ReadFile("machines/" + id + ".yaml")
			if err != nil {
				t.Fatal(err)
			}
			before, rest, ok := strings.Cut(string(data), "\nsources:\n")
			_, after, ok2 := strings.Cut(rest, "\ncounts:\n")
			if !ok || !ok2 {
				t.Fatal("no sources before counts")
			}
			m := load(t, id)
			for key := range m.Sources {
				if !regexp.MustCompile(`\b` + key + `\b`).MatchString(before + after) {
					t.Errorf("source %s is not used", key)
				}
			}
			for _, q := range m.Quantities() {
				if (q.Source == "judgement" || q.Source == "recalled") && q.Kind != Assumed {
					t.Errorf("%s is %s, but its source is %s", q.Name, q.Kind, q.Source)
				}
			}
		})
	}
}
