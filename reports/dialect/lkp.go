package dialect

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// An LKP is what a table of the kernel test robot has beside its rows: the
// comparison that lkp-tests prints (lib/compare.rb), as it stands in the 0-day
// robot's mails.
//
// Its percentages are plain increases: whether more is better is not said. The
// spread is the standard deviation in percent of the mean, which is left out up
// to 2 %. Metrics that are percentages themselves have a difference in points
// (Cell.Absolute).
type LKP struct {
	// Axes are the parameters of the job, by name, in the order of the table;
	// none when the table was quoted without them.
	Axes []Axis
	// Commits has one entry a kernel, where the list of commits stands above
	// the table.
	Commits []Commit
	// Old is the form before 2021: "change" for "%change", and the last
	// header is Names.
	Old bool
	// Names heads the names of the old form: "testcase/testparams/testbox".
	Names string
	// Stripped is set when blanks at line ends are gone, as mailers make it.
	Stripped bool
	// Latin1 is set when the text was ISO-8859-1, as the robot's mails are,
	// where the sign of the spread is the byte 0xB1. Write keeps that.
	Latin1 bool
	// ASCII is set where "+-" takes the place of a blank and that sign.
	ASCII bool
	// What was left out by who quoted the table: the hashes and the dashes below
	// them, the line of marks below the headings, the blank line below the list
	// of commits; NoHeadings is a quote of rows alone.
	NoHashes, NoMarks, NoBlank, NoHeadings bool
	// Trimmed is set when blanks before the rows are gone.
	Trimmed bool
}

// An Axis is one parameter of a job.
type Axis struct{ Name, Value string }

// A Commit is a line of the list above a table.
type Commit struct {
	ID      string // abbreviated hash, or a tag
	Subject string // without parentheses and quotes; empty for a tag
}

// The columns of lkp-tests' comparison, bytes.
const (
	lkpValue  = 10 // mean
	lkpSpread = 6  // " ± 19%"
	lkpChange = 10
	lkpFirst  = lkpValue + lkpSpread           // the base's column
	lkpOther  = lkpChange + 2 + lkpFirst - 1   // another kernel's, a blank apart
	lkpRule   = 89                             // "=" above the axes
	lkpFails  = 11                             // failures, then ":" and lkpRuns
	lkpRuns   = lkpFirst - lkpFails - len(":") // runs, to the left
)

// Style implements Form.
func (l *LKP) Style() string { return "0-day" }

func (l *LKP) lines(t *Table) ([]string, error) {
	if err := l.check(t); err != nil {
		return nil, err
	}
	lines := l.head(t)
	failures := false
	for i, r := range t.Rows {
		if i == 0 || r.failures() != failures {
			failures = r.failures()
			lines = append(lines, l.headings(t, failures)...)
		}
		lines = append(lines, r.lkpLine())
	}
	if l.Trimmed {
		for i := range lines {
			lines[i] = strings.TrimLeft(lines[i], " ")
		}
	}
	if l.Stripped {
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], " ")
		}
	}
	return lines, nil
}

func (l *LKP) encode(text string) string {
	if l.ASCII {
		text = strings.ReplaceAll(text, " ±", "+-")
	}
	if l.Latin1 {
		return toLatin1(text)
	}
	return text
}

func (l *LKP) check(t *Table) error {
	if len(t.Kernels) == 0 {
		return fmt.Errorf("dialect: a comparison of no kernels")
	}
	if n := len(l.Commits); n > 0 && n != len(t.Kernels) {
		return fmt.Errorf("dialect: %d commits for %d kernels", n, len(t.Kernels))
	}
	for _, r := range t.Rows {
		if r.Key == "" || strings.ContainsAny(r.Key, " \t\r\n") && !l.Old {
			return fmt.Errorf("dialect: metric %q is empty or has blanks", r.Key)
		}
		if len(r.Cells) != len(t.Kernels) {
			return fmt.Errorf("dialect: metric %s has %d values, want one for each of %d kernels", r.Key, len(r.Cells), len(t.Kernels))
		}
	}
	return nil
}

