package dialect

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// ParseLKP reads one comparison of the kernel test robot, alone or quoted
// ("> "). Errors carry filename and line. For a mail with text around its
// tables use [FindLKP].
func ParseLKP(r io.Reader, filename string) (*Table, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("dialect: %s: %w", filename, err)
	}
	found, err := FindLKP(string(data), filename)
	switch {
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, fmt.Errorf("dialect: %s:1: no comparison of the test robot, want a line of \"%%stddev  %%change  %%stddev\" or \"fail:runs\" above its rows", filename)
	case len(found) > 1:
		return nil, fmt.Errorf("dialect: %s:%d: a second comparison, want one", filename, found[1].First)
	}
	return found[0].Table, nil
}

// FindLKP returns the robot's comparisons in a text, quoted or not, in order.
// Text that is no valid UTF-8 is taken for ISO-8859-1, which the robot writes.
// A comparison that cannot be read is an error with filename and line; the others
// are returned with it.
func FindLKP(text, filename string) ([]Found, error) {
	text, latin1 := fromLatin1(text)
	lines, quotes := unquote(text)
	var found []Found
	var errs []error
	for i := 0; i < len(lines); i++ {
		s := lines[i].text
		alone := startsWithDigit(s) && lkpAlone.MatchString(s)
		if !alone && !((strings.Contains(s, "%stddev") || strings.Contains(s, "fail:runs")) && lkpHeading.MatchString(s)) {
			continue
		}
		ascii := fromASCII(lines[i:])
		b := lkpBlock{file: filename, lines: lines, heading: i, alone: alone}
		for b.last = i; b.last+1 < len(lines) && b.belongs(lines[b.last+1].text); {
			b.last++
		}
		for b.last > i && lkpMarks.MatchString(lines[b.last].text) {
			b.last--
		}
		t, err := b.parse(latin1, ascii)
		if err != nil {
			errs = append(errs, err)
			i = b.last
			continue
		}
		found = append(found, Found{Table: t, Quote: quotes[i], First: lines[b.first].n, Last: lines[b.last].n})
		i = b.last
	}
	return found, errors.Join(errs...)
}

// asciiSpread is the spread in text that had to be ASCII, as wide as the robot's.
var asciiSpread = regexp.MustCompile(`([0-9])\+-( *[0-9]+%)`)

// fromASCII gives lines up to the next blank one the robot's own sign, and reports
// whether one had the other.
func fromASCII(lines []line) bool {
	had := false
	for i := range lines {
		if isBlank(lines[i].text) {
			break
		}
		if strings.Contains(lines[i].text, "+-") && asciiSpread.MatchString(lines[i].text) {
			lines[i].text = asciiSpread.ReplaceAllString(lines[i].text, "$1 ±$2")
			had = true
		}
	}
	return had
}

var (
	// lkpHeading is the line of headings over the columns.
	lkpHeading = regexp.MustCompile(`^ *(?:%stddev(?: +%?change +%stddev)+|fail:runs(?: +%reproduction +fail:runs)+) *$`)
	// lkpAlone is a row that nothing else than the robot's can be, though
	// there are no headings above it: two means, a signed change between them,
	// and a metric with a dot in its name.
	lkpAlone = regexp.MustCompile(`^ *[0-9][0-9.e+]*(?: *± *[0-9]+%)? +[+-][0-9.]+%? +[0-9][0-9.e+]*(?: *± *[0-9]+%)?  +[a-z][a-z0-9_-]*\.\S+$`)
	// lkpMarks are the marks below it.
	lkpMarks = regexp.MustCompile(`^ *[\\|](?: +[|\\])+ *$`)
	lkpRuler = regexp.MustCompile(`^ *-{12,}(?: +-{12,})+(?: +-+)? *$`)
	lkpRules = regexp.MustCompile(`^={20,}$`)

	// lkpMean is a mean with its spread; lkpDelta a change. A row is a mean, and
	// then a change and a mean for each other kernel, and the metric.
	lkpMean  = `([0-9.e+-]+|nan|NaN)(?: *± *([0-9]+)%)?`
	lkpDelta = `([+-]?[0-9.e+-]+)(%?)`
	lkpPair  = regexp.MustCompile(`^ *` + lkpDelta + ` +` + lkpMean + `(?: |$)`)
	lkpStart = regexp.MustCompile(`^ *` + lkpMean + ` `)

	lkpFail     = `([0-9]*):([0-9]+)`
	lkpFailPair = regexp.MustCompile(`^ *([+-]?[0-9]+)% +` + lkpFail + `(?: |$)`)
	lkpFailHead = regexp.MustCompile(`^ *` + lkpFail + ` `)

	lkpCommit = regexp.MustCompile(`^  (\S+)(?: \("(.*)"\))?$`)
)

