package schedsim

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// TestNUMAPullsMemory: a task alone, whose memory is on the other node, draws it
// over within a few passes, at first touch of a protected page.
func TestNUMAPullsMemory(t *testing.T) {
	w := &processes{
		script: script{tasks: hogs(1)},
		proc: []process{{
			private: []Region{{Bytes: megabytes(64), Nodes: []float64{0, 1}}},
			rate:    1e6, stall: 0.5, threads: []int{0},
		}},
	}
	s := newNUMASched(t, numaMachine(2, 2, 1), w)
	simulateNUMA(t, s, 5*time.Second)
	on := s.NodePages(w.rs[0][0])
	if on[0] != 16384 || on[1] != 0 {
		t.Errorf("pages by node %v, want all 16384 on node 0", on)
	}
	if got := s.count.NUMAPagesMigrated; got != 16384 {
		t.Errorf("%d pages migrated", got)
	}
	// A single-threaded process's local pages are not protected.
	if got := s.count.NUMAHintFaults; got != 16384 {
		t.Errorf("%d hinting faults", got)
	}
}

// TestNUMAFollowsMemory: if the memory cannot move, the task does, and prefers its
// node from the first placement on: two passes.
func TestNUMAFollowsMemory(t *testing.T) {
	for _, patches := range [][]Patch{nil, {NUMARework}, {NUMABalancingV419}} {
		t.Run(fmt.Sprint(len(patches)), func(t *testing.T) {
			w := &processes{
				script: script{tasks: hogs(1)},
				proc: []process{{
					private: []Region{{Bytes: megabytes(64), Nodes: []float64{0, 1}, Unmovable: 1}},
					rate:    1e6, stall: 0.5, threads: []int{0},
				}},
			}
			s := newNUMASched(t, numaMachine(2, 2, 1), w, patches...)
			task := &s.tasks[0]
			simulateNUMA(t, s, 1500*time.Millisecond)
			for s.mem.tasks[0].scanSeq < 2 && s.now < bootTime+20e9 {
				simulate(t, s, 10*time.Millisecond)
			}
			simulate(t, s, 1200*time.Millisecond) // the retry
			if got := s.NUMAPreferredNode(task); got != 1 {
				t.Errorf("preferred node %d after %d passes", got, s.mem.tasks[0].scanSeq)
			}
			if got := s.Node(task.CPU()); got != 1 {
				t.Errorf("the task is on node %d", got)
			}
			if s.count.NUMAMoves != 1 || s.count.NUMASwaps != 0 || s.count.NUMAPagesMigrated != 0 {
				t.Errorf("%d moves, %d swaps, %d pages", s.count.NUMAMoves, s.count.NUMASwaps, s.count.NUMAPagesMigrated)
			}
			// The speed is that of local memory now.
			simulateNUMA(t, s, 100*time.Millisecond)
			if got := s.mem.cpu[task.cpu].speed; got != 1<<16 {
				t.Errorf("speed %d on the node of its memory", got)
			}
		})
	}
}

// TestNUMASwap: two tasks, each beside the memory of the other, change places.
func TestNUMASwap(t *testing.T) {
	for _, patch := range []Patch{NoIdleCoreSearch /* nothing that matters here */, NUMARework} {
		t.Run(patch.Name, func(t *testing.T) {
			crossed := func(cpu int, nodes ...float64) (scripted, process) {
				return scripted{ops: []Op{hog()}, cpu: cpu},
					process{private: []Region{{Bytes: megabytes(64), Nodes: nodes, Unmovable: 1}}, rate: 1e6, stall: 0.5}
			}
			w := &processes{}
			for i, nodes := range [][]float64{{0, 1}, {1, 0}} {
				st, p := crossed(i, nodes...)
				p.threads = []int{i}
				w.tasks, w.proc = append(w.tasks, st), append(w.proc, p)
			}
			s := newNUMASched(t, numaMachine(2, 1, 1), w, patch)
			simulate(t, s, 500*time.Millisecond)
			if a, b := s.tasks[0].cpu, s.tasks[1].cpu; a != 0 || b != 1 {
				t.Fatalf("tasks start on CPUs %d and %d", a, b)
			}
			simulateNUMA(t, s, 9500*time.Millisecond)
			if a, b := s.tasks[0].cpu, s.tasks[1].cpu; a != 1 || b != 0 {
				t.Errorf("tasks are on CPUs %d and %d", a, b)
			}
			if s.count.NUMASwaps != 1 {
				t.Errorf("%d swaps, %d moves", s.count.NUMASwaps, s.count.NUMAMoves)
			}
		})
	}
}

