package main

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"github.com/schedlab/schedlab/reports"
	"github.com/schedlab/schedlab/reports/overlay"
	"github.com/schedlab/schedlab/reports/picture"
	"github.com/schedlab/schedlab/reports/plot"
	"github.com/schedlab/schedlab/schedsim/study"
)

// plots draws the figures of a table: the effects, and, where the rows are
// counts, both columns against them.
func plots(o *study.Outcome, t *study.Table, here *overlay.Overlay) ([]reports.Plot, error) {
	cells := cellsOf(o, t)
	// Names of plots are unique within a report.
	suffix := ""
	if len(o.Study.Tables) > 1 {
		suffix = "-" + t.ID
	}
	effects, err := effectsPlot(t, cells, here, "effect"+suffix)
	if err != nil {
		return nil, fmt.Errorf("plot of the effects: %w", err)
	}
	out := []reports.Plot{effects}
	if runs, ok, err := dotsPlot(t, cells, "runs"+suffix); err != nil {
		return nil, fmt.Errorf("plot of the runs: %w", err)
	} else if ok {
		out = append(out, runs)
	}
	if xs, ok := rowCounts(cells); ok && len(xs) > 1 && oneUnit(cells) {
		scaling, err := scalingPlot(t, cells, xs, here, "scaling"+suffix)
		if err != nil {
			return nil, fmt.Errorf("plot of the columns: %w", err)
		}
		out = append(out, scaling)
	}
	pasts, err := pastsPlots(o, t, suffix)
	if err != nil {
		return nil, fmt.Errorf("plot of other pasts: %w", err)
	}
	return append(out, pasts...), nil
}

func effectsPlot(t *study.Table, cells []study.Cell, here *overlay.Overlay, name string) (reports.Plot, error) {
	var effects []plot.Effect
	also := ""
	for i := range cells {
		c := &cells[i]
		e := picture.Effect(c, c.Row)
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
		return reports.Plot{}, err
	}
	return drawn(f, reports.Plot{
		Name:  name,
		Title: "Effect of the patch by row: published with its noise, and simulated with its 95 % interval" + also + ".",
		Alt:   "Change in percent by number of " + t.RowName + ", published and simulated; the figures are in the table above.",
	})
}

// dotsPlot shows every run of the rows that were run; ok is false if none was.
func dotsPlot(t *study.Table, cells []study.Cell, name string) (p reports.Plot, ok bool, err error) {
	var strips []plot.Strip
	for _, c := range cells {
		mean := study.Mean(c.Base.Values) / 100
		if !(mean > 0) {
			continue
		}
		s := plot.Strip{Key: c.Row}
		for _, v := range c.Base.Values {
			s.Base = append(s.Base, v/mean)
		}
		for _, v := range c.Patched.Values {
			s.Patched = append(s.Patched, v/mean)
		}
		switch base, patched := c.Base.Bimodal, c.Patched.Bimodal; {
		case base && patched:
			s.Note = "bimodal"
		case base:
			s.Note = "base bimodal"
		case patched:
			s.Note = "patched bimodal"
		}
		strips = append(strips, s)
	}
	if len(strips) == 0 {
		return p, false, nil
	}
	f, err := plot.Dots(plot.Labels{
		Title:    "Every run",
		Subtitle: "simulated, over seeds and constant sets",
		X:        "percent of the mean of the base runs",
		Y:        t.RowName,
	}, strips...)
	if err != nil {
		return p, false, err
	}
	p, err = drawn(f, reports.Plot{
		Name:  name,
		Title: "Every simulated run by row, in percent of the mean of the row's base runs.",
		Alt:   "Single runs by " + t.RowName + ", base and patched; their distribution is in a table below.",
	})
	return p, true, err
}

func scalingPlot(t *study.Table, cells []study.Cell, xs []float64, here *overlay.Overlay, name string) (reports.Plot, error) {
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
		return reports.Plot{}, err
	}
	return drawn(f, reports.Plot{
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

func drawn(f *plot.Figure, p reports.Plot) (reports.Plot, error) {
	var b bytes.Buffer
	err := f.WriteSVG(&b)
	p.SVG = b.Bytes()
	return p, err
}
