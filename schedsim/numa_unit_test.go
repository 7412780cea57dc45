package schedsim

import (
	"fmt"
	"slices"
	"testing"
)

// The functions of NUMA balancing one by one, against values worked out by hand.

// TestTickNUMA is task_tick_numa at tick 1000 of a task with a period of 500 ms,
// or with one of 1000 that it gives up for scan_start when it first scans.
func TestTickNUMA(t *testing.T) {
	const ms = 1e6
	for _, tc := range []struct {
		name                string
		ran, stamp, due     int64 // ms, ms, jiffies from now
		work                bool
		wantStamp, wantScan int64
	}{
		{"too early", 1500, 1000, 0, false, 1000, 500},
		{"due", 1501, 1000, 0, true, 1500, 500},
		{"another scanned", 1501, 1000, 1, false, 1500, 500},
		{"long ago", 9000, 1000, 0, true, 1500, 500},
		{"first", 501, 0, 0, true, 500, 1000},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, task, nt := oneTask(t)
			s.ents[task.se].sumExec, nt.nodeStamp, nt.scanPeriod = tc.ran*ms, tc.stamp*ms, 500
			s.mem.mm(task).nextScan = s.jiffies + tc.due
			s.tickNUMA(task)
			if nt.work != tc.work || nt.nodeStamp != tc.wantStamp*ms || nt.scanPeriod != tc.wantScan {
				t.Errorf("work %v, stamp %d, period %d; want %v, %d, %d",
					nt.work, nt.nodeStamp/ms, nt.scanPeriod, tc.work, tc.wantStamp, tc.wantScan)
			}
		})
	}
}

// TestNUMAWork is task_numa_work over 600 MB in two regions around one that is not
// scanned: two pieces of 256 MB, one of what is left, and then nothing, as all is
// protected.
func TestNUMAWork(t *testing.T) {
	w := &processes{script: script{tasks: hogs(2)}, proc: []process{{
		shared: []Region{
			{Bytes: megabytes(300), Nodes: []float64{1}},
			{Bytes: megabytes(1000), Nodes: []float64{1}, HugeTLB: true},
			{Bytes: megabytes(300), Nodes: []float64{1}},
		},
		threads: []int{0, 1},
	}}}
	s := newNUMASched(t, numaMachine(2, 1, 1), w)
	task, nt, space := &s.tasks[0], &s.mem.tasks[0], &s.mem.mms[0]
	if want := int64(600 << 20 / 4096); space.rss != want {
		t.Fatalf("rss %d, want %d: hugetlbfs is not in it", space.rss, want)
	}
	nt.scanPeriod, nt.nodeStamp = 1000, 0
	for i := range s.mem.regions {
		s.mem.regions[i].scanWork = 10
	}
	if space.nextScan = s.jiffies + 1; s.taskNUMAWork(0, task) != 0 || nt.nodeStamp != 0 {
		t.Fatal("scanned before it is due")
	}
	for i, want := range []struct{ updates, seq int64 }{
		{65536, 0}, {65536, 0}, {22528, 1}, {0, 2}, {0, 3},
	} {
		s.jiffies = space.nextScan
		before := s.count.NUMAPTEUpdates
		work := s.taskNUMAWork(0, task)
		got := s.count.NUMAPTEUpdates - before
		// Blocks of 19 pages: a piece may be one block longer.
		if d := got - want.updates; d < -3*19 || d > 3*19 || want.updates == 0 && d != 0 || int64(space.scanSeq) != want.seq {
			t.Errorf("scan %d: %d pages, %d passes; want %d, %d", i, got, space.scanSeq, want.updates, want.seq)
			break
		}
		if i == 0 {
			if work != got*10 {
				t.Errorf("work %d for %d pages", work, got)
			}
		}
		if d := space.nextScan - s.jiffies; d != 250 { // 1 s of 4 ms
			t.Errorf("scan %d: the next one is due in %d jiffies", i, d)
		}
		if nt.nodeStamp != int64(i+1)*2*4e6 {
			t.Errorf("scan %d: node stamp %d", i, nt.nodeStamp)
		}
		space.rss = 600 << 20 / 4096
		if i == 1 {
			s.verifySum(t, space, 131072)
		}
		if i == 2 {
			s.verifySum(t, space, 153600)
		}
	}
	// A scan of 10.5 ms: the kernel sees two ticks of 4 ms of it, and 32 of each.
	for i := range space.maps {
		mp := &space.maps[i]
		for _, b := range mp.protected {
			mp.state[b] = pagePresent
		}
		space.touchable -= int64(len(mp.protected))
		mp.protected = mp.protected[:0]
	}
	s.jiffies = space.nextScan
	nt.nodeStamp = 0
	for i := range s.mem.regions {
		s.mem.regions[i].scanWork = 160 // 65,000 of it are 10.4 ms
	}
	s.taskNUMAWork(0, task)
	if want := int64(2*4e6 + 32*8e6); nt.nodeStamp != want {
		t.Errorf("node stamp %d after a long scan, want %d", nt.nodeStamp, want)
	}
}

