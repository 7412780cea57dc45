package html

import (
	"bytes"
	"fmt"
	"html/template"
	"strings"

	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/templates"
)

// heading is an entry of the contents.
type heading struct {
	ID, Text string
}

// body is the report of a page while it is written.
type body struct {
	report   *view.Report
	headings []heading       // of the second level
	ids      map[string]bool // in use
	figures  int
}

func newBody(r *view.Report) *body { return &body{report: r, ids: make(map[string]bool)} }

// render executes the report's template.
func (b *body) render() (template.HTML, error) {
	t, err := template.New("report.html.tmpl").Funcs(template.FuncMap{
		"h2":      b.h2,
		"h3":      b.h3,
		"text":    text,
		"para":    para,
		"facts":   facts,
		"items":   items,
		"pre":     pre,
		"code":    code,
		"table":   b.table,
		"results": b.results,
		"claims":  b.claims,
		"origins": b.origins,
		"figure":  b.figure,
	}).ParseFS(templates.FS, "report.html.tmpl")
	if err != nil {
		return "", fmt.Errorf("html: %w", err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, b.report); err != nil {
		return "", fmt.Errorf("html: %w", err)
	}
	return template.HTML(view.Tidy(out.String())), nil
}

// id makes an address of the parts that is not in use yet.
func (b *body) id(parts ...string) string {
	name := address(strings.Join(parts, "/"))
	id := name
	for i := 2; b.ids[id]; i++ {
		id = fmt.Sprintf("%s~%d", name, i)
	}
	b.ids[id] = true
	return id
}

// address makes a name fit to stand behind a # without being escaped: anything but
// letters, digits and a few marks becomes a hyphen.
func address(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', strings.ContainsRune("/._+-", r):
			b.WriteRune(r)
		case !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String(), "-")
}

func (b *body) h2(s string) template.HTML {
	id := b.id(strings.ToLower(s))
	b.headings = append(b.headings, heading{id, s})
	return element("h2", id, s)
}

func (b *body) h3(s string) template.HTML { return element("h3", b.id("about", strings.ToLower(s)), s) }

func element(tag, id, s string) template.HTML {
	return template.HTML("<" + tag + ` id="` + id + `">` + template.HTMLEscapeString(s) + "</" + tag + ">")
}

// figure is a drawing with its number and caption. Screen readers are given its
// title and what it shows, which stand in the drawing itself.
func (b *body) figure(p view.Plot) template.HTML {
	b.figures++
	id := b.id("figure", p.Name)
	return template.HTML(fmt.Sprintf(`<figure id="%s">
<div class="%s" role="group" aria-label="drawing" tabindex="0">%s</div>
<figcaption>Figure %d. %s</figcaption>
</figure>`, id, plotClass(p.SVG), described(p, id), b.figures, text(p.Title)))
}
