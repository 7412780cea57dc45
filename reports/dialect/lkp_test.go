package dialect

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLKPIdentity reads tables of the robot and writes them back, byte for byte:
// of two to four kernels, with failures, of the old form, in ISO-8859-1, without
// headings. They are excerpts of public mails.
func TestLKPIdentity(t *testing.T) {
	files, err := filepath.Glob("testdata/lkp/*.txt")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			text := readFile(t, f)
			found, err := FindLKP(text, f)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			for i, x := range found {
				if i > 0 {
					b.WriteString("\n") // between two tables
				}
				if err := x.Table.Write(&b); err != nil {
					t.Fatal(err)
				}
				if len(x.Table.Deviations) > 0 {
					t.Errorf("deviations: %+v", x.Table.Deviations)
				}
			}
			got := b.String()
			for i, x := range found {
				if i == 0 && x.Quote != "" {
					// Quotes differ by table; their lines are compared as deviations.
					return
				}
			}
			if diff := cmp.Diff(text, got); diff != "" {
				t.Errorf("writing what was read (-read +written):\n%s", diff)
			}
		})
	}
}

func parseLKP(t testing.TB, name string) *Table {
	t.Helper()
	table, err := ParseLKP(strings.NewReader(readFile(t, name)), name)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestLKPRows checks what is read, digit for digit.
func TestLKPRows(t *testing.T) {
	table := parseLKP(t, "testdata/lkp/switch-latin1.txt")
	l := table.Form.(*LKP)
	if !l.Latin1 || len(l.Axes) != 10 || l.Axes[5] != (Axis{"rootfs", "debian-13-x86_64-20250902.cgz"}) {
		t.Errorf("axes %q", l.Axes)
	}
	if want := (Commit{"01b9da291c", "mm: memcontrol: convert objcg to be per-memcg per-node type"}); len(l.Commits) != 2 || l.Commits[1] != want {
		t.Errorf("commits %q", l.Commits)
	}
	for _, want := range []Row{
		{Key: "stress-ng.switch.ops", Line: 14, Cells: []Cell{{Value: "2.296e+09"}, {Value: "7.408e+08", Pct: "-67.7", Spread: "3"}}},
		{Key: "mpstat.cpu.all.idle%", Line: 29, Cells: []Cell{{Value: "22.48"}, {Value: "18.08", Pct: "-4.4", Absolute: true}}},
	} {
		if diff := cmp.Diff(&want, table.Row("", want.Key)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	fails := parseLKP(t, "testdata/lkp/fail-unequal.txt")
	want := []Cell{{Of: "60"}, {Value: "63", Of: "111", Pct: "105"}}
	if diff := cmp.Diff(want, fails.Rows[2].Cells); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
}

// TestNewLKPRow prints numbers by the robot's rules; the lines are of its mails.
func TestNewLKPRow(t *testing.T) {
	for _, tc := range []struct {
		metric         string
		means, stddevs []float64
		want           string
	}{
		{"stress-ng.switch.ops_per_sec", []float64{38288993.2, 12355813.7}, []float64{1e5, 12355813 * 0.034},
			"  38288993           -67.7%   12355813 ±  3%  stress-ng.switch.ops_per_sec"},
		{"mpstat.cpu.all.usr%", []float64{8.32, 4.04}, []float64{0.01, 0.08082},
			"      8.32            -4.3        4.04 ±  2%  mpstat.cpu.all.usr%"},
		{"a.huge", []float64{1.654e8, 3e12}, nil, " 1.654e+08        +1.8e+06%      3e+12        a.huge"},
	} {
		if got := NewLKPRow(tc.metric, tc.means, tc.stddevs).lkpLine(); got != tc.want {
			t.Errorf("%s:\n%q\n%q", tc.metric, got, tc.want)
		}
	}
}

func TestLKPErrors(t *testing.T) {
	head := "8285917d6f383aef 01b9da291c4969354807b52956f \n---------------- --------------------------- \n         %stddev     %change         %stddev\n             \\          |                \\  \n"
	for _, tc := range []struct{ name, text, want string }{
		{"none", "no table here\n", "test:1: no comparison"},
		{"no rows", head, "test:3: headings of a comparison without a row"},
		{"cut", head + "      5849          +210.2%      18145 ±  3%  a.b\n     15845 \n", "test:6: \"\": no change and mean of kernel 2"},
		{"old form", "a b c\n" + head[strings.Index(head, "-"):] + "      5849          +210.2%      18145        a.b\n", ""},
		{"no metric", head + "      5849          +210.2%      18145 \n", "test:5: row without the name"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := ParseLKP(strings.NewReader(tc.text), "test")
			if tc.want == "" {
				if err != nil {
					t.Errorf("the old form has a third heading: %v", err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want one with %q", err, tc.want)
			}
		})
	}
	for _, table := range []*Table{
		{Form: &LKP{}},
		{Form: &LKP{}, Kernels: make([]Kernel, 2), Rows: []Row{{Key: "a.b", Cells: make([]Cell, 1)}}},
		{Form: &LKP{}, Kernels: make([]Kernel, 1), Rows: []Row{{Key: "a b", Cells: make([]Cell, 1)}}},
		{Form: &LKP{Commits: make([]Commit, 1)}, Kernels: make([]Kernel, 2)},
	} {
		if err := table.Write(new(bytes.Buffer)); err == nil {
			t.Errorf("%+v was written", table)
		}
	}
}

func FuzzLKP(f *testing.F) {
	files, _ := filepath.Glob("testdata/lkp/*.txt")
	for _, name := range files {
		f.Add(readFile(f, name))
	}
	f.Fuzz(func(t *testing.T, text string) {
		found, _ := FindLKP(text, "fuzz")
		for _, x := range found {
			var b bytes.Buffer
			if err := x.Table.Write(&b); err != nil {
				t.Fatal(err)
			}
			again, err := FindLKP(b.String(), "written")
			if err != nil || len(again) != 1 {
				t.Fatalf("%d tables, %v, in what was written:\n%s", len(again), err, b.String())
			}
			var c bytes.Buffer
			if err := again[0].Table.Write(&c); err != nil || c.String() != b.String() {
				t.Fatalf("%v: written twice:\n%q\n%q", err, b.String(), c.String())
			}
		}
	})
}
