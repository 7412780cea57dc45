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

// joined is a task that joins a group, and then repeats its other operations.
func joined(group int32, st scripted) scripted {
	st.ops = append([]Op{{Kind: OpJoinGroup, Arg: group}}, st.ops...)
	return st
}

// Next leaves out a task's second and later attempts to join.
func (w *withGroups) Next(s *Sched, t *Task) Op {
	op := w.script.Next(s, t)
	if op.Kind == OpJoinGroup {
		if t.Role == 1 {
			return w.script.Next(s, t)
		}
		t.Role = 1
	}
	return op
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

func around(got, want, slack float64) bool { return got >= want-slack && got <= want+slack }

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

// TestCalcGroupShares: tg.shares * load / (tg.load_avg - contribution + load).
func TestCalcGroupShares(t *testing.T) {
	for _, tc := range []struct {
		name                                 string
		shares, weight, load, contrib, total int64
		want                                 int64 // stored
	}{
		// Alone: everything.
		{"alone", 1024, 1024, 1024, 1024, 1024, 1024 << 10},
		// One busy task on each of 160 CPUs: 1048576*1024/(160*1024) = 6553 = 6.4 shares.
		{"of-160", 1024, 1024, 1024, 1024, 160 * 1024, 6553},
		// 3072 queued of 4096: three quarters.
		{"three-of-four", 2048, 3072, 1000, 3000, 4024, 2048 << 10 * 3072 / 4096},
		// Nothing queued: the average counts.
		{"asleep", 1024, 0, 512, 512, 1536, 1024 << 10 / 3},
		// Never less than 2 and never more than all.
		{"least", 31, 0, 0, 0, 4096, 2},
		{"stale", 100, 1024, 0, 2048, 2048, 100 << 10},
		{"small", 31, 1024, 1024, 1024, 8192, 31 << 10 / 8},
	} {
		s := newGroupSched(t, V510(1), 1, hogs(1), 0, func(s *Sched) { s.NewGroup("a", 0, tc.shares) })
		q := &s.cfs[1]
		q.load.set(tc.weight << fixedShift)
		q.avg.load, q.tgContrib, s.groups[1].loadAvg = tc.load, tc.contrib, tc.total
		s.updateCFSGroup(q.se)
		if got := s.ents[q.se].load.weight; got != tc.want {
			t.Errorf("%s: %d, want %d", tc.name, got, tc.want)
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
				if got := s.shareOf(i); !around(got, want, .012) {
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
	if got := float64(s.ran(0)-before) / 5e9; !around(got, .9, .02) {
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
