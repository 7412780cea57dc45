package plot

import (
	"fmt"
	"math"
	"strconv"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Matrix draws counts as shades with the numbers on them: from socket (row) to socket
// (column), or of each kernel (row) by distance (column).
func Matrix(l Labels, rows, columns []string, counts [][]float64) (*Figure, error) {
	if len(rows) == 0 || len(columns) == 0 || len(counts) != len(rows) {
		return nil, fmt.Errorf("plot: matrix: %d and %d names and %d rows, want a row for each name", len(rows), len(columns), len(counts))
	}
	most := 0.0
	for i, row := range counts {
		if len(row) != len(columns) {
			return nil, fmt.Errorf("plot: matrix: row %d has %d columns, want %d", i, len(row), len(columns))
		}
		for _, v := range row {
			if v < 0 || math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("plot: matrix: a count of %v in row %d", v, i)
			}
			most = max(most, v)
		}
	}
	f := &Figure{labels: l, height: min(max(vg.Length(len(rows))*26+rowAxes, 100), 480)}
	p := newPlot(l.X, l.Y)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, float64(len(columns)), 0, float64(len(rows))
	p.X.Padding, p.Y.Padding = 0, 0
	var xs, ys gplot.ConstantTicks
	for i, name := range columns {
		xs = append(xs, gplot.Tick{Value: float64(i) + 0.5, Label: name})
	}
	for i, name := range rows {
		ys = append(ys, gplot.Tick{Value: float64(len(rows)-i) - 0.5, Label: name})
	}
	p.X.Tick.Marker, p.Y.Tick.Marker = xs, ys
	p.X.Tick.Length, p.Y.Tick.Length = 0, 0
	p.X.LineStyle.Width, p.Y.LineStyle.Width = 0, 0
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
			c.SetColor(see(blue, uint32(4+46*share)))
			c.Fill(r.Path())
			text := strconv.FormatFloat(v, 'f', -1, 64)
			if v == math.Trunc(v) {
				text = amount(v, 1)
			}
			baseline(&c, style, vg.Point{X: (r.Min.X+r.Max.X)/2 - style.Width(text)/2, Y: (r.Min.Y+r.Max.Y)/2 - 0.36*tickSize}, text)
		}
	}
}
