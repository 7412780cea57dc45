package workload_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/workload"
	"github.com/schedlab/schedlab/topology"
)

func config(t testing.TB, p workload.TbenchParams) schedsim.Config {
	t.Helper()
	m, err := topology.Load("csl-2s-80")
	if err != nil {
		t.Fatal(err)
	}
	w, err := workload.NewTbench(p)
	if err != nil {
		t.Fatal(err)
	}
	return schedsim.Config{
		Machine: m, Kernel: schedsim.V510(len(m.CPUs)), Workload: w, Seed: 1,
		Warmup: 200 * time.Millisecond, Measure: 20 * time.Millisecond,
	}
}

func throughput(t testing.TB, p workload.TbenchParams) schedsim.Result {
	t.Helper()
	r, err := schedsim.Run(context.Background(), config(t, p))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// One client is a chain without queueing, so the time of an operation is the
// sum of its parts.
func TestOneClientAddsUp(t *testing.T) {
	perOp := func(change func(*workload.TbenchParams)) float64 {
		p := workload.DefaultTbench(1)
		change(&p)
		// Wakeups are two an operation.
		cfg := config(t, p)
		cfg.Measure = 500 * time.Millisecond // the mean over drawn sizes settles
		r, err := schedsim.Run(context.Background(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		return float64(r.MeasuredNS) / float64(r.Counters.Wakeups) * 2
	}
	base := perOp(func(*workload.TbenchParams) {})
	for _, c := range []struct {
		name   string
		change func(*workload.TbenchParams)
		// low and high bound the difference in ns an operation.
		low, high float64
	}{
		// Two messages, 1000 ns more each, on a core at 3900 MHz where work is
		// given for 2800 MHz: 1436. The other side waits longer, and so is
		// sometimes found in C1 (900 ns) instead of polling.
		{"work", func(p *workload.TbenchParams) { p.WorkNS += 1000 }, 1390, 1600},
		// The tail overlaps with the other side's work; it shortens the sleep
		// that follows, and so sometimes saves the exit from C1.
		{"tail", func(p *workload.TbenchParams) { p.TailNS += 200 }, -200, 20},
		// Two transfers, 10 lines more each at 48 ns between cores: 960.
		{"transfer", func(p *workload.TbenchParams) { p.TransferLines += 10 }, 900, 1100},
		// Nobody moves.
		{"refill", func(p *workload.TbenchParams) { p.RefillLines += 100 }, -1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := perOp(c.change) - base; d < c.low || d > c.high {
				t.Errorf("%+.0f ns an operation, want %g to %g", d, c.low, c.high)
			}
		})
	}
}

// Throughput counts operations, whose mean data is that of dbench's client.txt:
// 5.4 kB.
func TestThroughputIsOperations(t *testing.T) {
	r := throughput(t, workload.DefaultTbench(4))
	ops := float64(r.Counters.Wakeups) / 2
	got := r.Throughput * 1e6 * float64(r.MeasuredNS) / 1e9 / ops
	if math.Abs(got-5396) > 30 {
		t.Errorf("%.0f bytes an operation, want about 5396", got)
	}
	if r.Unit != "MB/sec" {
		t.Errorf("unit %q", r.Unit)
	}
}

// Each client has one server, and all of them are forked: 2n tasks and the two
// parents.
func TestStartsByForking(t *testing.T) {
	const clients = 6
	cfg := config(t, workload.DefaultTbench(clients))
	cfg.TraceEvents = 1 << 16
	cfg.Warmup, cfg.Measure = 0, 50*time.Millisecond
	_, events, err := schedsim.RunTrace(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	node := map[int]int{}
	forks := 0
	for _, e := range events {
		if e.Kind == schedsim.TraceFork {
			forks++
			node[cfg.Machine.CPUs[e.CPU].Node]++
		}
	}
	if forks != 2*clients {
		t.Errorf("%d forks, want %d", forks, 2*clients)
	}
	// v5.10 keeps a child on its parent's node while a CPU is idle there, so
	// both parents' children are whole multiples.
	for n, k := range node {
		if k%clients != 0 {
			t.Errorf("node %d got %d children, want 0, %d or %d", n, k, clients, 2*clients)
		}
	}
}

func TestNewTbenchErrors(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(*workload.TbenchParams)
	}{
		{"no clients", "at least 1", func(p *workload.TbenchParams) { p.Clients = 0 }},
		{"negative work", "negative", func(p *workload.TbenchParams) { p.WorkNS = -1 }},
		{"negative refill", "negative", func(p *workload.TbenchParams) { p.RefillLines = -1 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := workload.DefaultTbench(1)
			c.change(&p)
			if _, err := workload.NewTbench(p); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func ExampleNewTbench() {
	w, err := workload.NewTbench(workload.DefaultTbench(64))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(w.Name(), w.MaxTasks(), "tasks")
	// Output: tbench-64 130 tasks
}
