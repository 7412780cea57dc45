package author

import (
	"math"
	"strings"

	"github.com/schedlab/schedlab/reports/dialect"
	"github.com/schedlab/schedlab/schedsim/study"
)

// Published is a table as it was posted, in the study's own style: the figures to
// the digit, and the percentages as they were printed. It is empty where the style
// is not known, or the post has no figures.
func Published(t *study.Table) (string, error) {
	var rows []study.Row
	for _, r := range t.Rows {
		if r.Base.Measured() && r.Patched.Measured() {
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 || !Known(t.Dialect) {
		return "", nil
	}
	k := heads(t, "")
	var out *dialect.Table
	switch name, isPairs := strings.CutSuffix(t.Dialect, "="); {
	case isPairs:
		out = &dialect.Table{Kernels: oneWord(k), Form: &dialect.Pairs{Name: name}}
		for _, r := range rows {
			out.Rows = append(out.Rows, dialect.Row{Key: r.Key, Cells: []dialect.Cell{{Value: dialect.Fixed(float64(r.Base), 0)}, {Value: dialect.Fixed(float64(r.Patched), 0)}}})
		}
	case t.Dialect == MMTests:
		out = &dialect.Table{Kernels: k}
		for _, r := range rows {
			if r.Printed.Given {
				out.Rows = append(out.Rows, mmtestsAsPosted(t, r))
			}
		}
	case t.Dialect == Robot:
		out = robotAsPosted(k, rows)
	case t.Dialect == PlusMinus:
		out = &dialect.Table{Kernels: oneWord(k), Form: &dialect.PlusMinus{}}
		for _, r := range rows {
			if r.BaseSpread.Measured() && r.PatchedSpread.Measured() {
				out.Rows = append(out.Rows, dialect.NewPlusMinusRow(r.Key,
					[]float64{float64(r.Base), float64(r.Patched)}, []float64{float64(r.BaseSpread), float64(r.PatchedSpread)}))
			}
		}
	case t.Dialect == JVMS, t.Dialect == June:
		out = jvms(t.Dialect, t, k, nil)
		for _, r := range rows {
			out.Rows = append(out.Rows, dialect.NewCaseRow(r.Key, []float64{float64(r.Base), float64(r.Patched)}, t.Dialect == June))
		}
	case t.Dialect == Count:
		out = countAsPosted(t, rows)
	}
	if out == nil {
		return "", nil
	}
	return written([]*dialect.Table{out})
}

// mmtestsAsPosted has two digits after the point, and the baseline compared with
// itself.
func mmtestsAsPosted(t *study.Table, r study.Row) dialect.Row {
	return dialect.Row{Stat: t.Statistic, Key: r.Key, Cells: []dialect.Cell{
		{Value: dialect.Fixed(float64(r.Base), 2), Pct: dialect.Fixed(0, 2)},
		{Value: dialect.Fixed(float64(r.Patched), 2), Pct: dialect.Fixed(r.Printed.Low, 2), Star: r.Significant},
	}}
}

func robotAsPosted(k []dialect.Kernel, rows []study.Row) *dialect.Table {
	out := &dialect.Table{Kernels: k, Form: &dialect.LKP{}}
	for i := range out.Kernels {
		out.Kernels[i].Label[0], _, _ = strings.Cut(k[i].Name(), "-(")
	}
	for _, r := range rows {
		base, patched := float64(r.Base), float64(r.Patched)
		row := dialect.NewLKPRow(r.Key, []float64{base, patched}, nil)
		if r.Printed.Given {
			row.Cells[1].Pct = dialect.Fixed(r.Printed.Low, 1)
			if r.Printed.Low >= 0 {
				row.Cells[1].Pct = "+" + row.Cells[1].Pct
			}
		}
		for i, spread := range []study.Number{r.BaseSpread, r.PatchedSpread} {
			if spread.Measured() && spread > 0 {
				row.Cells[i].Spread = dialect.Fixed(float64(spread), 0)
			}
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// countAsPosted has the rows Avg, Min and Max of the study as columns.
func countAsPosted(t *study.Table, rows []study.Row) *dialect.Table {
	cell := make(map[string]study.Row)
	for _, r := range rows {
		cell[r.Key] = r
	}
	avg, ok := cell["Avg"]
	if !ok || !avg.BaseSpread.Measured() || !avg.PatchedSpread.Measured() {
		return nil
	}
	n := t.Spread.N
	if avg.N > 0 {
		n = avg.N
	}
	// Two runs whose deviation as a population is what was printed stand for the
	// sample, whose other figures are then set.
	out := dialect.NewCountTable([][]float64{
		{float64(avg.Base - avg.BaseSpread), float64(avg.Base + avg.BaseSpread)},
		{float64(avg.Patched - avg.PatchedSpread), float64(avg.Patched + avg.PatchedSpread)},
	})
	for i := range out.Rows {
		r := &out.Rows[i]
		switch c, ok := cell[r.Stat]; {
		case r.Stat == "count":
			for k := range r.Cells {
				r.Cells[k].Value = dialect.Fixed(float64(n), 0)
			}
		case ok && r.Stat != "Avg":
			for k, v := range []study.Number{c.Base, c.Patched} {
				r.Cells[k].Value = dialect.NewCaseRow("", []float64{float64(v), math.NaN()}, false).Cells[0].Value
			}
		}
	}
	return out
}
