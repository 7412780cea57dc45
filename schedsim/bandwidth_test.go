package schedsim

import (
	"slices"
	"strings"
	"testing"
	"time"
)

const ms = time.Millisecond

// allKernels are the versions whose bandwidth control differs.
func allKernels(cpus int) []Kernel {
	return []Kernel{V310(cpus), V418(cpus), V59(cpus), V510(cpus), V61(cpus), V612(cpus)}
}

// limited makes one group with a quota.
func limited(t *testing.T, quota, period, burst time.Duration) func(s *Sched) {
	return func(s *Sched) {
		if err := s.SetBandwidth(s.NewGroup("limited", 0, 1024), quota, period, burst); err != nil {
			t.Fatal(err)
		}
	}
}

// TestQuota: a group gets its quota of each period, on one CPU or several, and is
// throttled once in each period in which it wants more.
func TestQuota(t *testing.T) {
	const seconds = 10
	for _, tc := range []struct {
		name          string
		cpus          int
		quota, period time.Duration
		throttled     bool // in each period
	}{
		{"one-cpu", 1, 20 * ms, 100 * ms, true},
		{"four-cpus", 4, 20 * ms, 100 * ms, true},
		{"four-cpus-half", 4, 200 * ms, 100 * ms, true},
		{"short-period", 1, 2 * ms, 10 * ms, true},
		{"one-and-a-half", 2, 75 * ms, 50 * ms, true},
		{"more-than-there-is", 2, 300 * ms, 100 * ms, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			for _, k := range allKernels(tc.cpus) {
				var tasks []scripted
				for i := range tc.cpus {
					tasks = append(tasks, joined(1, scripted{ops: []Op{hog()}, cpus: pinned(i), cpu: i}))
				}
				s := newGroupSched(t, k, tc.cpus, tasks, 0, limited(t, tc.quota, tc.period, 0))
				simulate(t, s, seconds*time.Second)
				for i := range s.cfs {
					s.updateCurr(&s.cfs[i])
				}
				st := s.GroupStats(1)
				periods := int64(seconds * time.Second / tc.period)
				want := min(int64(tc.quota)*periods, seconds*1e9*int64(tc.cpus))
				// A queue may hold a slice, and be a tick late, on each CPU.
				slack := int64(tc.cpus) * (cfsBandwidthSlice + s.tickNS)
				if s.since(6, 3) {
					// Periods do not begin with the run: there is a part of one more.
					want += min(int64(tc.quota), int64(tc.period)*int64(tc.cpus)) / 2
					slack += int64(tc.quota) / 2
				}
				want = min(want, seconds*1e9*int64(tc.cpus))
				if d := st.UsageNS - want; d < -slack || d > slack {
					t.Errorf("%s: ran for %v, want %v", k.Version, time.Duration(st.UsageNS), time.Duration(want))
				}
				if st.Periods < periods-1 || st.Periods > periods+1 {
					t.Errorf("%s: %d periods, want %d", k.Version, st.Periods, periods)
				}
				if !tc.throttled && (st.Throttled != 0 || st.ThrottledNS != 0) {
					t.Errorf("%s: throttled %+v", k.Version, st)
				}
				if tc.throttled && (st.Throttled < st.Periods-2 || st.Throttled > st.Periods) {
					t.Errorf("%s: throttled in %d of %d periods", k.Version, st.Throttled, st.Periods)
				}
				// Waking up from the idle state counts as idle: up to 50 us a period.
				idle := seconds*1e9*int64(tc.cpus) - st.UsageNS
				if late := (int64(tc.period) + 50e3*periods) * int64(tc.cpus); tc.throttled && (st.ThrottledNS < idle-late-slack || st.ThrottledNS > idle) {
					t.Errorf("%s: throttled for %v of %v idle", k.Version, time.Duration(st.ThrottledNS), time.Duration(idle))
				}
				if err := s.verify(); err != nil {
					t.Errorf("%s: %v", k.Version, err)
				}
			}
		})
	}
}

