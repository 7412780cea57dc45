package schedsim

import (
	"fmt"
	"testing"
)

// TestWakeAffineIdlePrev: since 5.11 an idle prev keeps its task, but for what the
// tests before it decide.
func TestWakeAffineIdlePrev(t *testing.T) {
	for _, tc := range []struct {
		name        string
		nr          map[int]int32
		sync        bool
		before, now int
	}{
		{"idle-prev", map[int]int32{0: 2}, false, -1, 2},
		{"interrupt-other-llc", nil, false, -1, 2},
		{"sync-alone-still-wins", map[int]int32{0: 1}, true, 0, 0},
		{"sync-not-alone", map[int]int32{0: 2}, true, -1, 2},
		{"busy-prev", map[int]int32{0: 2, 2: 1}, false, -1, -1},
	} {
		s := still(t, testMachine(2, 2, 2))
		for cpu, nr := range tc.nr {
			s.load(nr, cpu)
		}
		for _, k := range kernels(8) {
			if k.WakeAffineIdle == nil {
				continue
			}
			want := tc.before
			if versionNumber(k.Version) >= 5011 {
				want = tc.now
			}
			if got := k.WakeAffineIdle(s, 0, 2, tc.sync); got != want {
				t.Errorf("%s: %s: CPU %d, want %d", tc.name, k.Version, got, want)
			}
			if k.Version == "v5.9" || k.Version == "v5.10" {
				if got := k.With(IdlePrev).WakeAffineIdle(s, 0, 2, tc.sync); got != tc.now {
					t.Errorf("%s: %s with the patch: CPU %d, want %d", tc.name, k.Version, got, tc.now)
				}
			}
		}
		if got := V61(8).With(NoIdlePrev).WakeAffineIdle(s, 0, 2, tc.sync); got != tc.before {
			t.Errorf("%s: v6.1 without the test: CPU %d, want %d", tc.name, got, tc.before)
		}
	}
}

// TestIdlePrevByWeight: what wake_affine_weight makes of an idle prev that a
// sleeper has left load on.
func TestIdlePrevByWeight(t *testing.T) {
	for _, tc := range []struct {
		kernel Kernel
		want   int
	}{
		{V418(8), 2},                 // runnable load only: none on prev
		{V59(8), 0},                  // 500*100 < 1000*112
		{V510(8), 0},                 // 500*100 < 1000*108
		{V510(8).With(IdlePrev), 2},  // the patch
		{V61(8), 2},                  // has it
		{V61(8).With(NoIdlePrev), 0}, // has it not
		{V612(8), 2},                 //
		{V310(8), 2},                 // weights: 2048 on this CPU, nothing on prev
	} {
		s := stillOn(t, testMachine(2, 2, 2), flat(tc.kernel))
		s.load(2, 0)
		s.cfs[0].load.set(2 * nice0Load)
		s.cfs[0].avg.load, s.cfs[2].avg.load = 500, 1000
		task := &s.tasks[0]
		s.setTaskRQ(task, 2)
		s.ents[task.se].avg.load = 0
		s.at(0)
		if got := s.k.WakeAffine(s, s.affineDomain(0, 2), task, 0, 2, false); got != tc.want {
			t.Errorf("%v: CPU %d, want %d", tc.kernel, got, tc.want)
		}
	}
}

