package diagram

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// canvas collects the elements of a picture, as SVG and as what a PNG is made
// of.
type canvas struct {
	buf    bytes.Buffer
	shapes []shape
}

// shape is an element of a picture: a box, a text at its base line, or upright
// lines.
type shape struct {
	element, class string // "rect", "text" or "path"
	x, y, w, h     float64
	opacity        float64 // of the fill of a box
	text           string
	strokes        []stroke
}

// stroke is an upright line from a point down.
type stroke struct{ x, y, h float64 }

func (c *canvas) line(format string, args ...any) {
	fmt.Fprintf(&c.buf, format+"\n", args...)
}

// rect draws a box of a class, with further attributes if any.
func (c *canvas) rect(class string, x, y, w, h, radius float64, attributes ...string) {
	c.shapes = append(c.shapes, shape{element: "rect", class: class, x: x, y: y, w: w, h: h, opacity: 1})
	c.svgRect(class, x, y, w, h, radius, attributes...)
}

// shade draws a box of a class whose colour is as strong as the opacity says.
func (c *canvas) shade(class string, x, y, w, h, opacity float64) {
	c.shapes = append(c.shapes, shape{element: "rect", class: class, x: x, y: y, w: w, h: h, opacity: opacity})
	c.svgRect(class, x, y, w, h, 0, fmt.Sprintf(`fill-opacity="%.2f"`, opacity))
}

func (c *canvas) svgRect(class string, x, y, w, h, radius float64, attributes ...string) {
	r := ""
	if radius > 0 {
		r = fmt.Sprintf(` rx="%s"`, num(radius))
	}
	more := ""
	if len(attributes) > 0 {
		more = " " + strings.Join(attributes, " ")
	}
	c.line(`<rect class="%s" x="%s" y="%s" width="%s" height="%s"%s%s/>`, class, num(x), num(y), num(w), num(h), r, more)
}

// text writes a text of a class at its base line.
func (c *canvas) text(class string, x, y float64, text string) {
	c.shapes = append(c.shapes, shape{element: "text", class: class, x: x, y: y, text: text})
	c.line(`<text class="%s" x="%s" y="%s">%s</text>`, class, num(x), num(y), escape(text))
}

// uprights draws lines of a class from points down.
func (c *canvas) uprights(class string, strokes []stroke) {
	var d strings.Builder
	for _, s := range strokes {
		fmt.Fprintf(&d, "M%s %sv%s", num(s.x), num(s.y), num(s.h))
	}
	c.shapes = append(c.shapes, shape{element: "path", class: class, strokes: strokes})
	c.line(`<path class="%s" d="%s"/>`, class, d.String())
}

// num writes a length with at most one digit after the point.
func num(v float64) string {
	return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
}

func escape(s string) string {
	var b bytes.Buffer
	// A bytes.Buffer takes everything.
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}

// wrap cuts a text at its blanks into lines of at most so many characters.
func wrap(text string, chars int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > chars {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
