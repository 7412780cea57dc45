package dialect

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// AutoNUMA is the pair of tables that Srikar Dronamraju posts of the autonuma
// benchmark: minimum, maximum, average and standard deviation of the real,
// system and user time of each test, in seconds, before and after.
//
// Its change is of the average, relative to the new one, positive for less
// time, and cut, not rounded, to five characters.
type AutoNUMA struct {
	// Gap is the blank lines between the two tables; 1 where it is 0.
	Gap int
	// Mark stands behind the heading of each column of times, such as "[*]" for what
	// a footnote explains.
	Mark string
}

// Style implements Form.
func (a *AutoNUMA) Style() string { return "autonuma" }

// The columns, bytes, and what heads them.
const (
	autonumaName  = 9
	autonumaLabel = 11
	autonumaValue = 12
	autonumaTail  = " \t "
)

var autonumaStats = []string{"Min", "Max", "Avg", "StdDev"}

// Rows are the statistics of one test and time in turn: "Avg" of "numa01.sh Real:".
func (a *AutoNUMA) lines(t *Table) ([]string, error) {
	if len(t.Kernels) < 1 || len(t.Kernels) > 2 || len(t.Rows)%len(autonumaStats) != 0 {
		return nil, fmt.Errorf("dialect: %d kernels and %d rows, want one or two, and %q of each test", len(t.Kernels), len(t.Rows), autonumaStats)
	}
	var lines []string
	for k := range t.Kernels {
		if k > 0 {
			lines = append(lines, make([]string, max(a.Gap, 1))...)
		}
		head := padRight("Testcase", autonumaName) + padLeft("Time:", autonumaLabel)
		for _, s := range autonumaStats {
			head += padLeft(s+a.Mark, autonumaValue)
		}
		if k > 0 {
			head += autonumaTail + "%Change"
		}
		lines = append(lines, head)
		for i := 0; i < len(t.Rows); i += len(autonumaStats) {
			test, label, _ := strings.Cut(t.Rows[i].Key, " ")
			s := padRight(test, autonumaName) + padLeft(label, autonumaLabel)
			change := Decimal("")
			for _, r := range t.Rows[i : i+len(autonumaStats)] {
				if len(r.Cells) != len(t.Kernels) {
					return nil, fmt.Errorf("dialect: %s has %d values, want one for each of %d kernels", r.Key, len(r.Cells), len(t.Kernels))
				}
				s += padLeft(string(r.Cells[k].Value), autonumaValue)
				change += r.Cells[k].Pct
			}
			if k > 0 {
				s += autonumaTail + string(change) + "%"
			}
			lines = append(lines, s)
		}
	}
	return lines, nil
}

var (
	autonumaHead = regexp.MustCompile(`^Testcase +Time: +Min(\[\*\])? +Max(?:\[\*\])? +Avg(?:\[\*\])? +StdDev(?:\[\*\])?\s*(%Change)?\s*$`)
	autonumaRow  = regexp.MustCompile(`^(\S+) +(Real:|Sys:|User:) +([0-9.]+) +([0-9.]+) +([0-9.]+) +([0-9.]+)(?:\s+(-?[0-9.]+)%)?\s*$`)
)

// FindAutoNUMA returns such tables in a text, quoted or not; a table without one
// of the same tests below it stands alone.
func FindAutoNUMA(text, filename string) ([]Found, error) {
	lines, quotes := unquote(text)
	var found []Found
	var errs []error
	for i := 0; i < len(lines); i++ {
		m := autonumaHead.FindStringSubmatch(lines[i].text)
		if m == nil {
			continue
		}
		last := i
		var rows [][]string
		for last+1 < len(lines) {
			r := autonumaRow.FindStringSubmatch(lines[last+1].text)
			if r == nil {
				break
			}
			rows = append(rows, append(r, fmt.Sprint(lines[last+1].n)))
			last++
		}
		if len(rows) == 0 {
			errs = append(errs, fmt.Errorf("dialect: %s:%d: headings of the autonuma benchmark without a row below them", filename, lines[i].n))
			continue
		}
		if m[2] != "" && len(found) > 0 && found[len(found)-1].Table.pairAutoNUMA(rows, lines[i].n-found[len(found)-1].Last-1) {
			f := &found[len(found)-1]
			f.Last = lines[last].n
			if err := f.Table.compare(lines[f.First-1 : last+1]); err != nil {
				errs = append(errs, err)
			}
		} else {
			t := &Table{File: filename, Form: &AutoNUMA{Mark: m[1]}, Kernels: make([]Kernel, 1)}
			for k, r := range rows {
				for j, s := range autonumaStats {
					t.Rows = append(t.Rows, Row{Stat: s, Key: r[1] + " " + r[2], Cells: []Cell{{Value: Decimal(r[3+j])}}, Line: lines[i].n + 1 + k})
				}
			}
			found = append(found, Found{Table: t, Quote: quotes[i], First: lines[i].n, Last: lines[last].n})
		}
		i = last
	}
	return found, errors.Join(errs...)
}

// pairAutoNUMA adds the second kernel, if its rows are those of the first.
func (t *Table) pairAutoNUMA(rows [][]string, gap int) bool {
	n := len(autonumaStats)
	if len(t.Kernels) != 1 || len(t.Rows) != n*len(rows) {
		return false
	}
	for k, r := range rows {
		if t.Rows[n*k].Key != r[1]+" "+r[2] {
			return false
		}
	}
	t.Kernels = make([]Kernel, 2)
	t.Form = &AutoNUMA{Gap: gap, Mark: t.Form.(*AutoNUMA).Mark}
	for k, r := range rows {
		for j := range autonumaStats {
			row := &t.Rows[n*k+j]
			c := Cell{Value: Decimal(r[3+j])}
			if autonumaStats[j] == "Avg" {
				c.Pct = Decimal(r[7])
			}
			row.Cells = append(row.Cells, c)
			fmt.Sscan(r[8], &row.Line)
		}
	}
	return true
}
