package bench

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// Figures are how fast something was simulated on one thread. Seconds are of CPU
// time, so that what else runs on the machine counts against it less.
type Figures struct {
	Events           int64
	CPUSeconds       float64 // simulated time, summed over the CPUs
	Seconds          float64 // CPU time, which on a quiet machine is the wall time
	WallSeconds      float64
	Allocations      uint64
	SimulatedSeconds float64
}

// EventsPerSecond returns how many events were simulated in a second.
func (f Figures) EventsPerSecond() float64 { return float64(f.Events) / f.Seconds }

// CPUSecondsPerSecond returns how many CPU seconds were simulated in a second.
func (f Figures) CPUSecondsPerSecond() float64 { return f.CPUSeconds / f.Seconds }

// EventsPerCPUSecond returns how many events a simulated CPU second had.
func (f Figures) EventsPerCPUSecond() float64 { return float64(f.Events) / f.CPUSeconds }

// AllocationsPerEvent returns how many heap objects an event allocated.
func (f Figures) AllocationsPerEvent() float64 { return float64(f.Allocations) / float64(f.Events) }

// NanosecondsPerEvent returns what an event cost, ns.
func (f Figures) NanosecondsPerEvent() float64 { return f.Seconds * 1e9 / float64(f.Events) }

// In returns the figure of a unit.
func (f Figures) In(u Unit) float64 {
	if u == CPUSecondsPerSecond {
		return f.CPUSecondsPerSecond()
	}
	return f.EventsPerSecond()
}

// Warmed starts a case and simulates its warm-up.
func (c *Case) Warmed(ctx context.Context) (*schedsim.Simulation, error) {
	r, err := c.Start()
	if err != nil {
		return nil, err
	}
	return r, r.Advance(ctx, c.Warm)
}

// Measure warms a case up and simulates runs stretches of it, of a wall time of
// each. It returns the one of the median speed.
func (c *Case) Measure(ctx context.Context, runs int, each time.Duration) (Figures, error) {
	r, err := c.Warmed(ctx)
	if err != nil {
		return Figures{}, err
	}
	runtime.GC() // what the start left
	var all []Figures
	for range runs {
		f, err := stretch(ctx, r, each)
		if err != nil {
			return Figures{}, err
		}
		all = append(all, f)
	}
	return median(all), nil
}

// stretch simulates for a wall time.
func stretch(ctx context.Context, r *schedsim.Simulation, wall time.Duration) (Figures, error) {
	events, from := r.Events(), r.Elapsed()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start, cpu := time.Now(), cpuTime()
	for time.Since(start) < wall {
		if err := ctx.Err(); err != nil {
			return Figures{}, err
		}
		r.Step(20_000)
	}
	took, used := time.Since(start), cpuTime()-cpu
	runtime.ReadMemStats(&after)
	simulated := (r.Elapsed() - from).Seconds()
	return Figures{
		Events: r.Events() - events, CPUSeconds: simulated * float64(r.CPUs()), Seconds: used.Seconds(), WallSeconds: took.Seconds(),
		Allocations: after.Mallocs - before.Mallocs, SimulatedSeconds: simulated,
	}, nil
}

// median returns the element of the median speed.
func median(all []Figures) Figures {
	slices.SortFunc(all, func(a, b Figures) int { return cmp.Compare(a.EventsPerSecond(), b.EventsPerSecond()) })
	return all[len(all)/2]
}

func medianOf(values []float64) float64 {
	v := slices.Sorted(slices.Values(values))
	return v[len(v)/2]
}
