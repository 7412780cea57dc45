package lint

import (
	"fmt"
	"math"
	"strings"

	"github.com/schedlab/schedlab/reports/dialect"
)

// A rule is a way to make a change of two values.
type rule int

const (
	increase   rule = iota // (new-old)/old
	decrease               // (old-new)/old
	saving                 // (old-new)/new
	difference             // new-old
)

// String says what a positive change means.
func (r rule) String() string {
	return [...]string{"positive is an increase", "positive is a decrease", "positive is a decrease, relative to the new value", "the difference"}[r]
}

// of applies the rule.
func (r rule) of(base, value float64) float64 {
	switch r {
	case increase:
		return 100 * (value - base) / base
	case decrease:
		return 100 * (base - value) / base
	case saving:
		return 100 * (base - value) / value
	}
	return value - base
}

// A claim is one printed change with the values that it is made of.
type claim struct {
	line              int
	what              string // row and kernel
	base, value, text dialect.Decimal
	rules             []rule // those that the style allows
	mmtests           bool   // changes are by mmtests' rules, which know of zeros
	cut               bool   // the style cuts values after the point instead of rounding
}

// claimsOf returns the changes of a table.
func claimsOf(t *dialect.Table) []claim {
	if t.Form == nil && t.Layout.NoCompare {
		return nil
	}
	var claims []claim
	for _, r := range t.Rows {
		for i, c := range r.Cells {
			if c.Pct == "" || i == 0 && t.Form != nil {
				continue
			}
			base := r.Cells[0]
			if c.Of != "" || c.Value == "" {
				continue // shares of runs that failed: rounded by the robot's own rule
			}
			claims = append(claims, claim{
				line: r.Line, what: rowName(t, r, i),
				base: base.Value, value: c.Value, text: c.Pct,
				rules: rulesOf(t, r, c), mmtests: t.Form == nil, cut: cuts(t),
			})
		}
	}
	return claims
}

func rulesOf(t *dialect.Table, r dialect.Row, c dialect.Cell) []rule {
	switch t.Form.(type) {
	case *dialect.LKP:
		if c.Absolute {
			return []rule{difference}
		}
		return []rule{increase}
	case *dialect.Columns, *dialect.Blocks:
		return []rule{increase}
	case *dialect.AutoNUMA:
		return []rule{saving}
	case *dialect.Ratios:
		return rulesOfBetter(t.Form.(*dialect.Ratios).Better())
	case *dialect.KernelRows:
		return rulesOfBetter(t.Form.(*dialect.KernelRows).Better())
	case nil:
		return rulesOfBetter(dialect.BetterOf(r.Stat))
	}
	return rulesOfBetter(dialect.Unknown)
}

// rulesOfBetter are those that a positive change for better follows.
func rulesOfBetter(better dialect.Better) []rule {
	switch better {
	case dialect.Higher:
		return []rule{increase}
	case dialect.Lower:
		return []rule{decrease}
	}
	return []rule{increase, decrease}
}

// better reports whether the style counts improvements, whatever the direction.
func better(t *dialect.Table) bool {
	switch t.Form.(type) {
	case nil, *dialect.Ratios, *dialect.KernelRows:
		return true
	}
	return false
}

func rowName(t *dialect.Table, r dialect.Row, kernel int) string {
	name := strings.TrimSpace(r.Stat + " " + r.Key)
	if name == "" {
		return t.Kernels[kernel].Name()
	}
	if len(t.Kernels) > 2 {
		return fmt.Sprintf("%s, kernel %d", name, kernel+1)
	}
	return name
}

// of applies a rule to the values, as the style does.
func (c claim) of(r rule, base, value float64) float64 {
	switch {
	case c.mmtests && r == increase:
		return dialect.PercentBetter(dialect.Higher, base, value)
	case c.mmtests && r == decrease:
		return dialect.PercentBetter(dialect.Lower, base, value)
	}
	return r.of(base, value)
}

// A Class says how a printed change follows from its values.
type Class int

// The classes, from best to worst. Open is a change that its values allow
// anything for: a base that prints as 0, a number that is missing.
const (
	Exact Class = iota
	Rounding
	Truncated
	Open
	Wrong
)

// String is "exact", "within rounding", "truncated", "open" or "wrong".
func (c Class) String() string {
	return [...]string{"exact", "within rounding", "truncated", "open", "wrong"}[c]
}

// classify recomputes the claim by one rule. The value is what the printed values
// give.
func (c claim) classify(r rule) (Class, float64) {
	base, value, printed := c.base.Float64(), c.value.Float64(), c.text.Float64()
	got := c.of(r, base, value)
	half := halfDigit(c.text)
	hb, hv := halfDigit(c.base), halfDigit(c.value)
	if c.cut {
		// Whole numbers stand for what is up to one more.
		base, hb = cutRange(c.base, base, hb)
		value, hv = cutRange(c.value, value, hv)
	}
	switch {
	case math.IsNaN(base), math.IsNaN(value), math.IsNaN(printed):
		return Open, got
	case c.base == c.value && printed == 0:
		return Exact, 0
	case r != difference && math.Abs(base) <= hb, r == saving && math.Abs(value) <= hv:
		return Open, got
	case near(got, printed, half):
		return Exact, got
	}

	low, high := math.Inf(1), math.Inf(-1)
	for _, b := range [...]float64{base - hb, base + hb} {
		for _, v := range [...]float64{value - hv, value + hv} {
			low, high = min(low, c.of(r, b, v)), max(high, c.of(r, b, v))
		}
	}
	switch {
	case printed >= low-half-fuzz && printed <= high+half+fuzz:
		return Rounding, got
	case sameSign(got, printed) && cutFrom(printed, low, high, 2*half):
		return Truncated, got
	}
	return Wrong, got
}

// cutFrom reports whether some value from low to high prints as printed when it is
// cut after the last digit, whose unit is given.
func cutFrom(printed, low, high, unit float64) bool {
	if printed < 0 {
		printed, low, high = -printed, -high, -low
	}
	return high >= printed-fuzz && low < printed+unit+fuzz
}

// cuts reports whether a style prints values from 1000 on as whole numbers
// without rounding: the test robot's.
func cuts(t *dialect.Table) bool {
	_, ok := t.Form.(*dialect.LKP)
	return ok
}

// cutRange is the middle and half width of what prints as a whole number.
func cutRange(d dialect.Decimal, v, half float64) (float64, float64) {
	if d.Precision() != 0 {
		return v, half
	}
	return v + math.Copysign(0.5, v), 0.5
}

// fuzz is for binary floats.
const fuzz = 1e-9

func near(a, b, slack float64) bool { return math.Abs(a-b) <= slack+fuzz*max(1, math.Abs(a)) }

func sameSign(a, b float64) bool { return a*b > 0 }

// halfDigit is half a unit of the last printed digit.
func halfDigit(d dialect.Decimal) float64 {
	text := strings.ReplaceAll(string(d), ",", "")
	return 0.5 * math.Pow10(-dialect.Decimal(text).Precision())
}

// best is the best class over the rules.
func (c claim) best() (Class, rule, float64) {
	class, which, value := Class(math.MaxInt), c.rules[0], 0.0
	for _, r := range c.rules {
		if k, v := c.classify(r); k < class {
			class, which, value = k, r, v
		}
	}
	return class, which, value
}
