package plot

import (
	"fmt"
	"image/color"
	"math"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Bar is one piece of a timeline: what a CPU ran from one time to another.
type Bar struct {
	Row      int     // the CPU's row, 0 on top
	From, To float64 // in the unit of the axis
	Kind     int     // its colour: an index of Bars.Kinds
	Value    float64 // its colour where the timeline has a Scale
	Label    string  // on the bar, if there is room
}

// Bars are a timeline: what ran on which CPU, from one time to another.
type Bars struct {
	Rows     CPURows
	From, To float64
	Bars     []Bar
	// Kinds are what bars are coloured by. With more than there are colours, twelve,
	// colours come again, and the legend is left out: labels tell bars apart then.
	Kinds []string
	// Scale colours bars by Value instead of Kind.
	Scale *Scale
}

// A Scale is of numbers that are shown as colours, from dark to light.
type Scale struct {
	Name      string // of what, with its unit
	Low, High float64
}

// kindColors are the palette, and lighter ones of the same hues behind them.
var kindColors = func() []color.NRGBA {
	out := append([]color.NRGBA(nil), palette...)
	for _, c := range palette {
		out = append(out, mix(c, color.NRGBA{0xff, 0xff, 0xff, 0xff}, 0.55))
	}
	return out
}()

func (b *Bars) check() error {
	switch {
	case len(b.Rows.Names) == 0 || b.Rows.Group < 0:
		return fmt.Errorf("plot: timeline: %d rows in groups of %d", len(b.Rows.Names), b.Rows.Group)
	case !(b.To > b.From) || math.IsInf(b.To-b.From, 0):
		return fmt.Errorf("plot: timeline: from %v to %v, want a span of time", b.From, b.To)
	case b.Scale == nil && len(b.Kinds) == 0:
		return fmt.Errorf("plot: timeline: no kinds and no scale")
	case b.Scale != nil && !(b.Scale.High >= b.Scale.Low && !math.IsInf(b.Scale.High-b.Scale.Low, 0)):
		return fmt.Errorf("plot: timeline: a scale from %v to %v", b.Scale.Low, b.Scale.High)
	}
	for i, v := range b.Bars {
		if v.Row < 0 || v.Row >= len(b.Rows.Names) || !(v.To >= v.From) || b.Scale == nil && (v.Kind < 0 || v.Kind >= len(b.Kinds)) {
			return fmt.Errorf("plot: timeline: bar %d: row %d of %d, kind %d of %d, from %v to %v", i, v.Row, len(b.Rows.Names), v.Kind, len(b.Kinds), v.From, v.To)
		}
	}
	return nil
}

// Timeline draws what ran on which CPU. Bars narrower than a tenth of a point are
// drawn that wide; what is outside of the time that is shown is cut off.
func Timeline(l Labels, b Bars) (*Figure, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	f := &Figure{labels: l, height: min(max(vg.Length(len(b.Rows.Names))*11+rowAxes, 120), 560)}
	f.plot = b.Rows.axes(l, b.From, b.To, f.height)
	g := gantt{Bars: b}
	switch {
	case b.Scale != nil:
		f.scale = b.Scale.colors()
		g.colorOf = func(v Bar) color.NRGBA { return f.scale.color(v.Value) }
	default:
		g.colorOf = func(v Bar) color.NRGBA { return kindColors[v.Kind%len(kindColors)] }
		for i, k := range b.Kinds {
			if len(b.Kinds) <= len(kindColors) {
				f.legend = append(f.legend, legendEntry{name: k, swatch: colorSwatch(kindColors[i])})
			}
		}
	}
	f.plot.Add(grid{}, g)
	return f, nil
}

// colors is the scale with its colours and ticks.
func (s *Scale) colors() *colorScale {
	low, high := s.Low, s.High
	if high == low {
		low, high = low-1, high+1
	}
	return &colorScale{
		name: s.Name, low: low, high: high, ticks: roundTicks(low, high, 4, amount),
		color: func(v float64) color.NRGBA {
			if math.IsNaN(v) {
				return color.NRGBA{}
			}
			return cividisAt((v - low) / (high - low))
		},
	}
}

type gantt struct {
	Bars
	colorOf func(Bar) color.NRGBA
}

// Plot makes gantt a gonum plotter.
func (g gantt) Plot(c draw.Canvas, p *gplot.Plot) {
	const least = 0.1
	trX, trY := p.Transforms(&c)
	high := trY(1) - trY(0)
	label := sans(min(tickSize-1.5, high*0.75), false, ink)
	for _, b := range g.Bars.Bars {
		if b.To < p.X.Min || b.From > p.X.Max {
			continue
		}
		x0, x1 := trX(max(b.From, p.X.Min)), trX(min(b.To, p.X.Max))
		if x1-x0 < least {
			x1 = x0 + least
		}
		y := trY(float64(len(g.Rows.Names)-b.Row) - 0.5)
		r := vg.Rectangle{Min: vg.Point{X: x0, Y: y - 0.4*high}, Max: vg.Point{X: x1, Y: y + 0.4*high}}
		fill := g.colorOf(b)
		if fill.A == 0 { // its value was not measured
			c.SetLineStyle(draw.LineStyle{Color: see(ink, 60), Width: 0.5})
			c.Stroke(r.Path())
			continue
		}
		c.SetColor(fill)
		c.Fill(r.Path())
		if b.Label == "" || high < 7 || label.Width(b.Label)+2 > x1-x0 {
			continue
		}
		label.Color = textOn(fill)
		baseline(&c, label, vg.Point{X: (x0 + x1 - label.Width(b.Label)) / 2, Y: y - 0.36*label.Font.Size}, b.Label)
	}
	g.Rows.lines(&c, trY)
}

// textOn is black or white, what reads better on a colour. It is not ink, which is
// white on a dark page.
func textOn(c color.NRGBA) color.NRGBA {
	if luma(c) > 140 {
		return color.NRGBA{0x11, 0x11, 0x11, 0xff}
	}
	return color.NRGBA{0xff, 0xff, 0xff, 0xff}
}

// luma is how light a colour is, 0 to 255 (ITU-R BT.601).
func luma(c color.NRGBA) float64 {
	return 0.299*float64(c.R) + 0.587*float64(c.G) + 0.114*float64(c.B)
}
