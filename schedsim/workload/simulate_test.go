package workload_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/topology"
)

// simulate runs a workload on a machine of the catalogue, without autogroup.
func simulate(t testing.TB, machine, kernel string, warmup, measure time.Duration, w schedsim.Workload, err error) schedsim.Result {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	m, err := topology.Load(machine)
	if err != nil {
		t.Fatal(err)
	}
	k, err := schedsim.LookupKernel(kernel, len(m.OnlineCPUs()))
	if err != nil {
		t.Fatal(err)
	}
	k.Autogroup = false
	r, err := schedsim.Run(context.Background(), schedsim.Config{
		Machine: m, Kernel: k, Workload: w, Seed: 1, Warmup: warmup, Measure: measure,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// speed is the clock of a core that is busy alone on its socket, relative to that
// at which work is given.
func speed(t testing.TB, machine string) float64 {
	t.Helper()
	m, err := topology.Load(machine)
	if err != nil {
		t.Fatal(err)
	}
	return float64(m.Frequency.At(1)) / float64(m.Frequency.At(m.CoresPerSocket()))
}

// refusal is a change to parameters that a constructor has to refuse, and a word of
// its error.
type refusal[P any] struct {
	name, want string
	change     func(*P)
}

func refuses[P any](t *testing.T, build func(change func(*P)) error, cases []refusal[P]) {
	t.Helper()
	if err := build(func(*P) {}); err != nil {
		t.Errorf("the defaults are refused: %v", err)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if err := build(c.change); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}
