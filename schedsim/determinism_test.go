package schedsim_test

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/workload"
)

// searching is a number of tbench's clients with which the machine of tbench,
// below, keeps searching for idle cores, half of the times in vain.
const searching = 8

// tbench is a run of tbench on two sockets of four cores with two threads.
func tbench(t testing.TB, clients int) schedsim.Config {
	t.Helper()
	w, err := workload.NewTbench(workload.DefaultTbench(clients))
	if err != nil {
		t.Fatal(err)
	}
	m := schedsim.SmallMachine(2, 4, 2)
	return schedsim.Config{
		Machine: m, Kernel: schedsim.V510(len(m.CPUs)), Workload: w, Seed: 1,
		Warmup: 150 * time.Millisecond, Measure: 50 * time.Millisecond,
	}
}

func result(t *testing.T, cfg schedsim.Config) schedsim.Result {
	t.Helper()
	r, err := schedsim.Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSameSeedSameRun: at any GOMAXPROCS, with any number of runs side by side.
func TestSameSeedSameRun(t *testing.T) {
	want := result(t, tbench(t, searching))
	for _, procs := range []int{1, 8} {
		func() {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			got := make([]schedsim.Result, 6)
			errs := make([]error, len(got))
			var wg sync.WaitGroup
			for i := range got {
				cfg := tbench(t, searching)
				wg.Go(func() { got[i], errs[i] = schedsim.Run(context.Background(), cfg) })
			}
			wg.Wait()
			for i := range got {
				if errs[i] != nil {
					t.Fatal(errs[i])
				}
				if !reflect.DeepEqual(got[i], want) {
					t.Fatalf("GOMAXPROCS %d, run %d:\n%+v\nwant\n%+v", procs, i, got[i], want)
				}
			}
		}()
	}
	other := tbench(t, searching)
	other.Seed = 2
	if result(t, other).TraceHash == want.TraceHash {
		t.Error("another seed gives the same trace")
	}
}

// TestShadowChangesNothing: a run is the same with and without a shadow kernel,
// whichever of its functions differ, and both kernels see differences where
// there are some.
func TestShadowChangesNothing(t *testing.T) {
	cfg := tbench(t, searching)
	plain := result(t, cfg)
	other := schedsim.Patch{Name: "no-affine", Apply: func(k *schedsim.Kernel) { k.WAWeight, k.WAIdle = false, false }}
	for _, tc := range []struct {
		name    string
		shadow  schedsim.Kernel
		differs bool
	}{
		{"same", cfg.Kernel, false},
		{"idle-candidate", cfg.Kernel.With(schedsim.IdleCandidate), true},
		{"feature", cfg.Kernel.With(other), true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cfg := tbench(t, searching)
			cfg.Shadow = &tc.shadow
			got := result(t, cfg)
			if got.TraceHash != plain.TraceHash || got.Throughput != plain.Throughput {
				t.Errorf("the shadow changed the run")
			}
			if differs := got.Counters.ShadowDiffers > 0; differs != tc.differs {
				t.Errorf("%d decisions of %d differ", got.Counters.ShadowDiffers, got.Counters.ShadowDecisions)
			}
			if tc.differs && got.Counters.ShadowDecisions == 0 {
				t.Error("the shadow was never asked")
			}
		})
	}
}

// TestAblation: without the search for idle cores, the patch to it does
// nothing; with it, it does something.
func TestAblation(t *testing.T) {
	hash := func(patches ...schedsim.Patch) uint64 {
		cfg := tbench(t, searching)
		cfg.Kernel = cfg.Kernel.With(patches...)
		return result(t, cfg).TraceHash
	}
	base, patched := hash(), hash(schedsim.IdleCandidate)
	if base == patched {
		t.Error("the patch changes nothing")
	}
	if off := hash(schedsim.NoIdleCoreSearch); off != hash(schedsim.IdleCandidate, schedsim.NoIdleCoreSearch) {
		t.Error("the patch acts without what it changes")
	} else if off == base {
		t.Error("the ablation changes nothing")
	}
}

// TestRunsGoOn: warming up and measuring is one run: its parts do not restart
// anything.
func TestRunsGoOn(t *testing.T) {
	a, b := tbench(t, 6), tbench(t, 6)
	a.Warmup, a.Measure = 50*time.Millisecond, 150*time.Millisecond
	b.Warmup, b.Measure = 150*time.Millisecond, 50*time.Millisecond
	if result(t, a).TraceHash != result(t, b).TraceHash {
		t.Error("200 ms split at 50 ms and at 150 ms differ")
	}
}

// TestCancel: a run ends with its context's error.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := schedsim.Run(ctx, tbench(t, 4)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestTrace: the last decisions, oldest first, and the same digest with and
// without them.
func TestTrace(t *testing.T) {
	cfg := tbench(t, 4)
	plain := result(t, cfg)
	cfg = tbench(t, 4)
	cfg.TraceEvents = 1000
	r, events, err := schedsim.RunTrace(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if r.TraceHash != plain.TraceHash {
		t.Error("tracing changed the run")
	}
	if len(events) != 1000 {
		t.Fatalf("%d events", len(events))
	}
	for i := 1; i < len(events); i++ {
		if events[i].Time < events[i-1].Time {
			t.Fatalf("event %d goes back in time", i)
		}
	}
}
