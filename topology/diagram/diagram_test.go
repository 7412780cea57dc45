package diagram

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/schedlab/schedlab/topology"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

func open(t *testing.T, name string) *topology.Machine {
	t.Helper()
	m, err := topology.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

const hybridFile = "../testdata/hybrid.yaml"

// form is a regular machine, or one that is not quite.
type form struct {
	sockets, nodes, llcs, l2s, cores, threads int // each within the one before
	alternate                                 bool
}

// machine builds a machine of a form. Its numbers are those of csl-2s-80.
func (f form) machine(t *testing.T) *topology.Machine {
	t.Helper()
	m := open(t, "csl-2s-80")
	m.ID = "made-up"
	perSocket := f.nodes * f.llcs * f.l2s * f.cores
	cores := f.sockets * perSocket
	m.CPUs = make([]topology.CPU, cores*f.threads)
	for core := range cores {
		for thread := range f.threads {
			id := core + thread*cores
			if f.alternate {
				id = core%perSocket*f.sockets + core/perSocket + thread*cores
			}
			m.CPUs[id] = topology.CPU{ID: id, Thread: thread, Core: core, L2: core / f.cores, LLC: core / f.cores / f.l2s,
				Node: core / f.cores / f.l2s / f.llcs, Socket: core / perSocket}
		}
	}
	setNodes(m, f.sockets*f.nodes)
	return m
}

// setNodes gives a machine so many nodes, all of them equally far.
func setNodes(m *topology.Machine, nodes int) {
	m.NUMANodes, m.Distances = nil, nil
	for i := range nodes {
		m.NUMANodes = append(m.NUMANodes, topology.Node{ID: i})
		m.Distances = append(m.Distances, slices.Repeat([]int{21}, nodes))
		m.Distances[i][i] = 10
	}
}

// drawnMachines are the catalogue and machines of every odd form.
func drawnMachines(t *testing.T) map[string]*topology.Machine {
	t.Helper()
	machines := map[string]*topology.Machine{
		"hybrid":            open(t, hybridFile),
		"listed":            open(t, "../testdata/listed.yaml"),
		"one CPU":           form{1, 1, 1, 1, 1, 1, false}.machine(t),
		"8 sockets":         form{8, 1, 8, 4, 2, 2, false}.machine(t),
		"16 sockets":        form{16, 1, 1, 32, 1, 2, true}.machine(t),
		"one cache":         form{1, 1, 1, 512, 1, 2, false}.machine(t),
		"4 nodes a socket":  form{4, 4, 2, 16, 1, 2, false}.machine(t),
		"SMT8":              form{16, 1, 8, 1, 1, 8, true}.machine(t),
		"many L3 a socket":  form{1, 1, 64, 8, 1, 2, false}.machine(t),
		"node of 2 sockets": form{4, 1, 2, 4, 1, 1, false}.machine(t),
		"nodes in a cache":  form{2, 2, 1, 4, 1, 2, false}.machine(t),
		"nodes across":      form{2, 2, 2, 4, 1, 1, false}.machine(t),
		"many nodes":        form{48, 1, 1, 4, 1, 1, false}.machine(t),
		"too many nodes":    form{128, 1, 1, 1, 2, 1, false}.machine(t),
	}
	twoInOne := machines["node of 2 sockets"]
	for i := range twoInOne.CPUs {
		twoInOne.CPUs[i].Node /= 2
	}
	setNodes(twoInOne, 2)
	inCache := machines["nodes in a cache"]
	for i := range inCache.CPUs {
		inCache.CPUs[i].LLC = inCache.CPUs[i].Socket
	}
	across := machines["nodes across"]
	for i := range across.CPUs {
		across.CPUs[i].Node = across.CPUs[i].Core % 2
	}
	setNodes(across, 2)
	for _, id := range topology.Catalog() {
		machines[id] = open(t, id)
	}
	return machines
}

func svg(t *testing.T, m *topology.Machine) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := WriteSVG(&buf, m); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestWriteSVG(t *testing.T) {
	for _, name := range []string{"csl-2s-80", hybridFile} {
		m := open(t, name)
		t.Run(m.ID, func(t *testing.T) {
			got := svg(t, m)
			golden := filepath.Join("testdata", m.ID+".svg")
			if *update {
				if err := os.WriteFile(golden, got, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("differs from %s; look at it and run with -update (-want +got):\n%s", golden, diff)
			}
		})
	}
}

// element is an element of a picture with its text.
type element struct {
	name, class, text string
	x, y, w, h        float64
	ids               []string
}

// elements reads a picture, strictly.
func elements(t *testing.T, picture []byte) []element {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(picture))
	var all []element
	var open []int
	for {
		token, err := d.Token()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{name: token.Name.Local}
			for _, a := range token.Attr {
				v, _ := strconv.ParseFloat(a.Value, 64)
				switch a.Name.Local {
				case "class":
					e.class = a.Value
				case "id":
					e.ids = append(e.ids, a.Value)
				case "x":
					e.x = v
				case "y":
					e.y = v
				case "width":
					e.w = v
				case "height":
					e.h = v
				}
			}
			open = append(open, len(all))
			all = append(all, e)
		case xml.CharData:
			if len(open) > 0 {
				all[open[len(open)-1]].text += string(token)
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		}
	}
}

// TestCPUsOnce: every CPU that is there is in the picture, once, by itself or
// in a list.
func TestCPUsOnce(t *testing.T) {
	for name, m := range drawnMachines(t) {
		t.Run(name, func(t *testing.T) {
			var got []int
			for _, e := range elements(t, svg(t, m)) {
				switch {
				case e.name != "text":
				case e.class == "cpu" || e.class == "cpu dim":
					got = append(got, atoi(t, e.text))
				case e.class == "cpus":
					got = append(got, parseRanges(t, e.text)...)
				}
			}
			var want []int
			for _, c := range m.CPUs {
				if c.State != topology.Absent {
					want = append(want, c.ID)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("CPUs %v, want %v", got, want)
			}
		})
	}
}

func atoi(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// parseRanges reads a line of a list such as "1-31:2,40,".
func parseRanges(t *testing.T, s string) []int {
	t.Helper()
	var all []int
	for _, item := range strings.Split(strings.TrimSuffix(s, ","), ",") {
		item, step, strided := strings.Cut(item, ":")
		if !strided {
			step = "1"
		}
		lo, hi, isRange := strings.Cut(item, "-")
		if !isRange {
			hi = lo
		}
		for cpu := atoi(t, lo); cpu <= atoi(t, hi); cpu += atoi(t, step) {
			all = append(all, cpu)
		}
	}
	return all
}

// TestBoxes: boxes are in the picture, and either apart or inside each other.
func TestBoxes(t *testing.T) {
	for name, m := range drawnMachines(t) {
		t.Run(name, func(t *testing.T) {
			all := elements(t, svg(t, m))
			page := all[0]
			if page.name != "svg" || page.w != width || page.h > 2500 {
				t.Fatalf("picture %+v", page)
			}
			var boxes []element
			for _, e := range all {
				if e.name == "rect" && e.class != "page" {
					boxes = append(boxes, e)
				}
				if e.x < 0 || e.x+e.w > page.w || e.y < 0 || e.y+e.h > page.h {
					t.Errorf("outside of the picture: %+v", e)
				}
			}
			for i, a := range boxes {
				for _, b := range boxes[:i] {
					if !apart(a, b) && !within(a, b) && !within(b, a) {
						t.Fatalf("%+v and %+v overlap", a, b)
					}
				}
			}
		})
	}
}

// slack is what the rounding of lengths may add up to.
const slack = 0.25

func apart(a, b element) bool {
	return a.x+a.w <= b.x+slack || b.x+b.w <= a.x+slack || a.y+a.h <= b.y+slack || b.y+b.h <= a.y+slack
}

func within(a, b element) bool {
	return a.x+slack >= b.x && a.x+a.w <= b.x+b.w+slack && a.y+slack >= b.y && a.y+a.h <= b.y+b.h+slack
}

// TestStandsAlone: the picture has a title and a description, needs nothing
// from elsewhere, and is the same each time.
func TestStandsAlone(t *testing.T) {
	for name, m := range drawnMachines(t) {
		t.Run(name, func(t *testing.T) {
			picture := svg(t, m)
			if !bytes.Equal(picture, svg(t, m)) {
				t.Error("another picture the second time")
			}
			all := elements(t, picture)
			if all[1].name != "title" || all[2].name != "desc" || !strings.HasPrefix(all[1].text, m.ID+": ") || all[2].text == "" {
				t.Errorf("begins with %+v, %+v", all[1], all[2])
			}
			var ids []string
			for _, e := range all {
				ids = append(ids, e.ids...)
				if slices.Contains([]string{"script", "image", "a", "foreignObject", "use"}, e.name) {
					t.Errorf("has a %s", e.name)
				}
			}
			slices.Sort(ids)
			if len(slices.Compact(slices.Clone(ids))) != len(ids) {
				t.Errorf("ids %v", ids)
			}
			text := strings.ReplaceAll(string(picture), "http://www.w3.org/2000/svg", "")
			for _, s := range []string{"http", "@import", "@font-face", "url(\"", "NaN", "Inf"} {
				if strings.Contains(text, s) {
					t.Errorf("has %q", s)
				}
			}
			if !strings.Contains(text, m.Hash()) {
				t.Error("no hash")
			}
		})
	}
}

// TestCollapse: of a large machine one of each like parts is drawn.
func TestCollapse(t *testing.T) {
	machines := drawnMachines(t)
	tests := []struct {
		name       string
		cells      int // CPUs drawn one by one
		likeSocket int // sockets that are drawn small
	}{
		{"csl-2s-80", 80, 0},
		{"zen2-2s-256", 256, 0},
		{"zen4-2s-384", 192, 1},
		{"8 sockets", 128, 7},
		{"16 sockets", 64, 15},
		{"4 nodes a socket", 256, 3},
		{"many L3 a socket", 16, 0},
		// There is nothing in it that is like anything but cores.
		{"one cache", 1024, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cells, like := 0, 0
			for _, e := range elements(t, svg(t, machines[test.name])) {
				if e.class == "cpu" {
					cells++
				}
				if strings.Contains(e.text, ": like socket 0") {
					like++
				}
			}
			if cells != test.cells || like != test.likeSocket {
				t.Errorf("%d CPUs and %d sockets like the first, want %d and %d", cells, like, test.cells, test.likeSocket)
			}
		})
	}
}

// TestNesting: nodes may lie around sockets, inside them, inside caches, or
// across.
func TestNesting(t *testing.T) {
	machines := drawnMachines(t)
	tests := []struct{ name, want string }{
		{"csl-2s-80", "socket node llc core"},
		{"p8-2s4n", "socket node core"},
		{"kp920-2s-128", "socket node llc l2 core"},
		{"altra-2s-160", "socket node l2 core"},
		{"core2-2s", "node socket llc core"},
		{"node of 2 sockets", "node socket llc core"},
		{"nodes in a cache", "socket llc node core"},
		{"nodes across", "socket llc core"},
		{"one CPU", "socket node core"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var kinds []string
			for parts := newTree(machines[test.name]).tops; len(parts) > 0; parts = parts[0].children {
				kinds = append(kinds, parts[0].kind)
			}
			if got := strings.Join(kinds, " "); got != test.want {
				t.Errorf("parts %s, want %s", got, test.want)
			}
		})
	}
	if picture := string(svg(t, machines["nodes across"])); !strings.Contains(picture, "node 1: CPUs 1,3,5,7") {
		t.Error("nodes that cut through other parts are not named")
	}
}

// TestIrregular: what is special about a machine is in its picture.
func TestIrregular(t *testing.T) {
	picture := string(svg(t, open(t, hybridFile)))
	for _, text := range []string{
		">node 0, memory 32 GiB<", ">node 2, memory 64 GiB, no CPUs<", ">P core with L1d 48 KiB, L2 2 MiB (6)<",
		">LP-E core with L1d 32 KiB (2)<", ">L2 4 MiB<", ">Offline CPUs (1): ", `fill="url(#hybrid-offline)"`,
	} {
		if !strings.Contains(picture, text) {
			t.Errorf("no %s", text)
		}
	}
	if picture := string(svg(t, open(t, "../testdata/listed.yaml"))); !strings.Contains(picture, `<rect class="nomemory"`) {
		t.Error("the node without memory looks like the others")
	}
}

func TestCPURanges(t *testing.T) {
	tests := []struct {
		cpus []int
		want string
	}{
		{nil, ""},
		{[]int{7}, "7"},
		{[]int{0, 1}, "0-1"},
		{[]int{0, 40}, "0,40"},
		{[]int{1, 3, 5}, "1,3,5"},
		{[]int{1, 3, 5, 7}, "1-7:2"},
		{[]int{0, 1, 2, 3, 40, 41, 42}, "0-3,40-42"},
		{[]int{0, 2, 4, 6, 7, 8}, "0-6:2,7-8"},
		{[]int{5, 3, 1, 7, 20}, "1-7:2,20"},
	}
	for _, test := range tests {
		if got := strings.Join(cpuRanges(test.cpus), ","); got != test.want {
			t.Errorf("%v: %q, want %q", test.cpus, got, test.want)
		}
	}
}

type failingWriter struct{ after int }

var errFull = errors.New("disk full")

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.after--; w.after < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteError(t *testing.T) {
	m := open(t, "csl-2s-80")
	for after := range 3 {
		if err := WriteSVG(&failingWriter{after}, m); !errors.Is(err, errFull) {
			t.Errorf("error %v after %d writes, want that of the writer", err, after)
		}
	}
}
