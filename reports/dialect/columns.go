package dialect

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Columns is a table whose columns are as wide as their longest cell and two
// blanks apart (column -t), as Srikar Dronamraju posts results.
//
// Three are known by their headings: "JVMS Prev Current %Change" (one row a
// number of JVMs, values in bops), "count Min Max Avg Variance %Change" (one
// row a kernel, of which the second has the change of the average), and "Event
// Before After" (counters, with or without commas). His "Variance" has the size
// of a standard deviation.
type Columns struct {
	// Headings are the words of the first line.
	Headings []string
	// Heading is the line above the tables that says what is measured, and
	// Table.Caption the one that names the machine; Write prints neither.
	Heading string
}

// Style implements Form.
func (c *Columns) Style() string { return "columns" }

// byKernel reports whether a row is a kernel.
func (c *Columns) byKernel() bool {
	return len(c.Headings) > 0 && strings.TrimSuffix(c.Headings[0], "[*]") == "count"
}

// compared reports whether the last column is a change.
func (c *Columns) compared() bool {
	return len(c.Headings) > 0 && strings.EqualFold(c.Headings[len(c.Headings)-1], "%change")
}

func (c *Columns) lines(t *Table) ([]string, error) {
	grid := [][]string{c.Headings}
	var err error
	if c.byKernel() {
		grid, err = c.kernelRows(t, grid)
	} else {
		grid, err = c.caseRows(t, grid)
	}
	if err != nil {
		return nil, err
	}
	widths := make([]int, len(c.Headings))
	for _, row := range grid {
		for i, cell := range row {
			widths[i] = max(widths[i], len(cell))
		}
	}
	lines := make([]string, len(grid))
	for i, row := range grid {
		var b strings.Builder
		for j, cell := range row {
			if j < len(row)-1 {
				cell = padRight(cell, widths[j]+2)
			}
			b.WriteString(cell)
		}
		lines[i] = b.String()
	}
	return lines, nil
}

// caseRows has a row a test case: its name, a value a kernel, the last change.
func (c *Columns) caseRows(t *Table, grid [][]string) ([][]string, error) {
	want := 1 + len(t.Kernels)
	if c.compared() {
		want++
	}
	if len(c.Headings) != want {
		return nil, fmt.Errorf("dialect: %d headings over %d columns", len(c.Headings), want)
	}
	for _, r := range t.Rows {
		if len(r.Cells) != len(t.Kernels) {
			return nil, fmt.Errorf("dialect: row %s has %d values, want one for each of %d kernels", r.Key, len(r.Cells), len(t.Kernels))
		}
		row := []string{r.Key}
		for _, cell := range r.Cells {
			row = append(row, string(cell.Value))
		}
		if c.compared() {
			row = append(row, string(r.Cells[len(r.Cells)-1].Pct))
		}
		grid = append(grid, row)
	}
	return grid, nil
}

// kernelRows has a row a kernel, of the statistics that the table's rows are.
func (c *Columns) kernelRows(t *Table, grid [][]string) ([][]string, error) {
	if len(t.Rows) != len(c.Headings)-1 {
		return nil, fmt.Errorf("dialect: %d statistics below %d headings", len(t.Rows), len(c.Headings))
	}
	for k := range t.Kernels {
		var row []string
		change := Decimal("")
		for _, r := range t.Rows {
			if len(r.Cells) != len(t.Kernels) {
				return nil, fmt.Errorf("dialect: %s has %d values, want one for each of %d kernels", r.Stat, len(r.Cells), len(t.Kernels))
			}
			row = append(row, string(r.Cells[k].Value))
			if p := r.Cells[k].Pct; p != "" {
				change = p
			}
		}
		if change != "" {
			row = append(row, string(change))
		}
		grid = append(grid, row)
	}
	return grid, nil
}

var (
	columnsHeadings = regexp.MustCompile(`^(?:\S+ +\S+ +\S+ +%(?i:change)|count(?:\[\*\])? +Min(?:\[\*\])? +Max(?:\[\*\])? +Avg(?:\[\*\])? +Variance(?:\[\*\])? +%Change|Event +Before +After) *$`)
	// The first words of the author's own headings: what follows another first word
	// may be in any style.
	columnsKnown = regexp.MustCompile(`^(?:JVMS|count(?:\[\*\])?|Event) `)
	// footnote is a line that explains a mark in the headings, below a table.
	footnote  = regexp.MustCompile(`^\s*\[[*0-9]\] `)
	countText = regexp.MustCompile(`^[0-9]{1,3}(?:,[0-9]{3})+$`)
)

