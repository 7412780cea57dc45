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
	low, high := 100.0, 100.0
	noteWidth := vg.Length(0)
	note := sans(tickSize, false, faint)
	for _, s := range strips {
		for _, v := range append(append([]float64{}, s.Base...), s.Patched...) {
			if math.IsInf(v, 0) || math.IsNaN(v) {
				return nil, fmt.Errorf("plot: dots: row %q: %v has no place on an axis", s.Key, v)
			}
			low, high = min(low, v), max(high, v)
		}
		noteWidth = max(noteWidth, note.Width(s.Note))
	}
	if high-low < leastRange { // all runs are the same, but for rounding
		low, high = low-leastRange, high+leastRange
	}
	space := (high - low) * 0.04

	p := newPlot(l.X, l.Y)
	p.X.Min, p.X.Max = low-space, high+space
	p.X.Tick.Marker = roundTicks(p.X.Min, p.X.Max, 8, share)
	p.X.LineStyle.Width = 0
	p.X.Tick.Length = 0
	n := len(strips)
	p.Y.Min, p.Y.Max = -0.5, float64(n)-0.5
	var keys gplot.ConstantTicks
	for i, s := range strips {
		keys = append(keys, gplot.Tick{Value: float64(n - 1 - i), Label: s.Key})
	}
	p.Y.Tick.Marker = keys
	p.Y.LineStyle.Width = 0
	p.Y.Tick.Length = 0
	p.Add(grid{}, dots{strips: strips, note: note})
	f := &Figure{
		labels: l,
		plot:   p,
		height: vg.Length(n)*effectRow + effectAxes,
		legend: []legendEntry{
			{name: "base run", swatch: dotSwatch{Base}},
			{name: "patched run", swatch: dotSwatch{Patched}},
		},
	}
	if noteWidth > 0 {
		f.right = noteWidth + noteGap
	}
	return f, nil
}

// dots is the plotter of all strips.
type dots struct {
	strips []Strip
	note   draw.TextStyle
}

// Plot makes dots a gonum plotter.
func (d dots) Plot(c draw.Canvas, p *gplot.Plot) {
	trX, trY := p.Transforms(&c)
	const apart = effectRow * 0.19
	separator := draw.LineStyle{Color: see(ink, 14), Width: 0.6}
	for i, s := range d.strips {
		y := trY(float64(len(d.strips) - 1 - i))
		if i > 0 {
			c.StrokeLine2(separator, c.Min.X, y+effectRow/2.0, c.Max.X, y+effectRow/2.0)
		}
		for _, v := range s.Base {
			drawDot(&c, Base, vg.Point{X: trX(v), Y: y + apart})
		}
		for _, v := range s.Patched {
			drawDot(&c, Patched, vg.Point{X: trX(v), Y: y - apart})
		}
		baseline(&c, d.note, vg.Point{X: c.Max.X + noteGap, Y: y - 0.36*d.note.Font.Size}, s.Note)
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