// TestNUMAGroup: threads that share their memory end up in one group; two
// processes in two, and neither with tasks of the other.
func TestNUMAGroup(t *testing.T) {
	w := &processes{}
	w.tasks = hogs(8)
	for i := range w.tasks {
		w.tasks[i].cpu = i
	}
	for p := range 2 {
		w.proc = append(w.proc, process{
			shared: []Region{{Bytes: megabytes(32)}},
			rate:   1e5, stall: 0.5, threads: []int{p, p + 2, p + 4, p + 6},
		})
	}
	s := newNUMASched(t, numaMachine(2, 4, 1), w, NUMARework)
	simulateNUMA(t, s, 30*time.Second)
	for p := range 2 {
		g := s.mem.tasks[p].group
		for _, i := range w.proc[p].threads {
			if got := s.mem.tasks[i].group; got != g || g == none {
				t.Errorf("task %d of process %d is in group %d, want %d", i, p, got, g)
			}
		}
		if g != none && s.mem.groups[g].tasks != 4 {
			t.Errorf("group %d has %d tasks", g, s.mem.groups[g].tasks)
		}
	}
	if a, b := s.mem.tasks[0].group, s.mem.tasks[1].group; a == b {
		t.Errorf("both processes are in group %d", a)
	}
	// Eight tasks on eight CPUs that share by four: each process gets a node.
	for p := range 2 {
		nodes := map[int]int{}
		for _, i := range w.proc[p].threads {
			nodes[s.Node(s.tasks[i].CPU())]++
		}
		if len(nodes) != 1 {
			t.Errorf("process %d has tasks on nodes %v, memory %v", p, nodes, s.NodePages(w.rs[p][0]))
		}
	}
}

// TestNUMASharedWide: a process of more threads than a node has CPUs stays spread,
// with its memory on both nodes.
func TestNUMASharedWide(t *testing.T) {
	w := &processes{script: script{tasks: hogs(8)}}
	for i := range w.tasks {
		w.tasks[i].cpu = i
	}
	w.proc = []process{{shared: []Region{{Bytes: megabytes(64)}}, rate: 1e5, stall: 0.5, threads: []int{0, 1, 2, 3, 4, 5, 6, 7}}}
	s := newNUMASched(t, numaMachine(2, 4, 1), w, NUMARework)
	simulateNUMA(t, s, 30*time.Second)
	busy := map[int]int{}
	for i := range w.tasks {
		busy[s.tasks[i].CPU()]++
	}
	if len(busy) != 8 {
		t.Errorf("tasks by CPU: %v", busy)
	}
	on := s.NodePages(w.rs[0][0])
	if on[0] < 16384/5 || on[1] < 16384/5 {
		t.Errorf("pages by node %v", on)
	}
	if g := s.mem.tasks[0].group; g == none || s.mem.groups[g].activeNodes != 2 {
		t.Errorf("group %d of task 0 is not active on two nodes", g)
	}
}

// TestNUMARateLimit: v4.18 moves 128 MB to a node in 100 ms and refuses the rest,
// which counts as a failure and doubles the scan period.
func TestNUMARateLimit(t *testing.T) {
	for _, tc := range []struct {
		name  string
		limit bool
	}{{"v4.18", true}, {"v4.19", false}} {
		t.Run(tc.name, func(t *testing.T) {
			w := &processes{
				script: script{tasks: hogs(1)},
				proc: []process{{
					private: []Region{{Bytes: megabytes(4096), PageBytes: 2 << 20, Nodes: []float64{0, 1}}},
					rate:    1e7, stall: 0.5, threads: []int{0},
				}},
			}
			w.tasks[0].cpus = pinned(0) // or it follows its memory
			m := numaMachine(2, 2, 1)
			m.Memory.RemoteBandwidth.Value = 100 // the copy is no limit
			s := newNUMASched(t, m, w)
			s.k.NUMAMigrateRateLimit = tc.limit
			s.cost.MigrateHugePage = 0
			simulateNUMA(t, s, 4*time.Second)
			limited := s.count.NUMARateLimited
			if (limited > 0) != tc.limit {
				t.Errorf("%d pages limited", limited)
			}
			if failed := s.mem.tasks[0].locality[2]; (failed > 0) != tc.limit {
				t.Errorf("%d pages failed to migrate", failed)
			}
			// 40 windows of 128 MB and what fits after the last page of one.
			if most := int64(40 * (32768 + 512)); tc.limit && s.count.NUMAPagesMigrated > most {
				t.Errorf("%d pages migrated, want %d at most", s.count.NUMAPagesMigrated, most)
			}
			if got := s.count.NUMAHintFaults * 512; got != s.count.NUMAPagesMigrated+limited+s.count.NUMAHintFaultsLocal*512 {
				t.Errorf("%d faults: %d migrated, %d limited, %d local", s.count.NUMAHintFaults,
					s.count.NUMAPagesMigrated, limited, s.count.NUMAHintFaultsLocal)
			}
		})
	}
}

