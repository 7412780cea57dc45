package schedsim

import (
	"slices"
	"testing"
	"time"
)

// stillOf is still for any kernel.
func stillOf(t testing.TB, k Kernel, sockets, cores, threads int) *Sched {
	t.Helper()
	w := &script{tasks: repeat(4, scripted{ops: []Op{hog()}, start: 1e9})}
	return newSchedOf(t, testMachine(sockets, cores, threads), k, w, true)
}

// hogsOn makes it look as if nr hogs had been on a CPU for long.
func (s *Sched) hogsOn(ci int, nr int32) {
	s.load(nr, ci)
	load := int64(nr) * 1024
	q := &s.cfs[ci]
	q.load.set(load << fixedShift)
	if s.pelt == peltV310 {
		s.cfsV310[ci].runnable = load
	} else {
		q.avg.load, q.avg.runnable = load, load
		q.avg.util = min(load, 1024)
	}
	if s.cpuLoads != nil {
		s.cpuLoads[ci].load = [cpuLoadIdxMax]int64{load, load, load, load, load}
	}
}

// TestFindBusiest: what each version takes from where, worked out by hand. The machines
// have one thread a core, but for the last.
func TestFindBusiest(t *testing.T) {
	type want struct {
		src       int32
		kind      migrationType
		imbalance int64
	}
	nothing := want{src: none}
	for _, tc := range []struct {
		name                    string
		sockets, cores, threads int
		level                   string
		idle                    idleType
		hogs                    []int32 // by CPU; CPU 0 balances
		want                    map[string]want
	}{
		{
			"newly-idle-and-two", 1, 4, 1, "MC", cpuNewlyIdle, []int32{0, 2, 1, 1},
			map[string]want{
				// Down to the average of 1024, and not below the capacity of one task.
				"v3.10": {1, migrateLoad, 1024},
				"v4.18": {1, migrateLoad, 1024},
				// Spare capacity is filled by utilisation; since v5.10 not within a cache,
				// where half of the difference of two tasks moves.
				"v5.9":  {1, migrateUtil, 1024},
				"v5.10": {1, migrateTask, 1},
				"v6.1":  {1, migrateTask, 1},
				"v6.12": {1, migrateTask, 1},
			},
		},
		{
			"busy-and-two", 1, 4, 1, "MC", cpuNotIdle, []int32{1, 2, 1, 1},
			map[string]want{
				// 256 up to the average, which fix_small_imbalance makes a whole task.
				"v3.10": {1, migrateLoad, 1024},
				"v4.18": {1, migrateLoad, 1024},
				"v5.9":  {1, migrateLoad, 256},
				"v5.10": {1, migrateLoad, 256},
				"v6.1":  {1, migrateLoad, 256},
				"v6.12": {1, migrateLoad, 256},
			},
		},
		{
			// Bound to two CPUs, say: the local CPU is above the average of 768.
			"above-the-average", 1, 4, 1, "MC", cpuNotIdle, []int32{1, 2, 0, 0},
			map[string]want{
				"v3.10": nothing,
				"v4.18": nothing,
				"v5.9":  {1, migrateLoad, 1280}, // the unsigned difference wraps
				"v5.10": {1, migrateLoad, 1280},
				"v6.1":  nothing,
				"v6.12": nothing,
			},
		},
		{
			"one-each", 1, 4, 1, "MC", cpuIdle, []int32{0, 1, 1, 1},
			map[string]want{"v3.10": nothing, "v4.18": nothing, "v5.9": nothing, "v5.10": nothing, "v6.1": nothing, "v6.12": nothing},
		},
		{
			"pair-on-the-other-node", 2, 4, 1, "NUMA", cpuIdle, []int32{0, 0, 0, 0, 1, 1, 0, 0},
			map[string]want{
				// The domain of the package, which has one group in v3.10, wants tasks on
				// siblings: the other node fits one task.
				"v3.10": {4, migrateLoad, 1024},
				"v4.18": {4, migrateLoad, 1024},
				"v5.9":  nothing, "v5.10": nothing, "v6.1": nothing, "v6.12": nothing,
			},
		},
		{
			"three-on-the-other-node", 2, 4, 1, "NUMA", cpuIdle, []int32{0, 0, 0, 0, 1, 1, 1, 0},
			map[string]want{
				// Averages of 768 and 384: 384 of 4 CPUs is more than the capacity leaves
				// in v3.10 (two tasks above one: 512).
				"v3.10": {4, migrateLoad, 1536},
				"v4.18": {4, migrateLoad, 1536},
				"v5.9":  {4, migrateTask, 1},
				"v5.10": {4, migrateTask, 1},
				"v6.1":  {4, migrateTask, 1},
				"v6.12": {4, migrateTask, 1},
			},
		},
		{
			// One more than a node of four may have more since v5.18 (an eighth, at least
			// one): a difference of two goes unless the local node has none.
			"one-and-three", 2, 4, 1, "NUMA", cpuIdle, []int32{0, 1, 0, 0, 1, 1, 1, 0},
			map[string]want{
				"v5.9": {4, migrateTask, 1}, "v5.10": {4, migrateTask, 1}, "v6.1": {4, migrateTask, 1}, "v6.12": {4, migrateTask, 1},
			},
		},
		{
			// CPUs 0 and 2 are one core, 1 and 3 the other.
			"both-threads", 1, 2, 2, "MC", cpuIdle, []int32{0, 1, 0, 1},
			map[string]want{
				// A core fits round(1178/1024) tasks in v3.10; 1023 to the average, made a
				// task.
				"v3.10": {1, migrateLoad, 1024},
				"v4.18": {1, migrateLoad, 1024},
				"v5.9":  {1, migrateTask, 1},
				"v5.10": {1, migrateTask, 1},
				"v6.1":  {1, migrateTask, 1},
				"v6.12": {1, migrateTask, 1},
			},
		},
	} {
		for version, want := range tc.want {
			t.Run(tc.name+"/"+version, func(t *testing.T) {
				i := slices.IndexFunc(versions, func(v release) bool {
					return v.name == version
				})
				s := stillOf(t, versions[i].kernel(tc.sockets*tc.cores*tc.threads), tc.sockets, tc.cores, tc.threads)
				for ci, nr := range tc.hogs {
					s.hogsOn(ci, nr)
				}
				c := &s.cpus[0]
				l := slices.IndexFunc(c.domains, func(d Domain) bool { return d.name == tc.level })
				if l < 0 {
					t.Fatalf("no domain %s", tc.level)
				}
				env := lbEnv{d: &c.domains[l], dst: 0, idle: tc.idle}
				got := s.findBusiest(&env)
				if got != want.src || got != none && (env.kind != want.kind || env.imbalance != want.imbalance) {
					t.Errorf("from %d kind %d, %d; want %+v", got, env.kind, env.imbalance, want)
				}
			})
		}
	}
}

