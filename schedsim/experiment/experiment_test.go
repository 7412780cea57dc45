package experiment_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/experiment"
)

// nearPrev looks at the siblings of the previous CPU before anything else.
var nearPrev = schedsim.Patch{Name: "near-prev", Apply: func(k *schedsim.Kernel) {
	before := k.SelectIdleSibling
	k.SelectIdleSibling = func(s *schedsim.Sched, t *schedsim.Task, prev, target int) int {
		if s.CPUsShareCache(prev, target) {
			for _, cpu := range s.SMTMask(prev) {
				if t.Allowed(cpu) && s.AvailableIdleCPU(cpu) {
					return cpu
				}
			}
		}
		return before(s, t, prev, target)
	}
}}

var small = experiment.Setup{
	Machine: "nhm-ep-2s", Kernel: "v6.12", Workload: "tbench clients=8",
	Age: 100 * time.Millisecond, Warmup: 50 * time.Millisecond, Measure: 5 * time.Millisecond,
}

func open(t *testing.T) *experiment.Bench {
	t.Helper()
	t.Setenv(experiment.StoreEnv, "")
	b, err := experiment.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestCompare: rows are paired, count where the patch acts, and come from the store
// the second time.
func TestCompare(t *testing.T) {
	b := open(t)
	b.Runs = 2
	setups := small.On("nhm-ep-2s", "core2-2s")
	c, err := b.Compare(context.Background(), nearPrev, setups...)
	if err != nil {
		t.Fatal(err)
	}
	r := &c.Rows[0]
	if r.Name != "nhm-ep-2s" || r.Unit != "MB/sec" || r.Lower || r.Effect.N != 2 {
		t.Errorf("row %q in %s, lower is better: %v, %d pairs", r.Name, r.Unit, r.Lower, r.Effect.N)
	}
	if n := r.Base[0].Counters.ShadowDiffers; n == 0 || n > r.Base[0].Counters.Wakeups {
		t.Errorf("the patch differs in %d of %d wakeups", n, r.Base[0].Counters.Wakeups)
	}
	if r.Base[0].TraceHash == r.Patched[0].TraceHash || r.Base[0].TraceHash == r.Control[0].TraceHash {
		t.Error("two arms took the same decisions")
	}
	files, err := filepath.Glob(filepath.Join(b.Store.Dir(), "*", "*.json"))
	if err != nil || len(files) != 12 {
		t.Errorf("%d stored runs of 12, %v", len(files), err)
	}
	begin := time.Now()
	again, err := b.Compare(context.Background(), nearPrev, setups...)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(c, again); diff != "" {
		t.Errorf("from the store (-first +again):\n%s", diff)
	}
	t.Logf("from the store in %v: %v", time.Since(begin), again)
}

// TestTrace: a recorded run is the run.
func TestTrace(t *testing.T) {
	b := open(t)
	s := small
	s.System = "governor=schedutil"
	tr, err := b.Trace(context.Background(), s, 1, nearPrev)
	if err != nil {
		t.Fatal(err)
	}
	r, err := b.Run(context.Background(), s, 1, nearPrev)
	if err != nil {
		t.Fatal(err)
	}
	if d := float64(len(tr.Latencies)) / float64(r.Counters.Wakeups); d < 0.98 || d > 1.02 {
		t.Errorf("%d latencies, %d wakeups", len(tr.Latencies), r.Counters.Wakeups)
	}
	if tr.Kernel != "v6.12+near-prev" || len(tr.Samples) != 200 || len(tr.Samples[0].MHz) != 16 || len(tr.Samples[199].Tasks) < 16 {
		t.Errorf("%s, %d samples", tr.Kernel, len(tr.Samples))
	}
	if tr.Samples[0].At != tr.From || tr.To-tr.From != int64(s.Measure) {
		t.Errorf("from %d to %d, first sample at %d", tr.From, tr.To, tr.Samples[0].At)
	}
}

func TestErrors(t *testing.T) {
	b := open(t)
	with := func(set func(*experiment.Setup)) experiment.Setup {
		s := small
		set(&s)
		return s
	}
	taken := nearPrev
	taken.Name = "idle-prev"
	old := nearPrev
	old.Name, old.From, old.To = "old", "v5.9", "v5.10"
	for _, tc := range []struct {
		name, want string
		patch      schedsim.Patch
		setup      experiment.Setup
	}{
		{"no machine", "no-such", nearPrev, with(func(s *experiment.Setup) { s.Machine = "no-such" })},
		{"no workload", `no workload "nothing"`, nearPrev, with(func(s *experiment.Setup) { s.Workload = "nothing" })},
		{"no value", "write it as name=value", nearPrev, with(func(s *experiment.Setup) { s.Workload = "tbench clients" })},
		{"twice", "clients is given twice", nearPrev, with(func(s *experiment.Setup) { s.Workload = "tbench clients=1 clients=2" })},
		{"no parameter", `no parameter "client"`, nearPrev, with(func(s *experiment.Setup) { s.Workload = "tbench client=1" })},
		{"no setting", "turbo", nearPrev, with(func(s *experiment.Setup) { s.System = "turbo=off" })},
		{"no time", "some to measure", nearPrev, with(func(s *experiment.Setup) { s.Measure = 0 })},
		{"no name", "needs a Name", schedsim.Patch{Apply: nearPrev.Apply}, small},
		{"taken name", `the model has a patch of the name "idle-prev"`, taken, small},
		{"other version", "v5.10", old, small},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := b.Compare(context.Background(), tc.patch, tc.setup)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want one with %q", err, tc.want)
			}
		})
	}
	if _, err := b.Compare(context.Background(), nearPrev); err == nil {
		t.Error("compared nothing")
	}
	b.Runs = 1
	if _, err := b.Compare(context.Background(), nearPrev, small); err == nil || !strings.Contains(err.Error(), "set Runs to 2") {
		t.Errorf("one run: %v", err)
	}
}

func TestMain(m *testing.M) {
	os.Unsetenv(experiment.StoreEnv)
	os.Exit(m.Run())
}
