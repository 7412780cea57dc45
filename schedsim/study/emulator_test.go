package study

import (
	"math"
	"testing"

	"github.com/schedlab/schedlab/schedsim"
)

func TestEmulatorIsExactOnALinearModel(t *testing.T) {
	r := schedsim.Rand(1)
	truth := []float64{5, 2, -1, 0.5}
	var places [][]float64
	var times []float64
	value := func(p []float64) float64 {
		v := truth[0]
		for j := range p {
			v += truth[j+1] * p[j]
		}
		return v
	}
	for range 12 {
		p := []float64{2*r.Float64() - 1, 2*r.Float64() - 1, 2*r.Float64() - 1}
		places = append(places, p)
		times = append(times, value(p))
	}
	e, err := fitEmulator(places, times)
	if err != nil {
		t.Fatal(err)
	}
	p := []float64{0.3, -0.7, 0.1}
	if got, want := e.predict(p), value(p); math.Abs(got-want) > 1e-9 {
		t.Errorf("predicted %v, want %v", got, want)
	}
	if _, err := fitEmulator(places[:4], times[:4]); err == nil {
		t.Error("no error for as many runs as coefficients")
	}
}

func TestMisfit(t *testing.T) {
	for _, c := range []struct {
		far  []float64
		fits bool
	}{
		{[]float64{0.2, 0.9, 0.5}, true},
		{[]float64{0.2, 2.9, 0.5}, true},  // one outlier
		{[]float64{0.2, 3.1, 0.5}, false}, // too far out
		{[]float64{1.1, 2.9, 0.5}, false}, // two
		{[]float64{1.1, 1.1, 0.5}, false},
	} {
		if got := misfit(c.far) <= 1; got != c.fits {
			t.Errorf("%v: fits %v", c.far, got)
		}
	}
}
