package schedsim

import (
	"encoding/csv"
	"os"
	"strconv"
	"testing"
)

// TestSliceArithmetic: calc_delta of both kinds against an independent program.
func TestSliceArithmetic(t *testing.T) {
	f, err := os.Open("testdata/slices.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		n, _ := strconv.ParseInt(row[1], 10, 64)
		want, _ := strconv.ParseInt(row[2], 10, 64)
		k := V310(8)
		if row[0] == "v3.12" {
			k = V418(8)
		}
		s := newUnit(t, k, int(n), false)
		for i := range n {
			s.queueTask(int32(i))
		}
		if got := s.schedSlice(&s.cfs[0], s.tasks[0].se); got != want {
			t.Errorf("%s, %d tasks: %d, want %d", row[0], n, got, want)
		}
	}
	if len(rows) < 10 {
		t.Errorf("only %d rows", len(rows))
	}
}

// TestCalcDelta310: rounding, not truncating, with an inverse of 2^32.
func TestCalcDelta310(t *testing.T) {
	for _, tc := range []struct{ delta, weight, by, want int64 }{
		{1000, 1024, 3072, 333},    // 333.3
		{1001, 1024, 1536, 667},    // 667.3
		{1000, 1024, 1536, 667},    // 666.7: to the nearest
		{24e6, 1024, 2048, 12e6},   // exact; truncating it is 11999994
		{1e6, 1024, 335, 3056716},  // nice 5, 3056716.4
		{1e6, 1024, 15, 68266667},  // nice 19, 68266666.7; truncating it is one less
		{400e6, 1024, 1024, 400e6}, // beyond 32 bits
		{5e6, 1024, 88761, 57683},  // nice -20, 57682.99; truncating it is one less
	} {
		l := loadWeight{weight: tc.by << fixedShift}
		if got := calcDelta310(tc.delta, tc.weight<<fixedShift, &l); got != tc.want {
			t.Errorf("%d*%d/%d: %d, want %d", tc.delta, tc.weight, tc.by, got, tc.want)
		}
	}
}

// TestSchedSliceCounts: which tasks stretch the period. Two of the group's and
// ten of the root group are queued, the group's with half of the CPU's weight
// each time it counts.
func TestSchedSliceCounts(t *testing.T) {
	for _, tc := range []struct {
		kernel Kernel
		want   int64 // ns, of a task of the group
	}{
		// 24 ms for the two of the queue, a half of it, of which the group
		// has an eleventh.
		{V59(8), 1090909},
		{V510(8), 1090909},
		// 12 * 3 ms; a half of an eleventh of that is below the least slice.
		{V61(8), 3e6},
	} {
		s := newUnit(t, tc.kernel, 12, true)
		s.queueTask(0)
		s.queueTask(1)
		for i := range int32(10) {
			d := &s.tasks[2+i]
			d.group = 0
			s.setTaskRQ(d, 0)
			s.queueTask(2 + i)
		}
		se := s.tasks[0].se
		got := s.schedSlice(&s.cfs[s.ents[se].cfs], se)
		if max(got-tc.want, tc.want-got) > 10 {
			t.Errorf("%s: %d, want %d", tc.kernel.Version, got, tc.want)
		}
	}
}

// TestAltPeriod: the tasks of all groups count since 5.13.
func TestAltPeriod(t *testing.T) {
	for _, tc := range []struct {
		kernel Kernel
		want   int64 // ns, of the only task of its group, beside 15 of the root group
	}{{V510(8), 24e6 / 16}, {V61(8), 16 * 3e6 / 16}} {
		s := newUnit(t, tc.kernel, 16, true)
		for i := range int32(16) {
			if i > 0 {
				s.tasks[i].group = 0
				s.setTaskRQ(&s.tasks[i], 0)
			}
			s.queueTask(i)
		}
		se := s.tasks[0].se
		got := s.schedSlice(&s.cfs[s.ents[se].cfs], se)
		if max(got-tc.want, tc.want-got) > 20 {
			t.Errorf("%s: %d, want %d", tc.kernel.Version, got, tc.want)
		}
	}
}

// TestMinVruntimeAtDequeue: it follows when the entity leaves that held it back,
// but in 4.18, and in 3.10, which counts the leaving one still.
func TestMinVruntimeAtDequeue(t *testing.T) {
	for _, tc := range []struct {
		kernel Kernel
		moves  bool
	}{{V310(8), false}, {V418(8), false}, {V59(8), true}, {V510(8), true}, {V61(8), true}} {
		s := newUnit(t, tc.kernel, 2, false)
		s.queueTask(0)
		s.pick()
		s.pass(1e6)
		q := &s.cfs[0]
		s.ents[s.tasks[1].se].vruntime = q.minVruntime + 50e6
		s.queueTask(1)
		before := q.minVruntime
		s.dequeueEntity(q, s.tasks[0].se, enqWakeup)
		if moved := q.minVruntime > before; moved != tc.moves {
			t.Errorf("%s: min_vruntime %d, before %d", tc.kernel.Version, q.minVruntime, before)
		}
	}
}

// TestRepickedSlice: in 3.10 a task that is picked again is put and set again,
// with which its slice starts anew.
func TestRepickedSlice(t *testing.T) {
	for _, tc := range []struct {
		kernel Kernel
		anew   bool
	}{{V310(8), true}, {V418(8), false}, {V510(8), false}, {V61(8), false}} {
		s := newUnit(t, tc.kernel, 1, false)
		s.queueTask(0)
		s.pick()
		s.pass(5e6)
		if s.pick() != 0 {
			t.Fatal("no task")
		}
		e := &s.ents[s.tasks[0].se]
		if got := e.prevSumExec == e.sumExec; got != tc.anew {
			t.Errorf("%s: starts anew %v, want %v", tc.kernel.Version, got, tc.anew)
		}
		if q := &s.cfs[0]; q.curr != s.tasks[0].se || len(q.queue) != 0 {
			t.Errorf("%s: current entity %d, %d queued", tc.kernel.Version, q.curr, len(q.queue))
		}
	}
}

