package schedsim

import (
	"fmt"
	"testing"
)

// BenchmarkQueue takes the earliest event and schedules the next of its slot,
// as a simulation of that many CPUs does all the time.
func BenchmarkQueue(b *testing.B) {
	for _, cpus := range []int{8, 80, 1024} {
		b.Run(fmt.Sprint(cpus), func(b *testing.B) {
			q := newQueue(2*cpus + 3)
			r := Rand(1)
			for i := range cpus {
				q.set(int32(i), int64(r.IntN(5000)))
			}
			b.ReportAllocs()
			for b.Loop() {
				slot, at := q.next()
				q.set(slot, at+int64(r.IntN(5000)))
			}
		})
	}
}
