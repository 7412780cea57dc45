package view

import (
	"slices"
	"strings"
)

// gap is the blanks between the columns of plain text.
const gap = 2

// fit leaves out columns, the first of drop before the others, until t is no wider
// than width in plain text. What is left may still be wider.
func (t Table) fit(width int, drop ...string) Table {
	for _, head := range drop {
		if t.width() <= width {
			break
		}
		i := slices.IndexFunc(t.Cols, func(c Col) bool { return strings.HasPrefix(c.Head, head) })
		if i < 0 {
			continue
		}
		out := Table{Cols: slices.Delete(slices.Clone(t.Cols), i, i+1)}
		for _, r := range t.Rows {
			if i < len(r) {
				r = slices.Delete(slices.Clone(r), i, i+1)
			}
			out.Rows = append(out.Rows, r)
		}
		t = out
	}
	return t
}

// width is how many columns t takes in plain text.
func (t Table) width() int {
	sum := gap * (len(t.Cols) - 1)
	for i, c := range t.Cols {
		w := 0
		for _, line := range strings.Split(c.Head, "\n") {
			w = max(w, len([]rune(line)))
		}
		for _, r := range t.Rows {
			if i < len(r) {
				w = max(w, len([]rune(r[i])))
			}
		}
		sum += w
	}
	return sum
}
