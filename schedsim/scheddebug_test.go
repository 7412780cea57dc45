package schedsim_test

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/workload"
	"github.com/schedlab/schedlab/topology"
)

func TestDebugFigures(t *testing.T) {
	cpus := []schedsim.RunqueueDebug{
		{CPU: 0, NrRunning: 1, HNrRunning: 2, AvgIdle: 4e5, AvgVruntime: 10},
		{CPU: 1, NrRunning: 4, HNrRunning: 2, AvgIdle: 6e5, AvgVruntime: 14},
	}
	want := map[string]schedsim.DebugFigure{
		"cpu.nr_running":        {Avg: 2.5, Min: 1, Max: 4, Stddev: 1.5},
		"cpu.avg_idle":          {Avg: 5e5, Min: 4e5, Max: 6e5, Stddev: 1e5},
		"cfs_rq:/.h_nr_running": {Avg: 2, Min: 2, Max: 2},
		"cfs_rq:/.avg_vruntime": {Avg: 12, Min: 10, Max: 14, Stddev: 2},
		"cfs_rq:/.runnable_avg": {},
		"cfs_rq:/.nr_running":   {},
		"cfs_rq:/.util_avg":     {},
		"cfs_rq:/.load_avg":     {},
		"cfs_rq:/.min_vruntime": {},
	}
	got := schedsim.DebugFigures(cpus)
	if len(got) != len(want) {
		t.Errorf("%d figures, want %d", len(got), len(want))
	}
	for _, g := range got {
		w, ok := want[g.Name]
		if !ok || g.Avg != w.Avg || g.Min != w.Min || g.Max != w.Max || g.Stddev != w.Stddev {
			t.Errorf("%+v, want %+v", g, w)
		}
		if !math.IsNaN(g.Growth) {
			t.Errorf("%s grows by %v a second in one reading", g.Name, g.Growth)
		}
	}
	if got := schedsim.DebugFigures(nil); got != nil {
		t.Errorf("figures of no CPU: %+v", got)
	}
}

// debugged is hackbench that has the runqueues read.
func debugged(t *testing.T, k schedsim.Kernel, every time.Duration) schedsim.Config {
	t.Helper()
	m, err := topology.Load("csl-2s-80")
	if err != nil {
		t.Fatal(err)
	}
	w, err := workload.NewHackbench(workload.DefaultHackbench(8))
	if err != nil {
		t.Fatal(err)
	}
	k.Features.Autogroup = true
	return schedsim.Config{
		Machine: m, Kernel: k, Workload: reader{w, every}, Seed: 1,
		Warmup: 80 * time.Millisecond, Measure: 40 * time.Millisecond,
	}
}

type reader struct {
	*workload.Hackbench
	every time.Duration
}

func (r reader) Start(s *schedsim.Sched) {
	if r.every > 0 {
		s.ReadSchedDebug(r.every)
	}
	r.Hackbench.Start(s)
}

func (r reader) Metrics(s *schedsim.Sched) []schedsim.Metric {
	var out []schedsim.Metric
	for _, f := range s.DebugFigures() {
		if !math.IsNaN(f.Growth) {
			out = append(out, schedsim.Metric{Name: f.Name, Value: f.Avg}, schedsim.Metric{Name: f.Name + " growth", Value: f.Growth})
		}
	}
	return out
}

// TestReadSchedDebug: a run whose runqueues are read decides as one whose are not, and
// what is read is what the run counts otherwise. All tasks are in one autogroup, whose
// entity is the only one of each root.
func TestReadSchedDebug(t *testing.T) {
	plain, read := result(t, debugged(t, schedsim.V612(80), 0)), result(t, debugged(t, schedsim.V612(80), time.Millisecond))
	if plain.TraceHash != read.TraceHash || plain.Counters != read.Counters {
		t.Errorf("trace %016x and %+v if read, %016x and %+v if not", read.TraceHash, read.Counters, plain.TraceHash, plain.Counters)
	}
	value := func(name string) float64 {
		t.Helper()
		m, ok := read.Metric(name)
		if !ok {
			t.Fatalf("no metric %q", name)
		}
		return m.Value
	}
	// At each tick, as runnable-tasks.
	if got, want := value("cpu.nr_running"), value("runnable-tasks"); math.Abs(got-want) > 1e-9 || want < 1 {
		t.Errorf("nr_running %v, want %v", got, want)
	}
	if got, want := value("cfs_rq:/.h_nr_running"), value("cpu.nr_running"); got > want || got < want-0.1 {
		t.Errorf("h_nr_running %v of nr_running %v: nearly all are fair", got, want)
	}
	if got := value("cfs_rq:/.nr_running"); got < 0.8 || got > 1.05 {
		t.Errorf("%v entities in a root", got)
	}
	// The group's entity has about 1/80 of the weight of a task of nice 0.
	if got := value("cfs_rq:/.avg_vruntime growth"); got < 40e3 || got > 160e3 {
		t.Errorf("avg_vruntime grows by %v ms a second", got)
	}
	if _, ok := plain.Metric("cpu.nr_running"); ok {
		t.Error("a figure that nobody read")
	}
}

// TestSchedDebug: of a simulation that is advanced by its owner, before 6.6 without
// avg_vruntime.
func TestSchedDebug(t *testing.T) {
	for _, k := range []schedsim.Kernel{schedsim.V510(80), schedsim.V612(80)} {
		r, err := schedsim.Start(debugged(t, k, 0))
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Advance(context.Background(), 100*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		cpus := r.SchedDebug()
		if len(cpus) != 80 {
			t.Fatalf("%d CPUs of 80", len(cpus))
		}
		for i, c := range cpus {
			if c.CPU != i || c.QueueStats != r.QueueStats(i) || c.CFSNrRunning > c.HNrRunning || c.HNrRunning > c.NrRunning || c.AvgIdle <= 0 {
				t.Errorf("%s: %+v", k.Version, c)
			}
			if math.IsNaN(c.AvgVruntime) != (k.Version == "v5.10") || c.MinVruntime <= 0 {
				t.Errorf("%s: CPU %d has min_vruntime %v, avg_vruntime %v", k.Version, i, c.MinVruntime, c.AvgVruntime)
			}
		}
	}
}
