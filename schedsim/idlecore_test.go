package schedsim

import (
	"fmt"
	"testing"

	"github.com/schedlab/schedlab/topology"
)

// still builds a machine whose tasks all sleep, to be brought into a state by
// hand.
func still(t testing.TB, m *topology.Machine) *Sched {
	t.Helper()
	return newTestSched(t, m, &script{tasks: repeat(4, scripted{ops: []Op{hog()}, start: 1e9})}, true)
}

// load makes nr tasks runnable on each of the CPUs, as far as others can see.
func (s *Sched) load(nr int32, cpus ...int) {
	for _, c := range cpus {
		s.cpus[c].nrRunning = nr
		s.cfs[c].hNr = nr
		s.touch(int32(c))
	}
}

// TestSelectIdleCore searches hand-made idle patterns. Four cores of two
// threads are numbered as on Intel boards: the threads of core k are k and k+4.
func TestSelectIdleCore(t *testing.T) {
	for _, tc := range []struct {
		name            string
		target          int
		busy            []int
		base, candidate int // what select_idle_core returns without and with the patch
	}{
		{"all-idle", 0, nil, 0, 0},
		{"target-first", 2, nil, 2, 2},
		{"second-thread-reached-first", 6, nil, 6, 6},
		{"next-core", 0, []int{0}, 1, 1},
		{"wraps", 3, []int{3, 4}, 5, 5},
		{"only-the-last-core", 0, []int{0, 1, 2}, 3, 3},
		{"all-busy", 0, []int{0, 1, 2, 3, 4, 5, 6, 7}, -1, -1},
		// A candidate is an idle thread before the first busy one of its core:
		// here thread 1 of each core is idle, but behind a busy one.
		{"higher-siblings-idle", 0, []int{0, 1, 2, 3}, -1, -1},
		{"lower-siblings-idle", 0, []int{4, 5, 6, 7}, -1, 0},
		{"first-candidate-from-target", 2, []int{4, 5, 6, 7}, -1, 2},
		// The search visits cores in the order in which their first thread is
		// reached, which from 5 on is 5, 6, 7, 0; in each it looks at the
		// lower thread first.
		{"order-of-cores-not-threads", 5, []int{4, 5, 6, 7}, -1, 1},
		{"one-lower-sibling-idle", 0, []int{0, 1, 3, 4, 5, 6, 7}, -1, 2},
		{"one-higher-sibling-idle", 0, []int{0, 1, 2, 3, 4, 5, 7}, -1, -1},
		{"candidate-then-idle-core", 0, []int{4, 5}, 2, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, patched := range []bool{false, true} {
				s := still(t, testMachine(1, 4, 2))
				s.load(1, tc.busy...)
				k, want := V510(8), tc.base
				if patched {
					k, want = k.With(IdleCandidate), tc.candidate
				}
				s.at(0)
				got := k.SelectIdleCore(s, &s.tasks[0], tc.target)
				if got != want {
					t.Errorf("%v: CPU %d, want %d", k, got, want)
				}
				// Only a search that found no idle core clears the flag.
				if flag := s.TestIdleCores(0); flag != (tc.base >= 0) {
					t.Errorf("%v: has_idle_cores %v afterwards", k, flag)
				}
				if s.SetIdleCores(0, false); k.SelectIdleCore(s, &s.tasks[0], tc.target) != -1 {
					t.Errorf("%v: searches although has_idle_cores is clear", k)
				}
			}
		})
	}
}

// TestIdleCandidateRespectsAffinity offers the candidate only if the task may
// run there.
func TestIdleCandidateRespectsAffinity(t *testing.T) {
	s := still(t, testMachine(1, 4, 2))
	s.load(1, 4, 5, 6, 7)
	task := &s.tasks[0]
	task.allowed = maskOf(8, []int{2, 6})
	s.at(0)
	if got := V510(8).With(IdleCandidate).SelectIdleCore(s, task, 0); got != 2 {
		t.Errorf("candidate %d, want 2, the only one allowed", got)
	}
}

// TestSelectIdleCoreLooks counts the runqueues that a failing search looks at:
// it leaves each core at the first busy thread.
func TestSelectIdleCoreLooks(t *testing.T) {
	for _, tc := range []struct {
		busy []int
		want int64
	}{
		{[]int{0, 1, 2, 3}, 4},             // one look a core
		{[]int{4, 5, 6, 7}, 8},             // two
		{[]int{0, 1, 6, 7}, 6},             // one, one, two, two
		{[]int{0, 1, 2, 3, 4, 5, 6, 7}, 4}, // one
	} {
		t.Run(fmt.Sprint(tc.busy), func(t *testing.T) {
			for _, k := range []Kernel{V510(8), V510(8).With(IdleCandidate)} {
				s := still(t, testMachine(1, 4, 2))
				s.load(1, tc.busy...)
				s.at(0)
				k.SelectIdleCore(s, &s.tasks[0], 0)
				if s.count.CPUsScanned != tc.want {
					t.Errorf("%v: %d looks, want %d", k, s.count.CPUsScanned, tc.want)
				}
			}
		})
	}
}

// TestHasIdleCores: a CPU that goes idle sets the flag of its LLC if its
// siblings are idle already; going busy leaves it.
func TestHasIdleCores(t *testing.T) {
	s := still(t, testMachine(2, 2, 2)) // core 0: CPUs 0 and 4
	flag := func() bool { return s.TestIdleCores(0) }
	s.SetIdleCores(0, false)
	s.load(1, 0, 4)
	s.load(0, 0)
	s.updateIdleCore(0)
	if flag() {
		t.Error("set although the sibling is busy")
	}
	s.load(0, 4)
	s.updateIdleCore(4)
	if !flag() {
		t.Error("not set when the last thread of the core went idle")
	}
	s.load(1, 0, 1, 4, 5)
	if !flag() {
		t.Error("cleared by going busy; only a failed search may clear it")
	}
	if !s.TestIdleCores(2) {
		t.Error("the other socket's flag changed")
	}

	none := still(t, testMachine(1, 4, 1))
	none.updateIdleCore(0)
	if none.TestIdleCores(0) {
		t.Error("set on a machine without SMT")
	}
}
