package study

import (
	"math"
	"math/rand/v2"
	"testing"
)

// near reports whether a and b agree to 1e-9, relative above 1; NaN equals NaN.
func near(a, b float64) bool {
	if math.IsNaN(a) || math.IsNaN(b) {
		return math.IsNaN(a) && math.IsNaN(b)
	}
	return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b))
}

func TestMeans(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name                        string
		xs                          []float64
		mean, hmean, median, stddev float64
	}{
		{"none", nil, nan, nan, nan, nan},
		{"one", []float64{4}, 4, 4, 4, nan},
		{"speeds", []float64{40, 60}, 50, 48, 50, math.Sqrt(200)},
		{"odd", []float64{4, 1, 2}, 7. / 3, 12. / 7, 2, math.Sqrt(7. / 3)},
		{"zero", []float64{0, 2}, 1, nan, 1, math.Sqrt2},
		{"negative", []float64{-1, 1}, 0, nan, 0, math.Sqrt2},
		{"not a number", []float64{1, nan}, nan, nan, nan, nan},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := []float64{Mean(tt.xs), Hmean(tt.xs), Median(tt.xs), Stddev(tt.xs)}
			for i, want := range []float64{tt.mean, tt.hmean, tt.median, tt.stddev} {
				if !near(got[i], want) {
					t.Errorf("statistic %d is %v, want %v", i, got[i], want)
				}
			}
		})
	}
}

// TestQuantile has R's quantile(c(15, 20, 35, 40, 50), p, type = 7).
func TestQuantile(t *testing.T) {
	xs := []float64{50, 15, 40, 20, 35}
	tests := []struct{ p, want float64 }{
		{0, 15}, {0.05, 16}, {0.1, 17}, {0.25, 20}, {0.3, 23}, {0.4, 29}, {0.5, 35}, {0.9, 46}, {1, 50},
		{-0.1, math.NaN()}, {1.1, math.NaN()}, {math.NaN(), math.NaN()},
	}
	for _, tt := range tests {
		if got := Quantile(tt.p, xs); !near(got, tt.want) {
			t.Errorf("Quantile(%v) = %v, want %v", tt.p, got, tt.want)
		}
	}
	if xs[0] != 50 {
		t.Error("the argument was sorted")
	}
}

// TestTInterval uses Student's own data, the extra hours of sleep of ten
// patients, whose interval is in R's t.test(extra ~ group, paired = TRUE).
func TestTInterval(t *testing.T) {
	sleep := []float64{1.2, 2.4, 1.3, 1.3, 0, 1.0, 1.8, 0.8, 4.6, 1.4}
	mean, low, high := TInterval(sleep)
	if !near(mean, 1.58) || math.Abs(low-0.7001142) > 1e-6 || math.Abs(high-2.4598858) > 1e-6 {
		t.Errorf("got %v [%v, %v]", mean, low, high)
	}
	if m, l, h := TInterval([]float64{3, 3, 3}); m != 3 || l != 3 || h != 3 {
		t.Errorf("equal values: %v [%v, %v]", m, l, h)
	}
	if m, l, h := TInterval([]float64{3}); m != 3 || !math.IsNaN(l) || !math.IsNaN(h) {
		t.Errorf("one value: %v [%v, %v]", m, l, h)
	}
	if m, l, h := TInterval(nil); !math.IsNaN(m) || !math.IsNaN(l) || !math.IsNaN(h) {
		t.Errorf("no value: %v [%v, %v]", m, l, h)
	}
}

