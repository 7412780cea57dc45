package plot

import (
	"fmt"
	"math"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// An Effect is one row of a table: by how many percent the patch changed it.
// Numbers are percentages, NaN for what was not measured.
type Effect struct {
	Key string // "64"
	// Published is the effect in the post, Noise the half-width around it
	// within which another measurement would not contradict it.
	Published, Noise float64
	// Simulated is the effect in the simulation, Low to High its interval.
	Simulated, Low, High float64
	// Here is what was measured on a machine of the reader's, nil if nothing was.
	Here *Here
	// Note stands right of the row, such as a verdict.
	Note string
}

// Sizes of the effects plot, in points.
const (
	effectRow  = 27 // height of a row
	effectAxes = 46 // ticks and label below the rows
	noteGap    = 8
)

// Effects draws a row for each effect, the first on top: the published effect
// as a ring in a band of its noise, below it the simulated one as a dot with
// its interval. A line marks no change. Errors name the row.
func Effects(l Labels, effects ...Effect) (*Figure, error) {
	if len(effects) == 0 {
		return nil, fmt.Errorf("plot: effects: no rows, give at least one")
	}
	low, high := 0.0, 0.0
	noteWidth, bands, intervals := vg.Length(0), false, false
	here, hereIntervals := false, false
	note := sans(tickSize, false, faint)
	for _, e := range effects {
		if err := e.check(); err != nil {
			return nil, err
		}
		for _, v := range []float64{e.Published, e.Published - e.Noise, e.Published + e.Noise, e.Simulated, e.Low, e.High} {
			low, high = min(low, number(v)), max(high, number(v))
		}
		from, to := e.Here.bounds()
		low, high = min(low, from), max(high, to)
		here = here || e.Here != nil
		hereIntervals = hereIntervals || to > from
		noteWidth = max(noteWidth, note.Width(e.Note))
		bands = bands || e.Noise > 0
		intervals = intervals || e.High > e.Low
	}
	if low == high {
		low, high = -1, 1
	}
	space := (high - low) * 0.04

	p := newPlot(l.X, l.Y)
	p.X.Min, p.X.Max = low-space, high+space
	p.X.Tick.Marker = roundTicks(p.X.Min, p.X.Max, 8, change)
	p.X.LineStyle.Width = 0
	p.X.Tick.Length = 0
	n := len(effects)
	p.Y.Min, p.Y.Max = -0.5, float64(n)-0.5
	var keys gplot.ConstantTicks
	for i, e := range effects {
		keys = append(keys, gplot.Tick{Value: float64(n - 1 - i), Label: e.Key})
	}
	p.Y.Tick.Marker = keys
	p.Y.LineStyle.Width = 0
	p.Y.Tick.Length = 0
	p.Add(grid{}, rows{effects: effects, note: note, here: here})

	f := &Figure{
		labels: l,
		plot:   p,
		height: vg.Length(n)*effectRow + effectAxes,
		legend: []legendEntry{
			{name: "published", swatch: publishedSwatch{}},
			{name: "simulated", swatch: simulatedSwatch{}},
		},
	}
	if bands {
		f.legend[0] = legendEntry{name: "published, with noise", swatch: publishedSwatch{band: true}}
	}
	if intervals {
		f.legend[1] = legendEntry{name: "simulated, with interval", swatch: simulatedSwatch{whisker: true}}
	}
	if here {
		f.legend = append(f.legend, legendEntry{name: "measured here", swatch: hereSwatch{}})
		if hereIntervals {
			f.legend[2] = legendEntry{name: "measured here, with interval", swatch: hereSwatch{whisker: true}}
		}
	}
	if noteWidth > 0 {
		f.right = noteWidth + noteGap
	}
	return f, nil
}

// check returns why a row cannot be drawn.
func (e Effect) check() error {
	if e.Here == nil {
		e.Here = &Here{}
	}
	for _, v := range []float64{e.Published, e.Noise, e.Simulated, e.Low, e.High, e.Here.Pct, e.Here.Low, e.Here.High} {
		if math.IsInf(v, 0) {
			return fmt.Errorf("plot: effects: row %q: %v has no place on an axis", e.Key, v)
		}
	}
	if e.Noise < 0 {
		return fmt.Errorf("plot: effects: row %q: noise is %v, want a half-width", e.Key, e.Noise)
	}
	if e.Here.Low > e.Here.High {
		return fmt.Errorf("plot: effects: row %q: measured interval from %v down to %v, exchange Low and High", e.Key, e.Here.Low, e.Here.High)
	}
	if e.Low > e.High {
		return fmt.Errorf("plot: effects: row %q: interval from %v down to %v, exchange Low and High", e.Key, e.Low, e.High)
	}
	return nil
}

// rows is the plotter of all effects.
type rows struct {
	effects []Effect
	note    draw.TextStyle
	here    bool // some row was measured here
}

// Plot makes rows a gonum plotter.
func (r rows) Plot(c draw.Canvas, p *gplot.Plot) {
	trX, trY := p.Transforms(&c)
	apart := vg.Length(effectRow * 0.19) // published above, simulated below the middle
	low := apart
	if r.here { // and what was measured here below both
		apart, low = effectRow*0.29, 0
	}
	separator := draw.LineStyle{Color: see(ink, 14), Width: 0.6}
	for i, e := range r.effects {
		y := trY(float64(len(r.effects) - 1 - i))
		if i > 0 {
			c.StrokeLine2(separator, c.Min.X, y+effectRow/2.0, c.Max.X, y+effectRow/2.0)
		}
		baseline(&c, r.note, vg.Point{X: c.Max.X + noteGap, Y: y - 0.36*r.note.Font.Size}, e.Note)
	}
	c.StrokeLine2(draw.LineStyle{Color: see(ink, 75), Width: 1}, trX(0), c.Min.Y, trX(0), c.Max.Y)
	for i, e := range r.effects {
		y := trY(float64(len(r.effects) - 1 - i))
		if math.IsNaN(e.Published) {
			r.missing(&c, trX(0), y+apart, "not published")
		} else {
			drawPublished(&c, trX(e.Published), trX(e.Published-number(e.Noise)), trX(e.Published+number(e.Noise)), y+apart)
		}
		if math.IsNaN(e.Simulated) {
			r.missing(&c, trX(0), y-low, "not simulated")
		} else {
			drawSimulated(&c, trX(e.Simulated), trX(or(e.Low, e.Simulated)), trX(or(e.High, e.Simulated)), y-low)
		}
		if h := e.Here; h != nil && !math.IsNaN(h.Pct) {
			drawHere(&c, trX(h.Pct), trX(or(h.Low, h.Pct)), trX(or(h.High, h.Pct)), y-apart)
		}
	}
}

// or returns v, or the other for NaN.
func or(v, other float64) float64 {
	if math.IsNaN(v) {
		return other
	}
	return v
}

// missing says in the row that there is no number, on the side of zero where
// there is room.
func (r rows) missing(c *draw.Canvas, zero, y vg.Length, s string) {
	x := zero + 5
	if w := r.note.Width(s); x+w > c.Max.X {
		x = zero - 5 - w
	}
	baseline(c, r.note, vg.Point{X: x, Y: y - 0.36*r.note.Font.Size}, s)
}

// drawPublished draws a ring in a band from low to high.
func drawPublished(c *draw.Canvas, x, low, high, y vg.Length) {
	const half = 3.6
	if high > low {
		c.FillPolygon(see(ink, 20), []vg.Point{{X: low, Y: y - half}, {X: high, Y: y - half}, {X: high, Y: y + half}, {X: low, Y: y + half}})
	}
	outline(c, Base, ink, vg.Point{X: x, Y: y}, 3.2)
}

// drawSimulated draws a dot on a whisker from low to high.
func drawSimulated(c *draw.Canvas, x, low, high, y vg.Length) {
	const cap = 3
	style := draw.LineStyle{Color: blue, Width: 1.5}
	if high > low {
		c.StrokeLine2(style, low, y, high, y)
		c.StrokeLine2(style, low, y-cap, low, y+cap)
		c.StrokeLine2(style, high, y-cap, high, y+cap)
	}
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: blue, Radius: 3.2, Shape: draw.CircleGlyph{}}, vg.Point{X: x, Y: y})
}

type publishedSwatch struct{ band bool }

func (s publishedSwatch) drawSwatch(c *draw.Canvas, r vg.Rectangle) {
	low, high := r.Min.X, r.Max.X
	if !s.band {
		low = high
	}
	drawPublished(c, (r.Min.X+r.Max.X)/2, low, high, (r.Min.Y+r.Max.Y)/2)
}

type simulatedSwatch struct{ whisker bool }

func (s simulatedSwatch) drawSwatch(c *draw.Canvas, r vg.Rectangle) {
	low, high := r.Min.X, r.Max.X
	if !s.whisker {
		low = high
	}
	drawSimulated(c, (r.Min.X+r.Max.X)/2, low, high, (r.Min.Y+r.Max.Y)/2)
}
