package workload_test

import (
	"math"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/workload"
)

// TestHackbenchJobDebug: the readings of a job are those of its runqueues and one of an
// idle machine, so that their mean rises with the time that the job takes.
func TestHackbenchJobDebug(t *testing.T) {
	run := func(runs int) schedsim.Result {
		p := workload.DefaultHackbench(8)
		p.JobLoops, p.JobRuns = 1_000_000, runs
		cfg := hackbench(t, schedsim.V612, p)
		cfg.Warmup, cfg.Measure = 80*time.Millisecond, 20*time.Millisecond
		return hackbenchRun(t, cfg)
	}
	value := func(r schedsim.Result, name string) float64 {
		t.Helper()
		m, ok := r.Metric(name)
		if !ok {
			t.Fatalf("no metric %q", name)
		}
		return m.Value
	}
	one, many := run(1), run(7)
	if one.TraceHash != many.TraceHash {
		t.Error("the length of the job changes the run")
	}
	for _, r := range []schedsim.Result{one, many} {
		seconds := value(r, "job-time")
		busy := math.Floor(seconds / 60)
		if busy < 1 {
			t.Fatalf("a job of %v s is too short to be read", seconds)
		}
		share := busy / (busy + 1)
		// Read at two ticks of twenty.
		if got, want := value(r, "job-sched_debug.cpu.nr_running.avg"), share*value(r, "runnable-tasks"); math.Abs(got/want-1) > 0.1 {
			t.Errorf("%v s: nr_running.avg %v, want about %v", seconds, got, want)
		}
		// After 0, 60, 120 s and so on.
		if got, want := value(r, "job-sched_debug.cpu.nr_switches.avg"), value(r, "context-switches/s")/80*30*busy; math.Abs(got/want-1) > 1e-9 {
			t.Errorf("%v s: nr_switches.avg %v, want %v", seconds, got, want)
		}
	}
	a, b := value(one, "job-sched_debug.cfs_rq:/.h_nr_running.avg"), value(many, "job-sched_debug.cfs_rq:/.h_nr_running.avg")
	if b <= a {
		t.Errorf("h_nr_running.avg is %v of a job seven times as long, %v of one", b, a)
	}
	p := workload.DefaultHackbench(8)
	cfg := hackbench(t, schedsim.V612, p)
	cfg.Measure = 90 * time.Millisecond
	if _, ok := func() (schedsim.Metric, bool) {
		r := hackbenchRun(t, cfg)
		return r.Metric("job-sched_debug.cpu.nr_running.avg")
	}(); ok {
		t.Error("figures of a job of which nothing is known")
	}
}
