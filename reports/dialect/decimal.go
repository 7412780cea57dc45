package dialect

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// A Decimal is a number digit for digit as a table prints it: "500.06" and
// "500.060" are different Decimals of the same value. The empty Decimal and
// [Missing] stand for a number that was not measured.
type Decimal string

// Missing is the Decimal of a number that is not there. It is printed as nan:
// mmtests itself prints a missing result as 0.00, which cannot be told from a
// measured zero.
const Missing Decimal = "nan"

// decimalText is what a table may hold as a number: plain digits, or one of
// the words that printf makes of a float that is none.
var decimalText = regexp.MustCompile(`^-?(?:[0-9]+(?:\.[0-9]+)?|(?i:nan|inf))$`)

// numberText is a number in any dialect: with a sign, as %g prints it.
var numberText = regexp.MustCompile(`^[+-]?[0-9]+(?:\.[0-9]+)?(?:e[+-][0-9]{2,3})?$`)

// Fixed returns v with prec digits after the point, rounded as printf rounds.
// NaN gives [Missing].
func Fixed(v float64, prec int) Decimal {
	switch {
	case math.IsNaN(v):
		return Missing
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	}
	return Decimal(strconv.FormatFloat(v, 'f', max(prec, 0), 64))
}

// Float64 returns the value of d, NaN when it is missing or not a number.
func (d Decimal) Float64() float64 {
	if !d.valid() && !numberText.MatchString(string(d)) {
		return math.NaN()
	}
	v, err := strconv.ParseFloat(string(d), 64)
	if err != nil && !math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}

// IsMissing reports whether d holds no figure.
func (d Decimal) IsMissing() bool { return math.IsNaN(d.Float64()) }

// Precision returns how many digits d has after the point, negative where the
// last digit stands for tens or more, as in 1.69e+08.
func (d Decimal) Precision() int {
	mantissa, exponent, _ := strings.Cut(string(d), "e")
	_, frac, _ := strings.Cut(mantissa, ".")
	e, _ := strconv.Atoi(exponent)
	return len(frac) - e
}

// valid reports whether d can stand in a table.
func (d Decimal) valid() bool { return decimalText.MatchString(string(d)) }
