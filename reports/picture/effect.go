package picture

import (
	"math"

	"github.com/schedlab/schedlab/reports/plot"
	"github.com/schedlab/schedlab/schedsim/experiment"
)

// Effects draws the change by the patch on each row of a comparison with its interval.
func Effects(c *experiment.Comparison) (*plot.Figure, error) {
	var effects []plot.Effect
	better := "more is better"
	for i := range c.Rows {
		r := &c.Rows[i]
		if r.Lower {
			better = "less is better"
		}
		effects = append(effects, plot.Effect{
			Key: r.Name, Published: math.NaN(), Noise: math.NaN(),
			Simulated: float64(r.Effect.Pct), Low: float64(r.Effect.CILow), High: float64(r.Effect.CIHigh),
			Note: r.Change(),
		})
	}
	unit := ""
	if len(c.Rows) > 0 {
		unit = " of " + c.Rows[0].Unit
	}
	return plot.Effects(plot.Labels{
		Title:    "What " + c.Patch + " changes",
		Subtitle: "The interval is of 95 %, over runs of both kernels with the same seeds.",
		X:        "change" + unit + ", % (" + better + ")",
	}, effects...)
}
