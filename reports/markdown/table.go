package markdown

import (
	"strings"
	"unicode/utf8"

	"github.com/schedlab/schedlab/reports/view"
)

// Table is t in GitHub's syntax, padded so that the source can be read too.
func Table(t view.Table) string {
	grid := [][]string{nil}
	for _, c := range t.Cols {
		grid[0] = append(grid[0], Escape(c.Head))
	}
	for _, r := range t.Rows {
		cells := make([]string, len(t.Cols))
		for i := range min(len(r), len(cells)) {
			cells[i] = cell(r[i])
		}
		grid = append(grid, cells)
	}
	width := make([]int, len(t.Cols))
	for _, cells := range grid {
		for i, c := range cells {
			width[i] = max(width[i], 3, utf8.RuneCountInString(c))
		}
	}
	var b strings.Builder
	for n, cells := range grid {
		for i, c := range cells {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(c))
			if t.Cols[i].Num {
				b.WriteString("| " + pad + c + " ")
			} else {
				b.WriteString("| " + c + pad + " ")
			}
		}
		b.WriteString("|\n")
		if n == 0 {
			b.WriteString(rule(t.Cols, width))
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// cell escapes the text of a cell, where a lone "-" begins no list.
func cell(s string) string {
	if s == view.Missing {
		return s
	}
	return Escape(s)
}

// rule is the line below the heads, which says how columns are aligned.
func rule(cols []view.Col, width []int) string {
	var b strings.Builder
	for i, c := range cols {
		if c.Num {
			b.WriteString("| " + strings.Repeat("-", width[i]-1) + ": ")
		} else {
			b.WriteString("| " + strings.Repeat("-", width[i]) + " ")
		}
	}
	return b.String() + "|\n"
}

// Facts is labelled lines as a list.
func Facts(facts []view.Fact) string {
	var lines []string
	for _, f := range facts {
		lines = append(lines, "- **"+Escape(f.Label)+"**: "+Escape(f.Text))
	}
	return strings.Join(lines, "\n")
}

// Items is a list.
func Items(items []string) string {
	var lines []string
	for _, s := range items {
		lines = append(lines, "- "+Escape(s))
	}
	return strings.Join(lines, "\n")
}
