package workload_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/workload"
)

func dbench(t testing.TB, machine string, p workload.DbenchParams, warmup, measure time.Duration, patches ...schedsim.Patch) schedsim.Result {
	t.Helper()
	w, err := workload.NewDbench(p)
	if err != nil {
		t.Fatal(err)
	}
	return numaRun(t, machine, 1, w, warmup, measure, patches...)
}

// mbPerOp is what an operation of client.txt transfers, MB.
const mbPerOp = 1194.73 * 3 / 664271

// TestDbenchBounds: each of the three things that a client waits for bounds what is
// done: the CPU, the lock, the journal.
func TestDbenchBounds(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(p *workload.DbenchParams)
		want   float64 // MB/s
	}{
		// One client: an operation after another, at the clock of a lone core.
		{"cpu", func(p *workload.DbenchParams) { p.Clients, p.LockNS = 1, 0 }, mbPerOp / 20e-6 * 3600 / 2800},
		// All others wait while one holds it, and a wakeup is between any two.
		{"lock", func(p *workload.DbenchParams) { p.OpNS, p.LockNS, p.BatchOps = 20e3, 1e6, 100 }, mbPerOp * 100 / 1e-3},
		// Each client does a batch in two commits: it asks while one is written.
		{"journal", func(p *workload.DbenchParams) { p.CommitNS, p.BatchOps = 100e6, 80 }, mbPerOp * 36 * 80 / 100e-3 / 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := workload.DefaultDbench(36)
			p.Intensity = 0
			tc.change(&p)
			r := dbench(t, "hsw-ep-2s", p, time.Second, 10*time.Second)
			if r.Throughput < tc.want*0.8 || r.Throughput > tc.want*1.2 {
				t.Errorf("%.0f %s, want about %.0f", r.Throughput, r.Unit, tc.want)
			}
		})
	}
}

// TestDbenchCommits: commits spread as asked for. A run of 2 s has some hundred of
// them, so that runs spread by a tenth of that.
func TestDbenchCommits(t *testing.T) {
	spread := func(cv float64) float64 {
		p := workload.DefaultDbench(4)
		p.LockNS, p.CommitNS, p.CommitCV = 0, 20e6, cv
		const n = 16
		var sum, square float64
		for seed := range uint64(n) {
			w, err := workload.NewDbench(p)
			if err != nil {
				t.Fatal(err)
			}
			v := numaRun(t, "hsw-ep-2s", seed+1, w, 0, 2*time.Second).Throughput
			sum += v
			square += v * v
		}
		return math.Sqrt(max(0, square/n-sum*sum/n/n)) / (sum / n)
	}
	one, four := spread(1), spread(4)
	if one < 0.05 || one > 0.2 || four < 1.5*one {
		t.Errorf("runs spread by %.3f with a coefficient of 1 and by %.3f with 4", one, four)
	}
}

// TestDbenchFiles: files that are written anew lie where their client runs then, so
// that with passes as short as a second accesses are more local than with none.
func TestDbenchFiles(t *testing.T) {
	local := func(ops float64) float64 {
		p := workload.DefaultDbench(0)
		p.LoopOps = ops
		return metric(t, dbench(t, "hsw-ep-2s", p, 2*time.Second, time.Second), "local-accesses")
	}
	if short, never := local(5e3), local(1e9); short <= never {
		t.Errorf("%.1f %% local with short passes, %.1f %% with none", short, never)
	}
}

// TestDbenchErrors: what cannot be is refused.
func TestDbenchErrors(t *testing.T) {
	for _, tc := range []struct {
		want   string
		change func(p *workload.DbenchParams)
	}{
		{"clients", func(p *workload.DbenchParams) { p.Clients = -1 }},
		{"not positive", func(p *workload.DbenchParams) { p.OpNS = 0 }},
		{"under locks", func(p *workload.DbenchParams) { p.LockNS = 1e9 }},
		{"1 or more", func(p *workload.DbenchParams) { p.CommitCV = math.NaN() }},
		{"within 0 to 1", func(p *workload.DbenchParams) { p.CacheShare = 2 }},
	} {
		p := workload.DefaultDbench(1)
		tc.change(&p)
		if w, err := workload.NewDbench(p); err == nil || !strings.Contains(err.Error(), tc.want) || w != nil {
			t.Errorf("%v, %v; want an error with %q", w, err, tc.want)
		}
	}
}

func ExampleNewDbench() {
	w, err := workload.NewDbench(workload.DefaultDbench(36))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(w.Name())
	// Output: dbench-36
}
