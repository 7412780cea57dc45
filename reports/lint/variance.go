package lint

import (
	"math"

	"github.com/schedlab/schedlab/reports/dialect"
)

// variance looks at tables of "count Min Max Avg Variance": n values between a
// minimum and a maximum, both of which occur, have bounds on how far they can
// spread.
func (r *Report) variance(t *dialect.Table) {
	row := func(stat string) *dialect.Row { return t.Row(stat, "") }
	count, low, high, avg, v := row("count"), row("Min"), row("Max"), row("Avg"), row("Variance")
	if count == nil || low == nil || high == nil || avg == nil || v == nil {
		return
	}
	for k := range t.Kernels {
		s := sample{
			n:    count.Cells[k].Value.Float64(),
			low:  low.Cells[k].Value.Float64(),
			high: high.Cells[k].Value.Float64(),
			mean: avg.Cells[k].Value.Float64(),
		}
		printed := v.Cells[k].Value.Float64()
		least, most := s.rounded(halfDigit(low.Cells[k].Value), halfDigit(high.Cells[k].Value), halfDigit(avg.Cells[k].Value))
		if !(s.n >= 2) || math.IsNaN(least) || math.IsNaN(printed) {
			continue
		}
		within := func(sum float64) bool { return sum >= least*(1-varianceSlack) && sum <= most*(1+varianceSlack) }
		variance := within(printed*s.n) || within(printed*(s.n-1))
		population, sampled := within(printed*printed*s.n), within(printed*printed*(s.n-1))
		what := ""
		switch {
		case variance:
			continue
		case population && sampled:
			what = "can only be a standard deviation, of the population or of a sample"
		case population:
			what = "can only be the standard deviation of a population (divided by n)"
		case sampled:
			what = "can only be the standard deviation of a sample (divided by n-1)"
		default:
			what = "is no spread that these values can have"
		}
		r.add(v.Line-len(t.Kernels)+1+k, RuleVariance, "\"Variance\" %s of %s values from %s to %s around %s %s", v.Cells[k].Value, count.Cells[k].Value, low.Cells[k].Value, high.Cells[k].Value, avg.Cells[k].Value, what)
	}
}

// varianceSlack is for the rounding of the printed deviation, which has six digits.
const varianceSlack = 1e-3

// A sample is what a row says of n values.
type sample struct{ n, low, high, mean float64 }

// rounded bounds the sum of squares over all values that print as these, which are
// off by up to half a digit.
func (s sample) rounded(low, high, mean float64) (least, most float64) {
	least = math.Inf(1)
	for _, a := range [...]float64{-low, low} {
		for _, b := range [...]float64{-high, high} {
			for _, c := range [...]float64{-mean, mean} {
				x, y := sample{s.n, s.low + a, s.high + b, s.mean + c}.sumOfSquares()
				least, most = min(least, x), max(most, y)
			}
		}
	}
	if math.IsNaN(most) {
		return most, most
	}
	return least, most
}

// sumOfSquares bounds the sum of squared deviations from the mean. The two
// extremes occur; the others have a mean that is given by all, and spread least
// when they are equal and most when they are at the extremes.
func (s sample) sumOfSquares() (least, most float64) {
	square := func(x float64) float64 { return x * x }
	ends := square(s.low-s.mean) + square(s.high-s.mean)
	others := s.n - 2
	if others <= 0 {
		return ends, ends
	}
	rest := (s.n*s.mean - s.low - s.high) / others
	least = ends + others*square(rest-s.mean)
	// Bhatia and Davis: the variance is at most (max-mean)(mean-min).
	most = s.n * (s.high - s.mean) * (s.mean - s.low)
	return least, max(most, least)
}
