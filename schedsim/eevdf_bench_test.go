package schedsim

import (
	"fmt"
	"testing"
	"time"
)

// crowd is pairs of tasks that hand a message to and fro, so that one of two is
// runnable, in a task group on eight CPUs.
func crowd(tb testing.TB, k Kernel, pairs int) *Sched {
	tb.Helper()
	w := &script{channels: 2 * pairs, loc: Locality{TransferLines: 5, RefillLines: 20}}
	for i := range int32(pairs) {
		work := run(time.Duration(8+i%5) * time.Microsecond)
		w.tasks = append(w.tasks,
			scripted{ops: []Op{work, send(2 * i), recv(2*i + 1)}, cpu: int(i % 8)},
			scripted{ops: []Op{recv(2 * i), work, send(2*i + 1)}, cpu: int(i % 8)})
	}
	s := newKernelSched(tb, k, testMachine(1, 8, 1), w, false)
	for s.now < bootTime+100e6 {
		s.step()
	}
	return s
}

// BenchmarkCrowd steps about as many runnable tasks a CPU as the name says; an
// operation is 1,000 events.
func BenchmarkCrowd(b *testing.B) {
	for _, version := range []func(int) Kernel{V510, V612} {
		for _, tasks := range []int{2, 9, 50, 200} {
			k := version(8)
			b.Run(fmt.Sprintf("%s/%d", k.Version, tasks), func(b *testing.B) {
				s := crowd(b, k, 8*tasks)
				from := s.count.Events
				b.ReportAllocs()
				for b.Loop() {
					for range 1000 {
						s.step()
					}
				}
				b.ReportMetric(float64(s.count.Events-from)/b.Elapsed().Seconds(), "ev/s")
			})
		}
	}
}
