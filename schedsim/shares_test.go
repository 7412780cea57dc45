package schedsim

import (
	"testing"
	"time"
)

// withGroups is a script whose Start also makes groups. Tasks join them by their
// first operation.
type withGroups struct {
	*script
	make func(s *Sched)
}

func (w *withGroups) Start(s *Sched) {
	w.make(s)
	w.script.Start(s)
}

// joined is a task that joins a group, and then repeats its operations.
func joined(group int32, st scripted) scripted {
	st.intro = []Op{{Kind: OpJoinGroup, Arg: group}}
	return st
}

// newGroupSched starts tasks in a kernel without autogroup: groups are numbered
// from 1 as they are made.
func newGroupSched(t testing.TB, k Kernel, cpus int, tasks []scripted, channels int, groups func(s *Sched)) *Sched {
	t.Helper()
	w := &withGroups{script: &script{tasks: tasks, channels: channels}, make: groups}
	k.Autogroup = false
	s, err := newSched(&Config{Machine: testMachine(1, cpus, 1), Kernel: k, Workload: w, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	w.Start(s)
	if s.startErr != nil {
		t.Fatal(s.startErr)
	}
	return s
}

// shareOf is the part of the time so far that a task ran, of one CPU.
func (s *Sched) shareOf(id int) float64 {
	for i := range s.cfs {
		s.updateCurr(&s.cfs[i])
	}
	return float64(s.ran(int32(id))) / float64(s.now-bootTime)
}

func near(got, want, slack float64) bool { return got >= want-slack && got <= want+slack }

func TestSharesFromWeight(t *testing.T) {
	for _, tc := range []struct{ weight, shares, shown int64 }{
		{1, 10, 1}, {2, 20, 2}, {3, 31, 3}, {5, 51, 5}, {50, 512, 50}, {99, 1014, 99}, {100, 1024, 100},
		{300, 3072, 300}, {9999, 102390, 9999}, {10000, 102400, 10000},
	} {
		got := SharesFromWeight(tc.weight)
		if got != tc.shares || WeightFromShares(got) != tc.shown {
			t.Errorf("weight %d: %d shares, shown as %d; want %d, %d", tc.weight, got, WeightFromShares(got), tc.shares, tc.shown)
		}
	}
	for _, tc := range []struct{ shares, weight int64 }{{2, 1}, {15, 1}, {16, 2}, {maxShares, 10000}} {
		if got := WeightFromShares(tc.shares); got != tc.weight {
			t.Errorf("%d shares are shown as weight %d, want %d", tc.shares, got, tc.weight)
		}
	}
}

// TestCalcGroupShares: tg.shares * load / (tg.load_avg - contribution + load), in
// stored units since 4.7 and in whole shares in 3.10.
func TestCalcGroupShares(t *testing.T) {
	for _, tc := range []struct {
		name                                 string
		shares, weight, load, contrib, total int64
		modern, v310                         int64 // stored, whole
	}{
		// Alone: everything.
		{"alone", 1024, 1024, 1024, 1024, 1024, 1024 << 10, 1024},
		// One busy task on each of 160 CPUs: 1048576*1024/(160*1024) = 6553 = 6.4 shares.
		{"of-160", 1024, 1024, 1024, 1024, 160 * 1024, 6553, 6},
		// 3072 queued of 4096: three quarters.
		{"three-of-four", 2048, 3072, 1000, 3000, 4024, 2048 << 10 * 3072 / 4096, 1536},
		// Nothing queued: the average counts since 4.15, and nothing before.
		{"asleep", 1024, 0, 512, 512, 1536, 1024 << 10 / 3, 2},
		// Never less than 2 and never more than all.
		{"least", 31, 0, 0, 0, 4096, 2, 2},
		{"stale", 100, 1024, 0, 2048, 2048, 100 << 10, 100},
		{"small", 31, 1024, 1024, 1024, 8192, 31 << 10 / 8, 3},
	} {
		s := newGroupSched(t, V510(1), 1, hogs(1), 0, func(s *Sched) { s.NewGroup("a", 0, tc.shares) })
		q := &s.cfs[1]
		q.load.set(tc.weight << fixedShift)
		q.avg.load, q.tgContrib, s.groups[1].loadAvg = tc.load, tc.contrib, tc.total
		if got := s.calcGroupShares(q); got != tc.modern {
			t.Errorf("%s: %d, want %d", tc.name, got, tc.modern)
		}
		if got := s.calcCFSShares(q); got != tc.v310<<fixedShift {
			t.Errorf("%s: 3.10: %d, want %d<<10", tc.name, got, tc.v310)
		}
	}
	// 4.18: half of what is there is runnable.
	for _, tc := range []struct{ shares, load, weight, runnable, runnableWeight, want int64 }{
		{1 << 20, 2048, 1024 << 10, 1024, 1024 << 10, 1 << 19},
		{1 << 20, 0, 0, 0, 0, minShares},
		{1 << 20, 100, 1024 << 10, 2048, 0, 1 << 20},
	} {
		if got := calcGroupRunnable(tc.shares, tc.load, tc.weight, tc.runnable, tc.runnableWeight); got != tc.want {
			t.Errorf("runnable %+v: %d", tc, got)
		}
	}
}

// TestEffectiveLoad: what 3.10 expects a move to change at the root, against
// shares by hand.
func TestEffectiveLoad(t *testing.T) {
	s := newGroupSched(t, V310(2), 2, hogs(1), 0, func(s *Sched) {
		s.NewGroup("a", 0, 1024)
		s.NewGroup("b", 1, 512)
	})
	set := func(g, c int, queued, contrib, weight int64) {
		q := &s.cfs[2*g+c]
		q.load.set(queued << fixedShift)
		q.tgContrib = contrib
		s.ents[q.se].load.set(weight << fixedShift)
	}
	set(1, 0, 2048, 2048, 341)
	set(1, 1, 4096, 4096, 683)
	s.groups[1].loadAvg = 6144
	set(2, 0, 1024, 1024, 512)
	s.groups[2].loadAvg = 1024
	for _, tc := range []struct {
		group, cpu int32
		wl, wg     int64
		want       int64
	}{
		{0, 0, 1024, 1024, 1024}, // root: the weight itself
		{0, 1, -1024, -1024, -1024},
		{1, 0, 1024, 1024, 3072*1024/7168 - 341},   // 438-341
		{1, 1, 0, 1024, 4096*1024/7168 - 683},      // the others' part shrinks
		{1, 0, -1024, -1024, 1024*1024/5120 - 341}, // 204-341
		{1, 0, -2048, -2048, minShares - 341},      // the last one leaves
		// Level b: w 2048 is all of W 2048, so all of its shares: no change of 512.
		// Level a: 2048+0 of 6144, as it was.
		{2, 0, 1024, 1024, 341 - 341},
		// b on CPU 1 is empty: 1024 of 2048, half of 512 = 256, less the 2 that its
		// entity has. Level a: 4096+254 of 6144: 725 - 683.
		{2, 1, 1024, 1024, 42},
	} {
		if got := s.effectiveLoad(tc.group, tc.cpu, tc.wl, tc.wg); got != tc.want {
			t.Errorf("group %d, CPU %d, wl %d, wg %d: %d, want %d", tc.group, tc.cpu, tc.wl, tc.wg, got, tc.want)
		}
	}
}

// TestHLoad: a task's load is its part of its group's part, through three levels.
func TestHLoad(t *testing.T) {
	tree := func(s *Sched) {
		s.NewGroup("a", 0, 1024)
		s.NewGroup("b", 1, 1024)
		s.NewGroup("c", 2, 1024)
	}
	s := newGroupSched(t, V510(1), 1, hogs(1), 0, tree)
	s.MoveTask(&s.tasks[0], 3)
	s.ents[s.tasks[0].se].avg.load = 500
	for g, avg := range []int64{3000, 2000, 1500, 1000} {
		s.cfs[g].avg.load = avg
	}
	for g, avg := range map[int]int64{1: 1200, 2: 800, 3: 600} {
		s.ents[s.cfs[g].se].avg.load = avg
	}
	s.jiffies++
	// 3000*1200/3001 = 1199; *800/2001 = 479; *600/1501 = 191; 500*191/1001 = 95
	if got := s.taskHLoad(&s.tasks[0]); got != 95 || s.cfs[1].hLoad != 1199 || s.cfs[2].hLoad != 479 || s.cfs[3].hLoad != 191 {
		t.Errorf("task_h_load %d, h_load %d, %d, %d", got, s.cfs[1].hLoad, s.cfs[2].hLoad, s.cfs[3].hLoad)
	}

	s = newGroupSched(t, V310(1), 1, hogs(1), 0, tree)
	s.MoveTask(&s.tasks[0], 3)
	for g, w := range []int64{3072, 2048, 1536, 1024} {
		s.cfs[g].load.set(w << fixedShift)
	}
	for g, w := range map[int]int64{1: 1024, 2: 700, 3: 512} {
		s.ents[s.cfs[g].se].load.set(w << fixedShift)
	}
	s.jiffies++
	// 3072*1024/3073 = 1023; *700/2049 = 349; *512/1537 = 116; 1024*116/1025 = 115
	if got := s.taskHLoad(&s.tasks[0]); got != 115 || s.cfs[1].hLoad != 1023 || s.cfs[2].hLoad != 349 || s.cfs[3].hLoad != 116 {
		t.Errorf("3.10: task_h_load %d, h_load %d, %d, %d", got, s.cfs[1].hLoad, s.cfs[2].hLoad, s.cfs[3].hLoad)
	}
}

// TestTGContrib310: what 3.10 adds to a group, and what its entity makes of it.
func TestTGContrib310(t *testing.T) {
	s := newGroupSched(t, V310(2), 2, hogs(1), 0, func(s *Sched) { s.NewGroup("a", 0, 1024) })
	q := &s.cfs[2]
	for _, tc := range []struct {
		load  int64
		force bool
		want  int64
	}{{1000, false, 1000}, {1125, false, 1000}, {1126, false, 1126}, {1100, true, 1100}, {0, false, 0}} {
		s.updateTGLoadContrib(q, tc.load, tc.force)
		if q.tgContrib != tc.want || s.groups[1].loadAvg != tc.want {
			t.Errorf("load %d: contribution %d, sum %d, want %d", tc.load, q.tgContrib, s.groups[1].loadAvg, tc.want)
		}
	}
	s.updateTGLoadContrib(q, 1024, true)
	s.groups[1].loadAvg += 1024          // of the other CPU
	s.updateTGRunnableAvg(q, 2000, 3999) // half of the time
	if q.tgRunnable != 512 {
		t.Errorf("tg_runnable_contrib %d, want 512", q.tgRunnable)
	}
	// 1024*1024/2049 = 511, halved, as the group uses half a CPU.
	if got := s.groupEntityContrib(q); got != 255 {
		t.Errorf("contribution of the entity %d, want 255", got)
	}
	s.groups[1].runnableAvg = 1024
	if got := s.groupEntityContrib(q); got != 511 {
		t.Errorf("contribution of the entity %d, want 511", got)
	}
}

// TestSharesOfTime: groups share a CPU by their weights, level by level, and the
// shares of a group on several CPUs follow its load there.
func TestSharesOfTime(t *testing.T) {
	on := func(cpu int, group int32) scripted {
		return joined(group, scripted{ops: []Op{hog()}, cpus: pinned(cpu), cpu: cpu})
	}
	weight := func(w int64) int64 { return SharesFromWeight(w) }
	for _, tc := range []struct {
		name   string
		cpus   int
		groups func(s *Sched)
		tasks  []scripted
		want   []float64
	}{
		{"equal", 1, func(s *Sched) { s.NewGroup("a", 0, 1024); s.NewGroup("b", 0, 1024) },
			[]scripted{on(0, 1), on(0, 2), on(0, 2), on(0, 2)}, []float64{1. / 2, 1. / 6, 1. / 6, 1. / 6}},
		{"weights", 1, func(s *Sched) { s.NewGroup("a", 0, weight(100)); s.NewGroup("b", 0, weight(300)) },
			[]scripted{on(0, 1), on(0, 2)}, []float64{1. / 4, 3. / 4}},
		{"task-beside-group", 1, func(s *Sched) { s.NewGroup("a", 0, 512) },
			[]scripted{on(0, 1), on(0, 1), {ops: []Op{hog()}}}, []float64{1. / 6, 1. / 6, 2. / 3}},
		// a: 1/2, of which a1 has 1/4 and a2 3/4; below a2 x has 1/3 and y 2/3.
		{"nested", 1, func(s *Sched) {
			s.NewGroup("a", 0, 1024)  // 1
			s.NewGroup("b", 0, 1024)  // 2
			s.NewGroup("a1", 1, 1024) // 3
			s.NewGroup("a2", 1, 3072) // 4
			s.NewGroup("x", 4, 512)   // 5
			s.NewGroup("y", 4, 1024)  // 6
		}, []scripted{on(0, 2), on(0, 3), on(0, 5), on(0, 6)}, []float64{1. / 2, 1. / 8, 1. / 8, 1. / 4}},
		// a has one of its two tasks on CPU 0: 512 there, beside 1024 of b.
		{"two-cpus", 2, func(s *Sched) { s.NewGroup("a", 0, 1024); s.NewGroup("b", 0, 1024) },
			[]scripted{on(0, 1), on(1, 1), on(0, 2)}, []float64{1. / 3, 1, 2. / 3}},
		// a has three of four tasks on CPU 0: 768 there and 256 on CPU 1; b 512 and 512.
		{"uneven", 2, func(s *Sched) { s.NewGroup("a", 0, 1024); s.NewGroup("b", 0, 1024) },
			[]scripted{on(0, 1), on(0, 1), on(0, 1), on(1, 1), on(0, 2), on(1, 2)},
			[]float64{.2, .2, .2, 1. / 3, .4, 2. / 3}},
		{"four-cpus", 4, func(s *Sched) { s.NewGroup("a", 0, 4096); s.NewGroup("b", 0, 1024) },
			[]scripted{on(0, 1), on(1, 1), on(2, 1), on(3, 1), on(0, 2)}, []float64{.5, 1, 1, 1, .5}},
		{"largest", 1, func(s *Sched) { s.NewGroup("a", 0, weight(10000)); s.NewGroup("b", 0, weight(100)) },
			[]scripted{on(0, 1), on(0, 2)}, []float64{100. / 101, 1. / 101}},
		// A group at the least possible weight beside one at 3.
		{"smallest", 1, func(s *Sched) { s.NewGroup("a", 0, weight(1)); s.NewGroup("b", 0, weight(3)) },
			[]scripted{on(0, 1), on(0, 2)}, []float64{10. / 41, 31. / 41}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := newGroupSched(t, V510(max(tc.cpus, 2)), tc.cpus, tc.tasks, 0, tc.groups)
			simulate(t, s, 10*time.Second)
			for i, want := range tc.want {
				if got := s.shareOf(i); !near(got, want, .012) {
					t.Errorf("task %d: %.3f of a CPU, want %.3f", i, got, want)
				}
			}
			if err := s.verify(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestSetSharesTakesEffect: shares that are changed while a group runs.
func TestSetSharesTakesEffect(t *testing.T) {
	s := newGroupSched(t, V510(2), 1, []scripted{joined(1, hogs(1)[0]), joined(2, hogs(1)[0])}, 0, func(s *Sched) {
		s.NewGroup("a", 0, 1024)
		s.NewGroup("b", 0, 1024)
	})
	simulate(t, s, time.Second)
	before := s.ran(0)
	s.SetShares(1, 9*1024)
	simulate(t, s, 5*time.Second)
	if got := float64(s.ran(0)-before) / 5e9; !near(got, .9, .02) {
		t.Errorf("%.3f of the CPU with nine tenths of the shares", got)
	}
	if w := s.ents[s.cfs[1].se].load.weight; w != 9*nice0Load {
		t.Errorf("weight %d", w)
	}
	s.SetShares(1, 1)
	if got := s.groups[1].shares; got != minShares<<fixedShift {
		t.Errorf("shares %d, want the least", got)
	}
	s.SetShares(1, 1<<40)
	if got := s.groups[1].shares; got != maxShares<<fixedShift {
		t.Errorf("shares %d, want the most", got)
	}
}

// TestTGLoadAvgRate: since 6.7 a queue adds to its group once a millisecond.
func TestTGLoadAvgRate(t *testing.T) {
	s := newGroupSched(t, V612(1), 1, hogs(1), 0, func(s *Sched) { s.NewGroup("a", 0, 1024) })
	q := &s.cfs[1]
	for _, tc := range []struct{ after, load, want int64 }{
		{2e6, 1000, 1000}, {999999, 2000, 1000}, {1, 2000, 2000}, {1e6, 2020, 2000}, {0, 3000, 3000},
	} {
		s.now += tc.after
		q.avg.load = tc.load
		s.updateTGLoadAvg(q)
		if s.groups[1].loadAvg != tc.want {
			t.Errorf("load %d after %d ns: %d, want %d", tc.load, tc.after, s.groups[1].loadAvg, tc.want)
		}
	}
}
