package experiment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/timeline"
	"github.com/schedlab/schedlab/topology"
)

// A Trace is what happened in a stretch of one run.
type Trace struct {
	Kernel  string // "v6.12+mine"
	Machine *topology.Machine
	*timeline.Timeline
	Names   []string          // of tasks, by TaskID
	Parents []schedsim.TaskID // who forked each, -1 for those that were there from the start
	Samples []Sample          // evenly over the stretch, the first at its begin
}

// A Sample is what is no decision, at one time.
type Sample struct {
	At     int64 // ns
	MHz    []int64
	Queues []schedsim.QueueStats // of the root cfs_rq, by CPU
	Tasks  []schedsim.TaskStats  // by TaskID, of those that there were
	// Counters are what was counted since the start of the run.
	Counters schedsim.Counters
}

// What a trace takes at most: a decision is 24 bytes.
const (
	maxDecisions = 1 << 21
	samples      = 200
	maxSampled   = 1024 // tasks
)

// Trace runs a setup and keeps all decisions of its Measure. The run is that of
// Run with the same seed, but for the asking of another kernel, which changes
// nothing; it is not kept.
func (b *Bench) Trace(ctx context.Context, s Setup, seed uint64, patches ...schedsim.Patch) (*Trace, error) {
	j, err := jobOf(s, seed, patches)
	if err != nil {
		return nil, err
	}
	return Record(ctx, j.cfg)
}

// Record is Trace for a configuration: Config.Age and Warmup are simulated, then
// Measure is recorded. Of more than 1024 tasks none has its averages sampled. It is an
// error for there to be more than two million decisions, since a trace with a hole
// misleads.
func Record(ctx context.Context, cfg schedsim.Config) (*Trace, error) {
	if cfg.Measure < samples {
		return nil, fmt.Errorf("experiment: a stretch of %v, want some time", cfg.Measure)
	}
	cfg.TraceEvents = maxDecisions
	r, err := schedsim.Start(cfg)
	if err != nil {
		return nil, err
	}
	if err := r.Age(ctx, cfg.Age); err != nil {
		return nil, err
	}
	if err := r.Advance(ctx, cfg.Warmup); err != nil {
		return nil, err
	}
	t := &Trace{Kernel: cfg.Kernel.String(), Machine: cfg.Machine}
	from, before := r.Now(), r.Decisions()
	end := from + int64(cfg.Measure)
	for i := range samples {
		t.Samples = append(t.Samples, sampleOf(r, len(cfg.Machine.CPUs)))
		if err := r.Advance(ctx, time.Duration(from+int64(i+1)*(end-from)/samples-r.Now())); err != nil {
			return nil, err
		}
	}
	switch n := r.Decisions() - before; {
	case n > maxDecisions:
		return nil, fmt.Errorf("experiment: %d decisions in %v, a trace takes %d; record a shorter time", n, cfg.Measure, maxDecisions)
	case n == 0:
		return nil, errors.New("experiment: nothing happened in the stretch; record a longer one")
	}
	t.Timeline = timeline.Build(r.Trace(), len(cfg.Machine.CPUs), from, end)
	t.Names, t.Parents = r.TaskNames(), r.Parents()
	return t, nil
}

func sampleOf(r *schedsim.Simulation, cpus int) Sample {
	s := Sample{At: r.Now(), Counters: r.Counters(), MHz: make([]int64, cpus), Queues: make([]schedsim.QueueStats, cpus)}
	for cpu := range cpus {
		s.MHz[cpu], s.Queues[cpu] = r.MHz(cpu), r.QueueStats(cpu)
	}
	if tasks := len(r.Parents()); tasks <= maxSampled {
		for id := range tasks {
			s.Tasks = append(s.Tasks, r.TaskStats(schedsim.TaskID(id)))
		}
	}
	return s
}
