package study

import (
	"math/rand/v2"
	"testing"

	"github.com/schedlab/schedlab/schedsim"
)

// settling is a series that approaches 100 from below over its first values.
func settling(rng *rand.Rand, n, warm int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = 100 + rng.NormFloat64()
		if i < warm {
			xs[i] -= 30 * float64(warm-i) / float64(warm)
		}
	}
	return xs
}

func TestMSER(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, warm := range []int{10, 20} {
		if d := MSER(settling(rng, 60, warm)); d < warm-5 || d > warm+10 {
			t.Errorf("%d of 60 values are warm-up, %d are found", warm, d)
		}
	}
	early := 0
	for range 100 {
		if MSER(settling(rng, 60, 0)) == 0 {
			early++
		}
	}
	if early < 90 {
		t.Errorf("of 100 settled series %d stay whole", early)
	}
	if MSER(make([]float64, 49)) != 0 || MSER(nil) != 0 {
		t.Error("a short series is cut")
	}
}

func TestDropWarmup(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	runs := newPointRuns(1, 2)
	for i := range 2 {
		for _, arm := range []string{ArmBase, ArmPatched} {
			s := settling(rng, measureSlices, 20)
			runs.put(Job{Key: Key{Arm: arm}, Run: i}, schedsim.Result{Throughput: Mean(s), Slices: s})
		}
	}
	before := runs.arms[ArmBase][0][0].Throughput
	share, measured := runs.dropWarmup()
	after := runs.arms[ArmBase][0][0].Throughput
	if !measured || share < 0.25 || share > 0.5 || after < 99 || before > 97 {
		t.Errorf("share %v, throughput %v before and %v after", share, before, after)
	}
	bare := newPointRuns(1, 1)
	bare.put(Job{Key: Key{Arm: ArmBase}}, schedsim.Result{Throughput: 5})
	if _, measured := bare.dropWarmup(); measured || bare.arms[ArmBase][0][0].Throughput != 5 {
		t.Error("a run without slices is cut")
	}
}
