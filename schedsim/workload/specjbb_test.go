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

// numaRun runs a workload on a machine with the kernel of August 2018.
func numaRun(t testing.TB, machine string, seed uint64, w schedsim.Workload, warmup, measure time.Duration, patches ...schedsim.Patch) schedsim.Result {
	t.Helper()
	m, err := topology.Load(machine)
	if err != nil {
		t.Fatal(err)
	}
	k := schedsim.V418(len(m.OnlineCPUs())).With(schedsim.NUMARework)
	if m.Arch == "ppc64" {
		k.HZ = 100
	}
	r, err := schedsim.Run(context.Background(), schedsim.Config{
		Machine: m, Kernel: k.With(patches...), Workload: w, Seed: seed, Warmup: warmup, Measure: measure,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func specjbb(t testing.TB, machine string, p workload.SPECjbbParams, warmup, measure time.Duration, patches ...schedsim.Patch) schedsim.Result {
	t.Helper()
	w, err := workload.NewSPECjbb(p)
	if err != nil {
		t.Fatal(err)
	}
	return numaRun(t, machine, 1, w, warmup, measure, patches...)
}

func metric(t testing.TB, r schedsim.Result, name string) float64 {
	t.Helper()
	m, ok := r.Metric(name)
	if !ok {
		t.Fatalf("no metric %s", name)
	}
	return m.Value
}

// TestSPECjbbOneThread: a thread alone that neither collects nor waits does
// ThreadOps at the clock that it has, and with a share of waits for memory less by
// what the cache that it has alone saves it.
func TestSPECjbbOneThread(t *testing.T) {
	p := workload.DefaultSPECjbb(1)
	p.Warehouses, p.Points, p.GCShare, p.BlocksPerSecond, p.Intensity = 1, 1, 0, 0, 0
	p.YoungMiB, p.OldMiB = 256, 64 // of pages that are there when it is measured
	clock := 3600.0 / 2800         // of an E5-2699 v3: one core active, and all of them
	r := specjbb(t, "hsw-ep-2s", p, 5*time.Second, 2*time.Second)
	if want := p.ThreadOps * clock; math.Abs(r.Throughput/want-1) > 0.005 {
		t.Errorf("%.0f %s, want %.0f", r.Throughput, r.Unit, want)
	}
	p.Intensity = 0.3
	r = specjbb(t, "hsw-ep-2s", p, 5*time.Second, 2*time.Second)
	// 45 MiB for one thread instead of 10; the waits for memory are local but for
	// pages that came to lie elsewhere.
	low, high := p.ThreadOps*clock, p.ThreadOps*clock/(1+0.3*(math.Pow(10.0/45, p.CacheExponent)-1))
	if r.Throughput < low || r.Throughput > high*1.005 {
		t.Errorf("%.0f %s with memory, want between %.0f and %.0f", r.Throughput, r.Unit, low, high)
	}
}

// TestSPECjbbCollections: there is one each time that the young part of the heap
// was allocated; it takes its work over the threads that share it, and nobody does
// operations meanwhile.
func TestSPECjbbCollections(t *testing.T) {
	p := workload.DefaultSPECjbb(1)
	p.Points, p.Intensity, p.GCThreads, p.GCShare, p.YoungMiB = 1, 0, 8, 0.25, 1024
	const seconds = 5
	r := specjbb(t, "hsw-ep-2s", p, time.Second, seconds*time.Second)
	young := p.YoungMiB * 1024 / p.AllocKiB // operations
	pause := metric(t, r, "gc-pause")
	// Eight threads collect as fast as eight mutate: a quarter of that time.
	if want := 1e3 * 0.25 * young / p.ThreadOps / 8; pause < want*0.8 || pause > want*1.2 {
		t.Errorf("pause of %.1f ms, want about %.1f", pause, want)
	}
	share := metric(t, r, "gc-share")
	if want := 100 * pause / 1e3 * r.Throughput / young; math.Abs(share/want-1) > 0.1 {
		t.Errorf("%.2f %% of the time, want about %.2f: %.0f ops/s and one collection in %.0f", share, want, r.Throughput, young)
	}
	if share < 16 || share > 24 {
		t.Errorf("%.2f %% of the time, want about a fifth", share)
	}
}

// TestSPECjbbPoints: the threads of a point end with it.
func TestSPECjbbPoints(t *testing.T) {
	p := workload.DefaultSPECjbb(1)
	p.Points, p.PointSeconds, p.GCShare, p.Intensity = 4, 2, 0, 0
	ops := func(warmup time.Duration) float64 {
		return specjbb(t, "hsw-ep-2s", p, warmup, time.Second).Throughput
	}
	// 2, 4, 6 and 8 threads, 3 s apart.
	first, last := ops(500*time.Millisecond), ops(9500*time.Millisecond)
	if r := last / first; r < 3 || r > 4.05 { // the clock sinks with the number of cores
		t.Errorf("%.0f ops/s with 2 threads, %.0f with 8", first, last)
	}
	if busy := metric(t, specjbb(t, "hsw-ep-2s", p, 9500*time.Millisecond, time.Second), "busy-time"); busy < 7.5 || busy > 8.5 {
		t.Errorf("%.2f CPUs busy in the last point, want 8", busy)
	}
}

// TestSPECjbbCache: threads that share a cache slow one another down.
func TestSPECjbbCache(t *testing.T) {
	p := workload.DefaultSPECjbb(4)
	p.Points, p.GCShare = 1, 0
	with := specjbb(t, "hsw-ep-2s", p, time.Second, time.Second).Throughput
	p.CacheExponent = 0
	without := specjbb(t, "hsw-ep-2s", p, time.Second, time.Second).Throughput
	// 16 threads on each cache of 45 MiB.
	want := 1 + 0.3*(math.Pow(10*16/45.0, 0.355)-1)
	if got := without / with; math.Abs(got/want-1) > 0.02 {
		t.Errorf("slower by %.3f, want %.3f", got, want)
	}
}

// TestSPECjbbHeap: NUMA balancing leaves hugetlbfs alone. A heap of transparent
// huge pages is scanned, which makes pages protected by orders of magnitude more.
func TestSPECjbbHeap(t *testing.T) {
	p := workload.DefaultSPECjbb(4)
	p.PointSeconds = 3
	updates := func(heap string, patches ...schedsim.Patch) float64 {
		p.Heap = heap
		return metric(t, specjbb(t, "hsw-ep-2s", p, 6*time.Second, 3*time.Second, patches...), "point-numa-pte-updates")
	}
	hugetlb, thp, off := updates("hugetlb"), updates("thp"), updates("thp", schedsim.NoNUMABalancing)
	if hugetlb <= 0 || thp < 30*hugetlb || off != 0 {
		t.Errorf("%.0f pages protected with hugetlbfs, %.0f with transparent huge pages, %.0f with balancing off", hugetlb, thp, off)
	}
}

// TestSPECjbbErrors: what cannot be is refused.
func TestSPECjbbErrors(t *testing.T) {
	for _, tc := range []struct {
		want   string
		change func(p *workload.SPECjbbParams)
	}{
		{"at least 1", func(p *workload.SPECjbbParams) { p.JVMs = 0 }},
		{"not positive", func(p *workload.SPECjbbParams) { p.ThreadOps = math.NaN() }},
		{"negative", func(p *workload.SPECjbbParams) { p.GCShare = -1 }},
		{"within 0 to 1", func(p *workload.SPECjbbParams) { p.HotShare = 0.99 }},
		{"use hugetlb", func(p *workload.SPECjbbParams) { p.Heap = "tmpfs" }},
	} {
		p := workload.DefaultSPECjbb(1)
		tc.change(&p)
		if w, err := workload.NewSPECjbb(p); err == nil || !strings.Contains(err.Error(), tc.want) || w != nil {
			t.Errorf("%v, %v; want an error with %q", w, err, tc.want)
		}
	}
}

// TestSPECjbbRepeats: the same seed gives the same run, to the last decision.
func TestSPECjbbRepeats(t *testing.T) {
	p := workload.DefaultSPECjbb(2)
	p.PointSeconds = 0.5
	run := func() uint64 { return specjbb(t, "p9-2s2n", p, 2*time.Second, time.Second).TraceHash }
	if a, b := run(), run(); a != b {
		t.Errorf("%x and %x", a, b)
	}
}

func ExampleNewSPECjbb() {
	p := workload.DefaultSPECjbb(4)
	p.Heap = "thp"
	w, err := workload.NewSPECjbb(p)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(w.Name())
	// Output: specjbb-4-8
}
