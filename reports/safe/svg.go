package safe

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// svgElements are those of still pictures: no links, scripts, animations, or
// HTML in the picture.
var svgElements = []string{
	"svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "title", "desc",
	"defs", "clipPath", "linearGradient", "radialGradient", "stop", "pattern", "image", "marker",
}

// svgAttributes are those whose value is matched by value.
var svgAttributes = []string{
	"class", "id", "role", "aria-label", "aria-labelledby", "aria-hidden", "xmlns", "version",
	"viewBox", "preserveAspectRatio", "width", "height", "x", "y", "x1", "y1", "x2", "y2", "dx", "dy", "cx", "cy",
	"r", "rx", "ry", "d", "points", "transform", "pathLength", "opacity", "color", "visibility", "display",
	"fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray",
	"stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit",
	"font", "font-family", "font-size", "font-style", "font-weight", "font-variant", "letter-spacing", "text-anchor", "dominant-baseline",
	"text-decoration", "writing-mode", "textLength", "lengthAdjust", "rotate",
	"clip-path", "clip-rule", "clipPathUnits", "gradientUnits", "gradientTransform", "offset", "stop-color", "stop-opacity",
	"patternUnits", "patternContentUnits", "patternTransform", "markerWidth", "markerHeight", "markerUnits", "refX", "refY",
	"orient", "marker-start", "marker-mid", "marker-end", "shape-rendering", "text-rendering", "vector-effect", "image-rendering",
}

const (
	svgSpace   = "http://www.w3.org/2000/svg"
	xlinkSpace = "http://www.w3.org/1999/xlink"
)

// maxDepth is how deep elements may lie in each other.
const maxDepth = 200

// SVG returns a drawing as a file of its own, with what is on the lists: nothing
// runs or is loaded, wherever it is opened. A style sheet in the drawing stays if
// it names nothing outside. It fails for what is no SVG.
func SVG(untrusted []byte) ([]byte, error) {
	d := xml.NewDecoder(bytes.NewReader(untrusted))
	w := svgWriter{decoder: d}
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("safe: not a well-formed SVG: %w", err)
		}
		if err := w.token(tok); err != nil {
			return nil, fmt.Errorf("safe: %w", err)
		}
	}
	if !w.root {
		return nil, errors.New("safe: no svg element")
	}
	return w.out.Bytes(), nil
}

// svgWriter writes the tokens of a drawing that stay.
type svgWriter struct {
	decoder *xml.Decoder
	out     bytes.Buffer
	root    bool
	open    []string
}

func (w *svgWriter) token(tok xml.Token) error {
	switch t := tok.(type) {
	case xml.StartElement:
		return w.start(t)
	case xml.EndElement:
		// The decoder has checked that it is the one that is open.
		w.out.WriteString("</" + w.open[len(w.open)-1] + ">")
		w.open = w.open[:len(w.open)-1]
	case xml.CharData:
		if len(w.open) > 0 {
			return xml.EscapeText(&w.out, t)
		}
	}
	return nil // comments, instructions and a document type are dropped
}

func (w *svgWriter) start(e xml.StartElement) error {
	known := e.Name.Space == svgSpace || e.Name.Space == ""
	name := e.Name.Local
	switch {
	case !w.root && (name != "svg" || !known):
		return fmt.Errorf("the root element is %s, want svg", name)
	case w.root && len(w.open) == 0:
		return errors.New("more than one root element")
	case len(w.open) >= maxDepth:
		return fmt.Errorf("elements lie more than %d deep in each other", maxDepth)
	case known && name == "style":
		return w.style()
	case !known || !slices.Contains(svgElements, name):
		return w.decoder.Skip()
	}
	w.out.WriteString("<" + name)
	if !w.root {
		w.out.WriteString(` xmlns="` + svgSpace + `" xmlns:xlink="` + xlinkSpace + `"`)
	}
	for _, a := range e.Attr {
		w.attribute(name, a)
	}
	w.out.WriteString(">")
	w.root, w.open = true, append(w.open, name)
	return nil
}

// attribute writes an attribute that stays.
func (w *svgWriter) attribute(element string, a xml.Attr) {
	key := a.Name.Local
	switch {
	case key == "href" && (a.Name.Space == xlinkSpace || a.Name.Space == "xlink" || a.Name.Space == ""):
		// A drawing made to stand in HTML does not declare the prefix.
		if element != "image" || !picture.MatchString(a.Value) {
			return
		}
		key = "xlink:href"
	case a.Name.Space != "" || key == "xmlns":
		return
	case key == "style":
		if a.Value = inlineStyle(a.Value); a.Value == "" {
			return
		}
	case !slices.Contains(svgAttributes, key) || !value.MatchString(a.Value):
		return
	}
	w.out.WriteString(" " + key + `="`)
	// A buffer takes everything.
	_ = xml.EscapeText(&w.out, []byte(a.Value))
	w.out.WriteString(`"`)
}

// inlineStyle keeps the declarations of a style attribute whose values name
// nothing outside.
func inlineStyle(style string) string {
	var kept []string
	for declaration := range strings.SplitSeq(style, ";") {
		property, v, ok := strings.Cut(declaration, ":")
		property = strings.ToLower(strings.TrimSpace(property))
		if v = strings.TrimSpace(v); ok && harmless(v) && slices.Contains(styles, property) {
			kept = append(kept, property+":"+v)
		}
	}
	return strings.Join(kept, ";")
}

// sheet matches a style sheet that names nothing outside: as value, and the one
// rule with an @ that is needed, which asks for light or dark.
var sheet = regexp.MustCompile(`^(?:[^(\\<@]|@media \(prefers-color-scheme: (?:dark|light)\)` +
	`|(?i:rgba?|hsla?|translate|scale|rotate|matrix)\(|(?i:url)\(#[\w.-]+\))*$`)

// style writes a style sheet, or nothing if it is not harmless.
func (w *svgWriter) style() error {
	var css bytes.Buffer
	for {
		tok, err := w.decoder.Token()
		if err != nil {
			return err
		}
		switch t := tok.(type) {
		case xml.CharData:
			css.Write(t)
		case xml.StartElement:
			return errors.New("an element in a style sheet")
		case xml.EndElement:
			if sheet.Match(css.Bytes()) {
				w.out.WriteString("<style>")
				_ = xml.EscapeText(&w.out, css.Bytes())
				w.out.WriteString("</style>")
			}
			return nil
		}
	}
}