// startsWithDigit spares the expression most lines.
func startsWithDigit(s string) bool {
	s = strings.TrimLeft(s, " ")
	return s != "" && s[0] >= '0' && s[0] <= '9'
}

// An lkpBlock is the lines of one comparison.
type lkpBlock struct {
	file                 string
	lines                []line
	first, heading, last int  // indices: of all, of the first headings, of the last row
	alone                bool // there are no headings
}

// belongs reports whether a line can be in the body of a comparison.
func (b *lkpBlock) belongs(s string) bool {
	if b.alone {
		return lkpAlone.MatchString(s)
	}
	return lkpHeading.MatchString(s) || lkpMarks.MatchString(s) || lkpStart.MatchString(s) || lkpFailHead.MatchString(s)
}

func (b *lkpBlock) errorf(i int, format string, args ...any) error {
	return fmt.Errorf("dialect: %s:%d: %s", b.file, b.lines[i].n, fmt.Sprintf(format, args...))
}

func (b *lkpBlock) parse(latin1, ascii bool) (*Table, error) {
	l := &LKP{Latin1: latin1, ASCII: ascii}
	t := &Table{File: b.file, Form: l}
	if err := b.head(t, l); err != nil {
		return nil, err
	}
	l.NoMarks = true
	for i := b.heading; i <= b.last; i++ {
		s := b.lines[i].text
		switch {
		case lkpHeading.MatchString(s):
			l.Old = l.Old || strings.Contains(s, " change ")
			continue
		case lkpMarks.MatchString(s):
			l.NoMarks = false
			continue
		}
		row, err := scanLKPRow(s, len(t.Kernels))
		if err != nil {
			return nil, b.errorf(i, "%v", err)
		}
		row.Line = b.lines[i].n
		t.Rows = append(t.Rows, row)
	}
	if len(t.Rows) == 0 {
		return nil, b.errorf(b.heading, "headings of a comparison without a row below them")
	}
	return t, t.compare(b.lines[b.first : b.last+1])
}

