package workload_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim/workload"
)

// One user does one job after another, so that the time of a job is the mean over
// the kinds.
func TestAim7AddsUp(t *testing.T) {
	perJob := func(fork, exec, disk float64) float64 {
		p := workload.DefaultAim7(1)
		p.ForkShare, p.ExecShare, p.DiskShare = fork, exec, disk
		w, err := workload.NewAim7(p)
		r := simulate(t, "snb-ep-4s", "v3.10", 0, 4*time.Second, w, err)
		return 60e9 / r.Throughput
	}
	clock := speed(t, "snb-ep-4s")
	p := workload.DefaultAim7(1)
	for _, c := range []struct {
		name             string
		fork, exec, disk float64
		low, high        float64 // ns a job
	}{
		{"compute", 0, 0, 0, 0.98 * p.JobNS / clock, 1.02 * p.JobNS / clock},
		// A write is a wait of 200 us after 10 us of work; the CPU takes up to 90 us
		// to come out of its idle state.
		{"disk", 0, 0, 1, 5 * 209e3, 5 * 300e3},
		// A fork is 80 us in the parent, 80 us in the child, and waiting.
		{"fork", 1, 0, 0, 20 * 170e3 / clock, 20 * 300e3},
		{"exec", 0, 1, 0, 10 * 530e3 / clock, 10 * 750e3},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := perJob(c.fork, c.exec, c.disk); got < c.low || got > c.high {
				t.Errorf("%.0f ns a job, want %.0f to %.0f", got, c.low, c.high)
			}
		})
	}
}

// Users that compute only use all CPUs, each core at the throughput of its threads.
func TestAim7UsesAllCPUs(t *testing.T) {
	p := workload.DefaultAim7(256)
	p.ForkShare, p.ExecShare, p.DiskShare = 0, 0, 0
	w, err := workload.NewAim7(p)
	r := simulate(t, "snb-ep-4s", "v3.10", 2*time.Second, time.Second, w, err)
	want := 32 * p.SMTThroughput * 60e9 / p.JobNS
	if math.Abs(r.Throughput/want-1) > 0.04 {
		t.Errorf("%.0f %s, want %.0f", r.Throughput, r.Unit, want)
	}
}

// A run that needs more processes than it may make has no result.
func TestAim7OutOfForks(t *testing.T) {
	p := workload.DefaultAim7(1)
	p.ForkShare, p.ExecShare, p.DiskShare, p.MaxForks = 1, 0, 0, 10
	w, err := workload.NewAim7(p)
	r := simulate(t, "snb-ep-4s", "v3.10", 0, 100*time.Millisecond, w, err)
	if r.Throughput != 0 {
		t.Errorf("%g %s, want 0", r.Throughput, r.Unit)
	}
}

func TestNewAim7Errors(t *testing.T) {
	refuses(t, func(change func(*workload.Aim7Params)) error {
		p := workload.DefaultAim7(1)
		change(&p)
		_, err := workload.NewAim7(p)
		return err
	}, []refusal[workload.Aim7Params]{
		{"no users", "at least 1", func(p *workload.Aim7Params) { p.Users = 0 }},
		{"shares", "shares", func(p *workload.Aim7Params) { p.DiskShare = 1 }},
		{"counts", "below 1", func(p *workload.Aim7Params) { p.Forks = 0 }},
		{"job", "too small", func(p *workload.Aim7Params) { p.JobNS = 1 }},
	})
}

func ExampleNewAim7() {
	w, err := workload.NewAim7(workload.DefaultAim7(128))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(w.Name())
	// Output: aim7-128
}
