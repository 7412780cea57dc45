package nb

import (
	"fmt"
	"strings"

	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim/study"
)

// ledgers are the outcomes of studies, one after another.
type ledgers []grids

// ledgerOf is the ledger of outcomes: each table's published and simulated
// effects with their verdicts, and the reason of every cell that is at odds.
func ledgerOf(outcomes ...*study.Outcome) (any, error) {
	var l ledgers
	for _, o := range outcomes {
		if o == nil || o.Study == nil {
			return nil, fmt.Errorf("nb: an outcome without a study has no ledger; take it from study.Build")
		}
		l = append(l, outcomeGrids(o))
	}
	return l, nil
}

func outcomeGrids(o *study.Outcome) grids {
	var counts []string
	for _, c := range view.Tally(o) {
		counts = append(counts, c.Text())
	}
	g := grids{title: o.Study.Title, facts: []view.Fact{
		{Label: "study", Text: o.Study.ReportID()},
		{Label: "runs", Text: fmt.Sprintf("%d of %d of the %s plan", o.HaveRuns, o.WantRuns, or(o.Plan.Mode, "given"))},
		{Label: "cells", Text: or(strings.Join(counts, ", "), "none")},
	}}
	if len(o.Missing) > 0 {
		g.facts = append(g.facts, view.Fact{Label: "no runs for", Text: strings.Join(o.Missing, ", ")})
	}
	for _, w := range o.Warnings {
		g.facts = append(g.facts, view.Fact{Label: "warning", Text: w})
	}
	for i := range o.Study.Tables {
		t := &o.Study.Tables[i]
		p := grid{caption: fmt.Sprintf("%s: %s on %s, %s is better", t.ID, t.Workload, t.Machine, t.Better)}
		p.Cols = []view.Col{
			{Head: or(t.RowName, "row")}, num("published, %"), num("noise, +-%"), num("simulated, %"),
			num("95 % interval"), num("pairs"), {Head: "verdict"}, {Head: "reason"},
		}
		for j := range o.Cells {
			if c := &o.Cells[j]; c.Table == t.ID {
				p.Rows = append(p.Rows, cellRow(c))
			}
		}
		g.parts = append(g.parts, p)
	}
	if len(o.Claims) > 0 {
		p := grid{caption: "claims in prose"}
		p.Cols = []view.Col{{Head: "claim"}, {Head: "verdict"}, {Head: "reason"}}
		for _, c := range o.Claims {
			p.Rows = append(p.Rows, []string{c.Claim.Text, string(c.Verdict), c.Reason})
		}
		g.parts = append(g.parts, p)
	}
	return g
}

// cellRow is one cell of the ledger. That a cell agrees needs no reason.
func cellRow(c *study.Cell) []string {
	published, reason := view.Signed(c.Published.Pct, 2), c.Reason
	if c.Expect != "" {
		published = c.Expect
	}
	if view.WordsOf(c.Verdict).Agrees {
		reason = ""
	}
	simulated, interval := view.Missing, view.Missing
	if c.Simulated.N > 0 {
		simulated = view.Signed(c.Simulated.Pct, 2)
		interval = view.Range(c.Simulated.CILow, c.Simulated.CIHigh, 2)
	}
	return []string{c.Row, published, view.Fixed(study.Number(c.Noise.Pct), 2), simulated, interval,
		fmt.Sprint(c.Simulated.N), string(c.Verdict), reason}
}

// ledgerGrid is cells of a ledger as study.LedgerJSON lists them.
func ledgerGrid(cells []study.LedgerCell) grid {
	g := grid{note: count(len(cells), "cell")}
	g.Cols = []view.Col{
		{Head: "study"}, {Head: "table"}, {Head: "row"}, num("published, %"), num("noise, +-%"),
		num("simulated, %"), num("95 % interval"), num("pairs"), {Head: "verdict"},
	}
	for _, c := range cells {
		g.Rows = append(g.Rows, []string{
			c.Study, c.Table, c.Row, view.Signed(c.Published.Pct, 2), view.Fixed(c.Noise.Pct, 2),
			view.Signed(c.Simulated.Pct, 2), view.Range(c.Simulated.CILow, c.Simulated.CIHigh, 2),
			fmt.Sprint(c.Simulated.N), string(c.Verdict),
		})
	}
	return g
}

func (l ledgers) String() string   { return l.join("\n\n", grids.String) }
func (l ledgers) Markdown() string { return l.join("\n\n", grids.Markdown) }

// HTML writes the ledgers of all studies.
func (l ledgers) HTML() string { return l.join("", grids.HTML) }

func (l ledgers) join(separator string, form func(grids) string) string {
	var parts []string
	for _, g := range l {
		parts = append(parts, form(g))
	}
	return strings.Join(parts, separator)
}
