package schedsim

import (
	"slices"
	"testing"
	"time"
)

// TestQueueCondition: which wakeups are handed to the wakee's CPU. CPUs 0 to 3
// share a cache, 4 to 7 another.
func TestQueueCondition(t *testing.T) {
	for _, tc := range []struct {
		name                string
		target              int32
		nr                  int32
		onCPU               bool
		v310, v418, v59, v6 bool
	}{
		{"own-cpu", 0, 0, false, false, false, false, false},
		{"idle", 1, 0, false, false, false, false, true},
		{"busy", 1, 1, false, false, false, false, false},
		{"switching-out", 1, 0, true, false, false, true, true},
		{"switching-out-one-left", 1, 1, true, false, false, true, false},
		{"switching-out-two-left", 1, 2, true, false, false, false, false},
		{"other-cache", 4, 0, false, true, true, true, true},
		{"other-cache-busy", 4, 3, false, true, true, true, true},
	} {
		for _, k := range kernels(8) {
			s := stillOn(t, testMachine(2, 4, 1), flat(k))
			s.load(tc.nr, int(tc.target))
			want := tc.v6
			switch k.Version {
			case "v3.10":
				want = tc.v310
			case "v4.18":
				want = tc.v418
			case "v5.9", "v5.10":
				want = tc.v59
			}
			onCPU := tc.onCPU && s.since(5, 8) // asked with WF_ON_CPU since then
			if got := s.ttwuQueueCond(0, &s.tasks[0], tc.target, onCPU); got != want {
				t.Errorf("%s: %v: %v, want %v", tc.name, k, got, want)
			}
			s.k.TTWUQueue = false
			if s.ttwuQueueCond(0, &s.tasks[0], tc.target, onCPU) {
				t.Errorf("%s: %v: queued without TTWU_QUEUE", tc.name, k)
			}
		}
	}
}

