package workload

import (
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// BenchmarkSocketCost measures what hackbench's constants say: the CPU time of
// writing a message of 100 bytes to a local stream socket, and of reading it, with
// both on one CPU and on two. What a side takes more on two CPUs is what it waits for
// the lines of the message's memory: the reader for those that the writer wrote, the
// writer for those of memory that the reader freed. Messages go in batches, so that
// the queue's own lines count little.
//
//	go test -run '^$' -bench SocketCost -benchtime 2000x ./schedsim/workload
func BenchmarkSocketCost(b *testing.B) {
	var cpus unix.CPUSet
	if err := unix.SchedGetaffinity(0, &cpus); err != nil || cpus.Count() < 2 {
		b.Skip("needs two CPUs")
	}
	var two []int
	for cpu := 0; len(two) < 2; cpu++ {
		if cpus.IsSet(cpu) {
			two = append(two, cpu)
		}
	}
	b.Run("one-cpu", func(b *testing.B) { socketCost(b, two[0], two[0]) })
	b.Run("two-cpus", func(b *testing.B) { socketCost(b, two[0], two[1]) })
}

// socketCost passes batches from a writer on one CPU to a reader on another.
func socketCost(b *testing.B, writer, reader int) {
	const batch = 100
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer unix.Close(fds[0])
	defer unix.Close(fds[1])
	var turn atomic.Int32 // 0 the writer's, 1 the reader's
	side := func(cpu, mine int, call uintptr, fd int, took []float64) error {
		runtime.LockOSThread() // never unlocked: the thread ends with its affinity
		var set unix.CPUSet
		set.Set(cpu)
		if err := unix.SchedSetaffinity(0, &set); err != nil {
			return err
		}
		message := make([]byte, messageBytes)
		for i := range took {
			for turn.Load() != int32(mine) {
				unix.Syscall(unix.SYS_SCHED_YIELD, 0, 0, 0)
			}
			start := threadTime()
			for range batch {
				// It never waits, so the runtime need not know of it.
				if n, _, errno := unix.RawSyscall(call, uintptr(fd), uintptr(unsafe.Pointer(&message[0])), messageBytes); n != messageBytes {
					return errno
				}
			}
			took[i] = float64(threadTime()-start) / batch
			turn.Store(int32(1 - mine))
		}
		return nil
	}
	writes, reads, errs := make([]float64, b.N), make([]float64, b.N), make(chan error)
	go func() { errs <- side(writer, 0, unix.SYS_WRITE, fds[0], writes) }()
	go func() { errs <- side(reader, 1, unix.SYS_READ, fds[1], reads) }()
	for range 2 {
		if err := <-errs; err != nil {
			b.Fatal(err)
		}
	}
	slices.Sort(writes)
	slices.Sort(reads)
	b.ReportMetric(writes[b.N/2], "write-ns")
	b.ReportMetric(reads[b.N/2], "read-ns")
	b.ReportMetric(0, "ns/op")
}

// threadTime is the CPU time of the calling thread, ns.
func threadTime() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return t.Nano()
}
