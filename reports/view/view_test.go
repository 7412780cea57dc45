package view_test

import (
	"math"
	"strings"
	"testing"

	"github.com/schedlab/schedlab/reports/internal/sample"
	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim/study"
)

var all = []study.Verdict{
	study.Reproduced, study.Direction, study.AgreesOnNone, study.Missed, study.Phantom,
	study.Contradicted, study.Undecided, study.Unidentified, study.Unfalsifiable, study.NotModelled,
}

// with is an outcome with the given verdicts and figures in every cell.
func with(verdicts ...study.Verdict) *study.Outcome {
	o := sample.Full()
	cell := o.Cells[0]
	o.Cells, o.Missing = nil, nil
	o.Study.Tables[0].Rows = o.Study.Tables[0].Rows[:len(verdicts)]
	for i, v := range verdicts {
		c := cell
		r := o.Study.Tables[0].Rows[i]
		c.Row, c.Verdict, c.Reason = r.Key, v, "because "+r.Key
		c.Published.Pct, c.Noise = r.Pct, r.Noise
		o.Cells = append(o.Cells, c)
	}
	return o
}

func report(t *testing.T, o *study.Outcome) *view.Report {
	t.Helper()
	r, err := view.New(o, view.Parts{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestCounts(t *testing.T) {
	for _, tt := range []struct {
		name             string
		verdicts         []study.Verdict
		counts, failures string
	}{
		{"one agrees", []study.Verdict{study.AgreesOnNone},
			"Of 1 published cell, 1 agrees on none.",
			"No row that was run is at odds with the post."},
		{"one missed", []study.Verdict{study.Missed},
			"Of 1 published cell, 1 is missed.",
			"Row 1 is not reproduced (missed): because 1."},
		{"mixed", []study.Verdict{study.AgreesOnNone, study.Missed, study.AgreesOnNone, study.Missed},
			"Of 4 published cells, 2 agree on none and 2 are missed.",
			"Not reproduced: rows 2 and 8 (missed)."},
		{"all good", []study.Verdict{study.Reproduced, study.Reproduced},
			"Of 2 published cells, 2 are reproduced.",
			"No row that was run is at odds with the post."},
		{"unknown verdict", []study.Verdict{"odd", "odd", study.Missed},
			`Of 3 published cells, 1 is missed and 2 have the verdict "odd".`,
			"Not reproduced: rows 1 and 2 (odd) and row 4 (missed)."},
		{"no cell", nil, "The study has no published cells.", "No row was compared."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := report(t, with(tt.verdicts...))
			if r.Counts != tt.counts {
				t.Errorf("counts: got %q, want %q", r.Counts, tt.counts)
			}
			if r.Failures != tt.failures {
				t.Errorf("failures: got %q, want %q", r.Failures, tt.failures)
			}
		})
	}
}

// Every verdict must be counted under its own name and none under two.
func TestTallyIsComplete(t *testing.T) {
	for _, v := range all {
		counts := view.Tally(with(v, v, v))
		if len(counts) != 1 || counts[0].Verdict != v || counts[0].N != 3 {
			t.Errorf("three cells %q counted as %v", v, counts)
		}
		if w := view.WordsOf(v); w.Meaning == "" || w.Tone == "" {
			t.Errorf("%q has no meaning or tone: %+v", v, w)
		}
	}
	n := 0
	for _, c := range view.Tally(sample.Full(), sample.Quick()) {
		n += c.N
	}
	if want := len(sample.Full().Study.Tables[0].Rows) + len(sample.Quick().Study.Tables[0].Rows); n != want {
		t.Errorf("%d cells counted of %d published", n, want)
	}
}

// A row without figures is not run, whatever else its cell says, except that a
// row which the model leaves out stays that.
func TestMissing(t *testing.T) {
	o := with(study.Missed, study.NotModelled, study.Missed)
	for i := range 2 {
		o.Cells[i].Simulated.Pct = study.NotMeasured
	}
	o.Missing = []string{"4"}
	r := report(t, o)
	if want := "Of 3 published cells, 1 is not modelled and 2 have no verdict for want of runs."; r.Counts != want {
		t.Errorf("got %q, want %q", r.Counts, want)
	}
	if r.Missing != "Rows 1 and 4" {
		t.Errorf("missing: got %q", r.Missing)
	}
	for _, row := range append(r.Sections[0].Counters.Rows, r.Sections[0].Spreads.Rows...) {
		for i, c := range row[1:] {
			if c != view.Missing {
				t.Errorf("row %s shows %q in column %d", row[0], c, i+1)
			}
		}
	}
}

func TestNull(t *testing.T) {
	// The sample publishes +10 (noise 1) and +0.5 (noise 1) in rows 1 and 4.
	o := with(study.Reproduced, study.Reproduced, study.AgreesOnNone)
	if got, want := report(t, o).Null, "On these rows 2 published effects are beyond noise; only they can be reproduced. "+
		"A model in which the patch does nothing would agree on none in 1 cell and miss 2 cells."; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for i := range o.Cells {
		o.Cells[i].Noise.Pct = 20
	}
	if got, want := report(t, o).Null, "On these rows no published effect is beyond its noise, so none can be reproduced. "+
		"A model in which the patch does nothing would agree on none in 3 cells."; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestAuthorTable(t *testing.T) {
	for _, tt := range []struct {
		name, table string
		want        []string
	}{
		{"two statistics", "               old          new\nHmean     1   1 (0%)   2 (9%)\nHmean     2   3 (0%)   4 (9%)\nStddev    1   5 (0%)   6 (9%)\n",
			[]string{
				"                    simulated  measured",
				"               old          new  published  verdict",
				"Hmean     1   1 (0%)   2 (9%) *  10.00%*  missed",
				"Hmean     2   3 (0%)   4 (9%) *  10.00%*  phantom",
				"Stddev    1   5 (0%)   6 (9%)",
			}},
		{"not measured", "               old          new\nHmean     1   1 (0%)   2 (9%)\nHmean     2       nan (    nan%)       nan (    nan%)\n",
			[]string{"Hmean     2         -                    -            *  10.00%*  not run"}},
		{"another style", "case base new\nfoo 1 2\n",
			[]string{"foo 1 2", "", "Hmean 1      112.22 (   0.00%)      123.44 (  10.00%) *  10.00%*  missed"}},
		{"none given", "", []string{"Hmean 1      112.22 (   0.00%)      123.44 (  10.00%) *  10.00%*  missed"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := with(study.Missed, study.Phantom)
			if strings.Contains(tt.table, "nan") {
				o.Cells[1].Simulated.Pct = study.NotMeasured
			}
			r, err := view.New(o, view.Parts{Tables: map[string]view.TableParts{"fakebench": {Table: tt.table}}})
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(r.Sections[0].AuthorTable, "\n")
			for _, want := range tt.want {
				found := false
				for _, l := range lines {
					found = found || l == want
				}
				if !found {
					t.Errorf("no line %q in\n%s", want, r.Sections[0].AuthorTable)
				}
			}
		})
	}
}

func TestSentences(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*study.Outcome)
		text   func(*view.Report) string
		want   string
	}{
		{"no ensemble", func(o *study.Outcome) { o.Study.Ensemble.Sets = nil },
			func(r *view.Report) string { return r.Ensemble }, "No ensemble is frozen"},
		{"ensemble not used", func(o *study.Outcome) { o.Plan.Sets = 0 },
			func(r *view.Report) string { return r.Ensemble }, "These runs used none of them"},
		{"no fit", func(o *study.Outcome) { o.Study.Constants = nil },
			func(r *view.Report) string { return r.Fit }, "No constant was fitted."},
		{"fitted with another model", func(o *study.Outcome) { o.Study.Calibration.ModelVersion = "v9" },
			func(r *view.Report) string { return r.Fit }, "fit was made with model v9"},
		{"not calibrated", func(o *study.Outcome) { o.Study.Calibration = study.Calibration{} },
			func(r *view.Report) string { return r.Fit }, "No calibration is recorded: 2 constants below have a start value"},
		{"partly run", func(o *study.Outcome) { o.HaveRuns, o.WantRuns = 3, 6 },
			func(r *view.Report) string { return r.Ran[6].Text }, "3 of the 6 runs of this plan"},
		{"identical interval", func(o *study.Outcome) { o.Cells[0].Patched.Values = o.Cells[0].Base.Values },
			func(r *view.Report) string { return r.Sections[0].Comparison.Rows[0][5] }, "identical"},
		{"at a bound", func(o *study.Outcome) {},
			func(r *view.Report) string { return r.Fit }, "At a bound: fake_probe_ns;"},
		{"no control", func(o *study.Outcome) { o.Cells[0].ControlCILow = study.NotMeasured },
			func(r *view.Report) string { return r.Control }, "The control was not run."},
		{"control fails", func(o *study.Outcome) { o.Cells[0].ControlCILow = 0.5 },
			func(r *view.Report) string { return r.Control }, "holds zero in 0 of 1 row. It does not in row 1;"},
		{"no direct counts", func(o *study.Outcome) {
			o.Cells[0].Base.Counters.ShadowDecisions = 0
			o.Cells[0].Patched.Counters.ShadowDecisions = 0
		}, func(r *view.Report) string { return r.Words["direct"] }, "there are no direct counts"},
		{"direct counts of patched only", func(o *study.Outcome) { o.Cells[0].Base.Counters.ShadowDecisions = 0 },
			func(r *view.Report) string { return r.DirectSum }, "all rows of the patched arm"},
		{"identical", func(o *study.Outcome) { o.Cells[0].Patched.Values = o.Cells[0].Base.Values },
			func(r *view.Report) string { return r.Identical }, "In row 1 every patched run gave"},
		{"no base error", func(o *study.Outcome) { o.MedianBaseErrPct = study.NotMeasured },
			func(r *view.Report) string { return r.BaseError }, "was not measured"},
		{"quick", func(o *study.Outcome) { o.Plan.Mode = "quick"; o.Plan.Sets = 2 },
			func(r *view.Report) string { return r.Words["quick"] }, "on 2 of 4 constant sets; its verdicts are provisional"},
		{"nothing left out", func(o *study.Outcome) { o.Study.NotModelled = nil },
			func(r *view.Report) string { return r.Words["notmodelled"] }, "gap in the study"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := with(study.Reproduced)
			tt.change(o)
			if got := tt.text(report(t, o)); !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want it to say %q", got, tt.want)
			}
		})
	}
}

