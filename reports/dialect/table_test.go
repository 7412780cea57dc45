package dialect

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplitName(t *testing.T) {
	tests := []struct{ name, first, second string }{
		{"5.10.0-rc6-schedstat", "5.10.0-rc6", "schedstat"},
		{"6.18-rc10-vanilla", "6.18-rc10", "vanilla"},
		{"5.17.0-rc0-sched-numaimb-v5", "5.17.0-rc0", "sched-numaimb-v5"},
		{"5.10.0-vanilla", "5.10.0", "vanilla"},
		{"5.10.0-rcu-v1", "5.10.0", "rcu-v1"},
		{"5.10.0-rc6", "5.10.0-rc6", ""},
		{"vanilla", "", "vanilla"},
		{"", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := SplitName(tt.name)
			if got.Label != [2]string{tt.first, tt.second} {
				t.Errorf("labels %q, want %q and %q", got.Label, tt.first, tt.second)
			}
			if got.Name() != tt.name {
				t.Errorf("name %q, want %q", got.Name(), tt.name)
			}
		})
	}
}

func TestPercentBetter(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name          string
		base, value   float64
		higher, lower float64
	}{
		{"up", 100, 110, 10, -10},
		{"down", 100, 90, -10, 10},
		{"equal", 7, 7, 0, 0},
		{"both zero", 0, 0, 0, 0},
		{"value zero", 100, 0, 0, 100},
		{"base zero", 0, 5, 100, -99},
		{"no value", 100, nan, nan, nan},
		{"no base", nan, 5, nan, nan},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, d := range []struct {
				better Better
				want   float64
			}{{Higher, tt.higher}, {Lower, tt.lower}, {Unknown, nan}} {
				got := PercentBetter(d.better, tt.base, tt.value)
				if math.IsNaN(got) != math.IsNaN(d.want) || math.Abs(got-d.want) > 1e-12 {
					t.Errorf("%v is better: %v, want %v", d.better, got, d.want)
				}
			}
		})
	}
}

func TestDecimal(t *testing.T) {
	tests := []struct {
		name string
		v    float64
		prec int
		want Decimal
	}{
		{"two digits", 500.06, 2, "500.06"},
		{"kept zeros", 500, 2, "500.00"},
		{"four digits", 0.26567, 4, "0.2657"},
		{"rounds to minus zero", -0.001, 2, "-0.00"},
		{"missing", math.NaN(), 2, Missing},
		{"infinite", math.Inf(-1), 2, "-inf"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Fixed(tt.v, tt.prec)
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
			if got.IsMissing() != math.IsNaN(tt.v) {
				t.Errorf("missing: %v", got.IsMissing())
			}
		})
	}
	for _, d := range []Decimal{"", "nan", "NaN", "1,5", "1e5", "0x10", "Inf inity"} {
		if !d.IsMissing() {
			t.Errorf("%q has the value %v", d, d.Float64())
		}
	}
}

func TestFromSamples(t *testing.T) {
	spec := Spec{
		Kernels: []Kernel{SplitName("5.10.0-rc6-schedstat"), SplitName("5.10.0-rc6-idlecandidate"), SplitName("5.10.0-rc6-other")},
		Better:  Higher,
		Rule:    TTest,
		Stddev:  true,
	}
	table, err := FromSamples(spec, []SampleRow{
		{Key: "1", Runs: [][]float64{{400, 600}, {500, 700}, {480, 480}}},
		{Key: "128", Runs: [][]float64{{1000, 1001}, {1100, 1101}, nil}},
	})
	if err != nil {
		t.Fatal(err)
	}
	// Harmonic means: 480 and 583.33; the arithmetic spreads are 141.42.
	want := strings.Join([]string{
		"                          5.10.0-rc6             5.10.0-rc6             5.10.0-rc6",
		"                           schedstat          idlecandidate                  other",
		"Hmean     1        480.00 (   0.00%)      583.33 (  21.53%)      480.00 (   0.00%)",
		"Hmean     128     1000.50 (   0.00%)     1100.50 *  10.00%*         nan (    nan%)",
		"Stddev    1        141.42 (   0.00%)      141.42 (   0.00%)        0.00 ( 100.00%)",
		"Stddev    128        0.71 (   0.00%)        0.71 (   0.00%)         nan (    nan%)",
		"",
	}, "\n")
	if diff := cmp.Diff(want, written(t, table)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	for _, tt := range []struct {
		name string
		spec Spec
		rows []SampleRow
		want string
	}{
		{"no kernels", Spec{Better: Lower}, []SampleRow{{Key: "1"}}, "no kernels"},
		{"no rows", spec, nil, "no rows"},
		{"direction", Spec{Kernels: spec.Kernels}, []SampleRow{{Key: "1"}}, "direction unknown"},
		{"columns", spec, []SampleRow{{Key: "1", Runs: [][]float64{{1}}}}, "has runs of 1 kernels, want 3"},
		{"failed run", spec, []SampleRow{{Key: "1", Runs: [][]float64{{1}, {2, math.NaN()}, {3}}}}, "kernel 2, run 2: NaN is not a result"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := FromSamples(tt.spec, tt.rows); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q in it", err, tt.want)
			}
		})
	}
}
