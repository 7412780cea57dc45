package plot

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Arm is one side of a comparison. It sets the colour: blue and vermillion.
type Arm int

// The arms.
const (
	Base Arm = iota
	Patched
)

// Source is where the numbers of a series are from. It sets the form: rings
// and boxes for published numbers, lines with dots for simulated ones, triangles in
// a colour of their own for what was measured on a machine of the reader's.
type Source int

// The sources.
const (
	Published Source = iota
	Simulated
	Measured
)

// A Series is one column of results.
type Series struct {
	Name   string // as the legend shows it
	Arm    Arm
	Source Source
	// X is the count, such as clients, Y what was measured with it. An X
	// must be positive; a Y of NaN was not measured and leaves a gap.
	X, Y []float64
	// Low and High are the range around it, such as the 10th and 90th percentile
	// over runs: a band along the line of a simulated series, bars at the others'
	// points. Nil, or NaN at a point, is a point without.
	Low, High []float64
}

// dodge is by how many octaves two arms are drawn apart, so that neither
// covers the other where they agree.
const dodge = 0.07

// A placed series is one with its distance from X, as a factor.
type placed struct {
	Series
	shift float64
}

// scalingHeight is the height of the plot below the legend, in points.
const scalingHeight = 270

// Scaling draws series over a logarithmic (base 2) axis with a tick at each X,
// and over a linear axis that starts at 0. Where there are two arms they are moved a
// little to the left and to the right of their X. Errors name the series and point.
func Scaling(l Labels, series ...Series) (*Figure, error) {
	if len(series) == 0 {
		return nil, fmt.Errorf("plot: scaling: no series, give at least one")
	}
	f := &Figure{labels: l, height: scalingHeight}
	p := newPlot(l.X, l.Y)
	var xs []float64
	top := 0.0
	arms := make([]bool, 2)
	for _, s := range series {
		if err := s.check(); err != nil {
			return nil, err
		}
		for i, x := range s.X {
			if !slices.Contains(xs, x) {
				xs = append(xs, x)
			}
			top = max(top, number(s.Y[i]), number(s.high(i)))
		}
		f.legend = append(f.legend, legendEntry{name: s.Name, swatch: s})
		arms[s.Arm] = true
	}
	if len(xs) == 0 {
		return nil, fmt.Errorf("plot: scaling: the series have no points")
	}
	if top == 0 {
		top = 1 // nothing was measured: an empty frame
	}
	slices.Sort(xs)

	side := math.Exp2(2.5 * dodge)
	p.X.Scale = gplot.LogScale{}
	p.X.Min, p.X.Max = xs[0]/side, xs[len(xs)-1]*side
	// The tick labels of the value axis take some 50 points off the width.
	octaves := math.Log2(p.X.Max / p.X.Min)
	p.X.Tick.Marker = rowTicks(xs, math.Log2, vg.Length((width-2*margin-60)/octaves))
	p.Y.Min, p.Y.Max = 0, top*1.04
	p.Y.Tick.Marker = roundTicks(0, p.Y.Max, 6, amount)
	p.X.Padding, p.Y.Padding = 0, 0 // the axis is where 0 is
	p.Y.LineStyle.Width = 0
	p.Y.Tick.Length = 0

	p.Add(grid{horizontal: true})
	// Lines first: published marks must stay visible on top of them.
	for _, want := range []Source{Simulated, Published, Measured} {
		for _, s := range series {
			if s.Source != want {
				continue
			}
			shift := 1.0
			if arms[Base] && arms[Patched] {
				shift = math.Exp2(dodge * (float64(s.Arm) - 0.5))
			}
			p.Add(placed{Series: s, shift: shift})
		}
	}
	f.plot = p
	return f, nil
}

// number returns v, or 0 for NaN.
func number(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}

// low and high return the ends of the bar at point i, NaN for none.
func (s Series) low(i int) float64  { return valueAt(s.Low, i) }
func (s Series) high(i int) float64 { return valueAt(s.High, i) }

func valueAt(v []float64, i int) float64 {
	if v == nil {
		return math.NaN()
	}
	return v[i]
}

// check returns why a series cannot be drawn.
func (s Series) check() error {
	if (s.Arm != Base && s.Arm != Patched) || s.Source < Published || s.Source > Measured {
		return fmt.Errorf("plot: series %q: arm %d of source %d is none that is drawn", s.Name, s.Arm, s.Source)
	}
	if len(s.X) != len(s.Y) || (s.Low != nil && len(s.Low) != len(s.X)) || (s.High != nil && len(s.High) != len(s.X)) || (s.Low == nil) != (s.High == nil) {
		return fmt.Errorf("plot: series %q: %d X, %d Y, %d Low and %d High, want as many of each, or no Low and High",
			s.Name, len(s.X), len(s.Y), len(s.Low), len(s.High))
	}
	for i, x := range s.X {
		if !(x > 0) || math.IsInf(x, 0) {
			return fmt.Errorf("plot: series %q: point %d: X is %v, want a positive number for a logarithmic axis", s.Name, i+1, x)
		}
		for _, y := range []float64{s.Y[i], s.low(i), s.high(i)} {
			if y < 0 || math.IsInf(y, 0) {
				return fmt.Errorf("plot: series %q: point %d: %v is off an axis that starts at 0", s.Name, i+1, y)
			}
		}
		if s.low(i) > s.high(i) {
			return fmt.Errorf("plot: series %q: point %d: bar from %v down to %v, exchange Low and High", s.Name, i+1, s.low(i), s.high(i))
		}
	}
	return nil
}