// FindColumns returns the tables of that style in a text, quoted or not.
func FindColumns(text, filename string) ([]Found, error) {
	lines, quotes := unquote(text)
	var found []Found
	var errs []error
	heading := ""
	for i := 0; i < len(lines); i++ {
		s := lines[i].text
		if strings.Contains(s, "better") && len(s) < 100 {
			heading = s
		}
		if !columnsHeadings.MatchString(s) {
			continue
		}
		c := &Columns{Headings: strings.Fields(s), Heading: heading}
		t := &Table{File: filename, Form: c}
		if i > 0 && !isBlank(lines[i-1].text) && lines[i-1].text != heading {
			t.Caption = lines[i-1].text
		}
		last := i
		for last+1 < len(lines) && !isBlank(lines[last+1].text) && !footnote.MatchString(lines[last+1].text) {
			last++
		}
		if err := c.read(t, lines[i].n, lines[i+1:last+1]); err != nil {
			if !columnsKnown.MatchString(s) {
				continue
			}
			errs = append(errs, fmt.Errorf("dialect: %s:%w", filename, err))
			i = last
			continue
		}
		if err := t.compare(lines[i : last+1]); err != nil {
			errs = append(errs, err)
			continue
		}
		found = append(found, Found{Table: t, Quote: quotes[i], First: lines[i].n, Last: lines[last].n})
		i = last
	}
	return found, errors.Join(errs...)
}

// read fills the table from the lines below the headings, which are line n.
func (c *Columns) read(t *Table, n int, lines []line) error {
	if len(lines) == 0 {
		return fmt.Errorf("%d: headings %q without a row below them", n, c.Headings)
	}
	if c.byKernel() {
		return c.readKernels(t, lines)
	}
	values := len(c.Headings) - 1
	if c.compared() {
		values--
	}
	for _, h := range c.Headings[1 : 1+values] {
		t.Kernels = append(t.Kernels, Kernel{Label: [2]string{"", h}})
	}
	for _, ln := range lines {
		f := strings.Fields(ln.text)
		if len(f) != len(c.Headings) {
			return fmt.Errorf("%d: row has %d cells below %d headings", ln.n, len(f), len(c.Headings))
		}
		r := Row{Key: f[0], Line: ln.n}
		for _, v := range f[1 : 1+values] {
			if !numberText.MatchString(v) && !countText.MatchString(v) {
				return fmt.Errorf("%d: %q is not a number", ln.n, v)
			}
			r.Cells = append(r.Cells, Cell{Value: Decimal(v)})
		}
		if c.compared() {
			p := Decimal(f[len(f)-1])
			if !numberText.MatchString(string(p)) {
				return fmt.Errorf("%d: %q is not a percentage", ln.n, p)
			}
			r.Cells[values-1].Pct = p
		}
		t.Rows = append(t.Rows, r)
	}
	return nil
}

func (c *Columns) readKernels(t *Table, lines []line) error {
	stats := c.Headings[:len(c.Headings)-1]
	for _, s := range stats {
		t.Rows = append(t.Rows, Row{Stat: strings.TrimSuffix(s, "[*]"), Line: lines[len(lines)-1].n})
	}
	for k, ln := range lines {
		f := strings.Fields(ln.text)
		if len(f) != len(stats) && (k == 0 || len(f) != len(c.Headings)) {
			return fmt.Errorf("%d: row has %d cells below %d headings", ln.n, len(f), len(c.Headings))
		}
		t.Kernels = append(t.Kernels, Kernel{})
		for i, v := range f {
			if !numberText.MatchString(v) {
				return fmt.Errorf("%d: %q is not a number", ln.n, v)
			}
			if i < len(stats) {
				t.Rows[i].Cells = append(t.Rows[i].Cells, Cell{Value: Decimal(v)})
				continue
			}
			avg := t.Row("Avg", "")
			avg.Cells[k].Pct = Decimal(v)
		}
	}
	return nil
}
