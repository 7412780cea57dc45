package article

import (
	"bytes"
	"fmt"
	"html/template"

	"github.com/alecthomas/chroma/v2"
	chtml "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
)

// coloured is the source of a cell with the classes that the style sheet has
// colours for. The formatter escapes the text.
func coloured(source string) (template.HTML, error) {
	lexer := lexers.Get("go")
	if lexer == nil {
		return "", fmt.Errorf("article: the highlighter knows no Go")
	}
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, source)
	if err != nil {
		return "", fmt.Errorf("article: %w", err)
	}
	var b bytes.Buffer
	f := chtml.New(chtml.WithClasses(true), chtml.TabWidth(4), chtml.WithPreWrapper(box{}))
	if err := f.Format(&b, styles.Fallback, tokens); err != nil {
		return "", fmt.Errorf("article: %w", err)
	}
	return template.HTML(b.String()), nil
}

// box is what the formatter puts around the lines: one that the keyboard can
// scroll.
type box struct{}

func (box) Start(bool, string) string { return `<pre class="code" tabindex="0"><code>` }
func (box) End(bool) string           { return "</code></pre>" }
