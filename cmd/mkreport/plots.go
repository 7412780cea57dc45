package main

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"github.com/schedlab/schedlab/reports"
	"github.com/schedlab/schedlab/reports/plot"
	"github.com/schedlab/schedlab/schedsim/study"
)

// plots draws the figures of a report: the effects, and, where the rows are
// counts, both columns against them.
func plots(o *study.Outcome) ([]reports.Plot, error) {
	effects, err := effectsPlot(o)
	if err != nil {
		return nil, fmt.Errorf("plot of the effects: %w", err)
	}
	out := []reports.Plot{effects}
	if xs, ok := rowCounts(o); ok {
		scaling, err := scalingPlot(o, xs)
		if err != nil {
			return nil, fmt.Errorf("plot of the columns: %w", err)
		}
		out = append(out, scaling)
	}
	return out, nil
}

func effectsPlot(o *study.Outcome) (reports.Plot, error) {
	var effects []plot.Effect
	for _, c := range o.Cells {
		effects = append(effects, plot.Effect{
			Key:       c.Row,
			Published: float64(c.Published.Pct), Noise: c.Noise.Pct,
			Simulated: float64(c.Simulated.Pct), Low: float64(c.Simulated.CILow), High: float64(c.Simulated.CIHigh),
			Note: string(c.Verdict),
		})
	}
	t := o.Study.Table
	f, err := plot.Effects(plot.Labels{
		Title:    "Effect of the patch",
		Subtitle: "published with its noise, simulated with its 95 % interval",
		X:        fmt.Sprintf("change of %s %s, percent (%s is better)", t.Statistic, t.Unit, t.Better),
		Y:        t.RowName,
	}, effects...)
	if err != nil {
		return reports.Plot{}, err
	}
	return drawn(f, reports.Plot{
		Name:  "effect",
		Title: "Effect of the patch by row: published with its noise, and simulated with its 95 % interval.",
		Alt:   "Change in percent by number of " + t.RowName + ", published and simulated; the figures are in the table above.",
	})
}

func scalingPlot(o *study.Outcome, xs []float64) (reports.Plot, error) {
	t := o.Study.Table
	f, err := plot.Scaling(plot.Labels{
		Title:    t.Benchmark,
		Subtitle: "published and simulated columns; bars are the 10th to the 90th percentile over runs",
		X:        t.RowName,
		Y:        t.Statistic + " " + t.Unit,
	},
		publishedSeries("base, published", plot.Base, xs, o),
		publishedSeries("patched, published", plot.Patched, xs, o),
		simulatedSeries("base, simulated", plot.Base, xs, o),
		simulatedSeries("patched, simulated", plot.Patched, xs, o),
	)
	if err != nil {
		return reports.Plot{}, err
	}
	return drawn(f, reports.Plot{
		Name:  "scaling",
		Title: fmt.Sprintf("%s over %s, published and simulated. Bars are the 10th to the 90th percentile over runs.", t.Benchmark, t.RowName),
		Alt:   fmt.Sprintf("%s %s against the number of %s, published and simulated, base and patched; the figures are in the table above.", t.Statistic, t.Unit, t.RowName),
	})
}

func publishedSeries(name string, arm plot.Arm, xs []float64, o *study.Outcome) plot.Series {
	s := plot.Series{Name: name, Arm: arm, Source: plot.Published, X: xs}
	for _, c := range o.Cells {
		v := c.Published.Base
		if arm == plot.Patched {
			v = c.Published.Patched
		}
		s.Y = append(s.Y, float64(v))
	}
	return s
}

func simulatedSeries(name string, arm plot.Arm, xs []float64, o *study.Outcome) plot.Series {
	s := plot.Series{Name: name, Arm: arm, Source: plot.Simulated, X: xs}
	for _, c := range o.Cells {
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

// rowCounts returns the row keys as numbers; ok is false if one is not a
// positive number.
func rowCounts(o *study.Outcome) (xs []float64, ok bool) {
	for _, c := range o.Cells {
		x, err := strconv.ParseFloat(c.Row, 64)
		if err != nil || !(x > 0) || math.IsInf(x, 0) {
			return nil, false
		}
		xs = append(xs, x)
	}
	return xs, true
}

func drawn(f *plot.Figure, p reports.Plot) (reports.Plot, error) {
	var b bytes.Buffer
	err := f.WriteSVG(&b)
	p.SVG = b.Bytes()
	return p, err
}
