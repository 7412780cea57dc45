package study

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// interval is a simulated effect of pct with a symmetric interval.
func interval(pct, half float64) Interval {
	return Interval{
		Effect: Effect{100, Number(100 + pct), Number(pct)},
		CILow:  Number(pct - half),
		CIHigh: Number(pct + half),
		N:      4, Ensemble: 1,
	}
}

func publishedPct(pct float64) Effect { return Effect{100, Number(100 + pct), Number(pct)} }

func TestJudge(t *testing.T) {
	tests := []struct {
		name      string
		dp, noise float64
		ds, half  float64
		want      Verdict
		inReason  string
		lower     bool
	}{
		{"none and none", 1, 2, 0, 0.5, AgreesOnNone, "neither is an effect", false},
		{"at the noise is within it", 2, 2, 0, 0.5, AgreesOnNone, "", false},
		{"just beyond the noise", 2.01, 2, 0, 0.5, Missed, "its interval includes 0", false},
		{"beyond the noise, negative", -2.01, 2, 0, 0.5, Missed, "", false},
		{"undecided for want of runs", 10, 2, 8, 9, Undecided, "more runs are needed", false},
		{"wide but short of the published", 10, 2, 0, 9.9, Missed, "its interval includes 0", false},
		{"none, too wide to tell", 1, 2, 0, 2.1, Undecided, "effects beyond the noise", false},
		{"none, as wide as the noise", 1, 2, 0, 2, AgreesOnNone, "", false},
		{"none, within the point", 0.1, 0.2, 0, 1, AgreesOnNone, "", false},
		{"interval ends at 0", 10, 2, 4, 4, Missed, "", false},
		{"interval just off 0", 10, 2, 9, 8.99, Reproduced, "", false},
		{"too small to count", 10, 2, 0.49, 0.1, Missed, "under 0.5 %", false},
		{"just large enough", 10, 2, 0.5, 0.1, Direction, "9.50 points apart where 2.50", false},
		{"equal", 10, 2, 10, 1, Reproduced, "0.00 points apart", false},
		{"25 % off", 20, 1, 15, 0.1, Reproduced, "5.00 points apart where 5.00", false},
		{"more than 25 % off", 20, 1, 14.99, 0.1, Direction, "5.01 points apart where 5.00", false},
		{"25 % over", 20, 1, 25, 0.1, Reproduced, "", false},
		{"within both intervals", 8, 5, 1, 0.9, Direction, "", false},
		{"at both intervals", 8, 5, 2.5, 0.5, Reproduced, "5.50 points apart where 5.50", false},
		{"the point", 2, 0.25, 1, 0.25, Reproduced, "1.00 points apart where 1.00", false},
		{"over the point", 2, 0.25, 0.96, 0.25, Direction, "1.04 points apart where 1.00", false},
		{"both negative", -20, 1, -16, 1, Reproduced, "both have a regression", false},
		{"opposite", 10, 2, -10, 1, Contradicted, "the post has an improvement, the simulation a regression", false},
		{"opposite, lower is better", 10, 2, -10, 1, Contradicted, "the post has a regression, the simulation an improvement", true},
		{"opposite though within tolerance", 1.2, 1, -1.2, 1, Contradicted, "", false},
		{"phantom", 1, 2, 12, 1, Phantom, "within its noise", false},
		{"phantom that noise allows", 11.9, 16.41, 11.9, 1, Phantom, "does not exclude it", false},
		{"phantom, opposite", 1, 2, -12, 1, Phantom, "shows a regression", false},
		{"deterministic none", 5, 2, 0, 0, Missed, "", false},
		{"deterministic effect", 5, 2, 5, 0, Reproduced, "", false},
		{"published exactly 0", 0, 0, 0, 0, AgreesOnNone, "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			better := "higher"
			if tt.lower {
				better = "lower"
			}
			got, reason := Judge(publishedPct(tt.dp), Noise{Pct: tt.noise}, interval(tt.ds, tt.half), better)
			if got != tt.want || !strings.Contains(reason, tt.inReason) {
				t.Errorf("got %s: %s; want %s: ... %s", got, reason, tt.want, tt.inReason)
			}
			if strings.Contains(reason, "\n") || strings.Contains(reason, "NaN") {
				t.Errorf("reason %q", reason)
			}
		})
	}
}

