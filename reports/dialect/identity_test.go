package dialect

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestIdentity finds the tables of the posts, quoted or not, and writes each back
// byte for byte.
func TestIdentity(t *testing.T) {
	for _, tc := range []struct {
		file   string
		style  string
		tables int
		rows   int // of all tables
	}{
		{"gorman2020-mail.txt", "mmtests", 1, 10},
		{"lawall2020-idle-prev.txt", "mean+-stddev", 2, 8},
		{"shi2013-ltp.txt", "name=value", 1, 3},
		{"srikar/scan-reset-v1.txt", "columns", 8, 8 + 4*5},
		{"aaron2023-ratelimit.txt", "base/patch", 7, 28},
		{"srikar/autonuma.txt", "autonuma", 1, 12},
		{"srikar/june2018.txt", "columns", 2, 4},
		{"ratios/notify-ipi.txt", "CV pct imp", 1, 11},
		{"ratios/latency-prio.txt", "+/-", 2, 8},
		{"ratios/mm-cid.txt", "pct", 2, 10},
		{"ratios/guittot2020.txt", "+/- pct", 1, 7},
		{"puhov2020.txt", "plain", 1, 1},
		{"ratios/notify-ipi-kernel.txt", "kernel [pct imp]", 1, 1},
		{"ratios/sm-idle.txt", "kernel [pct imp]", 2, 2},
		{"hyperfine/ascii.md", "hyperfine", 1, 4},
		{"hyperfine/export.md", "hyperfine", 1, 4},
	} {
		t.Run(filepath.Base(tc.file), func(t *testing.T) {
			text := readFile(t, filepath.Join("testdata", tc.file))
			found, err := Find(text, tc.file)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(text, "\n")
			rows := 0
			for _, f := range found {
				if got := f.Table.Style(); got != tc.style {
					t.Errorf("line %d: style %s, want %s", f.First, got, tc.style)
				}
				rows += len(f.Table.Rows)
				var b bytes.Buffer
				if err := f.Table.Write(&b); err != nil {
					t.Fatal(err)
				}
				var quoted []string
				for _, s := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
					quoted = append(quoted, f.Quote+s)
				}
				if diff := cmp.Diff(lines[f.First-1:f.Last], quoted); diff != "" {
					t.Errorf("line %d (-read +written):\n%s", f.First, diff)
				}
			}
			if len(found) != tc.tables || rows != tc.rows {
				t.Errorf("%d tables of %d rows, want %d of %d", len(found), rows, tc.tables, tc.rows)
			}
		})
	}
}

// TestEdited reads tables that do not come back byte for byte: which lines would be
// written in another way, and why.
func TestEdited(t *testing.T) {
	for _, tc := range []struct {
		file   string
		tables int
		edited []int
		reason string
	}{
		{"ratios/sis-util.txt", 3, []int{26}, "a mean was moved by one column to the right, to fit its ten digits"},
		{"ratios/notify-ipi-2.txt", 2, []int{33, 34, 35}, "the names of the last three cases were moved by one column to the left"},
	} {
		t.Run(filepath.Base(tc.file), func(t *testing.T) {
			found, err := Find(readFile(t, filepath.Join("testdata", tc.file)), tc.file)
			if err != nil || len(found) != tc.tables {
				t.Fatalf("%d tables, want %d; %v", len(found), tc.tables, err)
			}
			var edited []int
			for _, f := range found {
				for _, d := range f.Table.Deviations {
					edited = append(edited, d.Line)
				}
			}
			if diff := cmp.Diff(tc.edited, edited); diff != "" {
				t.Errorf("edited lines (-want +got), %s:\n%s", tc.reason, diff)
			}
		})
	}
}