// TestWakeToIdleQueued: since 6.0 the idle CPU enqueues its wakee itself; in
// between it does not look idle.
func TestWakeToIdleQueued(t *testing.T) {
	for _, k := range kernels(8) {
		w := &script{tasks: []scripted{
			{ops: []Op{hog()}, cpus: pinned(0)},
			{ops: []Op{sleep(time.Hour), run(time.Millisecond)}, cpu: 1},
		}}
		s, err := newSched(&Config{Machine: testMachine(2, 4, 1), Kernel: flat(k), Workload: w, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		w.Start(s)
		simulate(t, s, 2500*time.Microsecond)
		s.timers.heap = s.timers.heap[:0]
		s.armTimers()
		task := &s.tasks[1]
		task.cpu = 1
		s.setTaskRQ(task, 1)
		s.tryToWakeUp(0, task, false)
		s.finish(t)
		d := &s.cpus[1]
		queued := len(d.wakeList) == 1
		if queued != s.since(6, 0) || queued == (d.nrRunning == 1) || s.rq[1].idle || d.act != actExit {
			t.Errorf("%v: wake list %v, nr_running %d, idle %v, activity %d", k, d.wakeList, d.nrRunning, s.rq[1].idle, d.act)
		}
		simulate(t, s, 200*time.Microsecond)
		if d.curr != task.ID || len(d.wakeList) != 0 {
			t.Errorf("%v: the CPU runs %d, wake list %v", k, d.curr, d.wakeList)
		}
		if err := s.verify(); err != nil {
			t.Errorf("%v: %v", k, err)
		}
	}
}

// TestWakeListOrder: until 5.7 the last wakeup handed over is the first done.
func TestWakeListOrder(t *testing.T) {
	for _, k := range kernels(8) {
		s := stillOn(t, testMachine(2, 4, 1), flat(k))
		s.timers.heap = s.timers.heap[:0]
		s.armTimers()
		for i := range 4 {
			task := &s.tasks[i]
			task.state = taskWaking
			s.setTaskRQ(task, 4)
			s.cpus[4].wakeList = append(s.cpus[4].wakeList, task.ID)
		}
		s.ttwuPending(4)
		want := []TaskID{0, 1, 2, 3}
		if !s.since(5, 8) {
			slices.Reverse(want)
		}
		if got := s.cpus[4].fairTasks; !slices.Equal(got, want) {
			t.Errorf("%v: enqueued in the order of %v, want %v", k, got, want)
		}
	}
}

// TestSwitchingOut: before 5.8 a waker waits for the switch of its wakee to end.
func TestSwitchingOut(t *testing.T) {
	for _, k := range kernels(8) {
		s := stillOn(t, testMachine(2, 4, 1), flat(k))
		waker, task := &s.tasks[0], &s.tasks[1]
		s.cpus[0].curr = waker.ID
		s.load(1, 0)
		s.setTaskRQ(task, 1)
		task.switchedOut = s.now + 700
		s.tryToWakeUp(0, task, false)
		c := &s.cpus[0]
		if c.wakeOnCPU != s.since(5, 8) || c.wakeOnCPU == (c.stall >= 700) {
			t.Errorf("%v: handed over %v, waits %d ns", k, c.wakeOnCPU, c.stall)
		}
	}
}

// TestIdleAverage: how each version takes in the idle time that a wakeup ends, with
// a migration cost of 0.5 ms.
func TestIdleAverage(t *testing.T) {
	for _, tc := range []struct {
		avg, idle      int64 // ns
		v310, v418, v5 int64
	}{
		{100_000, 900_000, 200_000, 200_000, 200_000},
		{100_000, 1_700_000, 1_000_000, 300_000, 300_000}, // more than 1 ms
		{900_000, 9_000_000, 1_000_000, 1_000_000, 1_000_000},
		{100_000, 99_999, 99_999, 99_999, 100_000}, // a shift of -1 is -1, a division 0
	} {
		for _, k := range kernels(4) {
			s := stillOn(t, testMachine(1, 4, 1), flat(k))
			d := &s.cpus[0]
			d.maxIdleBalanceCost = s.k.SchedMigrationCost
			d.avgIdle = tc.avg
			s.updateAvgIdle(d, tc.idle)
			want := tc.v5
			switch k.Version {
			case "v3.10":
				want = tc.v310
			case "v4.18":
				want = tc.v418
			}
			if d.avgIdle != want {
				t.Errorf("%v: %d after %d idle: %d, want %d", k, tc.avg, tc.idle, d.avgIdle, want)
			}
		}
	}
}

// TestWakeCPU: a wakeup starts at wake_cpu, which a move of a sleeping task may have
// set, since 3.12.
func TestWakeCPU(t *testing.T) {
	for _, k := range kernels(8) {
		s := stillOn(t, testMachine(2, 4, 1), flat(k))
		s.load(2, 0)
		task := &s.tasks[0]
		s.setTaskRQ(task, 1)
		task.wakeCPU = 6
		want := 6
		if k.Version == "v3.10" {
			want = 1
		}
		if got := s.selectCPU(0, task, false); got != want {
			t.Errorf("%v: CPU %d, want %d", k, got, want)
		}
	}
}

// TestTimerFlips: a timer that wakes a task counts as a flip of whom it interrupts,
// which may be the idle task.
func TestTimerFlips(t *testing.T) {
	for _, k := range kernels(2) {
		w := &script{tasks: append(repeat(2, scripted{ops: []Op{run(50 * time.Microsecond), sleep(time.Millisecond)}}),
			scripted{ops: []Op{hog()}, cpus: pinned(0)})}
		s, err := newSched(&Config{Machine: testMachine(1, 2, 1), Kernel: flat(k), Workload: w, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		w.Start(s)
		simulate(t, s, 100*time.Millisecond)
		idle := s.idleTasks[0].wakeeFlips + s.idleTasks[1].wakeeFlips
		if want := k.Version != "v3.10"; (idle > 0) != want {
			t.Errorf("%v: %d flips of idle tasks", k, idle)
		}
		if k.Version == "v3.10" && s.tasks[2].wakeeFlips > 0 {
			t.Errorf("%v counts flips", k)
		}
	}
}
