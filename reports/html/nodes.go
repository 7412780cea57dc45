package html

import (
	"bytes"
	"fmt"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	ghtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"github.com/schedlab/schedlab/reports/view"
)

// nodes renders what a report's page needs otherwise than goldmark does it:
// tables in a box that scrolls, and images as drawings in the page.
type nodes struct {
	plots map[string]view.Plot
}

// RegisterFuncs implements renderer.NodeRenderer.
func (n nodes) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(east.KindTable, n.table)
	reg.Register(ast.KindImage, n.image)
	reg.Register(ast.KindFencedCodeBlock, n.code)
}

// table opens a box that the keyboard can scroll too.
func (nodes) table(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = w.WriteString("<div class=\"scroll\" role=\"region\" aria-label=\"table\" tabindex=\"0\">\n<table>\n")
	} else {
		_, _ = w.WriteString("</table>\n</div>\n")
	}
	return ast.WalkContinue, nil
}

// image puts the drawing itself in the page. One that is not at hand cannot be
// linked to, for the page would no longer be self-contained.
func (n nodes) image(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	file := string(node.(*ast.Image).Destination)
	p, ok := n.plots[file]
	if !ok {
		return ast.WalkStop, fmt.Errorf("html: image %s is not among the plots; pass it in", file)
	}
	// Drawings in the colour of the text follow the page by themselves; the
	// style turns the others, which are made for white paper.
	class := "plot"
	if !bytes.Contains(p.SVG, []byte("currentColor")) {
		class += " paper"
	}
	_, _ = w.WriteString(`<span class="` + class + `" role="img" aria-label="`)
	_, _ = w.Write(util.EscapeHTML([]byte(p.Alt)))
	_, _ = w.WriteString(`">`)
	_, _ = w.Write(view.Inline(p.SVG))
	_, _ = w.WriteString("</span>")
	return ast.WalkSkipChildren, nil
}

// code writes a block that the keyboard can scroll.
func (nodes) code(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	var b bytes.Buffer
	for i := range node.Lines().Len() {
		line := node.Lines().At(i)
		b.Write(line.Value(source))
	}
	_, _ = w.WriteString(`<pre tabindex="0"><code>`)
	ghtml.DefaultWriter.RawWrite(w, b.Bytes())
	_, _ = w.WriteString("</code></pre>\n")
	return ast.WalkSkipChildren, nil
}
