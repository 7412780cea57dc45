// Package fidelity writes the page that says how far the model is to be believed:
// of every study what came out against what was published, with the base columns,
// controls, ablations and constants that it rests on. It is made from outcomes alone
// and says nothing that is not in them.
package fidelity

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/schedlab/schedlab/reports/markdown"
	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim/study"
)

// columns are the verdicts in the order of the summary.
var columns = []study.Verdict{
	study.Reproduced, study.Direction, study.AgreesOnNone, study.Missed, study.Phantom, study.Contradicted,
	study.Undecided, study.Unidentified, study.Unfalsifiable, study.NotModelled, study.NotRun,
}

// Markdown writes the page of the outcomes.
func Markdown(outcomes []*study.Outcome) []byte {
	var b strings.Builder
	b.WriteString("# Fidelity\n\n")
	b.WriteString("How the studies of published posts come out in the model. This page is written by\n" +
		"`mkreport fidelity` from stored runs; do not edit it. A verdict is made by a rule\n" +
		"that was fixed before any run:\n\n")
	b.WriteString("> " + markdown.Escape(study.Rule()) + "\n\n")
	for _, beyond := range []bool{true, false} {
		title, keep := "## All cells and claims\n\n", func(*study.Cell) bool { return true }
		if beyond {
			title = "## Cells beyond their noise\n\nWhere a model can be right or wrong: published effects larger than their noise, and\nclaims that say which way.\n\n"
			keep = (*study.Cell).BeyondNoise
		}
		b.WriteString(title + markdown.Table(counts(outcomes, keep, !beyond)) + "\n\n")
	}
	b.WriteString("## What the verdicts rest on\n\n" + markdown.Table(grounds(outcomes)) + "\n\n")
	b.WriteString("Base error is the median and the greatest of the simulated base column against the\n" +
		"published one. Controls are base against base under another seed: a row fails if its\n" +
		"95 % interval does not hold zero, which one in twenty does by chance. At a bound are\n" +
		"fitted constants within 1 % of the end of their range.\n\n")
	if t := spreads(outcomes); len(t.Rows) > 0 {
		b.WriteString("## Spread from run to run\n\n" +
			"Standard deviations of the runs behind the base columns, in percent of their mean,\n" +
			"where the post has them. The simulated one is that of runs of one constant set, which\n" +
			"differ by their seed.\n\n" + markdown.Table(t) + "\n\n")
	}
	for _, o := range outcomes {
		section(&b, o)
	}
	return view.Tidy(b.String())
}

// counts is how many cells of each study came to each verdict.
func counts(outcomes []*study.Outcome, keep func(*study.Cell) bool, claims bool) view.Table {
	t := view.Table{Cols: []view.Col{{Head: "study"}, {Head: "cells", Num: true}}}
	total := make(map[study.Verdict]int)
	add := func(name string, n map[study.Verdict]int) {
		row, sum := []string{name, ""}, 0
		for _, v := range columns {
			sum += n[v]
			row = append(row, number(n[v]))
		}
		row[1] = number(sum)
		t.Rows = append(t.Rows, row)
	}
	for _, v := range columns {
		t.Cols = append(t.Cols, view.Col{Head: string(v), Num: true})
	}
	for _, o := range outcomes {
		n := make(map[study.Verdict]int)
		for i := range o.Cells {
			if keep(&o.Cells[i]) {
				n[o.Cells[i].Verdict]++
			}
		}
		for _, c := range o.Claims {
			if claims {
				n[c.Verdict]++
			}
		}
		for v, k := range n {
			total[v] += k
		}
		add(o.Study.ReportID(), n)
	}
	if len(outcomes) > 1 {
		add("all", total)
	}
	return t
}

func number(n int) string { return fmt.Sprint(n) }

