package workload_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/workload"
	"github.com/schedlab/schedlab/topology"
)

var (
	updateHashes = flag.Bool("update", false, "rewrite the golden files in testdata")
	fewHashes    = flag.Bool("few", false, "compare a few trace hashes only, of the smaller machines")
)

// hashTime is how much simulated time a hash is of: the start of a workload, with the forks,
// wakeups and balancing of a tick or two; and so many times that if nothing happens till then.
const (
	hashTime   = 4 * time.Millisecond
	hashLonger = 15
	noDecision = 14695981039346656037 // the digest of nothing, FNV's offset basis
)

// hashOf is the digest of all decisions of a workload with its defaults.
func hashOf(name, kernel string, m *topology.Machine) (uint64, error) {
	r, err := hashRun(name, kernel, m, hashTime)
	if err == nil && r.TraceHash == noDecision {
		r, err = hashRun(name, kernel, m, hashLonger*hashTime)
	}
	if err == nil && r.TraceHash == noDecision {
		err = fmt.Errorf("nothing happens in %v", hashLonger*hashTime)
	}
	return r.TraceHash, err
}

func hashRun(name, kernel string, m *topology.Machine, d time.Duration) (schedsim.Result, error) {
	spec, err := workload.Lookup(name)
	if err != nil {
		return schedsim.Result{}, err
	}
	given := map[string]string{}
	for _, p := range spec.Params {
		if !p.Text && math.IsNaN(p.Default) { // how many tasks, mostly
			given[p.Name] = fmt.Sprint(max(p.Low, min(8, p.High)))
		}
	}
	values, err := spec.Values(given)
	if err != nil {
		return schedsim.Result{}, err
	}
	w, err := spec.New(values)
	if err != nil {
		return schedsim.Result{}, err
	}
	k, err := schedsim.LookupKernel(kernel, len(m.OnlineCPUs()))
	if err != nil {
		return schedsim.Result{}, err
	}
	return schedsim.Run(context.Background(), schedsim.Config{
		Machine: m, Kernel: k, Workload: w, Seed: 1, Measure: d, Stretch: true,
	})
}

// TestTraceHashes compares the trace hash of each workload, kernel and machine, all that there
// are, with those of the golden files. They change with schedsim.ModelVersion; -update writes
// them anew.
func TestTraceHashes(t *testing.T) {
	machines := topology.Catalog()
	if *fewHashes || testing.Short() {
		machines = []string{"core2-2s", "p9-2s2n"}
	}
	loaded := make([]*topology.Machine, len(machines))
	for i, id := range machines {
		m, err := topology.Load(id)
		if err != nil {
			t.Fatal(err)
		}
		loaded[i] = m
	}
	for _, kernel := range schedsim.Versions() {
		t.Run(kernel, func(t *testing.T) {
			file := filepath.Join("testdata", "tracehash", kernel+".txt")
			names := workload.Names()
			hashes := make([]uint64, len(machines)*len(names))
			errs := make([]error, len(hashes))
			limit := make(chan struct{}, runtime.GOMAXPROCS(0))
			var wg sync.WaitGroup
			for i := range hashes {
				limit <- struct{}{}
				wg.Go(func() {
					hashes[i], errs[i] = hashOf(names[i%len(names)], kernel, loaded[i/len(names)])
					<-limit
				})
			}
			wg.Wait()
			var got strings.Builder
			for i, h := range hashes {
				value := fmt.Sprintf("%016x", h)
				if errs[i] != nil {
					value = errs[i].Error()
				}
				fmt.Fprintf(&got, "%s %s %s\n", machines[i/len(names)], names[i%len(names)], value)
			}
			if *updateHashes {
				if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]bool{}
			for line := range strings.Lines(string(text)) {
				want[line] = true
			}
			lines := 0
			for line := range strings.Lines(got.String()) {
				if lines++; !want[line] {
					t.Errorf("not in %s: %sIf results are to change, change schedsim.ModelVersion, then run the test with -update.", file, line)
				}
			}
			if lines != len(want) && len(machines) == len(topology.Catalog()) {
				t.Errorf("%s has %d lines, want %d", file, len(want), lines)
			}
			t.Logf("%d hashes", lines)
		})
	}
}

// TestTraceHashesElsewhere: the same hashes at any GOMAXPROCS, with the race detector, and
// without optimisation and inlining.
func TestTraceHashesElsewhere(t *testing.T) {
	if *fewHashes || testing.Short() {
		t.Skip("builds and runs other binaries")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	few := func(t *testing.T, binary string, env ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), binary, "-test.run=^TestTraceHashes$", "-test.v", "-few")
		cmd.Env = append(os.Environ(), env...)
		out, err := cmd.CombinedOutput()
		if err != nil || strings.Count(string(out), "hashes\n") != len(schedsim.Versions()) {
			t.Errorf("%v\n%s", err, out)
		}
	}
	for _, procs := range []string{"1", "2", "8"} {
		t.Run("GOMAXPROCS="+procs, func(t *testing.T) { few(t, self, "GOMAXPROCS="+procs) })
	}
	for _, build := range []struct{ name, flag string }{
		{"race", "-race"},
		{"unoptimised", "-gcflags=github.com/schedlab/schedlab/...=-N -l"},
	} {
		t.Run(build.name, func(t *testing.T) {
			binary := filepath.Join(t.TempDir(), "workload.test")
			out, err := exec.CommandContext(t.Context(), "go", "test", "-c", build.flag, "-o", binary, ".").CombinedOutput()
			switch {
			case build.name == "race" && strings.Contains(string(out), "-race requires cgo"),
				build.name == "race" && strings.Contains(string(out), "C compiler"):
				t.Skipf("the race detector needs a C compiler: %s", out)
			case err != nil:
				t.Fatalf("%v\n%s", err, out)
			}
			few(t, binary)
		})
	}
}
