package picture

import (
	"fmt"

	"github.com/schedlab/schedlab/reports/plot"
	"github.com/schedlab/schedlab/schedsim/study"
)

// Effect is a cell of a study under a name: what was published with its noise, what was
// simulated with its interval, and the verdict.
func Effect(c *study.Cell, name string) plot.Effect {
	return plot.Effect{
		Key:       name,
		Published: float64(c.Published.Pct), Noise: c.Noise.Pct,
		Simulated: float64(c.Simulated.Pct), Low: float64(c.Simulated.CILow), High: float64(c.Simulated.CIHigh),
		Note: string(c.Verdict),
	}
}

// Outcome draws what was published and what was simulated of a study's rows that were
// run, with the verdicts; of some tables, or of all. Claims without a figure are left
// out: there is none to be drawn beside the simulated one.
func Outcome(o *study.Outcome, tables ...string) (*plot.Figure, error) {
	wanted := make(map[string]bool)
	for _, id := range tables {
		if o.Study.Table(id) == nil {
			return nil, fmt.Errorf("picture: %s has no table %q", o.Study.ID, id)
		}
		wanted[id] = true
	}
	var effects []plot.Effect
	for i := range o.Cells {
		c := &o.Cells[i]
		if c.Simulated.N == 0 || c.Expect != "" || len(wanted) > 0 && !wanted[c.Table] {
			continue
		}
		effects = append(effects, Effect(c, o.Study.RowName(c.Table, c.Row)))
	}
	return plot.Effects(plot.Labels{
		Title:    "Effect of the patch, published and simulated",
		Subtitle: "The band is the noise of what was published, the interval is of 95 %.",
		X:        "change, %",
	}, effects...)
}