// verifySum checks how many pages are protected.
func (s *Sched) verifySum(t *testing.T, space *mm, want int64) {
	t.Helper()
	sum := int64(0)
	for i := range space.maps {
		mp := &space.maps[i]
		for _, b := range mp.protected {
			sum += s.mem.regions[mp.region].unitsOf(b)
		}
	}
	if sum < want || sum > want+60 {
		t.Errorf("%d pages protected, want %d", sum, want)
	}
}

// TestPlacement is task_numa_placement: means by half, CPU time by weight, and the
// preferred node with and without a group.
func TestPlacement(t *testing.T) {
	for _, tc := range []struct {
		name      string
		rework    bool
		group     bool
		others    [2]int64 // faults of other tasks of the group, by node
		preferred int32
	}{
		{"alone", true, false, [2]int64{}, 1},
		{"group of the same mind", true, true, [2]int64{0, 10}, 1},
		{"group of another mind", true, true, [2]int64{500, 0}, 0},
		{"group of another mind, v4.18", false, true, [2]int64{500, 0}, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, task, nt := oneTask(t)
			s.k.NUMARework = tc.rework
			m, e := s.mem, &s.ents[task.se]
			f := m.faultsOf(0)
			f[m.at(numaMem, 1, 0)], f[m.at(numaMemBuf, 1, 0)] = 301, 40
			f[m.at(numaMem, 0, 1)] = 10
			f[m.at(numaCPUs, 0, 1)], f[m.at(numaCPUBuf, 0, 1)] = 1001, 50
			nt.totalFaults, nt.hasFaults = 311, true
			nt.locality = [3]int64{60, 39, 0}
			if tc.group {
				nt.group = 0
				m.groups[0] = numaGroup{tasks: 2, activeNodes: 1, totalFaults: 311 + tc.others[0] + tc.others[1]}
				copy(m.groupFaultsOf(0), f)
				for n, v := range tc.others {
					m.groupFaultsOf(0)[m.at(numaMem, n, 0)] += v
				}
			}
			// It ran for half of the second since the last placement.
			nt.lastPlacement, e.execStart = s.now, s.now+1e9-1
			nt.lastSumExec, e.sumExec = 1e9, 1.5e9
			nt.scanSeq, m.mms[0].scanSeq = 4, 5
			s.taskNUMAPlacement(task)
			want := make([]int64, len(f))
			want[m.at(numaMem, 1, 0)] = 301 + 40 - 150
			want[m.at(numaMem, 0, 1)] = 10 - 5
			want[m.at(numaCPUs, 0, 1)] = 1001 + 32768*50/100 - 500
			if !slices.Equal(f, want) || nt.totalFaults != 196 {
				t.Errorf("faults %v, %d in all; want %v, 196", f, nt.totalFaults, want)
			}
			if nt.preferred != tc.preferred {
				t.Errorf("preferred node %d, want %d", nt.preferred, tc.preferred)
			}
			if tc.group {
				gw := slices.Clone(want[:len(want)/2])
				for n, v := range tc.others {
					gw[m.at(numaMem, n, 0)] += v
				}
				if got := m.groupFaultsOf(0); !slices.Equal(got, gw) {
					t.Errorf("group's faults %v, want %v", got, gw)
				}
				if g := &m.groups[0]; g.totalFaults != 196+tc.others[0]+tc.others[1] || g.maxFaults != 16885 || g.activeNodes != 1 {
					t.Errorf("group %+v", *g)
				}
			}
			// Once a pass only.
			s.taskNUMAPlacement(task)
			if nt.totalFaults != 196 {
				t.Errorf("%d faults after a second placement", nt.totalFaults)
			}
		})
	}
}

