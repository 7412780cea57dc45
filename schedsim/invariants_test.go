package schedsim

import (
	"flag"
	"fmt"
	"testing"

	"github.com/schedlab/schedlab/topology"
)

var chaosSeed = flag.Uint64("chaos", 7, "seed of the random workloads")

// chaos is a workload of random operations. Each task receives on a channel of
// its own and sends to any; one task in eight is pinned.
type chaos struct {
	script
	n, max int
	born   int
	pinned bool
}

func newChaos(n int, pinned bool) *chaos {
	w := &chaos{n: n, max: 2 * n, pinned: pinned}
	w.channels = w.max
	w.loc = Locality{TransferLines: 5, RefillLines: 20}
	return w
}

func (w *chaos) Name() string  { return fmt.Sprintf("chaos-%d", w.n) }
func (w *chaos) MaxTasks() int { return w.max }

func (w *chaos) Start(s *Sched) {
	w.born = w.n
	cpus := len(s.online)
	for i := range w.n {
		t := s.Spawn("chaos", 0, int(s.online[i*7%cpus]), int64(i)*1000)
		t.Arg = int32(i)
		t.Rand = StreamFor(s.seed, 0, t.Arg)
		if i%5 == 2 {
			s.SetSlice(t, 500e3) // since 6.12
		}
		if w.pinned && i%8 == 0 {
			t.allowed = maskOf(len(s.cpus), []int{int(t.cpu)})
		}
	}
}

func (w *chaos) Born(s *Sched, parent, child *Task, arg int32) {
	child.Arg = arg
	child.Rand = StreamFor(s.seed, 0, arg)
}

func (w *chaos) Next(s *Sched, t *Task) Op {
	op := Op{Work: int64(t.Rand.IntN(20000)), Sync: t.Rand.IntN(2) == 0}
	if t.Rand.IntN(50) == 0 {
		op.Work *= 500 // long enough for ticks and slices
	}
	switch k := t.Rand.IntN(100); {
	case k < 45:
		op.Kind, op.Arg = OpSend, int32(t.Rand.IntN(w.born))
	case k < 70:
		op.Kind, op.Arg = OpRecv, t.Arg
		if s.channels[t.Arg].pending == 0 && s.awake() < len(s.cpus)*3/4+2 {
			op.Kind = OpCompute // or all would wait in the end
		}
	case k < 90:
		op.Kind, op.Arg64 = OpSleep, int64(t.Rand.IntN(300_000))
	case k < 91 && w.born < w.max:
		op.Kind, op.Arg = OpFork, int32(w.born)
		w.born++
	case k < 92 && t.Arg >= int32(w.n):
		op.Kind = OpExit
	}
	return op
}

// awake counts the tasks that run or will by themselves.
func (s *Sched) awake() int {
	n := len(s.timers.heap)
	for i := range s.cpus {
		n += int(s.cpus[i].nrRunning)
	}
	return n
}

// TestInvariants runs random workloads and checks the whole state after every
// event: it fails at the first event that breaks it.
func TestInvariants(t *testing.T) {
	for _, tc := range []struct {
		name                    string
		sockets, cores, threads int
		tasks                   int
		flat                    bool
		patch                   *Patch
		freq                    CPUFreq
		socketClock             bool
		offline                 []int
		kernel                  func(int) Kernel // V510 if nil
		host                    *Host
	}{
		{name: "one-cpu", sockets: 1, cores: 1, threads: 1, tasks: 4},
		{name: "flat", sockets: 1, cores: 4, threads: 1, tasks: 12, flat: true},
		{name: "smt", sockets: 1, cores: 4, threads: 2, tasks: 10},
		{name: "two-sockets", sockets: 2, cores: 4, threads: 2, tasks: 24},
		{name: "overloaded", sockets: 2, cores: 2, threads: 2, tasks: 60},
		{name: "patched", sockets: 2, cores: 4, threads: 2, tasks: 14, patch: &IdleCandidate},
		{name: "offline", sockets: 2, cores: 3, threads: 2, tasks: 14, offline: []int{6, 4}},
		{name: "intel_pstate", sockets: 2, cores: 2, threads: 2, tasks: 9, freq: active},
		{name: "hwp", sockets: 2, cores: 2, threads: 2, tasks: 9, freq: activeHWP},
		{name: "hwp-passive", sockets: 2, cores: 2, threads: 2, tasks: 9, freq: passiveHWP},
		{name: "schedutil", sockets: 2, cores: 2, threads: 2, tasks: 9, freq: schedutil},
		{name: "schedutil-socket", sockets: 2, cores: 2, threads: 2, tasks: 12, freq: schedutil, socketClock: true},
		{name: "ondemand", sockets: 2, cores: 2, threads: 2, tasks: 9, freq: ondemand},
		{name: "ondemand-socket", sockets: 2, cores: 2, threads: 2, tasks: 40, freq: ondemand, socketClock: true},
		{name: "ondemand-acpi", sockets: 2, cores: 2, threads: 1, tasks: 9, freq: CPUFreq{Governor: "ondemand", Driver: "acpi-cpufreq"}},
		{name: "3.10", sockets: 2, cores: 2, threads: 2, tasks: 20, kernel: V310},
		{name: "4.18", sockets: 2, cores: 2, threads: 2, tasks: 20, kernel: V418},
		{name: "6.1", sockets: 2, cores: 2, threads: 2, tasks: 20, kernel: V61},
		{name: "6.12", sockets: 2, cores: 4, threads: 2, tasks: 24, kernel: V612},
		{name: "6.12-flat", sockets: 1, cores: 2, threads: 2, tasks: 20, kernel: V612, flat: true},
		{name: "6.12-one-cpu", sockets: 1, cores: 1, threads: 1, tasks: 9, kernel: V612},
		{name: "6.12-overloaded", sockets: 2, cores: 2, threads: 2, tasks: 60, kernel: V612rc1},
		{name: "hosted", sockets: 2, cores: 2, threads: 2, tasks: 20, kernel: V61, host: busyHost()},
		{name: "6.12-hosted", sockets: 1, cores: 4, threads: 1, tasks: 12, kernel: V612, host: busyHost()},
		{name: "6.12-ondemand", sockets: 2, cores: 2, threads: 1, tasks: 12, kernel: V612, freq: ondemand},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m := testMachine(tc.sockets, tc.cores, tc.threads)
			if tc.freq != (CPUFreq{}) {
				m.Frequency.MaxMHz.Value = 3600
				m.Frequency.Turbo = []topology.TurboBin{{ActiveCores: 1, MHz: 3600}, {ActiveCores: 2, MHz: 3000}}
				m.Frequency.Control.PerCore = !tc.socketClock
			}
			switchOff(m, tc.offline...)
			if tc.kernel == nil {
				tc.kernel = V510
			}
			k := tc.kernel(len(m.CPUs))
			k.Autogroup = !tc.flat
			if tc.patch != nil {
				k = k.With(*tc.patch)
			}
			w := newChaos(tc.tasks, tc.sockets > 1)
			s, err := newSched(&Config{Machine: m, Kernel: k, Workload: w, Seed: *chaosSeed, CPUFreq: tc.freq, Host: tc.host})
			if err != nil {
				t.Fatal(err)
			}
			w.Start(s)
			for range 60000 {
				if err := s.stepVerified(); err != nil {
					t.Fatal(err)
				}
			}
			if s.count.Wakeups < 300 {
				t.Errorf("only %d wakeups", s.count.Wakeups)
			}
		})
	}
}
