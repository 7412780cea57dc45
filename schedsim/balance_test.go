package schedsim

import (
	"testing"
	"time"
)

func TestGroupType(t *testing.T) {
	for _, tc := range []struct {
		name       string
		nr         int
		util, run  int64 // group_util and group_runnable; the capacity is 2048
		imbalanced bool
		want       groupType
	}{
		{"empty", 0, 0, 0, false, groupHasSpare},
		{"fewer-tasks-than-cpus", 1, 2048, 4096, false, groupHasSpare},
		{"one-each-light", 2, 1500, 1500, false, groupHasSpare},
		{"one-each-full", 2, 2000, 2048, false, groupFullyBusy}, // 2000*117 > 2048*100
		{"many-light", 4, 1500, 1500, false, groupHasSpare},
		{"many-waiting", 4, 1500, 2500, false, groupOverloaded}, // runnable 2500*100 > 2048*117
		{"many-full", 4, 2000, 2000, false, groupOverloaded},
		{"imbalanced", 1, 0, 0, true, groupImbalanced},
		{"overloaded-goes-first", 4, 2000, 2000, true, groupOverloaded},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := &Sched{}
			st := groupStats{g: &group{imbalance: tc.imbalanced}, weight: 2, capacity: 2048, nrRunning: tc.nr, util: tc.util, runnable: tc.run}
			if got := s.groupTypeOf(&st, 117); got != tc.want {
				t.Errorf("type %d, want %d", got, tc.want)
			}
		})
	}
}

func TestCalculateImbalance(t *testing.T) {
	sibling := Domain{imbalancePct: 117, sharePkg: true, childPrefer: true}
	llc := Domain{imbalancePct: 117, sharePkg: true}
	node := Domain{imbalancePct: 117, numa: true}
	for _, tc := range []struct {
		name           string
		d              *Domain
		idle           idleType
		local, busiest groupStats
		avg            int64
		kind           migrationType
		want           int64
	}{
		{"imbalanced", &llc, cpuIdle, groupStats{}, groupStats{kind: groupImbalanced}, 0, migrateTask, 1},
		{"spread-over-siblings", &sibling, cpuIdle,
			groupStats{nrRunning: 1, weight: 2}, groupStats{kind: groupFullyBusy, nrRunning: 4, weight: 2}, 0, migrateTask, 1},
		{"even-idle-cpus", &llc, cpuIdle,
			groupStats{idle: 5, weight: 8}, groupStats{idle: 1, weight: 8, nrRunning: 7}, 0, migrateTask, 2},
		{"node-pair-stays", &node, cpuIdle,
			groupStats{idle: 8, weight: 8}, groupStats{idle: 6, weight: 8, nrRunning: 2}, 0, migrateTask, 0},
		{"node-three", &node, cpuIdle,
			groupStats{idle: 8, weight: 8}, groupStats{idle: 5, weight: 8, nrRunning: 3}, 0, migrateTask, 1},
		{"fill-spare-capacity", &node, cpuIdle,
			groupStats{capacity: 8192, util: 3000, weight: 8}, groupStats{kind: groupOverloaded, nrRunning: 20}, 0, migrateUtil, 5192},
		{"idle-takes-one", &node, cpuIdle,
			groupStats{capacity: 8192, util: 9000, weight: 8}, groupStats{kind: groupOverloaded, nrRunning: 20}, 0, migrateTask, 1},
		{"busy-takes-none", &node, cpuNotIdle,
			groupStats{capacity: 8192, util: 9000, weight: 8}, groupStats{kind: groupOverloaded, nrRunning: 20}, 0, migrateUtil, 0},
		{"load-to-the-average", &llc, cpuNotIdle,
			groupStats{kind: groupOverloaded, avgLoad: 1000, capacity: 1024},
			groupStats{kind: groupOverloaded, avgLoad: 1600, capacity: 1024}, 1200, migrateLoad, 200},
		{"busy-local-is-heavier", &llc, cpuNotIdle,
			groupStats{kind: groupFullyBusy, load: 2000, capacity: 1024},
			groupStats{kind: groupOverloaded, avgLoad: 1600, capacity: 1024}, 1200, migrateLoad, 0},
		// The local group is above the average: the kernel's unsigned
		// difference wraps and the busiest's decides (until 91dcf1e8068e, 6.4).
		{"local-above-average", &llc, cpuNotIdle,
			groupStats{kind: groupFullyBusy, load: 1000, capacity: 1024},
			groupStats{kind: groupOverloaded, avgLoad: 1600, capacity: 1024}, 800, migrateLoad, 800},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := &Sched{version: 5010}
			env := lbEnv{d: tc.d, idle: tc.idle}
			s.calculateImbalance(&env, &tc.local, &tc.busiest, tc.avg)
			if env.imbalance != tc.want || tc.want != 0 && env.kind != tc.kind {
				t.Errorf("move %d by kind %d, want %d by %d", env.imbalance, env.kind, tc.want, tc.kind)
			}
		})
	}
}

