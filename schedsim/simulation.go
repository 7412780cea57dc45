package schedsim

import (
	"context"
	"slices"
	"time"
)

// A Simulation is a run that its owner advances, for measuring the simulator
// itself and for looking at a run halfway. Run is what studies use.
type Simulation struct{ s *Sched }

// Start builds cfg's machine and starts its workload. Config.Age, Warmup and
// Measure are not used.
func Start(cfg Config) (*Simulation, error) {
	s, err := newSched(&cfg)
	if err != nil {
		return nil, err
	}
	s.parents = slices.Repeat([]TaskID{none}, len(s.tasks))
	s.w.Start(s)
	if s.startErr != nil {
		return nil, s.startErr
	}
	return &Simulation{s}, nil
}

// Advance simulates for d more.
func (r *Simulation) Advance(ctx context.Context, d time.Duration) error {
	return r.s.runFor(ctx, int64(d))
}

// Step dispatches n events, whatever simulated time they take.
func (r *Simulation) Step(n int) {
	for range n {
		r.s.step()
	}
}

// Events returns how many events there were since the start.
func (r *Simulation) Events() int64 { return r.s.count.Events }

// Elapsed returns the simulated time since the start.
func (r *Simulation) Elapsed() time.Duration { return time.Duration(r.s.now - bootTime) }

// CPUs returns how many CPUs are online.
func (r *Simulation) CPUs() int { return len(r.s.online) }

// Counters returns what was counted since the start.
func (r *Simulation) Counters() Counters {
	r.s.accountIdle()
	return r.s.count
}
