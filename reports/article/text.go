package article

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// dialect is the Markdown of notebooks: GitHub's, with HTML in it. The HTML of
// what it makes goes through package safe.
var dialect = goldmark.New(
	goldmark.WithExtensions(extension.GFM),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(html.WithUnsafe()),
)

// parse reads the text of a cell.
func parse(source string) (ast.Node, []byte) {
	data := []byte(source)
	return dialect.Parser().Parse(text.NewReader(data)), data
}

// words is the text below a node, in one line.
func words(n ast.Node, source []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		b.WriteString(wordsOf(c, source))
	}
	return b.String()
}

// wordsOf is the text of a node, in one line. HTML in it says nothing.
func wordsOf(n ast.Node, source []byte) string {
	switch n := n.(type) {
	case *ast.Text:
		text := n.Segment.Value(source)
		if _, code := n.Parent().(*ast.CodeSpan); !code {
			text = util.ResolveNumericReferences(util.ResolveEntityNames(util.UnescapePunctuations(text)))
		}
		if n.SoftLineBreak() || n.HardLineBreak() {
			return string(text) + " "
		}
		return string(text)
	case *ast.String:
		return string(n.Value)
	case *ast.AutoLink:
		return string(n.Label(source))
	case *ast.RawHTML:
		return ""
	}
	return words(n, source)
}

// firstHeading is the text of the first heading of level 1.
func firstHeading(doc ast.Node, source []byte) string {
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 1 {
			return strings.Join(strings.Fields(words(h, source)), " ")
		}
	}
	return ""
}

func joinSorted(names []string) string {
	slices.Sort(names)
	return strings.Join(names, ", ")
}
