package study

import (
	"math"
	"slices"
)

// Dip is Hartigan's dip of a sample: the least distance, as the greatest difference
// of distribution functions, to any distribution with one mode (J. A. and P. M.
// Hartigan, "The Dip Test of Unimodality", Annals of Statistics 13, 1985). It is
// 1/(2n) or more if all values differ, and NaN without values.
//
// It is found by halving: whether some function within d of the empirical one is
// convex up to a mode and concave after it can be told directly.
func Dip(xs []float64) float64 {
	if len(xs) == 0 || slices.ContainsFunc(xs, func(x float64) bool { return !finite(x) }) {
		return math.NaN()
	}
	e := newSteps(xs)
	low, high := 0.0, 0.5
	for high-low > 1e-6 {
		d := (low + high) / 2
		if e.unimodal(d) {
			high = d
		} else {
			low = d
		}
	}
	return high
}

// steps is an empirical distribution function: at each x it goes up from before to
// after.
type steps struct{ x, before, after []float64 }

func newSteps(xs []float64) steps {
	sorted := slices.Clone(xs)
	slices.Sort(sorted)
	n := float64(len(sorted))
	var e steps
	for i, x := range sorted {
		if len(e.x) > 0 && e.x[len(e.x)-1] == x {
			e.after[len(e.x)-1] = float64(i+1) / n
			continue
		}
		e.x = append(e.x, x)
		e.before = append(e.before, float64(i)/n)
		e.after = append(e.after, float64(i+1)/n)
	}
	return e
}

// unimodal reports whether a distribution function with one mode is within d of the
// steps. At a step it must have been at most before+d and be at least after-d; up to
// the mode it is convex, from there on concave, and at the mode it may jump. The mode
// can be taken to be at a step.
func (e steps) unimodal(d float64) bool {
	k := len(e.x)
	lower := func(i int) float64 { return e.after[i] - d }
	upper := func(i int) float64 { return e.before[i] + d }
	const close = 1e-12
	// left[i] is the least that a convex function within the bounds of all steps
	// before i can have come to at i, infinite if there is none.
	left := make([]float64, k)
	for i := 1; i < k; i++ {
		left[i] = max(0, lower(i-1))
		if max(left[i-1], lower(i-1)) > upper(i-1)+close {
			left[i] = math.Inf(1)
			continue
		}
		for b := range i {
			for a := range b {
				slope := (lower(b) - upper(a)) / (e.x[b] - e.x[a])
				left[i] = max(left[i], lower(b)+slope*(e.x[i]-e.x[b]))
			}
		}
	}
	// right is the greatest that a concave one within the bounds of all steps after
	// i can begin with at i.
	for i := k - 1; i >= 0; i-- {
		right := min(1, e.after[i]+d)
		for a := i + 1; a < k; a++ {
			right = min(right, upper(a))
			for b := a + 1; b < k; b++ {
				slope := (lower(b) - upper(a)) / (e.x[b] - e.x[a])
				right = min(right, upper(a)-slope*(e.x[a]-e.x[i]))
			}
		}
		if right < lower(i)-close {
			// Nor can a mode that is earlier have it.
			return false
		}
		if left[i] <= upper(i)+close && left[i] <= right+close {
			return true
		}
		if right > upper(i)+close {
			right = upper(i)
		}
		if right < lower(i)-close {
			return false
		}
	}
	return false
}

// dipCritical are the 95 % quantiles of the dip of n uniform values, times the root
// of n, by 1000 samples of each size or more, smoothed over n; TestDipQuantiles draws
// some of them again.
var dipCritical = []struct {
	n     int
	value float64
}{
	{8, 0.433}, {10, 0.442}, {12, 0.454}, {16, 0.460}, {20, 0.471}, {24, 0.478}, {32, 0.481}, {48, 0.490},
}

// leastBimodal is how many runs it takes to tell.
const leastBimodal = 8

// bimodal reports whether a sample has more than one mode, by the dip test at a
// level of 5 %. Fewer than eight values never have.
func bimodal(xs []float64) bool {
	n := len(xs)
	if n < leastBimodal {
		return false
	}
	d := Dip(xs)
	return d*math.Sqrt(float64(n)) > dipQuantile(n)
}

// dipQuantile interpolates the table over n; past its end it is nearly constant.
func dipQuantile(n int) float64 {
	last := dipCritical[len(dipCritical)-1]
	for i, c := range dipCritical {
		if n <= c.n {
			if i == 0 || n == c.n {
				return c.value
			}
			p := dipCritical[i-1]
			return p.value + (c.value-p.value)*float64(n-p.n)/float64(c.n-p.n)
		}
	}
	return last.value
}
