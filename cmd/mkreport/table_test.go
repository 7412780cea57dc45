package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/schedlab/schedlab/schedsim/study"
)

func loaded(t *testing.T) *study.Study {
	t.Helper()
	s, err := study.Load(tested)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPublishedTable makes the post's own bytes of the study's figures.
func TestPublishedTable(t *testing.T) {
	want, err := os.ReadFile("../../reports/dialect/testdata/" + tested + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	got, err := publishedTable(&loaded(t).Tables[0])
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("not as posted (-want +got):\n%s", diff)
	}
}

// outcomeOf is an outcome with these runs in the first row and none elsewhere.
func outcomeOf(s *study.Study, base, patched []float64) *study.Outcome {
	o := &study.Outcome{Study: s, HaveRuns: 1, WantRuns: 1}
	for i, r := range s.Tables[0].Rows {
		c := study.Cell{Table: s.Tables[0].ID, Row: r.Key, Simulated: study.Interval{Effect: study.Effect{Pct: study.NotMeasured}}}
		if i == 0 {
			c.Simulated.Pct = 1
			c.Base.Values, c.Patched.Values = base, patched
		}
		o.Cells = append(o.Cells, c)
	}
	return o
}

func TestSimulatedTable(t *testing.T) {
	incomplete := outcomeOf(loaded(t), []float64{500, 500}, []float64{500, 500})
	incomplete.WantRuns = 2
	lower := outcomeOf(loaded(t), []float64{500, 500}, []float64{500, 500})
	lower.Study.Tables[0].Better = "lower"
	tests := []struct {
		name    string
		outcome *study.Outcome
		first   string // line
		row     string
	}{
		{"starred", outcomeOf(loaded(t), []float64{500, 500.1}, []float64{510, 510.1}),
			"simulated stars: two-sample t test, alpha 0.10 (2 runs a column)", "Hmean     1        500.05 (   0.00%)      510.05 *   2.00%*"},
		{"within the spread", outcomeOf(loaded(t), []float64{400, 600}, []float64{410, 610}),
			"                          5.10.0-rc6             5.10.0-rc6", "Hmean     1        480.00 (   0.00%)      490.39 (   2.17%)"},
		{"one run", outcomeOf(loaded(t), []float64{500}, []float64{510}),
			"                          5.10.0-rc6             5.10.0-rc6", "Hmean     1        500.00 (   0.00%)      510.00 (   2.00%)"},
		{"incomplete", incomplete, "", ""},
		{"another mean than the tool's", lower, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := simulatedTable(tt.outcome, &tt.outcome.Study.Tables[0])
			if err != nil {
				t.Fatal(err)
			}
			if tt.first == "" {
				if got != "" {
					t.Errorf("got %s", got)
				}
				return
			}
			lines := strings.Split(got, "\n")
			if lines[0] != tt.first {
				t.Errorf("first line %q, want %q", lines[0], tt.first)
			}
			if !strings.Contains(got, tt.row+"\n") {
				t.Errorf("no row %q in\n%s", tt.row, got)
			}
			if !strings.Contains(got, "nan") {
				t.Errorf("rows without runs are not marked:\n%s", got)
			}
		})
	}
}

func TestRowCounts(t *testing.T) {
	o := outcomeOf(loaded(t), nil, nil)
	if xs, ok := rowCounts(o.Cells); !ok || xs[0] != 1 || xs[len(xs)-1] != 320 {
		t.Errorf("got %v, %v", xs, ok)
	}
	for _, key := range []string{"ep.D", "0", "-1", "inf", "NaN"} {
		o.Cells[3].Row = key
		if xs, ok := rowCounts(o.Cells); ok {
			t.Errorf("%q counts as %v", key, xs[3])
		}
	}
	// Rows that are no counts have no axis.
	if p, err := plots(o, &o.Study.Tables[0]); err != nil || len(p) != 1 || p[0].Name != "effect" {
		t.Errorf("plots %v, %v", p, err)
	}
}

// TestPlusMinus: the style of hyperfine's results, published and simulated.
func TestPlusMinus(t *testing.T) {
	table := study.Table{
		ID: "npb", Dialect: plusMinus, BaseLabel: [2]string{"v5.9", ""}, PatchedLabel: [2]string{"v5.9+patch", ""},
		Rows: []study.Row{
			{Key: "bt.C.c", Base: 24.725724, Patched: 23.349608, BaseSpread: 0.96234, PatchedSpread: 1.607214},
			{Key: "claim", Base: study.NotMeasured, Patched: study.NotMeasured, BaseSpread: study.NotMeasured, PatchedSpread: study.NotMeasured},
		},
	}
	got, err := publishedTable(&table)
	if err != nil || !strings.Contains(got, "24.725724+-0.962340     23.349608+-1.607214") || strings.Contains(got, "claim") {
		t.Errorf("published: %v\n%s", err, got)
	}
	o := &study.Outcome{Study: &study.Study{Tables: []study.Table{table}}, Cells: []study.Cell{
		{Table: "npb", Row: "bt.C.c", Base: study.Arm{Values: []float64{24, 26}}, Patched: study.Arm{Values: []float64{23, 23}}},
		{Table: "npb", Row: "claim", Base: study.Arm{Values: []float64{1}}, Patched: study.Arm{Values: []float64{1}}},
	}}
	got, err = simulatedTable(o, &table)
	if err != nil || !strings.Contains(got, "25.000000+-1.414214     23.000000+-0.000000") || strings.Contains(got, "claim") {
		t.Errorf("simulated: %v\n%s", err, got)
	}
}
