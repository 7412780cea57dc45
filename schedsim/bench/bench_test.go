package bench

import (
	"strconv"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// report gives the three figures of what r simulated while b ran.
//
// The CPU time of an event is what to compare on a machine that does other things
// as well.
func report(b *testing.B, r *schedsim.Simulation, events int64, from, cpu time.Duration) {
	n := float64(r.Events() - events)
	b.ReportMetric(float64(cpuTime()-cpu)/n, "cpu-ns/ev")
	cpuSeconds := (r.Elapsed() - from).Seconds() * float64(r.CPUs())
	wall := b.Elapsed().Seconds()
	b.ReportMetric(n/wall, "ev/s")
	b.ReportMetric(cpuSeconds/wall, "cpu-s/s")
	b.ReportMetric(n/cpuSeconds, "ev/cpu-s")
	b.ReportMetric(wall*1e9/n, "ns/ev")
}

// step warms a case up and steps it; an operation is 1,000 steps.
func step(b *testing.B, c *Case) {
	r, err := c.Warmed(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	events, from := r.Events(), r.Elapsed()
	b.ReportAllocs()
	cpu := cpuTime()
	for b.Loop() {
		r.Step(1000)
	}
	report(b, r, events, from, cpu)
}

// BenchmarkCase steps the cases.
func BenchmarkCase(b *testing.B) {
	for _, c := range Cases() {
		b.Run(c.Name, func(b *testing.B) { step(b, &c) })
	}
}

// BenchmarkBig steps machines that differ in nothing but their size.
func BenchmarkBig(b *testing.B) {
	for _, cpus := range []int{16, 160, 1024} {
		b.Run(strconv.Itoa(cpus), func(b *testing.B) { step(b, onBig(cpus, 0, 100*time.Millisecond)) })
	}
}

// TestAllocations: once warm, an event of any case allocates nothing.
func TestAllocations(t *testing.T) {
	for _, c := range Cases() {
		t.Run(c.Name, func(t *testing.T) {
			r, err := c.Warmed(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			const events = 50_000
			if n := testing.AllocsPerRun(3, func() { r.Step(events) }); n > 0 {
				t.Errorf("%v allocations in %d events", n, events)
			}
		})
	}
}

// TestMemory: 1,024 CPUs and 10,000 tasks stay below 64 MiB.
func TestMemory(t *testing.T) {
	n, err := Memory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%.1f MiB", float64(n)/(1<<20))
	if n > 64<<20 {
		t.Errorf("%d MiB, want less than 64", n>>20)
	}
}

// BenchmarkGrowth gives the cost of an event by what could make it grow.
func BenchmarkGrowth(b *testing.B) {
	for b.Loop() {
		growth, err := Growth(b.Context(), 3, 200*time.Millisecond)
		if err != nil {
			b.Fatal(err)
		}
		for _, g := range growth {
			b.ReportMetric(g.Value(), g.Name+"-ratio")
		}
	}
}

// BenchmarkReplications gives what a second thread gains.
func BenchmarkReplications(b *testing.B) {
	for b.Loop() {
		x, err := Replications(b.Context(), 2, 3, 200*time.Millisecond)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(x, "times")
		b.ReportMetric(Arithmetic(2, 3, 200*time.Millisecond), "arithmetic-times")
	}
}
