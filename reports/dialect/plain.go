package dialect

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Plain is a table of a heading and rows "case base patched +1.2%", columns kept
// apart by blanks or tabs: what people write who have no program for it.
type Plain struct {
	// texts are the lines as read: nothing says how they were aligned.
	texts []string
}

// Style implements Form.
func (p *Plain) Style() string { return "plain" }

// plainGap is the blanks between columns of a table that was made.
const plainGap = 2

func (p *Plain) lines(t *Table) ([]string, error) {
	if len(p.texts) > 0 {
		return p.texts, nil
	}
	grid := [][]string{{""}}
	for _, k := range t.Kernels {
		grid[0] = append(grid[0], k.Name())
	}
	grid[0] = append(grid[0], "%change")
	for _, r := range t.Rows {
		if len(r.Cells) != len(t.Kernels) {
			return nil, fmt.Errorf("dialect: row %s has %d values, want one for each of %d kernels", r.Key, len(r.Cells), len(t.Kernels))
		}
		row := []string{r.Key}
		for _, c := range r.Cells {
			row = append(row, string(c.Value))
		}
		grid = append(grid, append(row, string(r.Cells[len(r.Cells)-1].Pct)+"%"))
	}
	var lines []string
	for _, row := range grid {
		s := ""
		for j, cell := range row {
			width := 0
			for _, other := range grid {
				width = max(width, len(other[j]))
			}
			if j == 0 {
				s += padRight(cell, width)
				continue
			}
			s += strings.Repeat(" ", plainGap) + padLeft(cell, width)
		}
		lines = append(lines, s)
	}
	return lines, nil
}

var (
	plainGaps = regexp.MustCompile(`[ \t|]{2,}|[\t|]`)
	plainRow  = regexp.MustCompile(`^[ \t|]*(\S[^|]*?)[ \t|]{2,}(-?[0-9][0-9.]*)[ \t|]+(-?[0-9][0-9.]*)[ \t|]+\(?([+-]?[0-9][0-9.]*)[ ]?%\)?[ \t|]*$`)
)

// FindPlain returns runs of two or more such rows, and one alone below a heading
// that ends in "%change".
func FindPlain(text, filename string) ([]Found, error) {
	lines, quotes := unquote(text)
	var found []Found
	for i := 0; i < len(lines); i++ {
		last := i
		for last < len(lines) && strings.Contains(lines[last].text, "%") && plainRow.MatchString(lines[last].text) {
			last++
		}
		// One row alone may be prose, but not below such a heading.
		head := i > 0 && strings.HasSuffix(strings.ToLower(strings.TrimRight(lines[i-1].text, " \t")), "%change")
		if last-i < 2 && (last == i || !head) {
			continue
		}
		p := &Plain{}
		t := &Table{File: filename, Form: p, Kernels: make([]Kernel, 2)}
		for _, ln := range lines[i:last] {
			m := plainRow.FindStringSubmatch(ln.text)
			p.texts = append(p.texts, ln.text)
			t.Rows = append(t.Rows, Row{Key: m[1], Line: ln.n, Cells: []Cell{{Value: Decimal(m[2])}, {Value: Decimal(m[3]), Pct: Decimal(m[4])}}})
		}
		first := i
		if head {
			first--
			p.texts = slices.Insert(p.texts, 0, lines[first].text)
			names := plainGaps.Split(strings.TrimSpace(lines[first].text), -1)
			for k := 0; k < len(t.Kernels) && len(names) > len(t.Kernels); k++ {
				t.Kernels[k].Label[1] = names[len(names)-1-len(t.Kernels)+k]
			}
		}
		found = append(found, Found{Table: t, Quote: quotes[i], First: lines[first].n, Last: lines[last-1].n})
		i = last - 1
	}
	return found, nil
}

// NewPlainRow makes a row from means, one a kernel: the change is the increase of
// the last over the first, in percent.
func NewPlainRow(key string, means []float64, prec int) Row {
	row := Row{Key: key}
	for i, m := range means {
		c := Cell{Value: Fixed(m, prec)}
		if i > 0 && i == len(means)-1 {
			c.Pct = plus(Fixed(100*(m-means[0])/means[0], 2))
		}
		row.Cells = append(row.Cells, c)
	}
	return row
}
