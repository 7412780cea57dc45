// Package fidelity writes the page that says how far the model is to be believed:
// of every study what came out against what was published, with the base columns,
// controls, ablations and constants that it rests on. It is made from outcomes alone
// and says nothing that is not in them.
package fidelity

import (
	"fmt"
	"math"
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
