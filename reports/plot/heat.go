package plot

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Queue colours: nothing for an idle CPU, blue for one task, and from there to
// vermillion and dark red the more wait. Who cannot tell the hues apart sees the
// last grow darker.
var queueStops = []struct {
	at float64
	c  color.NRGBA
}{
	{0, color.NRGBA{0x56, 0xb4, 0xe9, 0x00}},
	{1, blue},
	{1.001, color.NRGBA{0xe6, 0x9f, 0x00, 0xff}},
	{2, vermillion},
	{4, color.NRGBA{0x7a, 0x1f, 0x00, 0xff}},
}

// queueColor is the colour of so many runnable tasks.
func queueColor(v float64) color.NRGBA {
	last := queueStops[len(queueStops)-1]
	if math.IsNaN(v) {
		return color.NRGBA{}
	}
	for i := 1; i < len(queueStops); i++ {
		a, b := queueStops[i-1], queueStops[i]
		if v > b.at {
			continue
		}
		f := (max(v, a.at) - a.at) / (b.at - a.at)
		mix := func(x, y uint8) uint8 { return uint8(float64(x) + f*(float64(y)-float64(x)) + 0.5) }
		return color.NRGBA{mix(a.c.R, b.c.R), mix(a.c.G, b.c.G), mix(a.c.B, b.c.B), mix(a.c.A, b.c.A)}
	}
	return last.c
}

// Heat plots take this height, in points.
const heatHeight = 300

// Queues draws runnable tasks of CPUs (rows, CPU 0 on top) over time (columns from
// 0 to span, in the unit of the label): a heat map with its colours explained
// above. Every groups-th row has a line above it, such as each socket; 0 draws
// none.
func Queues(l Labels, cells [][]float64, span float64, group int) (*Figure, error) {
	if len(cells) == 0 || len(cells[0]) == 0 {
		return nil, fmt.Errorf("plot: queues: no cells, give a row a CPU and a column a time")
	}
	for i, row := range cells {
		if len(row) != len(cells[0]) {
			return nil, fmt.Errorf("plot: queues: row %d has %d columns, row 0 has %d", i, len(row), len(cells[0]))
		}
	}
	if !(span > 0) || math.IsInf(span, 0) {
		return nil, fmt.Errorf("plot: queues: a span of %v, want a time above 0", span)
	}
	f := &Figure{labels: l, height: heatHeight}
	p := newPlot(l.X, l.Y)
	rows := float64(len(cells))
	p.X.Min, p.X.Max = 0, span
	p.Y.Min, p.Y.Max = 0, rows
	p.X.Padding, p.Y.Padding = 0, 0
	p.X.Tick.Marker = roundTicks(0, span, 8, amount)
	var ticks gplot.ConstantTicks
	s := max(step(rows, 8), 1)
	if group > 0 {
		s = float64(group)
		for rows/s > 12 {
			s *= 2
		}
	}
	for cpu := 0.0; cpu < rows; cpu += s {
		ticks = append(ticks, gplot.Tick{Value: rows - cpu - 0.5, Label: strconv.Itoa(int(cpu))})
	}
	p.Y.Tick.Marker = ticks
	p.Add(heat{cells: cells, group: group})
	for _, e := range []struct {
		name string
		at   float64
	}{{"idle", 0}, {"1 task", 1}, {"1.5", 1.5}, {"2", 2}, {"3", 3}, {"4 and more", 4}} {
		f.legend = append(f.legend, legendEntry{name: e.name, swatch: colorSwatch(queueColor(e.at))})
	}
	f.plot = p
	return f, nil
}

type heat struct {
	cells [][]float64
	group int
}

// Plot draws the cells as one image, a pixel each.
func (h heat) Plot(c draw.Canvas, p *gplot.Plot) {
	rows, columns := len(h.cells), len(h.cells[0])
	img := image.NewNRGBA(image.Rect(0, 0, columns, rows))
	for y, row := range h.cells {
		for x, v := range row {
			img.SetNRGBA(x, y, queueColor(v))
		}
	}
	trX, trY := p.Transforms(&c)
	r := vg.Rectangle{Min: vg.Point{X: trX(p.X.Min), Y: trY(p.Y.Min)}, Max: vg.Point{X: trX(p.X.Max), Y: trY(p.Y.Max)}}
	c.DrawImage(r, enlarge(img, int(r.Size().X), int(r.Size().Y)))
	if h.group <= 0 {
		return
	}
	style := draw.LineStyle{Color: see(ink, 45), Width: 0.5}
	for y := h.group; y < rows; y += h.group {
		at := trY(float64(rows - y))
		c.StrokeLine2(style, r.Min.X, at, r.Max.X, at)
	}
}

// enlarge repeats pixels so that an image has at least so many, which keeps
// browsers from blurring it.
func enlarge(img *image.NRGBA, width, height int) *image.NRGBA {
	b := img.Bounds()
	fx, fy := max(1, (2*width)/b.Dx()), max(1, (2*height)/b.Dy())
	if fx == 1 && fy == 1 {
		return img
	}
	out := image.NewNRGBA(image.Rect(0, 0, b.Dx()*fx, b.Dy()*fy))
	for y := range out.Bounds().Dy() {
		for x := range out.Bounds().Dx() {
			out.SetNRGBA(x, y, img.NRGBAAt(x/fx, y/fy))
		}
	}
	return out
}

// colorSwatch is a filled box in the legend.
type colorSwatch color.NRGBA

func (s colorSwatch) drawSwatch(c *draw.Canvas, r vg.Rectangle) {
	r.Min.X = r.Max.X - 14
	if s.A > 0 {
		c.SetColor(color.NRGBA(s))
		c.Fill(r.Path())
	}
	c.SetLineStyle(draw.LineStyle{Color: see(ink, 45), Width: 0.5})
	c.Stroke(r.Path())
}
