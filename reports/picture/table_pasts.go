package picture

import (
	"fmt"

	"github.com/schedlab/schedlab/reports/plot"
	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim/study"
)

// tablePasts draws, for each row of the table that was run from other pasts, its runs
// by where their tasks were.
func tablePasts(o *study.Outcome, t *study.Table, suffix string) ([]view.Plot, error) {
	var out []view.Plot
	for i, h := range o.Study.Histories {
		base, patched := plot.Points{Name: "base run", Arm: plot.Base}, plot.Points{Name: "patched run", Arm: plot.Patched}
		for _, c := range o.Histories {
			if c.Table != t.ID || c.Row != h.Row || h.Table != "" && h.Table != t.ID {
				continue
			}
			for _, r := range c.Runs {
				base.X, base.Y = append(base.X, fuller(r.BaseShare)), append(base.Y, r.Base)
				patched.X, patched.Y = append(patched.X, fuller(r.PatchedShare)), append(patched.Y, r.Patched)
			}
		}
		if len(base.X) == 0 {
			continue
		}
		var levels []plot.Level
		if r := t.Row(h.Row); r.Base.Measured() && r.Patched.Measured() {
			levels = []plot.Level{{Name: "base, published", Y: float64(r.Base)}, {Name: "patched, published", Y: float64(r.Patched)}}
		}
		f, err := plot.Scatter(plot.Labels{
			Title:    fmt.Sprintf("%s %s from several pasts", t.RowName, h.Row),
			Subtitle: "single simulated runs, aged for different times",
			X:        "share of runnable tasks on the fuller of two sockets, %",
			Y:        t.Statistic + " " + t.Unit,
		}, levels, base, patched)
		if err != nil {
			return nil, err
		}
		p, err := drawn(f, view.Plot{
			Name:  fmt.Sprintf("pasts%s-%d", suffix, i+1),
			Title: fmt.Sprintf("Single simulated runs of row %s by how uneven their tasks were over the sockets; dashed lines are the published columns.", h.Row),
			Alt:   fmt.Sprintf("Runs of row %s, base and patched, against the share of tasks on the fuller socket; a table has them by age.", h.Row),
		})
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// fuller is the share, percent, of the half that has more than half.
func fuller(share float64) float64 { return 100 * max(share, 1-share) }
