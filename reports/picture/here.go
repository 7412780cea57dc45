package picture

import (
	"fmt"

	"github.com/schedlab/schedlab/reports/overlay"
	"github.com/schedlab/schedlab/reports/plot"
	"github.com/schedlab/schedlab/schedsim/study"
)

// Here draws the rows of a study that were measured: published, simulated and measured
// figures of both kernels, in the row's unit. Intervals of simulated figures are the 10th
// to the 90th percentile over runs, those of measured ones a standard deviation to both
// sides.
func Here(o *study.Outcome, here *overlay.Overlay) (*plot.Figure, error) {
	var groups []plot.Group
	unit := ""
	for i := range here.Rows {
		r := &here.Rows[i]
		g := plot.Group{Key: o.Study.RowName(r.Table, r.Key)}
		if unit != "" && unit != r.Unit {
			return nil, fmt.Errorf("picture: row %s is in %s, one before in %s; draw them apart", g.Key, r.Unit, unit)
		}
		unit = r.Unit
		for k := range o.Cells {
			if c := &o.Cells[k]; c.Table == r.Table && c.Row == r.Key {
				g.Marks = append(g.Marks,
					mark(plot.Base, plot.Published, c.Published.Base, study.NotMeasured, study.NotMeasured),
					mark(plot.Patched, plot.Published, c.Published.Patched, study.NotMeasured, study.NotMeasured))
				if c.Simulated.N > 0 {
					g.Marks = append(g.Marks,
						mark(plot.Base, plot.Simulated, c.Simulated.Base, c.Base.Spread.P10, c.Base.Spread.P90),
						mark(plot.Patched, plot.Simulated, c.Simulated.Patched, c.Patched.Spread.P10, c.Patched.Spread.P90))
				}
			}
		}
		for arm, s := range []overlay.Sample{r.Base, r.Patched} {
			if s.Measured() {
				g.Marks = append(g.Marks, mark(plot.Arm(arm), plot.Measured, study.Number(s.Mean), study.Number(s.Mean-s.Stddev), study.Number(s.Mean+s.Stddev)))
			}
		}
		groups = append(groups, g)
	}
	return plot.Groups(plot.Labels{Title: "Published, simulated, measured here", X: unit}, groups...)
}

func mark(arm plot.Arm, source plot.Source, value, low, high study.Number) plot.Mark {
	return plot.Mark{Arm: arm, Source: source, Value: float64(value), Low: float64(low), High: float64(high)}
}
