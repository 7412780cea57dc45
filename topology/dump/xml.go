package dump

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxElements bounds the nesting of XML: hwloc nests some 12 objects, and PCI
// bridges below them.
const maxElements = 128

// element is an XML element with its line.
type element struct {
	name     string
	attr     map[string]string
	line     int
	text     string
	parts    []byte // of the text, while it is read
	children []*element
}

// xmlTooMuch looks for more elements or attributes than any machine has, which would
// take many times the size of the text. It returns the line and what is wrong there,
// or line 0.
func xmlTooMuch(data []byte) (line int, what string) {
	const maxAttrs = 256 // of an element; hwloc writes 30 at most
	line = 1
	tags, attrs := 0, 0
	for _, c := range data {
		switch c {
		case '\n':
			line++
		case '<':
			tags++
			attrs = 0
		case '=':
			attrs++
		}
		switch {
		case tags > 2*maxXML: // an element has two
			return line, fmt.Sprintf("the XML has more than %d elements", maxXML)
		case attrs > maxAttrs:
			return line, fmt.Sprintf("an element has more than %d attributes", maxAttrs)
		}
	}
	return 0, ""
}

// readXML reads a document into elements. encoding/xml expands no entities but
// the five of XML itself, so a document cannot grow.
func readXML(name string, data []byte) (*element, error) {
	if line, what := xmlTooMuch(data); line > 0 {
		return nil, fmt.Errorf("%s:%d: %s, this is no output of lstopo", name, line, what)
	}
	d := xml.NewDecoder(bytes.NewReader(data))
	var root *element
	var open []*element
	for {
		tok, err := d.Token()
		line, _ := d.InputPos()
		if err == io.EOF {
			break
		}
		if err != nil {
			var syntax *xml.SyntaxError
			if errors.As(err, &syntax) {
				what := syntax.Msg + ", correct the XML"
				if strings.Contains(what, "unexpected EOF") {
					what = "the XML ends too early, copy the whole file"
				}
				return nil, fmt.Errorf("%s:%d: %s", name, syntax.Line, what)
			}
			return nil, fmt.Errorf("%s:%d: %w, correct the XML", name, line, err)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			e := &element{name: tok.Name.Local, line: line}
			if len(tok.Attr) > 0 {
				e.attr = make(map[string]string, len(tok.Attr))
			}
			for _, a := range tok.Attr {
				if _, ok := e.attr[a.Name.Local]; ok {
					return nil, fmt.Errorf("%s:%d: the attribute %s occurs twice, keep one", name, line, a.Name.Local)
				}
				e.attr[a.Name.Local] = a.Value
			}
			switch {
			case len(open) >= maxElements:
				return nil, fmt.Errorf("%s:%d: elements are nested more than %d deep, this is no output of lstopo", name, line, maxElements)
			case len(open) > 0:
				parent := open[len(open)-1]
				parent.children = append(parent.children, e)
			case root != nil:
				return nil, fmt.Errorf("%s:%d: a second document begins here, keep one", name, line)
			default:
				root = e
			}
			open = append(open, e)
		case xml.EndElement:
			e := open[len(open)-1]
			e.text, e.parts = string(e.parts), nil
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				e := open[len(open)-1]
				e.parts = append(e.parts, tok...)
			}
		}
	}
	if root == nil {
		return nil, fmt.Errorf("%s:1: the XML has no element, give the output of lstopo --of xml", name)
	}
	return root, nil
}

// infos returns the <info> children as a map.
func (e *element) infos() map[string]string {
	m := make(map[string]string)
	for _, c := range e.children {
		if c.name == "info" {
			m[c.attr["name"]] = c.attr["value"]
		}
	}
	return m
}
