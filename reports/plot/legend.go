package plot

import (
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A legendEntry is one sample of a series with its name.
type legendEntry struct {
	name   string
	swatch swatch
}

// A swatch draws a sample of a series into a small rectangle.
type swatch interface {
	drawSwatch(c *draw.Canvas, r vg.Rectangle)
}

// Sizes of the legend, in points.
const (
	swatchWidth  = 26
	swatchHeight = 10
	swatchGap    = 5  // between sample and name
	entryGap     = 18 // between entries
	legendLine   = 15
	legendAfter  = 7
)

// A legendBand is the entries in lines from left to right.
type legendBand struct {
	lines [][]legendEntry
	style text.Style
}

// newLegendBand breaks the entries into lines no wider than the room.
func newLegendBand(entries []legendEntry, room vg.Length) legendBand {
	b := legendBand{style: sans(labelSize, false, ink)}
	var current []legendEntry
	var used vg.Length
	for _, e := range entries {
		w := b.entryWidth(e)
		if len(current) > 0 && used+w > room {
			b.lines = append(b.lines, current)
			current, used = nil, 0
		}
		current = append(current, e)
		used += w + entryGap
	}
	b.lines = append(b.lines, current)
	return b
}

func (b legendBand) entryWidth(e legendEntry) vg.Length {
	return swatchWidth + swatchGap + b.style.Width(e.name)
}

func (b legendBand) height() vg.Length {
	return vg.Length(len(b.lines))*legendLine + legendAfter
}

func (b legendBand) draw(c *draw.Canvas) {
	y := c.Max.Y
	for _, entries := range b.lines {
		y -= legendLine
		x := c.Min.X
		middle := y + legendLine/2.0
		for _, e := range entries {
			e.swatch.drawSwatch(c, vg.Rectangle{
				Min: vg.Point{X: x, Y: middle - swatchHeight/2},
				Max: vg.Point{X: x + swatchWidth, Y: middle + swatchHeight/2},
			})
			// Half the height of a capital letter centres the text.
			baseline(c, b.style, vg.Point{X: x + swatchWidth + swatchGap, Y: middle - 0.36*b.style.Font.Size}, e.name)
			x += b.entryWidth(e) + entryGap
		}
	}
	c.Max.Y -= b.height()
}
