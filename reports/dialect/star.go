package dialect

import (
	"math"
	"time"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A StarRule decides which differences mmtests marks as significant. The rule
// changed on 2024-11-28, so the same star means another thing in a post before
// and after; [RuleAt] gives the rule of a date.
//
// A star says that a difference is unlikely to be chance, not that it is
// large: stars on 0.1 % occur.
type StarRule struct {
	Name string // for reports: what a star means
	// Alpha is the two-sided error probability.
	Alpha float64
	// Overlap selects the test: intervals that do not overlap when set, a
	// t test on two samples otherwise.
	Overlap bool
}

// The two eras.
var (
	// TTest is the rule from 2018-10-04 (mmtests commit f0b33946) until
	// 2024-11-28: a two-sided t test of the two means with unpooled
	// standard error, n1+n2-2 degrees of freedom and alpha 0.10. With no
	// spread in either sample (or one run each) any difference is starred.
	TTest = StarRule{Name: "two-sample t test, alpha 0.10", Alpha: 0.10}

	// IntervalOverlap is the rule since 2024-11-28 (mmtests commit
	// 8cd087ae): a star where the distance of the means is larger than the
	// two facing half-intervals together. A half-interval is the 0.975
	// quantile of a normal distribution with the samples' standard
	// deviation, not the standard error, so it does not shrink with more
	// runs. With no spread in either sample the difference itself must be
	// larger than 1, whatever its unit.
	IntervalOverlap = StarRule{Name: "95 % intervals do not overlap", Alpha: 0.05, Overlap: true}
)

// ruleChange is the date of mmtests commit 8cd087ae.
var ruleChange = time.Date(2024, time.November, 28, 0, 0, 0, 0, time.UTC)

// RuleAt returns the rule that mmtests used on a date. An author may run an
// older checkout, so near the change it is a guess.
func RuleAt(date time.Time) StarRule {
	if date.Before(ruleChange) {
		return TTest
	}
	return IntervalOverlap
}

// Significant reports whether the rule stars the difference of two samples.
// Means are harmonic for [Higher] and arithmetic otherwise, as in the table.
// An empty sample, or one without a mean, is never starred.
func (r StarRule) Significant(better Better, base, value []float64) bool {
	mb, mv := mean(better, base), mean(better, value)
	if math.IsNaN(mb) || math.IsNaN(mv) {
		return false
	}
	if r.Overlap {
		return r.apart(mb, spread(better, mb, base), mv, spread(better, mv, value))
	}
	return tTestP(mb, base, mv, value) < r.Alpha
}

// tTestP returns the two-sided p value of the difference of two means. The
// standard deviations are arithmetic also where the means are harmonic: so was
// the program before 2024-11-28.
func tTestP(mb float64, base []float64, mv float64, value []float64) float64 {
	nb, nv := float64(len(base)), float64(len(value))
	sb, sv := stddev(base), stddev(value)
	se := math.Sqrt(sb*sb/nb + sv*sv/nv)
	if se == 0 {
		if mb == mv {
			return 1
		}
		return 0
	}
	// One run on one side leaves a spread on the other, so there is at
	// least one degree of freedom here.
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: nb + nv - 2}
	return 2 * t.Survival(math.Abs(mb-mv)/se)
}

// apart reports whether two symmetric intervals, of half-widths in
// proportion to the standard deviations, leave a gap.
func (r StarRule) apart(mb, sb, mv, sv float64) bool {
	q := distuv.UnitNormal.Quantile(1 - r.Alpha/2)
	diff, sum := math.Abs(mb-mv), q*(sb+sv)
	if math.IsNaN(sum) {
		return false // one run has no interval
	}
	if sum == 0 {
		return diff > 1
	}
	return diff > sum
}

// mean returns the mean of the kind that goes with the direction, NaN for an
// empty sample and for a harmonic mean of numbers that are not all positive.
func mean(better Better, x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	if better != Higher {
		return stat.Mean(x, nil)
	}
	var sum float64
	for _, v := range x {
		if !(v > 0) {
			return math.NaN()
		}
		sum += 1 / v
	}
	return float64(len(x)) / sum
}

// stddev returns the sample standard deviation, 0 for fewer than two numbers.
func stddev(x []float64) float64 {
	if len(x) < 2 {
		return 0
	}
	return stat.StdDev(x, nil)
}

// spread returns the standard deviation that goes with the mean since
// 2024-11-28, NaN for fewer than two numbers. For a harmonic mean m of n
// numbers it is m² · sqrt(Σ(1/x-1/m)² / n).
func spread(better Better, m float64, x []float64) float64 {
	if len(x) < 2 {
		return math.NaN()
	}
	if better != Higher {
		return stat.StdDev(x, nil)
	}
	var sum float64
	for _, v := range x {
		d := 1/v - 1/m
		sum += d * d
	}
	return m * m * math.Sqrt(sum/float64(len(x)))
}
