package picture

import (
	"fmt"

	"github.com/schedlab/schedlab/reports/overlay"
	"github.com/schedlab/schedlab/reports/plot"
	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim/study"
)

// tableEffects draws the effect of the patch on each row.
func tableEffects(t *study.Table, cells []study.Cell, here *overlay.Overlay, name string) (view.Plot, error) {
	var effects []plot.Effect
	also := ""
	for i := range cells {
		c := &cells[i]
		e := Effect(c, c.Row)
		if m := here.Row(t.ID, c.Row); m != nil && m.Pct.Measured() {
			e.Here = &plot.Here{Pct: float64(m.Pct), Low: float64(m.CILow), High: float64(m.CIHigh)}
			also = ", and measured here"
		}
		effects = append(effects, e)
	}
	f, err := plot.Effects(plot.Labels{
		Title:    "Effect of the patch",
		Subtitle: "published with its noise, simulated with its 95 % interval" + also,
		X:        fmt.Sprintf("change of %s %s, percent (%s is better)", t.Statistic, t.Unit, t.Better),
		Y:        t.RowName,
	}, effects...)
	if err != nil {
		return view.Plot{}, err
	}
	return drawn(f, view.Plot{
		Name:  name,
		Title: "Effect of the patch by row: published with its noise, and simulated with its 95 % interval" + also + ".",
		Alt:   "Change in percent by number of " + t.RowName + ", published and simulated; the figures are in the table above.",
	})
}
