package schedsim

import (
	"testing"

	"github.com/schedlab/schedlab/topology"
)

// What tests outside the package use, together with workloads that import it.

// SmallMachine is testMachine.
func SmallMachine(sockets, cores, threads int) *topology.Machine {
	return testMachine(sockets, cores, threads)
}

// Update is the -update flag.
var Update = update

// RandomWorkload is chaos without pinned tasks.
func RandomWorkload(tasks int) Workload { return newChaos(tasks, false) }

// A Stepper runs a simulation event by event.
type Stepper struct{ s *Sched }

// NewStepper starts cfg.
func NewStepper(t testing.TB, cfg Config) *Stepper {
	t.Helper()
	s, err := newSched(&cfg)
	if err != nil {
		t.Fatal(err)
	}
	s.w.Start(s)
	return &Stepper{s}
}

// Step dispatches n events.
func (r *Stepper) Step(n int) {
	for range n {
		r.s.step()
	}
}

// Verify checks the whole state.
func (r *Stepper) Verify() error { return r.s.verify() }

// Events and Now say how far the simulation is, in events and in ns.
func (r *Stepper) Events() int64 { return r.s.count.Events }
func (r *Stepper) Now() int64    { return r.s.now }

// RunTo simulates up to ns after the start.
func (r *Stepper) RunTo(ns int64) {
	for r.s.now < bootTime+ns {
		r.s.step()
	}
}

// MixedWorkload is chaos with tasks of all classes.
func MixedWorkload(tasks int) Workload { return newMixed(tasks, false) }
