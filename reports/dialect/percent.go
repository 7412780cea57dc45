package dialect

import "math"

// PercentBetter returns by how many percent value is better than base,
// negative for worse, by the rules of mmtests. Where higher is better, equal
// values and a value of 0 give 0 and a base of 0 gives 100; where lower is
// better, equal values give 0, a value of 0 gives 100 and a base of 0 gives
// -99. A missing number, and an unknown direction, give NaN: mmtests prints
// 0.00% there.
func PercentBetter(better Better, base, value float64) float64 {
	if math.IsNaN(base) || math.IsNaN(value) {
		return math.NaN()
	}
	switch better {
	case Higher:
		switch {
		case value == base || value == 0:
			return 0
		case base == 0:
			return 100
		}
		return value*100/base - 100
	case Lower:
		switch {
		case value == base:
			return 0
		case value == 0:
			return 100
		case base == 0:
			return -99
		}
		return 100 - value*100/base
	}
	return math.NaN()
}

// percentDigits is how many digits the program prints of a percentage.
const percentDigits = 2

// NewRow makes a row from unrounded numbers, one a kernel, NaN for a missing
// one; prec is the digits after the point. The percentage is taken before
// rounding, as the program does. stars may be nil.
func NewRow(stat, key string, better Better, prec int, values []float64, stars []bool) Row {
	row := Row{Stat: stat, Key: key, Cells: make([]Cell, len(values))}
	for i, v := range values {
		row.Cells[i].Value = Fixed(v, prec)
		row.Cells[i].Pct = Fixed(PercentBetter(better, values[0], v), percentDigits)
		if i < len(stars) {
			row.Cells[i].Star = stars[i]
		}
	}
	return row
}
