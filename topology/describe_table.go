package topology

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// textTable is a table of aligned columns, indented by two, without blanks at
// the ends of lines.
type textTable struct {
	// align has a letter a column: l for left and r for right.
	align string
	rows  [][]string
}

func (t *textTable) row(cells ...string) { t.rows = append(t.rows, cells) }

func (t *textTable) write(buf *bytes.Buffer) {
	widths := make([]int, len(t.align))
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], columns(cell))
		}
	}
	for _, row := range t.rows {
		var line strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-columns(cell))
			line.WriteString("  ")
			if t.align[i] == 'r' {
				line.WriteString(pad + cell)
			} else {
				line.WriteString(cell + pad)
			}
		}
		buf.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// columns counts the characters of a text.
func columns(s string) int { return utf8.RuneCountInString(s) }
