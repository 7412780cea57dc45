package topology

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// describedMachines are the machines whose descriptions the tests check: the
// catalogue, and machines with everything that is not regular.
func describedMachines(t *testing.T) map[string]*Machine {
	t.Helper()
	machines := map[string]*Machine{"large": large(t)}
	for _, id := range Catalog() {
		machines[id] = load(t, id)
	}
	for _, id := range []string{"listed", "hybrid"} {
		m, err := Open(filepath.Join("testdata", id+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		machines[id] = m
	}
	return machines
}

// goldenFile compares a text with a file in testdata.
func goldenFile(t *testing.T, name string, got []byte) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(name, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("differs from %s, check it and run with -update (-want +got):\n%s", name, diff)
	}
}

func TestWriteText(t *testing.T) {
	machines := describedMachines(t)
	for _, id := range []string{"csl-2s-80", "p8-2s4n", "hybrid"} {
		t.Run(id, func(t *testing.T) {
			var buf bytes.Buffer
			if err := machines[id].WriteText(&buf); err != nil {
				t.Fatal(err)
			}
			goldenFile(t, id+".txt", buf.Bytes())
		})
	}
}

// TestWriteTextForm checks what holds for the text of any machine.
func TestWriteTextForm(t *testing.T) {
	for id, m := range describedMachines(t) {
		t.Run(id, func(t *testing.T) {
			var buf bytes.Buffer
			if err := m.WriteText(&buf); err != nil {
				t.Fatal(err)
			}
			head, quantities, ok := strings.Cut(buf.String(), "\nQuantities")
			if !ok {
				t.Fatal("no quantities")
			}
			shown := 80
			if len(m.CPUs) > 999 {
				shown = 82 // a digit more in two columns
			}
			var cpus []string
			for line := range strings.Lines(head) {
				line = strings.TrimSuffix(line, "\n")
				if strings.TrimRight(line, " ") != line {
					t.Errorf("blanks at the end of %q", line)
				}
				switch {
				case strings.HasPrefix(line, "node "):
					// numactl -H has a line a node, however long.
					if _, list, ok := strings.Cut(line, " cpus:"); ok {
						cpus = append(cpus, strings.Fields(list)...)
					}
				case strings.Contains(line, "CPUs 0-1  2-3"), strings.Contains(line, "CPUs 12  13"):
					// A listed cache.
				case columns(line) > shown:
					t.Errorf("%d columns: %s", columns(line), line)
				}
			}
			var online []string
			for _, cpu := range m.OnlineCPUs() {
				online = append(online, fmt.Sprint(cpu))
			}
			slices.Sort(cpus)
			slices.Sort(online)
			if !slices.Equal(cpus, online) {
				t.Errorf("CPUs of the nodes: %v", cpus)
			}
			for _, q := range m.Quantities() {
				if !strings.Contains(quantities, "\n  "+q.Name+" ") {
					t.Errorf("no quantity %s", q.Name)
				}
			}
			for _, version := range KernelVersions() {
				if n := strings.Count(head, version+" (ms") + strings.Count(head, version+", "); n != 1 {
					t.Errorf("%s heads %d blocks of domains", version, n)
				}
			}
		})
	}
}

func TestWriteTextKernel(t *testing.T) {
	var buf bytes.Buffer
	m := load(t, "csl-2s-80")
	if err := m.WriteText(&buf, "v3.10"); err != nil {
		t.Fatal(err)
	}
	if s := buf.String(); strings.Count(s, "Sched domains") != 1 || !strings.Contains(s, "SIBLING") {
		t.Errorf("not only v3.10 in\n%s", s)
	}
	if err := m.WriteText(&buf, "v3.11"); err == nil || !strings.Contains(err.Error(), `no sched domains for kernel "v3.11"`) {
		t.Errorf("error %v", err)
	}
}

// TestDescribeUnmodelled: a machine of an architecture without rules for its
// domains still has all the rest.
func TestDescribeUnmodelled(t *testing.T) {
	m := load(t, "csl-2s-80")
	m.Arch = "s390x"
	var text, object bytes.Buffer
	if err := m.WriteText(&text); err != nil || !strings.Contains(text.String(), "\nSched domains: not modelled for s390x\n") {
		t.Errorf("error %v in\n%s", err, text.String())
	}
	if err := m.WriteJSON(&object); err != nil || !strings.Contains(object.String(), `"domains": {}`) {
		t.Errorf("error %v", err)
	}
	if err := m.WriteText(new(bytes.Buffer), "v5.10"); err == nil {
		t.Error("no error for the version that was asked for")
	}
}

type failingWriter struct{}

var errFull = errors.New("disk full")

func (failingWriter) Write([]byte) (int, error) { return 0, errFull }

func TestWriteError(t *testing.T) {
	m := load(t, "csl-2s-80")
	if err := m.WriteText(failingWriter{}); !errors.Is(err, errFull) {
		t.Errorf("text: error %v, want that of the writer", err)
	}
	if err := m.WriteJSON(failingWriter{}); !errors.Is(err, errFull) {
		t.Errorf("JSON: error %v, want that of the writer", err)
	}
}

func TestGroupSizes(t *testing.T) {
	tests := []struct {
		groups [][]int
		want   string
	}{
		{[][]int{{0, 1}, {2, 3}}, "2 of 2"},
		{[][]int{{0, 1}, {2}}, "2+1"},
		{[][]int{{2}, {0, 1}}, "2+1"},
		{[][]int{{2}, {0, 1}, {3}}, "2+2x1"},
	}
	for _, test := range tests {
		if got := groupSizes(test.groups); got != test.want {
			t.Errorf("%v: %q, want %q", test.groups, got, test.want)
		}
	}
}

func TestSizes(t *testing.T) {
	tests := []struct {
		kib          int
		lscpu, exact string
	}{
		{32, "32 KiB", "32 KiB"},
		{640, "640 KiB", "640 KiB"},
		{1280, "1.3 MiB", "1.25 MiB"}, // lscpu of 20 L1d of 64 KiB
		{1536, "1.5 MiB", "1.5 MiB"},
		{28160, "27.5 MiB", "27.5 MiB"},
		{55 << 10, "55 MiB", "55 MiB"},
		{2304 << 10, "2.3 GiB", "2.25 GiB"},
	}
	for _, test := range tests {
		if got := lscpuSize(test.kib); got != test.lscpu {
			t.Errorf("%d KiB in lscpu: %q, want %q", test.kib, got, test.lscpu)
		}
		if got := FormatSize(test.kib); got != test.exact {
			t.Errorf("%d KiB: %q, want %q", test.kib, got, test.exact)
		}
	}
}

func TestSomeSets(t *testing.T) {
	var cores [][]int
	for i := range 40 {
		cores = append(cores, []int{i, i + 40})
	}
	tests := []struct {
		name string
		sets [][]int
		want string
	}{
		{"none", nil, ""},
		{"all", cores[:3], "0,40  1,41  2,42"},
		{"some", cores, "0,40  1,41  2,42  3,43  ..  39,79"},
	}
	for _, test := range tests {
		if got := someSets(test.sets); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestWriteWrapped(t *testing.T) {
	var buf bytes.Buffer
	long := strings.Repeat("x", 90)
	writeWrapped(&buf, "Note: ", "      ", "short "+long+" "+strings.Repeat("word ", 30))
	for i, line := range strings.Split(strings.TrimSuffix(buf.String(), "\n"), "\n") {
		if columns(line) > textWidth && !strings.Contains(line, long) || strings.HasSuffix(line, " ") {
			t.Errorf("line %q", line)
		}
		if i > 0 && !strings.HasPrefix(line, "      ") {
			t.Errorf("no indent in %q", line)
		}
	}
}

func TestLastLevelCaches(t *testing.T) {
	hybrid := describedMachines(t)["hybrid"]
	var got []string
	for _, c := range hybrid.LastLevelCaches() {
		got = append(got, FormatCPUList(c.CPUs)+" "+FormatSize(c.SizeKiB))
	}
	if want := []string{"0-16,18-19 24 MiB", "20-21 2 MiB"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
