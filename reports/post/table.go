package post

import (
	"strings"

	"github.com/schedlab/schedlab/reports/view"
)

// Table lays t out in columns, two blanks apart: figures to the right, the rest
// to the left, heads as they are in t with their lines one below the other.
func Table(t view.Table) string {
	var head [][]string
	height := 0
	for _, c := range t.Cols {
		lines := strings.Split(ASCII(c.Head), "\n")
		head = append(head, lines)
		height = max(height, len(lines))
	}
	var grid [][]string
	for line := range height {
		cells := make([]string, len(t.Cols))
		for i, h := range head {
			// A lower head stands directly above its column.
			if j := line - (height - len(h)); j >= 0 {
				cells[i] = h[j]
			}
		}
		grid = append(grid, cells)
	}
	for _, r := range t.Rows {
		cells := make([]string, len(t.Cols))
		for i := range min(len(r), len(cells)) {
			cells[i] = strings.Join(strings.Fields(ASCII(r[i])), " ")
		}
		grid = append(grid, cells)
	}
	width := make([]int, len(t.Cols))
	for _, cells := range grid {
		for i, c := range cells {
			width[i] = max(width[i], len(c))
		}
	}
	var parts []string
	for _, columns := range parted(width) {
		parts = append(parts, lay(t.Cols, grid, width, columns))
	}
	return strings.Join(parts, "\n\n")
}

// TableWidth is the most columns that a table takes; one that needs more is
// divided into several, each with the first column.
const TableWidth = 100

// parted divides columns of the given widths into tables.
func parted(width []int) [][]int {
	const gap = 2
	var parts [][]int
	var part []int
	used := 0
	for i, w := range width {
		if used+gap+w > TableWidth && len(part) > 1 {
			parts = append(parts, part)
			part, used = []int{0}, width[0]
		}
		part = append(part, i)
		used += gap + w
	}
	return append(parts, part)
}

// lay is one table of some of the columns.
func lay(cols []view.Col, grid [][]string, width, columns []int) string {
	var b strings.Builder
	for _, cells := range grid {
		line := ""
		for k, i := range columns {
			pad := strings.Repeat(" ", width[i]-len(cells[i]))
			if k > 0 {
				line += "  "
			}
			if cols[i].Num {
				line += pad + cells[i]
			} else {
				line += cells[i] + pad
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// Facts lays labelled lines out with the texts in one column.
func Facts(facts []view.Fact) string {
	width := 0
	for _, f := range facts {
		width = max(width, len(ASCII(f.Label)))
	}
	var lines []string
	for _, f := range facts {
		label := ASCII(f.Label)
		first := label + strings.Repeat(" ", width-len(label)) + "  "
		lines = append(lines, Wrap(f.Text, first, strings.Repeat(" ", width+2)))
	}
	return strings.Join(lines, "\n")
}
