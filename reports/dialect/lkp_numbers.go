package dialect

import (
	"math"
	"strconv"
	"strings"
)

// The robot's ways to print numbers (lkp-tests, lib/compare.rb).
const (
	lkpTwoDigits   = 1000 // means below it have two digits after the point
	lkpExponent    = 1e8  // means above it have an exponent
	lkpLeastSpread = 2    // percent: a smaller standard deviation is not printed
	lkpBigChange   = 1e5  // percent: a bigger change has two digits and an exponent
)

// LKPMean is a mean as the robot prints it: "0.52", "18145", "2.296e+09".
func LKPMean(v float64) Decimal {
	switch abs := math.Abs(v); {
	case math.IsNaN(v):
		return Missing
	case abs < lkpTwoDigits:
		return Fixed(v, 2)
	case abs > lkpExponent:
		return shortest(v, 4)
	}
	return Decimal(strconv.FormatFloat(math.Trunc(v), 'f', 0, 64))
}

// shortest is printf's %.*g where the exponent is large.
func shortest(v float64, digits int) Decimal {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', digits-1, 64), "e")
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	return Decimal(mantissa + "e" + exponent)
}

// LKPSpread is the standard deviation of a mean in percent of it, empty where
// the robot prints none: up to 2 %.
func LKPSpread(mean, stddev float64) Decimal {
	pct := math.Abs(100 * stddev / mean)
	if !(pct > lkpLeastSpread) || math.IsInf(pct, 0) {
		return ""
	}
	return Fixed(pct, 0)
}

// lkpIsAbsolute reports whether a metric has a difference instead of a change in
// percent: it is a percentage already.
func lkpIsAbsolute(metric string) bool {
	return strings.HasSuffix(metric, "%") || strings.HasPrefix(metric, "perf-profile.")
}

// NewLKPRow makes a row from means and standard deviations, one a kernel, the
// base first.
func NewLKPRow(metric string, means, stddevs []float64) Row {
	row := Row{Key: metric, Cells: make([]Cell, len(means))}
	for i, v := range means {
		c := &row.Cells[i]
		c.Value = LKPMean(v)
		if i < len(stddevs) {
			c.Spread = LKPSpread(v, stddevs[i])
		}
		if i == 0 {
			continue
		}
		c.Absolute = lkpIsAbsolute(metric)
		change := 100 * (v - means[0]) / means[0]
		if c.Absolute {
			change = v - means[0]
		}
		c.Pct = signed(change)
	}
	return row
}

// signed is a change with its sign.
func signed(v float64) Decimal {
	d := Fixed(v, 1)
	if math.Abs(v) >= lkpBigChange {
		d = shortest(v, 2)
	}
	if v >= 0 {
		d = "+" + d
	}
	return d
}
