package study

import (
	"math"
	"math/rand/v2"
	"testing"
)

func uniform(rng *rand.Rand, n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = rng.Float64()
	}
	return xs
}

func TestDip(t *testing.T) {
	two := func(n int, gap float64) []float64 {
		var xs []float64
		for i := range n {
			xs = append(xs, float64(i)/float64(n), gap+float64(i)/float64(n))
		}
		return xs
	}
	for _, tt := range []struct {
		name string
		xs   []float64
		want float64
	}{
		{"one", []float64{3}, 0},
		{"evenly spread", []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 0.05},
		{"all equal", []float64{2, 2, 2, 2}, 0},
		// Two equal heaps far apart: the nearest with one mode is off by a quarter,
		// less half a step of each.
		{"two points", []float64{0, 0, 0, 0, 1, 1, 1, 1}, 0.25},
		{"two heaps", two(50, 1000), 0.25},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Dip(tt.xs); math.Abs(got-tt.want) > 0.011 {
				t.Errorf("dip %v, want %v", got, tt.want)
			}
		})
	}
	if !math.IsNaN(Dip(nil)) || !math.IsNaN(Dip([]float64{1, math.NaN()})) {
		t.Error("a dip of nothing")
	}
}

// TestDipInvariant: the dip is that of the shape, whatever the unit.
func TestDipInvariant(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		xs := uniform(rng, 15)
		ys := make([]float64, len(xs))
		for i, x := range xs {
			ys[i] = 100 - 7*x
		}
		if a, b := Dip(xs), Dip(ys); math.Abs(a-b) > 1e-4 {
			t.Errorf("dip %v, turned and scaled %v", a, b)
		}
	}
}

// TestDipQuantiles: about one uniform sample in twenty is called bimodal, and two
// heaps nearly always are.
func TestDipQuantiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{8, 12, 24} {
		const samples = 400
		alarms, found := 0, 0
		for range samples {
			xs := uniform(rng, n)
			if bimodal(xs) {
				alarms++
			}
			for i := range xs {
				xs[i] = float64(i%2) + 0.05*rng.NormFloat64()
			}
			if bimodal(xs) {
				found++
			}
		}
		if alarms < samples/50 || alarms > samples/11 {
			t.Errorf("n %d: %d of %d uniform samples are bimodal", n, alarms, samples)
		}
		if found < samples*95/100 {
			t.Errorf("n %d: %d of %d samples of two heaps are bimodal", n, found, samples)
		}
	}
	if bimodal([]float64{0, 0, 0, 1, 1, 1}) {
		t.Error("six runs tell")
	}
}
