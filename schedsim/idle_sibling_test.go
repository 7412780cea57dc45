package schedsim

import (
	"fmt"
	"math"
	"testing"

	"github.com/schedlab/schedlab/topology"
)

// TestSelectIdleSiblingVersions: where each version puts a task whose target is 0
// and whose prev is 1. CPUs 0 to 3 and 8 to 11 share a cache; 0 and 8 are a core.
func TestSelectIdleSiblingVersions(t *testing.T) {
	type want struct {
		cpu, recent int // recent_used_cpu afterwards
	}
	for _, tc := range []struct {
		name                             string
		recent                           int
		busy                             []int
		idleCores                        bool
		v310, v418, v59, v510, v61, v612 want
	}{
		{"target", 2, []int{1}, true,
			want{0, 2}, want{0, 2}, want{0, 2}, want{0, 2}, want{0, 2}, want{0, 2}},
		{"prev", 2, []int{0}, true,
			want{1, 2}, want{1, 2}, want{1, 2}, want{1, 2}, want{1, 2}, want{1, 2}},
		// 3.10 knows no recent CPU: core 2 is the first with all threads idle.
		{"recent", 11, []int{0, 1}, true,
			want{2, 11}, want{11, 1}, want{11, 1}, want{11, 1}, want{11, 1}, want{11, 1}},
		// Since 6.1 recent becomes prev at each search, found or not.
		{"idle-core", 3, []int{0, 1, 3}, true,
			want{2, 3}, want{2, 3}, want{2, 3}, want{2, 3}, want{2, 1}, want{2, 1}},
		// Without the hint 4.18 to 5.10 look at two CPUs after the target, 6.1 at
		// prev's sibling.
		{"no-hint", 0, []int{0, 1, 2, 3}, false,
			want{8, 0}, want{8, 0}, want{8, 0}, want{8, 0}, want{9, 1}, want{9, 1}},
		{"no-hint-core-behind", 0, []int{0, 1}, false,
			want{2, 0}, want{2, 0}, want{2, 0}, want{2, 0}, want{9, 1}, want{9, 1}},
		// A stale hint: no core is idle, and core 3 has an idle thread behind a
		// busy one. 3.10 never finds it; 4.18 to 5.10 only if the scan gets there;
		// the merged search took it for its candidate.
		{"stale-hint", 0, []int{0, 8, 1, 9, 2, 10, 3}, true,
			want{0, 0}, want{0, 0}, want{0, 0}, want{0, 0}, want{11, 1}, want{11, 1}},
		{"stale-hint-sibling", 0, []int{0, 1, 9, 2, 10, 3, 11}, true,
			want{8, 0}, want{8, 0}, want{8, 0}, want{8, 0}, want{8, 1}, want{8, 1}},
		{"nothing", 0, []int{0, 8, 1, 9, 2, 10, 3, 11}, true,
			want{0, 0}, want{0, 0}, want{0, 0}, want{0, 0}, want{0, 1}, want{0, 1}},
	} {
		for i, k := range kernels(16) {
			t.Run(tc.name+"/"+k.Version, func(t *testing.T) {
				s := stillOn(t, testMachine(2, 4, 2), flat(k))
				s.load(1, tc.busy...)
				s.SetIdleCores(0, tc.idleCores)
				s.cpus[0].avgIdle = 0 // two useful looks of SIS_PROP
				task := &s.tasks[0]
				task.recentUsedCPU = int32(tc.recent)
				s.at(0)
				got := k.SelectIdleSibling(s, task, 1, 0)
				w := []want{tc.v310, tc.v418, tc.v59, tc.v510, tc.v61, tc.v612}[i]
				if got != w.cpu || int(task.recentUsedCPU) != w.recent {
					t.Errorf("CPU %d, recent_used_cpu %d; want %d, %d", got, task.recentUsedCPU, w.cpu, w.recent)
				}
			})
		}
	}
}

