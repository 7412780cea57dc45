package post

import (
	"bytes"
	"fmt"
	"strings"
	"text/template"

	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/templates"
)

var funcs = template.FuncMap{
	"title":  Title,
	"para":   Paragraph,
	"quote":  Quote,
	"table":  Table,
	"facts":  Facts,
	"items":  Items,
	"notes":  notes,
	"pre":    ASCII,
	"author": func(s string) string { return ASCII(plusMinus.Replace(s)) },
	"claim":  claim,
}

// plusMinus keeps the columns of a table whose spreads take the sign's ASCII form.
var plusMinus = strings.NewReplacer(" ±", "+-")

// Render writes r as plain text.
func Render(r *view.Report) ([]byte, error) {
	t, err := template.New("post.txt.tmpl").Funcs(funcs).ParseFS(templates.FS, "post.txt.tmpl")
	if err != nil {
		return nil, fmt.Errorf("post: %w", err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, r); err != nil {
		return nil, fmt.Errorf("post: %w", err)
	}
	return view.Tidy(b.String()), nil
}

// Title is a section's head.
func Title(s string) string {
	s = ASCII(s)
	return s + "\n" + strings.Repeat("=", len(s))
}

// Items is a list, each item wrapped behind its mark.
func Items(items []string) string {
	var out []string
	for _, s := range items {
		out = append(out, Wrap(s, "* ", "  "))
	}
	return strings.Join(out, "\n")
}

// notes is labelled texts as a list, for labels too long for a column.
func notes(facts []view.Fact) string {
	var items []string
	for _, f := range facts {
		items = append(items, f.Label+": "+f.Text)
	}
	return Items(items)
}

// claim is a sentence of the post with its verdict.
func claim(c view.Claim) string {
	return Wrap(c.Quoted+" ("+c.Where+")", "* ", "  ") + "\n" + Wrap(c.Ruling, "  -> ", "     ")
}
