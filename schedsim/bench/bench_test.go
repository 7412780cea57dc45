package bench

import (
	"syscall"
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

// cpuTime is the user time of the process.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano())
}

// BenchmarkCase steps the cases; an operation is 1,000 events.
func BenchmarkCase(b *testing.B) {
	for _, c := range Cases() {
		b.Run(c.Name, func(b *testing.B) {
			r, err := c.Start()
			if err != nil {
				b.Fatal(err)
			}
			if err := r.Advance(b.Context(), c.Warm); err != nil {
				b.Fatal(err)
			}
			events, from := r.Events(), r.Elapsed()
			b.ReportAllocs()
			cpu := cpuTime()
			for b.Loop() {
				r.Step(1000)
			}
			report(b, r, events, from, cpu)
		})
	}
}
