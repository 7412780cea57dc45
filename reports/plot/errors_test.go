package plot

import (
	"math"
	"strings"
	"testing"
)

func TestScalingErrors(t *testing.T) {
	one := []float64{1}
	tests := []struct {
		name   string
		series []Series
		want   string
	}{
		{"none", nil, "no series"},
		{"no points", []Series{{Name: "a"}}, "no points"},
		{"lengths", []Series{{Name: "a", X: one, Y: []float64{1, 2}}}, `series "a": 1 X, 2 Y, 0 Low and 0 High`},
		{"half a bar", []Series{{Name: "a", X: one, Y: one, Low: one}}, `series "a": 1 X, 1 Y, 1 Low and 0 High`},
		{"zero clients", []Series{{Name: "a", X: []float64{0}, Y: one}}, `series "a": point 1: X is 0`},
		{"no clients", []Series{{Name: "a", X: []float64{nan}, Y: one}}, `point 1: X is NaN`},
		{"negative", []Series{{Name: "a", X: one, Y: []float64{-1}}}, `point 1: -1 is off an axis`},
		{"infinite", []Series{{Name: "a", X: one, Y: []float64{math.Inf(1)}}}, `point 1: +Inf is off`},
		{"bar upside down", []Series{{Name: "a", X: one, Y: one, Low: []float64{2}, High: one}}, "exchange Low and High"},
		{"arm", []Series{{Name: "a", Arm: 7, X: one, Y: one}}, "arm 7 of source 0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Scaling(Labels{}, tt.series...); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q in it", err, tt.want)
			}
		})
	}
}

func TestEffectsErrors(t *testing.T) {
	tests := []struct {
		name    string
		effects []Effect
		want    string
	}{
		{"none", nil, "no rows"},
		{"infinite", []Effect{{Key: "64", Published: math.Inf(-1)}}, `row "64": -Inf has no place`},
		{"noise", []Effect{{Key: "64", Noise: -1}}, `row "64": noise is -1`},
		{"interval", []Effect{{Key: "64", Low: 2, High: 1}}, "exchange Low and High"},
		{"measured interval", []Effect{{Key: "64", Here: &Here{Low: 2, High: 1}}}, `row "64": measured interval from 2 down to 1`},
		{"measured", []Effect{{Key: "64", Here: &Here{Pct: math.Inf(1)}}}, `row "64": +Inf has no place`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Effects(Labels{}, tt.effects...); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q in it", err, tt.want)
			}
		})
	}
}

// TestNotMeasured holds the drawing to the rule that a missing number is not
// zero: no point stands at the foot of the axis, no dot on the zero line.
func TestNotMeasured(t *testing.T) {
	x := []float64{1, 2, 4}
	count := func(y ...float64) int {
		f, err := Scaling(Labels{}, Series{Name: "a", Source: Simulated, X: x, Y: y})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(svg(t, f), "fill:"+hex(blue))
	}
	if got, want := count(1, nan, 3), count(1, 2, 3)-1; got != want {
		t.Errorf("%d dots with a missing point, want %d", got, want)
	}
	if count(nan, nan, nan) != 1 { // the legend's
		t.Error("dots where nothing was measured")
	}
	f, err := Effects(Labels{}, Effect{Key: "64", Published: nan, Noise: nan, Simulated: nan, Low: nan, High: nan}, Effect{Key: "128", Published: 1, Simulated: nan, Low: nan, High: nan})
	if err != nil {
		t.Fatal(err)
	}
	s := svg(t, f)
	for _, want := range []string{"not published", "not simulated"} {
		if !strings.Contains(s, want) {
			t.Errorf("the figure does not say %q", want)
		}
	}
	if strings.Count(s, "fill:"+hex(vermillion)) != 1 {
		t.Error("a dot where nothing was measured")
	}
}

// TestDotsAlike: runs that differ by rounding alone have an axis all the same.
func TestDotsAlike(t *testing.T) {
	for _, runs := range [][]float64{{100, 100}, {99.99999999999999, 100}, {100, 100.00000000000001}} {
		if _, err := Dots(Labels{}, Strip{Key: "1", Base: runs, Patched: runs}); err != nil {
			t.Error(err)
		}
	}
	if _, err := Dots(Labels{}); err == nil {
		t.Error("dots of nothing")
	}
	if _, err := Dots(Labels{}, Strip{Key: "1", Base: []float64{math.NaN()}}); err == nil {
		t.Error("a dot that is not a number")
	}
}
