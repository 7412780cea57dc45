package dialect

import (
	"fmt"
	"regexp"
	"strings"
)

// PlusMinus is a table of "mean+-stddev", one row a benchmark and one column a
// kernel, as Julia Lawall posts results of hyperfine: seconds with six digits,
// without a percentage, columns kept apart by blanks.
type PlusMinus struct {
	// Indent is the width of the first column, and of what is left of the names.
	Indent int
	// Widths are the widths of the columns but the last, blanks included.
	Widths []int
}

// Style implements Form.
func (p *PlusMinus) Style() string { return "mean+-stddev" }

func (p *PlusMinus) lines(t *Table) ([]string, error) {
	head := strings.Repeat(" ", p.indent(t))
	for i, k := range t.Kernels {
		head += p.pad(t, i, k.Name())
	}
	lines := []string{head}
	for _, r := range t.Rows {
		if len(r.Cells) != len(t.Kernels) {
			return nil, fmt.Errorf("dialect: row %s has %d values, want one for each of %d kernels", r.Key, len(r.Cells), len(t.Kernels))
		}
		s := padRight(r.Key, p.indent(t))
		for i, c := range r.Cells {
			s += p.pad(t, i, string(c.Value)+"+-"+string(c.Spread))
		}
		lines = append(lines, s)
	}
	return lines, nil
}

// pmGap is the blanks between columns where no widths are given.
const pmGap = 5

func (p *PlusMinus) indent(t *Table) int {
	if p.Indent > 0 {
		return p.Indent
	}
	n := 0
	for _, r := range t.Rows {
		n = max(n, len(r.Key)+2)
	}
	return n
}

func (p *PlusMinus) pad(t *Table, column int, s string) string {
	if column == len(t.Kernels)-1 {
		return s
	}
	if column < len(p.Widths) {
		return padRight(s, p.Widths[column])
	}
	width := len(t.Kernels[column].Name())
	for _, r := range t.Rows {
		if column < len(r.Cells) {
			width = max(width, len(r.Cells[column].Value)+len("+-")+len(r.Cells[column].Spread))
		}
	}
	return padRight(s, width+pmGap)
}

var pmRow = regexp.MustCompile(`^(\S+)((?:[ \t]+[0-9]+(?:\.[0-9]+)?\+-[0-9]+(?:\.[0-9]+)?)+)[ \t]*$`)

// NewPlusMinusRow makes a row of means and standard deviations in seconds.
func NewPlusMinusRow(key string, means, stddevs []float64) Row {
	const digits = 6 // printf's %f
	r := Row{Key: key}
	for i, m := range means {
		r.Cells = append(r.Cells, Cell{Value: Fixed(m, digits), Spread: Fixed(stddevs[i], digits)})
	}
	return r
}

// FindPlusMinus returns the tables of that style in a text, quoted or not. One that
// is kept apart by tabs is written back with blanks; see Table.Deviations.
func FindPlusMinus(text, filename string) ([]Found, error) {
	return findRows(text, filename, func(s string) bool {
		return strings.Contains(s, "+-") && pmRow.MatchString(s)
	}, readPlusMinus)
}

func readPlusMinus(lines []line, first, last int, filename string) (Found, error) {
	p := &PlusMinus{}
	t := &Table{File: filename, Form: p}
	for _, ln := range lines[first : last+1] {
		f := strings.Fields(ln.text)
		r := Row{Key: f[0], Line: ln.n}
		for _, v := range f[1:] {
			mean, stddev, _ := strings.Cut(v, "+-")
			r.Cells = append(r.Cells, Cell{Value: Decimal(mean), Spread: Decimal(stddev)})
		}
		if len(t.Rows) > 0 && len(r.Cells) != len(t.Rows[0].Cells) {
			return Found{}, fmt.Errorf("dialect: %s:%d: row has %d values, the rows above have %d", filename, ln.n, len(r.Cells), len(t.Rows[0].Cells))
		}
		t.Rows = append(t.Rows, r)
	}
	t.Kernels = make([]Kernel, len(t.Rows[0].Cells))
	if first > 0 {
		if names := strings.Fields(lines[first-1].text); len(names) == len(t.Kernels) {
			for i, n := range names {
				t.Kernels[i].Label[1] = n
			}
			first--
		}
	}
	p.measure(t, lines[last].text)
	return Found{Table: t, First: lines[first].n, Last: lines[last].n}, t.compare(lines[first : last+1])
}

// measure takes the widths from a row.
func (p *PlusMinus) measure(t *Table, row string) {
	w := words(row)
	p.Indent = w[1].start - w[0].start
	for i := 2; i < len(w); i++ {
		p.Widths = append(p.Widths, w[i].start-w[i-1].start)
	}
}
