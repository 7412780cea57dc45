package bench

import (
	"context"
	"sync"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// Replications returns how many times the events of one simulation several side by
// side get through in the same wall time, each on a thread.
func Replications(ctx context.Context, threads, runs int, each time.Duration) (float64, error) {
	c := onBig(160, 0, 100*time.Millisecond)
	sims := make([]*schedsim.Simulation, threads)
	for i := range sims {
		r, err := c.Warmed(ctx)
		if err != nil {
			return 0, err
		}
		sims[i] = r
	}
	return sideBySide(threads, runs, func(i int) (float64, error) {
		f, err := stretch(ctx, sims[i], each)
		return float64(f.Events) / f.WallSeconds, err
	})
}

// Arithmetic returns the same of a loop that touches no memory. It is what the
// machine itself gives so many threads: two that are siblings on a core, or that
// others use as well, give less than two times one.
func Arithmetic(threads, runs int, each time.Duration) float64 {
	times, _ := sideBySide(threads, runs, func(i int) (float64, error) {
		turns, x, start := 0, uint64(i)+1, time.Now()
		for time.Since(start) < each {
			for range 1 << 16 {
				x ^= x << 13
				x ^= x >> 7
				x ^= x << 17
			}
			turns++
		}
		if x == 0 { // never: but the loop must not be optimised away
			turns = 0
		}
		return float64(turns) / time.Since(start).Seconds(), nil
	})
	return times
}

// sideBySide returns the median, over runs, of the summed speed of several threads
// at a time over that of one alone.
func sideBySide(threads, runs int, speed func(thread int) (float64, error)) (float64, error) {
	var ratios []float64
	for range runs {
		one, err := speed(0)
		if err != nil {
			return 0, err
		}
		speeds, errs := make([]float64, threads), make([]error, threads)
		var wg sync.WaitGroup
		for i := range threads {
			wg.Go(func() { speeds[i], errs[i] = speed(i) })
		}
		wg.Wait()
		sum := 0.0
		for i := range threads {
			if errs[i] != nil {
				return 0, errs[i]
			}
			sum += speeds[i]
		}
		ratios = append(ratios, sum/one)
	}
	return medianOf(ratios), nil
}
