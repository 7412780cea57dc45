package html

import (
	"bytes"
	"fmt"
	"html/template"

	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/templates"
)

// page is what the frame of a report sees.
type page struct {
	Title, ID string
	Style     template.CSS
	Headings  []heading
	Body      template.HTML
}

// Render writes r as one page.
func Render(r *view.Report) ([]byte, error) {
	css, err := style()
	if err != nil {
		return nil, err
	}
	b := newBody(r)
	content, err := b.render()
	if err != nil {
		return nil, err
	}
	return execute("page.html.tmpl", page{r.Study.Title, r.Study.ReportID(), css, b.headings, content})
}

// style is the style sheet, which has nothing to fill in.
func style() (template.CSS, error) {
	css, err := templates.FS.ReadFile("style.css.tmpl")
	if err != nil {
		return "", fmt.Errorf("html: %w", err)
	}
	return template.CSS(css), nil
}

func execute(name string, data any) ([]byte, error) {
	t, err := template.ParseFS(templates.FS, name)
	if err != nil {
		return nil, fmt.Errorf("html: %w", err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return nil, fmt.Errorf("html: %w", err)
	}
	return b.Bytes(), nil
}