// TestMigrateRetry: the next try is after a second or a sixteenth of the scan
// period; with a tick of 10 ms that is at once for short periods.
func TestMigrateRetry(t *testing.T) {
	for _, tc := range []struct{ hz, period, want int64 }{
		{100, 150, 0}, {100, 151, 1}, {100, 1000, 6}, {100, 60000, 100},
		{250, 60, 0}, {250, 61, 1}, {250, 1000, 15}, {1000, 1000, 62}, {1000, 60000, 1000},
	} {
		s, task, nt := oneTask(t)
		s.k.HZ = int(tc.hz)
		nt.hasFaults, nt.preferred, nt.scanPeriod = true, s.mem.nodeOf[task.cpu], tc.period
		s.numaMigratePreferred(task)
		if got := nt.migrateRetry - s.jiffies; got != tc.want {
			t.Errorf("HZ %d, period %d ms: %d jiffies, want %d", tc.hz, tc.period, got, tc.want)
		}
	}
}

// TestGroupJoin: task 0 faults on a page that task 1 touched last on CPU 1.
func TestGroupJoin(t *testing.T) {
	for _, tc := range []struct {
		name          string
		mine, other   int32 // tasks in the groups; 0: none
		running       bool
		thread        bool
		sharedMapping bool
		joined        bool
		private       bool
	}{
		{name: "thread, larger group", mine: 1, other: 2, running: true, thread: true, joined: true},
		{name: "I have none yet", mine: 0, other: 1, running: true, thread: true, joined: true},
		{name: "not running there", mine: 1, other: 2, thread: true},
		{name: "smaller group", mine: 3, other: 2, running: true, thread: true},
		{name: "it has none", mine: 1, other: 0, running: true, thread: true},
		{name: "tie, mine started first", mine: 2, other: 2, running: true, thread: true, joined: true},
		{name: "another process", mine: 1, other: 2, running: true, private: true},
		{name: "another process, shared mapping", mine: 1, other: 2, running: true, sharedMapping: true, joined: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := &processes{script: script{tasks: hogs(2)}}
			w.proc = []process{{private: []Region{{Bytes: 4096}}, threads: []int{0}}, {private: []Region{{Bytes: 4096}}, threads: []int{1}}}
			if tc.thread {
				w.proc = []process{{private: []Region{{Bytes: 4096}}, threads: []int{0, 1}}}
			}
			s := newNUMASched(t, numaMachine(2, 1, 1), w)
			m := s.mem
			for i, n := range []int32{tc.mine, tc.other} {
				if n == 0 {
					continue
				}
				f := m.faultsOf(TaskID(i))
				f[m.at(numaMem, i, 1)], f[m.at(numaCPUs, i, 1)] = 7, 9
				m.tasks[i].totalFaults, m.tasks[i].group = 7, int32(i)
				m.groups[i] = numaGroup{tasks: n, totalFaults: 7}
				copy(m.groupFaultsOf(int32(i)), f)
			}
			if tc.running {
				s.cpus[1].curr = 1
			}
			private := s.taskNUMAGroup(&s.tasks[0], 1, 1, tc.sharedMapping)
			if private != tc.private {
				t.Errorf("private %v, want %v", private, tc.private)
			}
			want := int32(0)
			if tc.joined {
				want = 1
			}
			if got := m.tasks[0].group; got != want {
				t.Fatalf("group %d, want %d", got, want)
			}
			if tc.joined && (m.groups[1].tasks != tc.other+1 || m.groups[1].totalFaults != 7+m.tasks[0].totalFaults) {
				t.Errorf("group %+v", m.groups[1])
			}
			if tc.joined && tc.mine > 0 && (m.groups[0].totalFaults != 0 || m.groupFaultsCPU(1, 0) != 9 || m.groupFaultsMem(1, 0) != 7) {
				t.Errorf("the faults were not taken along: %v, %v", m.groupFaultsOf(0), m.groupFaultsOf(1))
			}
		})
	}
}

