package view

import (
	"math"
	"strconv"
	"strings"

	"github.com/schedlab/schedlab/schedsim/study"
)

// Fixed prints n with dec decimals.
func Fixed(n study.Number, dec int) string {
	f := float64(n)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return Missing
	}
	return unsignedZero(strconv.FormatFloat(f, 'f', dec, 64))
}

// Signed prints n with dec decimals and always with a sign, except for what
// rounds to zero.
func Signed(n study.Number, dec int) string {
	s := Fixed(n, dec)
	if n > 0 && strings.Trim(s, "0.") != "" {
		return "+" + s
	}
	return s
}

// Range prints a closed interval of signed figures.
func Range(low, high study.Number, dec int) string {
	if !low.Measured() || !high.Measured() {
		return Missing
	}
	return "[" + Signed(low, dec) + ", " + Signed(high, dec) + "]"
}

// SI prints f with three significant digits and the prefix k, M, G or T.
func SI(f float64) string {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return Missing
	}
	const prefixes = " kMGT"
	i := 0
	// 999.5 is where three digits round up to 1000.
	for math.Abs(f) >= 999.5 && i < len(prefixes)-1 {
		f /= 1000
		i++
	}
	if i == 0 {
		return strconv.FormatFloat(f, 'g', 3, 64)
	}
	dec := 0
	switch a := math.Abs(f); {
	case a < 9.995:
		dec = 2
	case a < 99.95:
		dec = 1
	}
	return strconv.FormatFloat(f, 'f', dec, 64) + prefixes[i:i+1]
}

// Plain prints f in the shortest form that reads back as f.
func Plain(f float64) string {
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e15) {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// ratio is a/b, or missing where b is zero.
func ratio(a, b float64) study.Number {
	if b == 0 {
		return study.NotMeasured
	}
	return study.Number(a / b)
}

// decimals is the most decimals that any published value of t was printed
// with, at most 6; published figures are exact to the digit.
func decimals(t *study.Table) int {
	most, some := 0, false
	for _, r := range t.Rows {
		for _, f := range [2]float64{float64(r.Base), float64(r.Patched)} {
			if math.IsNaN(f) {
				continue
			}
			some = true
			s := strconv.FormatFloat(f, 'f', -1, 64)
			if i := strings.IndexByte(s, '.'); i >= 0 {
				most = max(most, len(s)-i-1)
			}
		}
	}
	if !some {
		return 2 // claims alone
	}
	return min(most, 6)
}

func unsignedZero(s string) string {
	if strings.HasPrefix(s, "-") && strings.Trim(s, "-0.") == "" {
		return s[1:]
	}
	return s
}