func TestJudgeWithoutFigures(t *testing.T) {
	single := interval(5, 1)
	single.CILow, single.CIHigh, single.N = NotMeasured, NotMeasured, 1
	if v, reason := Judge(publishedPct(5), Noise{Pct: 2}, single, "higher"); v != NotRun || !strings.Contains(reason, "paired runs (1)") {
		t.Errorf("one run: %s: %s", v, reason)
	}
	if v, _ := Judge(publishedPct(5), Noise{Pct: 2}, notMeasuredInterval, "higher"); v != NotRun {
		t.Errorf("no run: %s", v)
	}
	if v, _ := Judge(notMeasuredEffect, Noise{Pct: 2}, interval(5, 1), "higher"); v != NotModelled {
		t.Errorf("nothing published: %s", v)
	}
}

// TestJudgeProperties checks what must hold for any numbers.
func TestJudgeProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	count := make(map[Verdict]int)
	for range 20000 {
		// A grid of quarter points hits the boundaries often.
		dp := float64(rng.IntN(81)-40) / 4
		ds := float64(rng.IntN(81)-40) / 4
		noise := float64(rng.IntN(20)) / 4
		half := float64(rng.IntN(20)) / 4
		v, _ := Judge(publishedPct(dp), Noise{Pct: noise}, interval(ds, half), "higher")
		count[v]++
		flipped, _ := Judge(publishedPct(-dp), Noise{Pct: noise}, interval(-ds, half), "higher")
		lower, _ := Judge(publishedPct(dp), Noise{Pct: noise}, interval(ds, half), "lower")
		if v != flipped || v != lower {
			t.Fatalf("dp %v ds %v noise %v half %v: %s, with signs flipped %s, lower is better %s", dp, ds, noise, half, v, flipped, lower)
		}
		within := math.Abs(dp) <= noise
		if within && v != AgreesOnNone && v != Phantom && v != Undecided {
			t.Fatalf("dp %v is within noise %v but %s", dp, noise, v)
		}
		if !within && (v == AgreesOnNone || v == Phantom) {
			t.Fatalf("dp %v is beyond noise %v but %s", dp, noise, v)
		}
		if v == Undecided && math.Abs(ds) > half {
			t.Fatalf("ds %v half %v excludes 0 but is undecided", ds, half)
		}
		if v == Missed && math.Abs(ds) <= half && math.Abs(ds-dp) <= half {
			t.Fatalf("dp %v ds %v half %v: missed though the interval holds it", dp, ds, half)
		}
		if (v == Reproduced || v == Direction) && dp*ds <= 0 {
			t.Fatalf("dp %v ds %v: %s", dp, ds, v)
		}
		if v == Contradicted && dp*ds >= 0 {
			t.Fatalf("dp %v ds %v: %s", dp, ds, v)
		}
		if v == Reproduced && math.Abs(ds-dp) > max(0.25*math.Abs(dp), noise+half, 1) {
			t.Fatalf("dp %v ds %v noise %v half %v: %s", dp, ds, noise, half, v)
		}
	}
	for _, v := range []Verdict{Reproduced, Direction, AgreesOnNone, Missed, Undecided, Phantom, Contradicted} {
		if count[v] < 50 {
			t.Errorf("%s came up %d times", v, count[v])
		}
	}
}

// wide returns n intervals that hold 0 and pct.
func wide(n int, pct float64) []Interval {
	out := make([]Interval, n)
	for i := range out {
		out[i] = interval(pct/2, pct)
	}
	return out
}

// repeat returns n intervals of pct.
func repeat(n int, pct float64) []Interval {
	out := make([]Interval, n)
	for i := range out {
		out[i] = interval(pct, 0.1)
	}
	return out
}

