package dump

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// table is what lscpu -e, -p or -C prints. Column names are in upper case.
type table struct {
	columns []string
	rows    []tableRow
}

type tableRow struct {
	line  int
	cells map[string]string
}

// cell returns the text in a column, empty for a missing value, which lscpu
// writes as nothing or as a dash.
func (r tableRow) cell(column string) string {
	if c := strings.TrimSpace(r.cells[column]); c != "-" {
		return c
	}
	return ""
}

// columnNames are those that lscpu -e, -p and -C know.
var columnNames = []string{
	"BOGOMIPS", "CPU", "CORE", "CLUSTER", "SOCKET", "NODE", "BOOK", "DRAWER", "CACHE", "POLARIZATION",
	"ADDRESS", "CONFIGURED", "ONLINE", "MICROCODE", "MMU", "MHZ", "SCALMHZ%", "MAXMHZ", "MINMHZ", "MODELNAME",
	"ALL-SIZE", "LEVEL", "NAME", "ONE-SIZE", "TYPE", "WAYS", "ALLOC-POLICY", "WRITE-POLICY", "PHY-LINE", "SETS",
	"COHERENCY-SIZE",
}

var cacheColumn = regexp.MustCompile(`^L[1-9][DI]?(:L[1-9][DI]?)*$`)

// isHeader tells whether a line is the header of lscpu -e or -C.
func isHeader(line string) bool {
	fields := strings.Fields(line)
	known := 0
	for _, f := range fields {
		if f != strings.ToUpper(f) && !cacheColumn.MatchString(strings.ToUpper(f)) {
			return false
		}
		if slices.Contains(columnNames, f) || cacheColumn.MatchString(strings.ToUpper(f)) {
			known++
		}
	}
	return known > 0 && known == len(fields)
}

// textTable reads the lines of lscpu -e or -C, the first of which is the header.
func textTable(name string, lines []textLine) (*table, error) {
	t := &table{columns: strings.Fields(strings.ToUpper(lines[0].text))}
	for _, l := range lines[1:] {
		cells := strings.Fields(l.text)
		// Only the name of a model holds blanks.
		if i := slices.Index(t.columns, "MODELNAME"); i >= 0 && len(cells) > len(t.columns) {
			last := len(cells) - (len(t.columns) - 1 - i)
			cells = slices.Concat(cells[:i], []string{strings.Join(cells[i:last], " ")}, cells[last:])
		}
		if err := t.add(name, l.number, cells); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// parseTable reads the lines of lscpu -p. The last comment line is the header.
// Comments without rows, such as a shell prompt, are no table.
func parseTable(name string, lines []textLine) (*table, error) {
	var t table
	for _, l := range lines {
		if header, ok := strings.CutPrefix(l.text, "#"); ok {
			if t.rows == nil {
				t.columns = strings.Split(strings.ToUpper(strings.TrimSpace(header)), ",")
			}
			continue
		}
		for i, c := range t.columns {
			if c != "" && !slices.Contains(columnNames, c) && !cacheColumn.MatchString(c) {
				return nil, fmt.Errorf("%s:%d: column %d of the header is %q, which lscpu does not have, keep the comment lines of lscpu -p",
					name, l.number, i+1, short(c))
			}
		}
		if err := t.add(name, l.number, strings.Split(l.text, ",")); err != nil {
			return nil, err
		}
	}
	if t.rows == nil {
		return nil, nil
	}
	return &t, nil
}

func (t *table) add(name string, line int, cells []string) error {
	if len(cells) != len(t.columns) {
		return fmt.Errorf("%s:%d: the row has %d cells for %d columns, copy the whole line", name, line, len(cells), len(t.columns))
	}
	row := tableRow{line, make(map[string]string)}
	for i, c := range t.columns {
		row.cells[c] = cells[i]
	}
	t.rows = append(t.rows, row)
	return nil
}

// jsonTable reads the rows of lscpu -e -J or -C -J.
func jsonTable(name string, list jsonValue) (*table, error) {
	t := &table{}
	for _, item := range list.array {
		if item.fields == nil {
			return nil, fmt.Errorf("%s:%d: this is no object, give the output of lscpu", name, item.line)
		}
		row := tableRow{item.line, make(map[string]string)}
		for _, key := range item.keys {
			column := strings.ToUpper(key)
			if !slices.Contains(t.columns, column) {
				t.columns = append(t.columns, column)
			}
			row.cells[column] = item.fields[key].text
		}
		t.rows = append(t.rows, row)
	}
	if len(t.rows) == 0 {
		return nil, fmt.Errorf("%s:%d: the list is empty, copy the whole output", name, list.line)
	}
	return t, nil
}