// TestQuotaAboveDemand: a group that wants less than its quota is never throttled.
func TestQuotaAboveDemand(t *testing.T) {
	for _, k := range allKernels(4) {
		var tasks []scripted
		for i := range 4 {
			tasks = append(tasks, joined(1, scripted{ops: []Op{run(2 * ms), sleep(38 * ms)}, cpus: pinned(i), cpu: i, start: time.Duration(i) * ms}))
		}
		s := newGroupSched(t, k, 4, tasks, 0, limited(t, 45*ms, 100*ms, 0))
		simulate(t, s, 5*time.Second)
		if st := s.GroupStats(1); st.Throttled != 0 || st.Periods < 48 || st.UsageNS < 900e6 {
			t.Errorf("%s: %+v", k.Version, st)
		}
	}
}

// TestQuotaIdles: the period timer stops after a period without any use, and
// starts again.
func TestQuotaIdles(t *testing.T) {
	for _, k := range allKernels(1) {
		s := newGroupSched(t, k, 1, []scripted{joined(1, scripted{ops: []Op{run(2 * ms), sleep(1998 * ms)}})}, 0, limited(t, 20*ms, 100*ms, 0))
		simulate(t, s, 9900*ms)
		// Two or three a run: of its use, of the mark that it is idle, and the last.
		if st := s.GroupStats(1); st.Periods < 10 || st.Periods > 18 || st.Throttled != 0 {
			t.Errorf("%s: %d periods in 10 s with five runs", k.Version, st.Periods)
		}
	}
}

// TestBurst: since 5.14 what was not used of a period's quota can be used later.
func TestBurst(t *testing.T) {
	for _, tc := range []struct {
		k         Kernel
		burst     time.Duration
		throttled bool
	}{
		{V510(1), 10 * ms, true}, {V61(1), 0, true}, {V61(1), 10 * ms, false}, {V612(1), 10 * ms, false},
	} {
		// 16 ms a 200 ms, with a quota of 10 in 100.
		s := newGroupSched(t, tc.k, 1, []scripted{joined(1, scripted{ops: []Op{sleep(184 * ms), run(16 * ms)}})}, 0,
			limited(t, 10*ms, 100*ms, tc.burst))
		simulate(t, s, 6*time.Second)
		st := s.GroupStats(1)
		if (st.Throttled > 0) != tc.throttled {
			t.Errorf("%s, burst %v: throttled in %d periods", tc.k.Version, tc.burst, st.Throttled)
		}
		if !tc.throttled && (st.Bursts < 10 || st.BurstNS < st.Bursts*1e6 || st.BurstNS > st.Bursts*10e6) {
			t.Errorf("%s: %d bursts of %v", tc.k.Version, st.Bursts, time.Duration(st.BurstNS))
		}
	}
}

// throttle simulates until a group's queue of a CPU is throttled.
func throttle(t *testing.T, s *Sched, q *cfsRQ) {
	t.Helper()
	for range 100000 {
		if q.throttled && s.cpus[q.cpu].act == actIdle {
			return
		}
		s.step()
	}
	t.Fatal("not throttled")
}

