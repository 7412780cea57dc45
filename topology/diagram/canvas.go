package diagram

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// canvas collects the elements of a picture.
type canvas struct{ buf bytes.Buffer }

func (c *canvas) line(format string, args ...any) {
	fmt.Fprintf(&c.buf, format+"\n", args...)
}

// rect draws a box of a class, with further attributes if any.
func (c *canvas) rect(class string, x, y, w, h, radius float64, attributes ...string) {
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
	c.line(`<text class="%s" x="%s" y="%s">%s</text>`, class, num(x), num(y), escape(text))
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
