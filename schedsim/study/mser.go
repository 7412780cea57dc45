package study

import (
	"math"

	"github.com/schedlab/schedlab/schedsim"
)

// mserBatch is the batch size of MSER-5.
const mserBatch = 5

// MSER returns how many leading values of a series are warm-up: the truncation that
// makes the standard error of the mean of what is left smallest, over means of
// batches of five, within the first half (K. P. White Jr., "An Effective Truncation
// Heuristic for Bias Reduction in Simulation Output", Simulation 69, 1997: MSER-5).
// It is 0 for fewer than ten batches, which
// say too little, and where the first values are like the others.
func MSER(series []float64) int {
	n := len(series) / mserBatch
	if n < 10 {
		return 0
	}
	means := make([]float64, n)
	for i := range means {
		means[i] = Mean(series[i*mserBatch : (i+1)*mserBatch])
	}
	best, least := 0, math.Inf(1)
	for d := range n/2 + 1 {
		rest := means[d:]
		m, squares := Mean(rest), 0.0
		for _, v := range rest {
			squares += (v - m) * (v - m)
		}
		// The squared standard error, but for a common factor.
		if e := squares / float64(len(rest)*len(rest)); e < least {
			best, least = d, e
		}
	}
	if best == 0 || !startsOff(means[:best], means[best:]) {
		return 0
	}
	return best * mserBatch
}

// startsOff reports whether the mean of what would be cut off differs from that of
// the rest by more than three standard errors. The least standard error of noise is
// somewhere too, and not a warm-up.
func startsOff(head, rest []float64) bool {
	d := math.Abs(Mean(head) - Mean(rest))
	return d > 3*Stddev(rest)*math.Sqrt(1/float64(len(head))+1/float64(len(rest)))
}

// measureSlices is how many slices a measured time is looked at in.
const measureSlices = 60

// dropWarmup finds what is left of warm-up in the measured times of the runs of one
// point, from the mean over all of them slice by slice, and takes it off the
// throughput of every run, the same for all. It returns its share of the measured
// time. Runs of workloads that do not say how far they are, and those that end by
// themselves as the benchmark does, stay as they are: then measured is false.
func (r *pointRuns) dropWarmup() (share float64, measured bool) {
	var sum []float64
	runs := 0
	r.each(func(_ string, result *schedsim.Result) {
		if len(result.Slices) != measureSlices {
			return
		}
		if sum == nil {
			sum = make([]float64, measureSlices)
		}
		for i, v := range result.Slices {
			sum[i] += v
		}
		runs++
	})
	if runs == 0 {
		return 0, false
	}
	d := MSER(sum)
	if d == 0 {
		return 0, true
	}
	r.each(func(_ string, result *schedsim.Result) {
		if len(result.Slices) == measureSlices {
			result.Throughput = Mean(result.Slices[d:])
		}
	})
	return float64(d) / measureSlices, true
}

// each calls visit with every run that is there.
func (r *pointRuns) each(visit func(arm string, result *schedsim.Result)) {
	for _, arm := range [...]string{ArmBase, ArmPatched, ArmControl} {
		for _, runs := range r.arms[arm] {
			for _, result := range runs {
				if result != nil {
					visit(arm, result)
				}
			}
		}
	}
}
