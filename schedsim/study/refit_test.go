package study

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestRefitSteps: from slopes that are off by a half, steps and corrections come to
// where the rows' errors are least, if those are linear in the constants.
func TestRefitSteps(t *testing.T) {
	slopes := [][]float64{{12, 9}, {10, 11}, {-6, 8}}
	want := []float64{0.3, -0.2}
	errors := func(x []float64) []float64 {
		out := make([]float64, len(slopes))
		for k, row := range slopes {
			for j, v := range row {
				out[k] += v * (x[j] - want[j])
			}
		}
		return out
	}
	r := &refit{rows: make([]int, 3), fitted: make([]int, 2), slopes: mat.NewDense(3, 2, []float64{18, 5, 14, 6, -4, 12})}
	x := []float64{0, 0}
	at := errors(x)
	first := squares(at)
	for range 2 * refitSteps {
		moved := r.step(at)
		for j := range x {
			x[j] += moved[j]
		}
		there := errors(x)
		r.correct(moved, at, there)
		at = there
	}
	if got := squares(at); got > first/1e4 {
		t.Errorf("at %v, want %v: squares %v of %v", x, want, got, first)
	}
	for j := range x {
		if math.Abs(x[j]-want[j]) > 0.02 {
			t.Errorf("at %v, want %v", x, want)
		}
	}
}

// TestRefitStepIsBounded: rows that are far off do not throw a constant out of its
// range, nor do those that it does not move.
func TestRefitStepIsBounded(t *testing.T) {
	for _, slopes := range [][]float64{{0.1, 0.1, 0, 0}, {0, 0, 0, 0}} {
		r := &refit{rows: make([]int, 2), fitted: make([]int, 2), slopes: mat.NewDense(2, 2, slopes)}
		for _, v := range r.step([]float64{1000, -1000}) {
			if math.IsNaN(v) || math.Abs(v) > 0.5 {
				t.Errorf("slopes %v: a step of %v", slopes, v)
			}
		}
	}
}
