package bench

import (
	"context"
	"runtime"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// onBig is a case of the mixed load, two and a half tasks a CPU, on a machine of so
// many CPUs, with so many more tasks that sleep.
func onBig(cpus, sleepers int, warm time.Duration) *Case {
	return &Case{
		Warm: warm,
		config: func() (schedsim.Config, error) {
			w := newMixed(cpus*5/2, 500e3, 700e3)
			w.sleepers = sleepers
			w.n += sleepers
			return schedsim.Config{Machine: Big(cpus), Kernel: schedsim.V510(cpus), Workload: w}, nil
		},
	}
}

// Ratio is what an event costs in one case by what it costs in another.
type Ratio struct {
	Name   string  `json:"name"`
	What   string  `json:"what"`
	From   float64 `json:"from"` // ns an event
	To     float64 `json:"to"`
	Limit  float64 `json:"limit"` // the ratio is to be at most this
	ratios []float64
}

// Value is the median of the ratios of measurements next to each other in time.
func (r Ratio) Value() float64 { return medianOf(r.ratios) }

// Growth measures how the cost of an event grows with the machine, with the number
// of tasks that sleep, and with the simulated time.
func Growth(ctx context.Context, runs int, each time.Duration) ([]Ratio, error) {
	const warm = 100 * time.Millisecond
	all := []struct {
		Ratio
		a, b *Case
	}{
		{Ratio{Name: "cpus", What: "1,024 CPUs against 16, the same load a CPU", Limit: 1.5}, onBig(16, 0, warm), onBig(1024, 0, warm)},
		{Ratio{Name: "sleepers", What: "10,000 tasks more, which sleep, on 16 CPUs", Limit: 1.1}, onBig(16, 0, warm), onBig(16, 10_000, warm)},
		{Ratio{Name: "time", What: "20 simulated seconds later, on 16 CPUs", Limit: 1.1}, onBig(16, 0, warm), onBig(16, 0, 20*time.Second)},
	}
	var out []Ratio
	for _, g := range all {
		a, err := g.a.Warmed(ctx)
		if err != nil {
			return nil, err
		}
		b, err := g.b.Warmed(ctx)
		if err != nil {
			return nil, err
		}
		var from, to []float64
		for range runs {
			fa, err := stretch(ctx, a, each)
			if err != nil {
				return nil, err
			}
			fb, err := stretch(ctx, b, each)
			if err != nil {
				return nil, err
			}
			from, to = append(from, fa.NanosecondsPerEvent()), append(to, fb.NanosecondsPerEvent())
			g.ratios = append(g.ratios, fb.NanosecondsPerEvent()/fa.NanosecondsPerEvent())
		}
		g.From, g.To = medianOf(from), medianOf(to)
		out = append(out, g.Ratio)
	}
	return out, nil
}

// Memory returns the bytes of heap that a run of 1,024 CPUs and 10,000 tasks, of
// which a quarter are busy, has after a while.
func Memory(ctx context.Context) (uint64, error) {
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	r, err := onBig(1024, 10_000-1024*5/2, 50*time.Millisecond).Warmed(ctx)
	if err != nil {
		return 0, err
	}
	after := heap()
	runtime.KeepAlive(r)
	return after - min(before, after), nil
}
