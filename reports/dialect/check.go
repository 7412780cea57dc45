package dialect

import (
	"fmt"
	"math"
)

// A Finding is one claim of a table that its own numbers do not bear out.
type Finding struct {
	Line int // in Table.File; 0 for a table made from numbers
	Text string
}

// Check recomputes each percentage from the printed values and returns those
// that no rounding of the values explains. Where the statistic does not tell
// the direction (Min, Max, percentiles), either direction will do.
func (t *Table) Check() []Finding {
	var findings []Finding
	if t.Layout.NoCompare {
		return nil
	}
	for _, r := range t.Rows {
		for i, c := range r.Cells {
			low, high, ok := percentRange(BetterOf(r.Stat), r.Cells[0].Value, c.Value)
			pct := c.Pct.Float64()
			if !ok || math.IsNaN(pct) {
				continue
			}
			slack := halfDigit(c.Pct)
			if inRange(pct, low[0], high[0], slack) || inRange(pct, low[1], high[1], slack) {
				continue
			}
			findings = append(findings, Finding{Line: r.Line, Text: fmt.Sprintf(
				"%s %s, kernel %d: %s%% printed, the values give %.2f%%", r.Stat, r.Key, i+1, c.Pct, (low[0]+high[0])/2)})
		}
	}
	return findings
}

// percentRange returns the bounds of the percentage over all values that print
// as base and value do, for each direction that is possible: the same bounds
// twice when there is one.
func percentRange(better Better, base, value Decimal) (low, high [2]float64, ok bool) {
	b, v := base.Float64(), value.Float64()
	if math.IsNaN(b) || math.IsNaN(v) || math.IsInf(b, 0) || math.IsInf(v, 0) {
		return low, high, false
	}
	directions := [2]Better{better, better}
	if better == Unknown {
		directions = [2]Better{Higher, Lower}
	}
	hb, hv := halfDigit(base), halfDigit(value)
	if math.Abs(b) <= hb {
		// A base that may be 0 allows any percentage.
		return low, high, false
	}
	for i, d := range directions {
		low[i], high[i] = math.Inf(1), math.Inf(-1)
		for _, corner := range [][2]float64{{b, v}, {b - hb, v - hv}, {b - hb, v + hv}, {b + hb, v - hv}, {b + hb, v + hv}} {
			p := PercentBetter(d, corner[0], corner[1])
			low[i], high[i] = min(low[i], p), max(high[i], p)
		}
	}
	return low, high, true
}

// halfDigit is half a unit of the last printed digit.
func halfDigit(d Decimal) float64 {
	return 0.5 * math.Pow10(-d.Precision())
}

// inRange reports whether p lies in a range, with slack for p's own rounding.
func inRange(p, low, high, slack float64) bool {
	const fuzz = 1e-9 // of binary floats
	return p >= low-slack-fuzz && p <= high+slack+fuzz
}