func (s Series) color() color.NRGBA {
	if s.Source == Measured {
		return green
	}
	if s.Arm == Patched {
		return vermillion
	}
	return blue
}

// Plot draws the series; it makes placed a gonum plotter.
func (s placed) Plot(c draw.Canvas, p *gplot.Plot) {
	trX, trY := p.Transforms(&c)
	for _, r := range s.ranges() {
		var upper, lower []vg.Point
		for i := r[0]; i < r[1]; i++ {
			x := trX(s.X[i] * s.shift)
			upper, lower = append(upper, vg.Point{X: x, Y: trY(s.high(i))}), append(lower, vg.Point{X: x, Y: trY(s.low(i))})
		}
		if s.Source == Simulated && len(upper) > 1 {
			s.band(&c, upper, lower)
			continue
		}
		for i := range upper {
			s.bar(&c, upper[i].X, lower[i].Y, upper[i].Y)
		}
	}
	var run []vg.Point // points without a gap between them
	for i := range s.X {
		pt := vg.Point{X: trX(s.X[i] * s.shift), Y: trY(s.Y[i])}
		if math.IsNaN(s.Y[i]) {
			s.line(&c, run)
			run = nil
			continue
		}
		run = append(run, pt)
		s.mark(&c, pt)
	}
	s.line(&c, run)
}

// line draws the line of a simulated series, dashed for the patched arm.
func (s Series) line(c *draw.Canvas, points []vg.Point) {
	if s.Source != Simulated || len(points) < 2 {
		return
	}
	style := draw.LineStyle{Color: s.color(), Width: 1.3}
	if s.Arm == Patched {
		style.Dashes = []vg.Length{5, 2.5}
	}
	c.StrokeLines(style, points)
}

// ranges are the stretches of points that have a range, each from its first point
// to behind its last.
func (s Series) ranges() [][2]int {
	var out [][2]int
	for i := range s.X {
		if math.IsNaN(s.low(i)) || math.IsNaN(s.high(i)) {
			continue
		}
		if n := len(out); n > 0 && out[n-1][1] == i {
			out[n-1][1]++
			continue
		}
		out = append(out, [2]int{i, i + 1})
	}
	return out
}

// band fills what is between two lines.
func (s Series) band(c *draw.Canvas, upper, lower []vg.Point) {
	slices.Reverse(lower)
	c.FillPolygon(see(s.color(), 20), append(upper, lower...))
}

// bar draws an error bar with caps.
func (s Series) bar(c *draw.Canvas, x, low, high vg.Length) {
	const cap = 2.5
	style := draw.LineStyle{Color: s.color(), Width: 1}
	c.StrokeLine2(style, x, low, x, high)
	c.StrokeLine2(style, x-cap, low, x+cap, low)
	c.StrokeLine2(style, x-cap, high, x+cap, high)
}

// mark draws one point.
func (s Series) mark(c *draw.Canvas, pt vg.Point) {
	switch s.Source {
	case Simulated:
		c.DrawGlyphNoClip(draw.GlyphStyle{Color: s.color(), Radius: 2, Shape: draw.CircleGlyph{}}, pt)
		return
	case Measured:
		triangle(c, s.Arm, pt, 4)
		return
	}
	outline(c, s.Arm, s.color(), pt, 4.2)
}

// outline draws the mark of a published number: a ring for the base, a box
// that stands on its corner for the patched kernel.
func outline(c *draw.Canvas, arm Arm, clr color.Color, pt vg.Point, r vg.Length) {
	var path vg.Path
	if arm == Base {
		path.Move(vg.Point{X: pt.X + r, Y: pt.Y})
		path.Arc(pt, r, 0, 2*math.Pi)
	} else {
		r *= 1.25 // looks as large as the ring
		path.Move(vg.Point{X: pt.X + r, Y: pt.Y})
		path.Line(vg.Point{X: pt.X, Y: pt.Y + r})
		path.Line(vg.Point{X: pt.X - r, Y: pt.Y})
		path.Line(vg.Point{X: pt.X, Y: pt.Y - r})
	}
	path.Close()
	c.SetLineStyle(draw.LineStyle{Color: clr, Width: 1.3})
	c.Stroke(path)
}

// drawSwatch draws the legend's sample of the series.
func (s Series) drawSwatch(c *draw.Canvas, r vg.Rectangle) {
	middle := vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}
	if s.Source != Published {
		s.line(c, []vg.Point{{X: r.Min.X, Y: middle.Y}, {X: r.Max.X, Y: middle.Y}})
		if s.Low != nil {
			s.band(c, []vg.Point{{X: r.Min.X, Y: r.Max.Y}, r.Max}, []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}})
		}
	}
	if s.Source == Measured && s.Low != nil {
		s.bar(c, middle.X, r.Min.Y, r.Max.Y)
	}
	s.mark(c, middle)
}

// grid draws thin lines at the ticks of one axis.
type grid struct{ horizontal bool }

// Plot makes grid a gonum plotter.
func (g grid) Plot(c draw.Canvas, p *gplot.Plot) {
	trX, trY := p.Transforms(&c)
	style := draw.LineStyle{Color: see(ink, 14), Width: 0.6}
	if g.horizontal {
		for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
			c.StrokeLine2(style, c.Min.X, trY(t.Value), c.Max.X, trY(t.Value))
		}
		return
	}
	for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		c.StrokeLine2(style, trX(t.Value), c.Min.Y, trX(t.Value), c.Max.Y)
	}
}
