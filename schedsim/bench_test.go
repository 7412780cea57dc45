package schedsim_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/workload"
)

// stepTbench starts tbench on the 80 CPUs of a two-socket server.
func stepTbench(b *testing.B, clients int) (r *schedsim.Stepper, cpus int) {
	b.Helper()
	w, err := workload.NewTbench(workload.DefaultTbench(clients))
	if err != nil {
		b.Fatal(err)
	}
	m := schedsim.SmallMachine(2, 20, 2)
	cpus = len(m.CPUs)
	return schedsim.NewStepper(b, schedsim.Config{Machine: m, Kernel: schedsim.V510(cpus), Workload: w, Seed: 1}), cpus
}

// report gives the speed of the events since from: events a second (ev/s),
// simulated CPU seconds a second (cpu-s/s), and the events that a simulated CPU
// second has (ev/cpu-s), whose product with the second is the first.
func report(b *testing.B, r *schedsim.Stepper, cpus int, fromEvents, fromNS int64) {
	events := float64(r.Events() - fromEvents)
	cpuSeconds := float64(r.Now()-fromNS) / 1e9 * float64(cpus)
	wall := b.Elapsed().Seconds()
	b.ReportMetric(events/wall, "ev/s")
	b.ReportMetric(cpuSeconds/wall, "cpu-s/s")
	b.ReportMetric(events/cpuSeconds, "ev/cpu-s")
	b.ReportMetric(wall*1e9/events, "ns/ev")
}

// BenchmarkTbench steps tbench with as many clients as the name says; an
// operation is 1,000 events.
func BenchmarkTbench(b *testing.B) {
	for _, clients := range []int{1, 64, 128, 320} {
		b.Run(fmt.Sprint(clients), func(b *testing.B) {
			r, cpus := stepTbench(b, clients)
			r.RunTo(int64(250 * time.Millisecond)) // started, released and warm
			events, now := r.Events(), r.Now()
			b.ReportAllocs()
			for b.Loop() {
				r.Step(1000)
			}
			report(b, r, cpus, events, now)
		})
	}
}

// BenchmarkSimulatedTime runs tbench with 64 clients for a simulated time: an
// event must cost the same however long a run is.
func BenchmarkSimulatedTime(b *testing.B) {
	for _, d := range []time.Duration{100 * time.Millisecond, time.Second} {
		b.Run(d.String(), func(b *testing.B) {
			events, ns := int64(0), int64(0)
			for b.Loop() {
				b.StopTimer()
				r, _ := stepTbench(b, 64)
				r.RunTo(int64(200 * time.Millisecond))
				from := r.Events()
				b.StartTimer()
				r.RunTo(int64(200*time.Millisecond + d))
				events += r.Events() - from
				ns += int64(d)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/ev")
			b.ReportMetric(float64(events)/(float64(ns)/1e9), "ev/sim-s")
		})
	}
}

// BenchmarkStart builds the machine and starts the workload, which a study does
// once for each run.
func BenchmarkStart(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		stepTbench(b, 64)
	}
}