// compareEnv is two nodes of two CPUs; task 0 runs on CPU 0 and task 1 on CPU 2,
// each with weights for the two nodes. The nodes' loads are those of the case.
func compareEnv(t *testing.T, rework bool, mine, other [2]int64, groups [2]int32) (*Sched, *numaEnv) {
	t.Helper()
	w := &processes{script: script{tasks: hogs(3)}}
	w.proc = []process{{private: []Region{{Bytes: 4096}}, threads: []int{0, 1, 2}}}
	s := newNUMASched(t, numaMachine(2, 2, 1), w)
	s.k.NUMARework = rework
	m := s.mem
	for i, weights := range [][2]int64{mine, other} {
		nt := &m.tasks[i]
		nt.hasFaults, nt.totalFaults, nt.group = true, 1000, groups[i]
		for n, v := range weights {
			m.faultsOf(TaskID(i))[m.at(numaMem, n, 0)] = v
		}
		if g := groups[i]; g != none {
			m.groups[g].tasks++
			m.groups[g].totalFaults += 1000
			for n, v := range weights {
				m.groupFaultsOf(g)[m.at(numaMem, n, 0)] += v
			}
		}
		s.ents[s.tasks[i].se].avg.load = 1000
	}
	s.tasks[0].cpu, s.tasks[1].cpu = 0, 2
	s.cpus[0].curr, s.cpus[2].curr = 0, 1
	s.cpus[0].nrRunning, s.cpus[2].nrRunning = 1, 1
	s.touch(0)
	s.touch(2)
	for _, c := range []int32{0, 2} {
		// task_h_load is the task's whole load.
		s.setTaskRQ(&s.tasks[c/2], c)
		for q := &s.cfs[s.ents[s.tasks[c/2].se].cfs]; ; {
			q.hLoad, q.hLoadJiffy, q.avg.load = 1000, s.jiffies, 999
			if q.se == none {
				break
			}
			q = &s.cfs[s.ents[q.se].cfs]
		}
	}
	st := numaStats{load: 1000, capacity: 2048, running: 1, taskCapacity: 2, hasFreeCapacity: true}
	return s, &numaEnv{
		t: &s.tasks[0], srcCPU: 0, srcNode: 0, dstNode: 1, src: st, dst: st,
		pct: 112, dist: 20, bestTask: none, bestCPU: none,
	}
}

