package plot

import (
	"fmt"
	"image"
	"image/color"
	"math"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Queue colours: nothing for an idle CPU, blue for one task, and from there to
// vermillion and dark red the more wait. Who cannot tell the hues apart sees the
// last grow darker. A tenth more than one task is still blue: a tick's worth of a
// kernel thread is no queue.
var queueStops = []struct {
	at float64
	c  color.NRGBA
}{
	{0, color.NRGBA{0x56, 0xb4, 0xe9, 0x00}},
	{1, blue}, {1.1, blue},
	{1.101, color.NRGBA{0xe6, 0x9f, 0x00, 0xff}},
	{2, vermillion},
	{4, color.NRGBA{0x7a, 0x1f, 0x00, 0xff}},
}

// queueColor is the colour of so many runnable tasks.
func queueColor(v float64) color.NRGBA {
	if math.IsNaN(v) {
		return color.NRGBA{}
	}
	for i := 1; i < len(queueStops); i++ {
		a, b := queueStops[i-1], queueStops[i]
		if v <= b.at {
			return mix(a.c, b.c, (max(v, a.at)-a.at)/(b.at-a.at))
		}
	}
	return queueStops[len(queueStops)-1].c
}

// queueScale is the colour bar of run queues.
var queueScale = colorScale{
	name: "runnable tasks", low: 0, high: 5, color: queueColor,
	ticks: gplot.ConstantTicks{
		{Value: 0, Label: "idle"}, {Value: 1, Label: "1"}, {Value: 2, Label: "2"},
		{Value: 3, Label: "3"}, {Value: 4, Label: "4 and more"},
	},
}

// heatHeight is the height of a heat map below its head, in points.
const heatHeight = 300

// CPURows are the rows of a picture of CPUs, the first on top.
type CPURows struct {
	Names []string // of the rows; some are left out where there is no room
	// Group is how many rows there are to a group, such as a socket's: a line is above
	// each but the first, and its first row is named in any case. 0 is no groups.
	Group int
}

// ticks names as many rows as there is room for, n points high in all.
func (r CPURows) ticks(height vg.Length) gplot.ConstantTicks {
	n := len(r.Names)
	every := int(math.Ceil(float64(n) * 10 / float64(height)))
	if r.Group > 0 && every > 1 {
		// A divisor or a multiple of the group keeps its first rows named.
		for every < r.Group && r.Group%every != 0 {
			every++
		}
		if every > r.Group {
			every = (every + r.Group - 1) / r.Group * r.Group
		}
	}
	var ticks gplot.ConstantTicks
	for i := 0; i < n; i += max(every, 1) {
		ticks = append(ticks, gplot.Tick{Value: float64(n-i) - 0.5, Label: r.Names[i]})
	}
	return ticks
}

// lines draws what is between groups.
func (r CPURows) lines(c *draw.Canvas, trY func(float64) vg.Length) {
	style := draw.LineStyle{Color: see(ink, 60), Width: 0.6}
	for i := r.Group; r.Group > 0 && i < len(r.Names); i += r.Group {
		y := trY(float64(len(r.Names) - i))
		c.StrokeLine2(style, c.Min.X, y, c.Max.X, y)
	}
}

// axes are those of a picture of CPUs over time.
func (r CPURows) axes(l Labels, from, to float64, height vg.Length) *gplot.Plot {
	p := newPlot(l.X, l.Y)
	p.X.Min, p.X.Max = from, to
	p.Y.Min, p.Y.Max = 0, float64(len(r.Names))
	p.X.Padding, p.Y.Padding = 0, 0
	p.X.Tick.Marker = roundTicks(from, to, 8, amount)
	p.Y.Tick.Marker = r.ticks(height - rowAxes)
	p.Y.Tick.Length = 0
	return p
}

// Queues draws runnable tasks of CPUs (rows) over time (columns from 0 to span, in the
// unit of the label): a heat map with its colours explained above.
func Queues(l Labels, rows CPURows, cells [][]float64, span float64) (*Figure, error) {
	if len(cells) == 0 || len(cells[0]) == 0 {
		return nil, fmt.Errorf("plot: queues: no cells, give a row a CPU and a column a time")
	}
	if len(rows.Names) != len(cells) || rows.Group < 0 {
		return nil, fmt.Errorf("plot: queues: %d names for %d rows, in groups of %d", len(rows.Names), len(cells), rows.Group)
	}
	for i, row := range cells {
		if len(row) != len(cells[0]) {
			return nil, fmt.Errorf("plot: queues: row %d has %d columns, row 0 has %d", i, len(row), len(cells[0]))
		}
	}
	if !(span > 0) || math.IsInf(span, 0) {
		return nil, fmt.Errorf("plot: queues: a span of %v, want a time above 0", span)
	}
	p := rows.axes(l, 0, span, heatHeight)
	p.Add(heat{cells: cells, rows: rows})
	return &Figure{labels: l, height: heatHeight, scale: &queueScale, plot: p}, nil
}

type heat struct {
	cells [][]float64
	rows  CPURows
}

// Plot draws the cells as one image, a pixel each.
func (h heat) Plot(c draw.Canvas, p *gplot.Plot) {
	img := image.NewNRGBA(image.Rect(0, 0, len(h.cells[0]), len(h.cells)))
	for y, row := range h.cells {
		for x, v := range row {
			img.SetNRGBA(x, y, queueColor(v))
		}
	}
	trX, trY := p.Transforms(&c)
	r := vg.Rectangle{Min: vg.Point{X: trX(p.X.Min), Y: trY(p.Y.Min)}, Max: vg.Point{X: trX(p.X.Max), Y: trY(p.Y.Max)}}
	c.DrawImage(r, enlarge(img, int(r.Size().X), int(r.Size().Y)))
	h.rows.lines(&c, trY)
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
	for y := range b.Dy() {
		first := out.Pix[y*fy*out.Stride:][:out.Stride]
		for x := range b.Dx() {
			pixel := img.Pix[img.PixOffset(x, y):][:4]
			for i := range fx {
				copy(first[4*(x*fx+i):], pixel)
			}
		}
		for i := 1; i < fy; i++ {
			copy(out.Pix[(y*fy+i)*out.Stride:], first)
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
