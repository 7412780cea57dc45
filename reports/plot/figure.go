package plot

import (
	"strings"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Labels is the text around a figure. Every field may be empty.
type Labels struct {
	Title    string
	Subtitle string // what the figure shows, in one sentence
	X, Y     string // axes, with unit
}

// width is the width of every figure, in points: two of them fit a page of
// paper above each other, and a column of text is as wide.
const width = 540

// A Figure is a finished plot with title and legend, ready to be written.
type Figure struct {
	labels Labels
	legend []legendEntry
	scale  *colorScale
	plot   *gplot.Plot
	height vg.Length // of the part below the legend
	right  vg.Length // room kept free right of the data
}

// String stands for the figure where only text can be shown.
func (f *Figure) String() string {
	if f.labels.Subtitle == "" {
		return "[figure: " + f.labels.Title + "]"
	}
	return "[figure: " + f.labels.Title + ". " + f.labels.Subtitle + "]"
}

// size returns the size of the whole figure.
func (f *Figure) size() (w, h vg.Length) {
	return width, f.height + f.headHeight() + 2*margin
}

// draw draws the figure on a canvas of that size: title, subtitle, legend and
// plot from top to bottom, so that none can cover another.
func (f *Figure) draw(c draw.Canvas) {
	c = draw.Crop(c, margin, -margin, margin, -margin)
	for _, b := range f.head() {
		b.draw(&c)
	}
	right := max(f.right, 4) // half of the last tick's label
	f.plot.Draw(draw.Crop(c, 0, -right, 0, 0))
}

// headHeight returns the height of everything above the plot.
func (f *Figure) headHeight() vg.Length {
	var h vg.Length
	for _, b := range f.head() {
		h += b.height()
	}
	return h
}

// A band is a part of the figure from its left to its right edge.
type band interface {
	height() vg.Length
	// draw draws the band at the top of c and takes its room off c.
	draw(c *draw.Canvas)
}

// head returns the bands above the plot.
func (f *Figure) head() []band {
	const inner = width - 2*margin
	var bands []band
	if f.labels.Title != "" {
		bands = append(bands, newParagraph(f.labels.Title, sans(titleSize, true, ink), inner, 3))
	}
	if f.labels.Subtitle != "" {
		bands = append(bands, newParagraph(f.labels.Subtitle, sans(subtitleSize, false, faint), inner, 5))
	}
	if len(f.legend) > 0 {
		bands = append(bands, newLegendBand(f.legend, inner))
	}
	if f.scale != nil {
		bands = append(bands, colorBar{*f.scale, sans(labelSize, false, ink)})
	}
	return bands
}

// A paragraph is text broken into lines.
type paragraph struct {
	lines []string
	style text.Style
	after vg.Length // below the last line
}

// newParagraph breaks s at blanks so that no line is wider than the room. A
// single word that is too wide stays whole.
func newParagraph(s string, style text.Style, room, after vg.Length) paragraph {
	p := paragraph{style: style, after: after}
	current := ""
	for _, w := range strings.Fields(s) {
		longer := strings.TrimSpace(current + " " + w)
		if current != "" && style.Width(longer) > room {
			p.lines = append(p.lines, current)
			longer = w
		}
		current = longer
	}
	p.lines = append(p.lines, current)
	return p
}

func (p paragraph) lineHeight() vg.Length { return p.style.Font.Size * 1.3 }

func (p paragraph) height() vg.Length {
	return vg.Length(len(p.lines))*p.lineHeight() + p.after
}

func (p paragraph) draw(c *draw.Canvas) {
	y := c.Max.Y
	for _, s := range p.lines {
		y -= p.lineHeight()
		baseline(c, p.style, vg.Point{X: c.Min.X, Y: y + p.style.Font.Size*0.3}, s)
	}
	c.Max.Y -= p.height()
}

// baseline draws one line of text with the left end of its baseline at pt.
func baseline(c *draw.Canvas, style text.Style, pt vg.Point, s string) {
	c.SetColor(style.Color)
	face := style.Handler.Cache().Lookup(style.Font, style.Font.Size)
	c.FillString(face, pt, s)
}
