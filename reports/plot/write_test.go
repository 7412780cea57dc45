package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/color"
	"image/png"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

// A svgText is one text element with the style that gonum gave it.
type svgText struct {
	x, y   float64
	turned bool // stands in a rotated group
	text   string
	size   float64
	bold   bool
}

var fontSize = regexp.MustCompile(`font-size:([0-9.]+)px`)

// texts reads the text elements of an SVG and fails the test when it is not
// well-formed.
func texts(t *testing.T, s string) []svgText {
	t.Helper()
	var all []svgText
	var turns []bool // one a group
	d := xml.NewDecoder(strings.NewReader(s))
	inText := false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			attr := make(map[string]string)
			for _, a := range e.Attr {
				attr[a.Name.Local] = a.Value
			}
			switch e.Name.Local {
			case "g":
				turned := len(turns) > 0 && turns[len(turns)-1]
				turns = append(turns, turned || strings.HasPrefix(attr["transform"], "rotate"))
			case "text":
				x, errX := strconv.ParseFloat(attr["x"], 64)
				y, errY := strconv.ParseFloat(attr["y"], 64)
				size := fontSize.FindStringSubmatch(attr["style"])
				if errX != nil || errY != nil || size == nil {
					t.Fatalf("text element %v", e.Attr)
				}
				px, err := strconv.ParseFloat(size[1], 64)
				if err != nil {
					t.Fatal(err)
				}
				inText = true
				all = append(all, svgText{x: x, y: -y, size: px, turned: turns[len(turns)-1],
					bold: strings.Contains(attr["style"], "font-weight:bold")})
			}
		case xml.EndElement:
			switch e.Name.Local {
			case "g":
				turns = turns[:len(turns)-1]
			case "text":
				inText = false
			}
		case xml.CharData:
			if inText {
				all[len(all)-1].text += string(e)
			}
		}
	}
}

// TestNothingClipped measures every text: it must lie inside the figure, and
// none may cover another on the same line.
func TestNothingClipped(t *testing.T) {
	for name, f := range figures(t) {
		t.Run(name, func(t *testing.T) {
			_, height := f.size()
			all := texts(t, svg(t, f))
			if len(all) < 4 {
				t.Fatalf("%d texts", len(all))
			}
			right := func(x svgText) float64 {
				return x.x + sans(vg.Length(x.size), x.bold, ink).Width(x.text).Points()
			}
			for i, a := range all {
				if a.turned || strings.TrimSpace(a.text) == "" {
					continue
				}
				if a.x < 0 || right(a) > width || a.y-a.size*0.25 < 0 || a.y+a.size > height.Points() {
					t.Errorf("%q at %.1f,%.1f to %.1f leaves the figure of %d x %.1f", a.text, a.x, a.y, right(a), width, height.Points())
				}
				for _, b := range all[:i] {
					if !b.turned && a.y == b.y && a.x < right(b) && b.x < right(a) && strings.TrimSpace(b.text) != "" {
						t.Errorf("%q covers %q", a.text, b.text)
					}
				}
			}
		})
	}
}

// TestPageColours checks that an inline figure follows the page: no paint but
// the palette and currentColor, no background, no prologue.
func TestPageColours(t *testing.T) {
	paint := regexp.MustCompile(`(?:fill|stroke):([^;"]+)`)
	allowed := map[string]bool{"none": true, "currentColor": true}
	for _, c := range palette {
		allowed[hex(c)] = true
		// With an opacity gonum may write each of red, green and blue one lower.
		allowed[hex(color.NRGBA{max(c.R, 1) - 1, max(c.G, 1) - 1, max(c.B, 1) - 1, 0xff})] = true
	}
	for _, runnable := range []float64{1, 1.5, 2, 3, 4} {
		allowed[hex(queueColor(runnable))] = true
	}
	for _, c := range kindColors {
		allowed[hex(c)], allowed[hex(textOn(c))] = true, true
	}
	allowed["#009D73"] = true // green, with an opacity
	for i := range 251 {      // of the scale from 1200 to 3700 in the test's figure
		c := cividisAt(float64(i) / 250)
		allowed[hex(c)], allowed[hex(textOn(c))] = true, true
	}
	for name, f := range figures(t) {
		t.Run(name, func(t *testing.T) {
			s := svg(t, f)
			if !strings.HasPrefix(s, "<svg ") || !strings.HasSuffix(s, "</svg>\n") {
				t.Errorf("not one svg element: %.40q ... %.20q", s, s[max(0, len(s)-20):])
			}
			for _, m := range paint.FindAllStringSubmatch(s, -1) {
				if !allowed[m[1]] {
					t.Errorf("paint %s", m[1])
				}
			}
			for _, element := range strings.Split(s, "<")[1:] {
				// Without a fill an SVG shape is black on every page.
				if (strings.HasPrefix(element, "path") || strings.HasPrefix(element, "text")) && !strings.Contains(element, "fill:") {
					t.Errorf("no fill: <%s", element)
				}
			}
			if n := strings.Count(s, "font-family:"); n != strings.Count(s, "font-family:"+fontStack+";") {
				t.Errorf("%d texts, not all with the font stack", n)
			}
			if strings.Contains(s, "<rect") {
				t.Error("a rectangle: is it a background?")
			}
		})
	}
}

func TestEscapes(t *testing.T) {
	f, err := Scaling(Labels{Title: `a<b & "c"`}, Series{Name: "1 < 2", X: []float64{1}, Y: []float64{1}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range texts(t, svg(t, f)) {
		got = append(got, x.text)
	}
	if got[0] != `a<b & "c"` || got[1] != "1 < 2" {
		t.Errorf("texts %q", got[:2])
	}
}

func TestPNG(t *testing.T) {
	for name, f := range figures(t) {
		t.Run(name, func(t *testing.T) {
			var a, b bytes.Buffer
			if err := f.WritePNG(&a); err != nil {
				t.Fatal(err)
			}
			if err := f.WritePNG(&b); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(a.Bytes(), b.Bytes()) {
				t.Error("the same figure written twice differs")
			}
			img, err := png.Decode(&a)
			if err != nil {
				t.Fatal(err)
			}
			w, _ := f.size()
			if got, want := img.Bounds().Dx(), int(w.Dots(dotsPerInch)); got != want {
				t.Errorf("%d pixels wide, want %d", got, want)
			}
			if r, g, b, alpha := img.At(0, 0).RGBA(); r+g+b+alpha != 4*0xffff {
				t.Errorf("corner is %x %x %x %x, want white", r, g, b, alpha)
			}
		})
	}
}

// TestImagesDeclared: a heat map is an image in the SVG, whose attribute needs its
// namespace for the file to be well-formed by itself, and its own type.
func TestImagesDeclared(t *testing.T) {
	s := svg(t, figures(t)["queues"])
	if !strings.Contains(s, `xlink:href="data:image/png;base64,iVBOR`) || !strings.Contains(s, `xmlns:xlink="http://www.w3.org/1999/xlink"`) {
		t.Errorf("no PNG with a declared namespace: %.300s", s)
	}
}
