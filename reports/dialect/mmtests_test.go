package dialect

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const post = "testdata/gorman2020-idle-candidate.txt"

func readFile(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func parseString(t testing.TB, text string) *Table {
	t.Helper()
	table, err := ParseMMTests(strings.NewReader(text), "test")
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func written(t testing.TB, table *Table) string {
	t.Helper()
	var b bytes.Buffer
	if err := table.WriteMMTests(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPost reads the table of the post that the study reproduces and writes
// it back, byte for byte.
func TestPost(t *testing.T) {
	text := readFile(t, post)
	table, err := ParseMMTests(strings.NewReader(text), post)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, written(t, table)); diff != "" {
		t.Errorf("writing what was read (-read +written):\n%s", diff)
	}
	if len(table.Deviations) != 0 {
		t.Errorf("deviations of an unedited table: %+v", table.Deviations)
	}
	kernels := []Kernel{SplitName("5.10.0-rc6-schedstat"), SplitName("5.10.0-rc6-idlecandidate")}
	if diff := cmp.Diff(kernels, table.Kernels); diff != "" {
		t.Errorf("kernels (-want +got):\n%s", diff)
	}
	want := Row{Stat: "Hmean", Key: "64", Line: 9, Cells: []Cell{
		{Value: "12325.51", Pct: "0.00"},
		{Value: "13792.01", Pct: "11.90", Star: true},
	}}
	if diff := cmp.Diff(want, *table.Row("Hmean", "64")); diff != "" {
		t.Errorf("row 64 (-want +got):\n%s", diff)
	}
}

// TestPostFromNumbers writes the post's table from its values alone: labels,
// widths, signs and percentages are the writer's own.
func TestPostFromNumbers(t *testing.T) {
	text := readFile(t, post)
	read := parseString(t, text)
	made := &Table{Kernels: []Kernel{SplitName("5.10.0-rc6-schedstat"), SplitName("5.10.0-rc6-idlecandidate")}}
	for _, r := range read.Rows {
		var values []float64
		var stars []bool
		for _, c := range r.Cells {
			values = append(values, c.Value.Float64())
			stars = append(stars, c.Star)
		}
		made.Rows = append(made.Rows, NewRow("Hmean", r.Key, Higher, 2, values, stars))
	}
	if diff := cmp.Diff(text, written(t, made)); diff != "" {
		t.Errorf("table from numbers (-post +written):\n%s", diff)
	}
}

// TestArchive reads tables of public mailing lists. Those that the program
// printed come back byte for byte. The others were edited by their authors;
// the deviations must be those lines and no others.
func TestArchive(t *testing.T) {
	tests := []struct {
		file   string
		tables int
		// edited has the table (from 0), the edited lines of the file and
		// why they differ.
		edited map[int][]int
		reason string
	}{
		{file: "numa-imbalance.txt", tables: 3},
		{file: "psi-quartiles.txt", tables: 1, edited: map[int][]int{0: {1}},
			reason: "the last kernel's name was moved by one column"},
		{file: "kworker-stack.txt", tables: 3},
		{file: "gorman2020-idle-candidate.txt", tables: 1},
		{file: "redis.txt", tables: 1},
		{file: "prioritize-eligible.txt", tables: 2, edited: map[int][]int{0: {2}, 1: {14}},
			reason: "kernel names were replaced by vanilla and patched, six columns too far left"},
		{file: "multi-llc.txt", tables: 1, edited: map[int][]int{0: {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
			reason: "columns of two tables were joined, 14 and 15 wide, under a header typed by hand"},
		{file: "next-buddy.txt", tables: 5, edited: map[int][]int{2: {43}},
			reason: "6.18.0-rc1 was shortened to 6.18-rc1 without moving it"},
	}
	for _, tt := range tests {
		t.Run(strings.TrimSuffix(tt.file, ".txt"), func(t *testing.T) {
			text := readFile(t, filepath.Join("testdata", tt.file))
			found, err := FindMMTests(text, tt.file)
			if err != nil {
				t.Fatal(err)
			}
			if len(found) != tt.tables {
				t.Fatalf("found %d tables, want %d", len(found), tt.tables)
			}
			lines := strings.SplitAfter(text, "\n")
			for i, f := range found {
				var edited []int
				for _, d := range f.Table.Deviations {
					edited = append(edited, d.Line)
				}
				if diff := cmp.Diff(tt.edited[i], edited); diff != "" {
					t.Errorf("table %d: edited lines (-want +got), %s:\n%s", i, tt.reason, diff)
				}
				if tt.edited[i] != nil {
					continue
				}
				first := f.First
				if f.Table.Caption != "" {
					first--
				}
				want := strings.Join(lines[first-1:f.Last], "")
				if diff := cmp.Diff(want, written(t, f.Table)); diff != "" {
					t.Errorf("table %d (-read +written):\n%s", i, diff)
				}
			}
		})
	}
}

func TestRoundTrip(t *testing.T) {
	tests := []struct{ name, text string }{
		{"one kernel", "" +
			"                           vanilla\n" +
			"Amean     1        0.59 (   0.00%)\n"},
		{"indented", "" +
			"                              5.99.0-rc1             5.99.0-rc1\n" +
			"                                 vanilla           mypatch-v1r2\n" +
			"    Hmean     1        501.25 (   0.00%)      512.40 *   2.22%*\n" +
			"    Hmean     64     12001.10 (   0.00%)    11950.77 (  -0.42%)\n"},
		{"touching percentage", "" +
			"CoeffVar  3-LRANGE_600         2.44 (   0.00%)       28.72 (-1075.02%)        2.50 (  -2.46%)\n" +
			"CoeffVar  3-MSET-10            6.32 (   0.00%)       10.06 ( -59.18%)        6.32 (   0.00%)\n"},
		{"touching names", "" +
			"                          5.99.0-rc1             5.99.0-rc1             5.99.0-rc1\n" +
			"                             vanillapatched-with-long-names                patched\n" +
			"Hmean     1        501.25 (   0.00%)      512.40 *   2.22%*      512.40 *   2.22%*\n" +
			"Hmean     128      501.25 (   0.00%)      512.40 *   2.22%*      512.40 *   2.22%*\n"},
		{"touching value", "" +
			"Hmean     tput-1       501.25 (   0.00%)      512.40 *   2.22%*\n" +
			"Hmean     tput-16      501.25 (   0.00%)      512.40 *   2.22%*\n" +
			"Hmean     tput-128123456789.25 (   0.00%)123456790.40 (   0.00%)\n"},
		{"missing", "" +
			"Hmean     1        501.25 (   0.00%)         nan (    nan%)\n"},
		{"duration", "" +
			"                       vanilla     patched\n" +
			"Duration User          1234.56     1230.00\n" +
			"Duration System         234.50      230.11\n" +
			"Duration Elapsed        301.00      300.97\n"},
		{"counters", "" +
			"                              vanilla     patched\n" +
			"Ops NUMA alloc hit         1234567.00  1230000.00\n" +
			"Ops NUMA alloc miss              0.00        0.00\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			table := parseString(t, tt.text)
			if table.Deviations != nil {
				t.Errorf("deviations: %+v", table.Deviations)
			}
			if diff := cmp.Diff(tt.text, written(t, table)); diff != "" {
				t.Errorf("(-read +written):\n%s", diff)
			}
		})
	}
}

// TestUnstarred keeps the two things that a star is not: a change of the
// number, and a change of the width.
func TestUnstarred(t *testing.T) {
	table := parseString(t, readFile(t, post))
	starred := written(t, table)
	for i := range table.Rows {
		table.Rows[i].Cells[1].Star = false
	}
	plain := strings.NewReplacer("*   ", "(   ", "*  -", "(  -", "*  1", "(  1", "%*", "%)").Replace(starred)
	if diff := cmp.Diff(plain, written(t, table)); diff != "" {
		t.Errorf("(-starred with brackets +unstarred):\n%s", diff)
	}
}

func TestParseErrors(t *testing.T) {
	const header = "                              5.10                   5.10\n"
	const row = "Hmean     1        500.06 (   0.00%)      505.67 *   1.12%*\n"
	tests := []struct{ name, text, want string }{
		{"empty", "", "t.txt:1: no row of numbers"},
		{"prose", "no table here\n", "t.txt:1: no row of numbers"},
		{"text above", "As said before,\nthis is faster:\n\n" + header + row, `t.txt:1: "As said before," is neither caption nor header`},
		{"text below", header + row + "Signed-off-by: A <a@b>\n", `t.txt:3: "Signed-off-by: A <a@b>" is not a row`},
		{"two tables", row + "\n" + row, `t.txt:2: "" is not a row`},
		{"bracket", row + "Hmean     2        500.06 (   0.00%)      505.67 *   1.12%)\n", `t.txt:2: value 2: percentage opens with "*" and closes with ")"`},
		{"percentage", row + "Hmean     2        500.06 (   0.00%)      505.67 (  1,12%)\n", `t.txt:2: value 2: "1,12" is not a percentage`},
		{"value", row + "Hmean     2        500.06 (   0.00%)      505,67 (   1.12%)\n", `t.txt:2: value 2: "505,67" is not a number`},
		{"count", row + "Hmean     2        500.06 (   0.00%)\n", "t.txt:2: row has 1 values, the rows above have 2"},
		{"mixed", row + "Duration User     500.06      505.67\n", "t.txt:2: rows with and without percentages"},
		{"trailing", row + "Hmean     2        500.06 (   0.00%)      505.67 (   1.12%) good\n", `t.txt:2: " good" after the last value`},
		{"between", row + "Hmean     2        500.06 (   0.00%) and   505.67 (   1.12%)\n", `t.txt:2: " and   " between the values 1 and 2`},
		{"no key", row + "Hmean              500.06 (   0.00%)      505.67 (   1.12%)\n", "has no test case"},
		{"names", "                      5.10\n" + row, "t.txt:1: header has 1 names over 2 columns"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			table, err := ParseMMTests(strings.NewReader(tt.text), "t.txt")
			if err == nil {
				t.Fatalf("no error, table %+v", table)
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %q, want %q in it", err, tt.want)
			}
		})
	}
}

func TestWriteErrors(t *testing.T) {
	row := func(change func(*Table)) *Table {
		table := &Table{Kernels: []Kernel{SplitName("5.10-a"), SplitName("5.10-b")}}
		table.Rows = []Row{NewRow("Hmean", "1", Higher, 2, []float64{1, 2}, nil)}
		change(table)
		return table
	}
	tests := []struct {
		name  string
		table *Table
		want  string
	}{
		{"no kernels", &Table{}, "without kernels"},
		{"caption", row(func(t *Table) { t.Caption = "a\nb" }), "more than one line"},
		{"kernel name", row(func(t *Table) { t.Kernels[0].Label[1] = "with patch" }), "has a blank in its name"},
		{"long names", row(func(t *Table) {
			t.Kernels[0].Label[1] = "a"
			t.Kernels[1].Label[1] = "a-name-wider-than-its-column"
		}), "run together"},
		{"narrow", row(func(t *Table) {
			t.Kernels = []Kernel{SplitName("a"), SplitName("b")}
			t.Layout = Layout{FieldWidth: 4, NoCompare: true}
		}), "would not read back"},
		{"cells", row(func(t *Table) { t.Rows[0].Cells = t.Rows[0].Cells[:1] }), "has 1 values"},
		{"number", row(func(t *Table) { t.Rows[0].Cells[1].Value = "1,5" }), "are not numbers"},
		{"stat", row(func(t *Table) { t.Rows[0].Stat = "Harmonic mean" }), "is not one word"},
		{"key", row(func(t *Table) { t.Rows[0].Key = "" }), "is empty"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			err := tt.table.WriteMMTests(&b)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q in it", err, tt.want)
			}
			if b.Len() != 0 {
				t.Errorf("wrote %q beside the error", b.String())
			}
		})
	}
}

// TestPlain writes numbers without percentages, which NewRow fills in.
func TestPlain(t *testing.T) {
	table := &Table{
		Kernels: []Kernel{SplitName("vanilla"), SplitName("patched")},
		Rows: []Row{
			NewRow("Duration", "User", Lower, 2, []float64{1234.56, 1230}, nil),
			NewRow("Duration", "Elapsed", Lower, 2, []float64{301, 300.97}, nil),
		},
		Layout: Layout{NoCompare: true},
	}
	want := "" +
		"                     vanilla     patched\n" +
		"Duration User        1234.56     1230.00\n" +
		"Duration Elapsed      301.00      300.97\n"
	if diff := cmp.Diff(want, written(t, table)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func FuzzParseMMTests(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds in testdata: %v", err)
	}
	for _, file := range files {
		for _, text := range strings.Split(readFile(f, file), "\n\n") {
			f.Add(text)
		}
	}
	f.Add("Duration User 12.00 13.00\nDuration System 1.00 2.00\n")
	f.Fuzz(func(t *testing.T, text string) {
		_, _ = FindMMTests(text, "fuzz") // must not panic
		table, err := ParseMMTests(strings.NewReader(text), "fuzz")
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := table.WriteMMTests(&b); err != nil {
			return // edited by hand so that the program's form loses something
		}
		first := b.String()
		again, err := ParseMMTests(strings.NewReader(first), "fuzz")
		if err != nil {
			t.Fatalf("cannot read what was written: %v\n%s", err, first)
		}
		again.File = table.File
		for i := range again.Rows {
			again.Rows[i].Line = table.Rows[i].Line
		}
		if diff := cmp.Diff(table.Kernels, again.Kernels); diff != "" {
			t.Fatalf("kernels changed on the way (-first +second):\n%s\n%s", diff, first)
		}
		if diff := cmp.Diff(table.Rows, again.Rows); diff != "" {
			t.Fatalf("rows changed on the way (-first +second):\n%s\n%s", diff, first)
		}
	})
}