// TestGroupScan: 3.10 looks at whole groups, cores first, without limit.
func TestGroupScan(t *testing.T) {
	for _, tc := range []struct {
		name   string
		target int
		busy   []int
		want   int
		looks  int64
	}{
		// The target is known to be busy and its core is skipped for free.
		{"next-core", 0, []int{0}, 1, 2},
		{"behind-half-busy", 0, []int{0, 1, 10}, 3, 1 + 2 + 2},
		{"sibling-last", 0, []int{0, 1, 2, 3}, 8, 3 + 1},
		{"other-threads-unseen", 0, []int{0, 8, 1, 2, 3}, 0, 3 + 1},
		{"from-the-second-thread", 8, []int{8, 1, 2, 3}, 0, 3 + 1 + 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := stillOn(t, testMachine(1, 4, 2), flat(V310(8)))
			m := map[int]int{8: 4, 9: 5, 10: 6, 11: 7} // the sockets of the table have 16 threads
			at := func(c int) int {
				if v, ok := m[c]; ok {
					return v
				}
				return c
			}
			for _, c := range tc.busy {
				s.load(1, at(c))
			}
			s.at(0)
			if got := selectIdleSibling310(s, &s.tasks[0], at(tc.target), at(tc.target)); got != at(tc.want) {
				t.Errorf("CPU %d, want %d", got, at(tc.want))
			}
			if s.count.CPUsScanned != tc.looks {
				t.Errorf("%d looks, want %d", s.count.CPUsScanned, tc.looks)
			}
		})
	}
}

// TestCacheOfPOWER: what is searched is a core on POWER8, where nothing above shares
// a cache as far as the scheduler knows, and a pair of cores on POWER9.
func TestCacheOfPOWER(t *testing.T) {
	for _, tc := range []struct {
		machine string
		kernel  func(int) Kernel
		cpus    int
	}{
		{"p7-4s4n", V310, 4}, {"p8-2s4n", V310, 8}, {"p8-2s4n", V418, 8}, {"p9-2s2n", V418, 8},
	} {
		m, err := topology.Load(tc.machine)
		if err != nil {
			t.Fatal(err)
		}
		k := tc.kernel(len(m.CPUs))
		s := stillOn(t, m, flat(k))
		llc := s.LLCFrom(0)
		if len(llc) != tc.cpus {
			t.Errorf("%s, %v: %d CPUs in the cache, want %d", tc.machine, k, len(llc), tc.cpus)
		}
		s.load(1, llc...)
		s.at(0)
		if got := k.SelectIdleSibling(s, &s.tasks[0], 0, 0); got != 0 {
			t.Errorf("%s, %v: CPU %d of another cache", tc.machine, k, got)
		}
	}
}

// TestSelectIdleCoreLooks418: 4.18 looks at all threads of each core.
func TestSelectIdleCoreLooks418(t *testing.T) {
	for _, tc := range []struct {
		busy      []int
		v418, v59 int64
		want      int
	}{
		{[]int{0, 1, 2, 3}, 8, 4, -1},
		{[]int{4, 5, 6, 7}, 8, 8, -1},
		{[]int{0}, 4, 3, 1},
		{nil, 2, 2, 0},
	} {
		for _, k := range []Kernel{V418(8), V59(8)} {
			want := tc.v59
			if k.Version == "v4.18" {
				want = tc.v418
			}
			s := stillOn(t, testMachine(1, 4, 2), flat(k))
			s.load(1, tc.busy...)
			s.at(0)
			if got := k.SelectIdleCore(s, &s.tasks[0], 0); got != tc.want || s.count.CPUsScanned != want {
				t.Errorf("%v busy, %v: CPU %d after %d looks, want %d after %d", tc.busy, k, got, s.count.CPUsScanned, tc.want, want)
			}
		}
	}
}

// TestIdleSearchRespectsAffinity: no version puts a task where it may not run, and
// an idle core is named by a thread that it may use.
func TestIdleSearchRespectsAffinity(t *testing.T) {
	for _, tc := range []struct {
		name    string
		allowed []int
		busy    []int
		want    map[string]int
	}{
		{"second-thread", []int{0, 5}, []int{0}, map[string]int{"v3.10": 5, "v4.18": 5, "v5.9": 5, "v5.10": 5, "v6.1": 5, "v6.12": 5}},
		{"forbidden-idle-cores", []int{0, 4}, []int{0, 4}, map[string]int{"v3.10": 0, "v4.18": 0, "v5.9": 0, "v5.10": 0, "v6.1": 0, "v6.12": 0}},
	} {
		for _, k := range kernels(8) {
			s := stillOn(t, testMachine(1, 4, 2), flat(k))
			s.load(1, tc.busy...)
			task := &s.tasks[0]
			task.allowed = maskOf(8, tc.allowed)
			s.at(0)
			if got := k.SelectIdleSibling(s, task, 0, 0); got != tc.want[k.Version] {
				t.Errorf("%s: %v: CPU %d, want %d", tc.name, k, got, tc.want[k.Version])
			}
		}
	}
	// CPUs that the task may not use count as looked at in 4.18 only: of the four
	// of the limit, the target is one.
	for version, want := range map[string]int{"v4.18": -1, "v5.9": 6} {
		k := V418(8)
		if version == "v5.9" {
			k = V59(8)
		}
		s := stillOn(t, testMachine(1, 8, 1), flat(k))
		task := &s.tasks[0]
		task.allowed = maskOf(8, []int{0, 6})
		s.load(1, 0)
		s.cpus[0].avgIdle = 0
		s.at(0)
		if got := k.SelectIdleCPU(s, task, 0); got != want {
			t.Errorf("%s: CPU %d, want %d", version, got, want)
		}
	}
}

