package runs

import (
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/study"
)

// BenchmarkStoreFrame reads a store of runs of the usual size, some 5 kB, and makes a
// table, a gota frame and files of them.
func BenchmarkStoreFrame(b *testing.B) {
	const rows = 10_000
	store, err := study.Open(filepath.Join(b.TempDir(), "store"))
	if err != nil {
		b.Fatal(err)
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for i := next.Add(1); i <= rows; i = next.Add(1) {
				if err := store.Put(usual(uint64(i))); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	table, err := Read(store, nil)
	if err != nil || table.Rows != rows {
		b.Fatal(err)
	}
	for name, work := range map[string]func() error{
		"Read":         func() error { _, err := Read(store, nil); return err },
		"ReadFrame":    func() error { t, err := Read(store, nil); return firstOf(err, t.Frame().Err) },
		"WriteCSV":     func() error { return table.WriteCSV(io.Discard) },
		"WriteJSON":    func() error { return table.WriteJSON(io.Discard) },
		"WriteParquet": func() error { return table.WriteParquet(io.Discard) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := work(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*rows/b.Elapsed().Seconds(), "runs/s")
		})
	}
}

func firstOf(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

func usual(seed uint64) (study.Key, schedsim.Result) {
	k := study.Key{
		ModelVersion: "2", Study: "s", Machine: "m", MachineHash: fmt.Sprintf("%064x", 7), Kernel: "v5.10", Workload: "w", Row: "64", Arm: study.ArmBase, Seed: seed,
		Params: make(map[string]string), Constants: make(map[string]float64),
	}
	r := schedsim.Result{Throughput: float64(seed) / 3, Unit: "MB/sec", TraceHash: seed}
	for i := range 16 {
		k.Params[fmt.Sprintf("parameter_%d_ns", i)] = fmt.Sprint(1.5 * float64(i))
		k.Constants[fmt.Sprintf("constant_%d_ns", i)] = 1.37 * float64(i)
	}
	for i := range 40 {
		r.Metrics = append(r.Metrics, schedsim.Metric{Name: fmt.Sprintf("some-metric-%d/s", i), Unit: "1/s", Value: float64(seed) * 1.1 / float64(i+1)})
	}
	return k, r
}
