package dialect

import (
	"fmt"
	"regexp"
	"strings"
)

// A rawRow is a row cut at its blanks, before the column widths are known.
type rawRow struct {
	text    string
	compare bool // values have percentages
	cells   []rawCell
}

// A rawCell is one value with the columns that it spans in the line.
type rawCell struct {
	start, end int
	pct        string
	star       bool
}

var (
	// comparedValue is a value with its percentage. The value takes in
	// whatever touches it on the left: a long test case can.
	comparedValue = regexp.MustCompile(`([^ \t]+)[ \t]+([(*])[ \t]*([^ \t%()*]+)%([)*])`)

	plainValue = regexp.MustCompile(`^-?(?:[0-9]+\.[0-9]+|(?i:nan|inf))$`)
)

// scanRow cuts a row at its blanks.
func scanRow(text string) (rawRow, error) {
	r := rawRow{text: text}
	if found := comparedValue.FindAllStringSubmatchIndex(text, -1); found != nil {
		return r, r.scanCompared(found)
	}
	return r, r.scanPlain()
}

// scanCompared fills in the cells of a row with percentages.
func (r *rawRow) scanCompared(found [][]int) error {
	r.compare = true
	end := 0
	for i, m := range found {
		if i > 0 && !isBlank(r.text[end:m[2]]) {
			return fmt.Errorf("%q between the values %d and %d, want blanks", r.text[end:m[2]], i, i+1)
		}
		end = m[1]
		left, right := r.text[m[4]:m[5]], r.text[m[8]:m[9]]
		if (left == "*") != (right == "*") {
			return fmt.Errorf("value %d: percentage opens with %q and closes with %q", i+1, left, right)
		}
		pct := r.text[m[6]:m[7]]
		if !Decimal(pct).valid() {
			return fmt.Errorf("value %d: %q is not a percentage, write it as -1.25", i+1, pct)
		}
		r.cells = append(r.cells, rawCell{start: m[2], end: m[3], pct: pct, star: left == "*"})
	}
	if !isBlank(r.text[end:]) {
		return fmt.Errorf("%q after the last value, want nothing", r.text[end:])
	}
	return nil
}

// scanPlain fills in the cells of a row without percentages: the numbers with
// a fraction at its end.
func (r *rawRow) scanPlain() error {
	end := len(r.text)
	for {
		end = len(strings.TrimRight(r.text[:end], " \t"))
		start := strings.LastIndexAny(r.text[:end], " \t") + 1
		if start == end || !plainValue.MatchString(r.text[start:end]) {
			break
		}
		r.cells = append([]rawCell{{start: start, end: end}}, r.cells...)
		end = start
	}
	if len(r.cells) == 0 {
		return fmt.Errorf("%q is not a row, want a statistic, a test case and values", r.text)
	}
	return nil
}

// row makes a Row of r now that the widths are inferred. Certain says that
// other rows bear them out.
func (r rawRow) row(l Layout, certain bool) (Row, error) {
	first := r.cells[0].start
	if width := l.labelWidth(); certain && r.touching() && width < r.cells[0].end && width > first {
		// The test case and the value touch: the widths tell them apart.
		first = width
	}
	stat, key, _ := strings.Cut(strings.TrimLeft(r.text[:first], " \t"), " ")
	row := Row{Stat: strings.Trim(stat, "\t"), Key: strings.Trim(key, " \t")}
	if row.Stat == "" || row.Key == "" {
		return Row{}, fmt.Errorf("%q has no test case, want a statistic, a test case and values", r.text)
	}
	for i, c := range r.cells {
		start := c.start
		if i == 0 {
			start = first
		}
		value := Decimal(r.text[start:c.end])
		if !value.valid() {
			return Row{}, fmt.Errorf("value %d: %q is not a number, write it as 500.06", i+1, value)
		}
		row.Cells = append(row.Cells, Cell{Value: value, Pct: Decimal(c.pct), Star: c.star})
	}
	return row, nil
}

// touching reports whether the first value has text of the test case on it:
// there is then one word before it at most.
func (r rawRow) touching() bool {
	label := strings.Trim(r.text[:r.cells[0].start], " \t")
	return !strings.ContainsAny(label, " \t")
}

