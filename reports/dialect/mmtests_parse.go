package dialect

import (
	"fmt"
	"io"
	"strings"
)

// ParseMMTests reads one table as compare-kernels.sh prints it. Blank lines
// around it are skipped, and one line of caption above the header is kept.
// Errors carry filename and line. For a file with several tables, or a mail
// with text around them, use [FindMMTests].
func ParseMMTests(r io.Reader, filename string) (*Table, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("dialect: %s: %w", filename, err)
	}
	lines := splitLines(string(text))
	for len(lines) > 0 && isBlank(lines[len(lines)-1].text) {
		lines = lines[:len(lines)-1]
	}
	for len(lines) > 0 && isBlank(lines[0].text) {
		lines = lines[1:]
	}
	first := 0
	for first < len(lines) && !looksLikeRow(lines[first].text, true) {
		first++
	}
	if first == len(lines) {
		return nil, fmt.Errorf("dialect: %s:1: no row of numbers, want lines such as \"Hmean 1 500.06 (   0.00%%)\"", filename)
	}
	b := block{file: filename, rows: lines[first:]}
	b.header, b.caption = splitHeader(lines[:first])
	if unread := first - len(b.header); unread > 1 || (unread == 1 && b.caption == "") {
		return nil, fmt.Errorf("dialect: %s:%d: %q is neither caption nor header, leave the text around the table out", filename, lines[0].n, lines[0].text)
	}
	return b.parse()
}

// A line is one line of a file without its line end.
type line struct {
	n    int // from 1
	text string
}

// splitLines splits text at line ends, of Unix or of mail.
func splitLines(text string) []line {
	var lines []line
	for i, s := range strings.Split(text, "\n") {
		lines = append(lines, line{n: i + 1, text: strings.TrimSuffix(s, "\r")})
	}
	return lines
}

func isBlank(s string) bool { return strings.Trim(s, " \t") == "" }

// A block is the lines of one table.
type block struct {
	file    string
	caption string
	header  []line // none, one or two
	rows    []line
}

// parse makes a table of the block.
func (b block) parse() (*Table, error) {
	t := &Table{Caption: b.caption, File: b.file}
	raw := make([]rawRow, len(b.rows))
	for i, ln := range b.rows {
		r, err := scanRow(ln.text)
		if err != nil {
			return nil, fmt.Errorf("dialect: %s:%d: %w", b.file, ln.n, err)
		}
		if len(r.cells) != len(raw[0].cells) && i > 0 {
			return nil, fmt.Errorf("dialect: %s:%d: row has %d values, the rows above have %d", b.file, ln.n, len(r.cells), len(raw[0].cells))
		}
		if r.compare != raw[0].compare && i > 0 {
			return nil, fmt.Errorf("dialect: %s:%d: rows with and without percentages in one table, put a blank line between", b.file, ln.n)
		}
		raw[i] = r
	}
	layout, certain := inferLayout(raw)
	t.Layout = layout
	for i := range raw {
		row, err := raw[i].row(layout, certain)
		if err != nil {
			return nil, fmt.Errorf("dialect: %s:%d: %w", b.file, b.rows[i].n, err)
		}
		row.Line = b.rows[i].n
		t.Rows = append(t.Rows, row)
	}
	for i := range raw {
		t.Layout.keepBlank(raw[i], t.Rows[i])
	}
	t.Kernels = make([]Kernel, len(raw[0].cells))
	for i, ln := range b.header {
		names, err := scanHeader(ln.text, t.Layout, len(t.Kernels))
		if err != nil {
			return nil, fmt.Errorf("dialect: %s:%d: %w", b.file, ln.n, err)
		}
		// A single line is the second one: see Kernel.
		which := 2 - len(b.header) + i
		for j, name := range names {
			t.Kernels[j].Label[which] = name
		}
	}
	if err := t.check(); err != nil {
		return nil, fmt.Errorf("dialect: %s:%d: %w", b.file, b.rows[0].n, err)
	}
	t.Deviations = b.deviations(t)
	return t, nil
}

// deviations compares the block with what the program prints for its table.
func (b block) deviations(t *Table) []Deviation {
	var d []Deviation
	l := t.layout()
	want := t.headerLines(l)
	for i, ln := range b.header {
		w := ""
		if i < len(want) {
			w = want[i]
		}
		if ln.text != w {
			d = append(d, Deviation{Line: ln.n, Got: ln.text, Want: w})
		}
	}
	for i, ln := range b.rows {
		if w := t.Rows[i].line(l); ln.text != w {
			d = append(d, Deviation{Line: ln.n, Got: ln.text, Want: w})
		}
	}
	return d
}
