package plot

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// nan is a number that was not measured.
var nan = math.NaN()

// The published columns are those of Mel Gorman's post of 2020-12-08 (tbench
// on 80 CPUs). The simulated ones are made up to test drawing: they are these
// columns, scaled.
var (
	clients          = []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 320}
	publishedBase    = []float64{500.06, 975.90, 1902.95, 3761.73, 6713.93, 10435.31, 12325.51, 21225.21, 20532.83, 20334.81}
	publishedPatched = []float64{505.67, 974.06, 1904.43, 3721.02, 6769.17, 10312.58, 13792.01, 20963.44, 20335.62, 20147.25}
	changes          = []float64{1.12, -0.19, 0.08, -1.08, 0.82, -1.18, 11.90, -1.23, -0.96, -0.92}
)

func scaled(y []float64, by float64) []float64 {
	s := make([]float64, len(y))
	for i := range y {
		s[i] = y[i] * by
	}
	return s
}

// figures returns every figure that has a golden file.
func figures(t testing.TB) map[string]*Figure {
	t.Helper()
	labels := Labels{
		Title:    "tbench4 on 2 x 20 cores with SMT, v5.10: idle-candidate",
		Subtitle: "Made-up simulation to test drawing. Bars: 10th to 90th percentile over histories.",
		X:        "clients",
		Y:        "throughput, MB/sec",
	}
	gap := scaled(publishedPatched, 1.05)
	gap[4] = nan
	all := make(map[string]*Figure)
	add := func(name string, f *Figure, err error) {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[name] = f
	}
	f, err := Scaling(labels,
		Series{Name: "published base", Arm: Base, Source: Published, X: clients, Y: publishedBase},
		Series{Name: "published patched", Arm: Patched, Source: Published, X: clients, Y: publishedPatched},
		Series{Name: "simulated base", Arm: Base, Source: Simulated, X: clients, Y: scaled(publishedBase, 1.02),
			Low: scaled(publishedBase, 0.95), High: scaled(publishedBase, 1.08)},
		Series{Name: "simulated patched", Arm: Patched, Source: Simulated, X: clients, Y: gap,
			Low: scaled(publishedPatched, 0.98), High: scaled(publishedPatched, 1.11)},
	)
	add("scaling", f, err)
	f, err = Scaling(Labels{X: "groups", Y: "time, s"},
		Series{Name: "vanilla & <raw>", X: []float64{1, 3, 300, 301}, Y: []float64{0.012, 0.02, nan, 0.031}})
	add("scaling-small", f, err)

	f, err = Scaling(labels,
		Series{Name: "published base", Arm: Base, Source: Published, X: clients, Y: publishedBase},
		Series{Name: "simulated base", Arm: Base, Source: Simulated, X: clients, Y: scaled(publishedBase, 1.02)},
		Series{Name: "base, measured here", Arm: Base, Source: Measured, X: []float64{2, 64}, Y: []float64{1000, 9000}, Low: []float64{900, nan}, High: []float64{1100, nan}},
		Series{Name: "patched, measured here", Arm: Patched, Source: Measured, X: []float64{64}, Y: []float64{9500}},
	)
	add("scaling-here", f, err)
	f, err = Effects(Labels{Title: "Three sources", X: "change, percent"},
		Effect{Key: "1", Published: 1, Noise: 2, Simulated: 2, Low: 1, High: 3, Here: &Here{Pct: 4, Low: 3, High: 20}, Note: "reproduced"},
		Effect{Key: "2", Published: 1, Noise: 2, Simulated: 2, Low: 1, High: 3, Here: &Here{Pct: -8, Low: nan, High: nan}},
		Effect{Key: "4", Published: 1, Noise: 2, Simulated: nan, Low: nan, High: nan},
	)
	add("effects-here", f, err)

	var effects []Effect
	verdicts := []string{"agrees on none", "agrees on none", "agrees on none", "phantom", "unidentified", "agrees on none", "reproduced", "agrees on none", "not modelled", "agrees on none"}
	for i, k := range []string{"1", "2", "4", "8", "16", "32", "64", "128", "256", "320"} {
		e := Effect{Key: k, Published: changes[i], Noise: 2, Simulated: changes[i]*0.8 + 0.3, Note: verdicts[i]}
		e.Low, e.High = e.Simulated-1.3, e.Simulated+1.1
		if k == "256" {
			e.Simulated, e.Low, e.High = nan, nan, nan
		}
		effects = append(effects, e)
	}
	f, err = Effects(Labels{
		Title:    "Effect of the patch on tbench4, row by row",
		Subtitle: "Made-up simulation to test drawing. Band: noise of the published number. Whisker: 95 % interval of the paired differences.",
		X:        "change against base (positive is better)",
		Y:        "clients",
	}, effects...)
	add("effects", f, err)
	f, err = Effects(Labels{Title: "One row"}, Effect{Key: "Score-16", Published: nan, Noise: nan, Simulated: 0, Low: nan, High: nan})
	add("effects-empty", f, err)
	pictures(t, add)
	f, err = Dots(Labels{Title: "Every run", Subtitle: "Made-up runs to test drawing.", X: "percent of the mean of the base runs", Y: "clients"},
		Strip{Key: "32", Base: []float64{99, 100, 101, 100.2}, Patched: []float64{103, 104.5, 102}},
		Strip{Key: "64", Base: []float64{90, 90.5, 109, 110.5}, Patched: []float64{111, 112, 110}, Note: "base bimodal"},
		Strip{Key: "128"})
	add("dots", f, err)
	return all
}

func svg(t testing.TB, f *Figure) string {
	t.Helper()
	var b bytes.Buffer
	if err := f.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	for name, f := range figures(t) {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("testdata", name+".svg")
			got := svg(t, f)
			if again := svg(t, f); again != got {
				t.Error("the same figure written twice differs")
			}
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatalf("%v (write it with -update and look at it)", err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
