package html

import (
	"bytes"
	"fmt"
	"html/template"
	"strings"

	"github.com/alecthomas/chroma/v2"
	chtml "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
)

// code is Go source in colour. The colours are the page's: the formatter writes
// classes, for which the style sheet has rules. Lines that a comment marks as added
// by a patch stand out.
func code(source string) (template.HTML, error) {
	lexer := lexers.Get("go")
	if lexer == nil {
		return "", fmt.Errorf("html: the highlighter knows no Go")
	}
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, source)
	if err != nil {
		return "", fmt.Errorf("html: %w", err)
	}
	var added [][2]int
	for i, l := range strings.Split(source, "\n") {
		if _, comment, ok := strings.Cut(l, "// "); ok && strings.TrimSpace(strings.SplitN(l, "//", 2)[0]) != "" && strings.HasPrefix(comment, "+") {
			added = append(added, [2]int{i + 1, i + 1})
		}
	}
	f := chtml.New(chtml.WithClasses(true), chtml.TabWidth(4), chtml.HighlightLines(added), chtml.WithPreWrapper(box{}))
	var b bytes.Buffer
	if err := f.Format(&b, styles.Fallback, tokens); err != nil {
		return "", fmt.Errorf("html: %w", err)
	}
	return template.HTML(b.String()), nil
}

// box is what the formatter puts around the lines: one that the keyboard can scroll.
type box struct{}

func (box) Start(bool, string) string { return `<pre class="code" tabindex="0">` }
func (box) End(bool) string           { return "</pre>" }