// TestFallback: a choice that the task may not use is replaced by the first CPU of
// its node that it may, else the first of all.
func TestFallback(t *testing.T) {
	s := still(t, testMachine(2, 2, 2))
	task := &s.tasks[0]
	s.setTaskRQ(task, 2)
	for _, tc := range []struct {
		allowed []int
		want    int
	}{{[]int{0, 3, 7}, 3}, {[]int{1, 5}, 1}} {
		task.allowed = maskOf(8, tc.allowed)
		if got := s.selectFallbackRQ(task); got != tc.want {
			t.Errorf("%v allowed: CPU %d, want %d", tc.allowed, got, tc.want)
		}
	}
	// prev is CPU 2, which is idle and may not be used any more.
	task.allowed = maskOf(8, []int{0, 7})
	s.load(1, 0)
	if got := s.selectCPU(0, task, false); got != 7 {
		t.Errorf("CPU %d, want 7", got)
	}
}

// TestKthreadWakee: a task stays with the kthread that wakes it on its own CPU and
// has that to itself; an interrupt on top of it does the same until 5.16.
func TestKthreadWakee(t *testing.T) {
	for _, tc := range []struct {
		name          string
		nr            int32
		pinned, irq   bool
		prev          int
		v59, v61, old bool // old: 4.18
	}{
		{"kthread", 1, true, false, 0, true, true, false},
		{"interrupt-on-kthread", 1, true, true, 0, true, false, false},
		{"not-alone", 2, true, false, 0, false, false, false},
		{"not-pinned", 1, false, false, 0, false, false, false},
		{"other-prev", 1, true, false, 1, false, false, false},
	} {
		for _, k := range []Kernel{V418(4), V59(4), V61(4), V612(4)} {
			s := stillOn(t, testMachine(1, 4, 1), flat(k))
			kworker, task := &s.tasks[0], &s.tasks[1]
			s.load(tc.nr, 0)
			s.load(1, 1)
			kworker.kthread = true
			if tc.pinned {
				kworker.allowed = maskOf(4, []int{0})
			}
			s.cpus[0].curr = kworker.ID
			s.hardirq = tc.irq
			s.at(0)
			want := tc.v61
			switch k.Version {
			case "v4.18":
				want = tc.old
			case "v5.9":
				want = tc.v59
			}
			got := k.SelectIdleSibling(s, task, tc.prev, 0)
			if (got == tc.prev && got == 0) != want {
				t.Errorf("%s: %v: CPU %d, stays %v", tc.name, k, got, want)
			}
		}
	}
}

