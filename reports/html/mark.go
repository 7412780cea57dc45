package html

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim/study"
)

// marker gives cells the classes that the style sheet knows: "num" to figures,
// "verdict" and a tone to verdicts, "long" to sentences, "key" to what names a
// line.
type marker struct{}

// Transform implements parser.ASTTransformer.
func (marker) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		t, ok := n.(*east.Table)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		markTable(t, reader.Source())
		return ast.WalkSkipChildren, nil
	})
}

func markTable(t *east.Table, source []byte) {
	var heads []string
	for r := t.FirstChild(); r != nil; r = r.NextSibling() {
		col := 0
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			cell, ok := c.(*east.TableCell)
			if !ok {
				continue
			}
			words := plain(cell, source)
			if r == t.FirstChild() {
				heads = append(heads, words)
			}
			if class := classOf(cell, words, col, heads, r == t.FirstChild()); class != "" {
				cell.SetAttributeString("class", []byte(class))
			}
			col++
		}
	}
}

// longText is how many bytes in a cell are a sentence, which needs width.
const longText = 40

func classOf(c *east.TableCell, words string, col int, heads []string, head bool) string {
	switch {
	case c.Alignment == east.AlignRight:
		return "num"
	case !head && col < len(heads) && strings.TrimSpace(heads[col]) == "verdict":
		return "verdict " + string(view.WordsOf(study.Verdict(strings.TrimSpace(words))).Tone)
	case !head && len(words) > longText:
		return "long"
	case col == 0:
		return "key"
	}
	return ""
}
