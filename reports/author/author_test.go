package author_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/schedlab/schedlab/reports/author"
	"github.com/schedlab/schedlab/reports/dialect"
	"github.com/schedlab/schedlab/reports/lint"
	"github.com/schedlab/schedlab/schedsim/study"
)

// outcome is one of a study with made-up runs in every row: four a column, the
// patched ones 3 % higher.
func outcome(t *testing.T, id string) *study.Outcome {
	t.Helper()
	s, err := study.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	o := &study.Outcome{Study: s}
	for i := range s.Tables {
		table := &s.Tables[i]
		for j, r := range table.Rows {
			base := 123.4567 * float64(j+1)
			if r.Base.Measured() {
				base = float64(r.Base)
			}
			var c study.Cell
			c.Table, c.Row = table.ID, r.Key
			for k := range 4 {
				v := base * (0.99 + 0.005*float64(k))
				c.Base.Values, c.Patched.Values = append(c.Base.Values, v), append(c.Patched.Values, 1.03*v)
			}
			c.Simulated.Base, c.Simulated.Patched = study.Number(study.Mean(c.Base.Values)), study.Number(study.Mean(c.Patched.Values))
			c.Simulated.Pct = 3
			o.Cells = append(o.Cells, c)
		}
	}
	return o
}

func studies(t *testing.T) []string {
	t.Helper()
	ids := study.IDs()
	if len(ids) == 0 {
		t.Fatal("no studies")
	}
	return ids
}

// TestEveryStyle writes every table of every study in every style. Each says that
// it is simulated, above each column and below the table; is read back as it was
// written; and has no percentage that its values do not give.
func TestEveryStyle(t *testing.T) {
	for _, id := range studies(t) {
		o := outcome(t, id)
		for _, style := range author.Styles() {
			t.Run(id+" "+strings.ReplaceAll(style, "/", " "), func(t *testing.T) {
				written := 0
				for i := range o.Study.Tables {
					table := &o.Study.Tables[i]
					text, err := author.Simulated(o, table, style)
					if unfit := (*author.UnfitError)(nil); errors.As(err, &unfit) {
						continue
					}
					if err != nil {
						t.Fatal(err)
					}
					written++
					check(t, table, text)
				}
				timesOnly := style == author.AutoNUMA || style == author.Hyperfine
				if written == 0 && !timesOnly {
					t.Error("no table was written")
				}
			})
		}
	}
}

func check(t *testing.T, table *study.Table, text string) {
	t.Helper()
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if !strings.Contains(text, "\n[*] simulated on a model of "+table.Machine+", not measured\n") {
		t.Fatalf("table %s has no footnote:\n%s", table.ID, text)
	}
	found, err := dialect.Find(text, "written")
	if err != nil || len(found) == 0 {
		t.Fatalf("table %s: %d tables found, %v\n%s", table.ID, len(found), err, text)
	}
	rows := 0
	for _, r := range table.Rows {
		if r.Base.Measured() && r.Patched.Measured() {
			rows++
		}
	}
	if f := found[0].Table; f.Style() == "plain" && rows > 0 && len(f.Rows) != rows {
		t.Errorf("table %s: %d rows, of %d in the post:\n%s", table.ID, len(f.Rows), rows, text)
	}
	for _, f := range found {
		head := strings.Join(lines[f.First-1:f.Last], "\n")
		// Two columns, each with its mark.
		if strings.Count(head, author.Mark) < 2 {
			t.Errorf("table %s, line %d: columns without a mark:\n%s", table.ID, f.First, text)
		}
		if d := f.Table.Deviations; len(d) > 0 {
			t.Errorf("table %s: line %d would be written %q:\n%s", table.ID, d[0].Line, d[0].Want, text)
		}
	}
	if r := lint.Text(text, "written"); r.Wrong() {
		t.Errorf("table %s: %v\n%s", table.ID, r.Findings, text)
	}
	for _, l := range lines {
		if len([]rune(l)) > 100 {
			t.Errorf("table %s: %d columns: %s", table.ID, len([]rune(l)), l)
		}
	}
}

// TestAuthors: each of the posts has a table in its author's style.
func TestAuthors(t *testing.T) {
	want := map[string]string{
		"chen2024-eevdf-nr-running": author.Robot, "dronamraju2018-scan-reset": author.JVMS, "gorman2020-idle-candidate": author.MMTests,
		"lawall2020-idle-prev": author.PlusMinus, "shi2013-runnable-load": author.Pairs,
	}
	for _, id := range studies(t) {
		o, has := outcome(t, id), false
		for i := range o.Study.Tables {
			table := &o.Study.Tables[i]
			if table.Dialect == "" {
				continue
			}
			if !author.Known(table.Dialect) {
				t.Errorf("%s, table %s: no dialect %q", id, table.ID, table.Dialect)
				continue
			}
			text, err := author.Simulated(o, table, table.Dialect)
			if err != nil {
				t.Fatalf("%s, table %s: %v", id, table.ID, err)
			}
			check(t, table, text)
			has = has || table.Dialect == want[id]
		}
		if !has {
			t.Errorf("%s: no table in the style %q of its author", id, want[id])
		}
	}
}

