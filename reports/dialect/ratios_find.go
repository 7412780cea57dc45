package dialect

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

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