// TestWakeAffine310 compares weights. CPUs 0 and 2 are on two sockets, whose domain
// has an imbalance_pct of 125: prev counts for 12 % more.
func TestWakeAffine310(t *testing.T) {
	for _, tc := range []struct {
		name       string
		this, prev int64 // nice-0 tasks on both CPUs, in 1024ths
		nr         int32 // tasks on this CPU
		sync       bool
		pull       bool
	}{
		{"nothing-here", 0, 0, 0, false, true},
		{"sync-alone", 1024, 0, 1, true, true},           // nothing is left here
		{"sync-two", 2048, 0, 2, true, false},            // 1024 + 1024 against 0
		{"sync-two-of-one", 2048, 1024, 2, true, false},  // 2048 > 1.12 * 1024
		{"sync-two-of-two", 2048, 2048, 2, true, true},   // 2048 <= 1.12 * 2048
		{"sync-heavy-of-two", 2200, 2048, 2, true, true}, // 2200 <= 2293
		{"sync-average", 1039, 100, 2, true, true},       // 1039 > 112, but 15 + 100 <= 1039 / 2
		{"one-of-one", 1024, 1024, 1, false, false},      // 2048 > 1.12 * 1024
		{"one-of-two", 1024, 2048, 1, false, true},       // 2048 <= 2293
		{"one-of-none", 1024, 0, 1, false, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := stillOn(t, testMachine(2, 2, 2), flat(V310(8)))
			d := s.affineDomain(0, 2)
			if d.imbalancePct != 125 {
				t.Fatalf("imbalance_pct %d", d.imbalancePct)
			}
			s.load(tc.nr, 0)
			s.cfs[0].load.set(tc.this << fixedShift)
			s.cfs[2].load.set(tc.prev << fixedShift)
			waker, task := &s.tasks[0], &s.tasks[1]
			s.setTaskRQ(waker, 0)
			s.setTaskRQ(task, 2)
			if tc.nr > 0 {
				s.cpus[0].curr = waker.ID
			}
			if got := wakeAffine310(s, d, task, 0, 2, tc.sync) == 0; got != tc.pull {
				t.Errorf("pulled %v, want %v", got, tc.pull)
			}
		})
	}
}

// TestEffectiveLoad: two tasks of a group, one on each of two CPUs, share its 1024.
// A third on CPU 0 moves a third of it there.
func TestEffectiveLoad(t *testing.T) {
	s := stillOn(t, testMachine(1, 2, 1), V310(2))
	for ci := range 2 {
		q := &s.cfs[2+ci]
		q.load.set(nice0Load)
		q.tgContrib = 1024
		s.ents[q.se].load.set(nice0Load / 2)
	}
	s.groups[1].loadAvg = 2048
	for _, tc := range []struct {
		name   string
		g, ci  int32
		wl, wg int64
		want   int64
	}{
		{"root", 0, 0, 1024, 1024, 1024},
		{"root-removed", 0, 0, -1024, -1024, -1024},
		{"join", 1, 0, 1024, 1024, 2048*1024/3072 - 512}, // 682 - 512
		{"leave", 1, 0, -1024, -1024, 2 - 512},           // 0, at least MIN_SHARES
		{"elsewhere", 1, 1, 0, 1024, 1024*1024/3072 - 512},
		{"elsewhere-leaves", 1, 1, 0, -1024, 1024 - 512}, // all of the group's
	} {
		if got := s.effectiveLoad(tc.g, tc.ci, tc.wl, tc.wg); got != tc.want {
			t.Errorf("%s: %d, want %d", tc.name, got, tc.want)
		}
	}
}

// TestEffectiveLoadOfSleepers: a sync wakeup takes the waker's whole weight off a
// group whose load is an average. Where the other tasks of the group mostly sleep, less
// than nothing is left of it, and the CPU where the wakee slept, which has nothing of the
// group queued, counts as if it had all of the group's shares.
func TestEffectiveLoadOfSleepers(t *testing.T) {
	for _, tc := range []struct {
		name    string
		loadAvg int64 // of the group; the waker's CPU contributes 100 of it
		want    int64 // of prev, if the waker's 1024 leave the group
	}{
		{"runnable", 2148, 0},         // 0 of 1124: MIN_SHARES, as before
		{"just-left", 1025, 0},        // 0 of 1
		{"none-left", 1024, 1024 - 2}, // 0 of 0
		{"less-than-none", 400, 1024 - 2},
	} {
		s := stillOn(t, testMachine(1, 2, 1), V310(2))
		waker, prev := &s.cfs[2], &s.cfs[3]
		waker.load.set(nice0Load)
		waker.tgContrib = 100
		prev.load.set(0)
		s.ents[prev.se].load.set(2 << fixedShift)
		s.groups[1].loadAvg = tc.loadAvg
		if got := s.effectiveLoad(1, 1, 0, -1024); got != tc.want {
			t.Errorf("%s: %d, want %d", tc.name, got, tc.want)
		}
	}
}

