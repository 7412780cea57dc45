package dialect

import (
	"strings"
)

// Ratios is a table whose cells hold a value with its change and spread in
// brackets behind it, one row a test case: K Prateek Nayak's normalised times,
// Vincent Guittot's, and the output of Chen Yu's schedtests.
type Ratios struct {
	// Layout names which of the forms it is; see the constants.
	Layout RatioLayout
	// Box is what stands in a box of "=" above the table, in Nayak's form: Test,
	// Units, Interpretation, Statistic.
	Box []Axis

	head  []string // the heading as read: authors align it by hand
	place placement
}

// A RatioLayout is how a cell is written.
type RatioLayout int

// The layouts.
const (
	// PctImp is "0.98 [  2.05]( 0.95)": value, improvement in percent, coefficient of
	// variation.
	PctImp RatioLayout = iota
	// CVPctImp is "0.90 (0.08) [-10%]": the coefficient of variation first.
	CVPctImp
	// Pct is "94220.50 (-13.84 pct)".
	Pct
	// Spread is "1.337(+/- 1%) + 3%": the standard deviation in percent, and behind
	// the last column the improvement.
	Spread
	// SpreadPct is "14.000 +/-2.00%   (+8.50%)".
	SpreadPct
	// Compare is "-0.16 (  0.40)" below "compare%( std%)", tabs between columns: the
	// base is 1.00, and of the other kernel the improvement is given alone.
	Compare
)

// ratioStyles are the names of the layouts.
var ratioStyles = [...]string{"pct imp", "CV pct imp", "pct", "+/-", "+/- pct", "compare%"}

// Style implements Form.
func (f *Ratios) Style() string { return ratioStyles[f.Layout] }

// NewRatioRow makes a row from means and standard deviations, one a kernel, the
// base first; better says which way is an improvement. Means are divided by the
// base's where the layout is one of ratios.
func NewRatioRow(l RatioLayout, key string, better Better, prec int, means, stddevs []float64) Row {
	row := Row{Key: key}
	for i, m := range means {
		var c Cell
		value := m
		if l == PctImp || l == CVPctImp || l == Compare {
			value, prec = m/means[0], 2
		}
		spread, pct := 100*stddevs[i]/m, PercentBetter(better, means[0], m)
		c.Value = Fixed(value, prec)
		switch l {
		case PctImp:
			c.Pct, c.Spread = Fixed(pct, 2), Fixed(spread, 2)
		case CVPctImp:
			c.Spread = Fixed(spread, 2)
			if i > 0 {
				c.Pct = Fixed(pct, 0)
			}
		case Pct:
			c.Pct = Fixed(pct, 2)
		case Spread, SpreadPct:
			digits := 0
			if l == SpreadPct {
				digits = 2
			}
			c.Spread = Fixed(spread, digits)
			if i > 0 {
				c.Pct = plus(Fixed(pct, digits))
			}
		case Compare:
			c.Spread = Fixed(spread, 2)
			if i > 0 {
				c.Value, c.Pct = "", plus(Fixed(pct, 2))
			}
		}
		row.Cells = append(row.Cells, c)
	}
	return row
}

// plus puts a sign before a number that has none.
func plus(d Decimal) Decimal {
	if strings.HasPrefix(string(d), "-") || d.IsMissing() {
		return d
	}
	return "+" + d
}