// TestPublished makes the posts' own lines of the studies' figures.
func TestPublished(t *testing.T) {
	const posts = "../dialect/testdata/"
	for _, tc := range []struct {
		id, table, file string
		rows            int
		// The key in the post is another than in the study.
		renamed *strings.Replacer
	}{
		{"gorman2020-idle-candidate", "tbench", "gorman2020-idle-candidate.txt", 10, nil},
		{"lawall2020-idle-prev", "nas-active", "lawall2020-idle-prev.txt", 4, strings.NewReplacer("bt ", "bt.C.c ", "lu ", "lu.C.x ", "sp ", "sp.C.x ", "ua ", "ua.C.x ")},
		{"dronamraju2018-scan-reset", "specjbb-intel", "srikar/scan-reset-v1.txt", 2, nil},
		{"dronamraju2018-scan-reset", "specjbb-power7", "srikar/scan-reset-v1.txt", 2, nil},
		{"dronamraju2018-scan-reset", "dbench-intel", "srikar/scan-reset-v1.txt", 2, nil},
		{"dronamraju2018-scan-reset", "dbench-power7", "srikar/scan-reset-v1.txt", 2, nil},
		{"chen2024-eevdf-nr-running", "lkp", "lkp/row-alone.txt", 1, nil},
	} {
		t.Run(tc.table, func(t *testing.T) {
			o := outcome(t, tc.id)
			post, err := os.ReadFile(posts + tc.file)
			if err != nil {
				t.Fatal(err)
			}
			text, err := author.Published(o.Study.Table(tc.table))
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(text, author.Mark) {
				t.Errorf("published figures are marked as simulated:\n%s", text)
			}
			found := 0
			for _, l := range strings.Split(strings.TrimSpace(text), "\n") {
				if tc.renamed != nil {
					l = tc.renamed.Replace(l)
				}
				if strings.Contains(strings.Join(strings.Fields(string(post)), " "), strings.Join(strings.Fields(l), " ")) && strings.ContainsAny(l, "0123456789") && !strings.HasPrefix(l, "JVMS") && !strings.HasPrefix(l, "v5.9") {
					found++
				}
			}
			if tc.table == "tbench" {
				if diff := cmp.Diff(string(post), text); diff != "" {
					t.Errorf("not as posted (-want +got):\n%s", diff)
				}
				return
			}
			if found != tc.rows {
				t.Errorf("%d rows as posted, want %d:\n%s", found, tc.rows, text)
			}
		})
	}
}

// TestNothingRun: there is no table of a row without runs.
func TestNothingRun(t *testing.T) {
	o := outcome(t, "gorman2020-idle-candidate")
	o.Cells = nil
	if text, err := author.Simulated(o, &o.Study.Tables[0], author.MMTests); text != "" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

// TestStars: mmtests' rule of the date of the post, on rows that have runs enough.
func TestStars(t *testing.T) {
	for _, tc := range []struct {
		name          string
		base, patched []float64
		row, note     string
	}{
		{"starred", []float64{500, 500.1}, []float64{510, 510.1}, "Hmean     1        500.05 (   0.00%)      510.05 *   2.00%*", "stars: two-sample t test, alpha 0.10 (2 runs a column)"},
		{"within the spread", []float64{400, 600}, []float64{410, 610}, "Hmean     1        500.00 (   0.00%)      510.00 (   2.00%)", ""},
		{"one run", []float64{500}, []float64{510}, "Hmean     1        500.00 (   0.00%)      510.00 (   2.00%)", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := outcome(t, "gorman2020-idle-candidate")
			o.Cells = o.Cells[:1]
			c := &o.Cells[0]
			c.Base.Values, c.Patched.Values = tc.base, tc.patched
			c.Simulated.Base, c.Simulated.Patched = study.Number(study.Mean(tc.base)), study.Number(study.Mean(tc.patched))
			text, err := author.Simulated(o, &o.Study.Tables[0], author.MMTests)
			if err != nil || !strings.Contains(text, tc.row+"\n") || strings.Contains(text, "stars") != (tc.note != "") || !strings.Contains(text, tc.note) {
				t.Errorf("%v\n%s", err, text)
			}
			if !strings.Contains(text, "nan") {
				t.Errorf("rows without runs are not marked:\n%s", text)
			}
		})
	}
}

func TestUnknownStyle(t *testing.T) {
	o := outcome(t, "gorman2020-idle-candidate")
	for _, style := range []string{"", "gorman", "=", "a b="} {
		if author.Known(style) {
			t.Errorf("%q is known", style)
		}
	}
	if _, err := author.Simulated(o, &o.Study.Tables[0], "gorman"); err == nil || !strings.Contains(err.Error(), `no style "gorman"`) {
		t.Error(err)
	}
}
