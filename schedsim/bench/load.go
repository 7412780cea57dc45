package bench

import (
	"fmt"
	"math"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// tasks is what the loads here have in common: so many tasks that are there from
// the start, spread over the CPUs.
type tasks struct {
	name string
	n    int
	loc  schedsim.Locality
}

func (w *tasks) Name() string                                                    { return fmt.Sprintf("%s-%d", w.name, w.n) }
func (w *tasks) MaxTasks() int                                                   { return w.n }
func (w *tasks) Channels() int                                                   { return 0 }
func (w *tasks) Locality() schedsim.Locality                                     { return w.loc }
func (w *tasks) Born(s *schedsim.Sched, parent, child *schedsim.Task, arg int32) {}
func (w *tasks) Measured(*schedsim.Sched, bool) (float64, string)                { return 0, "" }

// spawn starts the tasks, one each us.
func (w *tasks) spawn(s *schedsim.Sched, each func(i int, t *schedsim.Task)) {
	cpus := s.Machine().OnlineCPUs()
	for i := range w.n {
		t := s.Spawn(w.name, 0, cpus[i*7%len(cpus)], int64(i)*1e3)
		t.Arg = int32(i)
		t.Rand = schedsim.StreamFor(s.Seed(), 0, t.Arg)
		if each != nil {
			each(i, t)
		}
	}
}

// around is uniform within a half of ns.
func around(t *schedsim.Task, ns float64) int64 {
	return int64(ns * (0.5 + t.Rand.Float64()))
}

// exponential has a mean of ns.
func exponential(t *schedsim.Task, ns float64) int64 {
	return int64(-ns * math.Log(1-t.Rand.Float64()))
}

// mixed is tasks that compute and sleep in turn, and others that only sleep.
type mixed struct {
	tasks
	work, sleep float64 // ns
	sleepers    int     // how many of the tasks
	exponential bool    // the times are, instead of uniform
	served      int64   // computations that are over
}

func newMixed(n int, work, sleep float64) *mixed {
	return &mixed{
		tasks: tasks{name: "mixed", n: n, loc: schedsim.Locality{RefillLines: 100}},
		work:  work, sleep: sleep,
	}
}

func (w *mixed) Start(s *schedsim.Sched) { w.spawn(s, nil) }

func (w *mixed) Next(s *schedsim.Sched, t *schedsim.Task) schedsim.Op {
	if int(t.Arg) < w.sleepers {
		return schedsim.Op{Kind: schedsim.OpSleep, Arg64: int64(24 * time.Hour)}
	}
	w.served++
	if w.exponential {
		return schedsim.Op{Kind: schedsim.OpSleep, Work: exponential(t, w.work), Arg64: exponential(t, w.sleep)}
	}
	return schedsim.Op{Kind: schedsim.OpSleep, Work: around(t, w.work), Arg64: around(t, w.sleep)}
}

// phases is threads that compute for a phase each and then wait for the others
// at a barrier, as the OpenMP programs of NAS do. The last to arrive releases
// the others one after another.
type phases struct {
	tasks
	work    float64 // ns
	arrived int
	left    []int32 // by task: whom it has to release still
}

func newPhases(n int, work float64) *phases {
	return &phases{
		tasks: tasks{name: "phases", n: n, loc: schedsim.Locality{TransferLines: 2, RefillLines: 500}},
		work:  work,
		left:  make([]int32, n),
	}
}

func (w *phases) Channels() int { return w.n }

func (w *phases) Start(s *schedsim.Sched) { w.spawn(s, nil) }

func (w *phases) Next(s *schedsim.Sched, t *schedsim.Task) schedsim.Op {
	const compute, arrive = 0, 1
	if n := &w.left[t.Arg]; *n > 0 { // the last to arrive
		*n--
		to := (t.Arg + 1 + *n) % int32(w.n)
		return schedsim.Op{Kind: schedsim.OpSend, Arg: to, Work: 200}
	}
	switch t.PC {
	case compute:
		t.PC = arrive
		// Within 1 %: the same code on as much data.
		return schedsim.Op{Kind: schedsim.OpCompute, Work: int64(w.work * (0.99 + 0.02*t.Rand.Float64()))}
	default:
		t.PC = compute
		w.arrived++
		if w.arrived == w.n {
			w.arrived = 0
			w.left[t.Arg] = int32(w.n) - 1
			return schedsim.Op{Kind: schedsim.OpCompute, Work: 100}
		}
		return schedsim.Op{Kind: schedsim.OpRecv, Arg: t.Arg, Work: 100}
	}
}

// jvms is Java virtual machines: processes of threads that compute for some tens
// of ms, sleep for a moment, and touch a heap, code, and a stack of their own.
type jvms struct {
	tasks
	threads int
	heap    schedsim.Region
}

func newJVMs(procs, threads int, heap schedsim.Region) *jvms {
	return &jvms{
		tasks:   tasks{name: "jvms", n: procs * threads, loc: schedsim.Locality{RefillLines: 500}},
		threads: threads, heap: heap,
	}
}

func (w *jvms) Start(s *schedsim.Sched) {
	type process struct {
		mm         schedsim.MM
		heap, code schedsim.RegionID
	}
	procs := w.n / w.threads
	var ps []process
	for range procs {
		p := process{mm: s.NewMM()}
		p.heap = s.AddRegion(p.mm, w.heap)
		p.code = s.AddRegion(p.mm, schedsim.Region{Name: "code", Bytes: 64 << 20, Unmovable: 0.03})
		ps = append(ps, p)
	}
	w.spawn(s, func(i int, t *schedsim.Task) {
		p := &ps[i%procs] // mixed over the machine, so that there is something to do
		s.SetMM(t, p.mm)
		stack := s.AddRegion(p.mm, schedsim.Region{Name: "stack", Bytes: 1 << 20})
		s.SetAccess(t, 0.4, schedsim.Access{Region: p.heap, Weight: 0.8, PagesPerSecond: 2000},
			schedsim.Access{Region: p.code, Weight: 0.1, PagesPerSecond: 1e5}, schedsim.Access{Region: stack, Weight: 0.1, PagesPerSecond: 1e5})
	})
}

func (w *jvms) Next(s *schedsim.Sched, t *schedsim.Task) schedsim.Op {
	return schedsim.Op{Kind: schedsim.OpSleep, Work: int64(10e6 + 80e6*t.Rand.Float64()), Arg64: 500e3}
}