func TestSpearman(t *testing.T) {
	tests := []struct {
		name string
		x, y []float64
		want float64
	}{
		// The example of IQ against hours of television: rho = -29/165.
		{"textbook", []float64{106, 100, 86, 101, 99, 103, 97, 113, 112, 110}, []float64{7, 27, 2, 50, 28, 29, 20, 12, 6, 17}, -29. / 165},
		{"monotone", []float64{1, 2, 3, 4}, []float64{1, 10, 100, 1000}, 1},
		{"falling", []float64{1, 2, 3, 4}, []float64{4, 3, 2, 1}, -1},
		{"ties", []float64{1, 1, 2, 2}, []float64{1, 2, 3, 4}, 2 / math.Sqrt(5)},
		{"constant", []float64{1, 1, 1}, []float64{1, 2, 3}, math.NaN()},
		{"two pairs", []float64{1, 2}, []float64{1, 2}, math.NaN()},
		{"lengths", []float64{1, 2, 3}, []float64{1, 2}, math.NaN()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Spearman(tt.x, tt.y); !near(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestOverallIsTheColumns(t *testing.T) {
	base := [][]float64{{100, 110, 90}, {200, 190, 210}}
	patched := [][]float64{{105, 121, 92}, {205, 200, 221}}
	flat := func(groups [][]float64) []float64 { return append(append([]float64(nil), groups[0]...), groups[1]...) }
	for _, statistic := range []string{"Hmean", "Amean"} {
		mean := Hmean
		if statistic == "Amean" {
			mean = Mean
		}
		iv := PairedGroups{Statistic: statistic, Base: base, Patched: patched}.Overall()
		b, p := mean(flat(base)), mean(flat(patched))
		if !near(float64(iv.Base), b) || !near(float64(iv.Patched), p) || !near(float64(iv.Pct), 100*(p-b)/b) {
			t.Errorf("%s: %+v, want columns %v and %v", statistic, iv, b, p)
		}
		if iv.N != 6 || iv.Ensemble != 2 || !(iv.CILow < iv.Pct && iv.Pct < iv.CIHigh) {
			t.Errorf("%s: %+v", statistic, iv)
		}
	}
}

func TestOverallDegenerate(t *testing.T) {
	same := [][]float64{{100, 120, 90}}
	iv := PairedGroups{Statistic: "Hmean", Base: same, Patched: same}.Overall()
	if iv.Pct != 0 || iv.CILow != 0 || iv.CIHigh != 0 {
		t.Errorf("equal arms: %+v", iv)
	}
	if iv.isEffect() {
		t.Error("equal arms are an effect")
	}
	iv = PairedGroups{Statistic: "Hmean", Base: [][]float64{{100}}, Patched: [][]float64{{110}}}.Overall()
	if !near(float64(iv.Pct), 10) || iv.CILow.Measured() || iv.decidable() {
		t.Errorf("one pair: %+v", iv)
	}
	iv = PairedGroups{Statistic: "Hmean", Base: [][]float64{nil, {}}, Patched: [][]float64{nil, {1}}}.Overall()
	if iv.Pct.Measured() || iv.N != 0 || iv.Ensemble != 0 {
		t.Errorf("no pair: %+v", iv)
	}
	iv = PairedGroups{Statistic: "Hmean", Base: [][]float64{{100, 0}}, Patched: [][]float64{{110, 100}}}.Overall()
	if iv.Pct.Measured() || iv.decidable() {
		t.Errorf("a run without throughput: %+v", iv)
	}
}

// TestSetIsACluster has two sets that disagree, each with many runs that agree:
// the interval must not be narrowed by the runs.
func TestSetIsACluster(t *testing.T) {
	var base, patched [2][]float64
	for i := range 100 {
		b := 100 + float64(i%5)
		base[0], patched[0] = append(base[0], b), append(patched[0], b*1.01)
		base[1], patched[1] = append(base[1], b), append(patched[1], b*1.05)
	}
	iv := PairedGroups{Statistic: "Amean", Base: base[:], Patched: patched[:]}.Overall()
	if iv.excludesZero() {
		t.Errorf("two sets with +1 %% and +5 %%: %+v excludes 0", iv)
	}
	// df = 1: the half-width is 12.706 times the standard error of 2 points.
	if math.Abs(iv.halfWidth()-12.7062*2) > 0.01 {
		t.Errorf("half-width %v", iv.halfWidth())
	}
	one := PairedGroups{Statistic: "Amean", Base: base[:1], Patched: patched[:1]}.Overall()
	if !one.excludesZero() || one.halfWidth() > 0.01 {
		t.Errorf("one set: %+v", one)
	}
}

func TestPerSetPoolsVariance(t *testing.T) {
	base := [][]float64{{100, 100}, {100, 100}, nil, {100}}
	patched := [][]float64{{101, 103}, {109, 111}, nil, {120}}
	got := PairedGroups{Statistic: "Amean", Base: base, Patched: patched}.PerSet()
	// Pooled variance of e: (2 + 2) / 2 with 2 degrees of freedom.
	h := 4.302653 * math.Sqrt(2./2)
	for s, want := range []float64{2, 10} {
		if !near(float64(got[s].Pct), want) || math.Abs(got[s].halfWidth()-h) > 1e-5 {
			t.Errorf("set %d: %+v, want %v +- %v", s, got[s], want, h)
		}
	}
	if got[2].Pct.Measured() || got[2].N != 0 {
		t.Errorf("empty set: %+v", got[2])
	}
	if math.Abs(got[3].halfWidth()-h*math.Sqrt2) > 1e-5 {
		t.Errorf("set of one run: %+v", got[3])
	}
	single := PairedGroups{Statistic: "Amean", Base: [][]float64{{100}, {100}}, Patched: [][]float64{{101}, {102}}}.PerSet()
	if single[0].decidable() || single[1].decidable() {
		t.Errorf("one run a set has an interval: %+v", single)
	}
}

// TestRatioIsUnbiased compares a column that varies by 15 % with itself. The
// mean of the pairs' percentages would be +2.3 %.
func TestRatioIsUnbiased(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	covered, sum, naive := 0, 0.0, 0.0
	const trials, runs = 400, 20
	for range trials {
		base, patched := make([]float64, runs), make([]float64, runs)
		for i := range runs {
			base[i] = 100 * math.Exp(0.15*rng.NormFloat64())
			patched[i] = 100 * math.Exp(0.15*rng.NormFloat64())
			naive += 100 * (patched[i]/base[i] - 1) / runs
		}
		iv := PairedGroups{Statistic: "Hmean", Base: [][]float64{base}, Patched: [][]float64{patched}}.Overall()
		sum += float64(iv.Pct)
		if !iv.excludesZero() {
			covered++
		}
	}
	if mean := sum / trials; math.Abs(mean) > 0.6 {
		t.Errorf("mean effect %+.2f %% of a column against itself", mean)
	}
	if naive/trials < 1.5 {
		t.Errorf("mean of percentages is %+.2f %%: the test does not vary enough to tell", naive/trials)
	}
	if share := float64(covered) / trials; share < 0.92 || share > 0.98 {
		t.Errorf("the 95 %% interval covers the truth in %.1f %% of trials", 100*share)
	}
}

// TestCountsOfNothing: counts that are zero in both columns are no effect; a figure
// that is zero is not measured.
func TestCountsOfNothing(t *testing.T) {
	zeros := [][]float64{{0, 0, 0}}
	counts := PairedGroups{Statistic: "Amean", Counts: true, Base: zeros, Patched: zeros}
	if iv := counts.Overall(); !iv.decidable() || iv.Pct != 0 || iv.CILow != 0 || iv.CIHigh != 0 {
		t.Errorf("counts %+v", iv)
	}
	if iv := counts.PerSet()[0]; !iv.decidable() || iv.isEffect() {
		t.Errorf("counts of a set %+v", iv)
	}
	counts.Patched = [][]float64{{1, 0, 1}}
	if iv := counts.Overall(); iv.Pct.Measured() {
		t.Errorf("a percentage of nothing: %+v", iv)
	}
	figure := PairedGroups{Statistic: "Amean", Base: zeros, Patched: zeros}
	if iv := figure.Overall(); iv.Pct.Measured() {
		t.Errorf("a benchmark that did not run: %+v", iv)
	}
}

// TestWithinCV: sets that differ do not count, runs of a set do.
func TestWithinCV(t *testing.T) {
	for _, c := range []struct {
		groups [][]float64
		want   float64
	}{
		{[][]float64{{99, 101}, {199, 201}}, 100 * math.Sqrt2 / 150},
		{[][]float64{{100, 100}, {200, 200}}, 0},
		{[][]float64{{90, 100, 110}, {100}}, 10},
		{[][]float64{{1}, {2}}, math.NaN()},
		{[][]float64{{-1, 1}}, math.NaN()},
		{nil, math.NaN()},
	} {
		if got := withinCV(c.groups); !near(float64(got), c.want) {
			t.Errorf("%v: %v, want %v", c.groups, got, c.want)
		}
	}
}