// TestUndeadDomain: v3.10 keeps the domain of a package that is one last-level cache. It
// never balances, and makes the domain of the nodes prefer siblings.
func TestUndeadDomain(t *testing.T) {
	s := stillOf(t, V310(8), 2, 4, 1)
	var names []string
	for i := range s.cpus[0].domains {
		names = append(names, s.cpus[0].domains[i].name)
	}
	if want := []string{"MC", "CPU", "NUMA"}; !slices.Equal(names, want) {
		t.Fatalf("domains %v, want %v", names, want)
	}
	cpu, numa := &s.cpus[0].domains[1], &s.cpus[0].domains[2]
	if !numa.childPrefer || len(cpu.groups) != 1 {
		t.Errorf("NUMA prefers siblings: %v; groups of CPU: %d", numa.childPrefer, len(cpu.groups))
	}
	s.hogsOn(1, 5)
	if got := s.findBusiest(&lbEnv{d: cpu, idle: cpuIdle}); got != none {
		t.Errorf("the domain of one group takes from CPU %d", got)
	}
}

// TestCapacity: before v5.1 the threads of a core share 1178.
func TestCapacity(t *testing.T) {
	for _, tc := range []struct {
		kernel     func(int) Kernel
		threads    int
		cpu, group int64
	}{
		{V310, 1, 1024, 1024}, {V310, 2, 589, 1178}, {V310, 4, 294, 1176}, {V418, 2, 589, 1178}, {V59, 2, 1024, 2048}, {V612, 2, 1024, 2048},
	} {
		k := tc.kernel(4)
		s := stillOf(t, k, 1, 2, tc.threads)
		top := s.cpus[0].domains[len(s.cpus[0].domains)-1]
		if a, b := s.cpus[0].capacity, top.groups[0].capacity; a != tc.cpu || b != tc.group {
			t.Errorf("%s with %d threads: CPU %d, core %d; want %d, %d", k.Version, tc.threads, a, b, tc.cpu, tc.group)
		}
	}
}

