package view

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// CheckSVG accepts one well-formed drawing that neither runs nor loads
// anything, since it becomes part of a page.
func CheckSVG(svg []byte) error {
	d := xml.NewDecoder(bytes.NewReader(svg))
	root, style := false, false
	for {
		tok, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("not well-formed SVG: %w", err)
		}
		if text, ok := tok.(xml.CharData); ok && style {
			if s := strings.ToLower(string(text)); strings.ContainsAny(s, `\@`) || strings.Contains(strings.ReplaceAll(s, "url(#", ""), "url(") {
				return fmt.Errorf("a style sheet in a drawing may load from elsewhere (%.40q); set attributes instead", s)
			}
		}
		e, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		style = strings.EqualFold(e.Name.Local, "style")
		if !root && e.Name.Local != "svg" {
			return fmt.Errorf("the root element is <%s>; want <svg>", e.Name.Local)
		}
		root = true
		if err := checkElement(e); err != nil {
			return err
		}
	}
	if !root {
		return errors.New("no SVG; leave the plot out")
	}
	return nil
}

func checkElement(e xml.StartElement) error {
	switch strings.ToLower(e.Name.Local) {
	case "script", "foreignobject", "iframe":
		return fmt.Errorf("<%s> is not allowed in a drawing", e.Name.Local)
	}
	for _, a := range e.Attr {
		name := strings.ToLower(a.Name.Local)
		value := strings.TrimSpace(a.Value)
		switch {
		case strings.HasPrefix(name, "on"):
			return fmt.Errorf("attribute %s runs code; remove it", a.Name.Local)
		case (name == "href" || name == "src") && !strings.HasPrefix(value, "#") && !strings.HasPrefix(value, "data:image/"):
			return fmt.Errorf("%s=%q loads from elsewhere; embed it", a.Name.Local, a.Value)
		case strings.Contains(value, "url(") && !strings.Contains(value, "url(#"):
			return fmt.Errorf("%s=%q loads from elsewhere; embed it", a.Name.Local, a.Value)
		}
	}
	return nil
}

// Inline returns svg without what only stands before the root element of a
// file of its own.
func Inline(svg []byte) []byte {
	if i := bytes.Index(svg, []byte("<svg")); i > 0 {
		return bytes.TrimSpace(svg[i:])
	}
	return bytes.TrimSpace(svg)
}