// TestNUMACompare looks at CPU 2, where task 1 runs, and at CPU 3, which is idle.
func TestNUMACompare(t *testing.T) {
	alone := [2]int32{none, none}
	for _, tc := range []struct {
		name        string
		rework      bool
		cpu         int32
		mine, other [2]int64
		groups      [2]int32
		busy        int32 // tasks on the source's CPU
		srcLoad     int64
		mayMove     bool
		wantTask    TaskID
		wantCPU     int32
		wantImp     int64
	}{
		// One task on each CPU: swap, worth 500 of mine and 300 of the other.
		{"swap", false, 2, [2]int64{200, 700}, [2]int64{600, 300}, alone, 1, 1000, false, 1, 2, 800},
		{"swap", true, 2, [2]int64{200, 700}, [2]int64{600, 300}, alone, 1, 1000, false, 1, 2, 800},
		// Not worth it.
		{"no gain", false, 2, [2]int64{200, 700}, [2]int64{200, 800}, alone, 1, 1000, false, none, none, 0},
		{"small gain", false, 2, [2]int64{500, 500}, [2]int64{515, 486}, alone, 1, 1000, false, 1, 2, 29},
		{"small gain", true, 2, [2]int64{500, 500}, [2]int64{515, 486}, alone, 1, 1000, false, none, none, 0},
		{"least gain", true, 2, [2]int64{500, 500}, [2]int64{515, 485}, alone, 1, 1000, false, 1, 2, 30},
		// In one group a sixteenth less.
		{"one group", false, 2, [2]int64{200, 700}, [2]int64{600, 300}, [2]int32{0, 0}, 1, 1000, false, 1, 2, 750},
		{"one group", true, 2, [2]int64{200, 700}, [2]int64{600, 300}, [2]int32{0, 0}, 1, 1000, false, 1, 2, 750},
		// Of a group against one alone: v4.18 takes the group of the other. By
		// task and by group the weights are the same here.
		{"two groups", true, 2, [2]int64{200, 700}, [2]int64{600, 300}, [2]int32{0, 1}, 1, 1000, false, 1, 2, 800},
		// Two tasks on the source: balanced loads, swap of equals leaves them.
		{"overloaded", false, 2, [2]int64{200, 700}, [2]int64{600, 300}, alone, 2, 1000, false, 1, 2, 800},
		// The move alone is worth more than the swap, and balance allows it.
		{"move instead", false, 2, [2]int64{200, 700}, [2]int64{200, 300}, alone, 2, 3000, false, none, 2, 499},
		{"move instead", true, 2, [2]int64{200, 700}, [2]int64{200, 300}, alone, 2, 3000, true, none, 3, 500},
		{"move instead, unbalanced", true, 2, [2]int64{200, 700}, [2]int64{200, 300}, alone, 2, 1000, false, 1, 2, 400},
		// Idle.
		{"idle", false, 3, [2]int64{200, 700}, [2]int64{}, alone, 1, 3000, false, none, 3, 500},
		{"idle", true, 3, [2]int64{200, 700}, [2]int64{}, alone, 1, 3000, true, none, 3, 500},
		{"idle, unbalanced", false, 3, [2]int64{200, 700}, [2]int64{}, alone, 1, 1000, false, none, none, 0},
		{"idle, unbalanced", true, 3, [2]int64{200, 700}, [2]int64{}, alone, 1, 1000, false, none, none, 0},
	} {
		t.Run(fmt.Sprintf("%s-%v", tc.name, tc.rework), func(t *testing.T) {
			s, env := compareEnv(t, tc.rework, tc.mine, tc.other, tc.groups)
			s.cpus[0].nrRunning = tc.busy
			env.src.load = tc.srcLoad
			env.dstCPU = tc.cpu
			taskImp := s.taskWeight(env.t, 1, 20) - s.taskWeight(env.t, 0, 20)
			groupImp := s.groupWeight(env.t, 1, 20) - s.groupWeight(env.t, 0, 20)
			if tc.rework {
				s.numaCompareRework(env, taskImp, groupImp, tc.mayMove)
			} else {
				s.numaCompare(env, taskImp, groupImp)
			}
			if tc.groups[0] == 0 && tc.groups[1] == 0 {
				// Both make up the group: its weights are their mean.
				if groupImp == taskImp {
					t.Error("the group has the weights of the task")
				}
			}
			if env.bestTask != tc.wantTask || env.bestCPU != tc.wantCPU || env.bestImp != tc.wantImp {
				t.Errorf("task %d, CPU %d, worth %d; want %d, %d, %d",
					env.bestTask, env.bestCPU, env.bestImp, tc.wantTask, tc.wantCPU, tc.wantImp)
			}
			if s.cpus[3].curr == none && tc.wantCPU != none && tc.rework != s.mem.cpu[tc.wantCPU].migrateOn {
				t.Errorf("CPU %d claimed: %v", tc.wantCPU, !tc.rework)
			}
		})
	}
}

