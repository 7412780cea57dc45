package view

import (
	"slices"

	"github.com/schedlab/schedlab/schedsim/study"
)

// row is one published row with what was found about it. A row that was not
// run has a cell whose figures are all missing.
type row struct {
	key     string
	cell    study.Cell
	star    bool // the author's tool marked it significant
	run     bool
	verdict study.Verdict
}

// rowsOf lists the published rows in the order of the post. Cells that belong
// to no published row follow, so that nothing is dropped.
func rowsOf(o *study.Outcome) []row {
	var rows []row
	used := make([]bool, len(o.Cells))
	for _, p := range o.Study.Table.Rows {
		i := slices.IndexFunc(o.Cells, func(c study.Cell) bool { return c.Row == p.Key })
		if i < 0 {
			rows = append(rows, row{key: p.Key, cell: unrun(p), star: p.Significant, verdict: study.NotRun})
			continue
		}
		used[i] = true
		rows = append(rows, rowOf(o, o.Cells[i], p.Significant))
	}
	for i, c := range o.Cells {
		if !used[i] {
			rows = append(rows, rowOf(o, c, false))
		}
	}
	return rows
}

func rowOf(o *study.Outcome, c study.Cell, star bool) row {
	r := row{key: c.Row, cell: c, star: star, run: true, verdict: c.Verdict}
	// A row may be beyond the model and therefore never run; that is a
	// verdict, and stays one.
	if slices.Contains(o.Missing, c.Row) || !c.Simulated.Pct.Measured() {
		r.run = false
		if c.Verdict != study.NotModelled {
			r.verdict = study.NotRun
		}
	}
	return r
}

func unrun(p study.Row) study.Cell {
	nm := study.NotMeasured
	spread := study.Spread{Min: nm, P10: nm, Median: nm, P90: nm, Max: nm}
	return study.Cell{
		Row: p.Key, Noise: p.Noise,
		Published:    study.Effect{Base: study.Number(p.Base), Patched: study.Number(p.Patched), Pct: study.Number(p.Pct)},
		Simulated:    study.Interval{Effect: study.Effect{Base: nm, Patched: nm, Pct: nm}, CILow: nm, CIHigh: nm},
		BaseErrorPct: nm, Agreement: nm, ControlPct: nm, ControlCILow: nm, ControlCIHigh: nm,
		Base: study.Arm{Spread: spread}, Patched: study.Arm{Spread: spread},
	}
}

// label is the verdict with what decides it, where the ledger names one.
func (r row) label() string {
	if r.verdict == study.Unidentified && r.cell.DecidingConstant != "" {
		return string(r.verdict) + ", hangs on " + r.cell.DecidingConstant
	}
	return string(r.verdict)
}

// identical reports whether every patched run gave the figure of its base run.
func (r row) identical() bool {
	return len(r.cell.Base.Values) > 0 && slices.Equal(r.cell.Base.Values, r.cell.Patched.Values)
}

// keysOf lists the keys of the rows that ok holds for.
func keysOf(rows []row, ok func(row) bool) []string {
	var keys []string
	for _, r := range rows {
		if ok(r) {
			keys = append(keys, r.key)
		}
	}
	return keys
}