// TestRateLimitWindow checks numamigrate_update_ratelimit by hand: 32768 pages of
// 4 KB are 128 MB; the test is made before the pages are added.
func TestRateLimitWindow(t *testing.T) {
	w := &processes{script: script{tasks: hogs(1)}, proc: []process{{private: []Region{{Bytes: 4096}}, threads: []int{0}}}}
	s := newNUMASched(t, numaMachine(2, 1, 1), w)
	for i, tc := range []struct {
		after, pages int64 // jiffies later
		want         bool
	}{
		{1, 32768, false},
		{0, 512, false}, // not above yet
		{0, 1, true},
		{25, 1, true}, // 100 ms are 25 jiffies; the window ends after them
		{1, 1, false},
		{0, 32768, false},
		{0, 1, true},
	} {
		s.jiffies += tc.after
		if got := s.rateLimited(0, tc.pages); got != tc.want {
			t.Errorf("step %d: %v, want %v", i, got, tc.want)
		}
		if i == 2 && s.rateLimited(1, 1) {
			t.Error("the other node is limited too")
		}
	}
}

// TestMemorySpeed: work on memory that is 1.5 times as far takes 1 + 0.4 * 0.5 as
// long.
func TestMemorySpeed(t *testing.T) {
	for _, tc := range []struct {
		name  string
		nodes []float64
		want  float64
	}{
		{"local", []float64{1, 0}, 1},
		{"remote", []float64{0, 1}, 1.2},
		{"half", []float64{1, 1}, 1.1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			st := scripted{ops: []Op{run(10 * time.Millisecond)}, cpus: pinned(0)}
			w := &processes{script: script{tasks: []scripted{st}}, proc: []process{{
				private: []Region{{Bytes: megabytes(64), Nodes: tc.nodes}}, stall: 0.4, threads: []int{0},
			}}}
			s := newNUMASched(t, numaMachine(2, 1, 1), w, NoNUMABalancing)
			simulateNUMA(t, s, 10*time.Second)
			got := 1000 / float64(w.iters[0])
			if math.Abs(got/tc.want-1) > 0.003 {
				t.Errorf("%v times as long, want %v", got, tc.want)
			}
		})
	}
}

// TestFirstTouch: pages come to the node of the task that touches them first, and
// as fast as it does: n(1-exp(-a/n)) after a touches.
func TestFirstTouch(t *testing.T) {
	st := scripted{ops: []Op{hog()}, cpus: pinned(1), cpu: 1}
	w := &processes{script: script{tasks: []scripted{st}}, proc: []process{{
		private: []Region{{Bytes: 4096 * 4096}}, rate: 4096, threads: []int{0},
	}}}
	s := newNUMASched(t, numaMachine(2, 1, 1), w, NoNUMABalancing)
	simulateNUMA(t, s, time.Second)
	on := s.NodePages(w.rs[0][0])
	if want := 4096 * (1 - math.Exp(-1)); on[0] != 0 || math.Abs(float64(on[1])-want) > 20 {
		t.Errorf("pages by node %v, want none and %.0f", on, want)
	}
	simulateNUMA(t, s, 20*time.Second)
	if on := s.NodePages(w.rs[0][0]); on[1] != 4096 {
		t.Errorf("pages by node %v in the end", on)
	}
}

func TestExpNeg(t *testing.T) {
	for x := 0.0; x < 45; x += 0.037 {
		if got, want := expNeg(x), math.Exp(-x); math.Abs(got-want) > 1e-9 {
			t.Fatalf("expNeg(%v) is %v, want %v", x, got, want)
		}
	}
}

// TestNUMADeterminism: the same seed gives the same trace and the same pages.
func TestNUMADeterminism(t *testing.T) {
	digest := func() string {
		w := newNUMAChaos(20)
		s := newNUMASched(t, numaMachine(2, 4, 2), w, NUMARework, ScanReset)
		simulate(t, s, 3*time.Second)
		out := fmt.Sprintf("%x %+v", s.trace.hash, s.count)
		for _, r := range s.mem.regions {
			out += fmt.Sprint(r.on)
		}
		return out
	}
	if a, b := digest(), digest(); a != b {
		t.Errorf("two runs differ:\n%s\n%s", a, b)
	}
}