// TestNUMASetsPreferred: a search that finds nothing makes a task of a group
// prefer the node that it is on (rework), or leaves it (v4.18, one active node).
func TestNUMASetsPreferred(t *testing.T) {
	for _, tc := range []struct {
		rework bool
		active int32
		want   int32
	}{{true, 1, 0}, {false, 1, 1}} {
		s, env := compareEnv(t, tc.rework, [2]int64{500, 400}, [2]int64{0, 1000}, [2]int32{0, none})
		s.mem.tasks[0].preferred = 1
		s.mem.groups[0].activeNodes = tc.active
		env.t.allowed = maskOf(4, []int{0, 1})
		s.taskNUMAMigrate(env.t)
		if got := s.mem.tasks[0].preferred; got != tc.want || s.count.NUMAMoveFailed != 1 {
			t.Errorf("rework %v: preferred node %d, want %d", tc.rework, got, tc.want)
		}
	}
}

// TestFaultStatistics: in which counts a fault of 3 pages is.
func TestFaultStatistics(t *testing.T) {
	for _, tc := range []struct {
		name          string
		last          TaskID
		node          int
		local, failed bool
		active        [2]int64 // faults_cpu of the group, by node
		nodes         int32    // active ones
		kind          int
		remoteN, okN  int64
		failedN       int64
	}{
		{"private, local", 0, 0, true, false, [2]int64{}, 1, 1, 0, 3, 0},
		{"first, remote", none, 1, false, false, [2]int64{}, 1, 1, 3, 0, 0},
		{"shared, remote", 1, 1, false, false, [2]int64{9, 0}, 1, 0, 3, 0, 0},
		{"shared, both nodes active", 1, 1, false, false, [2]int64{9, 9}, 2, 0, 0, 3, 0},
		{"shared, the page's node is not", 1, 1, false, false, [2]int64{9, 3}, 2, 0, 3, 0, 0},
		{"private, both nodes active", 0, 1, false, false, [2]int64{9, 9}, 2, 1, 3, 0, 0},
		{"failed", 0, 1, false, true, [2]int64{}, 1, 1, 3, 0, 3},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, task, nt := oneTask(t)
			m := s.mem
			nt.group, nt.migrateRetry = 0, s.jiffies
			m.groups[0] = numaGroup{tasks: 1, activeNodes: tc.nodes, maxFaults: 9}
			for n, v := range tc.active {
				m.groupFaultsOf(0)[m.at(numaCPUs, n, 0)] = v
			}
			s.taskNUMAFault(task, tc.last, 3, tc.node, 3, tc.local, tc.failed, &m.regions[0])
			want := make([]int64, len(m.faultsOf(0)))
			want[m.at(numaMemBuf, tc.node, tc.kind)] = 3
			want[m.at(numaCPUBuf, 0, tc.kind)] = 3
			if got := m.faultsOf(0); !slices.Equal(got, want) {
				t.Errorf("faults %v, want %v", got, want)
			}
			if want := [3]int64{tc.remoteN, tc.okN, tc.failedN}; nt.locality != want || !nt.hasFaults {
				t.Errorf("localities %v, want %v", nt.locality, want)
			}
		})
	}
}

// TestThreadStart: threads begin to scan after two ticks and, the units being
// mixed, scan_max in ns; the first task of a process has no stamp.
func TestThreadStart(t *testing.T) {
	s, task, nt := oneTask(t)
	if nt.nodeStamp != 0 || nt.scanPeriod != 1000 || s.mem.mm(task).nextScan != s.jiffies+250 {
		t.Errorf("process: stamp %d, period %d, next scan in %d", nt.nodeStamp, nt.scanPeriod, s.mem.mm(task).nextScan-s.jiffies)
	}
	if got, want := s.mem.tasks[1].nodeStamp, int64(60000+2*4e6); got != want {
		t.Errorf("thread: stamp %d, want %d", got, want)
	}
}

