package article

import (
	"bytes"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/schedlab/schedlab/reports/nb"
	"github.com/schedlab/schedlab/reports/safe"
	"github.com/schedlab/schedlab/templates"
)

// page is what the frame of an article sees. Everything of type HTML has gone
// through package safe or was made here of escaped text.
type page struct {
	Title    string
	Style    template.CSS
	Headings []heading
	Cells    []pageCell
}

// pageCell is a cell of the page: text, or code with its outputs.
type pageCell struct {
	ID, Label, Summary string
	Text               template.HTML
	Code               template.HTML
	Fold               bool
	Outputs            []pageOutput
}

// pageOutput is an output: preformatted text of a kind, or HTML.
type pageOutput struct {
	Pre, Kind string
	HTML      template.HTML
}

// heading is an entry of the contents.
type heading struct{ ID, Text string }

// HTML writes the article as one page that loads nothing.
func (a *Article) HTML() ([]byte, error) {
	css, err := templates.FS.ReadFile("style.css.tmpl")
	if err != nil {
		return nil, fmt.Errorf("article: %w", err)
	}
	t, err := template.ParseFS(templates.FS, "article.html.tmpl")
	if err != nil {
		return nil, fmt.Errorf("article: %w", err)
	}
	p := page{Title: a.title, Style: template.CSS(css)}
	ids := parser.NewContext().IDs() // one for all cells: headings may be called the same
	for _, c := range a.notebook.Cells {
		switch c.Type {
		case nb.Markdown:
			cell, err := textCell(c, ids, &p)
			if err != nil {
				return nil, err
			}
			p.Cells = append(p.Cells, cell)
		case nb.Code:
			cell, err := a.codeCell(c)
			if err != nil {
				return nil, err
			}
			if cell.Code != "" || len(cell.Outputs) > 0 {
				p.Cells = append(p.Cells, cell)
			}
		}
	}
	var b bytes.Buffer
	if err := t.Execute(&b, p); err != nil {
		return nil, fmt.Errorf("article: %w", err)
	}
	return b.Bytes(), nil
}

// textCell is a cell of text. Its headings come to the page's contents.
func textCell(c *nb.Cell, ids parser.IDs, p *page) (pageCell, error) {
	source := []byte(c.Source)
	doc := dialect.Parser().Parse(text.NewReader(source), parser.WithContext(parser.NewContext(parser.WithIDs(ids))))
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 2 {
			if id, ok := h.AttributeString("id"); ok {
				p.Headings = append(p.Headings, heading{string(id.([]byte)), words(h, source)})
			}
		}
	}
	html, err := toHTML(doc, source, attachments(c))
	return pageCell{Text: html}, err
}

// toHTML is a text as HTML that is safe.
func toHTML(doc ast.Node, source []byte, attached map[string]*nb.Output) (template.HTML, error) {
	r := renderer.NewRenderer(renderer.WithNodeRenderers(util.Prioritized(images{attached}, 1)))
	r.AddOptions(htmlRenderers...)
	var b bytes.Buffer
	if err := r.Render(&b, source, doc); err != nil {
		return "", fmt.Errorf("article: %w", err)
	}
	return template.HTML(boxed(safe.HTML(b.String()))), nil
}

// boxed puts tables into boxes that scroll, by the keyboard too. HTML that has
// passed package safe has an end for every table.
func boxed(html string) string {
	html = tableTag.ReplaceAllString(html, `<div class="scroll" role="region" aria-label="table" tabindex="0">$0`)
	return strings.ReplaceAll(html, "</table>", "</table></div>")
}

var tableTag = regexp.MustCompile(`<table\b[^<>]*>`)

// codeCell is a cell of code with its outputs.
func (a *Article) codeCell(c *nb.Cell) (pageCell, error) {
	cell := pageCell{ID: "cell-" + c.ID, Label: label(c), Summary: summary(c)}
	if how := a.codeOf(c); how != Hide {
		colours, err := coloured(c.Source)
		if err != nil {
			return cell, err
		}
		cell.Code, cell.Fold = colours, how == Fold
	}
	for _, o := range c.Outputs {
		out, err := outputOf(o)
		if err != nil {
			return cell, err
		}
		if out != (pageOutput{}) {
			cell.Outputs = append(cell.Outputs, out)
		}
	}
	return cell, nil
}

// outputOf is the best form of an output that a page can show.
func outputOf(o *nb.Output) (pageOutput, error) {
	switch o.Type {
	case nb.Stream:
		kind := "stdout"
		if o.Name == "stderr" {
			kind = "stderr"
		}
		return pageOutput{Pre: strings.TrimRight(plain(o.Text), "\n"), Kind: kind}, nil
	case nb.ErrorOutput:
		return pageOutput{Pre: errorText(o), Kind: "error"}, nil
	}
	if text, ok := o.MIME(mimeHTML); ok {
		if html := safe.HTML(text); shows(html) {
			return pageOutput{HTML: template.HTML(boxed(html)), Kind: "rich"}, nil
		}
	}
	if source, ok := o.MIME(mimeMarkdown); ok {
		doc, data := parse(source)
		html, err := toHTML(doc, data, nil)
		if err != nil || shows(string(html)) {
			return pageOutput{HTML: html, Kind: "rich"}, err
		}
	}
	for _, mime := range pictureTypes {
		if data, ok := o.MIME(mime); ok {
			if html, ok := figure(mime, data, altOf(o)); ok {
				return pageOutput{HTML: html, Kind: "rich"}, nil
			}
		}
	}
	if text, ok := o.MIME(mimeText); ok {
		return pageOutput{Pre: strings.TrimRight(plain(text), "\n"), Kind: "value"}, nil
	}
	return pageOutput{Pre: "[" + nothingShown(o) + "]", Kind: "stderr"}, nil
}

// figure is a picture in the page. A drawing in the colour of the text is made
// for white paper: as an image it does not see the colours of the page, and the
// style sheet turns it where the page is dark.
func figure(mime, data, alt string) (template.HTML, bool) {
	if mime != mimeSVG {
		img, ok := safe.Picture(mime, data, alt)
		return template.HTML(`<div class="plot">` + img + "</div>"), ok
	}
	svg, err := safe.SVG([]byte(data))
	if err != nil {
		return "", false
	}
	class := "plot paper"
	if bytes.Contains(svg, []byte("prefers-color-scheme")) {
		class = "plot"
	}
	return template.HTML(`<div class="` + class + `">` + safe.Image(svg, alt) + "</div>"), true
}

// attachments are the pictures that a cell of text has with it, by name.
func attachments(c *nb.Cell) map[string]*nb.Output {
	all := map[string]*nb.Output{}
	for name, data := range c.Attachments() {
		all[name] = &nb.Output{Type: nb.DisplayData, Data: data}
	}
	return all
}

// names are the keys of a map in order.
func names[V any](m map[string]V) []string {
	var all []string
	for name := range m {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}
