package plot

import (
	"fmt"
	"math"
	"strconv"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Strip is one row of single runs: every run of both arms, in percent of the mean
// of the base runs.
type Strip struct {
	Key           string // "64"
	Base, Patched []float64
	// Note stands right of the row, such as "bimodal".
	Note string
}

// leastRange is the least width of the axis of Dots, percent.
const leastRange = 0.1

// Dots draws every run as a dot: a row for each strip, the first on top, the base
// runs as rings and below them the patched ones as dots. Errors name the row.
func Dots(l Labels, strips ...Strip) (*Figure, error) {
	if len(strips) == 0 {
		return nil, fmt.Errorf("plot: dots: no rows, give at least one")
	}
	r := rows{low: 100, high: 100, label: share}
	for _, s := range strips {
		for _, v := range append(append([]float64{}, s.Base...), s.Patched...) {
			if math.IsInf(v, 0) || math.IsNaN(v) {
				return nil, fmt.Errorf("plot: dots: row %q: %v has no place on an axis", s.Key, v)
			}
			r.low, r.high = min(r.low, v), max(r.high, v)
		}
		r.keys, r.notes = append(r.keys, s.Key), append(r.notes, s.Note)
	}
	if r.high-r.low < leastRange { // all runs are the same, but for rounding
		r.low, r.high = r.low-leastRange, r.high+leastRange
	}
	f := r.figure(l, dots(strips))
	f.legend = []legendEntry{
		{name: "base run", swatch: dotSwatch{Base}},
		{name: "patched run", swatch: dotSwatch{Patched}},
	}
	return f, nil
}

// dots is the plotter of all strips.
type dots []Strip

// Plot makes dots a gonum plotter.
func (d dots) Plot(c draw.Canvas, p *gplot.Plot) {
	trX, trY := p.Transforms(&c)
	const apart = rowHeight * 0.19
	for i, s := range d {
		y := at(trY, i, len(d))
		for _, v := range s.Base {
			drawDot(&c, Base, vg.Point{X: trX(v), Y: y + apart})
		}
		for _, v := range s.Patched {
			drawDot(&c, Patched, vg.Point{X: trX(v), Y: y - apart})
		}
	}
}

// drawDot draws one run.
func drawDot(c *draw.Canvas, arm Arm, at vg.Point) {
	if arm == Base {
		outline(c, Base, blue, at, 3)
		return
	}
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: vermillion, Radius: 3, Shape: draw.CircleGlyph{}}, at)
}

type dotSwatch struct{ arm Arm }

func (s dotSwatch) drawSwatch(c *draw.Canvas, r vg.Rectangle) {
	drawDot(c, s.arm, vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2})
}

// share labels a percentage of something.
func share(v, step float64) string {
	return strconv.FormatFloat(v, 'f', decimals(step), 64) + "%"
}
