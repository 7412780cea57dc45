package plot

import (
	"fmt"
	"math"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Points are single runs of a kernel by two figures of each.
type Points struct {
	Name string
	Arm  Arm
	X, Y []float64
}

// Level is a value to hold points against, drawn as a line across.
type Level struct {
	Name string
	Y    float64
}

// Scatter draws a mark for each run, rings for base and dots for patched as
// elsewhere, over linear axes that both begin where the figures do: what is to be seen
// is which runs lie together. Levels have their name at the right end.
func Scatter(l Labels, levels []Level, points ...Points) (*Figure, error) {
	left, right := math.Inf(1), math.Inf(-1)
	low, high := math.Inf(1), math.Inf(-1)
	f := &Figure{labels: l, height: linesHeight}
	p := newPlot(l.X, l.Y)
	for _, s := range points {
		if len(s.X) != len(s.Y) || len(s.X) == 0 {
			return nil, fmt.Errorf("plot: points %q: %d X and %d Y, want as many of each, and some", s.Name, len(s.X), len(s.Y))
		}
		if s.Arm != Base && s.Arm != Patched {
			return nil, fmt.Errorf("plot: points %q: no arm %d", s.Name, s.Arm)
		}
		for i, x := range s.X {
			if math.IsNaN(x+s.Y[i]) || math.IsInf(x+s.Y[i], 0) {
				return nil, fmt.Errorf("plot: points %q: point %d (%v, %v): want finite numbers", s.Name, i+1, x, s.Y[i])
			}
			left, right = min(left, x), max(right, x)
			low, high = min(low, s.Y[i]), max(high, s.Y[i])
		}
		p.Add(s)
		f.legend = append(f.legend, legendEntry{name: s.Name, swatch: s})
	}
	if len(points) == 0 {
		return nil, fmt.Errorf("plot: scatter: no points, give at least one series")
	}
	for _, v := range levels {
		if math.IsNaN(v.Y) || math.IsInf(v.Y, 0) {
			return nil, fmt.Errorf("plot: level %q: %v has no place on an axis", v.Name, v.Y)
		}
		low, high = min(low, v.Y), max(high, v.Y)
		f.right = max(f.right, noteStyle.Width(v.Name)+noteGap)
		p.Add(v)
	}
	p.X.Min, p.X.Max = around(left, right)
	p.Y.Min, p.Y.Max = around(low, high)
	p.X.Padding, p.Y.Padding = 0, 0
	p.X.Tick.Marker = roundTicks(p.X.Min, p.X.Max, 8, amount)
	p.Y.Tick.Marker = roundTicks(p.Y.Min, p.Y.Max, 5, amount)
	p.Y.LineStyle.Width, p.Y.Tick.Length = 0, 0
	p.Add(grid{horizontal: true})
	f.plot = p
	return f, nil
}

// around widens a range, so that no mark is on its border.
func around(low, high float64) (float64, float64) {
	space := (high - low) * 0.05
	if space == 0 {
		space = max(math.Abs(low)*0.05, 1)
	}
	return low - space, high + space
}

// Plot makes Points a gonum plotter.
func (s Points) Plot(c draw.Canvas, p *gplot.Plot) {
	trX, trY := p.Transforms(&c)
	for i, x := range s.X {
		s.mark(&c, vg.Point{X: trX(x), Y: trY(s.Y[i])})
	}
}

func (s Points) mark(c *draw.Canvas, at vg.Point) {
	if s.Arm == Base {
		outline(c, Base, blue, at, 3.4)
		return
	}
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: vermillion, Radius: 2.8, Shape: draw.CircleGlyph{}}, at)
}

func (s Points) drawSwatch(c *draw.Canvas, r vg.Rectangle) {
	s.mark(c, vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2})
}

// Plot makes Level a gonum plotter.
func (v Level) Plot(c draw.Canvas, p *gplot.Plot) {
	_, trY := p.Transforms(&c)
	y := trY(v.Y)
	c.StrokeLine2(draw.LineStyle{Color: see(ink, 60), Width: 0.8, Dashes: dashes[1]}, c.Min.X, y, c.Max.X, y)
	baseline(&c, noteStyle, vg.Point{X: c.Max.X + noteGap, Y: y - 0.36*noteStyle.Font.Size}, v.Name)
}
