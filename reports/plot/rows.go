package plot

import (
	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of a plot of rows, in points.
const (
	rowHeight = 27
	rowAxes   = 46 // ticks and label below the rows
	noteGap   = 8
)

// rows are the axes of a plot that has a row for each key, the first on top, over a
// linear axis from low to high, and a note right of each row.
type rows struct {
	keys, notes []string
	low, high   float64
	label       func(v, step float64) string // of a tick
}

// figure is the empty plot with its room; the plotters go on top of the grid.
func (r rows) figure(l Labels, plotters ...gplot.Plotter) *Figure {
	space := (r.high - r.low) * 0.04
	p := newPlot(l.X, l.Y)
	p.X.Min, p.X.Max = r.low-space, r.high+space
	p.X.Tick.Marker = roundTicks(p.X.Min, p.X.Max, 8, r.label)
	p.X.LineStyle.Width, p.X.Tick.Length = 0, 0
	n := len(r.keys)
	p.Y.Min, p.Y.Max = -0.5, float64(n)-0.5
	var ticks gplot.ConstantTicks
	for i, k := range r.keys {
		ticks = append(ticks, gplot.Tick{Value: float64(n - 1 - i), Label: k})
	}
	p.Y.Tick.Marker = ticks
	p.Y.LineStyle.Width, p.Y.Tick.Length = 0, 0
	p.Add(grid{}, separators(n), notes(r.notes))
	p.Add(plotters...)
	f := &Figure{labels: l, plot: p, height: vg.Length(n)*rowHeight + rowAxes}
	for _, note := range r.notes {
		if note != "" {
			f.right = max(f.right, noteStyle.Width(note)+noteGap)
		}
	}
	return f
}

// noteStyle is that of notes, and of what a row says where a figure is missing.
var noteStyle = sans(tickSize, false, faint)

// at is the middle of row i of n.
func at(trY func(float64) vg.Length, i, n int) vg.Length { return trY(float64(n - 1 - i)) }

// separators are the lines between so many rows.
type separators int

// Plot makes separators a gonum plotter.
func (n separators) Plot(c draw.Canvas, p *gplot.Plot) {
	_, trY := p.Transforms(&c)
	style := draw.LineStyle{Color: see(ink, 14), Width: 0.6}
	for i := 1; i < int(n); i++ {
		y := at(trY, i, int(n)) + rowHeight/2.0
		c.StrokeLine2(style, c.Min.X, y, c.Max.X, y)
	}
}

// notes are the texts right of the rows.
type notes []string

// Plot makes notes a gonum plotter.
func (n notes) Plot(c draw.Canvas, p *gplot.Plot) {
	_, trY := p.Transforms(&c)
	for i, text := range n {
		y := at(trY, i, len(n))
		baseline(&c, noteStyle, vg.Point{X: c.Max.X + noteGap, Y: y - 0.36*noteStyle.Font.Size}, text)
	}
}