// TestThrottledStandsStill: load tracking below a throttled group stops, at all
// levels, and the CPU is idle with tasks queued. A task that wakes there waits.
func TestThrottledStandsStill(t *testing.T) {
	for _, k := range allKernels(1) {
		s := newGroupSched(t, k, 1, []scripted{
			joined(2, hogs(1)[0]),
			joined(2, scripted{ops: []Op{run(100 * time.Microsecond), sleep(30 * ms)}}),
		}, 0, func(s *Sched) {
			limited(t, 20*ms, 100*ms, 0)(s)
			s.NewGroup("below", 1, 1024)
		})
		simulate(t, s, 500*ms)
		below, root := &s.cfs[2], &s.cfs[0]
		hog, light := &s.tasks[0], &s.tasks[1]
		throttle(t, s, &s.cfs[1])
		for light.state != taskSleeping {
			for below.throttleCount > 0 {
				s.step()
			}
			throttle(t, s, &s.cfs[1])
		}
		s.now += 10
		e := &s.ents[hog.se].avg
		tracked := func() int64 { // util_avg, in 3.10 load_avg_contrib
			if s.pelt == peltV310 {
				return e.load
			}
			return e.util
		}
		clock, util := s.cfsClock(below), tracked()
		wakeups := s.count.Wakeups
		for s.count.Wakeups == wakeups && below.throttleCount > 0 {
			s.step()
		}
		if below.throttleCount != 1 || light.state != taskRunning || !light.onRQ {
			t.Fatalf("%s: it did not wake while it is throttled", k.Version)
		}
		if root.hNr != 0 || s.cpus[0].nrRunning != 0 || below.hNr != 2 || s.cfs[1].hNr != 2 || s.cpus[0].curr != none {
			t.Errorf("%s: %d tasks at the root, %d below", k.Version, root.hNr, below.hNr)
		}
		if got := s.cfsClock(below); got != clock || tracked() != util || util < 900 {
			t.Errorf("%s: the clock went on by %d, util_avg from %d to %d", k.Version, got-clock, util, tracked())
		}
		if root.avg.util > 500 {
			t.Errorf("%s: util_avg of the CPU %d", k.Version, root.avg.util)
		}
		if !s.throttledLBPair(hog, 0) {
			t.Errorf("%s: load balancing may move a throttled task", k.Version)
		}
		ran := s.ran(1)
		for below.throttleCount > 0 {
			s.step()
		}
		simulate(t, s, 20*ms)
		if s.ran(1) == ran {
			t.Errorf("%s: the light task did not run in the next period", k.Version)
		}
	}
}

// TestSlack: runtime that an idle queue gives back goes to a throttled one after
// 5 ms, unless the next period is near.
func TestSlack(t *testing.T) {
	for _, k := range allKernels(2) {
		s := newGroupSched(t, k, 2, []scripted{joined(1, hogs(1)[0])}, 0, limited(t, 20*ms, 100*ms, 0))
		simulate(t, s, 400*ms)
		busy, idle := &s.cfs[2], &s.cfs[3]
		if s.tasks[0].cpu == 1 {
			busy, idle = idle, busy
		}
		throttle(t, s, busy)
		ran, b := s.ran(0), &s.groups[1].cfsBandwidth
		idle.runtimeRemaining, idle.runtimeExpires = 6e6, b.expires
		s.returnCFSRuntime(idle)
		if idle.runtimeRemaining != 1e6 || b.slackAt != 0 {
			t.Fatalf("%s: kept %d; a slice is not more than a slice", k.Version, idle.runtimeRemaining)
		}
		idle.runtimeRemaining = 3e6
		s.returnCFSRuntime(idle)
		if b.slackAt != s.now+5e6 || b.runtime != 7e6 {
			t.Fatalf("%s: slack timer in %d ns, pool %d", k.Version, b.slackAt-s.now, b.runtime)
		}
		s.now += 1e6
		idle.runtimeRemaining = 2e6
		s.returnCFSRuntime(idle)
		if put := b.slackAt - s.now; put != 4e6 && s.since(5, 3) || put != 5e6 && !s.since(5, 3) {
			t.Errorf("%s: slack timer in %d ns", k.Version, put)
		}
		simulate(t, s, 20*ms)
		if got := s.ran(0) - ran; got < 3e6 || got > 8e6+s.tickNS {
			t.Errorf("%s: ran for %v of the slack", k.Version, time.Duration(got))
		}
		throttle(t, s, busy)
		simulate(t, s, time.Duration(b.periodAt-s.now)-6*ms)
		idle.runtimeRemaining, idle.runtimeExpires = 9e6, b.expires
		s.returnCFSRuntime(idle)
		if b.slackAt != 0 {
			t.Errorf("%s: slack timer 6 ms before the period's end", k.Version)
		}
	}
}

