package study

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/stat"
)

// Spearman is the rank correlation of two equally long samples: Pearson's
// correlation of their ranks, equal values sharing the mean of the ranks they
// take (C. Spearman, "The Proof and Measurement of Association between Two
// Things", American Journal of Psychology 15, 1904). It is NaN if one sample
// does not vary, or for fewer than three pairs, which always correlate.
func Spearman(x, y []float64) float64 {
	if len(x) != len(y) || len(x) < 3 {
		return math.NaN()
	}
	rx, ry := ranks(x), ranks(y)
	if !varies(rx) || !varies(ry) {
		return math.NaN()
	}
	return stat.Correlation(rx, ry, nil)
}

// ranks returns 1-based ranks, ties averaged.
func ranks(xs []float64) []float64 {
	order := make([]int, len(xs))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return xs[order[a]] < xs[order[b]] })
	out := make([]float64, len(xs))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && xs[order[j]] == xs[order[i]] {
			j++
		}
		if j == i { // NaN equals nothing, itself neither
			j++
		}
		for k := i; k < j; k++ {
			out[order[k]] = float64(i+j+1) / 2
		}
		i = j
	}
	return out
}

func varies(xs []float64) bool {
	for _, x := range xs {
		if x != xs[0] {
			return true
		}
	}
	return false
}