// TestMergedSearch counts the looks of the merged search and what it returns.
// Four cores of two threads; the scan begins after the target.
func TestMergedSearch(t *testing.T) {
	for _, tc := range []struct {
		name      string
		busy      []int
		idleCores bool
		limit     int32
		want      int
		looks     int64
		hintLeft  bool
	}{
		{"core", []int{0}, true, 8, 1, 2, true},
		{"no-limit-for-cores", []int{0, 1, 2}, true, 1, 3, 2 + 1 + 2, true},
		// 1 idle, 5 busy: candidate 1. Later cores are left at a busy first thread.
		{"candidate", []int{0, 5, 2, 3}, true, 8, 1, 2 + 1 + 1 + 1, false},
		// Without a candidate yet the search looks behind a busy thread.
		{"candidate-behind", []int{0, 1, 2, 3, 4, 5, 6}, true, 8, 7, 6 + 1, false},
		{"overloaded", nil, true, 0, -1, 0, true},
		{"cpu", []int{0, 1, 2}, false, 8, 3, 3, false},
		{"limit", []int{0, 1, 2}, false, 2, -1, 2, false},
		{"limit-reaches", []int{0, 1, 2}, false, 3, 3, 3, false},
		{"target-last", []int{1, 2, 3, 4, 5, 6, 7}, false, 8, 0, 8, false},
	} {
		for _, k := range []Kernel{V61(8), V612(8)} {
			t.Run(tc.name+"/"+k.Version, func(t *testing.T) {
				s := stillOn(t, testMachine(1, 4, 2), flat(k))
				s.load(1, tc.busy...)
				s.SetIdleCores(0, tc.idleCores)
				s.llcs[0].nrIdleScan = tc.limit
				s.at(0)
				if got := k.SelectIdleCPU(s, &s.tasks[0], 0); got != tc.want {
					t.Errorf("CPU %d, want %d", got, tc.want)
				}
				if s.count.CPUsScanned != tc.looks {
					t.Errorf("%d looks, want %d", s.count.CPUsScanned, tc.looks)
				}
				if s.TestIdleCores(0) != tc.hintLeft {
					t.Errorf("has_idle_cores %v afterwards", !tc.hintLeft)
				}
			})
		}
	}
}

// clustered is a socket of eight cores, pairs of which share an L2.
func clustered() *topology.Machine {
	m := testMachine(1, 8, 1)
	m.Transfer.SameL2 = topology.Quantity{Value: 30}
	for i := range m.CPUs {
		m.CPUs[i].L2 = i / 2
	}
	return m
}

// TestClusters: 6.12 looks in target's cluster first, and leaves an idle prev of
// another cluster for the end; 6.1 does neither.
func TestClusters(t *testing.T) {
	for _, tc := range []struct {
		name         string
		prev, recent int
		busy         []int
		limit        int32
		v61, v612    int
	}{
		{"prev-in-cluster", 1, 0, []int{0}, 8, 1, 1},
		{"prev-elsewhere", 4, 0, []int{0}, 8, 4, 1},
		{"prev-if-nothing-else", 4, 0, []int{0, 1, 2, 3}, 2, 4, 4},
		{"recent-elsewhere", 0, 5, []int{0}, 8, 5, 1},
		{"recent-if-nothing-else", 0, 5, []int{0, 1, 2, 3}, 2, 5, 5},
		{"rest", 0, 0, []int{0, 1, 2}, 8, 3, 3},
	} {
		for _, k := range []Kernel{V61(8), V612(8)} {
			s := stillOn(t, clustered(), flat(k))
			if got := s.clusters; got != (k.Version == "v6.12") {
				t.Fatalf("%v: clusters %v", k, got)
			}
			s.load(1, tc.busy...)
			s.llcs[0].nrIdleScan = tc.limit
			task := &s.tasks[0]
			task.recentUsedCPU = int32(tc.recent)
			s.at(0)
			want := tc.v61
			if k.Version == "v6.12" {
				want = tc.v612
			}
			if got := k.SelectIdleSibling(s, task, tc.prev, 0); got != want {
				t.Errorf("%s: %v: CPU %d, want %d", tc.name, k, got, want)
			}
		}
	}
}

func TestIdleScanLimit(t *testing.T) {
	table := rows(t, "testdata/sis-util.csv")
	for _, r := range table {
		if got := idleScanLimit(r[0]*r[1], int(r[0]), int(r[2])); int64(got) != r[3] {
			t.Errorf("%v: %d", r, got)
		}
	}
	// Values of the kernel's description: an LLC of 40 and one of 112.
	for _, tc := range []struct{ util, llc40, llc112 int64 }{
		{0, 40, 112}, {200, 37, 106}, {400, 31, 88}, {600, 21, 59}, {700, 14, 40}, {800, 6, 18}, {870, 0, 1}, {876, 0, 0},
	} {
		if a, b := idleScanLimit(40*tc.util, 40, 117), idleScanLimit(112*tc.util, 112, 117); int64(a) != tc.llc40 || int64(b) != tc.llc112 {
			t.Errorf("util %d: %d and %d, want %d and %d", tc.util, a, b, tc.llc40, tc.llc112)
		}
	}
	if len(table) != 34 {
		t.Errorf("%d rows", len(table))
	}
}

