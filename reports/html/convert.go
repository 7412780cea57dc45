package html

import (
	"bytes"
	"fmt"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/schedlab/schedlab/reports/markdown"
	"github.com/schedlab/schedlab/reports/view"
)

// converter turns Markdown into the body of a page. Drawings are looked up by
// the name of the file that the Markdown links to.
func converter(r *view.Report) goldmark.Markdown {
	plots := map[string]view.Plot{}
	for _, p := range r.Plots {
		plots[markdown.PlotFile(r.Study.ReportID(), p.Name)] = p
	}
	return goldmark.New(
		goldmark.WithExtensions(
			// The alignment of a cell becomes a class, see marker.
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone)),
			extension.Linkify,
		),
		goldmark.WithParserOptions(
			parser.WithAutoHeadingID(),
			parser.WithASTTransformers(util.Prioritized(marker{}, 100)),
		),
		// The least priority wins over goldmark's own renderers (500, 1000).
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(nodes{plots}, 1))),
	)
}

// convert returns the body and the headings that its contents list.
func convert(r *view.Report, md []byte) ([]byte, []heading, error) {
	c := converter(r)
	doc := c.Parser().Parse(text.NewReader(md))
	var b bytes.Buffer
	if err := c.Renderer().Render(&b, md, doc); err != nil {
		return nil, nil, fmt.Errorf("html: %w", err)
	}
	return b.Bytes(), headings(doc, md), nil
}

// heading is an entry of the contents.
type heading struct {
	ID, Text string
}

// headings lists the sections of doc.
func headings(doc ast.Node, source []byte) []heading {
	var hs []heading
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok || h.Level != 2 {
			continue
		}
		if id, ok := h.AttributeString("id"); ok {
			hs = append(hs, heading{string(id.([]byte)), plain(h, source)})
		}
	}
	return hs
}

// plain is the text below n.
func plain(n ast.Node, source []byte) string {
	var b bytes.Buffer
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			// As written: an escape's backslash is in the segment.
			b.Write(util.UnescapePunctuations(t.Segment.Value(source)))
			if t.SoftLineBreak() {
				b.WriteByte(' ')
			}
			continue
		}
		b.WriteString(plain(c, source))
	}
	return b.String()
}