// TestAsymPacking: a lower thread of a POWER7 core takes the task of a higher one, and
// not the other way round.
func TestAsymPacking(t *testing.T) {
	for _, k := range everyKernel(4) {
		if k.Version == "v5.10" {
			continue
		}
		t.Run(k.String(), func(t *testing.T) {
			s := stillOf(t, k, 1, 2, 2) // CPU 2 is the second thread of CPU 0's core
			up, down := &s.cpus[0].domains[0], &s.cpus[2].domains[0]
			up.asym, down.asym = true, true
			s.hogsOn(2, 1)
			env := lbEnv{d: up, dst: 0, idle: cpuNewlyIdle}
			if got := s.findBusiest(&env); got != 2 || env.imbalance < 1 {
				t.Errorf("CPU 0 takes %d from CPU %d", env.imbalance, got)
			}
			env.src = 2
			if k.Version != "v3.10" && !s.needActiveBalance(&env) {
				t.Error("the running task is not pushed")
			}
			s.hogsOn(2, 0)
			s.hogsOn(0, 1)
			if got := s.findBusiest(&lbEnv{d: down, dst: 2, idle: cpuNewlyIdle}); got != none {
				t.Errorf("CPU 2 takes from CPU %d", got)
			}
		})
	}
}

// TestBalanceSpreads: sixteen hogs that start on one of four CPUs are spread evenly within a
// second, and stay so. Not with patch 7 of the runnable load series, for which every task
// weighs nothing: it takes all that a queue can spare.
func TestBalanceSpreads(t *testing.T) {
	for _, k := range everyKernel(4) {
		if k.RunnableLoad.HLoad {
			continue
		}
		t.Run(k.String(), func(t *testing.T) {
			w := &script{tasks: hogs(16)}
			s := newSchedOf(t, testMachine(1, 4, 1), k, w, true)
			for i := range s.tasks {
				s.tasks[i].allowed = maskOf(4, []int{0})
			}
			simulate(t, s, time.Millisecond)
			for i := range s.tasks {
				s.tasks[i].allowed = nil
			}
			simulate(t, s, 1000*time.Millisecond)
			for ci := range s.cpus {
				if nr := s.cpus[ci].nrRunning; nr != 4 {
					t.Errorf("CPU %d has %d tasks after a second", ci, nr)
				}
			}
		})
	}
}

// TestBalanceRotates: of five hogs on four CPUs none keeps a CPU to itself for long; of
// three that are bound to two of them one does, where the local CPU must not be above the
// average of all four (in real 6.1 and 6.12 kernels too).
func TestBalanceRotates(t *testing.T) {
	for _, k := range everyKernel(4) {
		t.Run(k.String(), func(t *testing.T) {
			s := newSchedOf(t, testMachine(1, 4, 1), k, &script{tasks: hogs(5)}, true)
			simulate(t, s, 4*time.Second)
			if n := s.count.LBMigrations; n < 15 || n > 120 {
				t.Errorf("%d migrations of five hogs in 4 s; real kernels 46 to 49", n)
			}
			bound := repeat(3, scripted{ops: []Op{hog()}, cpus: pinned(0, 1)})
			s = newSchedOf(t, testMachine(1, 4, 1), k, &script{tasks: bound}, true)
			simulate(t, s, 2*time.Second)
			rotates := k.Version == "v5.9" || k.Version == "v5.10"
			if n := s.count.LBMigrations; (n > 3) != rotates {
				t.Errorf("%d migrations of three bound hogs", n)
			}
		})
	}
}
