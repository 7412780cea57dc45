package dialect

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

// Hyperfine is the Markdown that hyperfine --export-markdown writes: one row a
// command, with mean and standard deviation, least and greatest time, and the
// ratio to the fastest.
//
// In the table's model commands are kernels, as they are where one command is run
// on each of several; the rows are "Mean", "Min", "Max" and "Relative".
type Hyperfine struct {
	// Unit of the times: "ms" or "s".
	Unit string
	// Commands of the rows, without quotes.
	Commands []string
	// ASCII is set where "+-" and a blank take the place of the sign between blanks.
	ASCII bool
}

// Style implements Form.
func (h *Hyperfine) Style() string { return "hyperfine" }

// hyperfineStats are the columns behind the command.
var hyperfineStats = []string{"Mean", "Min", "Max", "Relative"}

func (h *Hyperfine) lines(t *Table) ([]string, error) {
	if len(h.Commands) != len(t.Kernels) || len(t.Rows) != len(hyperfineStats) {
		return nil, fmt.Errorf("dialect: %d commands for %d kernels, and %d rows; want one each, and %q", len(h.Commands), len(t.Kernels), len(t.Rows), hyperfineStats)
	}
	lines := []string{
		fmt.Sprintf("| Command | Mean [%s] | Min [%s] | Max [%s] | Relative |", h.Unit, h.Unit, h.Unit),
		"|:---|---:|---:|---:|---:|",
	}
	for k, command := range h.Commands {
		s := "| `" + strings.ReplaceAll(command, "|", `\|`) + "` |"
		for i, r := range t.Rows {
			if r.Stat != hyperfineStats[i] || len(r.Cells) != len(t.Kernels) {
				return nil, fmt.Errorf("dialect: row %d is %s of %d kernels, want %s of %d", i+1, r.Stat, len(r.Cells), hyperfineStats[i], len(t.Kernels))
			}
			s += " " + string(r.Cells[k].Value)
			if spread := r.Cells[k].Spread; spread != "" {
				if h.ASCII {
					s += "+- " + string(spread)
				} else {
					s += " ± " + string(spread)
				}
			}
			s += " |"
		}
		lines = append(lines, s)
	}
	return lines, nil
}

var (
	hyperfineHead = regexp.MustCompile(`^\| Command \| Mean \[(ms|s|µs)\] \| Min \[(?:ms|s|µs)\] \| Max \[(?:ms|s|µs)\] \| Relative \|\s*$`)
	hyperfineRule = regexp.MustCompile(`^\|:?-+:?\|(?:-+:?\|)+\s*$`)
	hyperfineCell = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?)(?:( ± |\+- )([0-9]+(?:\.[0-9]+)?))?$`)
)

// FindHyperfine returns such tables in a text, quoted or not.
func FindHyperfine(text, filename string) ([]Found, error) {
	lines, quotes := unquote(text)
	var found []Found
	var errs []error
	for i := 0; i < len(lines); i++ {
		if !strings.HasPrefix(lines[i].text, "| Command |") {
			continue
		}
		m := hyperfineHead.FindStringSubmatch(lines[i].text)
		if m == nil {
			continue // with columns of parameters
		}
		last := i
		h := &Hyperfine{Unit: m[1]}
		t := &Table{File: filename, Form: h}
		for _, s := range hyperfineStats {
			t.Rows = append(t.Rows, Row{Stat: s, Line: lines[i].n})
		}
		var err error
		for last+1 < len(lines) && strings.HasPrefix(lines[last+1].text, "|") && err == nil {
			last++
			if hyperfineRule.MatchString(lines[last].text) && last == i+1 {
				continue
			}
			err = h.readRow(t, lines[last])
		}
		if err == nil && len(h.Commands) == 0 {
			err = errors.New("hyperfine's headings without a row below them")
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("dialect: %s:%d: %w", filename, lines[last].n, err))
			i = last
			continue
		}
		if err := t.compare(lines[i : last+1]); err != nil {
			return found, err
		}
		found = append(found, Found{Table: t, Quote: quotes[i], First: lines[i].n, Last: lines[last].n})
		i = last
	}
	return found, errors.Join(errs...)
}

// readRow reads "| `command` | 1.2 ± 0.1 | 1.1 | 1.4 | 1.00 |". A command may have
// the sign of columns in it, escaped.
func (h *Hyperfine) readRow(t *Table, ln line) error {
	s := strings.TrimSpace(strings.Trim(strings.TrimRight(ln.text, " \t"), "|"))
	cut := strings.LastIndex(s, "` |")
	if !strings.HasPrefix(s, "`") || cut < 1 {
		return fmt.Errorf("%q has no command in backquotes", ln.text)
	}
	cells := strings.Split(s[cut+len("` |"):], "|")
	if len(cells) != len(hyperfineStats) {
		return fmt.Errorf("row has %d values, want %d", len(cells), len(hyperfineStats))
	}
	h.Commands = append(h.Commands, strings.ReplaceAll(s[1:cut], `\|`, "|"))
	t.Kernels = append(t.Kernels, Kernel{Label: [2]string{"", s[1:cut]}})
	for i, c := range cells {
		m := hyperfineCell.FindStringSubmatch(strings.TrimSpace(c))
		if m == nil {
			return fmt.Errorf("%q is not a number", strings.TrimSpace(c))
		}
		t.Rows[i].Line = ln.n
		t.Rows[i].Cells = append(t.Rows[i].Cells, Cell{Value: Decimal(m[1]), Spread: Decimal(m[3])})
		h.ASCII = h.ASCII || strings.HasPrefix(m[2], "+")
	}
	return nil
}

// NewHyperfine makes the table of the times of commands, in seconds, as the program
// does: milliseconds where the first takes less than a second.
func NewHyperfine(commands []string, times [][]float64) *Table {
	h := &Hyperfine{Unit: "s", Commands: commands}
	t := &Table{Form: h, Kernels: make([]Kernel, len(commands))}
	scale, digits := 1.0, 3
	if len(times) > 0 && mean(Lower, times[0]) < 1 {
		h.Unit, scale, digits = "ms", 1e3, 1
	}
	for _, s := range hyperfineStats {
		t.Rows = append(t.Rows, Row{Stat: s})
	}
	fastest := 0
	for k, x := range times {
		if mean(Lower, x) < mean(Lower, times[fastest]) {
			fastest = k
		}
	}
	for k, x := range times {
		t.Kernels[k].Label[1] = commands[k]
		m := mean(Lower, x)
		cells := []Cell{{Value: Fixed(m*scale, digits)}, {Value: Missing}, {Value: Missing}, {Value: "1.00"}}
		if len(x) > 0 {
			cells[1].Value, cells[2].Value = Fixed(slices.Min(x)*scale, digits), Fixed(slices.Max(x)*scale, digits)
		}
		if len(x) > 1 {
			cells[0].Spread = Fixed(stddev(x)*scale, digits)
		}
		if base := mean(Lower, times[fastest]); k != fastest && base > 0 {
			ratio := m / base
			cells[3].Value = Fixed(ratio, 2)
			if len(x) > 1 && len(times[fastest]) > 1 {
				// The program propagates the two deviations as independent.
				cells[3].Spread = Fixed(ratio*math.Hypot(stddev(x)/m, stddev(times[fastest])/base), 2)
			}
		}
		for i := range cells {
			t.Rows[i].Cells = append(t.Rows[i].Cells, cells[i])
		}
	}
	return t
}
