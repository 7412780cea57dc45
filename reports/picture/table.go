package picture

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"github.com/schedlab/schedlab/reports/overlay"
	"github.com/schedlab/schedlab/reports/plot"
	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim/study"
)

// Table draws the figures of a table for a report: its effects, every run of the rows
// that were run, both columns against rows that are counts, and runs from other pasts.
// Rows that were measured on a machine of the reader's are drawn beside them; here may
// be nil.
func Table(o *study.Outcome, t *study.Table, here *overlay.Overlay) ([]view.Plot, error) {
	cells := cellsOf(o, t)
	// Names of plots are unique within a report.
	suffix := ""
	if len(o.Study.Tables) > 1 {
		suffix = "-" + t.ID
	}
	effects, err := tableEffects(t, cells, here, "effect"+suffix)
	if err != nil {
		return nil, fmt.Errorf("plot of the effects: %w", err)
	}
	out := []view.Plot{effects}
	if runs, ok, err := tableRuns(t, cells, "runs"+suffix); err != nil {
		return nil, fmt.Errorf("plot of the runs: %w", err)
	} else if ok {
		out = append(out, runs)
	}
	if xs, ok := rowCounts(cells); ok && len(xs) > 1 && oneUnit(cells) {
		scaling, err := tableColumns(t, cells, xs, here, "scaling"+suffix)
		if err != nil {
			return nil, fmt.Errorf("plot of the columns: %w", err)
		}
		out = append(out, scaling)
	}
	pasts, err := tablePasts(o, t, suffix)
	if err != nil {
		return nil, fmt.Errorf("plot of other pasts: %w", err)
	}
	return append(out, pasts...), nil
}

// cellsOf are the cells of one table.
func cellsOf(o *study.Outcome, t *study.Table) []study.Cell {
	var cells []study.Cell
	for _, c := range o.Cells {
		if c.Table == t.ID {
			cells = append(cells, c)
		}
	}
	return cells
}

// rowCounts returns the row keys as numbers; ok is false if one is not a
// positive number.
func rowCounts(cells []study.Cell) (xs []float64, ok bool) {
	for _, c := range cells {
		x, err := strconv.ParseFloat(c.Row, 64)
		if err != nil || !(x > 0) || math.IsInf(x, 0) {
			return nil, false
		}
		xs = append(xs, x)
	}
	return xs, true
}

// oneUnit reports whether all cells can share an axis.
func oneUnit(cells []study.Cell) bool {
	for _, c := range cells {
		if c.Unit != cells[0].Unit || c.Metric != cells[0].Metric {
			return false
		}
	}
	return true
}

// drawn is p with f for its drawing.
func drawn(f *plot.Figure, p view.Plot) (view.Plot, error) {
	var b bytes.Buffer
	err := f.WriteSVG(&b)
	p.SVG = b.Bytes()
	return p, err
}