// grounds is what each study's verdicts rest on.
func grounds(outcomes []*study.Outcome) view.Table {
	t := view.Table{Cols: []view.Col{
		{Head: "study"}, {Head: "model"}, {Head: "plan"}, {Head: "runs", Num: true}, {Head: "sets", Num: true},
		{Head: "base error %", Num: true}, {Head: "greatest", Num: true},
		{Head: "controls", Num: true}, {Head: "failing"}, {Head: "ablations as expected", Num: true}, {Head: "at a bound"},
	}}
	for _, o := range outcomes {
		greatest, controls := 0.0, 0
		var failing []string
		for _, c := range o.Cells {
			if c.BaseErrorPct.Measured() {
				greatest = max(greatest, math.Abs(float64(c.BaseErrorPct)))
			}
			if c.ControlCILow.Measured() && c.ControlCIHigh.Measured() {
				controls++
				if c.ControlCILow > 0 || c.ControlCIHigh < 0 {
					failing = append(failing, o.Study.RowName(c.Table, c.Row))
				}
			}
		}
		good := 0
		for _, a := range o.Ablations {
			if a.Verdict == study.Reproduced {
				good++
			}
		}
		top := study.Number(greatest)
		if !o.MedianBaseErrPct.Measured() {
			top = study.NotMeasured
		}
		t.Rows = append(t.Rows, []string{
			o.Study.ReportID(), o.ModelVersion, o.Plan.Mode, fmt.Sprintf("%d of %d", o.HaveRuns, o.WantRuns),
			number(max(1, min(o.Plan.Sets, len(o.Study.Ensemble.Sets)))),
			view.Fixed(o.MedianBaseErrPct, 2), view.Fixed(top, 2),
			number(controls), listed(failing), fmt.Sprintf("%d of %d", good, len(o.Ablations)), listed(atBound(o.Study)),
		})
	}
	return t
}