// numaChaos is chaos of tasks with memory: address spaces of four threads each,
// which are born, share, touch and exit at random.
type numaChaos struct {
	*chaos
	mms    []MM
	shared []RegionID
}

func newNUMAChaos(n int) *numaChaos { return &numaChaos{chaos: newChaos(n, true)} }

func (w *numaChaos) Start(s *Sched) {
	w.chaos.Start(s)
	w.mms, w.shared = nil, nil
	// One region has more pages than blocks, and a last block of fewer.
	big := s.AddRegion(s.NewMM(), Region{Bytes: 20000 << 10, Unmovable: 0.03, Shared: true})
	w.shared = append(w.shared, big)
	for i := 0; i < w.n; i += 4 {
		mm := s.NewMM()
		w.mms = append(w.mms, mm)
		w.shared = append(w.shared, s.AddRegion(mm, Region{Bytes: 1000 << 10, Unmovable: 0.03}))
		s.MapRegion(mm, big)
		s.AddRegion(mm, Region{Bytes: megabytes(64), HugeTLB: true, PageBytes: 2 << 20})
	}
	for i := range w.n {
		t := &s.tasks[i]
		s.SetMM(t, w.mms[i/4])
		w.touch(s, t, i/4)
	}
}

func (w *numaChaos) touch(s *Sched, t *Task, i int) {
	own := s.AddRegion(w.mms[i], Region{Bytes: megabytes(4), PageBytes: 2 << 20})
	s.SetAccess(t, 0.4, Access{own, 1, 1e4}, Access{w.shared[i+1], 2, 1e5}, Access{w.shared[0], 1, 1e4})
}

func (w *numaChaos) Born(s *Sched, parent, child *Task, arg int32) {
	w.chaos.Born(s, parent, child, arg)
	s.CloneVM(parent, child)
	w.touch(s, child, int(s.mem.tasks[child.ID].mm)-1)
}

// TestNUMAInvariants checks the whole state after every event of random tasks.
func TestNUMAInvariants(t *testing.T) {
	for _, tc := range []struct {
		name    string
		patches []Patch
		threads int
	}{
		{"v4.18", nil, 2},
		{"rework", []Patch{NUMARework, ScanReset}, 1},
		{"v4.19", []Patch{NUMABalancingV419}, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			w := newNUMAChaos(20)
			s := newNUMASched(t, numaMachine(2, 4, tc.threads), w, tc.patches...)
			// More of everything in less time.
			s.k.NUMAScanDelay, s.k.NUMAScanPeriodMin, s.k.NUMAScanPeriodMax = 20, 5, 100
			s.k.NUMAScanSize = 16
			for i := range s.mem.tasks {
				s.mem.tasks[i].scanPeriod = min(s.mem.tasks[i].scanPeriod, 20)
			}
			for i := range s.mem.mms {
				s.mem.mms[i].nextScan = s.jiffies
			}
			for i := range 30000 {
				s.step()
				if i%8 != 0 {
					continue
				}
				if err := s.verify(); err != nil {
					t.Fatal(err)
				}
				if i%64 != 0 {
					continue
				}
				if err := s.verifyNUMA(); err != nil {
					t.Fatalf("at %d ns, event %d: %v", s.now-bootTime, s.count.Events, err)
				}
			}
			c := &s.count
			if c.NUMAHintFaults == 0 || c.NUMAScans == 0 || c.NUMAGroups == 0 || c.NUMAPagesMigrated == 0 {
				t.Errorf("little happened: %+v", *c)
			}
			t.Logf("%d scans, %d faults, %d migrated, %d moves, %d swaps, %d groups, %d joins, %d resets, %d ms",
				c.NUMAScans, c.NUMAHintFaults, c.NUMAPagesMigrated, c.NUMAMoves, c.NUMASwaps, c.NUMAGroups, c.NUMAGroupJoins,
				c.NUMAScanResets, (s.now-bootTime)/1e6)
		})
	}
}