// root is the root queue of a CPU as load tracking sees it.
type root struct {
	avg schedAvg
	now int64
}

// run lets tasks of a total weight be runnable for some time, in us.
func (r *root) run(us, weight int64) {
	r.now += us * 1000
	if r.avg.accumulate(r.now, weight, min(weight, 1), weight > 0) {
		r.avg.average(1)
	}
}

// TestWhenIdlePrevLoses: a thread on each of 160 CPUs is in one task group, so that
// its group entity weighs 6 at the root; kworkers of the root group run every 4 ms.
// A thread sleeps for 1 ms, and is woken from another socket by a thread that has
// run for half a millisecond after its CPU was idle. In 5.9 it is pulled if its
// idle CPU has the more load: if kworkers outlasted what the waker's CPU forgot, or
// a daemon ran there.
func TestWhenIdlePrevLoses(t *testing.T) {
	const share, always = 6, 1 << 30
	// The load of a CPU that is always busy, by the us of its kworkers.
	steady := map[int64]int64{0: 6, 10: 8, 20: 10, 30: 13, 50: 18, 80: 25, 120: 35}
	busy := func(us int64) root {
		r := root{}
		for range 250 {
			if us > 0 {
				r.run(us, 1024+share)
			}
			r.run(4000-us, share)
		}
		return r
	}
	for us, want := range steady {
		if r := busy(us); r.avg.load != want {
			t.Errorf("kworkers of %d us: load %d, want %d", us, r.avg.load, want)
		}
	}
	s := stillOn(t, testMachine(2, 2, 2), V59(8))
	d := s.affineDomain(0, 2)
	task := &s.tasks[0]
	s.setTaskRQ(task, 2)
	s.load(2, 0)
	s.ents[task.se].avg.load = 1023
	group := &s.cfs[s.ents[task.se].cfs]
	group.avg.load = 1023
	for _, tc := range []struct {
		kworker int64
		pulls   int64 // ms that the waker's CPU must have been idle without a daemon
	}{{0, always}, {20, 40}, {40, 20}, {80, 10}} {
		base := busy(tc.kworker)
		group.hLoad, group.hLoadJiffy = base.avg.load*5/(base.avg.load+1), s.jiffies
		if h := s.taskHLoad(task); h != 3 {
			t.Fatalf("h_load %d, want 3", h)
		}
		for _, idle := range []int64{0, 1, 4, 10, 20, 40, 80} { // ms
			for _, daemon := range []int64{0, 100, 200, 300, 500, 1000, 2000} { // us
				this, prev := base, base
				if idle > 0 {
					this.run(idle*1000, 0)
					this.run(500, share)
				}
				prev.run(1000, 0)
				if daemon > 0 {
					prev.run(daemon, 1024)
				}
				s.cfs[0].avg.load, s.cfs[2].avg.load = this.avg.load, prev.avg.load
				want := -1
				if idle >= tc.pulls || daemon >= 500 {
					want = 0
				}
				name := fmt.Sprintf("kworkers of %d us, waker idle for %d ms, daemon for %d us", tc.kworker, idle, daemon)
				if got := wakeAffineWeight(s, d, task, 0, 2, false); got != want {
					t.Errorf("%s: %d, want %d (loads %d and %d)", name, got, want, this.avg.load, prev.avg.load)
				}
				for _, k := range []Kernel{V59(8).With(IdlePrev), V61(8)} {
					acting := s.k
					s.k = &k
					if got := k.WakeAffine(s, d, task, 0, 2, false); got != 2 {
						t.Errorf("%s: %v pulls the task", name, k)
					}
					s.k = acting
				}
			}
		}
	}
}
