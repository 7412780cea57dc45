package plot

import (
	"fmt"
	"math"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Mark is one figure of a group with its interval; NaN in Value is none, in Low
// and High no interval.
type Mark struct {
	Arm              Arm
	Source           Source
	Value, Low, High float64
}

// A Group is one row of figures that are to be held against each other.
type Group struct {
	Key   string // "64"
	Marks []Mark
	Note  string // right of the row
}

// Groups draws figures in their own unit: a row for each group, the first on top, in it
// the base above and the patched kernel below, published, simulated and measured ones on
// the line of their kernel. The axis need not begin at 0. Errors name the row.
func Groups(l Labels, groups ...Group) (*Figure, error) {
	if len(groups) == 0 {
		return nil, fmt.Errorf("plot: groups: no rows, give at least one")
	}
	r := rows{low: math.Inf(1), high: math.Inf(-1), label: amount}
	var kinds []Mark // that there are, with an interval if one has it
	for _, g := range groups {
		for _, m := range g.Marks {
			if err := m.check(g.Key); err != nil {
				return nil, err
			}
			for _, v := range []float64{m.Value, m.Low, m.High} {
				if !math.IsNaN(v) {
					r.low, r.high = min(r.low, v), max(r.high, v)
				}
			}
			kinds = m.among(kinds)
		}
		r.keys, r.notes = append(r.keys, g.Key), append(r.notes, g.Note)
	}
	switch {
	case math.IsInf(r.low, 0): // nothing was measured
		r.low, r.high = 0, 1
	case r.high-r.low <= 1e-9*math.Abs(r.high): // one figure, but for rounding
		pad := math.Abs(r.high) * 0.01
		if pad == 0 {
			pad = 1
		}
		r.low, r.high = r.low-pad, r.high+pad
	}
	f := r.figure(l, groupRows(groups))
	for _, k := range kinds {
		f.legend = append(f.legend, legendEntry{name: k.name(), swatch: k})
	}
	return f, nil
}

func (m Mark) check(key string) error {
	if m.Arm != Base && m.Arm != Patched || m.Source < Published || m.Source > Measured {
		return fmt.Errorf("plot: groups: row %q: arm %d of source %d is none that is drawn", key, m.Arm, m.Source)
	}
	for _, v := range []float64{m.Value, m.Low, m.High} {
		if math.IsInf(v, 0) {
			return fmt.Errorf("plot: groups: row %q: %v has no place on an axis", key, v)
		}
	}
	if m.Low > m.High {
		return fmt.Errorf("plot: groups: row %q: interval from %v down to %v, exchange Low and High", key, m.Low, m.High)
	}
	return nil
}

// among adds the kind of the mark to those that there are, in the order of arms.
func (m Mark) among(kinds []Mark) []Mark {
	for i, k := range kinds {
		if k.Arm == m.Arm && k.Source == m.Source {
			if m.High > m.Low {
				kinds[i] = m
			}
			return kinds
		}
	}
	return append(kinds, m)
}

// name is what the legend calls the kind of the mark.
func (m Mark) name() string {
	text := [...]string{"base", "patched"}[m.Arm] + ", " + [...]string{"published", "simulated", "measured"}[m.Source]
	if m.High > m.Low {
		text += " with interval"
	}
	return text
}

type groupRows []Group

// Plot makes groupRows a gonum plotter.
func (g groupRows) Plot(c draw.Canvas, p *gplot.Plot) {
	trX, trY := p.Transforms(&c)
	for i, group := range g {
		for _, m := range group.Marks {
			if math.IsNaN(m.Value) {
				continue
			}
			y := at(trY, i, len(g)) + rowHeight*0.19
			if m.Arm == Patched {
				y = at(trY, i, len(g)) - rowHeight*0.19
			}
			low, high := trX(or(m.Low, m.Value)), trX(or(m.High, m.Value))
			m.draw(&c, trX(m.Value), low, high, y)
		}
	}
}

// draw draws the mark on a whisker from low to high.
func (m Mark) draw(c *draw.Canvas, x, low, high, y vg.Length) {
	const cap = 2.5
	s := Series{Arm: m.Arm, Source: m.Source}
	if high > low {
		style := draw.LineStyle{Color: see(s.color(), 70), Width: 1.2}
		c.StrokeLine2(style, low, y, high, y)
		c.StrokeLine2(style, low, y-cap, low, y+cap)
		c.StrokeLine2(style, high, y-cap, high, y+cap)
	}
	s.mark(c, vg.Point{X: x, Y: y})
}

func (m Mark) drawSwatch(c *draw.Canvas, r vg.Rectangle) {
	low, high := r.Min.X, r.Max.X
	if !(m.High > m.Low) {
		low = high
	}
	m.draw(c, (r.Min.X+r.Max.X)/2, low, high, (r.Min.Y+r.Max.Y)/2)
}
