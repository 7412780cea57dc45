package schedsim

import (
	"encoding/csv"
	"os"
	"strconv"
	"testing"
)

// TestSelectIdleSibling: the order in which CPUs are tried. CPUs 0 to 3 and 8 to
// 11 share a cache; 0 and 8 are a core.
func TestSelectIdleSibling(t *testing.T) {
	for _, tc := range []struct {
		name                 string
		prev, target, recent int
		busy                 []int
		noIdleCores          bool
		want                 int
		recentAfter          int
	}{
		{"target", 1, 0, 2, nil, false, 0, 2},
		{"prev", 1, 0, 2, []int{0}, false, 1, 2},
		{"prev-elsewhere", 4, 0, 0, []int{0}, false, 1, 0}, // not the prev of another LLC
		{"recent", 1, 0, 2, []int{0, 1}, false, 2, 1},      // and is replaced by prev
		{"recent-is-prev", 1, 0, 1, []int{0, 1}, false, 2, 1},
		{"recent-elsewhere", 1, 0, 5, []int{0, 1}, false, 2, 5},
		{"idle-core", 1, 0, 3, []int{0, 1, 3}, false, 2, 3},
		{"idle-core-behind-idle-thread", 1, 0, 0, []int{0, 1, 9}, false, 2, 0},
		{"idle-cpu", 1, 0, 0, []int{0, 1, 9, 10, 11}, false, 2, 0},
		{"smt", 1, 0, 0, []int{0, 1, 2, 3, 9, 10, 11}, true, 8, 0},
		{"stack", 1, 0, 0, []int{0, 1, 2, 3, 8, 9, 10, 11}, true, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := still(t, testMachine(2, 4, 2))
			s.load(1, tc.busy...)
			if tc.noIdleCores {
				s.SetIdleCores(0, false)
				s.cpus[0].avgIdle = 0 // and two useful looks of select_idle_cpu
			}
			task := &s.tasks[0]
			task.recentUsedCPU = int32(tc.recent)
			s.at(0)
			if got := selectIdleSibling(s, task, tc.prev, tc.target); got != tc.want {
				t.Errorf("got CPU %d, want %d", got, tc.want)
			}
			if int(task.recentUsedCPU) != tc.recentAfter {
				t.Errorf("recent_used_cpu %d, want %d", task.recentUsedCPU, tc.recentAfter)
			}
		})
	}
}

// TestSelectTaskRQFair: what becomes of a wakeup's CPUs before the search, and
// that the waker remembers where it woke.
func TestSelectTaskRQFair(t *testing.T) {
	for _, tc := range []struct {
		name       string
		this, prev int
		nr         map[int]int32
		sync       bool
		want       int
	}{
		{"sync-pulls-then-prev", 0, 1, map[int]int32{0: 1}, true, 1},
		{"sync-pulls-across", 0, 4, map[int]int32{0: 1}, true, 1},
		{"same-cpu", 0, 0, map[int]int32{0: 2}, true, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := still(t, testMachine(2, 4, 2))
			for cpu, nr := range tc.nr {
				s.load(nr, cpu)
			}
			waker, task := &s.tasks[0], &s.tasks[1]
			waker.recentUsedCPU = 7
			s.cpus[tc.this].curr = waker.ID
			s.touch(int32(tc.this))
			task.cpu = int32(tc.prev)
			s.at(int32(tc.this))
			if got := selectTaskRQFair(s, task, tc.prev, tc.sync); got != tc.want {
				t.Errorf("got CPU %d, want %d", got, tc.want)
			}
			if int(waker.recentUsedCPU) != tc.this {
				t.Errorf("the waker's recent_used_cpu is %d, want %d", waker.recentUsedCPU, tc.this)
			}
			if waker.lastWakee != task.ID {
				t.Error("record_wakee was not called")
			}
		})
	}
}

