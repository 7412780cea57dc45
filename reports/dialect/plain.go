package dialect

import (
	"fmt"
	"regexp"
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
	plainRow  = regexp.MustCompile(`^[ \t|]*(\S[^|]*?)[ \t|]{2,}(-?[0-9][0-9.]*)[ \t|]+(-?[0-9][0-9.]*)[ \t|]+(?:\( *)?([+-]?[0-9][0-9.]*)[ ]?%\)?[ \t|]*$`)
)

// FindPlain returns runs of two or more such rows, and one alone below a heading
// whose last column is a change in percent; there, the rows need no sign of percent.
func FindPlain(text, filename string) ([]Found, error) {
	lines, quotes := unquote(text)
	var found []Found
	for i := 0; i < len(lines); i++ {
		row, head := plainRow, -1
		if isPlainHead(lines[i].text) {
			head = i
			for i++; i < len(lines) && plainRuler.MatchString(lines[i].text); {
				i++
			}
			if i < len(lines) && !strings.Contains(lines[i].text, "%") {
				row = plainBare
			}
		}
		last := i
		for last < len(lines) && (row == plainBare || strings.Contains(lines[last].text, "%")) && row.MatchString(lines[last].text) {
			last++
		}
		// One row alone may be prose, but not below such a heading.
		if last == i || last-i < 2 && head < 0 {
			if head >= 0 {
				i = head
			}
			continue
		}
		first := i
		if head >= 0 {
			first = head
		}
		p := &Plain{}
		t := &Table{File: filename, Form: p, Kernels: make([]Kernel, 2)}
		for _, ln := range lines[first:last] {
			p.texts = append(p.texts, ln.text)
			if m := row.FindStringSubmatch(ln.text); m != nil && ln.n >= lines[i].n {
				t.Rows = append(t.Rows, Row{Key: strings.TrimSpace(m[1]), Line: ln.n, Cells: []Cell{{Value: Decimal(m[2])}, {Value: Decimal(m[3]), Pct: Decimal(m[4])}}})
			}
		}
		if head >= 0 {
			names := plainGaps.Split(strings.Trim(lines[head].text, " \t|"), -1)
			for k := 0; k < len(t.Kernels) && len(names) > len(t.Kernels); k++ {
				t.Kernels[k].Label[1] = strings.TrimSpace(names[len(names)-1-len(t.Kernels)+k])
			}
		}
		found = append(found, Found{Table: t, Quote: quotes[i], First: lines[first].n, Last: lines[last-1].n})
		i = last - 1
	}
	return found, nil
}

var (
	plainHead  = regexp.MustCompile(`(?i)(?:% ?(?:change|delta|diff)|(?:change|delta|diff) ?\(?%\)?)[ \t|]*$`)
	plainRuler = regexp.MustCompile(`^[ \t]*[|+-][-+|= \t]*$`)
	plainBare  = regexp.MustCompile(`^[ \t|]*([^\s|]+(?: [^\s|]+)*)[ \t|]{2,}(-?[0-9][0-9.]*)[ \t|]+(-?[0-9][0-9.]*)[ \t|]+([+-]?[0-9][0-9.]*)[ \t|]*$`)
)

// isPlainHead reports whether a line heads two columns of values and one of changes,
// and perhaps the cases.
func isPlainHead(s string) bool {
	const end = 12 // bytes that "% change", "delta(%)" and the frame of a box take
	if !strings.Contains(s[max(0, len(s)-end):], "%") || !plainHead.MatchString(s) {
		return false
	}
	columns := len(plainGaps.Split(strings.Trim(s, " \t|"), -1))
	return columns == 3 || columns == 4
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
