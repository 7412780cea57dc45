package dialect

import (
	"fmt"
	"regexp"
	"strings"
)

// Pairs is a table of "name=value" cells below one heading a kernel, one line a
// run, as in Alex Shi's "duration=764   duration=754   duration=750".
type Pairs struct {
	// Name is what stands before each value; empty where it is another in each row,
	// which then is the row's Stat.
	Name string
	// Widths are the widths of the columns but the last, blanks included; HeadWidths
	// those of the headings where they differ.
	Widths, HeadWidths []int
}

// Style implements Form.
func (p *Pairs) Style() string { return "name=value" }

// pairsGap is the blanks between columns where no widths are given.
const pairsGap = 3

func (p *Pairs) lines(t *Table) ([]string, error) {
	var head strings.Builder
	for i, k := range t.Kernels {
		head.WriteString(p.pad(t, p.HeadWidths, i, k.Name()))
	}
	var lines []string
	if head.Len() > 0 {
		lines = append(lines, strings.TrimRight(head.String(), " "))
	}
	for _, r := range t.Rows {
		if len(r.Cells) != len(t.Kernels) {
			return nil, fmt.Errorf("dialect: run %s has %d values, want one for each of %d kernels", r.Key, len(r.Cells), len(t.Kernels))
		}
		s := ""
		for i, c := range r.Cells {
			s += p.pad(t, p.Widths, i, p.name(r)+"="+string(c.Value))
		}
		lines = append(lines, s)
	}
	return lines, nil
}

func (p *Pairs) name(r Row) string {
	if p.Name == "" {
		return r.Stat
	}
	return p.Name
}

func (p *Pairs) pad(t *Table, widths []int, column int, s string) string {
	switch {
	case column == len(t.Kernels)-1:
		return s
	case column < len(widths):
		return padRight(s, widths[column])
	}
	width := len(t.Kernels[column].Name())
	for _, r := range t.Rows {
		width = max(width, len(p.name(r))+1+len(r.Cells[column].Value))
	}
	return padRight(s, width+pairsGap)
}

var pairsRow = regexp.MustCompile(`^[A-Za-z0-9_.:/%+-]+=[0-9.]+(?:[ \t]+[A-Za-z0-9_.:/%+-]+=[0-9.]+)+[ \t]*$`)

// isPairs reports whether a line is a row: one quantity in all cells.
func isPairs(s string) bool {
	if !strings.Contains(s, "=") || !pairsRow.MatchString(s) {
		return false
	}
	f := strings.Fields(s)
	name, _, _ := strings.Cut(f[0], "=")
	for _, cell := range f[1:] {
		if other, _, _ := strings.Cut(cell, "="); other != name {
			return false
		}
	}
	return true
}

// FindPairs returns the tables of that style in a text, quoted or not.
func FindPairs(text, filename string) ([]Found, error) {
	return findRows(text, filename, isPairs, readPairs)
}

func readPairs(lines []line, first, last int, filename string) (Found, error) {
	p := &Pairs{}
	t := &Table{File: filename, Form: p}
	for n, ln := range lines[first : last+1] {
		r := Row{Key: fmt.Sprint(n + 1), Line: ln.n}
		for _, f := range strings.Fields(ln.text) {
			name, value, _ := strings.Cut(f, "=")
			r.Stat = name
			if !numberText.MatchString(value) {
				return Found{}, fmt.Errorf("dialect: %s:%d: %q is not a number", filename, ln.n, value)
			}
			r.Cells = append(r.Cells, Cell{Value: Decimal(value)})
		}
		if len(t.Rows) > 0 && len(r.Cells) != len(t.Rows[0].Cells) {
			return Found{}, fmt.Errorf("dialect: %s:%d: line has %d values, the lines above have %d", filename, ln.n, len(r.Cells), len(t.Rows[0].Cells))
		}
		t.Rows = append(t.Rows, r)
	}
	p.Name = t.Rows[0].Stat
	for _, r := range t.Rows {
		if r.Stat != p.Name {
			p.Name = ""
			break
		}
	}
	t.Kernels = make([]Kernel, len(t.Rows[0].Cells))
	p.Widths = gaps(lines[last].text)
	if first > 0 {
		if names := strings.Fields(lines[first-1].text); len(names) == len(t.Kernels) {
			first--
			for i, n := range names {
				t.Kernels[i].Label[1] = n
			}
			p.HeadWidths = gaps(lines[first].text)
		}
	}
	return Found{Table: t, First: lines[first].n, Last: lines[last].n}, t.compare(lines[first : last+1])
}

// gaps is how far the words of a line are apart, from start to start.
func gaps(s string) []int {
	var g []int
	w := words(s)
	for i := 1; i < len(w); i++ {
		g = append(g, w[i].start-w[i-1].start)
	}
	return g
}
