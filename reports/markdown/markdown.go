package markdown

import (
	"bytes"
	"fmt"
	"strings"
	"text/template"

	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/templates"
)

// document is what the template sees.
type document struct {
	*view.Report
	// Figures are the plots of each section.
	Figures map[*view.Section][]figure
}

// figure is one plot as a link.
type figure struct {
	N               int
	File, Alt, Text string
}

// PlotFile names the file of a plot beside the document of study id.
func PlotFile(id, plot string) string { return id + "-" + plot + ".svg" }

// Render writes r as Markdown.
func Render(r *view.Report) ([]byte, error) {
	t, err := template.New("report.md.tmpl").Funcs(template.FuncMap{
		"text":   Escape,
		"table":  Table,
		"facts":  Facts,
		"items":  Items,
		"fence":  Fence,
		"goCode": goCode,
		"quote":  Quote,
		"claims": claims,
		"link":   link,
	}).ParseFS(templates.FS, "report.md.tmpl")
	if err != nil {
		return nil, fmt.Errorf("markdown: %w", err)
	}
	d := document{Report: r, Figures: make(map[*view.Section][]figure)}
	n := 0
	for _, s := range r.Sections {
		for _, p := range s.Plots {
			n++
			d.Figures[s] = append(d.Figures[s], figure{n, PlotFile(r.Study.ReportID(), p.Name), p.Alt, p.Title})
		}
	}
	var b bytes.Buffer
	if err := t.Execute(&b, d); err != nil {
		return nil, fmt.Errorf("markdown: %w", err)
	}
	return view.Tidy(b.String()), nil
}

// goCode is a block of Go, which a reader of Markdown may show in colour.
func goCode(s string) string { return strings.Replace(Fence(s), "\n", "go\n", 1) }

// claims puts each claim on a line with its verdict.
func claims(cs []view.Claim) string {
	t := view.Table{Cols: []view.Col{{Head: "claim"}, {Head: "held to"}, {Head: "verdict"}, {Head: "reason"}}}
	for _, c := range cs {
		t.Rows = append(t.Rows, []string{c.Quoted, c.Where, c.Verdict, c.Reason})
	}
	return Table(t)
}

// link is a trailer's text as a link if it is a URL, and nothing but one: what a link
// in brackets cannot have would end it.
func link(s string) string {
	if (strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")) && !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r == '<' || r == '>' || r == 0x7f
	}) {
		return "<" + s + ">"
	}
	return Escape(s)
}
