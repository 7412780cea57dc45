package dialect

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Widths that the program uses when it is not told otherwise.
const (
	defaultStatWidth  = 9  // "BHmean-50" is among the statistics it computes
	defaultFieldWidth = 12 // Summarise.pm, _FieldLength
	percentWidth      = 7  // Compare.pm, _CompareLength
	// compareWidth is " (", the percentage, "%" and ")".
	compareWidth = percentWidth + 4
)

// WriteMMTests writes the table as compare-kernels.sh prints it: the caption,
// two header lines right-aligned over the columns, and a line for each row. It
// returns an error, and writes nothing, when the table could not be read back:
// a row of another length than the header, a name with a blank in it, names so
// long that they run together, a value that is no number.
func (t *Table) WriteMMTests(w io.Writer) error {
	if err := t.check(); err != nil {
		return err
	}
	var b bytes.Buffer
	if t.Caption != "" {
		b.WriteString(t.Caption + "\n")
	}
	l := t.layout()
	for _, line := range t.headerLines(l) {
		if _, err := scanHeader(line, l, len(t.Kernels)); err != nil {
			return fmt.Errorf("dialect: kernel names run together in %q, shorten them or set a wider FieldWidth", line)
		}
		b.WriteString(line + "\n")
	}
	for i := range t.Rows {
		b.WriteString(t.Rows[i].line(l) + "\n")
	}
	if err := t.sameAs(b.String()); err != nil {
		return fmt.Errorf("dialect: the table would not read back as it is, set wider columns in Layout: %w", err)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// sameAs returns an error when text does not read as t. Widths that are too
// narrow can make two numbers one; an empty table is left alone.
func (t *Table) sameAs(text string) error {
	if len(t.Rows) == 0 {
		return nil
	}
	u, err := ParseMMTests(strings.NewReader(text), "output")
	if err != nil {
		return err
	}
	if !slices.Equal(t.Kernels, u.Kernels) {
		return fmt.Errorf("kernels read as %q", u.Kernels)
	}
	for i, r := range t.Rows {
		if i >= len(u.Rows) || !r.same(u.Rows[i], t.Layout.NoCompare) {
			return fmt.Errorf("row %s %s reads otherwise", r.Stat, r.Key)
		}
	}
	return nil
}

// same reports whether two rows print the same words and numbers.
func (r Row) same(s Row, noCompare bool) bool {
	if r.Stat != s.Stat || r.Key != s.Key || len(r.Cells) != len(s.Cells) {
		return false
	}
	for i, c := range r.Cells {
		d := s.Cells[i]
		if c.Value.orMissing() != d.Value.orMissing() {
			return false
		}
		if !noCompare && (c.Pct.orMissing() != d.Pct.orMissing() || c.Star != d.Star) {
			return false
		}
	}
	return true
}

// layout returns the table's widths with the defaults filled in.
func (t *Table) layout() Layout {
	l := t.Layout
	if l.StatWidth <= 0 {
		l.StatWidth = defaultStatWidth
		if l.NoCompare {
			l.StatWidth = 0
		}
		for _, r := range t.Rows {
			l.StatWidth = max(l.StatWidth, len(r.Stat))
		}
	}
	if l.KeyWidth <= 0 {
		for _, r := range t.Rows {
			l.KeyWidth = max(l.KeyWidth, len(r.Key))
		}
	}
	if l.FieldWidth <= 0 {
		l.FieldWidth = defaultFieldWidth
	}
	l.Indent = max(l.Indent, 0)
	return l
}

// labelWidth is the width of everything left of the first value.
func (l Layout) labelWidth() int { return l.Indent + l.StatWidth + 1 + l.KeyWidth }

// columnWidth is the width of one kernel's column.
func (l Layout) columnWidth() int {
	if l.NoCompare {
		return l.FieldWidth
	}
	return l.FieldWidth + compareWidth
}

// headerLines returns the header, without the lines that are empty in all
// columns: authors whose kernels have one name each drop the first line.
func (t *Table) headerLines(l Layout) []string {
	var lines []string
	for i := range 2 {
		var b strings.Builder
		b.WriteString(strings.Repeat(" ", l.labelWidth()))
		empty := true
		for _, k := range t.Kernels {
			b.WriteString(padLeft(k.Label[i], l.columnWidth()))
			empty = empty && k.Label[i] == ""
		}
		if !empty {
			lines = append(lines, b.String())
		}
	}
	return lines
}

// line returns the row as printed.
func (r *Row) line(l Layout) string {
	var b strings.Builder
	b.WriteString(strings.Repeat(" ", l.Indent))
	b.WriteString(padRight(r.Stat, l.StatWidth))
	b.WriteString(" " + padRight(r.Key, l.KeyWidth))
	for _, c := range r.Cells {
		b.WriteString(padLeft(string(c.Value.orMissing()), l.FieldWidth))
		if l.NoCompare {
			continue
		}
		left, right := "(", ")"
		if c.Star {
			left, right = "*", "*"
		}
		b.WriteString(" " + left + padLeft(string(c.Pct.orMissing()), percentWidth) + "%" + right)
	}
	return b.String()
}

// orMissing returns d, or Missing for the empty Decimal.
func (d Decimal) orMissing() Decimal {
	if d == "" {
		return Missing
	}
	return d
}

// check returns why the table cannot be written.
func (t *Table) check() error {
	if len(t.Kernels) == 0 {
		return fmt.Errorf("dialect: table without kernels, name at least the baseline")
	}
	if strings.ContainsAny(t.Caption, "\r\n") {
		return fmt.Errorf("dialect: caption %q has more than one line", t.Caption)
	}
	for _, k := range t.Kernels {
		for _, label := range k.Label {
			if strings.ContainsAny(label, " \t\r\n") {
				return fmt.Errorf("dialect: kernel %q has a blank in its name, which would read as two columns", label)
			}
		}
	}
	for _, r := range t.Rows {
		if err := t.checkRow(r); err != nil {
			return err
		}
	}
	return nil
}

func (t *Table) checkRow(r Row) error {
	switch {
	case r.Stat == "" || strings.ContainsAny(r.Stat, " \t\r\n"):
		return fmt.Errorf("dialect: row %q: statistic %q is not one word", r.Key, r.Stat)
	case r.Key == "" || strings.TrimSpace(r.Key) != r.Key || strings.ContainsAny(r.Key, "\t\r\n"):
		return fmt.Errorf("dialect: %s row: test case %q is empty or has blanks around it", r.Stat, r.Key)
	case len(r.Cells) != len(t.Kernels):
		return fmt.Errorf("dialect: row %s %s has %d values, want one for each of %d kernels", r.Stat, r.Key, len(r.Cells), len(t.Kernels))
	}
	for i, c := range r.Cells {
		if !c.Value.orMissing().valid() || !c.Pct.orMissing().valid() {
			return fmt.Errorf("dialect: row %s %s, kernel %d: %q (%q%%) are not numbers, make them with Fixed", r.Stat, r.Key, i+1, c.Value, c.Pct)
		}
	}
	return nil
}

// padLeft is printf's %*s: it never cuts. Widths are bytes, as in Perl.
func padLeft(s string, width int) string {
	return strings.Repeat(" ", max(width-len(s), 0)) + s
}

// padRight is printf's %-*s.
func padRight(s string, width int) string {
	return s + strings.Repeat(" ", max(width-len(s), 0))
}
