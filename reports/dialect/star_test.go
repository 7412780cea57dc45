package dialect

import (
	"math"
	"testing"
	"time"
)

func TestRuleAt(t *testing.T) {
	post := time.Date(2020, time.December, 8, 15, 35, 1, 0, time.UTC)
	if got := RuleAt(post); got != TTest {
		t.Errorf("rule of %v is %q", post, got.Name)
	}
	if got := RuleAt(ruleChange); got != IntervalOverlap {
		t.Errorf("rule on the day of the change is %q", got.Name)
	}
}

func TestSignificant(t *testing.T) {
	// Means 10 and 11, standard deviation 1, five runs: the standard error
	// is sqrt(2/5), t = 1.581 with 8 degrees of freedom, p = 0.1525.
	five := func(m float64) []float64 {
		d := math.Sqrt(1.0)
		return []float64{m - d, m + d, m - d, m + d, m}
	}
	tests := []struct {
		name        string
		better      Better
		base, value []float64
		tTest, gap  bool
	}{
		{"p 0.15", Lower, five(10), five(11), false, false},
		{"p 0.01", Lower, five(10), five(12.2), true, false},
		{"gap", Lower, five(10), five(14.2), true, true},
		{"equal", Lower, []float64{5, 5}, []float64{5, 5}, false, false},
		{"no spread", Lower, []float64{5, 5}, []float64{5.5, 5.5}, true, false},
		{"no spread above 1", Lower, []float64{5, 5}, []float64{6.5, 6.5}, true, true},
		{"one run each", Lower, []float64{5}, []float64{5.1}, true, false},
		{"one run", Lower, []float64{5}, []float64{5.1, 5.3}, false, false},
		{"none", Lower, nil, []float64{5.1, 5.3}, false, false},
		{"harmonic", Higher, five(100), five(104.2), true, true},
		{"zero", Higher, []float64{0, 5}, []float64{50, 51}, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := TTest.Significant(tt.better, tt.base, tt.value); got != tt.tTest {
				t.Errorf("t test: %v, want %v", got, tt.tTest)
			}
			if got := IntervalOverlap.Significant(tt.better, tt.base, tt.value); got != tt.gap {
				t.Errorf("interval overlap: %v, want %v", got, tt.gap)
			}
		})
	}
}

// TestTTestP holds p values to the closed forms of Student's distribution for
// 2, 3 and 8 degrees of freedom (Abramowitz and Stegun 26.7.3 and 26.7.4).
func TestTTestP(t *testing.T) {
	tests := []struct {
		name        string
		base, value []float64
		t, df       float64
	}{
		{"df 8", []float64{9, 11, 9, 11, 10}, []float64{10, 12, 10, 12, 11}, math.Sqrt(2.5), 8},
		{"df 2", []float64{1, 2}, []float64{4, 5}, 3 / math.Sqrt(0.5), 2},
		// Welch's test would take 2 degrees of freedom here, a pooled
		// standard error would give t = 3.13.
		{"unpooled", []float64{1, 1}, []float64{2, 4, 3}, 2 * math.Sqrt(3), 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tTestP(mean(Lower, tt.base), tt.base, mean(Lower, tt.value), tt.value)
			theta := math.Atan(tt.t / math.Sqrt(tt.df))
			sin, cos := math.Sincos(theta)
			var inside float64
			switch tt.df {
			case 2:
				inside = sin
			case 3:
				inside = 2 / math.Pi * (theta + sin*cos)
			case 8:
				c2 := cos * cos
				inside = sin * (1 + c2/2 + 3*c2*c2/8 + 5*c2*c2*c2/16)
			}
			if want := 1 - inside; math.Abs(got-want) > 1e-12 {
				t.Errorf("p = %.15f, want %.15f", got, want)
			}
		})
	}
}

func TestSpread(t *testing.T) {
	// For 1 and 3 the harmonic mean is 1.5 and the deviations of the
	// inverses are 1/3 each: 1.5² · 1/3 = 0.75.
	if got := spread(Higher, mean(Higher, []float64{1, 3}), []float64{1, 3}); math.Abs(got-0.75) > 1e-15 {
		t.Errorf("harmonic spread of 1 and 3 is %v, want 0.75", got)
	}
	if got := spread(Lower, 2, []float64{1, 3}); math.Abs(got-math.Sqrt2) > 1e-15 {
		t.Errorf("spread of 1 and 3 is %v, want √2", got)
	}
}
