package schedsim_test

import (
	"context"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/workload"
	"github.com/schedlab/schedlab/topology"
)

// TestSample: a run that is looked at every 100 us decides as one that is not, and
// what is seen is of the run.
func TestSample(t *testing.T) {
	m, err := topology.Load("csl-2s-80")
	if err != nil {
		t.Fatal(err)
	}
	start := func() *schedsim.Simulation {
		t.Helper()
		w, err := workload.NewTbench(workload.DefaultTbench(64))
		if err != nil {
			t.Fatal(err)
		}
		r, err := schedsim.Start(schedsim.Config{Machine: m, Kernel: schedsim.V510(80), Workload: w, Seed: 1, TraceEvents: 1 << 16})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Age(context.Background(), 10*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		return r
	}
	advance := func(r *schedsim.Simulation, d time.Duration) {
		t.Helper()
		if err := r.Advance(context.Background(), d); err != nil {
			t.Fatal(err)
		}
	}
	plain, looked := start(), start()
	advance(plain, 10*time.Millisecond)
	var util, clocks, load int64
	for range 100 {
		advance(looked, 100*time.Microsecond)
		for cpu := range 80 {
			util = max(util, looked.QueueStats(cpu).UtilAvg)
			clocks = max(clocks, looked.MHz(cpu))
		}
		load = max(load, looked.TaskStats(0).LoadAvg)
	}
	if a, b := plain.Trace(), looked.Trace(); len(a) != len(b) || a[len(a)-1] != b[len(b)-1] || plain.Events() != looked.Events() {
		t.Errorf("%d events, %d decisions, the last %v; looked at %d, %d, %v",
			plain.Events(), len(a), a[len(a)-1], looked.Events(), len(b), b[len(b)-1])
	}
	if plain.Decisions() < int64(len(plain.Trace())) {
		t.Errorf("%d decisions, %d of them in the trace", plain.Decisions(), len(plain.Trace()))
	}
	if util < 100 || util > 1024 || clocks < 2000 || clocks > 4000 || load == 0 {
		t.Errorf("util_avg up to %d, clocks up to %d MHz, load_avg up to %d", util, clocks, load)
	}
	parents, names := looked.Parents(), looked.TaskNames()
	if len(parents) < 128 || parents[0] != -1 {
		t.Fatalf("%d tasks, task 0 forked by %d", len(parents), parents[0])
	}
	forked := 0
	for _, p := range parents {
		if p >= 0 && names[p] != "" {
			forked++
		}
	}
	if forked < 64 {
		t.Errorf("%d of %d tasks have a parent", forked, len(parents))
	}
}