// spreads are those of the base columns, published and simulated.
func spreads(outcomes []*study.Outcome) view.Table {
	t := view.Table{Cols: []view.Col{
		{Head: "study"}, {Head: "row"}, {Head: "published cv %", Num: true}, {Head: "simulated cv %", Num: true},
		{Head: "simulated / published", Num: true}, {Head: "within a factor of 2"},
	}}
	for _, o := range outcomes {
		for i := range o.Cells {
			c := &o.Cells[i]
			published, simulated := c.Base.PublishedCVPct, c.Base.CVPct
			if !published.Measured() || !simulated.Measured() {
				continue
			}
			ratio, within := simulated/published, "no"
			if ratio >= 0.5 && ratio <= 2 {
				within = "yes"
			}
			t.Rows = append(t.Rows, []string{
				o.Study.ReportID(), o.Study.RowName(c.Table, c.Row),
				view.Fixed(published, 2), view.Fixed(simulated, 2), view.Fixed(ratio, 2), within,
			})
		}
	}
	return t
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// atBound lists the fitted constants whose best value may be out of their range.
func atBound(s *study.Study) []string {
	var names []string
	for _, c := range s.Constants {
		if near := (c.High - c.Low) / 100; c.Fitted && (c.Value-c.Low <= near || c.High-c.Value <= near) {
			names = append(names, c.ID())
		}
	}
	return names
}

// findings are what is known of why cells do not agree, and which have no reason yet.
func findings(b *strings.Builder, o *study.Outcome) {
	var unexplained []string
	cells := make(map[string][]string)
	for i := range o.Cells {
		c := &o.Cells[i]
		name := o.Study.RowName(c.Table, c.Row)
		for _, f := range c.Findings {
			cells[f.Reason] = append(cells[f.Reason], name)
		}
		if c.Unexplained() {
			unexplained = append(unexplained, name)
		}
	}
	var notes []view.Fact
	for _, f := range o.Study.Findings {
		if names := cells[f.Reason]; len(names) > 0 {
			notes = append(notes, view.Fact{Label: f.Reason, Text: f.Evidence + ". Cells: " + strings.Join(names, ", ")})
		}
	}
	if len(notes) > 0 {
		b.WriteString("What is known of why:\n\n" + markdown.Facts(notes) + "\n\n")
	}
	if len(unexplained) > 0 {
		fmt.Fprintf(b, "Of %d cells beyond noise the reason is not known: %s.\n\n", len(unexplained), markdown.Escape(strings.Join(unexplained, ", ")))
	}
}

// section is what one study came to, cell by cell.
func section(b *strings.Builder, o *study.Outcome) {
	s := o.Study
	fmt.Fprintf(b, "## %s\n\n%s, %s: %s\n\n", s.ReportID(), markdown.Escape(s.Post.Author), s.Post.Date, markdown.Escape(s.Title))
	t := view.Table{Cols: []view.Col{
		{Head: "row"}, {Head: "verdict"}, {Head: "published %", Num: true}, {Head: "noise", Num: true},
		{Head: "simulated %", Num: true}, {Head: "95 % interval", Num: true}, {Head: "pairs", Num: true}, {Head: "base error %", Num: true},
	}}
	quiet := make(map[study.Verdict][]string)
	for i := range o.Cells {
		c := &o.Cells[i]
		name := s.RowName(c.Table, c.Row)
		if !c.BeyondNoise() && slices.Contains([]study.Verdict{study.NotModelled, study.NotRun}, c.Verdict) {
			quiet[c.Verdict] = append(quiet[c.Verdict], name)
			continue
		}
		published := view.Signed(c.Published.Pct, 2)
		if c.Expect != "" {
			published = c.Expect
		}
		t.Rows = append(t.Rows, []string{
			name, string(c.Verdict), published, view.Fixed(study.Number(c.Noise.Pct), 2),
			view.Signed(c.Simulated.Pct, 2), view.Range(c.Simulated.CILow, c.Simulated.CIHigh, 2),
			number(c.Simulated.N), view.Signed(c.BaseErrorPct, 2),
		})
	}
	if len(t.Rows) > 0 {
		b.WriteString(markdown.Table(t) + "\n\n")
	}
	for _, v := range []study.Verdict{study.NotModelled, study.NotRun} {
		if names := quiet[v]; len(names) > 0 {
			fmt.Fprintf(b, "%d cells within noise are %s: %s.\n\n", len(names), v, markdown.Escape(strings.Join(names, ", ")))
		}
	}
	var notes []view.Fact
	for i := range o.Cells {
		c := &o.Cells[i]
		if c.BeyondNoise() && !view.WordsOf(c.Verdict).Agrees {
			notes = append(notes, view.Fact{Label: s.RowName(c.Table, c.Row), Text: string(c.Verdict) + ": " + c.Reason})
		}
	}
	if len(notes) > 0 {
		b.WriteString("Beyond noise and not reproduced:\n\n" + markdown.Facts(notes) + "\n\n")
	}
	findings(b, o)
	notes = nil
	for _, a := range o.Ablations {
		notes = append(notes, view.Fact{Label: a.Ablation.ID + ", " + s.RowName(a.Table, a.Row), Text: string(a.Verdict) + ": " + a.Reason})
	}
	if len(notes) > 0 {
		b.WriteString("Ablations:\n\n" + markdown.Facts(notes) + "\n\n")
	}
	notes = nil
	for _, c := range o.Claims {
		notes = append(notes, view.Fact{Label: "\"" + c.Claim.Text + "\"", Text: string(c.Verdict) + ": " + c.Reason})
	}
	if len(notes) > 0 {
		b.WriteString("Claims:\n\n" + markdown.Facts(notes) + "\n\n")
	}
	if len(o.Evidence) > 0 {
		e := view.Table{Cols: []view.Col{{Head: "held out, base kernel"}, {Head: "published", Num: true}, {Head: "simulated", Num: true}, {Head: "unit"}}}
		for _, c := range o.Evidence {
			e.Rows = append(e.Rows, []string{c.Name, view.Fixed(study.Number(c.Published), 2), view.Fixed(c.Simulated, 2), c.Unit})
		}
		b.WriteString(markdown.Table(e) + "\n\n")
	}
	if o.Sensitivity != nil {
		notes = nil
		for i := range o.Sensitivity.Cells {
			c := &o.Sensitivity.Cells[i]
			notes = append(notes, view.Fact{Label: s.RowName(c.Table, c.Row),
				Text: "moved by " + listed(c.Moved()) + "; the verdict hangs on " + listed(c.HangsOn())})
		}
		fmt.Fprintf(b, "Sensitivity, each constant over its range (%s plan, %d runs):\n\n%s\n\n", o.Sensitivity.Plan.Mode, o.Sensitivity.HaveRuns, markdown.Facts(notes))
	}
}
