package study

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Mean is the arithmetic mean (mmtests: Amean), NaN without values.
func Mean(xs []float64) float64 {
	if len(xs) == 0 {
		return math.NaN()
	}
	return stat.Mean(xs, nil)
}

// Hmean is the harmonic mean n / sum(1/x), the mean of rates over equal work,
// which mmtests prints for throughput. It is defined for positive values only
// and NaN if there is another or none.
func Hmean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		if !positive(x) {
			return math.NaN()
		}
		sum += 1 / x
	}
	if len(xs) == 0 {
		return math.NaN()
	}
	return float64(len(xs)) / sum
}

// Stddev is the sample standard deviation, with n-1 in the denominator. It is
// NaN for fewer than two values.
func Stddev(xs []float64) float64 {
	if len(xs) < 2 {
		return math.NaN()
	}
	return stat.StdDev(xs, nil)
}

// Median is the middle value, or the mean of the two in the middle. It is NaN
// without values.
func Median(xs []float64) float64 { return Quantile(0.5, xs) }

// Quantile is the p-quantile by linear interpolation between the order
// statistics at 0-based position (n-1)p: definition 7 of Hyndman and Fan,
// "Sample Quantiles in Statistical Packages", The American Statistician 50
// (1996), the default of R and NumPy. The slice need not be sorted. The result
// is NaN without values, with a NaN among them, or for p outside of [0, 1].
func Quantile(p float64, xs []float64) float64 {
	if len(xs) == 0 || !(p >= 0 && p <= 1) || slices.ContainsFunc(xs, math.IsNaN) {
		return math.NaN()
	}
	sorted := slices.Clone(xs)
	slices.Sort(sorted)
	h := p * float64(len(sorted)-1)
	i := int(h)
	if i == len(sorted)-1 {
		return sorted[i]
	}
	return sorted[i] + (h-float64(i))*(sorted[i+1]-sorted[i])
}

// halfWidth is the half-width of the 95 % Student t interval of a mean over n
// values with sample variance v that was estimated with df degrees of freedom.
// Without a degree of freedom there is no interval (NaN); without variance its
// width is zero.
func halfWidth(v float64, n, df int) float64 {
	if df < 1 || n < 1 {
		return math.NaN()
	}
	if v == 0 {
		return 0
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(df)}
	return t.Quantile(0.975) * math.Sqrt(v/float64(n))
}

// TInterval is the mean of xs with its two-sided 95 % interval by Student's t
// distribution (Student, "The Probable Error of a Mean", Biometrika 6, 1908).
// With one value the bounds are NaN; with equal values the width is zero.
func TInterval(xs []float64) (mean, low, high float64) {
	mean = Mean(xs)
	v := math.NaN()
	if len(xs) > 1 {
		v = stat.Variance(xs, nil)
	}
	h := halfWidth(v, len(xs), len(xs)-1)
	return mean, mean - h, mean + h
}

// spread summarises xs; every field is NotMeasured without values.
func spread(xs []float64) Spread {
	return Spread{
		Min:    Number(Quantile(0, xs)),
		P10:    Number(Quantile(0.1, xs)),
		Median: Number(Quantile(0.5, xs)),
		P90:    Number(Quantile(0.9, xs)),
		Max:    Number(Quantile(1, xs)),
	}
}

// withinCV is the standard deviation within groups, pooled by their degrees of
// freedom, of the mean of all values, percent. It is NotMeasured if no group has two
// values, or if the mean is 0.
func withinCV(groups [][]float64) Number {
	squares, df := 0.0, 0
	var all []float64
	for _, g := range groups {
		all = append(all, g...)
		if len(g) > 1 {
			squares += float64(len(g)-1) * stat.Variance(g, nil)
			df += len(g) - 1
		}
	}
	mean := Mean(all)
	if df == 0 || mean == 0 {
		return NotMeasured
	}
	return Number(100 * math.Sqrt(squares/float64(df)) / math.Abs(mean))
}
