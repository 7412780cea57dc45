package plot

import (
	"fmt"
	"math"
	"slices"

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

// Effects draws a row for each effect, the first on top: the published effect
// as a ring in a band of its noise, below it the simulated one as a dot in the colour
// of the patched kernel with its interval. A line marks no change. Where nothing is
// published in any row nothing is said of it. What was measured here stands below both.
// Errors name the row.
func Effects(l Labels, effects ...Effect) (*Figure, error) {
	if len(effects) == 0 {
		return nil, fmt.Errorf("plot: effects: no rows, give at least one")
	}
	low, high := 0.0, 0.0
	bands, intervals := false, false
	here, hereIntervals := false, false
	r := rows{label: change}
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
		r.keys, r.notes = append(r.keys, e.Key), append(r.notes, e.Note)
		bands = bands || e.Noise > 0
		intervals = intervals || e.High > e.Low
	}
	if low == high {
		low, high = -1, 1
	}
	r.low, r.high = low, high
	f := r.figure(l, effectRows(effects))
	published := slices.ContainsFunc(effects, func(e Effect) bool { return !math.IsNaN(e.Published) })
	if published {
		e := legendEntry{name: "published", swatch: publishedSwatch{}}
		if bands {
			e = legendEntry{name: "published, with noise", swatch: publishedSwatch{band: true}}
		}
		f.legend = append(f.legend, e)
	}
	e := legendEntry{name: "simulated", swatch: simulatedSwatch{}}
	if intervals {
		e = legendEntry{name: "simulated, with interval", swatch: simulatedSwatch{whisker: true}}
	}
	f.legend = append(f.legend, e)
	if here {
		e := legendEntry{name: "measured here", swatch: hereSwatch{}}
		if hereIntervals {
			e = legendEntry{name: "measured here, with interval", swatch: hereSwatch{whisker: true}}
		}
		f.legend = append(f.legend, e)
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
	if e.Low > e.High {
		return fmt.Errorf("plot: effects: row %q: interval from %v down to %v, exchange Low and High", e.Key, e.Low, e.High)
	}
	if e.Here.Low > e.Here.High {
		return fmt.Errorf("plot: effects: row %q: measured interval from %v down to %v, exchange Low and High", e.Key, e.Here.Low, e.Here.High)
	}
	return nil
}

// effectRows is the plotter of all effects.
type effectRows []Effect

// Plot makes effectRows a gonum plotter.
func (r effectRows) Plot(c draw.Canvas, p *gplot.Plot) {
	trX, trY := p.Transforms(&c)
	c.StrokeLine2(draw.LineStyle{Color: see(ink, 75), Width: 1}, trX(0), c.Min.Y, trX(0), c.Max.Y)
	apart := vg.Length(rowHeight * 0.19) // published above, simulated below the middle
	published := slices.ContainsFunc(r, func(e Effect) bool { return !math.IsNaN(e.Published) })
	if !published {
		apart = 0
	}
	low := apart
	here := slices.ContainsFunc(r, func(e Effect) bool { return e.Here != nil })
	if here { // below both
		apart, low = rowHeight*0.29, 0
	}
	for i, e := range r {
		y := at(trY, i, len(r))
		switch {
		case !published: // of no row: there is nothing to be missed
		case math.IsNaN(e.Published):
			missing(&c, trX(0), y+apart, "not published")
		default:
			drawPublished(&c, trX(e.Published), trX(e.Published-number(e.Noise)), trX(e.Published+number(e.Noise)), y+apart)
		}
		if math.IsNaN(e.Simulated) {
			missing(&c, trX(0), y-low, "not simulated")
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
func missing(c *draw.Canvas, zero, y vg.Length, s string) {
	x := zero + 5
	if w := noteStyle.Width(s); x+w > c.Max.X {
		x = zero - 5 - w
	}
	baseline(c, noteStyle, vg.Point{X: x, Y: y - 0.36*noteStyle.Font.Size}, s)
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
	style := draw.LineStyle{Color: vermillion, Width: 1.5}
	if high > low {
		c.StrokeLine2(style, low, y, high, y)
		c.StrokeLine2(style, low, y-cap, low, y+cap)
		c.StrokeLine2(style, high, y-cap, high, y+cap)
	}
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: vermillion, Radius: 3.2, Shape: draw.CircleGlyph{}}, vg.Point{X: x, Y: y})
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
