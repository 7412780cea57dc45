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

// npbRun runs a program on the machine of the idle-prev post without the system
// beside it, unless background is given.
func npbRun(t testing.TB, p workload.NPBParams, background *workload.BackgroundParams, measure time.Duration) schedsim.Result {
	t.Helper()
	m, err := topology.Load("bdx-ex-4s")
	if err != nil {
		t.Fatal(err)
	}
	program, err := workload.NewNPB(p)
	if err != nil {
		t.Fatal(err)
	}
	var w schedsim.Workload = program
	if background != nil {
		if w, err = workload.WithBackground(program, *background, len(m.CPUs)); err != nil {
			t.Fatal(err)
		}
	}
	r, err := schedsim.Run(context.Background(), schedsim.Config{
		Machine: m, Kernel: schedsim.V59(len(m.CPUs)), Workload: w, Seed: 1,
		Warmup: 100 * time.Millisecond, Measure: measure,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestNPBAddsUp: undisturbed, bt takes its work over the cores, and what its loops
// over 162 rows leave two threads to do alone; lu's pipeline takes as many planes
// more as there are threads.
func TestNPBAddsUp(t *testing.T) {
	for _, c := range []struct {
		code string
		// ideal is the time of all steps, s: with all 80 cores at 1.25 busy.
		ideal, low, high float64
	}{
		{"bt", 200 * (3478.8*162*162*162 - 17655.7*162*162 + 28023.7*162) * 0.8e-9 / 100, 0.97, 1.08}, // who waits leaves the core to its sibling
		// Of lu 0.71 is in sweeps, of which 0.525 waits for the thread before.
		{"lu", 250 * (1984.77*162*162*162 - 10923.3*162*162) * 0.8e-9 / 100, 1.2, 1.75},
		{"sp", 400 * (881.174*162*162*162 - 4683.91*162*162) * 0.8e-9 * 2.4 / 100, 1, 1.12},
		{"ua", 200 * 33500 * 125 * 11 * 280e-9 / 100, 1, 1.25},
	} {
		t.Run(c.code, func(t *testing.T) {
			p := workload.DefaultNPB(c.code, "C")
			p.MemoryShare = 0
			r := npbRun(t, p, nil, 600*time.Millisecond)
			if ratio := r.Throughput / c.ideal; r.Unit != "s" || ratio < c.low || ratio > c.high {
				t.Errorf("%.2f %s, ideal %.2f: ratio %.3f, want %g to %g", r.Throughput, r.Unit, c.ideal, ratio, c.low, c.high)
			}
		})
	}
}

// TestNPBWaits: bt sleeps at barriers only where the limit of spinning is shorter
// than the wait, and never without one. Memory costs nothing here: else all wait for
// threads that are on another node than their data since the program started.
func TestNPBWaits(t *testing.T) {
	sleeps := func(spin float64) float64 {
		p := workload.DefaultNPB("bt", "C")
		p.SpinNS, p.MemoryShare = spin, 0
		r := npbRun(t, p, nil, 600*time.Millisecond)
		m, ok := r.Metric("futex-sleeps/step")
		if !ok {
			t.Fatal("no metric futex-sleeps/step")
		}
		return m.Value
	}
	if n := sleeps(1e12); n != 0 {
		t.Errorf("%g sleeps a step without a limit", n)
	}
	// The loop over 162 rows makes 158 threads wait for the two with two rows.
	if n := sleeps(1.5e6); n < 150 || n > 200 {
		t.Errorf("%g sleeps a step, want about 158", n)
	}
}

// TestNPBSharedData: threads fault on data that others touch too, and their pages move.
func TestNPBSharedData(t *testing.T) {
	m, err := topology.Load("bdx-ex-4s")
	if err != nil {
		t.Fatal(err)
	}
	w, err := workload.NewNPB(workload.DefaultNPB("lu", "C"))
	if err != nil {
		t.Fatal(err)
	}
	k := schedsim.V59(len(m.CPUs))
	k.NUMABalancing = true
	r, err := schedsim.Run(context.Background(), schedsim.Config{
		Machine: m, Kernel: k, Workload: w, Seed: 1, Measure: 4 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	// A fifth of 612 MB are the parts of threads, and not all of them are away from theirs.
	const parts = 612_000_000 / 5 / 4096
	if n := r.Counters.NUMAPagesMigrated; n < parts {
		t.Errorf("%d pages moved, want more than the %d that threads have for themselves", n, parts)
	}
}

// TestBackground: the system beside a program takes its own time, is deterministic,
// and leaves nothing behind that a new task would.
func TestBackground(t *testing.T) {
	p := workload.DefaultNPB("bt", "C")
	p.SpinNS = 1e12
	alone := npbRun(t, p, nil, 500*time.Millisecond)
	if alone.Counters.Wakeups != 0 {
		t.Errorf("%d wakeups without a system and without sleeping", alone.Counters.Wakeups)
	}
	b := workload.DefaultBackground()
	with := npbRun(t, p, &b, 500*time.Millisecond)
	// 10 daemons at 10 a second and 160 kworkers at 1.
	if n := with.Counters.Wakeups; n < 80 || n > 190 {
		t.Errorf("%d wakeups in half a second, want about 130", n)
	}
	if again := npbRun(t, p, &b, 500*time.Millisecond); again.TraceHash != with.TraceHash {
		t.Error("the same run twice differs")
	}
	w, err := workload.WithBackground(nil, workload.BackgroundParams{}, 4)
	if w != nil || err != nil {
		t.Errorf("an empty system is %v, %v, want the workload itself", w, err)
	}
	for _, c := range []struct {
		p    workload.BackgroundParams
		want string
	}{
		{workload.BackgroundParams{Daemons: -1}, "-1 daemons"},
		{workload.BackgroundParams{Daemons: 1, DaemonPeriodNS: 1}, "wakes every 1 ns"},
		{workload.BackgroundParams{VMStatPeriodNS: 1}, "run every 1 ns"},
		{workload.BackgroundParams{VMStatWorkNS: math.NaN()}, "negative or too long"},
	} {
		if _, err := workload.WithBackground(nil, c.p, 4); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

// TestNPBVersion: with 62 rows for 160 threads bt of 3.3 lets 98 wait in each loop,
// and sleep; 3.4 shares the rows of all planes out, and is faster for that.
func TestNPBVersion(t *testing.T) {
	run := func(version string) (seconds, sleeps float64) {
		p := workload.DefaultNPB("bt", "A")
		p.Version = version
		r := npbRun(t, p, nil, 300*time.Millisecond)
		m, _ := r.Metric("futex-sleeps/step")
		return r.Throughput, m.Value
	}
	s33, n33 := run("3.3")
	s34, n34 := run("3.4")
	if n33 < 98 || n34 != 0 || s34 > 0.8*s33 {
		t.Errorf("3.3: %.2f s, %g sleeps a step; 3.4: %.2f s, %g sleeps a step", s33, n33, s34, n34)
	}
}

func TestNPBBadParams(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*workload.NPBParams)
		want   string
	}{
		{"class", func(p *workload.NPBParams) { p.Class = "X" }, "no program bt of class X"},
		{"version", func(p *workload.NPBParams) { p.Version = "3" }, "no version"},
		{"threads", func(p *workload.NPBParams) { p.Threads = 1 }, "1 threads"},
		{"nan", func(p *workload.NPBParams) { p.OpNS = math.NaN() }, "negative or too large"},
		{"share", func(p *workload.NPBParams) { p.MemoryShare = 2 }, "above 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := workload.DefaultNPB("bt", "C")
			c.change(&p)
			if _, err := workload.NewNPB(p); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func ExampleNewNPB() {
	w, err := workload.NewNPB(workload.DefaultNPB("lu", "A"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(w.Name(), w.MaxTasks(), "tasks")
	// Output: lu.A.160 160 tasks
}

// TestNPBClasses: every program of every class runs; with fewer rows than threads
// most have nothing to do, and no class takes longer than the next larger one.
func TestNPBClasses(t *testing.T) {
	for _, code := range []string{"bt", "lu", "sp", "ua"} {
		last := 0.0
		for _, class := range []string{"A", "B", "C"} {
			r := npbRun(t, workload.DefaultNPB(code, class), nil, 400*time.Millisecond)
			if r.Throughput <= last || r.Throughput > 100 {
				t.Errorf("%s.%s takes %.2f s, the class before it %.2f s", code, class, r.Throughput, last)
			}
			last = r.Throughput
		}
	}
}

// TestNPBHandover: lu's pipeline waits for the rows that it hands on, and bt, which
// has none, does not.
func TestNPBHandover(t *testing.T) {
	seconds := func(code string, share float64) float64 {
		p := workload.DefaultNPB(code, "C")
		p.HandoverShare = share
		return npbRun(t, p, nil, 400*time.Millisecond).Throughput
	}
	// 101 lines at 52 ns and more, about 240 times in each of two sweeps of 250 steps.
	if d := seconds("lu", 1) - seconds("lu", 0); d < 0.6 || d > 6 {
		t.Errorf("lu takes %.2f s more if nothing of a row comes over meanwhile, want 0.6 to 6", d)
	}
	if d := seconds("bt", 1) - seconds("bt", 0); d != 0 {
		t.Errorf("bt takes %.2f s more", d)
	}
}