func TestJudgeEnsemble(t *testing.T) {
	single := interval(10, 1)
	single.CILow, single.CIHigh = NotMeasured, NotMeasured
	tests := []struct {
		name     string
		perSet   []Interval
		want     Verdict
		share    float64
		inReason string
	}{
		{"all agree", repeat(10, 10), Reproduced, 1, "sign and size agree in 10 of 10 constant sets"},
		{"9 of 10", append(repeat(9, 10), repeat(1, 0)...), Reproduced, 0.9, "9 of 10"},
		{"17 of 19", append(repeat(17, 10), repeat(2, 0)...), Unidentified, 17. / 19, "17 reproduced, 2 missed"},
		{"8 of 9", append(repeat(8, 10), repeat(1, -5)...), Unidentified, 8. / 9, "8 reproduced, 1 contradicted"},
		{"even", append(repeat(2, 10), repeat(2, 0)...), Unidentified, 0.5, "2 reproduced, 2 missed"},
		{"most undecided", append(repeat(3, 10), wide(7, 10)...), Undecided, 0.7, "in 7 of 10 constant sets; more runs"},
		{"the undecided could settle it", append(repeat(8, 10), wide(2, 10)...), Undecided, 0.2, "in 2 of 10 constant sets; more runs"},
		{"the undecided do not matter", append(repeat(9, 10), wide(1, 10)...), Reproduced, 0.9, "9 of 10"},
		{"the undecided cannot settle it", append(append(repeat(4, 10), repeat(4, 0)...), wide(2, 10)...), Unidentified, 0.4, "4 reproduced, 4 missed, 2 undecided"},
		{"one set", repeat(1, 10), Reproduced, 1, "one constant set only"},
		{"a set without runs", append(repeat(9, 10), notMeasuredInterval), Reproduced, 1, "9 of 9"},
		{"single runs", []Interval{single, single}, NotRun, math.NaN(), "for an interval"},
		{"nothing", nil, NotRun, math.NaN(), "for an interval"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			names := []string{"a", "flat"}
			sets := make([][]float64, len(tt.perSet))
			for i := range sets {
				sets[i] = []float64{float64(-i), 7}
			}
			got := JudgeEnsemble(publishedPct(10), Noise{Pct: 2}, interval(9, 1), tt.perSet, "higher", names, sets)
			if got.Verdict != tt.want || !near(float64(got.Agreement), tt.share) || !strings.Contains(got.Reason, tt.inReason) {
				t.Errorf("got %+v, want %s, %v, %q", got, tt.want, tt.share, tt.inReason)
			}
			if (got.Deciding != "") != (tt.want == Unidentified) {
				t.Errorf("deciding constant %q", got.Deciding)
			}
		})
	}
}

// TestPhantomsOfOppositeSigns do not agree on anything.
func TestPhantomsOfOppositeSigns(t *testing.T) {
	perSet := append(repeat(5, 8), repeat(5, -8)...)
	got := JudgeEnsemble(publishedPct(1), Noise{Pct: 2}, interval(0, 6), perSet, "higher", nil, nil)
	if got.Verdict != Unidentified || !strings.Contains(got.Reason, "5 phantom (up), 5 phantom (down)") {
		t.Errorf("got %+v", got)
	}
	got = JudgeEnsemble(publishedPct(1), Noise{Pct: 2}, interval(-8, 1), repeat(10, -8), "higher", nil, nil)
	if got.Verdict != Phantom || got.Agreement != 1 {
		t.Errorf("got %+v", got)
	}
}

// TestDecidingConstant has an effect that follows one constant, with another
// loosely related and a third that does not vary.
func TestDecidingConstant(t *testing.T) {
	var perSet []Interval
	var sets [][]float64
	for i := range 12 {
		perSet = append(perSet, interval(12-2*float64(i), 0.1))
		sets = append(sets, []float64{5, float64(i * 7 % 12), float64(i * i)})
	}
	got := JudgeEnsemble(publishedPct(10), Noise{Pct: 2}, interval(1, 5), perSet, "higher", []string{"fixed", "loose", "tail_ns"}, sets)
	if got.Verdict != Unidentified || got.Deciding != "tail_ns" || !near(float64(got.Rho), -1) {
		t.Fatalf("got %+v", got)
	}
	if !strings.Contains(got.Reason, "hangs on tail_ns (rank correlation -1.00") {
		t.Errorf("reason %q", got.Reason)
	}
	got = JudgeEnsemble(publishedPct(10), Noise{Pct: 2}, interval(1, 5), perSet, "higher", []string{"fixed", "loose", ""}, sets)
	if got.Deciding != "loose" {
		t.Errorf("where the row has no tail_ns it hangs on %q", got.Deciding)
	}
	got = JudgeEnsemble(publishedPct(10), Noise{Pct: 2}, interval(1, 5), perSet, "higher", nil, nil)
	if got.Verdict != Unidentified || got.Deciding != "" || got.Rho.Measured() {
		t.Errorf("without constants: %+v", got)
	}
}
