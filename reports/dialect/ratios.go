package dialect

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Ratios is a table whose cells hold a value with its change and spread in
// brackets behind it, one row a test case: K Prateek Nayak's normalised times,
// Vincent Guittot's, and the output of Chen Yu's schedtests.
type Ratios struct {
	// Layout names which of the forms it is; see the constants.
	Layout RatioLayout
	// Box is what stands in a box of "=" above the table, in Nayak's form: Test,
	// Units, Interpretation, Statistic.
	Box []Axis

	head  []string // the heading as read: authors align it by hand
	place placement
}

// A RatioLayout is how a cell is written.
type RatioLayout int

// The layouts.
const (
	// PctImp is "0.98 [  2.05]( 0.95)": value, improvement in percent, coefficient of
	// variation.
	PctImp RatioLayout = iota
	// CVPctImp is "0.90 (0.08) [-10%]": the coefficient of variation first.
	CVPctImp
	// Pct is "94220.50 (-13.84 pct)".
	Pct
	// Spread is "1.337(+/- 1%) + 3%": the standard deviation in percent, and behind
	// the last column the improvement.
	Spread
	// SpreadPct is "14.000 +/-2.00%   (+8.50%)".
	SpreadPct
	// Compare is "-0.16 (  0.40)" below "compare%( std%)", tabs between columns: the
	// base is 1.00, and of the other kernel the improvement is given alone.
	Compare
)

// ratioStyles are the names of the layouts.
var ratioStyles = [...]string{"pct imp", "CV pct imp", "pct", "+/-", "+/- pct", "compare%"}

// Style implements Form.
func (f *Ratios) Style() string { return ratioStyles[f.Layout] }

// The inside of a cell. A number is right aligned in blanks.
const ratioNumber = `([+-]?[0-9]+(?:\.[0-9]+)?)`

var ratioCells = [...]*regexp.Regexp{
	PctImp:    regexp.MustCompile(`^` + ratioNumber + ` \[ *` + ratioNumber + `\]\( *` + ratioNumber + `\)`),
	CVPctImp:  regexp.MustCompile(`^` + ratioNumber + ` \(` + ratioNumber + `\)(?: \[ *` + ratioNumber + `%\])?`),
	Pct:       regexp.MustCompile(`^` + ratioNumber + ` \( *` + ratioNumber + ` pct\)`),
	Spread:    regexp.MustCompile(`^` + ratioNumber + `\(\+/-( *)` + ratioNumber + `%\)(?:( *)([+-] *[0-9]+)%)?`),
	SpreadPct: regexp.MustCompile(`^` + ratioNumber + ` \+/-( *)` + ratioNumber + `%(?:( *)\(` + ratioNumber + `%\))?`),
	Compare:   regexp.MustCompile(`^ *` + ratioNumber + ` \( *` + ratioNumber + `\)`),
}

// A ratioCell is a cell with where it stands in its line.
type ratioCell struct {
	Cell
	start, end, valueEnd int
	inner, gap           int // blanks before the spread, and before the change
}

// scan reads the cell that a text begins with.
func (l RatioLayout) scan(s string, column int) (c ratioCell, ok bool) {
	m := ratioCells[l].FindStringSubmatch(s)
	if m == nil {
		return c, false
	}
	c.Value, c.end, c.valueEnd = Decimal(m[1]), len(m[0]), len(m[1])
	switch l {
	case PctImp:
		c.Pct, c.Spread = Decimal(m[2]), Decimal(m[3])
	case CVPctImp:
		c.Spread, c.Pct = Decimal(m[2]), Decimal(m[3])
	case Pct:
		c.Pct = Decimal(m[2])
	case Spread, SpreadPct:
		c.inner, c.Spread, c.gap = len(m[2])+len(m[3]), Decimal(m[3]), len(m[4])
		c.Pct = Decimal(strings.ReplaceAll(m[5], " ", ""))
	case Compare:
		c.Spread = Decimal(m[2])
		if column > 0 {
			c.Value, c.Pct = "", Decimal(m[1])
		}
	}
	return c, true
}

