package html

import (
	"bytes"
	"fmt"
	"html/template"
	"regexp"

	"github.com/schedlab/schedlab/reports/view"
)

// plotClass is how the style treats a drawing. Those in the colour of the text
// follow the page by themselves; the style turns the others, which are made for
// white paper.
func plotClass(svg []byte) string {
	if bytes.Contains(svg, []byte("currentColor")) {
		return "plot"
	}
	return "plot paper"
}

var (
	// rootName are the attributes of a drawing's root that name it for readers.
	rootName  = regexp.MustCompile(`\s(?:role|aria-label|aria-labelledby|aria-describedby)="[^"]*"`)
	rootTitle = regexp.MustCompile(`(?s)<(title|desc)>.*?</(?:title|desc)>\s*`)
)

// described is a drawing that says what it is: with title and desc, as the page has
// them, in the place of its own. Linebreaks in it stay as they are.
func described(p view.Plot, id string) []byte {
	svg := view.Inline(p.SVG)
	end := bytes.IndexByte(svg, '>')
	if end < 0 {
		return svg
	}
	root, rest := svg[:end], svg[end:]
	empty := bytes.HasSuffix(root, []byte("/"))
	root = bytes.TrimSuffix(root, []byte("/"))
	root = rootName.ReplaceAll(root, nil)
	if !empty {
		// Only those of the root itself, which come first.
		head := len(rest)
		if i := bytes.Index(rest, []byte("<g")); i >= 0 {
			head = i
		}
		rest = append(rootTitle.ReplaceAll(rest[:head:head], nil), rest[head:]...)
	} else {
		rest = []byte("></svg>")
	}
	var b bytes.Buffer
	b.Write(root)
	fmt.Fprintf(&b, ` role="img" aria-labelledby="%s.title" aria-describedby="%s.desc">`, id, id)
	fmt.Fprintf(&b, `<title id="%s.title">%s</title><desc id="%s.desc">%s</desc>`, id, template.HTMLEscapeString(p.Title), id, template.HTMLEscapeString(p.Alt))
	b.Write(rest[1:])
	return b.Bytes()
}