// TestUpdateIdleCPUScan: periodic balance of the LLC renews the limit, newidle
// balance and other domains do not.
func TestUpdateIdleCPUScan(t *testing.T) {
	s := stillOn(t, testMachine(2, 4, 2), flat(V61(16)))
	if got := s.llcs[0].nrIdleScan; got != 8 {
		t.Fatalf("%d at first, want all 8", got)
	}
	for _, ci := range []int32{0, 1, 2, 3, 8, 9, 10, 11} {
		s.cfs[ci].avg.util = 512
	}
	domains := s.cpus[0].domains
	for _, tc := range []struct {
		name string
		d    *Domain
		idle idleType
		want int32
	}{
		{"core", &domains[0], cpuIdle, 8},
		{"nodes", &domains[2], cpuIdle, 8},
		{"newidle", &domains[1], cpuNewlyIdle, 8},
		{"llc", &domains[1], cpuIdle, 5}, // 1024 - 512*512*117*117/10240000 = 674; 674*8/1024
	} {
		s.findBusiestGroup(&lbEnv{d: tc.d, dst: 0, idle: tc.idle})
		if got := s.llcs[0].nrIdleScan; got != tc.want {
			t.Errorf("%s: limit %d, want %d", tc.name, got, tc.want)
		}
	}
	if s.llcs[1].nrIdleScan != 8 {
		t.Error("the other LLC's changed")
	}
}

// TestSearchProbabilities: how often searches of an LLC of 20 cores find something
// when the target and others at random are busy, against an independent
// computation of 20000 trials a row. The threads of core k are k and k+20.
func TestSearchProbabilities(t *testing.T) {
	const trials = 2000
	for _, tc := range []struct {
		busy                             int
		idleCore                         float64 // some core is idle
		scan, orSibling, candidate, used float64 // if none is
	}{
		{28, .91, .52, .73, 1, 26},
		{32, .58, .38, .54, 1, 24},
		{34, .35, .29, .43, .98, 23},
		{36, .15, .20, .29, .94, 22},
		{38, .02, .10, .15, .74, 21},
	} {
		t.Run(fmt.Sprint(tc.busy), func(t *testing.T) {
			s := still(t, testMachine(1, 20, 2))
			patched := V510(40).With(IdleCandidate)
			r := StreamFor(1, 0, int32(tc.busy))
			var idleCore, scan, orSibling, candidate, used, none float64
			for range trials {
				target := r.IntN(40)
				var others []int
				for c := range 40 {
					s.load(0, c)
					if c != target {
						others = append(others, c)
					}
				}
				s.load(1, target)
				for k := range tc.busy - 1 {
					j := k + r.IntN(len(others)-k)
					others[k], others[j] = others[j], others[k]
					s.load(1, others[k])
				}
				s.at(int32(target))
				s.cpus[target].avgIdle = 0 // nr = 4
				s.SetIdleCores(0, true)
				before := s.count.CPUsScanned
				if selectIdleCore(s, &s.tasks[0], target) >= 0 {
					idleCore++
					continue
				}
				none++
				used += float64(s.count.CPUsScanned - before)
				found := selectIdleCPU(s, &s.tasks[0], target) >= 0
				if found {
					scan++
				}
				if found || selectIdleSMT(s, &s.tasks[0], target) >= 0 {
					orSibling++
				}
				s.SetIdleCores(0, true)
				if patched.SelectIdleCore(s, &s.tasks[0], target) >= 0 {
					candidate++
				}
			}
			near := func(what string, got, want, n float64) {
				// Four standard errors, and the rounding of the reference.
				if slack := 4*math.Sqrt(want*(1-min(want, .999))/n) + .02; math.Abs(got-want) > slack {
					t.Errorf("%s: %.3f, want %.2f within %.3f", what, got, want, slack)
				}
			}
			near("an idle core", idleCore/trials, tc.idleCore, trials)
			near("scan", scan/none, tc.scan, none)
			near("or the sibling", orSibling/none, tc.orSibling, none)
			near("candidate", candidate/none, tc.candidate, none)
			if got := used / none; math.Abs(got-tc.used) > .8 {
				t.Errorf("a failing search looks at %.1f CPUs, want %.0f", got, tc.used)
			}
		})
	}
}
