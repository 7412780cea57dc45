package schedsim

import (
	"testing"
	"time"
)

// TestMenuPredict: the typical interval of the last eight, without outliers if
// the rest agrees, else the moving average.
func TestMenuPredict(t *testing.T) {
	for _, tc := range []struct {
		name      string
		intervals [8]int32
		want      int64 // ns
	}{
		{"same", [8]int32{5, 5, 5, 5, 5, 5, 5, 5}, 5_000},
		{"close", [8]int32{90, 110, 95, 105, 100, 100, 98, 102}, 100_000},
		{"one-outlier", [8]int32{100, 100, 100, 50000, 100, 100, 100, 100}, 100_000},
		{"two-outliers", [8]int32{100, 40000, 100, 50000, 100, 100, 100, 100}, 100_000},
		{"scattered", [8]int32{10, 1000, 50, 20000, 400, 3, 9000, 150}, 7_000},
	} {
		t.Run(tc.name, func(t *testing.T) {
			g := menu{intervals: tc.intervals, ewma: 7_000}
			if got := g.predict(); got != tc.want {
				t.Errorf("%d ns, want %d", got, tc.want)
			}
		})
	}
}

// TestIdleWithoutWork: an interrupt that leaves nothing to run does not make the
// idle task schedule: its idle period goes on.
func TestIdleWithoutWork(t *testing.T) {
	s := still(t, testMachine(1, 2, 1))
	simulate(t, s, 20*time.Millisecond)
	c := &s.cpus[1]
	c.idleStamp = 12345
	stopped := c.tickStopped
	s.sendIPI(0, 1, ipiNohz)
	simulate(t, s, time.Millisecond)
	if c.act != actIdle || c.idleStamp != 12345 || c.tickStopped != stopped {
		t.Errorf("activity %d, idle_stamp %d, tick stopped %v (was %v)", c.act, c.idleStamp, c.tickStopped, stopped)
	}
	if err := s.verify(); err != nil {
		t.Error(err)
	}
}

// TestAvgIdle: a wakeup moves avg_idle by an eighth towards the idle period that
// it ends, up to twice max_idle_balance_cost.
func TestAvgIdle(t *testing.T) {
	w := &script{tasks: []scripted{{ops: []Op{run(100 * time.Microsecond), sleep(200 * time.Microsecond)}, cpus: pinned(0)}}}
	s := newTestSched(t, testMachine(1, 2, 1), w, true)
	if got := s.cpus[0].avgIdle; got != 1_000_000 {
		t.Fatalf("starts at %d, want 1 ms", got)
	}
	simulate(t, s, 50*time.Millisecond)
	// Idle for the sleep, less the time from the switch to the wakeup.
	if got := s.cpus[0].avgIdle; got < 190_000 || got > 210_000 {
		t.Errorf("avg_idle %d, want about 200 us", got)
	}
	s.w.(*script).tasks[0].ops[1] = sleep(30 * time.Millisecond)
	simulate(t, s, 900*time.Millisecond)
	if got := s.cpus[0].avgIdle; got != 1_000_000 {
		t.Errorf("avg_idle %d, want the cap of 1 ms", got)
	}
}

// TestTimeIsAccounted: at any moment each CPU runs a task or is idle.
func TestTimeIsAccounted(t *testing.T) {
	for _, autogroup := range []bool{false, true} {
		w := newChaos(16, false)
		s := newTestSched(t, testMachine(2, 2, 2), w, !autogroup)
		simulate(t, s, 100*time.Millisecond)
		s.accountIdle()
		total := s.count.IdleNS
		for g := range s.groups {
			for i := range s.cpus {
				s.updateCurr(&s.cfs[g*len(s.cpus)+i])
			}
		}
		for i := range s.tasks {
			total += s.ran(int32(i))
		}
		if want := 8 * (s.now - bootTime); total != want {
			t.Errorf("idle and running time add up to %d ns, want %d", total, want)
		}
	}
}