// TestSISProp looks how far select_idle_cpu scans a busy LLC: one CPU less than
// nr, which the file gives by span, average idle time and average scan cost.
func TestSISProp(t *testing.T) {
	f, err := os.Open("testdata/sis-prop.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	number := func(s string) int64 {
		v, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	scheds := map[int64]*Sched{}
	for _, row := range rows[1:] {
		span, idle, cost, nr := number(row[0]), number(row[1]), number(row[2]), number(row[3])
		s := scheds[span]
		if s == nil {
			s = still(t, testMachine(1, int(span)/2, 2))
			for cpu := range int(span) {
				s.load(1, cpu)
			}
			scheds[span] = s
		}
		s.at(0)
		s.cpus[0].avgIdle = idle
		d := s.llcDomain(0)
		d.avgScanCost = cost
		s.count.CPUsScanned = 0
		if got := selectIdleCPU(s, &s.tasks[0], 0); got != -1 {
			t.Fatalf("found CPU %d", got)
		}
		if want := min(nr-1, span); s.count.CPUsScanned != want {
			t.Errorf("%v: looked at %d CPUs, want %d", row, s.count.CPUsScanned, want)
		}
		// A scan that ran out of nr leaves the cost alone.
		if ranOut := nr <= span; ranOut != (d.avgScanCost == cost) {
			t.Errorf("%v: avg_scan_cost went from %d to %d", row, cost, d.avgScanCost)
		}
	}
	if len(rows) < 91 {
		t.Errorf("%d rows", len(rows))
	}
}

// TestSISPropLooksAtTargetFirst: with nr = 4 the scan looks at the target and
// two more.
func TestSISPropLooksAtTargetFirst(t *testing.T) {
	for idle, want := range map[int]int{1: 1, 2: 2, 3: -1} {
		s := still(t, testMachine(1, 4, 2))
		for cpu := range 8 {
			if cpu != idle {
				s.load(1, cpu)
			}
		}
		s.at(5)
		s.cpus[5].avgIdle = 0
		if got := selectIdleCPU(s, &s.tasks[0], 0); got != want {
			t.Errorf("CPU %d idle: got %d, want %d", idle, got, want)
		}
	}
}

// TestUpdateAvg: the average moves by an eighth, and a division stops 7 short.
func TestUpdateAvg(t *testing.T) {
	for _, tc := range []struct{ avg, sample, want int64 }{
		{0, 800, 100}, {800, 0, 700}, {100, 107, 100}, {107, 100, 107}, {100, 108, 101},
	} {
		got := tc.avg
		if updateAvg(&got, tc.sample); got != tc.want {
			t.Errorf("%d with sample %d: %d, want %d", tc.avg, tc.sample, got, tc.want)
		}
	}
}

// TestConfirmSelection: at its end a search goes on if somebody took the idle
// CPU that it had found; a search that had failed is over.
func TestConfirmSelection(t *testing.T) {
	for _, tc := range []struct {
		name  string
		found bool
		taken bool
		want  int32
		looks bool
	}{
		{"still-idle", true, false, 3, false},
		{"taken", true, true, 1, true},
		{"failed", false, true, 3, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := still(t, testMachine(1, 4, 1))
			waker, task := &s.tasks[0], &s.tasks[1]
			s.load(1, 0)
			c := &s.cpus[0]
			c.curr, c.wakee, c.wakeCPU, c.wakeScanned = waker.ID, task.ID, 3, tc.found
			s.touch(0)
			task.cpu = 2
			s.load(1, 2)
			if tc.taken {
				s.load(1, 3)
			}
			s.confirmSelection(0)
			if c.wakeCPU != tc.want {
				t.Errorf("goes to CPU %d, want %d", c.wakeCPU, tc.want)
			}
			if looked := s.count.CPUsScanned > 0; looked != tc.looks {
				t.Errorf("looked at %d CPUs again", s.count.CPUsScanned)
			}
			if c.act != actWake {
				t.Error("the wakeup does not go on")
			}
		})
	}
}