// TestNUMANoAllocations: once warm, neither ticks nor faults allocate.
func TestNUMANoAllocations(t *testing.T) {
	w := &jvms{procs: 2, threads: 8, heap: Region{Bytes: megabytes(512)}}
	s := newNUMASched(t, numaMachine(2, 4, 2), w, NUMARework, ScanReset)
	simulate(t, s, 60*time.Second)
	faults := s.count.NUMAHintFaults
	allocs := testing.AllocsPerRun(5, func() {
		for range 20000 {
			s.step()
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations in 20,000 events", allocs)
	}
	if s.count.NUMAHintFaults-faults < 1000 {
		t.Errorf("only %d faults meanwhile", s.count.NUMAHintFaults-faults)
	}
}

// TestMemoryAlone: a kernel without a model of NUMA balancing has memory all the
// same, and a workload without memory is not changed by the balancing.
func TestMemoryAlone(t *testing.T) {
	m := numaMachine(2, 4, 2)
	w := newNUMAChaos(20)
	s := newTestSched(t, m, w, false)
	simulateNUMA(t, s, 200*time.Millisecond)
	if c := &s.count; s.startErr != nil || c.MemTicks == 0 || c.NUMAScans+c.NUMAHintFaults+c.NUMAMoves+c.NUMAScanResets != 0 {
		t.Errorf("error %v, counts %+v", s.startErr, *c)
	}
	hash := func(patches ...Patch) uint64 {
		s := newNUMASched(t, m, newChaos(20, false), patches...)
		simulate(t, s, 200*time.Millisecond)
		return s.trace.hash
	}
	if hash() != hash(NoNUMABalancing) || hash() != hash(NUMABalancingV419) {
		t.Error("NUMA balancing changes a workload without memory")
	}
	k := V418(16)
	k.NUMAScanSize = 0
	if _, err := newSched(&Config{Machine: m, Kernel: k, Workload: newChaos(4, false)}); err == nil {
		t.Error("no error for a scan size of 0")
	}
}

// TestUnmap: a thread that ends and gives its memory back leaves none.
func TestUnmap(t *testing.T) {
	w := newNUMAChaos(8)
	s := newNUMASched(t, numaMachine(2, 4, 2), w, NUMARework)
	simulateNUMA(t, s, 1500*time.Millisecond)
	if s.count.NUMAScans == 0 {
		t.Error("no scans")
	}
	for i := range s.mem.mms {
		space := &s.mem.mms[i]
		for j := range space.maps {
			s.Unmap(MM(i), space.maps[j].region)
		}
		if space.rss != 0 || space.touchable != 0 {
			t.Errorf("mm %d: %d pages, %d touchable", i, space.rss, space.touchable)
		}
	}
	simulateNUMA(t, s, 500*time.Millisecond)
}

// TestMemoryErrors: what cannot be is an error of the run, and no panic.
func TestMemoryErrors(t *testing.T) {
	for _, tc := range []struct {
		name   string
		region Region
		access func(s *Sched, t *Task, r RegionID)
		want   string
	}{
		{name: "no bytes", region: Region{}, want: "bytes"},
		{name: "odd pages", region: Region{Bytes: 4096, PageBytes: 5000}, want: "multiple"},
		{name: "shares", region: Region{Bytes: 4096, Nodes: []float64{0, 0}}, want: "nothing"},
		{name: "nodes", region: Region{Bytes: 4096, Nodes: []float64{1, 1, 1}}, want: "nodes"},
		{name: "unmovable", region: Region{Bytes: 4096, Unmovable: 2}, want: "unmovable"},
		{name: "no mm", region: Region{Bytes: 4096}, want: "SetMM", access: func(s *Sched, t *Task, r RegionID) {
			s.SetAccess(t, 0, Access{Region: r})
		}},
		{name: "intensity", region: Region{Bytes: 4096}, want: "waits", access: func(s *Sched, t *Task, r RegionID) {
			s.SetMM(t, 0)
			s.SetAccess(t, 1.5, Access{Region: r})
		}},
		{name: "weight", region: Region{Bytes: 4096}, want: "weight", access: func(s *Sched, t *Task, r RegionID) {
			s.SetMM(t, 0)
			s.SetAccess(t, 0, Access{Region: r, Weight: -1})
		}},
		{name: "unmapped", region: Region{Bytes: 4096}, want: "MapRegion", access: func(s *Sched, t *Task, r RegionID) {
			s.SetMM(t, s.NewMM())
			s.SetAccess(t, 0, Access{Region: r})
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := numaMachine(2, 1, 1)
			w := &script{tasks: hogs(1)}
			s := newTestSched(t, m, w, true)
			r := s.AddRegion(s.NewMM(), tc.region)
			if tc.access != nil {
				tc.access(s, &s.tasks[0], r)
			}
			if s.startErr == nil || !strings.Contains(s.startErr.Error(), tc.want) {
				t.Errorf("error %v, want one with %q", s.startErr, tc.want)
			}
		})
	}
	// A machine without latencies.
	w := &script{tasks: hogs(1)}
	s := newTestSched(t, testMachine(2, 1, 1), w, true)
	mm := s.NewMM()
	s.SetMM(&s.tasks[0], mm)
	s.SetAccess(&s.tasks[0], 0)
	if s.startErr == nil {
		t.Error("no error for a machine without memory latencies")
	}
}