// inferLayout finds the widths that the program used. Each width is what most
// rows agree on, because printf pushes the rest of a line to the right where a
// number is too long. They are certain when there is a row with blanks
// everywhere, and a second kernel to tell the width of a value.
func inferLayout(rows []rawRow) (l Layout, certain bool) {
	l.NoCompare = !rows[0].compare
	var indents, keyColumns, ends, strides []int
	longest, widest := 0, 0 // test case, value
	for _, r := range rows {
		for _, c := range r.cells {
			widest = max(widest, c.end-c.start)
		}
		indent := len(r.text) - len(strings.TrimLeft(r.text, " "))
		indents = append(indents, indent)
		ends = append(ends, r.cells[0].end)
		for i := 1; i < len(r.cells); i++ {
			strides = append(strides, r.cells[i].end-r.cells[i-1].end)
		}
		label := strings.TrimRight(r.text[:r.cells[0].start], " \t")
		if r.touching() {
			continue
		}
		stat := strings.IndexAny(label[indent:], " \t")
		key := len(label) - len(strings.TrimLeft(label[indent+stat:], " \t"))
		keyColumns = append(keyColumns, key-indent)
		longest = max(longest, len(label)-key)
	}
	l.Indent = mostCommon(indents, 0)
	l.StatWidth = max(mostCommon(keyColumns, defaultStatWidth+1)-1, 1)
	longest = max(longest, 1)

	// What is left of the first value's end is test case and value.
	room := mostCommon(ends, 0) - l.Indent - l.StatWidth - 1
	l.FieldWidth = min(defaultFieldWidth, max(room-longest, 1))
	if len(strides) > 0 {
		l.FieldWidth = mostCommon(strides, 0)
		if !l.NoCompare {
			l.FieldWidth -= compareWidth
		}
		l.FieldWidth = max(l.FieldWidth, 1)
	}
	if l.NoCompare {
		// Nothing but a blank keeps plain values apart.
		l.FieldWidth = max(l.FieldWidth, widest+1)
	}
	l.KeyWidth = max(room-l.FieldWidth, 1)
	return l, len(keyColumns) > 0 && len(strides) > 0
}

// keepBlank widens the test case column where a row that had a blank before
// its first value would lose it, so that the table can be read back.
func (l *Layout) keepBlank(raw rawRow, row Row) {
	if raw.touching() {
		return
	}
	key := len(row.Key) + max(len(row.Stat)-l.StatWidth, 0)
	l.KeyWidth = max(l.KeyWidth, key+1+len(row.Cells[0].Value)-l.FieldWidth)
}

// mostCommon returns the number that occurs most often in x, the smallest of
// several, or none when x is empty.
func mostCommon(x []int, none int) int {
	count := make(map[int]int)
	best := none
	for _, v := range x {
		count[v]++
		if count[v] > count[best] || (count[v] == count[best] && v < best) {
			best = v
		}
	}
	return best
}

// looksLikeRow reports whether a line is a row of a table rather than text. In
// a mail (plain not set) rows without percentages count only with the names
// that the program gives them, because prose ends in numbers, too.
func looksLikeRow(text string, plain bool) bool {
	var found [][]int
	if strings.Contains(text, "%") { // spares the expression most lines
		found = comparedValue.FindAllStringSubmatchIndex(text, -1)
	}
	if found != nil {
		if first := found[0]; !plain && !Decimal(text[first[6]:first[7]]).valid() && !Decimal(text[first[2]:first[3]]).valid() {
			return false // "by chance (+/-5%)"
		}
		label := strings.Fields(text[:found[0][2]])
		if len(label) > 0 && strings.HasSuffix(label[0], ":") {
			return false // "4:  3.8499  3.7436 (   2.76%)", of other authors
		}
		return len(label) == 2 || (len(label) == 1 && strings.HasPrefix(text, label[0]))
	}
	if trimmed := strings.TrimLeft(text, " \t"); !plain && !strings.HasPrefix(trimmed, "Duration") && !strings.HasPrefix(trimmed, "Ops") {
		return false
	}
	var r rawRow
	r.text = text
	if r.scanPlain() != nil {
		return false
	}
	label := strings.Fields(text[:r.cells[0].start])
	return len(label) >= 2 && (plain || label[0] == "Duration" || label[0] == "Ops")
}