func TestNumbers(t *testing.T) {
	nan := study.NotMeasured
	for _, tt := range []struct{ got, want string }{
		{view.Fixed(nan, 2), "-"},
		{view.Fixed(study.Number(math.Inf(1)), 2), "-"},
		{view.Fixed(0, 2), "0.00"},
		{view.Fixed(-0.001, 2), "0.00"},
		{view.Signed(0.001, 2), "0.00"},
		{view.Signed(1.005, 1), "+1.0"},
		{view.Signed(-1.25, 1), "-1.2"},
		{view.Range(-1, nan, 2), "-"},
		{view.Range(-1, 2, 2), "[-1.00, +2.00]"},
		{view.SI(0), "0"},
		{view.SI(0.01234), "0.0123"},
		{view.SI(999), "999"},
		{view.SI(999.6), "1.00k"},
		{view.SI(12345), "12.3k"},
		{view.SI(99950), "100k"},
		{view.SI(-1234567), "-1.23M"},
		{view.SI(999999999), "1.00G"},
		{view.SI(math.NaN()), "-"},
		{view.Plain(0.1), "0.1"},
		{view.Plain(1000), "1000"},
		{view.Plain(1e-9), "1e-09"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

// TestCompleting: rows that a whole quick plan leaves out take the full one.
func TestCompleting(t *testing.T) {
	for _, c := range []struct {
		have int
		want string
	}{{72, "--quick"}, {80, "--full"}} {
		o := sample.Quick()
		o.HaveRuns, o.WantRuns = c.have, 80
		r, err := view.New(o, view.Parts{})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(r.Completing, c.want) || !strings.Contains(r.Command, "--quick") {
			t.Errorf("%d of 80 runs: %q completes, %q is the command", c.have, r.Completing, r.Command)
		}
	}
}
