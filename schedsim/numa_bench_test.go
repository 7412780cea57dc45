package schedsim

import (
	"testing"
	"time"

	"github.com/schedlab/schedlab/topology"
)

// jvms is the load of a Java benchmark: processes of threads that compute, sleep
// for a moment now and then, and touch a heap and some pages of their own.
type jvms struct {
	procs, threads int
	heap           Region

	done int64 // operations
}

func (w *jvms) Name() string       { return "jvms" }
func (w *jvms) MaxTasks() int      { return w.procs * w.threads }
func (w *jvms) Channels() int      { return 0 }
func (w *jvms) Locality() Locality { return Locality{RefillLines: 500} }

func (w *jvms) Start(s *Sched) {
	for p := range w.procs {
		mm := s.NewMM()
		heap := s.AddRegion(mm, w.heap)
		code := s.AddRegion(mm, Region{Name: "code", Bytes: 64 << 20, Unmovable: 0.03})
		for i := range w.threads {
			// Mixed over the machine, so that there is something to do.
			id := i*w.procs + p
			t := s.Spawn("java", 0, int(s.online[id%len(s.online)]), int64(id)*1e5)
			t.Rand = StreamFor(s.seed, 0, t.ID)
			s.SetMM(t, mm)
			stack := s.AddRegion(mm, Region{Name: "stack", Bytes: 1 << 20})
			s.SetAccess(t, 0.4, Access{heap, 0.8, 2000}, Access{code, 0.1, 1e5}, Access{stack, 0.1, 1e5})
		}
	}
}

func (w *jvms) Next(s *Sched, t *Task) Op {
	w.done++
	return Op{Kind: OpSleep, Work: int64(10e6 + 80e6*t.Rand.Float64()), Arg64: 500e3}
}

func (w *jvms) Born(*Sched, *Task, *Task, int32)        {}
func (w *jvms) Measured(*Sched, bool) (float64, string) { return 0, "" }

// BenchmarkNUMA runs 8 JVMs of 20 threads on the 160 CPUs of a POWER8 with 4
// nodes, with the heap in hugetlbfs, which is not scanned, and in transparent huge
// pages, which are. An operation is a simulated second.
func BenchmarkNUMA(b *testing.B) {
	m, err := topology.Load("p8-2s4n")
	if err != nil {
		b.Fatal(err)
	}
	for _, bc := range []struct {
		name    string
		heap    Region
		patches []Patch
	}{
		{"hugetlb", Region{Bytes: 3 << 30, PageBytes: 16 << 20, HugeTLB: true}, []Patch{NUMARework, ScanReset}},
		{"thp", Region{Bytes: 3 << 30, PageBytes: 16 << 20}, []Patch{NUMARework, ScanReset}},
		{"small", Region{Bytes: 3 << 30}, []Patch{NUMARework, ScanReset}},
		{"off", Region{Bytes: 3 << 30, PageBytes: 16 << 20}, []Patch{NoNUMABalancing}},
	} {
		b.Run(bc.name, func(b *testing.B) {
			k := V418(len(m.CPUs))
			k.HZ = 100 // ppc64
			k = k.With(bc.patches...)
			w := &jvms{procs: 8, threads: 20, heap: bc.heap}
			s, err := newSched(&Config{Machine: m, Kernel: k, Workload: w, Seed: 1})
			if err != nil {
				b.Fatal(err)
			}
			w.Start(s)
			if s.startErr != nil {
				b.Fatal(s.startErr)
			}
			simulate(b, s, 2*time.Second)
			events := s.count.Events
			b.ReportAllocs()
			seconds := 0
			for b.Loop() {
				simulate(b, s, time.Second)
				seconds++
			}
			wall := b.Elapsed().Seconds()
			b.ReportMetric(float64(seconds*len(s.online))/wall, "cpu-s/s")
			b.ReportMetric(float64(s.count.Events-events)/wall, "ev/s")
			b.ReportMetric(float64(s.count.NUMAHintFaults)/float64(seconds+2), "faults/sim-s")
			b.ReportMetric(float64(s.count.NUMAMoves+s.count.NUMASwaps)/float64(seconds+2), "moves/sim-s")
			b.ReportMetric(float64(s.count.MemLocal)/float64(max(s.count.MemTicks, 1)), "local-permille")
		})
	}
}
