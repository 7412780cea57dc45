package study

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// fakeRunner stands in for the simulator: it returns the published base value
// of the row, varied by the seed, and with the patch an effect that the test
// sets.
type fakeRunner struct {
	study *Study
	// effect is what the patch does to a row, in percent.
	effect func(j Job) float64
	// after, if set, is called at the start of each run.
	after func(j Job) error

	mu   sync.Mutex
	jobs []Job
}

func (f *fakeRunner) Run(ctx context.Context, j Job) (schedsim.Result, error) {
	f.mu.Lock()
	f.jobs = append(f.jobs, j)
	f.mu.Unlock()
	if f.after != nil {
		if err := f.after(j); err != nil {
			return schedsim.Result{}, err
		}
	}
	if err := ctx.Err(); err != nil {
		return schedsim.Result{}, err
	}
	rng := rand.New(rand.NewPCG(j.Seed, 0))
	v := float64(f.study.Tables[0].Row(j.Row).Base) * (1.02 + 0.002*rng.NormFloat64())
	if j.Arm == ArmPatched {
		v *= 1 + f.effect(j)/100 + 0.0005*rng.NormFloat64()
	}
	return schedsim.Result{
		Throughput:  v,
		Unit:        f.study.Tables[0].Unit,
		MeasuredNS:  int64(j.Measure),
		SocketShare: 0.5,
		Counters:    schedsim.Counters{Wakeups: 10, IdleNS: 3},
	}, nil
}

// noEffect is a patch that changes nothing.
func noEffect(Job) float64 { return 0 }

func testPlan(n, sets int) Plan {
	return Plan{
		Mode: "quick", Seed: 1, N: n, Sets: sets,
		Warmup:  map[string]time.Duration{"": 10 * time.Millisecond},
		Measure: map[string]time.Duration{"": 100 * time.Millisecond, "64": 200 * time.Millisecond},
	}
}

var testIdentity = Identity{ModelVersion: "test", Machines: map[string]string{"csl-2s-80": "0123456789abcdef"}}

// withEnsemble adds an ensemble of n sets to the study; tail_ns rises.
func withEnsemble(t testing.TB, n int) *Study {
	s := fixture(t)
	s.Ensemble = Ensemble{Names: []string{"work_ns", "tail_ns"}}
	for i := range n {
		s.Ensemble.Sets = append(s.Ensemble.Sets, []float64{float64(1000 + i*37%n), float64(500 + 100*i)})
	}
	return s
}

// fill runs the plan with the runner into a new store.
func fill(t *testing.T, s *Study, plan Plan, runner Runner) *Store {
	t.Helper()
	return fillAs(t, s, plan, runner, testIdentity)
}

func fillAs(t *testing.T, s *Study, plan Plan, runner Runner, identity Identity) *Store {
	t.Helper()
	store := mustOpen(t, t.TempDir())
	if err := Run(t.Context(), s, plan, runner, store, Options{Identity: identity, Jobs: 2}); err != nil {
		t.Fatal(err)
	}
	return store
}