// TestWakingIsRelative: in 3.10 a waking task keeps its distance to
// min_vruntime from the begin of the wakeup on, later its vruntime.
func TestWakingIsRelative(t *testing.T) {
	for _, tc := range []struct {
		kernel Kernel
		want   int64
	}{{V310(8), 102e6}, {V418(8), 100e6}, {V510(8), 100e6}} {
		s := newUnit(t, tc.kernel, 1, false)
		q := &s.cfs[0]
		task := &s.tasks[0]
		s.ents[task.se].vruntime = 100e6 // far ahead of others: no credit for sleep
		task.state = taskWaking
		s.taskWaking(task)
		q.minVruntime += 2e6
		s.activate(0, task)
		if got := s.ents[task.se].vruntime; got != tc.want {
			t.Errorf("%s: %d, want %d", tc.kernel.Version, got, tc.want)
		}
	}
}

// TestPolicies: SCHED_IDLE makes room for all others at once, and neither it nor
// SCHED_BATCH preempts when it wakes.
func TestPolicies(t *testing.T) {
	for _, tc := range []struct {
		name        string
		curr, woken Policy
		want        bool
	}{
		{"normal", PolicyNormal, PolicyNormal, false}, // both have the same vruntime
		{"idle-runs", PolicyIdle, PolicyNormal, true},
		{"idle-wakes", PolicyNormal, PolicyIdle, false},
		{"both-idle", PolicyIdle, PolicyIdle, false},
		{"batch-runs", PolicyBatch, PolicyNormal, false},
		{"idle-under-batch", PolicyIdle, PolicyBatch, true},
	} {
		for _, k := range []Kernel{V310(8), V418(8), V510(8), V61(8), V612(8)} {
			s := newUnit(t, k, 2, false)
			s.tasks[0].policy, s.tasks[1].policy = tc.curr, tc.woken
			s.queueTask(0)
			s.pick()
			s.now += 1000
			s.queueTask(1)
			if got := s.checkPreemptWakeup(&s.tasks[1]); got != tc.want {
				t.Errorf("%s %s: %v, want %v", k.Version, tc.name, got, tc.want)
			}
		}
	}
	// A task that is owed much preempts, but for SCHED_BATCH.
	for _, p := range []Policy{PolicyNormal, PolicyBatch} {
		for _, k := range []Kernel{V310(8), V510(8), V61(8)} {
			s := newUnit(t, k, 2, false)
			s.queueTask(0)
			s.pick()
			s.pass(100e6)
			s.tasks[1].policy = p
			s.queueTask(1)
			if got := s.checkPreemptWakeup(&s.tasks[1]); got != (p == PolicyNormal) {
				t.Errorf("%s: policy %d preempts: %v", k.Version, p, got)
			}
		}
	}
}

// TestIdleEntity: since 5.15 a SCHED_IDLE task gets less credit for its sleep,
// and a shorter least slice beside others.
func TestIdleEntity(t *testing.T) {
	for _, tc := range []struct {
		kernel Kernel
		policy Policy
		credit int64
	}{
		{V510(8), PolicyNormal, 12e6}, {V510(8), PolicyIdle, 12e6}, {V61(8), PolicyNormal, 12e6}, {V61(8), PolicyIdle, 1.5e6},
	} {
		s := newUnit(t, tc.kernel, 1, false)
		s.cfs[0].minVruntime = 1e9
		s.tasks[0].policy = tc.policy
		s.queueTask(0)
		if got := 1e9 - s.ents[s.tasks[0].se].vruntime; got != tc.credit {
			t.Errorf("%s, policy %d: credit %d, want %d", tc.kernel.Version, tc.policy, got, tc.credit)
		}
	}
	for _, tc := range []struct {
		other Policy
		want  int64
	}{{PolicyNormal, 750e3}, {PolicyIdle, 3e6}} {
		s := newUnit(t, V61(8), 20, false)
		for i := range int32(20) {
			s.tasks[i].policy = tc.other
			s.ents[s.tasks[i].se].load.set(nice0Load)
			if i == 0 {
				s.tasks[0].policy = PolicyIdle
				s.ents[s.tasks[0].se].load.set(3 << fixedShift)
			}
			s.queueTask(i)
		}
		if got := s.schedSlice(&s.cfs[0], s.tasks[0].se); got != tc.want {
			t.Errorf("beside policy %d: %d, want %d", tc.other, got, tc.want)
		}
	}
}

// TestBuddyOfRepicked: a task that is picked again loses its buddy marks before
// 5.14; later only one that becomes current does.
func TestBuddyOfRepicked(t *testing.T) {
	for _, tc := range []struct {
		kernel Kernel
		kept   bool
	}{{V310(8), false}, {V510(8), false}, {V61(8), true}} {
		s := newUnit(t, tc.kernel, 2, false)
		s.queueTask(0)
		s.queueTask(1)
		q := &s.cfs[0]
		first := s.pick()
		q.next = s.tasks[first].se
		if s.pick() != first {
			t.Fatalf("%s: picked another", tc.kernel.Version)
		}
		if got := q.next != none; got != tc.kept {
			t.Errorf("%s: next buddy %d", tc.kernel.Version, q.next)
		}
		s.pass(100e6)
		q.next = s.tasks[1-first].se
		if s.pick() == first || q.next != none {
			t.Errorf("%s: next buddy %d after it was picked", tc.kernel.Version, q.next)
		}
	}
}
