package schedsim

import (
	"testing"
	"time"
)

// busyHost is a host whose every part is in use.
func busyHost() *Host {
	return &Host{
		CPUs: 2, Tick: 4_000_000, Slice: 1_400_000,
		TimerRunning: Lateness{Least: 15_000, More: 15_000}, TimerHalted: Lateness{Least: 50_000, More: 50_000},
		TimerWaits: .1, TimerCost: 55_000,
		StealEvery: 15_000_000, StealTime: 1_700_000, SpareEvery: 60_000_000, SpareTime: 800_000,
		NewidleCosts: [][]int64{{250_000}, {3_000_000, 20_000_000}},
	}
}

// wakeups runs two sleepers and, if busy, a hog on a CPU of a guest and returns when the sleepers
// woke for the first time since all slept; the second one's timer is due gap later.
func wakeups(t *testing.T, h Host, busy bool, gap int64) [2]int64 {
	t.Helper()
	sleep := func(at int64) scripted {
		return scripted{ops: []Op{{Kind: OpSleep, Arg64: int64(time.Second)}}, cpus: pinned(0), start: time.Duration(at)}
	}
	tasks := []scripted{sleep(10_000_000), sleep(10_000_000 + gap)}
	if busy {
		tasks = append(tasks, scripted{ops: []Op{hog()}, cpus: pinned(0)})
	}
	w := &script{tasks: tasks}
	h.CPUs, h.Tick, h.Slice = 2, 4_000_000, 1_400_000
	s, err := newSched(&Config{Machine: testMachine(1, 2, 1), Kernel: V61(2), Workload: w, Seed: 3, Host: &h, TraceEvents: 1 << 10})
	if err != nil {
		t.Fatal(err)
	}
	w.Start(s)
	simulate(t, s, 30*millisecond)
	if err := s.verify(); err != nil {
		t.Error(err)
	}
	var at [2]int64
	for _, e := range s.trace.all() {
		if e.Kind == TraceWakeup && e.Task < 2 && at[e.Task] == 0 {
			at[e.Task] = e.Time - s.host.phase
		}
	}
	// What is due is so from when the simulation began, as the host's phase is in the past.
	return at
}

// TestHostTimers: one interrupt serves what is due when it comes, which is later where the
// virtual CPU is halted, and may have to wait for the host's tick.
func TestHostTimers(t *testing.T) {
	h := Host{TimerRunning: Lateness{Least: 20_000}, TimerHalted: Lateness{Least: 100_000}}
	for _, tc := range []struct {
		name     string
		busy     bool
		gap      int64
		together bool
	}{
		{"running-soon", true, 15_000, true},
		{"running-late", true, 25_000, false},
		{"halted-soon", false, 80_000, true},
		{"halted-late", false, 120_000, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			at := wakeups(t, h, tc.busy, tc.gap)
			if got := at[1] - at[0]; (got == 0) != tc.together || got < 0 {
				t.Errorf("sleepers that are due %d ns apart wake %d ns apart", tc.gap, got)
			}
		})
	}
	h.TimerWaits = 1
	if at := wakeups(t, h, true, 15_000); at[0]%4_000_000 != 0 || at[1] != at[0] {
		t.Errorf("a timer that waits for the host is served %d ns after its tick", at[0]%4_000_000)
	}
}

// TestHostTimerCost: whom a timer lets run is charged for its interrupt.
func TestHostTimerCost(t *testing.T) {
	sleeper := scripted{ops: []Op{run(100 * time.Microsecond), {Kind: OpSleep, Arg64: 900_000}}, cpus: pinned(0)}
	used := map[int64]int64{}
	for _, cost := range []int64{0, 60_000} {
		w := &script{tasks: []scripted{sleeper, {ops: []Op{hog()}, cpus: pinned(0)}}}
		h := Host{CPUs: 2, Tick: 4_000_000, Slice: 1_400_000, TimerCost: cost}
		s, err := newSched(&Config{Machine: testMachine(1, 2, 1), Kernel: V61(2), Workload: w, Seed: 3, Host: &h})
		if err != nil {
			t.Fatal(err)
		}
		w.Start(s)
		simulate(t, s, 1000*millisecond)
		used[cost] = s.ran(0) / w.iters[0]
	}
	if more := used[60_000] - used[0]; more < 20_000 || more > 40_000 {
		t.Errorf("a turn takes %d ns more of CPU time, want about the half of an interrupt of 60 us that comes after the wakeup", more)
	}
}

// TestHostSpare: while the host has a CPU to spare, what else it runs is there.
func TestHostSpare(t *testing.T) {
	for _, tc := range []struct {
		name        string
		every, took int64
		want        float64 // of 1000 turns a second
	}{
		{"the-same", 0, 0, 13. / 15},
		{"seldom", 130_000_000, 1_000_000, 130. / 131},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := &script{tasks: []scripted{{ops: []Op{run(millisecond)}, cpus: pinned(0)}}}
			h := Host{CPUs: 2, Tick: 4_000_000, Slice: 1_400_000, StealEvery: 13_000_000, StealTime: 2_000_000,
				SpareEvery: tc.every, SpareTime: tc.took}
			s, err := newSched(&Config{Machine: testMachine(1, 2, 1), Kernel: V61(2), Workload: w, Seed: 3, Host: &h})
			if err != nil {
				t.Fatal(err)
			}
			w.Start(s)
			simulate(t, s, 20000*millisecond)
			if got := float64(w.iters[0]) / 20 / 1000; !near(got/tc.want, 1, .02) {
				t.Errorf("a task gets %.3f of its CPU, want %.3f", got, tc.want)
			}
		})
	}
}

// TestNewidleCosts: CPUs of a guest remember what they are told to.
func TestNewidleCosts(t *testing.T) {
	h := Host{CPUs: 2, Tick: 4_000_000, Slice: 1_400_000, NewidleCosts: [][]int64{{3_000_000, 5_000_000}}}
	s, err := newSched(&Config{Machine: testMachine(2, 2, 2), Kernel: V61(8), Workload: &script{tasks: hogs(1)}, Host: &h})
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.cpus {
		c := &s.cpus[i]
		sum := int64(0)
		for k := range c.domains {
			want := int64(5_000_000)
			if k == 0 {
				want = 3_000_000
			}
			if got := c.domains[k].maxNewidleCost; got != want {
				t.Errorf("CPU %d, domain %d: %d ns, want %d", i, k, got, want)
			}
			sum += want
		}
		if c.maxIdleBalanceCost != sum {
			t.Errorf("CPU %d: max_idle_balance_cost is %d, want %d", i, c.maxIdleBalanceCost, sum)
		}
	}
}