func TestBusier(t *testing.T) {
	first := groupStats{}
	a := func(kind groupType, load int64, idle, nr int) *groupStats {
		return &groupStats{g: &group{}, kind: kind, avgLoad: load, idle: idle, nrRunning: nr, hNr: nr}
	}
	for _, tc := range []struct {
		name string
		a, b *groupStats
		want bool
	}{
		{"nothing-to-pull", a(groupHasSpare, 0, 0, 0), &first, false},
		{"first", a(groupHasSpare, 0, 3, 1), &first, true},
		{"type", a(groupOverloaded, 1, 0, 9), a(groupFullyBusy, 9, 0, 2), true},
		{"load", a(groupOverloaded, 9, 0, 9), a(groupOverloaded, 8, 0, 9), true},
		{"fully-busy-has-no-load", a(groupFullyBusy, 0, 0, 9), a(groupFullyBusy, 0, 0, 2), false},
		{"fewer-idle", a(groupHasSpare, 0, 1, 1), a(groupHasSpare, 0, 2, 5), true},
		{"more-running", a(groupHasSpare, 0, 2, 3), a(groupHasSpare, 0, 2, 2), true},
		{"tie", a(groupHasSpare, 0, 2, 2), a(groupHasSpare, 0, 2, 2), false},
	} {
		if got := busier(tc.a, tc.b); got != tc.want {
			t.Errorf("%s: %v", tc.name, got)
		}
	}
}

// TestShouldWeBalance: the first idle CPU of the local group balances, or its
// first CPU if none is idle; a newly idle one always.
func TestShouldWeBalance(t *testing.T) {
	s := still(t, testMachine(2, 2, 2))
	node := &s.cpus[0].domains[len(s.cpus[0].domains)-1] // groups of 0,1,4,5 and 2,3,6,7
	chosen := func(idle idleType) (cpus []int32) {
		for _, c := range node.groups[0].cpus {
			if s.shouldWeBalance(&lbEnv{d: node, dst: c, idle: idle}) {
				cpus = append(cpus, c)
			}
		}
		return cpus
	}
	for _, tc := range []struct {
		busy []int
		want int32
	}{{nil, 0}, {[]int{0}, 1}, {[]int{0, 1, 4}, 5}, {[]int{0, 1, 4, 5}, 0}} {
		s.load(0, 0, 1, 4, 5)
		s.load(1, tc.busy...)
		if got := chosen(cpuIdle); len(got) != 1 || got[0] != tc.want {
			t.Errorf("busy %v: %v balance, want %d", tc.busy, got, tc.want)
		}
	}
	if got := chosen(cpuNewlyIdle); len(got) != 4 {
		t.Errorf("newly idle: %v, want all", got)
	}
}

// TestOutOfBalance: a CPU that is not the one to balance leaves load_balance by
// out_balanced: its failures are forgotten and its interval doubles.
func TestOutOfBalance(t *testing.T) {
	s := still(t, testMachine(2, 2, 2))
	d := &s.cpus[1].domains[len(s.cpus[1].domains)-1] // CPU 0 is idle and goes first
	d.nrBalanceFailed = 3
	before := d.balanceInterval
	if moved, more := s.loadBalance(1, d, cpuIdle); moved != 0 || more {
		t.Errorf("moved %d, more %v", moved, more)
	}
	if d.nrBalanceFailed != 0 || d.balanceInterval != 2*before {
		t.Errorf("failed %d, interval %d, want 0 and %d", d.nrBalanceFailed, d.balanceInterval, 2*before)
	}
}

