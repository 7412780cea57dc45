package schedsim

import (
	"strings"
	"testing"
)

// hosted is a scheduler of one socket on a host of two CPUs with a tick of 4 ms.
func hosted(t *testing.T, cpus int, steal Host, tasks ...scripted) (*Sched, *script) {
	t.Helper()
	w := &script{tasks: tasks}
	m := testMachine(1, cpus, 1)
	h := Host{CPUs: 2, Tick: 4 * int64(millisecond), Slice: 1_400_000, StealEvery: steal.StealEvery, StealTime: steal.StealTime}
	s, err := newSched(&Config{Machine: m, Kernel: V61(cpus), Workload: w, Seed: 3, Host: &h})
	if err != nil {
		t.Fatal(err)
	}
	w.Start(s)
	return s, w
}

// TestHostShares: busy virtual CPUs get equal parts of the host, what a task does takes so
// much longer, and it is charged for the time that it did not run.
func TestHostShares(t *testing.T) {
	for _, tc := range []struct {
		name string
		cpus int
		want float64 // turns of 1 ms a second and task
	}{
		{"two-on-two", 2, 1000},
		{"four-on-two", 4, 500},
		{"eight-on-two", 8, 250},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var tasks []scripted
			for i := range tc.cpus {
				tasks = append(tasks, scripted{ops: []Op{run(millisecond)}, cpus: pinned(i), cpu: i})
			}
			s, w := hosted(t, tc.cpus, Host{}, tasks...)
			simulate(t, s, 3000*millisecond)
			for i, n := range w.iters {
				if got := float64(n) / 3; !near(got/tc.want, 1, .04) {
					t.Errorf("task %d has %.0f turns a second, want %.0f", i, got, tc.want)
				}
				if ran := s.ran(TaskID(i)); ran < 2950*int64(millisecond) {
					t.Errorf("task %d is charged %d ns of 3 s", i, ran)
				}
			}
			if err := s.verify(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestHostTicks: a virtual CPU that is away for more than a tick takes one tick when it is
// back.
func TestHostTicks(t *testing.T) {
	for cpus, want := range map[int]bool{2: false, 8: true} {
		var tasks []scripted
		for i := range cpus {
			tasks = append(tasks, scripted{ops: []Op{hog()}, cpus: pinned(i), cpu: i})
		}
		s, _ := hosted(t, cpus, Host{}, tasks...)
		simulate(t, s, 1000*millisecond)
		// Of eight CPUs on two each has 83 turns of 4 ms a second, and one tick at the
		// start of each and perhaps one in it.
		if lost := s.host.missed; (lost > 500) != want || !want && lost > 0 {
			t.Errorf("%d CPUs lose %d ticks of %d", cpus, lost, cpus*250)
		}
	}
}

// TestHostSteals: what else the host runs takes its part, and no more.
func TestHostSteals(t *testing.T) {
	steal := Host{StealEvery: 13_000_000, StealTime: 2_000_000}
	s, w := hosted(t, 2, steal, scripted{ops: []Op{run(millisecond)}, cpus: pinned(0)},
		scripted{ops: []Op{run(millisecond)}, cpus: pinned(1), cpu: 1})
	simulate(t, s, 20000*millisecond)
	for i, n := range w.iters {
		if got, want := float64(n)/20, 1000.*13/15; !near(got/want, 1, .03) {
			t.Errorf("task %d has %.0f turns a second, want %.0f", i, got, want)
		}
	}
}

// TestHostWake: a virtual CPU that was idle for long enough gets the host at once, although
// it is busy; who has used more than its part waits for the tick.
func TestHostWake(t *testing.T) {
	busy := []scripted{
		{ops: []Op{hog()}, cpus: pinned(0)},
		{ops: []Op{hog()}, cpus: pinned(1), cpu: 1},
	}
	for _, tc := range []struct {
		name string
		work int64 // in 3 ms, and a sleep of as much as makes 4
		lo   float64
		hi   float64
	}{
		{"light", 200_000, 240, 251}, // turns a second
		{"heavy", 3_600_000, 120, 200},
	} {
		t.Run(tc.name, func(t *testing.T) {
			light := scripted{ops: []Op{{Kind: OpSleep, Work: tc.work, Arg64: 4_000_000 - tc.work}}, cpus: pinned(2), cpu: 2}
			s, w := hosted(t, 3, Host{}, busy[0], busy[1], light)
			simulate(t, s, 2000*millisecond)
			if got := float64(w.iters[2]) / 2; got < tc.lo || got > tc.hi {
				t.Errorf("%.0f turns a second, want %.0f to %.0f", got, tc.lo, tc.hi)
			}
		})
	}
}

func TestHostErrors(t *testing.T) {
	for want, h := range map[string]Host{
		"at least one CPU": {CPUs: 0, Tick: 1, Slice: 1},
		"a tick":           {CPUs: 2, Slice: 1},
		"to each theft":    {CPUs: 2, Tick: 1, Slice: 1, StealEvery: 5},
		"no time below 0":  {CPUs: 2, Tick: 1, Slice: 1, TimerHalted: Lateness{Least: -1}},
		"a time to each":   {CPUs: 2, Tick: 1, Slice: 1, StealEvery: 5, StealTime: 1, SpareEvery: 4, SpareTime: 1},
	} {
		_, err := newSched(&Config{Machine: testMachine(1, 2, 1), Kernel: V61(2), Workload: &script{tasks: hogs(1)}, Host: &h})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want an error with %q", h, err, want)
		}
	}
}
