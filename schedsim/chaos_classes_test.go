package schedsim

import "testing"

// mixed is chaos in all classes: its tasks have policies of all kinds, change
// them, move between groups, and yield.
type mixed struct {
	chaos
	attrs  []int32
	groups []int // nested, one with a quota
}

func newMixed(n int, pinned bool) *mixed { return &mixed{chaos: *newChaos(n, pinned)} }

// mixedAttrs are the policies of mixed.
var mixedAttrs = []SchedAttr{
	{}, {Nice: 5}, {Nice: -3}, {Policy: PolicyBatch}, {Policy: PolicyIdle},
	{Policy: PolicyFIFO, Priority: 10}, {Policy: PolicyFIFO, Priority: 50},
	{Policy: PolicyRR, Priority: 10}, {Policy: PolicyRR, Priority: 30},
	{Policy: PolicyDeadline, Runtime: 1e6, Deadline: 10e6},
	{Policy: PolicyDeadline, Runtime: 500e3, Deadline: 4e6, Period: 20e6},
}

// some are the policies that a kernel has.
func (w *mixed) some(s *Sched) []SchedAttr {
	if !s.since(3, 14) {
		return mixedAttrs[:9]
	}
	return mixedAttrs
}

func (w *mixed) Start(s *Sched) {
	w.chaos.Start(s)
	attrs := w.some(s)
	w.attrs, w.groups = nil, []int{0, s.NewGroup("a", 0, 512)}
	w.groups = append(w.groups, s.NewGroup("b", w.groups[1], 1024))
	if err := s.SetBandwidth(w.groups[2], 5*millisecond, 20*millisecond, 0); err != nil {
		s.failStart(err)
	}
	for _, a := range attrs {
		w.attrs = append(w.attrs, s.Attr(a))
	}
	for i := range w.n {
		// Deadline tasks only by OpSetScheduler, which is admitted or not.
		s.SetScheduler(&s.tasks[i], attrs[i%min(len(attrs), 9)])
	}
}

func (w *mixed) Next(s *Sched, t *Task) Op {
	switch t.Rand.IntN(40) {
	case 0:
		return Op{Kind: OpYield, Work: int64(t.Rand.IntN(5000))}
	case 2:
		return Op{Kind: OpJoinGroup, Arg: int32(w.groups[t.Rand.IntN(len(w.groups))]), Work: int64(t.Rand.IntN(3000))}
	case 1:
		i := t.Rand.IntN(len(w.attrs))
		if a := &s.attrs[w.attrs[i]]; a.Policy != PolicyDeadline || s.dlAdmit(t, a) {
			return Op{Kind: OpSetScheduler, Arg: w.attrs[i], Work: int64(t.Rand.IntN(3000))}
		}
	}
	op := w.chaos.Next(s, t)
	if op.Kind == OpFork && t.class == classDeadline {
		op.Kind = OpCompute // EAGAIN
	}
	return op
}

// TestInvariantsOfClasses is TestInvariants with tasks of all classes, for each
// version.
func TestInvariantsOfClasses(t *testing.T) {
	for _, v := range versions {
		for _, tc := range []struct {
			name                    string
			sockets, cores, threads int
			tasks                   int
			freq                    CPUFreq
		}{
			{"one-cpu", 1, 1, 1, 5, CPUFreq{}},
			{"smt", 1, 4, 2, 14, CPUFreq{}},
			{"two-sockets", 2, 3, 2, 40, CPUFreq{}},
			{"sugov", 2, 2, 1, 9, CPUFreq{Governor: "schedutil", Driver: "cppc_cpufreq"}},
		} {
			if tc.freq != (CPUFreq{}) && versionNumber(v.name) < 4007 {
				continue // refused: see Config.check
			}
			t.Run(v.name+"/"+tc.name, func(t *testing.T) {
				t.Parallel()
				m := testMachine(tc.sockets, tc.cores, tc.threads)
				if tc.freq != (CPUFreq{}) {
					m.Arch, m.Vendor = "arm64", "arm"
					m.Frequency.Control.PerCore = false
				}
				w := newMixed(tc.tasks, tc.sockets > 1)
				s, err := newSched(&Config{Machine: m, Kernel: v.kernel(len(m.CPUs)), Workload: w, Seed: *chaosSeed, CPUFreq: tc.freq})
				if err != nil {
					t.Fatal(err)
				}
				w.Start(s)
				for range 20000 {
					if err := s.stepVerified(); err != nil {
						t.Fatal(err)
					}
				}
				if s.startErr != nil {
					t.Error(s.startErr)
				}
				if s.count.Wakeups < 100 {
					t.Errorf("only %d wakeups", s.count.Wakeups)
				}
				if tc.freq != (CPUFreq{}) && s.count.SugovWakeups == 0 {
					t.Error("schedutil's threads never ran")
				}
			})
		}
	}
}