// head is what stands above the headings: axes, commits, hashes.
func (l *LKP) head(t *Table) []string {
	var lines []string
	if len(l.Axes) > 0 {
		names, values := make([]string, len(l.Axes)), make([]string, len(l.Axes))
		for i, a := range l.Axes {
			names[i], values[i] = a.Name, a.Value
		}
		lines = append(lines, strings.Repeat("=", lkpRule), strings.Join(names, "/")+":", "  "+strings.Join(values, "/"), "")
	}
	if len(l.Commits) > 0 {
		lines = append(lines, "commit: ")
		for _, c := range l.Commits {
			if c.Subject == "" {
				lines = append(lines, "  "+c.ID)
				continue
			}
			lines = append(lines, fmt.Sprintf(`  %s ("%s")`, c.ID, c.Subject))
		}
		if !l.NoBlank {
			lines = append(lines, "")
		}
	}
	if l.NoHashes {
		return lines
	}
	gap := " "
	other := lkpOther
	if l.Old {
		gap, other = "  ", lkpOther-1
	}
	var hashes, ruler []string
	for i, k := range t.Kernels {
		width := lkpFirst
		if i > 0 {
			width = other
		}
		hashes = append(hashes, padLeft(k.Label[0], width))
		ruler = append(ruler, strings.Repeat("-", width))
	}
	end := gap
	if l.Old {
		hashes, ruler, end = append(hashes, l.Names), append(ruler, strings.Repeat("-", len(l.Names))), ""
	}
	return append(lines, strings.Join(hashes, gap)+end, strings.Join(ruler, gap)+end)
}

// headings are the two lines above rows of one kind.
func (l *LKP) headings(t *Table, failures bool) []string {
	first, other := [2]string{"         %stddev", `             \  `}, [2]string{"     %change         %stddev", `        |                \  `}
	switch {
	case failures:
		first, other = [2]string{"       fail:runs", "           |    "}, [2]string{"  %reproduction    fail:runs", "         |             |    "}
	case l.Old:
		other[0] = "      change         %stddev"
	}
	var lines []string
	for i := range first {
		if l.NoHeadings || i == 1 && l.NoMarks {
			continue
		}
		lines = append(lines, first[i]+strings.Repeat(other[i], len(t.Kernels)-1))
	}
	return lines
}

// lkpLine is one line of numbers.
func (r Row) lkpLine() string {
	var b strings.Builder
	for i, c := range r.Cells {
		if i > 0 {
			b.WriteString(padLeft(string(c.Pct), lkpChange))
			if c.Absolute {
				b.WriteString("  ")
			} else {
				b.WriteString("% ")
			}
		}
		if r.failures() {
			fmt.Fprintf(&b, "%s:%s", padLeft(string(c.Value), lkpFails), padRight(string(c.Of), lkpRuns))
			continue
		}
		b.WriteString(padLeft(string(c.Value), lkpValue))
		if c.Spread == "" {
			b.WriteString(strings.Repeat(" ", lkpSpread))
		} else {
			b.WriteString(" ±" + padLeft(string(c.Spread), 3) + "%")
		}
	}
	return b.String() + "  " + r.Key
}

// failures reports whether the row counts failed runs.
func (r Row) failures() bool { return len(r.Cells) > 0 && r.Cells[0].Of != "" }

// toLatin1 encodes what the robot's mails are encoded in; other characters than
// those of ISO-8859-1 become a question mark.
func toLatin1(s string) string {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xff {
			r = '?'
		}
		b = append(b, byte(r))
	}
	return string(b)
}

// fromLatin1 decodes text that is no valid UTF-8, and says whether it did.
func fromLatin1(s string) (string, bool) {
	if utf8.ValidString(s) {
		return s, false
	}
	var b strings.Builder
	for i := range len(s) {
		b.WriteRune(rune(s[i]))
	}
	return b.String(), true
}