// TestExpiry: up to 5.3 a queue loses what it holds at the end of a period.
func TestExpiry(t *testing.T) {
	for _, k := range allKernels(1) {
		s := newGroupSched(t, k, 1, hogs(1), 0, limited(t, 20*ms, 100*ms, 0))
		q, b := &s.cfs[1], &s.groups[1].cfsBandwidth
		q.curr = s.tasks[0].se // as if it ran
		// The first period of 4.18 expires late, by the time since boot.
		s.refillBandwidth(b)
		s.accountCFSRuntime(q, 0)
		if q.runtimeRemaining != cfsBandwidthSlice {
			t.Fatalf("%s: took %d", k.Version, q.runtimeRemaining)
		}
		s.accountCFSRuntime(q, 1e6)
		s.now += 300e6
		b.forward(s.now)
		s.refillBandwidth(b)
		before := b.runtime
		s.accountCFSRuntime(q, 1e6)
		// 3 ms are left, or a new slice was taken.
		want, taken := int64(3e6), int64(0)
		if !s.since(5, 4) {
			want, taken = 5e6, 5e6
		}
		if q.runtimeRemaining != want || before-b.runtime != taken {
			t.Errorf("%s: %d left, %d taken; want %d, %d", k.Version, q.runtimeRemaining, before-b.runtime, want, taken)
		}
	}
}

// TestOrderOfUnthrottling: first come, first served, but for 3.16 to 4.18.
func TestOrderOfUnthrottling(t *testing.T) {
	for _, k := range allKernels(4) {
		s := newGroupSched(t, k, 4, hogs(1), 0, limited(t, 20*ms, 100*ms, 0))
		b := &s.groups[1].cfsBandwidth
		b.runtime = 0
		for _, c := range []int{2, 0, 3} {
			s.throttleCFS(&s.cfs[4+c])
		}
		want := []int32{6, 4, 7}
		if k.Version == "v4.18" {
			want = []int32{7, 4, 6}
		}
		if !slices.Equal(b.throttledList, want) {
			t.Errorf("%s: %v, want %v", k.Version, b.throttledList, want)
		}
		// Enough for two: they owe 4 ms each, and get 1 ns more.
		for _, c := range []int{0, 2, 3} {
			s.cfs[4+c].runtimeRemaining = -4e6
		}
		b.runtime = 9e6
		s.smp = 1
		s.distributeRuntime(b)
		first, second, last := &s.cfs[want[0]], &s.cfs[want[1]], &s.cfs[want[2]]
		if first.runtimeRemaining != 1 || second.runtimeRemaining != 1 || last.runtimeRemaining != -3e6-2 || b.runtime != 0 {
			t.Errorf("%s: %d, %d, %d left, pool %d", k.Version, first.runtimeRemaining, second.runtimeRemaining, last.runtimeRemaining, b.runtime)
		}
		// Since 6.3 their own CPUs let them go on.
		if first.throttled != s.since(6, 3) || first.unthrottling != s.since(6, 3) || !last.throttled {
			t.Errorf("%s: throttled %v, %v", k.Version, first.throttled, last.throttled)
		}
		s.cpus[first.cpu].act = actIdle
		s.unthrottleListed(first.cpu)
		if first.throttled {
			t.Errorf("%s: still throttled", k.Version)
		}
	}
}

