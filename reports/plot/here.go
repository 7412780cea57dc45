package plot

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// green is the bluish green of the same palette: what was measured here. Its marks
// are triangles, of which no other series has any.
var green = color.NRGBA{R: 0x00, G: 0x9e, B: 0x73, A: 0xff}

// Here is an effect that was measured on a machine of the reader's, in percent. Low
// and High end its interval; NaN where it has none.
type Here struct {
	Pct, Low, High float64
}

// triangle draws the mark of a measured figure: hollow for the base, filled for the
// patched kernel.
func triangle(c *draw.Canvas, arm Arm, at vg.Point, r vg.Length) {
	path := vg.Path{}
	path.Move(vg.Point{X: at.X, Y: at.Y + 1.2*r})
	path.Line(vg.Point{X: at.X + 1.1*r, Y: at.Y - 0.8*r})
	path.Line(vg.Point{X: at.X - 1.1*r, Y: at.Y - 0.8*r})
	path.Close()
	c.SetColor(green)
	if arm == Patched {
		c.Fill(path)
	}
	c.SetLineStyle(draw.LineStyle{Color: green, Width: 1.3})
	c.Stroke(path)
}

// drawHere draws a measured effect on a whisker from low to high.
func drawHere(c *draw.Canvas, x, low, high, y vg.Length) {
	const cap = 3
	style := draw.LineStyle{Color: green, Width: 1.5}
	if high > low {
		c.StrokeLine2(style, low, y, high, y)
		c.StrokeLine2(style, low, y-cap, low, y+cap)
		c.StrokeLine2(style, high, y-cap, high, y+cap)
	}
	triangle(c, Patched, vg.Point{X: x, Y: y}, 3.2)
}

type hereSwatch struct{ whisker bool }

func (s hereSwatch) drawSwatch(c *draw.Canvas, r vg.Rectangle) {
	low, high := r.Min.X, r.Max.X
	if !s.whisker {
		low = high
	}
	drawHere(c, (r.Min.X+r.Max.X)/2, low, high, (r.Min.Y+r.Max.Y)/2)
}

// bounds are the ends of the effect with its interval.
func (h *Here) bounds() (low, high float64) {
	if h == nil || math.IsNaN(h.Pct) {
		return 0, 0
	}
	return min(h.Pct, or(h.Low, h.Pct)), max(h.Pct, or(h.High, h.Pct))
}
