package picture

import (
	"fmt"

	"github.com/schedlab/schedlab/reports/overlay"
	"github.com/schedlab/schedlab/reports/plot"
	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim/study"
)

// tableColumns draws both columns, published, simulated and measured, against rows that
// are counts.
func tableColumns(t *study.Table, cells []study.Cell, xs []float64, here *overlay.Overlay, name string) (view.Plot, error) {
	series := []plot.Series{
		publishedSeries("base, published", plot.Base, xs, cells),
		publishedSeries("patched, published", plot.Patched, xs, cells),
		simulatedSeries("base, simulated", plot.Base, xs, cells),
		simulatedSeries("patched, simulated", plot.Patched, xs, cells),
	}
	measured := measuredSeries(t, cells, xs, here)
	also := ""
	if len(measured) > 0 {
		also = "; of what was measured here one standard deviation"
	}
	f, err := plot.Scaling(plot.Labels{
		Title:    t.Benchmark,
		Subtitle: "published and simulated columns; bands are the 10th to the 90th percentile over runs" + also,
		X:        t.RowName,
		Y:        t.Statistic + " " + t.Unit,
	}, append(series, measured...)...)
	if err != nil {
		return view.Plot{}, err
	}
	return drawn(f, view.Plot{
		Name:  name,
		Title: fmt.Sprintf("%s over %s, published and simulated. Bands are the 10th to the 90th percentile over runs%s.", t.Benchmark, t.RowName, also),
		Alt:   fmt.Sprintf("%s %s against the number of %s, published and simulated, base and patched; the figures are in the table above.", t.Statistic, t.Unit, t.RowName),
	})
}

func publishedSeries(name string, arm plot.Arm, xs []float64, cells []study.Cell) plot.Series {
	s := plot.Series{Name: name, Arm: arm, Source: plot.Published, X: xs}
	for _, c := range cells {
		v := c.Published.Base
		if arm == plot.Patched {
			v = c.Published.Patched
		}
		s.Y = append(s.Y, float64(v))
	}
	return s
}

func simulatedSeries(name string, arm plot.Arm, xs []float64, cells []study.Cell) plot.Series {
	s := plot.Series{Name: name, Arm: arm, Source: plot.Simulated, X: xs}
	for _, c := range cells {
		v, spread := c.Simulated.Base, c.Base.Spread
		if arm == plot.Patched {
			v, spread = c.Simulated.Patched, c.Patched.Spread
		}
		if !c.Simulated.Pct.Measured() {
			v, spread.P10, spread.P90 = study.NotMeasured, study.NotMeasured, study.NotMeasured
		}
		s.Y = append(s.Y, float64(v))
		s.Low = append(s.Low, float64(spread.P10))
		s.High = append(s.High, float64(spread.P90))
	}
	return s
}

// measuredSeries are the columns that were measured here, with one standard deviation
// to either side.
func measuredSeries(t *study.Table, cells []study.Cell, xs []float64, here *overlay.Overlay) []plot.Series {
	var out []plot.Series
	for _, arm := range []struct {
		name string
		arm  plot.Arm
	}{{"base, measured here", plot.Base}, {"patched, measured here", plot.Patched}} {
		s := plot.Series{Name: arm.name, Arm: arm.arm, Source: plot.Measured}
		for i, c := range cells {
			m := here.Row(t.ID, c.Row)
			if m == nil {
				continue
			}
			sample := m.Base
			if arm.arm == plot.Patched {
				sample = m.Patched
			}
			if !sample.Measured() || sample.Mean < 0 {
				continue // an axis from 0 has no place for it
			}
			s.X, s.Y = append(s.X, xs[i]), append(s.Y, sample.Mean)
			s.Low = append(s.Low, max(0, sample.Mean-sample.Stddev))
			s.High = append(s.High, sample.Mean+sample.Stddev)
		}
		if len(s.X) > 0 {
			out = append(out, s)
		}
	}
	return out
}
