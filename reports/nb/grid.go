package nb

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"

	"github.com/schedlab/schedlab/reports/markdown"
	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim/study"
)

// A grid is a table as it is shown in a notebook. All its text is plain: it is
// escaped in each form.
type grid struct {
	view.Table
	caption string
	note    string // below the table
}

// String lays the table out in columns, two blanks apart.
func (g grid) String() string {
	rows := g.cells()
	width := make([]int, len(g.Cols))
	for _, cells := range rows {
		for i, c := range cells {
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	var b strings.Builder
	if g.caption != "" {
		b.WriteString(g.caption + "\n\n")
	}
	for _, cells := range rows {
		var line strings.Builder
		for i, c := range cells {
			if i > 0 {
				line.WriteString("  ")
			}
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(c))
			if g.Cols[i].Num {
				line.WriteString(pad + c)
			} else {
				line.WriteString(c + pad)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	if g.note != "" {
		b.WriteString("\n" + g.note + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// cells returns the heads and the rows, each with as many cells as there are
// columns, in one line each.
func (g grid) cells() [][]string {
	rows := [][]string{nil}
	for _, c := range g.Cols {
		rows[0] = append(rows[0], oneLine(c.Head))
	}
	for _, r := range g.Rows {
		cells := make([]string, len(g.Cols))
		for i := range min(len(r), len(cells)) {
			cells[i] = oneLine(r[i])
		}
		rows = append(rows, cells)
	}
	return rows
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Markdown writes the table in GitHub's syntax.
func (g grid) Markdown() string {
	var parts []string
	if g.caption != "" {
		parts = append(parts, "**"+markdown.Escape(g.caption)+"**")
	}
	if len(g.Cols) > 0 {
		parts = append(parts, markdown.Table(g.Table))
	}
	if g.note != "" {
		parts = append(parts, markdown.Escape(g.note))
	}
	return strings.Join(parts, "\n\n")
}

// HTML writes the table with heads that a screen reader finds. The front end's
// own style does the rest.
func (g grid) HTML() string {
	var b strings.Builder
	b.WriteString("<table>\n")
	if g.caption != "" {
		fmt.Fprintf(&b, "<caption>%s</caption>\n", html.EscapeString(g.caption))
	}
	for n, cells := range g.cells() {
		if n == 0 {
			b.WriteString("<thead>\n")
		}
		b.WriteString("<tr>")
		for i, c := range cells {
			b.WriteString(g.cell(c, i, n == 0))
		}
		b.WriteString("</tr>\n")
		if n == 0 {
			b.WriteString("</thead>\n<tbody>\n")
		}
	}
	b.WriteString("</tbody>\n</table>\n")
	if g.note != "" {
		fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(g.note))
	}
	return b.String()
}

// cell is one cell of the HTML form.
func (g grid) cell(text string, column int, head bool) string {
	tag, attributes := "td", ""
	if head {
		tag, attributes = "th", ` scope="col"`
	}
	align := "left"
	if g.Cols[column].Num {
		align = "right"
	}
	attributes += fmt.Sprintf(` style="text-align:%s"`, align)
	words := html.EscapeString(text)
	if !head && oneLine(g.Cols[column].Head) == "verdict" && text != "" {
		words = chip(text)
	}
	return "<" + tag + attributes + ">" + words + "</" + tag + ">"
}

// chipColours are borders that stand out on a light and on a dark page; the
// text beside says the same.
var chipColours = map[view.Tone]string{
	view.Good: "#009e73", view.Partial: "#e69f00", view.Neutral: "#8c8c8c",
	view.Bad: "#d55e00", view.Open: "#cc79a7", view.Off: "#8c8c8c",
}

// chip is a verdict with the colour of its tone beside it.
func chip(verdict string) string {
	colour := chipColours[view.WordsOf(study.Verdict(verdict)).Tone]
	return fmt.Sprintf(`<span style="border-left:4px solid %s;padding-left:6px;white-space:nowrap">%s</span>`,
		colour, html.EscapeString(verdict))
}

// grids are several tables below each other, after a heading.
type grids struct {
	title string
	facts []view.Fact
	parts []grid
}

func (g grids) String() string {
	var parts []string
	if g.title != "" {
		parts = append(parts, g.title)
	}
	var facts []string
	for _, f := range g.facts {
		facts = append(facts, f.Label+": "+f.Text)
	}
	if len(facts) > 0 {
		parts = append(parts, strings.Join(facts, "\n"))
	}
	for _, p := range g.parts {
		parts = append(parts, p.String())
	}
	return strings.Join(parts, "\n\n")
}

// Markdown writes heading and tables.
func (g grids) Markdown() string {
	var parts []string
	if g.title != "" {
		parts = append(parts, "**"+markdown.Escape(g.title)+"**")
	}
	if len(g.facts) > 0 {
		parts = append(parts, markdown.Facts(g.facts))
	}
	for _, p := range g.parts {
		parts = append(parts, p.Markdown())
	}
	return strings.Join(parts, "\n\n")
}

// HTML writes heading and tables.
func (g grids) HTML() string {
	var b strings.Builder
	if g.title != "" {
		fmt.Fprintf(&b, "<p><strong>%s</strong></p>\n", html.EscapeString(g.title))
	}
	if len(g.facts) > 0 {
		b.WriteString("<ul>\n")
		for _, f := range g.facts {
			fmt.Fprintf(&b, "<li>%s: %s</li>\n", html.EscapeString(f.Label), html.EscapeString(f.Text))
		}
		b.WriteString("</ul>\n")
	}
	for _, p := range g.parts {
		b.WriteString(p.HTML())
	}
	return b.String()
}