// write is the text of a cell; value is how much of it is the value.
func (l RatioLayout) write(c Cell, inner, gap int) (text string, value int) {
	value = len(c.Value)
	switch l {
	case PctImp:
		return fmt.Sprintf("%s [%6s](%5s)", c.Value, c.Pct, c.Spread), value
	case CVPctImp:
		text = fmt.Sprintf("%s (%s)", c.Value, c.Spread)
		if c.Pct != "" {
			text += fmt.Sprintf(" [%3s%%]", c.Pct)
		}
	case Pct:
		text = fmt.Sprintf("%s (%s pct)", c.Value, c.Pct)
	case Spread:
		text = fmt.Sprintf("%s(+/-%*s%%)", c.Value, inner, c.Spread)
		if c.Pct != "" {
			text += fmt.Sprintf("%*s%s%2s%%", gap, "", c.Pct[:1], c.Pct[1:])
		}
	case SpreadPct:
		text = fmt.Sprintf("%s +/-%*s%%", c.Value, inner, c.Spread)
		if c.Pct != "" {
			text += fmt.Sprintf("%*s(%s%%)", gap, "", c.Pct)
		}
	case Compare:
		if c.Pct != "" {
			return fmt.Sprintf("%6s (%6s)", c.Pct, c.Spread), 0
		}
		return fmt.Sprintf(" %4s (%6s)", c.Value, c.Spread), 0
	}
	return text, value
}

// A ratioLine is a row as read.
type ratioLine struct {
	key      string
	keyStart int
	keyEnd   int
	cells    []ratioCell
}

// scanLine reads a row: a test case, blanks, and cells up to the end.
func (l RatioLayout) scanLine(s string) (r ratioLine, ok bool) {
	if l == Compare {
		return scanCompare(s)
	}
	end := len(strings.TrimRight(s, " \t"))
	for start := range end {
		if start == 0 || s[start-1] != ' ' && s[start-1] != '\t' || s[start] < '0' && s[start] != '-' || s[start] > '9' {
			continue
		}
		r.cells = r.cells[:0]
		for at := start; ; {
			c, ok := l.scan(s[at:end], len(r.cells))
			if !ok {
				break
			}
			c.start, c.end, c.valueEnd = at, at+c.end, at+c.valueEnd
			r.cells = append(r.cells, c)
			at = c.end + len(s[c.end:end]) - len(strings.TrimLeft(s[c.end:end], " \t"))
			if at == end {
				return r.keyed(s[:start])
			}
			if at == c.end {
				break
			}
		}
	}
	return r, false
}

// keyed takes the test case from what is left of the cells.
func (r ratioLine) keyed(left string) (ratioLine, bool) {
	r.key = strings.Trim(left, " \t")
	r.keyEnd = len(strings.TrimRight(left, " \t"))
	r.keyStart = r.keyEnd - len(r.key)
	return r, r.key != "" && len(r.cells) > 1
}

// scanCompare reads "case <tab> load <tab> base <tab> compared". Where a mailer
// made blanks of the tabs it is not read.
func scanCompare(s string) (r ratioLine, ok bool) {
	f := strings.Split(strings.TrimRight(s, " \t"), "\t")
	if len(f) != 4 {
		return r, false
	}
	for i, text := range f[2:] {
		c, ok := Compare.scan(text, i)
		if !ok || c.end != len(text) {
			return r, false
		}
		r.cells = append(r.cells, c)
	}
	r.key = f[0] + "\t" + f[1]
	return r, strings.TrimSpace(f[0]) != ""
}

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

func (f *Ratios) box() []string {
	if len(f.Box) == 0 {
		return nil
	}
	lines := []string{strings.Repeat("=", boxWidth)}
	for _, a := range f.Box {
		lines = append(lines, fmt.Sprintf("%-14s: %s", a.Name, a.Value))
	}
	return append(lines, strings.Repeat("=", boxWidth))
}

// Better is the direction that the box names.
func (f *Ratios) Better() Better {
	for _, a := range f.Box {
		switch {
		case a.Name != "Interpretation":
		case strings.HasPrefix(strings.ToLower(a.Value), "lower"):
			return Lower
		case strings.HasPrefix(strings.ToLower(a.Value), "higher"):
			return Higher
		}
	}
	return Unknown
}

// FindRatios returns such tables in a text, quoted or not.
func FindRatios(text, filename string) ([]Found, error) {
	lines, quotes := unquote(text)
	var all []Found
	var errs []error
	for l := PctImp; l <= Compare; l++ {
		mark := [...]string{PctImp: "](", CVPctImp: " (", Pct: " pct)", Spread: "(+/-", SpreadPct: " +/-", Compare: "\t"}[l]
		found, err := findRowsOf(lines, quotes, filename, func(s string) bool {
			if !strings.Contains(s, mark) {
				return false
			}
			_, ok := l.scanLine(s)
			return ok
		}, func(lines []line, first, last int, filename string) (Found, error) {
			return l.read(lines, first, last, filename)
		})
		if err != nil {
			errs = append(errs, each(err)...)
		}
		all = append(all, found...)
	}
	return all, errors.Join(errs...)
}

