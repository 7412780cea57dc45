package schedsim

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/schedlab/schedlab/topology"
)

// listed is a machine of single-threaded cores with the given places.
func listed(places ...place) *topology.Machine {
	m := testMachine(1, len(places), 1)
	nodes := 0
	for i, p := range places {
		c := &m.CPUs[i]
		c.LLC, c.Node, c.Socket = p.llc, p.node, p.socket
		nodes = max(nodes, p.node+1)
	}
	m.Distances = nil
	for a := range nodes {
		row := make([]int, nodes)
		for b := range row {
			row[b] = 20
		}
		row[a] = 10
		m.Distances = append(m.Distances, row)
	}
	m.Transfer.SameSocket = topology.Quantity{Value: 90}
	return m
}

// TestLineLatency: which latency applies follows from the places of both CPUs.
func TestLineLatency(t *testing.T) {
	remote := func(values map[int]float64) func(*topology.Machine) {
		return func(m *topology.Machine) {
			m.Transfer.Remote = map[int]topology.Quantity{}
			for d, v := range values {
				m.Transfer.Remote[d] = topology.Quantity{Value: v}
			}
		}
	}
	for _, tc := range []struct {
		name   string
		a, b   place // llc, node, socket
		change func(*topology.Machine)
		want   int64
	}{
		{"same-cache", place{0, 0, 0}, place{0, 0, 0}, remote(nil), 50},
		{"same-l2", place{0, 0, 0}, place{0, 0, 0}, func(m *topology.Machine) {
			m.Transfer.SameL2.Value = 30
			m.CPUs[1].L2 = m.CPUs[0].L2
		}, 30},
		{"other-l2", place{0, 0, 0}, place{0, 0, 0}, func(m *topology.Machine) { m.Transfer.SameL2.Value = 30 }, 50},
		{"cache-of-two-nodes", place{0, 0, 0}, place{0, 1, 0}, remote(nil), 50},
		{"other-cache", place{0, 0, 0}, place{1, 0, 0}, remote(nil), 90},
		{"other-die", place{0, 0, 0}, place{1, 1, 0}, remote(nil), 90},
		{"other-die-by-distance", place{0, 0, 0}, place{1, 1, 0}, remote(map[int]float64{20: 120}), 120},
		{"other-socket", place{0, 0, 0}, place{1, 1, 1}, remote(map[int]float64{20: 150}), 150},
		{"other-socket-same-node", place{0, 0, 0}, place{1, 0, 1}, remote(map[int]float64{10: 130}), 130},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := listed(tc.a, tc.b)
			tc.change(m)
			s := still(t, m)
			if got := s.lineNS(0, 1); got != tc.want {
				t.Errorf("%d ns, want %d", got, tc.want)
			}
			if got := s.lineNS(1, 0); got != tc.want {
				t.Errorf("back: %d ns, want %d", got, tc.want)
			}
			if got := s.lineNS(1, 1); got != 0 {
				t.Errorf("to itself: %d ns", got)
			}
		})
	}
	if s := still(t, testMachine(1, 1, 2)); s.lineNS(0, 1) != 10 {
		t.Errorf("siblings: %d ns, want 10", s.lineNS(0, 1))
	}
}

