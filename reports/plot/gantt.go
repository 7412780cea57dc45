package plot

import (
	"fmt"
	"math"
	"strconv"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Bar is one piece of a timeline: what a CPU ran from one time to another.
type Bar struct {
	Row      int     // the CPU's row, 0 on top
	From, To float64 // in the unit of the axis
	Kind     int     // index of its kind in the legend
}

// Timeline draws rows of bars, coloured by kind; names are the rows' and kinds the
// legend's, six at most. Bars narrower than a tenth of a point are drawn that
// wide.
func Timeline(l Labels, rows, kinds []string, from, to float64, bars []Bar) (*Figure, error) {
	switch {
	case len(rows) == 0:
		return nil, fmt.Errorf("plot: timeline: no rows")
	case len(kinds) == 0 || len(kinds) > len(palette):
		return nil, fmt.Errorf("plot: timeline: %d kinds, want 1 to %d", len(kinds), len(palette))
	case !(to > from) || math.IsInf(to-from, 0):
		return nil, fmt.Errorf("plot: timeline: from %v to %v, want a span of time", from, to)
	}
	for i, b := range bars {
		if b.Row < 0 || b.Row >= len(rows) || b.Kind < 0 || b.Kind >= len(kinds) || !(b.To >= b.From) {
			return nil, fmt.Errorf("plot: timeline: bar %d: row %d of %d, kind %d of %d, from %v to %v", i, b.Row, len(rows), b.Kind, len(kinds), b.From, b.To)
		}
	}
	f := &Figure{labels: l, height: min(max(vg.Length(len(rows))*11+50, 120), 560)}
	p := newPlot(l.X, l.Y)
	n := float64(len(rows))
	p.X.Min, p.X.Max = from, to
	p.Y.Min, p.Y.Max = 0, n
	p.X.Padding, p.Y.Padding = 0, 0
	p.X.Tick.Marker = roundTicks(from, to, 8, amount)
	every := int(math.Ceil(n * 9 / float64(f.height-50)))
	var ticks gplot.ConstantTicks
	for i, name := range rows {
		if i%every == 0 {
			ticks = append(ticks, gplot.Tick{Value: n - float64(i) - 0.5, Label: name})
		}
	}
	p.Y.Tick.Marker = ticks
	p.Y.Tick.Length = 0
	p.Add(grid{}, gantt{rows: len(rows), bars: bars})
	for i, k := range kinds {
		f.legend = append(f.legend, legendEntry{name: k, swatch: colorSwatch(palette[i])})
	}
	f.plot = p
	return f, nil
}

type gantt struct {
	rows int
	bars []Bar
}

// Plot makes gantt a gonum plotter.
func (g gantt) Plot(c draw.Canvas, p *gplot.Plot) {
	const least = 0.1
	trX, trY := p.Transforms(&c)
	high := trY(1) - trY(0)
	for _, b := range g.bars {
		x0, x1 := trX(max(b.From, p.X.Min)), trX(min(b.To, p.X.Max))
		if x1-x0 < least {
			x1 = x0 + least
		}
		y := trY(float64(g.rows-b.Row) - 0.5)
		r := vg.Rectangle{Min: vg.Point{X: x0, Y: y - 0.4*high}, Max: vg.Point{X: x1, Y: y + 0.4*high}}
		c.SetColor(palette[b.Kind])
		c.Fill(r.Path())
	}
}

// Matrix draws counts from each row to each column as shades with the numbers on
// them, such as migrations between sockets. The diagonal is as good as any other.
func Matrix(l Labels, names []string, counts [][]float64) (*Figure, error) {
	n := len(names)
	if n == 0 || len(counts) != n {
		return nil, fmt.Errorf("plot: matrix: %d names and %d rows, want as many of each", n, len(counts))
	}
	most := 0.0
	for i, row := range counts {
		if len(row) != n {
			return nil, fmt.Errorf("plot: matrix: row %d has %d columns, want %d", i, len(row), n)
		}
		for _, v := range row {
			if v < 0 || math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("plot: matrix: a count of %v in row %d", v, i)
			}
			most = max(most, v)
		}
	}
	f := &Figure{labels: l, height: min(max(vg.Length(n)*26+50, 140), 480)}
	p := newPlot(l.X, l.Y)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, float64(n), 0, float64(n)
	p.X.Padding, p.Y.Padding = 0, 0
	var xs, ys gplot.ConstantTicks
	for i, name := range names {
		xs = append(xs, gplot.Tick{Value: float64(i) + 0.5, Label: name})
		ys = append(ys, gplot.Tick{Value: float64(n-i) - 0.5, Label: name})
	}
	p.X.Tick.Marker, p.Y.Tick.Marker = xs, ys
	p.X.Tick.Length, p.Y.Tick.Length = 0, 0
	p.Add(shades{counts, most})
	f.plot = p
	return f, nil
}

type shades struct {
	counts [][]float64
	most   float64
}

// Plot makes shades a gonum plotter.
func (m shades) Plot(c draw.Canvas, p *gplot.Plot) {
	trX, trY := p.Transforms(&c)
	n := len(m.counts)
	style := sans(tickSize, false, ink)
	for i, row := range m.counts {
		for j, v := range row {
			r := vg.Rectangle{
				Min: vg.Point{X: trX(float64(j)) + 0.5, Y: trY(float64(n-i-1)) + 0.5},
				Max: vg.Point{X: trX(float64(j+1)) - 0.5, Y: trY(float64(n-i)) - 0.5},
			}
			share := 0.0
			if m.most > 0 {
				share = math.Sqrt(v / m.most) // small counts stay visible
			}
			c.SetColor(see(blue, uint32(4+56*share)))
			c.Fill(r.Path())
			text := strconv.FormatFloat(v, 'f', -1, 64)
			if v == math.Trunc(v) {
				text = amount(v, 1)
			}
			baseline(&c, style, vg.Point{X: (r.Min.X+r.Max.X)/2 - style.Width(text)/2, Y: (r.Min.Y+r.Max.Y)/2 - 0.36*tickSize}, text)
		}
	}
}
