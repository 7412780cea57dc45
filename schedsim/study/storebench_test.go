package study

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// benchKey and benchResult are of the size that stored runs have, some 5 kB.
func benchKey(seed uint64) Key {
	k := testKey(seed)
	k.MachineHash = fmt.Sprintf("%064x", 7)
	k.Params = make(map[string]string)
	k.System = map[string]string{"autogroup": "on", "driver": "intel_cpufreq", "governor": "ondemand", "hz": "250"}
	for i := range 16 {
		k.Params[fmt.Sprintf("parameter_%d_ns", i)] = fmt.Sprint(1.5 * float64(i))
		k.Constants[fmt.Sprintf("constant_%d_ns", i)] = 1.37 * float64(i)
	}
	return k
}

func benchResult(seed uint64) schedsim.Result {
	r := testResult(1000 + float64(seed)/3)
	for i := range 40 {
		r.Metrics = append(r.Metrics, schedsim.Metric{Name: fmt.Sprintf("some-metric-%d/s", i), Unit: "1/s", Value: float64(seed) * 1.1 / float64(i+1)})
	}
	return r
}

// BenchmarkStorePut stores runs as files of their own, so many at once.
func BenchmarkStorePut(b *testing.B) {
	for _, writers := range []int{1, 2, writesAtOnce, 64} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			s, err := Open(filepath.Join(b.TempDir(), "store"))
			if err != nil {
				b.Fatal(err)
			}
			var next atomic.Int64
			var wg sync.WaitGroup
			before := cpuTime()
			b.ResetTimer()
			for range writers {
				wg.Go(func() {
					for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
						if err := s.Put(benchKey(uint64(i)), benchResult(uint64(i))); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
			b.ReportMetric(float64((cpuTime()-before).Microseconds())/float64(b.N), "cpu-µs/run")
		})
	}
}

// BenchmarkStoreSweep stores runs that take no time to make, as a sweep does; each is on
// disk before it counts.
func BenchmarkStoreSweep(b *testing.B) {
	s, err := Open(filepath.Join(b.TempDir(), "store"))
	if err != nil {
		b.Fatal(err)
	}
	before := cpuTime()
	b.ResetTimer()
	w := newWriter(s, func(_ Job, err error) {
		if err != nil {
			b.Error(err)
		}
	})
	for i := range b.N {
		w.put(Job{Key: benchKey(uint64(i))}, benchResult(uint64(i)))
	}
	w.wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
	b.ReportMetric(float64((cpuTime()-before).Microseconds())/float64(b.N), "cpu-µs/run")
}

// benchRuns is the size of the store that is read: that of a large sweep.
const benchRuns = 100_000

// benchStore makes that store once, without waiting for the disk.
var benchStore = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "schedlab-store-*")
	if err != nil {
		return "", err
	}
	for i := range 256 {
		if err := os.Mkdir(filepath.Join(dir, fmt.Sprintf("%02x", i)), 0o777); err != nil {
			return dir, err
		}
	}
	for i := range uint64(benchRuns) {
		key, err := benchKey(i).text()
		if err != nil {
			return dir, err
		}
		data, err := encodeRecord(key, benchResult(i))
		if err != nil {
			return dir, err
		}
		hash := hashOf(key)
		if err := os.WriteFile(filepath.Join(dir, hash[:2], hash+runSuffix), data, 0o644); err != nil {
			return dir, err
		}
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if made.Load() {
		if dir, _ := benchStore(); dir != "" {
			os.RemoveAll(dir)
		}
	}
	os.Exit(code)
}

var made atomic.Bool

func needStore(b *testing.B) string {
	made.Store(true)
	dir, err := benchStore()
	if err != nil {
		b.Fatal(err)
	}
	return dir
}

// BenchmarkStoreOpen opens 100,000 runs: after it, which there are is known.
func BenchmarkStoreOpen(b *testing.B) {
	dir := needStore(b)
	for b.Loop() {
		s, err := OpenReadOnly(dir)
		if err != nil {
			b.Fatal(err)
		}
		hashes, err := s.Hashes()
		if err != nil || len(hashes) != benchRuns {
			b.Fatalf("%d runs, %v", len(hashes), err)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/open")
}

// BenchmarkStoreRead reads and checks all of them.
func BenchmarkStoreRead(b *testing.B) {
	s, err := OpenReadOnly(needStore(b))
	if err != nil {
		b.Fatal(err)
	}
	before := cpuTime()
	for b.Loop() {
		n := 0
		if err := s.Each(count(&n)); err != nil || n != benchRuns {
			b.Fatalf("%d runs, %v", n, err)
		}
	}
	b.ReportMetric(float64(b.N)*benchRuns/b.Elapsed().Seconds(), "runs/s")
	b.ReportMetric(float64((cpuTime()-before).Microseconds())/float64(b.N)/benchRuns, "cpu-µs/run")
}

// cpuTime is what this process has used. It says what a run costs also where other
// work takes the CPUs.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
