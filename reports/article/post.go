package article

import (
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/schedlab/schedlab/reports/nb"
	"github.com/schedlab/schedlab/reports/post"
	"github.com/schedlab/schedlab/reports/view"
)

// indent is put before code and outputs in a post, so that no line of them can be
// taken for one of a patch or of a signature.
const indent = "    "

// Post writes the article as plain text for a mailing list: prose of at most 75
// columns in ASCII, code and outputs indented and as wide as they are.
func (a *Article) Post() []byte {
	var p postWriter
	for _, c := range a.notebook.Cells {
		switch c.Type {
		case nb.Markdown:
			doc, source := parse(c.Source)
			p.blocks(doc, source, "", "")
		case nb.Code:
			switch a.codeOf(c) {
			case Show:
				p.verbatim(c.Source)
			case Fold:
				p.add(post.Wrap("["+summary(c)+"]", "", ""))
			}
			for _, o := range c.Outputs {
				p.output(o)
			}
		}
	}
	return view.Tidy(strings.Join(p.parts, "\n\n") + "\n")
}

// postWriter collects the blocks of a post.
type postWriter struct{ parts []string }

func (p *postWriter) add(block string) {
	if strings.TrimSpace(block) != "" {
		p.parts = append(p.parts, strings.TrimRight(block, "\n"))
	}
}

// verbatim adds text as it is, indented.
func (p *postWriter) verbatim(s string) {
	var b strings.Builder
	for line := range strings.Lines(strings.Trim(post.ASCII(s), "\n")) {
		line = strings.TrimRight(strings.ReplaceAll(line, "\t", "        "), " \n")
		if line != "" {
			b.WriteString(indent + line)
		}
		b.WriteString("\n")
	}
	p.add(b.String())
}

// output adds the text of an output, or a note on a picture.
func (p *postWriter) output(o *nb.Output) {
	switch {
	case o.Type == nb.Stream:
		p.verbatim(plain(o.Text))
	case o.Type == nb.ErrorOutput:
		p.verbatim(errorText(o))
	case hasPicture(o):
		p.add(post.Wrap("[picture, in the HTML form only: "+altOf(o)+"]", "", " "))
	default:
		text, ok := o.MIME(mimeText)
		if fragment, hasHTML := o.MIME(mimeHTML); !ok && hasHTML {
			text = htmlText(fragment)
		}
		if strings.TrimSpace(text) == "" {
			text = "[" + nothingShown(o) + "]"
		}
		p.verbatim(plain(text))
	}
}

// blocks adds the blocks below a node, the first line of them behind a prefix and
// the others behind another.
func (p *postWriter) blocks(n ast.Node, source []byte, first, rest string) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		p.block(c, source, first, rest)
		first = rest
	}
}

func (p *postWriter) block(n ast.Node, source []byte, first, rest string) {
	switch n := n.(type) {
	case *ast.Heading:
		title := post.ASCII(strings.Join(strings.Fields(linked(n, source)), " "))
		line := "="
		if n.Level > 1 {
			line = "~"
		}
		p.add(post.Wrap(title, "", "") + "\n" + strings.Repeat(line, min(len(title), post.Width)))
	case *ast.Paragraph, *ast.TextBlock:
		p.add(post.Wrap(linked(n, source), first, rest))
	case *ast.Blockquote:
		p.blocks(n, source, first+"> ", rest+"> ")
	case *ast.List:
		p.list(n, source, rest)
	case *ast.FencedCodeBlock:
		p.verbatim(linesOf(n.Lines(), source))
	case *ast.CodeBlock:
		p.verbatim(linesOf(n.Lines(), source))
	case *east.Table:
		p.verbatim(post.Table(tableOf(n, source)))
	case *ast.HTMLBlock, *ast.ThematicBreak:
		// Neither says anything in words.
	default:
		p.blocks(n, source, first, rest)
	}
}

// list adds the items of a list as one block if each is a single paragraph.
func (p *postWriter) list(l *ast.List, source []byte, before string) {
	number := l.Start
	var tight []string
	for item := l.FirstChild(); item != nil; item = item.NextSibling() {
		mark := "* "
		if l.IsOrdered() {
			mark = fmt.Sprintf("%d. ", number)
			number++
		}
		inner := postWriter{}
		inner.blocks(item, source, before+mark, before+strings.Repeat(" ", len(mark)))
		if l.IsTight {
			tight = append(tight, strings.Join(inner.parts, "\n"))
			continue
		}
		p.parts = append(p.parts, inner.parts...)
	}
	p.add(strings.Join(tight, "\n"))
}

// linked is the text below a node with the addresses of links and the names of
// pictures behind their words.
func linked(n ast.Node, source []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Link:
			inner, target := linked(c, source), string(c.Destination)
			b.WriteString(inner)
			if inner != target && !strings.HasPrefix(target, "#") {
				b.WriteString(" <" + target + ">")
			}
		case *ast.Image:
			b.WriteString("[picture: " + words(c, source) + "]")
		case *east.TaskCheckBox:
			if c.IsChecked {
				b.WriteString("[x] ")
			} else {
				b.WriteString("[ ] ")
			}
		case *ast.Emphasis, *east.Strikethrough:
			b.WriteString(linked(c, source))
		default:
			b.WriteString(wordsOf(c, source))
		}
	}
	return b.String()
}

// tableOf is a table of the text.
func tableOf(t *east.Table, source []byte) view.Table {
	var out view.Table
	for r := t.FirstChild(); r != nil; r = r.NextSibling() {
		var cells []string
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			cell, ok := c.(*east.TableCell)
			if !ok {
				continue
			}
			text := strings.Join(strings.Fields(linked(cell, source)), " ")
			if r == t.FirstChild() {
				out.Cols = append(out.Cols, view.Col{Head: text, Num: cell.Alignment == east.AlignRight})
				continue
			}
			cells = append(cells, text)
		}
		if r != t.FirstChild() {
			out.Rows = append(out.Rows, cells)
		}
	}
	return out
}

// linesOf is the text of lines.
func linesOf(lines *text.Segments, source []byte) string {
	var b strings.Builder
	for i := range lines.Len() {
		s := lines.At(i)
		b.Write(s.Value(source))
	}
	return b.String()
}