func TestBalanceInterval(t *testing.T) {
	s := still(t, testMachine(2, 20, 2))
	for _, tc := range []struct {
		ms   int64
		busy bool
		want int64 // jiffies of 4 ms
	}{
		{2, false, 1}, {80, false, 20}, {160, false, 40},
		{2, true, 7}, // 32 ms are 8 jiffies, less one
		{80, true, 319}, {100000, false, 2000}, {1, false, 1},
	} {
		d := Domain{balanceInterval: tc.ms, busyFactor: 16}
		if got := s.interval(&d, tc.busy); got != tc.want {
			t.Errorf("%d ms, busy %v: %d jiffies, want %d", tc.ms, tc.busy, got, tc.want)
		}
	}
	s.aging = AgingFactor
	if got := s.interval(&Domain{balanceInterval: 80, busyFactor: 16}, true); got != 19 {
		t.Errorf("80 ms busy and aged: %d jiffies, want 19", got)
	}
}

// TestIdleCPUGetsWork: of two hogs that start on one CPU beside an idle one, a
// tick's nohz kick moves one within a few ticks.
func TestIdleCPUGetsWork(t *testing.T) {
	for _, cores := range []int{2, 8} {
		w := &script{tasks: hogs(2)}
		s := newTestSched(t, testMachine(1, cores, 1), w, false)
		for i := range s.tasks { // both on CPU 0, whatever the wakeup says
			s.tasks[i].allowed = maskOf(cores, []int{0})
		}
		simulate(t, s, time.Millisecond)
		for i := range s.tasks {
			s.tasks[i].allowed = nil
		}
		simulate(t, s, 40*time.Millisecond)
		if a, b := s.tasks[0].cpu, s.tasks[1].cpu; a == b {
			t.Errorf("%d cores: both still on CPU %d after ten ticks", cores, a)
		}
		if s.count.LBMigrations != 1 {
			t.Errorf("%d cores: %d migrations, want 1", cores, s.count.LBMigrations)
		}
	}
}

// TestNohzWithoutOthers: a kick that finds no other idle CPU must not put off
// the next one.
func TestNohzWithoutOthers(t *testing.T) {
	s := still(t, testMachine(1, 2, 1))
	simulate(t, s, 10*time.Millisecond)
	s.load(1, 1)
	s.nohzNext = s.jiffies
	s.cpus[0].nohzBalance = false // only to decay
	s.nohzIdleBalance(0)
	if s.nohzNext > s.jiffies+1 {
		t.Errorf("the next balance is %d jiffies away", s.nohzNext-s.jiffies)
	}
}

// TestSMTSpread: two hogs on the threads of one core end up on two cores.
func TestSMTSpread(t *testing.T) {
	tasks := []scripted{{ops: []Op{hog()}}, {ops: []Op{hog()}, cpu: 2}}
	s := newTestSched(t, testMachine(1, 2, 2), &script{tasks: tasks}, false)
	s.tasks[0].allowed, s.tasks[1].allowed = maskOf(4, []int{0}), maskOf(4, []int{2})
	simulate(t, s, time.Millisecond)
	if s.cpus[s.tasks[0].cpu].core != s.cpus[s.tasks[1].cpu].core {
		t.Fatal("the hogs do not start on one core")
	}
	s.tasks[0].allowed, s.tasks[1].allowed = nil, nil
	simulate(t, s, 500*time.Millisecond)
	if a, b := s.tasks[0].cpu, s.tasks[1].cpu; s.cpus[a].core == s.cpus[b].core {
		t.Errorf("both still on the core of CPUs %d and %d", a, b)
	}
	if s.count.ActiveBalances == 0 {
		t.Error("a running task moved without active balance")
	}
}