// TestSetBandwidth: what the kernel refuses, and quotas that change while a group
// is throttled.
func TestSetBandwidth(t *testing.T) {
	s := newGroupSched(t, V61(1), 1, hogs(1), 0, func(s *Sched) {
		s.NewGroup("a", 0, 1024)
		s.NewGroup("b", s.NewGroup("x", 1, 1024), 1024)
	})
	for _, tc := range []struct {
		group                int
		quota, period, burst time.Duration
		want                 string
	}{
		{0, ms, 0, 0, "group 0"},
		{9, ms, 0, 0, "group 9"},
		{1, ms / 2, 0, 0, "quota of 500µs"},
		{1, ms, 2 * time.Second, 0, "period of 2s"},
		{1, ms, ms / 2, 0, "period of 500µs"},
		{1, 10 * ms, 100 * ms, 11 * ms, "burst of 11ms"},
		{1, 10 * ms, 100 * ms, -ms, "burst of -1ms"},
		{1, 50 * ms, 100 * ms, 50 * ms, ""},
		{3, 51 * ms, 100 * ms, 0, `more than group "a" above it`},
		{3, 5 * ms, 10 * ms, 0, ""},
		{2, 40 * ms, 100 * ms, 0, `less than group "b" below it`},
		{2, -1, 0, 0, ""},
	} {
		err := s.SetBandwidth(tc.group, tc.quota, tc.period, tc.burst)
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%+v: %v", tc, err)
		}
	}

	for _, k := range allKernels(1) {
		s := newGroupSched(t, k, 1, []scripted{joined(1, hogs(1)[0])}, 0, limited(t, 5*ms, 100*ms, 0))
		simulate(t, s, 200*ms)
		throttle(t, s, &s.cfs[1])
		if err := s.SetBandwidth(1, -1, 0, 0); err != nil {
			t.Fatal(err)
		}
		ran := s.ran(0)
		simulate(t, s, 100*ms)
		s.updateCurr(&s.cfs[0])
		s.updateCurr(&s.cfs[1])
		if got := s.ran(0) - ran; got < 99e6 {
			t.Errorf("%s: ran for %v of 100 ms without a quota", k.Version, time.Duration(got))
		}
		if err := s.SetBandwidth(1, 50*ms, 100*ms, 0); err != nil {
			t.Fatal(err)
		}
		simulate(t, s, 100*ms)
		ran = s.ran(0)
		simulate(t, s, time.Second)
		if got := s.ran(0) - ran; got < 490e6 || got > 510e6 {
			t.Errorf("%s: ran for %v of 1 s with half of it as quota", k.Version, time.Duration(got))
		}
		if err := s.verify(); err != nil {
			t.Errorf("%s: %v", k.Version, err)
		}
	}
}

// TestBalanceBesideThrottled: with one group throttled on all CPUs, load balancing
// spreads the tasks of another one and leaves those of the first alone.
func TestBalanceBesideThrottled(t *testing.T) {
	var tasks []scripted
	for i := range 8 {
		tasks = append(tasks, joined(1, scripted{ops: []Op{hog()}, cpu: i % 4}))
	}
	for range 4 {
		tasks = append(tasks, joined(2, scripted{ops: []Op{hog()}, start: 400 * ms}))
	}
	s := newGroupSched(t, V510(4), 4, tasks, 0, func(s *Sched) {
		limited(t, 4*ms, 1000*ms, 0)(s)
		s.NewGroup("free", 0, 1024)
	})
	simulate(t, s, 4400*ms)
	for i := range 4 {
		if got := float64(s.ran(int32(8+i))) / 4e9; !around(got, 1, .05) {
			t.Errorf("task %d: %.3f of a CPU", i, got)
		}
	}
	if st := s.GroupStats(1); st.Throttled < 3 || st.UsageNS > 60e6 {
		t.Errorf("%+v", st)
	}
}

// TestGroupAllocs: groups and quotas allocate nothing once all are made.
func TestGroupAllocs(t *testing.T) {
	for _, k := range allKernels(8) {
		w := newChaos(24, false)
		k.Autogroup = false
		s, err := newSched(&Config{Machine: testMachine(2, 2, 2), Kernel: k, Workload: w, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		w.Start(s)
		for i := range 6 {
			parent := 0
			if i > 2 {
				parent = i - 2
			}
			g := s.NewGroup("g", parent, 1024)
			if err := s.SetBandwidth(g, time.Duration(15-2*i)*ms, 20*ms, 0); err != nil {
				t.Fatal(err)
			}
		}
		for i := range s.tasks[:s.born] {
			s.MoveTask(&s.tasks[i], i%7)
		}
		steps := func() {
			for i := range 20000 {
				s.step()
				if i%100 == 0 {
					s.MoveTask(&s.tasks[i/100%24], i/100%7)
				}
			}
		}
		for range 5 {
			steps()
		}
		if n := testing.AllocsPerRun(3, steps); n != 0 {
			t.Errorf("%s: %v allocations in 20,000 events", k.Version, n)
		}
		if err := s.verify(); err != nil {
			t.Errorf("%s: %v", k.Version, err)
		}
	}
}
