package plot

import (
	"image"
	"image/color"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A colorScale turns numbers into colours, from low to high; what is beyond has the
// colour of the end.
type colorScale struct {
	name      string // of what, with its unit
	low, high float64
	color     func(v float64) color.NRGBA
	ticks     gplot.ConstantTicks
}

// A colorBar is a scale as a part of the figure's head: the name, and behind it the
// colours with their values below.
type colorBar struct {
	colorScale
	style text.Style
}

// Sizes of a colour bar, in points.
const (
	barWidth  = 220
	barHeight = 9
	barGap    = 8 // from the name
	barBand   = barHeight + 13 + legendAfter
)

func (b colorBar) height() vg.Length { return barBand }

func (b colorBar) draw(c *draw.Canvas) {
	top := c.Max.Y
	baseline(c, b.style, vg.Point{X: c.Min.X, Y: top - barHeight + 1}, b.name)
	left := c.Min.X + b.style.Width(b.name) + barGap
	r := vg.Rectangle{Min: vg.Point{X: left, Y: top - barHeight}, Max: vg.Point{X: left + barWidth, Y: top}}
	const steps = 2 * barWidth
	img := image.NewNRGBA(image.Rect(0, 0, steps, 1))
	for i := range steps {
		img.SetNRGBA(i, 0, b.color(b.low+(b.high-b.low)*(float64(i)+0.5)/steps))
	}
	c.DrawImage(r, enlarge(img, steps, barHeight))
	edge := draw.LineStyle{Color: see(ink, 60), Width: 0.5}
	c.SetLineStyle(edge)
	c.Stroke(r.Path())
	label := sans(tickSize, false, ink)
	for _, t := range b.ticks {
		x := left + barWidth*vg.Length((t.Value-b.low)/(b.high-b.low))
		c.StrokeLine2(edge, x, r.Min.Y, x, r.Min.Y-2.5)
		baseline(c, label, vg.Point{X: x - label.Width(t.Label)/2, Y: r.Min.Y - 4 - 0.72*tickSize}, t.Label)
	}
	c.Max.Y -= b.height()
}

// mix is the colour at f, 0 to 1, from a to b.
func mix(a, b color.NRGBA, f float64) color.NRGBA {
	part := func(x, y uint8) uint8 { return uint8(float64(x) + f*(float64(y)-float64(x)) + 0.5) }
	return color.NRGBA{part(a.R, b.R), part(a.G, b.G), part(a.B, b.B), part(a.A, b.A)}
}

// cividis are colours from dark blue to yellow that look the same to readers with and
// without a colour vision deficiency, and lighten evenly (Nuñez, Anderton and Renslow,
// 2018): each eighth of it.
var cividis = []color.NRGBA{
	{0x00, 0x22, 0x4e, 0xff}, {0x1d, 0x38, 0x6d, 0xff}, {0x43, 0x4e, 0x6c, 0xff}, {0x61, 0x64, 0x70, 0xff},
	{0x7d, 0x7c, 0x78, 0xff}, {0x9b, 0x95, 0x76, 0xff}, {0xbb, 0xaf, 0x6d, 0xff}, {0xdd, 0xcb, 0x5d, 0xff},
	{0xfe, 0xe8, 0x38, 0xff},
}

// cividisAt is the colour at f, 0 to 1.
func cividisAt(f float64) color.NRGBA {
	n := len(cividis) - 1
	at := min(max(f, 0), 1) * float64(n)
	i := min(int(at), n-1)
	return mix(cividis[i], cividis[i+1], at-float64(i))
}