// TestMissingLatency: what places need and the machine does not have is an
// error that names it.
func TestMissingLatency(t *testing.T) {
	for want, m := range map[string]*topology.Machine{
		"Transfer.SameSocket": listed(place{0, 0, 0}, place{1, 0, 0}),
		"Transfer.Remote[20]": listed(place{0, 0, 0}, place{1, 1, 1}),
		"Transfer.Remote[10]": listed(place{0, 0, 0}, place{1, 0, 1}),
	} {
		m.Transfer.SameSocket.Value = 0
		delete(m.Transfer.Remote, 20)
		_, err := newSched(&Config{Machine: m, Kernel: V510(2), Workload: &script{tasks: hogs(1)}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// switchOff makes CPUs offline.
func switchOff(m *topology.Machine, cpus ...int) *topology.Machine {
	for _, ci := range cpus {
		m.CPUs[ci] = topology.CPU{ID: ci, Core: -1, L2: -1, LLC: -1, Node: -1, Socket: -1, State: topology.Offline}
	}
	return m
}

// TestOffline: with CPUs switched off, as many hogs as there are others have one
// each, and all of the time is theirs.
func TestOffline(t *testing.T) {
	m := switchOff(testMachine(2, 2, 2), 4, 7) // siblings of 0 and 3
	w := &script{tasks: hogs(6)}
	s := newTestSched(t, m, w, false)
	simulate(t, s, 400*time.Millisecond)
	seen := map[int32]bool{}
	for i := range 6 {
		seen[s.tasks[i].cpu] = true
		if !s.tasks[i].Allowed(5) || s.tasks[i].Allowed(4) {
			t.Errorf("task %d: allowed %b", i, s.tasks[i].allowed)
		}
	}
	if len(seen) != 6 || seen[4] || seen[7] {
		t.Errorf("run on %v", seen)
	}
	s.accountIdle()
	if idle := float64(s.count.IdleNS) / 400e6; idle > .2 {
		t.Errorf("%.2f CPUs idle", idle)
	}
	if got := s.interval(&Domain{balanceInterval: 1e6}, false); got != int64(s.k.HZ*6/10) {
		t.Errorf("longest balance interval %d jiffies, want %d", got, s.k.HZ*6/10)
	}
	if err := s.verify(); err != nil {
		t.Error(err)
	}
}

// TestMixedCores: cores with two threads beside cores with one.
func TestMixedCores(t *testing.T) {
	m := testMachine(1, 4, 2)
	m.CPUs = m.CPUs[:6] // cores 2 and 3 have one thread
	m.Frequency.Turbo = []topology.TurboBin{{ActiveCores: 4, MHz: 2000}}
	s := newTestSched(t, m, &script{tasks: hogs(6)}, false)
	simulate(t, s, 400*time.Millisecond)
	for _, cpus := range s.llcFrom[:6] {
		if len(cpus) != 6 {
			t.Errorf("the cache has %v", cpus)
		}
	}
	if len(s.smt[0]) != 2 || len(s.smt[2]) != 1 || len(s.coresFrom[0]) != 4 {
		t.Errorf("siblings %v and %v, cores %v", s.smt[0], s.smt[2], s.coresFrom[0])
	}
	if err := s.verify(); err != nil {
		t.Error(err)
	}
	for ci := range s.cpus {
		if s.cpus[ci].nrRunning != 1 {
			t.Errorf("CPU %d runs %d of six hogs", ci, s.cpus[ci].nrRunning)
		}
	}
}

// starter is a workload that only starts.
type starter struct {
	script
	start func(s *Sched)
}

func (w *starter) MaxTasks() int  { return 2 }
func (w *starter) Start(s *Sched) { w.start(s) }

// TestStartErrors: a workload that asks for CPUs that are not there gets an
// error, not a run on others.
func TestStartErrors(t *testing.T) {
	for _, tc := range []struct {
		name  string
		start func(s *Sched)
		want  string
	}{
		{"spawn-offline", func(s *Sched) { s.Spawn("a", 0, 3, 0) }, "on CPU 3, which is not online"},
		{"spawn-nowhere", func(s *Sched) { s.Spawn("a", 0, 99, 0) }, "on CPU 99"},
		{"affinity-offline", func(s *Sched) { s.SetAffinity(s.Spawn("a", 0, 0, 0), 3, 7) }, "CPUs [3 7], none of which"},
		{"affinity-none", func(s *Sched) { s.SetAffinity(s.Spawn("a", 0, 0, 0)) }, "none of which"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := &starter{script{tasks: hogs(2)}, tc.start}
			m := switchOff(testMachine(2, 2, 2), 3, 7)
			m.CPUs[2].Core, m.CPUs[6].Core = 2, 2
			_, err := Run(context.Background(), Config{Machine: m, Kernel: V510(6), Workload: w, Measure: time.Millisecond})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want %q", err, tc.want)
			}
		})
	}
}

// TestSetAffinity: a task wakes on a CPU that it may use, and stays on these.
func TestSetAffinity(t *testing.T) {
	w := &starter{script: script{tasks: repeat(2, scripted{ops: []Op{run(100 * time.Microsecond), sleep(100 * time.Microsecond)}})}}
	w.iters = make([]int64, 2)
	w.start = func(s *Sched) {
		for i := range int32(2) {
			task := s.Spawn("a", 0, 0, 0)
			task.Arg = i
			s.SetAffinity(task, 2, 3, 99)
		}
	}
	s := newTestSched(t, testMachine(1, 4, 1), w, false)
	for range 20000 {
		s.step()
		for i := range 2 {
			if c := s.tasks[i].cpu; c != 2 && c != 3 {
				t.Fatalf("task %d is on CPU %d", i, c)
			}
		}
	}
	if s.startErr != nil || w.iters[0] < 100 {
		t.Errorf("error %v, %d iterations", s.startErr, w.iters[0])
	}
}

// TestIdlePolls: which idle states see need_resched without an interrupt.
func TestIdlePolls(t *testing.T) {
	for _, tc := range []struct {
		arch, vendor, state string
		want                bool
	}{
		{"x86_64", "intel", "C6", true},
		{"x86_64", "amd", "C1", true},
		{"x86_64", "amd", "C2", false},
		{"x86_64", "amd", "POLL", true},
		{"ppc64", "ibm", "snooze", true},
		{"ppc64", "ibm", "nap", false},
		{"arm64", "hisilicon", "WFI", false},
	} {
		m := &topology.Machine{Arch: tc.arch, Vendor: tc.vendor}
		if got := idlePolls(m, tc.state); got != tc.want {
			t.Errorf("%s %s %s: %v", tc.arch, tc.vendor, tc.state, got)
		}
	}
}

// TestCatalogMachines: every machine of the catalogue runs, with and without
// each governor that its driver has, and stays consistent.
func TestCatalogMachines(t *testing.T) {
	for _, id := range topology.Catalog() {
		m, err := topology.Load(id)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []CPUFreq{{}, {Governor: "performance"}, {Governor: "powersave"}, {Governor: "schedutil"}, {Governor: "ondemand"}} {
			if m.Frequency.Control.Driver == "pseries" && f != (CPUFreq{}) {
				continue
			}
			if m.Frequency.Control.Driver == "intel_pstate" && (f.Governor == "schedutil" || f.Governor == "ondemand") {
				f.Driver = "intel_cpufreq"
			}
			t.Run(fmt.Sprintf("%s/%s", id, f.Governor), func(t *testing.T) {
				t.Parallel()
				w := newChaos(len(m.OnlineCPUs())/2, false)
				s, err := newSched(&Config{Machine: m, Kernel: V510(len(m.OnlineCPUs())), Workload: w, Seed: 1, CPUFreq: f})
				if err != nil {
					t.Fatal(err)
				}
				w.Start(s)
				for range 4 {
					simulate(t, s, 5*time.Millisecond)
					if err := s.verify(); err != nil {
						t.Fatal(err)
					}
				}
				if s.count.Wakeups < 50 {
					t.Errorf("%d wakeups", s.count.Wakeups)
				}
			})
		}
	}
}
