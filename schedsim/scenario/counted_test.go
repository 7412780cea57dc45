package scenario

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// ofCosts calls do with each recording of a scenario of 1cpu whose name begins so, and with what
// the model makes of it.
func ofCosts(t *testing.T, prefix string, do func(t *testing.T, sc *Scenario, real, model *Outcome)) {
	t.Helper()
	guest, err := NewGuest("1cpu")
	if err != nil {
		t.Fatal(err)
	}
	boots, err := ReadRecordings(oracle, "1cpu")
	if err != nil {
		t.Fatal(err)
	}
	kernelsSeen := map[string]int{}
	for _, b := range boots {
		if !strings.HasPrefix(b.Scenario, prefix) {
			continue
		}
		kernelsSeen[b.Kernel]++
		t.Run(b.Kernel+"/"+b.Scenario, func(t *testing.T) {
			sc, err := Load(filepath.Join(oracle, "scenarios", b.Scenario), 1)
			if err != nil {
				t.Fatal(err)
			}
			o, err := Simulate(context.Background(), sc, guest, kernelNamed(t, b.Kernel)(1), 0)
			if err != nil {
				t.Fatal(err)
			}
			do(t, sc, &b.Outcome, o)
		})
	}
	for _, k := range []string{"6.1", "6.12"} {
		if kernelsSeen[k] < 2 {
			t.Errorf("%d recordings of %s", kernelsSeen[k], k)
		}
	}
}

// TestCountedCosts holds what turns of the scenarios that the costs of 1cpu come from take in
// the model, and how much of that is the task's CPU time, against the recordings. Of cost-join,
// which has no turns, it is when tasks have joined: how long they have run at the end.
func TestCountedCosts(t *testing.T) {
	ofCosts(t, "cost-", func(t *testing.T, sc *Scenario, real, model *Outcome) {
		// Kernels differ by as much as 10 us, and a turn more or less makes 16 us; forks of
		// theirs differ by a sixth, and turns of cost-forks by what waits for children.
		part := 1. / 200
		if forks(sc.Tasks[0]) {
			part = 1. / 7
		}
		hold := func(name, what string, real, model time.Duration) {
			if d := (model - real).Abs(); d > max(12*time.Microsecond, time.Duration(part*float64(real))) {
				t.Errorf("%s: %s takes %v, in the model %v", name, what, real, model)
			}
		}
		var ran, runs time.Duration
		for _, r := range real.Tasks {
			i := slices.IndexFunc(model.Tasks, func(m TaskOutcome) bool { return m.Name == r.Name })
			if i < 0 {
				t.Fatalf("no %s in the model", r.Name)
			}
			m := &model.Tasks[i]
			ran, runs = ran+r.CPU, runs+m.CPU
			if n, k := time.Duration(r.Iterations), time.Duration(m.Iterations); n > 0 && k > 0 {
				hold(r.Name, "a turn", sc.Duration/n, sc.Duration/k)
				hold(r.Name, "of it on the CPU", r.CPU/n, m.CPU/k)
			} else if n != k {
				t.Errorf("%s: %d turns, in the model %d", r.Name, n, k)
			}
		}
		if sc.Name == "cost-join" && !strings.Contains(t.Name(), "/5.10/") {
			hold("all", "what tasks that join ran", ran, runs)
		}
	})
}

// TestGrace holds how often who forks is preempted in a turn against the recordings: of one
// child at a time hardly ever, of eight by rcu_preempt on 6.1, and by the children too on 6.12.
func TestGrace(t *testing.T) {
	ofCosts(t, "cost-fork", func(t *testing.T, _ *Scenario, real, model *Outcome) {
		turn := func(o *Outcome) float64 { return float64(o.Tasks[0].Involuntary) / float64(o.Tasks[0].Iterations) }
		if real, model := turn(real), turn(model); math.Abs(model-real) > 0.2+real/4 {
			t.Errorf("preempted %.2f times a turn, in the model %.2f", real, model)
		}
	})
}

func kernelNamed(t *testing.T, name string) func(cpus int) schedsim.Kernel {
	t.Helper()
	for _, k := range kernels {
		if k.name == name {
			return k.model
		}
	}
	t.Fatalf("no kernel %q", name)
	return nil
}
