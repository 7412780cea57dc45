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

// palette is Okabe and Ito's, in the order in which series without an arm take it.
// The two arms have the first two.
var palette = []color.NRGBA{
	blue, vermillion,
	{0x00, 0x9e, 0x73, 0xff}, // bluish green
	{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
	{0xe6, 0x9f, 0x00, 0xff}, // orange
	{0x56, 0xb4, 0xe9, 0xff}, // sky blue
}

// dashes tell lines apart without colour.
var dashes = [][]vg.Length{nil, {5, 2.5}, {1.5, 2}, {7, 2, 1.5, 2}, {3, 1.5}, {9, 3}}

// A Line is a curve over a linear axis.
type Line struct {
	Name string
	X, Y []float64 // NaN in Y is a gap
	// Steps draws it as steps: each value holds until the next X.
	Steps bool
	// Color and Dash choose a colour of the palette and a kind of line, from 1; 0 is
	// that of the line's place. The first colour is the base kernel's and the second
	// the patched one's: lines that are neither take others.
	Color, Dash int
}

// linesHeight is the height of the plot below the legend, in points.
const linesHeight = 230

// Lines draws up to six curves over linear axes, the value axis from 0.
func Lines(l Labels, lines ...Line) (*Figure, error) {
	if len(lines) == 0 || len(lines) > len(palette) {
		return nil, fmt.Errorf("plot: lines: %d series, want 1 to %d", len(lines), len(palette))
	}
	f := &Figure{labels: l, height: linesHeight}
	p := newPlot(l.X, l.Y)
	left, right, top := math.Inf(1), math.Inf(-1), 0.0
	for i, s := range lines {
		if len(s.X) != len(s.Y) || len(s.X) == 0 {
			return nil, fmt.Errorf("plot: series %q: %d X and %d Y, want as many of each, and some", s.Name, len(s.X), len(s.Y))
		}
		for k, x := range s.X {
			if math.IsNaN(x) || math.IsInf(x, 0) || math.IsInf(s.Y[k], 0) || s.Y[k] < 0 || k > 0 && x < s.X[k-1] {
				return nil, fmt.Errorf("plot: series %q: point %d (%v, %v): want finite numbers, X in order and Y from 0", s.Name, k+1, x, s.Y[k])
			}
			top = max(top, number(s.Y[k]))
		}
		left, right = min(left, s.X[0]), max(right, s.X[len(s.X)-1])
		if s.Color < 0 || s.Color > len(palette) || s.Dash < 0 || s.Dash > len(dashes) {
			return nil, fmt.Errorf("plot: series %q: colour %d of %d, dash %d of %d", s.Name, s.Color, len(palette), s.Dash, len(dashes))
		}
		p.Add(curve{Line: s, series: i})
		f.legend = append(f.legend, legendEntry{name: s.Name, swatch: curve{Line: s, series: i}})
	}
	if right == left {
		right = left + 1
	}
	if top == 0 {
		top = 1
	}
	p.X.Min, p.X.Max = left, right
	p.Y.Min, p.Y.Max = 0, top*1.04
	p.X.Padding, p.Y.Padding = 0, 0
	p.X.Tick.Marker = roundTicks(left, right, 8, amount)
	p.Y.Tick.Marker = roundTicks(0, p.Y.Max, 5, amount)
	p.Y.LineStyle.Width, p.Y.Tick.Length = 0, 0
	p.Add(grid{horizontal: true})
	f.plot = p
	return f, nil
}

// curve is a line with its place in the palette.
type curve struct {
	Line
	series int
}

func (s curve) style() draw.LineStyle {
	color, dash := s.series, s.series
	if s.Color > 0 {
		color = s.Color - 1
	}
	if s.Dash > 0 {
		dash = s.Dash - 1
	}
	return draw.LineStyle{Color: palette[color], Width: 1.3, Dashes: dashes[dash]}
}

// Plot makes curve a gonum plotter.
func (s curve) Plot(c draw.Canvas, p *gplot.Plot) {
	trX, trY := p.Transforms(&c)
	var run []vg.Point
	flush := func() {
		if len(run) > 1 {
			c.StrokeLines(s.style(), run)
		}
		run = nil
	}
	for i, x := range s.X {
		if math.IsNaN(s.Y[i]) {
			flush()
			continue
		}
		pt := vg.Point{X: trX(x), Y: trY(s.Y[i])}
		if s.Steps && len(run) > 0 {
			run = append(run, vg.Point{X: pt.X, Y: run[len(run)-1].Y})
		}
		run = append(run, pt)
	}
	flush()
}

func (s curve) drawSwatch(c *draw.Canvas, r vg.Rectangle) {
	y := (r.Min.Y + r.Max.Y) / 2
	c.StrokeLine2(s.style(), r.Min.X, y, r.Max.X, y)
}

// A Sample is measured times of one kernel, for CDF.
type Sample struct {
	Name   string
	Values []float64 // positive
}

// CDF draws the share of each sample, in percent, that is at most X, over a
// logarithmic axis.
func CDF(l Labels, samples ...Sample) (*Figure, error) {
	if len(samples) == 0 || len(samples) > len(palette) {
		return nil, fmt.Errorf("plot: CDF: %d samples, want 1 to %d", len(samples), len(palette))
	}
	f := &Figure{labels: l, height: linesHeight}
	p := newPlot(l.X, l.Y)
	low, high := math.Inf(1), math.Inf(-1)
	for i, s := range samples {
		v := slices.Sorted(slices.Values(s.Values))
		if len(v) == 0 || !(v[0] > 0) || math.IsInf(v[len(v)-1], 0) {
			return nil, fmt.Errorf("plot: CDF: sample %q: want positive numbers, and some", s.Name)
		}
		low, high = min(low, v[0]), max(high, v[len(v)-1])
		p.Add(curve{Line: cdf(s.Name, v), series: i})
		f.legend = append(f.legend, legendEntry{name: fmt.Sprintf("%s (%s)", s.Name, amount(float64(len(v)), 1)), swatch: curve{series: i}})
	}
	if high <= low {
		high = low * 1.1
	}
	p.X.Scale = gplot.LogScale{}
	p.X.Min, p.X.Max = low, high
	p.Y.Min, p.Y.Max = 0, 100
	p.X.Padding, p.Y.Padding = 0, 0
	p.X.Tick.Marker = decadeTicks(low, high)
	p.Y.Tick.Marker = roundTicks(0, 100, 5, amount)
	p.Y.LineStyle.Width, p.Y.Tick.Length = 0, 0
	p.Add(grid{horizontal: true}, grid{})
	f.plot = p
	return f, nil
}

// cdfPoints is how many points a curve has at most: more are no wider than a line.
const cdfPoints = 400

// cdf is the curve of sorted values.
func cdf(name string, v []float64) Line {
	n := min(len(v), cdfPoints)
	s := Line{Name: name, Steps: true, X: make([]float64, n), Y: make([]float64, n)}
	for i := range n {
		k := len(v) - 1
		if n > 1 {
			k = i * (len(v) - 1) / (n - 1)
		}
		s.X[i], s.Y[i] = v[k], 100*float64(k+1)/float64(len(v))
	}
	return s
}

// decadeTicks are ticks at 1, 2 and 5 of each power of ten, at the powers alone
// where there are many.
func decadeTicks(low, high float64) gplot.ConstantTicks {
	var ticks gplot.ConstantTicks
	factors := []float64{1, 2, 5}
	if math.Log10(high/low) > 4 {
		factors = factors[:1]
	}
	for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
		for _, m := range factors {
			if v := m * math.Pow(10, e); v >= low*(1-1e-9) && v <= high*(1+1e-9) {
				ticks = append(ticks, gplot.Tick{Value: v, Label: amount(v, math.Pow(10, e))})
			}
		}
	}
	return ticks
}
