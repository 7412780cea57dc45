package lint

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/schedlab/schedlab/reports/dialect"
)

// A Finding is one remark on a text.
type Finding struct {
	Line  int    // from 1; 0 for the text as a whole
	Rule  string // one of the Rule constants
	Wrong bool   // the text contradicts itself; else it is a trap for the reader
	Text  string
}

// The rules of findings.
const (
	RuleWrong     = "percentage"   // a change that its values do not give
	RuleSign      = "sign"         // signs of two conventions in one post
	RuleVariance  = "variance"     // a "Variance" that can only be a standard deviation
	RuleStar      = "star"         // a star on a change below half a percent
	RuleSpread    = "spread"       // a spread larger than the change
	RuleGeomean   = "geomean"      // a geometric mean over unequal sets, or a wrong one
	RuleRuns      = "runs"         // nothing says how many runs a figure stands for
	RuleBest      = "best-of"      // figures of the best runs
	RuleTruncated = "truncated"    // changes that are cut, not rounded
	RuleUnread    = "unread-table" // a table that could not be read
)

// A Report is what was found in one text.
type Report struct {
	File     string
	Tables   []dialect.Found
	Claims   int           // changes that were recomputed
	Count    map[Class]int // of them, by class
	Findings []Finding     // by line
}

// Wrong reports whether the text contradicts itself.
func (r *Report) Wrong() bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Wrong })
}

// Text checks a decoded text. A table that cannot be read is a finding, with the
// reason.
func Text(text, filename string) *Report {
	r := &Report{File: filename, Count: make(map[Class]int)}
	found, err := dialect.Find(text, filename)
	for _, e := range unjoin(err) {
		r.unread(e)
	}
	r.Tables = found
	signs := make(map[string]int) // the first line of each convention
	for _, f := range found {
		r.recompute(f.Table, signs)
		r.traps(f.Table)
	}
	r.conventions(signs)
	if len(found) > 0 {
		r.prose(text)
	}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int { return cmp.Compare(a.Line, b.Line) })
	return r
}

// unread notes a table that could not be read, at its line.
func (r *Report) unread(err error) {
	f := Finding{Rule: RuleUnread, Text: err.Error()}
	if rest, ok := strings.CutPrefix(f.Text, "dialect: "+r.File+":"); ok {
		number, why, _ := strings.Cut(rest, ": ")
		if n, err := strconv.Atoi(number); err == nil {
			f.Line, f.Text = n, why
		}
	}
	r.Findings = append(r.Findings, f)
}

func unjoin(err error) []error {
	switch e := err.(type) {
	case nil:
		return nil
	case interface{ Unwrap() []error }:
		return e.Unwrap()
	}
	return []error{err}
}

func (r *Report) add(line int, rule string, format string, args ...any) {
	r.Findings = append(r.Findings, Finding{Line: line, Rule: rule, Text: fmt.Sprintf(format, args...)})
}

// recompute classifies each change of a table, and notes which convention of
// signs it uses.
func (r *Report) recompute(t *dialect.Table, signs map[string]int) {
	claims := claimsOf(t)
	r.Claims += len(claims)
	truncated, first := 0, 0
	convention := make(map[rule]int)
	for _, c := range claims {
		class, which, value := c.best()
		r.Count[class]++
		switch class {
		case Wrong:
			r.Findings = append(r.Findings, Finding{Line: c.line, Rule: RuleWrong, Wrong: true, Text: c.wrong(value)})
			continue
		case Truncated:
			truncated++
			if first == 0 {
				first = c.line
			}
			continue
		case Open:
			continue
		}
		if c.text.Float64() != 0 && (which == increase || which == decrease) {
			if len(c.rules) > 1 {
				convention[which] = c.line
			}
			name := which.String()
			if better(t) {
				name = "positive is better"
			}
			if _, ok := signs[name]; !ok {
				signs[name] = c.line
			}
		}
	}
	if truncated > 0 {
		r.add(first, RuleTruncated, "%d of %d changes are cut after their last digit, not rounded", truncated, len(claims))
	}
	// Within one table whose style leaves it open, both may be two directions of
	// two quantities; it has to be said.
	if len(convention) > 1 {
		r.add(max(convention[increase], convention[decrease]), RuleSign, "in one table positive is an increase in some rows (line %d) and a decrease in others (line %d); say which is better in each", convention[increase], convention[decrease])
	}
}

// wrong words a change that does not follow.
func (c claim) wrong(value float64) string {
	p := max(c.text.Precision(), 0)
	text := fmt.Sprintf("%s: %s printed, but %s to %s is %+.*f", c.what, c.text, c.base, c.value, p+1, value)
	if near(-value, c.text.Float64(), 2*halfDigit(c.text)) {
		text += ": the sign is of the other convention"
	}
	return text
}

// conventions notes when one post counts in two directions.
func (r *Report) conventions(signs map[string]int) {
	names := slices.Sorted(maps.Keys(signs))
	for _, name := range names[min(1, len(names)):] {
		r.add(max(signs[name], signs[names[0]]), RuleSign, "%s in one place (line %d), and %s in another (line %d) of this text", names[0], signs[names[0]], name, signs[name])
	}
}
