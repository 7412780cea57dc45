package schedsim

import (
	"testing"
	"time"

	"github.com/schedlab/schedlab/topology"
)

// pullGuest is two sockets of eight CPUs in one NUMA node, as QEMU builds it.
func pullGuest() *topology.Machine {
	m := testMachine(2, 8, 1)
	for i := range m.CPUs {
		m.CPUs[i].Node = 0
	}
	m.Distances = [][]int{{10}}
	m.Transfer.Remote = map[int]topology.Quantity{10: m.Transfer.SameLLC} // one die, whatever QEMU calls it
	return m
}

// TestPullFromIdlePrev is what real kernels did, 6.1 and 6.1 without the test for an
// idle previous CPU: six threads of a task group with a weight of 3 are woken from
// CPU 0, while a short daemon of the root group runs now and then on each other CPU.
// wake_affine pulled in 3.8, 3.3 and 3.2 % of its decisions with the test, and in
// 99.4, 99.6 and 99.5 % without; with all tasks in the root group in 0 and 0.1 %
// and, without the test, in 0.2 and 0.3 %.
func TestPullFromIdlePrev(t *testing.T) {
	for _, tc := range []struct {
		kernel Kernel
		flat   bool
		lo, hi float64
	}{
		{V61(16), false, .01, .06},
		{V61(16).With(NoIdlePrev), false, .98, 1},
		{V61(16), true, 0, .005},
		{V61(16).With(NoIdlePrev), true, 0, .005},
		// The post's pair; and 4.18, whose load of an idle CPU is 0.
		{V59(16), false, .98, 1},
		{V59(16).With(IdlePrev), false, 0, .06},
		{V418(16), false, 0, .06},
	} {
		name := tc.kernel.String()
		if tc.flat {
			name += "/flat"
			tc.kernel.Autogroup = false
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const us = time.Microsecond
			src := scripted{cpus: pinned(0)}
			w := &script{channels: 6}
			var threads, daemons []scripted
			for i := range int32(6) {
				src.ops = append(src.ops, Op{Kind: OpSend, Arg: i}) // a futex: not sync
				threads = append(threads, scripted{ops: []Op{recv(i), run(700 * us)}})
			}
			src.ops = append(src.ops, run(1500*us), sleep(8000*us))
			for c := 1; c < 16; c++ {
				daemons = append(daemons, scripted{ops: []Op{run(100 * us), sleep(9000 * us)},
					cpus: pinned(c), cpu: c, start: time.Duration((c-1)%8+1) * time.Millisecond})
			}
			w.tasks = append(append([]scripted{src}, threads...), daemons...)
			s, err := newSched(&Config{Machine: pullGuest(), Kernel: tc.kernel, Workload: w, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			w.Start(s)
			if !tc.flat {
				s.groups[1].shares = 3 << fixedShift
				for c := range s.cpus {
					s.ents[s.cfs[16+c].se].load.set(3 << fixedShift)
				}
				for i := 7; i < len(s.tasks); i++ {
					s.tasks[i].group = 0
					s.setTaskRQ(&s.tasks[i], s.tasks[i].cpu)
				}
			}
			simulate(t, s, 2*time.Second)
			if s.count.WakeAffineAttempts < 1000 {
				t.Fatalf("%d attempts", s.count.WakeAffineAttempts)
			}
			if got := float64(s.count.WakeAffinePulls) / float64(s.count.WakeAffineAttempts); got < tc.lo || got > tc.hi {
				t.Errorf("pulls in %.1f %% of %d decisions, want %g to %g %%", 100*got, s.count.WakeAffineAttempts, 100*tc.lo, 100*tc.hi)
			}
		})
	}
}

// TestForkedHogs: hogs forked one after another, on small machines on which real
// kernels, 6.1 and 6.12, ran the same, each three times; lo and hi are the least
// and the greatest share of a CPU that a hog got there.
func TestForkedHogs(t *testing.T) {
	for _, tc := range []struct {
		name   string
		kernel func(int) Kernel
		n      int
		length time.Duration
		lo, hi float64
	}{
		{"smt-two-6.1", V61, 2, 2 * time.Second, .997, 1.002},
		{"smt-two-6.12", V612, 2, 2 * time.Second, .990, 1.000},
		{"hogs-five-6.1", V61, 5, 4 * time.Second, .726, .858},
		{"hogs-five-6.12", V612, 5, 4 * time.Second, .729, .846},
		{"hogs-sixteen-6.1", V61, 16, 3 * time.Second, .241, .269},
		{"hogs-sixteen-6.12", V612, 16, 3 * time.Second, .241, .288},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			w := forkers(tc.n, scripted{ops: []Op{hog()}})
			m := smtGuest()
			for i := range m.CPUs {
				m.CPUs[i].L2 = m.CPUs[i].Core
			}
			s, err := newSched(&Config{Machine: m, Kernel: flat(tc.kernel(4)), Workload: w, Seed: 1, TraceEvents: 1 << 8})
			if err != nil {
				t.Fatal(err)
			}
			w.Start(s)
			simulate(t, s, 100*time.Microsecond+time.Duration(tc.n)*60*time.Microsecond)
			cores := map[int32]bool{}
			for _, e := range s.trace.all() {
				if e.Kind == TraceFork {
					cores[s.cpus[e.CPU].core] = true
				}
			}
			if len(cores) != 2 {
				t.Errorf("forked on %d cores, want both", len(cores))
			}
			simulate(t, s, tc.length)
			for i := 1; i <= tc.n; i++ {
				// The slack is that of TestReferenceKernel.
				if got := float64(s.ran(int32(i))) / float64(tc.length); got < tc.lo-.05 || got > tc.hi+.05 {
					t.Errorf("hog %d got %.3f of a CPU, real kernels %.3f to %.3f", i, got, tc.lo, tc.hi)
				}
			}
			if used := len(coresOf(s, tc.n)); tc.n == 2 && used != 2 {
				t.Errorf("two hogs on %d core", used)
			}
		})
	}
}

// coresOf returns the cores that tasks 1 to n are on.
func coresOf(s *Sched, n int) map[int32]bool {
	cores := map[int32]bool{}
	for i := 1; i <= n; i++ {
		cores[s.cpus[s.tasks[i].cpu].core] = true
	}
	return cores
}
