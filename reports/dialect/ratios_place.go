package dialect

import (
	"fmt"
	"slices"
	"strings"
)

// placement is where the columns of a table are, bytes from the line's begin.
type placement struct {
	indent   int
	keyRight int   // where test cases end that are aligned to the right; else 0
	ends     []int // where values end that are aligned to the right; else 0
	starts   []int // where they begin
	inner    []int
	gap      int
}

// measure finds the columns that most rows agree on.
func measure(rows []ratioLine) placement {
	n := len(rows[0].cells)
	p := placement{ends: make([]int, n), starts: make([]int, n), inner: make([]int, n)}
	of := func(f func(ratioLine) int) []int {
		var x []int
		for _, r := range rows {
			x = append(x, f(r))
		}
		return x
	}
	// Right reports whether more rows agree on where something ends than on where it
	// begins.
	right := func(starts, ends []int) bool {
		return countOf(ends, mostCommon(ends, 0)) > countOf(starts, mostCommon(starts, 0))
	}
	starts, ends := of(func(r ratioLine) int { return r.keyStart }), of(func(r ratioLine) int { return r.keyEnd })
	p.indent = mostCommon(starts, 0)
	if right(starts, ends) || len(rows) == 1 {
		p.keyRight = mostCommon(ends, 0)
	}
	for i := range n {
		starts, ends := of(func(r ratioLine) int { return r.cells[i].start }), of(func(r ratioLine) int { return r.cells[i].valueEnd })
		p.starts[i] = mostCommon(starts, 0)
		if right(starts, ends) {
			p.ends[i] = mostCommon(ends, 0)
		}
		p.inner[i] = mostCommon(of(func(r ratioLine) int { return r.cells[i].inner }), 0)
		p.gap = mostCommon(of(func(r ratioLine) int { return r.cells[i].gap }), 0)
	}
	return p
}

// The columns of schedtests, bytes.
const (
	compareCase = 16
	compareLoad = 8
)

func countOf(x []int, v int) int {
	n := 0
	for _, y := range x {
		if y == v {
			n++
		}
	}
	return n
}

// ratioGap is the blanks between columns of a table that was made.
const ratioGap = 5

// placed is the placement of a table that was made.
func (f *Ratios) placed(t *Table) placement {
	if len(f.place.starts) == len(t.Kernels) {
		return f.place
	}
	p := placement{gap: 2}
	for _, r := range t.Rows {
		p.keyRight = max(p.keyRight, len(r.Key))
	}
	at := p.keyRight
	for i, k := range t.Kernels {
		inner, value, rest := 0, 0, 0
		for _, r := range t.Rows {
			inner = max(inner, len(r.Cells[i].Spread))
		}
		for _, r := range t.Rows {
			text, n := f.Layout.write(r.Cells[i], inner, p.gap)
			value, rest = max(value, n), max(rest, len(text)-n)
		}
		name := len(k.Name() + ratioHeads[f.Layout])
		at += max(ratioGap+value, name+2-rest)
		p.starts, p.ends, p.inner = append(p.starts, at-value), append(p.ends, at), append(p.inner, inner)
		at += rest
	}
	return p
}

// ratioHeads is what follows a kernel's name in the heading.
var ratioHeads = [...]string{PctImp: "[pct imp](CV)", CVPctImp: " (CV)", Pct: "", Spread: "", SpreadPct: "", Compare: ""}

func (f *Ratios) lines(t *Table) ([]string, error) {
	for _, r := range t.Rows {
		if len(r.Cells) != len(t.Kernels) {
			return nil, fmt.Errorf("dialect: row %s has %d values, want one for each of %d kernels", r.Key, len(r.Cells), len(t.Kernels))
		}
		for _, c := range r.Cells {
			if f.Layout == Spread && c.Pct != "" && !strings.HasPrefix(string(c.Pct), "+") && !strings.HasPrefix(string(c.Pct), "-") {
				return nil, fmt.Errorf("dialect: row %s: the change %s has no sign", r.Key, c.Pct)
			}
		}
	}
	p := f.placed(t)
	lines := slices.Clone(f.head)
	if f.head == nil {
		lines = append(f.box(), f.heading(t, p))
	}
	for _, r := range t.Rows {
		lines = append(lines, f.line(r, p))
	}
	return lines, nil
}

func (f *Ratios) line(r Row, p placement) string {
	if f.Layout == Compare {
		name, load, _ := strings.Cut(r.Key, "\t")
		s := fmt.Sprintf("%-*s\t%-*s", compareCase, name, compareLoad, load)
		for _, c := range r.Cells {
			text, _ := f.Layout.write(c, 0, 0)
			s += "\t" + text
		}
		return s
	}
	s := strings.Repeat(" ", p.indent) + r.Key
	if p.keyRight > 0 {
		s = padLeft(r.Key, p.keyRight)
	}
	for i, c := range r.Cells {
		text, value := f.Layout.write(c, p.inner[i], p.gap)
		column := p.starts[i]
		if p.ends[i] > 0 {
			column = p.ends[i] - value
		}
		s = padRight(s, max(column, len(s)+1)) + text
	}
	return s
}

// heading names the columns of a table that was made.
func (f *Ratios) heading(t *Table, p placement) string {
	if f.Layout == Compare {
		mark := ""
		if len(t.Kernels) > 0 && strings.HasSuffix(t.Kernels[0].Name(), "[*]") {
			mark = "[*]"
		}
		return "case            \tload    \tbaseline" + mark + "(std%)\tcompare" + mark + "%( std%)"
	}
	s := padRight("Case:", p.keyRight)
	for i, k := range t.Kernels {
		name := k.Name() + ratioHeads[f.Layout]
		end := p.starts[i] + len(name)
		if len(t.Rows) > 0 {
			// Flush with the right end of the column, the improvement not counted.
			c := t.Rows[0].Cells[i]
			if f.Layout == Spread || f.Layout == SpreadPct {
				c.Pct = ""
			}
			text, value := f.Layout.write(c, p.inner[i], p.gap)
			end = p.ends[i] + len(text) - value
		}
		s = padRight(s, max(end-len(name), len(s)+1)) + name
	}
	if f.Layout == Spread || f.Layout == SpreadPct {
		s += "  improvement"
	}
	return s
}

// boxWidth is how many "=" are above and below a box.
const boxWidth = 66
