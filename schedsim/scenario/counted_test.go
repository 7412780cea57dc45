package scenario

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// TestCountedCosts holds what turns of the scenarios that the costs of 1cpu come from take in
// the model, and how much of that is the task's CPU time, against the recordings.
func TestCountedCosts(t *testing.T) {
	guest, err := NewGuest("1cpu")
	if err != nil {
		t.Fatal(err)
	}
	boots, err := ReadRecordings(oracle, "1cpu")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range boots {
		if !forCosts(b.Scenario) {
			continue
		}
		t.Run(b.Kernel+"/"+strings.TrimPrefix(b.Scenario, "cost-"), func(t *testing.T) {
			sc, err := Load(filepath.Join(oracle, "scenarios", b.Scenario), 1)
			if err != nil {
				t.Fatal(err)
			}
			o, err := Simulate(context.Background(), sc, guest, kernelNamed(t, b.Kernel)(1), 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, real := range b.Tasks {
				for _, model := range o.Tasks {
					if model.Name != real.Name || real.Iterations == 0 {
						continue
					}
					turn := func(o *TaskOutcome, d time.Duration) time.Duration { return d / time.Duration(o.Iterations) }
					for _, x := range []struct {
						what        string
						real, model time.Duration
					}{
						{"a turn", turn(&real, sc.Duration), turn(&model, sc.Duration)},
						{"of it on the CPU", turn(&real, real.CPU), turn(&model, model.CPU)},
					} {
						// Kernels differ by as much as 10 us, and a turn more or less makes 16 us.
						if d := (x.model - x.real).Abs(); d > max(12*time.Microsecond, x.real/200) {
							t.Errorf("%s: %s takes %v, in the model %v", real.Name, x.what, x.real, x.model)
						}
					}
				}
			}
		})
	}
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
