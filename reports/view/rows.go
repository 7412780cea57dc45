package view

import (
	"slices"

	"github.com/schedlab/schedlab/schedsim/study"
)

// row is one published row with what was found about it. A row that was not
// run has a cell whose figures are all missing.
type row struct {
	key       string // within its table, or where several tables are shown as one, the name
	table     *study.Table
	name      string // within the study
	cell      study.Cell
	published *study.Row // nil for a cell that belongs to none
	star      bool       // the author's tool marked it significant
	run       bool
	verdict   study.Verdict
}

// rowsOf lists the published rows of all tables in the order of the post. Cells
// that belong to no published row follow those of their table, so that nothing is
// dropped.
func rowsOf(o *study.Outcome) []row {
	var rows []row
	used := make([]bool, len(o.Cells))
	for i := range o.Study.Tables {
		rows = append(rows, rowsOfTable(o, &o.Study.Tables[i], used)...)
	}
	for i, c := range o.Cells {
		if !used[i] {
			rows = append(rows, rowOf(o, c, nil))
		}
	}
	return rows
}

// rowsOfTable lists the rows of one table and marks the cells that they have.
func rowsOfTable(o *study.Outcome, t *study.Table, used []bool) []row {
	var rows []row
	for j := range t.Rows {
		p := &t.Rows[j]
		i := slices.IndexFunc(o.Cells, func(c study.Cell) bool { return c.Table == t.ID && c.Row == p.Key })
		if i < 0 {
			c := unrun(p)
			c.Table = t.ID
			r := rowOf(o, c, p)
			r.run, r.verdict = false, study.NotRun
			rows = append(rows, r)
			continue
		}
		used[i] = true
		rows = append(rows, rowOf(o, o.Cells[i], p))
	}
	for i, c := range o.Cells {
		if !used[i] && c.Table == t.ID {
			used[i] = true
			rows = append(rows, rowOf(o, c, nil))
		}
	}
	return rows
}

func rowOf(o *study.Outcome, c study.Cell, p *study.Row) row {
	r := row{
		key: c.Row, table: o.Study.Table(c.Table), name: o.Study.RowName(c.Table, c.Row), cell: c, published: p,
		star: p != nil && p.Significant, run: true, verdict: c.Verdict,
	}
	// A row may be beyond the model and therefore never run; that is a
	// verdict, and stays one.
	if slices.Contains(o.Missing, r.name) || !c.Simulated.Pct.Measured() {
		r.run = false
		if c.Verdict != study.NotModelled {
			r.verdict = study.NotRun
		}
	}
	return r
}

func unrun(p *study.Row) study.Cell {
	nm := study.NotMeasured
	spread := study.Spread{Min: nm, P10: nm, Median: nm, P90: nm, Max: nm}
	return study.Cell{
		Row: p.Key, Noise: p.Noise, Expect: p.Expect,
		Published:    study.Effect{Base: p.Base, Patched: p.Patched, Pct: p.Pct},
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

// named are the rows of several tables to be shown as one.
func named(rows []row) []row {
	out := slices.Clone(rows)
	for i := range out {
		out[i].key = out[i].name
	}
	return out
}

// decimals is how many decimals the figures of the row's table have.
func (r row) decimals() int {
	if r.table == nil {
		return 2
	}
	return decimals(r.table)
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

// namesOf lists their names within the study.
func namesOf(rows []row, ok func(row) bool) []string {
	var names []string
	for _, r := range rows {
		if ok(r) {
			names = append(names, r.name)
		}
	}
	return names
}
