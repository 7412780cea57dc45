package schedsim

import (
	"testing"
	"time"

	"github.com/schedlab/schedlab/topology"
)

// processes is a script of which each task has an address space, alone or with
// others, and regions.
type processes struct {
	script
	proc  []process
	mms   []MM
	rs    [][]RegionID // by process
	extra func(s *Sched)
}

// process is an address space. Task i of the script is a thread of process
// of[i].
type process struct {
	shared  []Region // touched by all threads
	private []Region // one of each for each thread
	rate    float64  // pages a second, of each region
	stall   float64
	threads []int // tasks of the script
}

func (w *processes) Start(s *Sched) {
	w.script.Start(s)
	w.mms, w.rs = nil, nil
	for _, p := range w.proc {
		mm := s.NewMM()
		w.mms = append(w.mms, mm)
		var rs []RegionID
		for _, r := range p.shared {
			rs = append(rs, s.AddRegion(mm, r))
		}
		shared := len(rs)
		for _, i := range p.threads {
			t := &s.tasks[i]
			s.SetMM(t, mm)
			var as []Access
			for _, id := range rs[:shared] {
				as = append(as, Access{id, 1, p.rate})
			}
			for _, r := range p.private {
				id := s.AddRegion(mm, r)
				rs = append(rs, id)
				as = append(as, Access{id, 1, p.rate})
			}
			s.SetAccess(t, p.stall, as...)
		}
		w.rs = append(w.rs, rs)
	}
	if w.extra != nil {
		w.extra(s)
	}
}

// numaMachine is testMachine with memory: a node a socket, remote accesses take
// half as long again.
func numaMachine(sockets, cores, threads int) *topology.Machine {
	m := testMachine(sockets, cores, threads)
	m.Memory = topology.Memory{
		Local:  topology.Quantity{Value: 80},
		Remote: map[int]topology.Quantity{20: {Value: 120}},
	}
	return m
}

func newNUMASched(t testing.TB, m *topology.Machine, w Workload, patches ...Patch) *Sched {
	t.Helper()
	k := V418(len(m.CPUs)).With(patches...)
	s, err := newSched(&Config{Machine: m, Kernel: k, Workload: w, Seed: 1, TraceEvents: 1 << 12, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	w.Start(s)
	if s.startErr != nil {
		t.Fatal(s.startErr)
	}
	return s
}

// simulateNUMA simulates and checks the state of memory now and then.
func simulateNUMA(t testing.TB, s *Sched, d time.Duration) {
	t.Helper()
	for range 10 {
		simulate(t, s, d/10)
		if err := s.verify(); err != nil {
			t.Fatal(err)
		}
		if err := s.verifyNUMA(); err != nil {
			t.Fatal(err)
		}
	}
}

func megabytes(n int64) int64 { return n << 20 }
