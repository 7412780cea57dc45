package dialect

import (
	"fmt"
	"regexp"
	"strings"
)

// The inside of a cell. A number is right aligned in blanks.
const ratioNumber = `([+-]?[0-9]+(?:\.[0-9]+)?)`

var ratioCells = [...]*regexp.Regexp{
	PctImp:    regexp.MustCompile(`^` + ratioNumber + ` \[ *` + ratioNumber + `\]\( *` + ratioNumber + `\)`),
	CVPctImp:  regexp.MustCompile(`^` + ratioNumber + ` \(` + ratioNumber + `\)(?: \[ *` + ratioNumber + `%\])?`),
	Pct:       regexp.MustCompile(`^` + ratioNumber + ` \( *` + ratioNumber + ` pct\)`),
	Spread:    regexp.MustCompile(`^` + ratioNumber + `\(\+/-( *)` + ratioNumber + `%\)(?:( *)([+-] *[0-9]+)%)?`),
	SpreadPct: regexp.MustCompile(`^` + ratioNumber + ` \+/-( *)` + ratioNumber + `%(?:( *)\(` + ratioNumber + `%\))?`),
	Compare:   regexp.MustCompile(`^ *` + ratioNumber + ` \( *` + ratioNumber + `\)`),
}

// A ratioCell is a cell with where it stands in its line.
type ratioCell struct {
	Cell
	start, end, valueEnd int
	inner, gap           int // blanks before the spread, and before the change
}

// scan reads the cell that a text begins with.
func (l RatioLayout) scan(s string, column int) (c ratioCell, ok bool) {
	m := ratioCells[l].FindStringSubmatch(s)
	if m == nil {
		return c, false
	}
	c.Value, c.end, c.valueEnd = Decimal(m[1]), len(m[0]), len(m[1])
	switch l {
	case PctImp:
		c.Pct, c.Spread = Decimal(m[2]), Decimal(m[3])
	case CVPctImp:
		c.Spread, c.Pct = Decimal(m[2]), Decimal(m[3])
	case Pct:
		c.Pct = Decimal(m[2])
	case Spread, SpreadPct:
		c.inner, c.Spread, c.gap = len(m[2])+len(m[3]), Decimal(m[3]), len(m[4])
		c.Pct = Decimal(strings.ReplaceAll(m[5], " ", ""))
	case Compare:
		c.Spread = Decimal(m[2])
		if column > 0 {
			c.Value, c.Pct = "", Decimal(m[1])
		}
	}
	return c, true
}

// write is the text of a cell; value is how much of it is the value.
func (l RatioLayout) write(c Cell, inner, gap int) (text string, value int) {
	value = len(c.Value)
	switch l {
	case PctImp:
		return fmt.Sprintf("%s [%6s](%5s)", c.Value, c.Pct, c.Spread), value
	case CVPctImp:
		text = fmt.Sprintf("%s (%s)", c.Value, c.Spread)
		if c.Pct != "" {
			text += fmt.Sprintf(" [%3s%%]", c.Pct)
		}
	case Pct:
		text = fmt.Sprintf("%s (%s pct)", c.Value, c.Pct)
	case Spread:
		text = fmt.Sprintf("%s(+/-%*s%%)", c.Value, inner, c.Spread)
		if c.Pct != "" {
			text += fmt.Sprintf("%*s%s%2s%%", gap, "", c.Pct[:1], c.Pct[1:])
		}
	case SpreadPct:
		text = fmt.Sprintf("%s +/-%*s%%", c.Value, inner, c.Spread)
		if c.Pct != "" {
			text += fmt.Sprintf("%*s(%s%%)", gap, "", c.Pct)
		}
	case Compare:
		if c.Pct != "" {
			return fmt.Sprintf("%6s (%6s)", c.Pct, c.Spread), 0
		}
		return fmt.Sprintf(" %4s (%6s)", c.Value, c.Spread), 0
	}
	return text, value
}

// A ratioLine is a row as read.
type ratioLine struct {
	key      string
	keyStart int
	keyEnd   int
	cells    []ratioCell
}

// scanLine reads a row: a test case, blanks, and cells up to the end.
func (l RatioLayout) scanLine(s string) (r ratioLine, ok bool) {
	if l == Compare {
		return scanCompare(s)
	}
	end := len(strings.TrimRight(s, " \t"))
	for start := range end {
		if start == 0 || s[start-1] != ' ' && s[start-1] != '\t' || s[start] < '0' && s[start] != '-' || s[start] > '9' {
			continue
		}
		r.cells = r.cells[:0]
		for at := start; ; {
			c, ok := l.scan(s[at:end], len(r.cells))
			if !ok {
				break
			}
			c.start, c.end, c.valueEnd = at, at+c.end, at+c.valueEnd
			r.cells = append(r.cells, c)
			at = c.end + len(s[c.end:end]) - len(strings.TrimLeft(s[c.end:end], " \t"))
			if at == end {
				return r.keyed(s[:start])
			}
			if at == c.end {
				break
			}
		}
	}
	return r, false
}

// keyed takes the test case from what is left of the cells.
func (r ratioLine) keyed(left string) (ratioLine, bool) {
	r.key = strings.Trim(left, " \t")
	r.keyEnd = len(strings.TrimRight(left, " \t"))
	r.keyStart = r.keyEnd - len(r.key)
	return r, r.key != "" && len(r.cells) > 1
}

// scanCompare reads "case <tab> load <tab> base <tab> compared". Where a mailer
// made blanks of the tabs it is not read.
func scanCompare(s string) (r ratioLine, ok bool) {
	f := strings.Split(strings.TrimRight(s, " \t"), "\t")
	if len(f) != 4 {
		return r, false
	}
	for i, text := range f[2:] {
		c, ok := Compare.scan(text, i)
		if !ok || c.end != len(text) {
			return r, false
		}
		r.cells = append(r.cells, c)
	}
	r.key = f[0] + "\t" + f[1]
	return r, strings.TrimSpace(f[0]) != ""
}