// head reads what is above the headings, from below: ruler, hashes, commits,
// axes. All but the hashes may be missing.
func (b *lkpBlock) head(t *Table, l *LKP) error {
	if b.alone {
		l.NoHashes, l.NoHeadings = true, true
		// A mean that is wider than its column has no blanks before it either.
		l.Trimmed = !slices.ContainsFunc(b.lines[b.heading:b.last+1], func(x line) bool { return strings.HasPrefix(x.text, " ") })
		b.first = b.heading
		t.Kernels = make([]Kernel, 2)
		return nil
	}
	i := b.heading - 1
	columns := len(strings.Fields(b.lines[b.heading].text))/2 + 1
	if i < 0 || !lkpRuler.MatchString(b.lines[i].text) {
		// Headings without the commits above them, as in a shortened quote.
		l.NoHashes = true
		b.first = b.heading
		t.Kernels = make([]Kernel, columns)
		return nil
	}
	if i--; i < 0 {
		return b.errorf(b.heading, "no line of commits above the headings of a comparison")
	}
	hashes := strings.Fields(b.lines[i].text)
	if len(hashes) == columns+1 {
		l.Names = hashes[columns]
		hashes = hashes[:columns]
	}
	if len(hashes) != columns {
		return b.errorf(i, "%d names over %d columns, put one over each", len(hashes), columns)
	}
	for _, h := range hashes {
		t.Kernels = append(t.Kernels, Kernel{Label: [2]string{h, ""}})
	}
	b.first = i
	l.Stripped = strings.TrimRight(b.lines[i].text, " ") == b.lines[i].text && l.Names == ""
	// The list of commits, and a blank line on both sides of it.
	j := i - 1
	for j >= 0 && isBlank(b.lines[j].text) {
		j--
	}
	l.NoBlank = j == i-1
	end := j
	for j >= 0 && lkpCommit.MatchString(b.lines[j].text) && end-j < columns {
		j--
	}
	if j < 0 || end-j != columns || strings.TrimRight(b.lines[j].text, " ") != "commit:" {
		return nil
	}
	for k := j + 1; k <= end; k++ {
		m := lkpCommit.FindStringSubmatch(b.lines[k].text)
		l.Commits = append(l.Commits, Commit{ID: m[1], Subject: m[2]})
	}
	b.first = j
	b.axes(l, j-1)
	return nil
}

// axes reads the parameters of the job; i is the line above "commit:".
func (b *lkpBlock) axes(l *LKP, i int) {
	for i >= 0 && isBlank(b.lines[i].text) {
		i--
	}
	if i < 2 || !lkpRules.MatchString(b.lines[i-2].text) {
		return
	}
	names, ok := strings.CutSuffix(b.lines[i-1].text, ":")
	if !ok {
		return
	}
	keys := strings.Split(names, "/")
	values := strings.Split(strings.TrimPrefix(b.lines[i].text, "  "), "/")
	if len(keys) != len(values) {
		// A value may have a slash in it; which is not to be told.
		keys, values = []string{names}, []string{strings.Join(values, "/")}
	}
	for k := range keys {
		l.Axes = append(l.Axes, Axis{keys[k], values[k]})
	}
	b.first = i - 2
}

// scanLKPRow reads a row of n kernels.
func scanLKPRow(s string, n int) (Row, error) {
	start, pair := lkpStart, lkpPair
	fails := lkpFailHead.MatchString(s)
	if fails {
		start, pair = lkpFailHead, lkpFailPair
	}
	m := start.FindStringSubmatchIndex(s)
	if m == nil {
		return Row{}, fmt.Errorf("%q is not a row, want a mean, a change and a mean, and a metric", s)
	}
	group := func(m []int, base string, i int) Decimal {
		if m[2*i] < 0 {
			return ""
		}
		return Decimal(base[m[2*i]:m[2*i+1]])
	}
	first := Cell{Value: group(m, s, 1)}
	if fails {
		first.Of = group(m, s, 2)
	} else {
		first.Spread = group(m, s, 2)
	}
	row := Row{Cells: []Cell{first}}
	rest := s[m[1]-1:]
	for i := 1; i < n; i++ {
		p := pair.FindStringSubmatchIndex(rest)
		if p == nil {
			return Row{}, fmt.Errorf("%q: no change and mean of kernel %d in the row", strings.TrimSpace(rest), i+1)
		}
		c := Cell{Pct: group(p, rest, 1)}
		if fails {
			c.Value, c.Of = group(p, rest, 2), group(p, rest, 3)
		} else {
			c.Absolute = group(p, rest, 2) == ""
			c.Value, c.Spread = group(p, rest, 3), group(p, rest, 4)
		}
		row.Cells = append(row.Cells, c)
		rest = rest[p[1]:]
		if i < n-1 && rest != "" {
			rest = " " + rest
		}
	}
	row.Key = strings.TrimSpace(rest)
	if row.Key == "" {
		return Row{}, fmt.Errorf("row without the name of its metric")
	}
	return row, nil
}
