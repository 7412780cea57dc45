package nb

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// toldLine matches the places in Text that are lines of the failed cell.
var toldLine = regexp.MustCompile(`(?m)(?:^line |\bLine )(\d+)\b`)

// Listing is the source of the failed cell with line numbers, and a mark at the
// lines that Text names. Of a long cell only the lines around these are listed,
// or its begin where there is none. It is "" for a cell that was not begun.
func (e *CellError) Listing() string {
	const (
		around = 4  // lines before and after one that is named
		short  = 25 // lines of a cell that is listed whole
	)
	source := strings.Split(strings.TrimRight(e.Source, "\n"), "\n")
	if strings.TrimSpace(e.Source) == "" {
		return ""
	}
	named := map[int]bool{}
	for _, m := range toldLine.FindAllStringSubmatch(e.Text, -1) {
		if n, err := strconv.Atoi(m[1]); err == nil && n >= 1 && n <= len(source) {
			named[n] = true
		}
	}
	shown := func(n int) bool {
		if len(source) <= short || len(named) == 0 && n <= short {
			return true
		}
		for m := range named {
			if n >= m-around && n <= m+around {
				return true
			}
		}
		return false
	}
	var b strings.Builder
	gap := false
	for i, line := range source {
		n := i + 1
		if !shown(n) {
			gap = true
			continue
		}
		if gap {
			b.WriteString("       ...\n")
			gap = false
		}
		mark := " "
		if named[n] {
			mark = ">"
		}
		b.WriteString(strings.TrimRight(fmt.Sprintf("%s %4d | %s", mark, n, line), " ") + "\n")
	}
	if gap {
		b.WriteString("       ...\n")
	}
	return b.String()
}
