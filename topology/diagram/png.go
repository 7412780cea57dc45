package diagram

import (
	"fmt"
	"image/color"
	"io"
	"strings"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/schedlab/schedlab/topology"
)

// dotsPerInch of a PNG, with one unit of the SVG a point: sharp at the size at
// which a notebook shows it.
const dotsPerInch = 96

// WritePNG draws a machine as [WriteSVG] does, in the colours of a light page,
// for readers who are not shown an SVG. CPUs that are offline are empty boxes.
func WritePNG(w io.Writer, m *topology.Machine) error {
	d, height := painted(m)
	c := vgimg.NewWith(vgimg.UseWH(width, vg.Length(height)), vgimg.UseDPI(dotsPerInch), vgimg.UseBackgroundColor(color.White))
	r := raster{Canvas: c, height: height, fonts: font.NewCache(liberation.Collection())}
	for _, s := range d.c.shapes {
		r.draw(s)
	}
	if _, err := (vgimg.PngCanvas{Canvas: c}).WriteTo(w); err != nil {
		return fmt.Errorf("diagram: %w", err)
	}
	return nil
}

// raster draws shapes on a canvas whose y grows upwards.
type raster struct {
	vg.Canvas
	height float64
	fonts  *font.Cache
}

func (r *raster) at(x, y float64) vg.Point {
	return vg.Point{X: vg.Length(x), Y: vg.Length(r.height - y)}
}

func (r *raster) draw(s shape) {
	switch s.element {
	case "rect":
		r.box(s)
	case "path":
		_, stroke := coloursOf("path", s.class)
		r.SetColor(stroke)
		r.SetLineWidth(1)
		for _, l := range s.strokes {
			var p vg.Path
			p.Move(r.at(l.x, l.y))
			p.Line(r.at(l.x, l.y+l.h))
			r.Stroke(p)
		}
	case "text":
		r.words(s)
	}
}

func (r *raster) box(s shape) {
	var p vg.Path
	p.Move(r.at(s.x, s.y))
	p.Line(r.at(s.x+s.w, s.y))
	p.Line(r.at(s.x+s.w, s.y+s.h))
	p.Line(r.at(s.x, s.y+s.h))
	p.Close()
	fill, stroke := coloursOf("rect", s.class)
	if c, ok := fill.(color.NRGBA); ok {
		c.A = uint8(s.opacity * 0xff)
		r.SetColor(c)
		r.Fill(p)
	}
	if stroke != nil {
		r.SetColor(stroke)
		r.SetLineWidth(1)
		r.Stroke(p)
	}
}

// words writes a text. The sizes and weights are those of the style sheet.
func (r *raster) words(s shape) {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: 11}
	anchor := 0.0
	for _, class := range strings.Fields(s.class) {
		switch class {
		case "title":
			f.Size, f.Weight = 19, xfont.WeightBold
		case "name":
			f.Size = 13
		case "head":
			f.Size, f.Weight = 12, xfont.WeightBold
		case "cpu", "cpus", "mono":
			f.Size, f.Variant = 10, "Mono"
		}
		switch class {
		case "cpu", "mid":
			anchor = 0.5
		case "end":
			anchor = 1
		}
	}
	face := r.fonts.Lookup(f, f.Size)
	fill, _ := coloursOf("text", s.class)
	r.SetColor(fill)
	at := r.at(s.x, s.y)
	at.X -= vg.Length(anchor) * face.Width(s.text)
	r.FillString(face, at, s.text)
}

// coloursOf returns the colours of a class on a light page; nil is none. The
// last rule that applies wins, as in a style sheet.
func coloursOf(element, class string) (fill, stroke color.Color) {
	for _, rule := range rules {
		if rule.selector != element && !hasClass(rule.selector, element, class) {
			continue
		}
		if rule.fill.light != "" {
			fill = parseColour(rule.fill.light)
		}
		if rule.stroke.light != "" {
			stroke = parseColour(rule.stroke.light)
		}
	}
	return fill, stroke
}

func hasClass(selector, element, classes string) bool {
	for _, c := range strings.Fields(classes) {
		if selector == element+"."+c {
			return true
		}
	}
	return false
}

// parseColour reads a colour of the style sheet, "#rrggbb".
func parseColour(hex string) color.NRGBA {
	var c color.NRGBA
	// The rules are this package's own; a slip would show in the test.
	_, _ = fmt.Sscanf(hex, "#%02x%02x%02x", &c.R, &c.G, &c.B)
	c.A = 0xff
	return c
}