func (l RatioLayout) read(lines []line, first, last int, filename string) (Found, error) {
	f := &Ratios{Layout: l}
	t := &Table{File: filename, Form: f}
	var rows []ratioLine
	for _, ln := range lines[first : last+1] {
		r, _ := l.scanLine(ln.text)
		if len(rows) > 0 && len(r.cells) != len(rows[0].cells) {
			return Found{}, fmt.Errorf("dialect: %s:%d: row has %d values, the rows above have %d", filename, ln.n, len(r.cells), len(rows[0].cells))
		}
		rows = append(rows, r)
		row := Row{Key: r.key, Line: ln.n}
		if l == Compare {
			name, load, _ := strings.Cut(r.key, "\t")
			if len(load) <= compareLoad {
				load = strings.TrimRight(load, " ")
			}
			row.Key = strings.TrimRight(name, " ") + "\t" + load
		}
		for _, c := range r.cells {
			row.Cells = append(row.Cells, c.Cell)
		}
		t.Rows = append(t.Rows, row)
	}
	f.place = measure(rows)
	t.Kernels = make([]Kernel, len(rows[0].cells))
	top := first
	if first > 0 && !isBlank(lines[first-1].text) {
		top = first - 1
		f.head = []string{lines[top].text}
		names := ratioNames(lines[top].text, l)
		if len(names) == len(t.Kernels) {
			for i, n := range names {
				t.Kernels[i].Label[1] = n
			}
		}
	} else {
		f.head = []string{}
	}
	f.readBox(lines[:top])
	return Found{Table: t, First: lines[top].n, Last: lines[last].n}, t.compare(lines[top : last+1])
}

var ratioGaps = regexp.MustCompile(`[ \t]{2,}|\t`)

// ratioNames are the kernels in a heading; the first word is of the test cases.
func ratioNames(head string, l RatioLayout) []string {
	head = strings.TrimSpace(head)
	if i := strings.IndexByte(head, ':'); i > 0 && i < len(head)-1 && l == PctImp {
		head = head[i+1:]
	} else {
		_, head, _ = strings.Cut(head, " ")
	}
	var names []string
	for _, n := range ratioGaps.Split(strings.TrimSpace(head), -1) {
		if n = strings.TrimSuffix(n, ratioHeads[l]); n != "improvement" {
			names = append(names, n)
		}
	}
	return names
}

var boxLine = regexp.MustCompile(`^\s*(Test|Units|Interpretation|Statistic)\s*: (.*)$`)

// readBox takes the box from the lines above the heading.
func (f *Ratios) readBox(above []line) {
	for i := len(above) - 1; i >= 0; i-- {
		s := strings.TrimSpace(above[i].text)
		m := boxLine.FindStringSubmatch(above[i].text)
		switch {
		case m != nil:
			f.Box = slices.Insert(f.Box, 0, Axis{m[1], strings.TrimSpace(m[2])})
		case s == "" || !strings.HasPrefix(s, "===") || !strings.HasSuffix(s, "==="):
			return // a rule may have the machine in it
		}
	}
}

// NewRatioRow makes a row from means and standard deviations, one a kernel, the
// base first; better says which way is an improvement. Means are divided by the
// base's where the layout is one of ratios.
func NewRatioRow(l RatioLayout, key string, better Better, prec int, means, stddevs []float64) Row {
	row := Row{Key: key}
	for i, m := range means {
		var c Cell
		value := m
		if l == PctImp || l == CVPctImp || l == Compare {
			value, prec = m/means[0], 2
		}
		spread, pct := 100*stddevs[i]/m, PercentBetter(better, means[0], m)
		c.Value = Fixed(value, prec)
		switch l {
		case PctImp:
			c.Pct, c.Spread = Fixed(pct, 2), Fixed(spread, 2)
		case CVPctImp:
			c.Spread = Fixed(spread, 2)
			if i > 0 {
				c.Pct = Fixed(pct, 0)
			}
		case Pct:
			c.Pct = Fixed(pct, 2)
		case Spread, SpreadPct:
			digits := 0
			if l == SpreadPct {
				digits = 2
			}
			c.Spread = Fixed(spread, digits)
			if i > 0 {
				c.Pct = plus(Fixed(pct, digits))
			}
		case Compare:
			c.Spread = Fixed(spread, 2)
			if i > 0 {
				c.Value, c.Pct = "", plus(Fixed(pct, 2))
			}
		}
		row.Cells = append(row.Cells, c)
	}
	return row
}

// plus puts a sign before a number that has none.
func plus(d Decimal) Decimal {
	if strings.HasPrefix(string(d), "-") || d.IsMissing() {
		return d
	}
	return "+" + d
}
