package schedsim

import (
	"testing"

	"github.com/schedlab/schedlab/topology"
)

// The machine of these tests has two sockets of two cores with two threads:
// CPUs 0, 1, 4, 5 share a cache, and 2, 3, 6, 7.

func TestWakeAffineIdle(t *testing.T) {
	for _, tc := range []struct {
		name       string
		this, prev int
		nr         map[int]int32 // nr_running by CPU; 0 elsewhere
		sync       bool
		want       int
	}{
		{"interrupt-both-idle", 0, 1, nil, false, 1},
		{"interrupt-prev-busy", 0, 1, map[int]int32{1: 1}, false, 0},
		{"interrupt-other-llc", 0, 2, nil, false, -1},
		{"interrupt-other-llc-prev-busy", 0, 2, map[int]int32{2: 1}, false, -1},
		{"sync-alone", 0, 1, map[int]int32{0: 1}, true, 0},
		{"sync-alone-other-llc", 0, 2, map[int]int32{0: 1}, true, 0},
		{"sync-not-alone", 0, 1, map[int]int32{0: 2}, true, -1},
		{"not-sync", 0, 1, map[int]int32{0: 1}, false, -1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := still(t, testMachine(2, 2, 2))
			for cpu, nr := range tc.nr {
				s.load(nr, cpu)
			}
			if got := wakeAffineIdle(s, tc.this, tc.prev, tc.sync); got != tc.want {
				t.Errorf("got CPU %d, want %d", got, tc.want)
			}
		})
	}
}

// TestWakeAffineWeight compares loads as if the task had moved, with prev's
// taken for 8 % heavier (imbalance_pct 117).
func TestWakeAffineWeight(t *testing.T) {
	for _, tc := range []struct {
		name                     string
		this, prev, task, waking int64 // load_avg of both CPUs, of the task and of the waker
		sync                     bool
		want                     int // 0 is this CPU
	}{
		// h_load of a task in the root group is its load * L / (L + 1).
		{"lighter", 700, 1001, 101, 0, false, 0},      // 800*100 < 901*108
		{"bias-decides", 860, 1001, 101, 0, false, 0}, // 960*100 < 901*108 = 97308
		{"heavier", 880, 1001, 101, 0, false, -1},     // 980*100
		{"idle-prev", 0, 101, 101, 0, false, -1},      // 100*100 against 1*108
		{"sync-takes-the-waker-off", 1023, 1024, 0, 1024, true, 0},
		{"not-sync", 1200, 1024, 0, 1024, false, -1},
		{"sync-tie", 0, 0, 0, 0, true, 0}, // prev counts one more
		{"tie", 0, 0, 0, 0, false, -1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := still(t, testMachine(2, 2, 2))
			s.cfs[0].avg.load, s.cfs[2].avg.load = tc.this, tc.prev
			task, waker := &s.tasks[0], &s.tasks[1]
			task.cpu, waker.cpu = 2, 0
			s.setTaskRQ(task, 2)
			s.setTaskRQ(waker, 0)
			s.ents[task.se].avg.load, s.ents[waker.se].avg.load = tc.task, tc.waking
			s.cpus[0].curr = waker.ID
			d := s.affineDomain(0, 2)
			if d == nil || d.imbalancePct != 117 {
				t.Fatalf("affine domain %+v", d)
			}
			if got := wakeAffineWeight(s, d, task, 0, 2, tc.sync); got != tc.want {
				t.Errorf("got %d, want %d (h_load %d)", got, tc.want, s.taskHLoad(task))
			}
		})
	}
}

func TestWakeWide(t *testing.T) {
	// sd_llc_size is 4 here: wide if the lesser count of flips is at least 4
	// and the greater at least 4 times the lesser.
	for _, tc := range []struct {
		waker, wakee int32
		want         bool
	}{
		{0, 0, false}, {100, 3, false}, {3, 100, false}, {15, 4, false}, {16, 4, true}, {4, 16, true}, {19, 5, false}, {20, 5, true},
	} {
		s := still(t, testMachine(2, 2, 2))
		s.tasks[0].wakeeFlips, s.tasks[1].wakeeFlips = tc.waker, tc.wakee
		if got := wakeWide(s, &s.tasks[0], &s.tasks[1], 0); got != tc.want {
			t.Errorf("flips %d and %d: %v, want %v", tc.waker, tc.wakee, got, tc.want)
		}
	}
}

func TestRecordWakee(t *testing.T) {
	s := still(t, testMachine(1, 2, 1))
	waker := &s.tasks[0]
	waker.wakeeFlipDecay = s.jiffies
	for _, id := range []int{1, 1, 2, 2, 1} {
		s.recordWakee(waker, &s.tasks[id])
	}
	if waker.wakeeFlips != 3 {
		t.Errorf("%d flips after 1 1 2 2 1, want 3", waker.wakeeFlips)
	}
	s.jiffies += int64(s.k.HZ)
	s.recordWakee(waker, &s.tasks[1])
	if waker.wakeeFlips != 3 {
		t.Errorf("%d flips after exactly a second, want no decay", waker.wakeeFlips)
	}
	s.jiffies++
	s.recordWakee(waker, &s.tasks[2])
	if waker.wakeeFlips != 2 {
		t.Errorf("%d flips after more than a second, want 3/2 + 1", waker.wakeeFlips)
	}
}

// TestAffineDomain: the domain that wake_affine compares in is the lowest with
// both CPUs, and none if the nodes are too far apart.
func TestAffineDomain(t *testing.T) {
	m := testMachine(2, 2, 2)
	s := still(t, m)
	for prev, want := range map[int]string{4: "SMT", 1: "MC", 5: "MC", 2: "NUMA", 7: "NUMA"} {
		if d := s.affineDomain(0, prev); d == nil || d.name != want {
			t.Errorf("CPU 0 and %d: %+v, want %s", prev, d, want)
		}
	}
	far := testMachine(2, 2, 2)
	far.Distances = [][]int{{10, 31}, {31, 10}}
	far.Transfer.Remote[31] = topology.Quantity{Value: 200}
	if d := still(t, far).affineDomain(0, 2); d != nil {
		t.Errorf("nodes 31 apart: %s", d.name)
	}
}