// TestNUMALoadBalance: a pass over a NUMA domain takes from the queue that has
// misplaced tasks, not from the longer one of tasks that are at home; and a task
// that prefers its node stays.
func TestNUMALoadBalance(t *testing.T) {
	w := &processes{script: script{tasks: hogs(6)}}
	w.proc = []process{{private: []Region{{Bytes: 4096, Nodes: []float64{1}}}, threads: []int{0, 1, 2, 3, 4, 5}}}
	for i := range w.tasks {
		w.tasks[i].cpus = pinned(i / 4) // four on CPU 0, two on CPU 1
		w.tasks[i].cpu = i / 4
	}
	s := newNUMASched(t, numaMachine(2, 2, 1), w)
	simulate(t, s, 1e6)
	for i := range w.tasks {
		s.tasks[i].allowed = nil
		s.mem.tasks[i].hasFaults = true
		s.setNUMA(&s.tasks[i], int32(i/4)) // those of CPU 1 prefer node 1
	}
	env := lbEnv{d: s.numaDomain(2), dst: 2, idle: cpuIdle, kind: migrateTask, imbalance: 1}
	home := env.d.groups[1]
	if got := s.findBusiestQueue(&env, home); got != 1 {
		t.Errorf("taken from CPU %d, want 1", got)
	}
	s.k.NUMABalancing = false
	if got := s.findBusiestQueue(&env, home); got != 0 {
		t.Errorf("without NUMA balancing taken from CPU %d, want 0", got)
	}
	s.k.NUMABalancing = true
	s.now += 1e9 // nothing is hot any more
	waiting := func(ci int32) *Task {
		for _, id := range s.cpus[ci].fairTasks {
			if id != s.cpus[ci].curr {
				return &s.tasks[id]
			}
		}
		return nil
	}
	s.setNUMA(&s.tasks[s.cpus[0].curr], 1) // one that is not at home
	if s.canMigrate(&env, waiting(0)) {
		t.Error("a task leaves its preferred node")
	}
	if !s.canMigrate(&env, waiting(1)) {
		t.Error("a task does not go to its preferred node")
	}
	s.ents[waiting(1).se].execStart = s.now // hot
	if !s.canMigrate(&env, waiting(1)) {
		t.Error("a hot task does not go to its preferred node")
	}
}

// TestMemLocal: a task with a quarter of its accesses on the other node.
func TestMemLocal(t *testing.T) {
	st := scripted{ops: []Op{hog()}, cpus: pinned(0)}
	w := &processes{script: script{tasks: []scripted{st}}, proc: []process{{
		private: []Region{{Bytes: megabytes(1), Nodes: []float64{1, 1}}, {Bytes: megabytes(1), Nodes: []float64{1, 0}}}, threads: []int{0},
	}}}
	s := newNUMASched(t, numaMachine(2, 1, 1), w, NoNUMABalancing)
	simulate(t, s, 100e6)
	if c := &s.count; c.MemTicks == 0 || c.MemLocal != 750*c.MemTicks {
		t.Errorf("%d per mille local in %d ticks", c.MemLocal, c.MemTicks)
	}
}

// TestTouchersAreEqual: threads that run alike take alike many of the faults,
// whichever CPU ticks first.
func TestTouchersAreEqual(t *testing.T) {
	w := &processes{script: script{tasks: hogs(4)}}
	for i := range w.tasks {
		w.tasks[i].cpus, w.tasks[i].cpu = pinned(i), i
	}
	w.proc = []process{{shared: []Region{{Bytes: megabytes(16)}}, rate: 1e7, threads: []int{0, 1, 2, 3}}}
	s := newNUMASched(t, numaMachine(2, 2, 1), w, NoNUMABalancing)
	simulate(t, s, 100e6)
	if on := s.NodePages(w.rs[0][0]); on[0] < 1900 || on[0] > 2200 || on[0]+on[1] != 4096 {
		t.Errorf("first touched by node: %v, want half each", on)
	}
}
