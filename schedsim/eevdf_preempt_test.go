package schedsim

import "testing"

// TestUpdateCurrResched: what update_curr does on the queue of the running task
// and on the root queue above it when a slice is used up, by version. Before
// 6.12 there is no PREEMPT_SHORT.
func TestUpdateCurrResched(t *testing.T) {
	before := V612(8)
	before.PreemptShort = false
	for _, tc := range []struct {
		name     string
		kernel   Kernel
		siblings int   // other tasks of the group
		daemon   bool  // a task of the root group is queued
		ran      int64 // ns
		task     bool  // the group's queue reschedules
		root     bool  // the root queue reschedules
	}{
		{"6.11-alone", before, 0, false, 5e6, false, false},
		{"6.11-siblings", before, 1, false, 5e6, true, false},
		{"6.11-daemon", before, 0, true, 5e6, false, true},
		{"6.11-in-slice", before, 1, true, 2e6, false, false},
		{"6.12-rc1-alone", V612rc1(8), 0, false, 5e6, false, false},
		{"6.12-rc1-siblings", V612rc1(8), 1, false, 5e6, true, true},
		{"6.12-rc1-daemon", V612rc1(8), 0, true, 5e6, true, true},
		{"6.12-rc1-in-slice", V612rc1(8), 1, true, 2e6, false, false},
		{"6.12-alone", V612(8), 0, false, 5e6, false, false},
		{"6.12-siblings", V612(8), 1, false, 5e6, true, false},
		{"6.12-daemon", V612(8), 0, true, 5e6, false, true},
		{"6.12-in-slice", V612(8), 1, true, 2e6, false, false},
		{"patched-siblings", V612rc1(8).With(EEVDFNrRunning), 1, false, 5e6, true, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newUnit(t, tc.kernel, 4, true)
			s.queueTask(0)
			s.pick()
			for i := range tc.siblings {
				s.queueTask(int32(1 + i))
			}
			if tc.daemon {
				d := &s.tasks[3]
				d.group = 0
				s.setTaskRQ(d, 0)
				s.queueTask(3)
			}
			se := s.tasks[0].se
			s.now += tc.ran
			for _, level := range []struct {
				cfs  int32
				want bool
			}{{s.ents[se].cfs, tc.task}, {0, tc.root}} {
				s.cpus[0].needResched = false
				s.updateCurr(&s.cfs[level.cfs])
				if got := s.cpus[0].needResched; got != level.want {
					t.Errorf("cfs_rq %d: reschedules %v, want %v", level.cfs, got, level.want)
				}
			}
		})
	}
}

// TestRemoteResched: a slice that turns out to be used up when another CPU
// queues a task is ended by an interrupt.
func TestRemoteResched(t *testing.T) {
	s := newUnit(t, V612(8), 2, false)
	s.queueTask(0)
	s.pick()
	s.now += 3.5e6
	s.smp = 1
	s.queueTask(1)
	s.now += 3.5e6 // of its second slice, with the other one there
	s.updateCurr(&s.cfs[0])
	if !s.cpus[0].needResched || s.q.at(s.ipiSlot(0)) < 0 {
		t.Errorf("need_resched %v, interrupt at %d", s.cpus[0].needResched, s.q.at(s.ipiSlot(0)))
	}
}

// TestRunToParity: the running task is left alone until its slice is used up or
// it is not eligible any more, whoever has the earlier deadline.
func TestRunToParity(t *testing.T) {
	for _, tc := range []struct {
		name   string
		parity bool
		ran    int64 // by the running task when the other, with an earlier deadline, wakes
		ahead  bool  // it is not eligible then
		want   bool
	}{
		{"protected", true, 1e6, false, false},
		{"not-eligible", true, 1e6, true, true},
		{"no-protection", false, 1e6, false, true},
	} {
		k := V612(8)
		k.RunToParity = tc.parity
		s := newUnit(t, k, 3, false)
		// A third task, far behind, keeps V low or high.
		third := &s.ents[s.tasks[2].se]
		s.queueTask(2)
		s.queueTask(0)
		for s.pick() != 0 {
			s.putPrevTask(&s.tasks[2])
			s.cpus[0].curr = none
			s.remove(&s.cfs[0], s.tasks[2].se)
			third.deadline += 10e6
			s.insert(&s.cfs[0], s.tasks[2].se)
		}
		s.remove(&s.cfs[0], s.tasks[2].se)
		third.vruntime += 20e6
		third.deadline += 40e6
		if tc.ahead {
			third.vruntime -= 40e6
		}
		s.insert(&s.cfs[0], s.tasks[2].se)
		s.now += tc.ran
		woken := &s.ents[s.tasks[1].se]
		s.queueTask(1)
		q := &s.cfs[0]
		s.remove(q, s.tasks[1].se)
		woken.deadline = s.ents[s.tasks[0].se].deadline - 1
		woken.vruntime = s.averageVruntime(q) - 1e6
		s.insert(q, s.tasks[1].se)
		if got := s.checkPreemptWakeup(&s.tasks[1]); got != tc.want {
			t.Errorf("%s: preempts %v, want %v", tc.name, got, tc.want)
		}
	}
}

// TestRepickIsUnprotected: a task that is picked again when its slice is used up
// keeps the token of its first slice, and so has no protection in the second.
func TestRepickIsUnprotected(t *testing.T) {
	s := newUnit(t, V612(8), 1, false)
	s.queueTask(0)
	s.pick()
	e := &s.ents[s.tasks[0].se]
	if e.vlag != e.deadline {
		t.Error("not protected in its first slice")
	}
	s.pass(3.5e6)
	if s.pick() != 0 || e.vlag == e.deadline {
		t.Errorf("token %d, deadline %d", e.vlag, e.deadline)
	}
}

// TestPreemptShort: a task that asks for less than the running one preempts it
// in spite of its protection, if it is eligible and its deadline is earlier.
func TestPreemptShort(t *testing.T) {
	for _, tc := range []struct {
		name  string
		on    bool
		slice int64
		want  bool
	}{
		{"short", true, 500e3, true},
		{"equal", true, 3e6, false},
		{"longer", true, 6e6, false},
		{"off", false, 500e3, false},
	} {
		k := V612(8)
		k.PreemptShort = tc.on
		s := newUnit(t, k, 2, false)
		s.SetSlice(&s.tasks[1], tc.slice)
		s.queueTask(0)
		s.pick()
		s.pass(1e6)
		s.queueTask(1)
		if got := s.checkPreemptWakeup(&s.tasks[1]); got != tc.want {
			t.Errorf("%s: preempts %v, want %v", tc.name, got, tc.want)
		}
	}
}

// TestDidPreemptShort: a task that lost its protection makes room as soon as it
// is not eligible, in the middle of its slice.
func TestDidPreemptShort(t *testing.T) {
	for _, protected := range []bool{true, false} {
		s := newUnit(t, V612(8), 2, false)
		s.queueTask(0)
		s.queueTask(1)
		curr := s.pick()
		if e := &s.ents[s.tasks[curr].se]; !protected {
			e.vlag = e.deadline + 1
		}
		s.pass(1e6) // twice what the other one had: it is ahead
		if got := s.cpus[0].needResched; got == protected {
			t.Errorf("protected %v: reschedules %v", protected, got)
		}
	}
}

// TestYield: with EEVDF the task's deadline moves a slice on, so that the next
// eligible one goes first; with CFS it is passed over.
func TestYield(t *testing.T) {
	for _, k := range []Kernel{V310(8), V418(8), V510(8), V61(8), V612(8)} {
		s := newUnit(t, k, 2, false)
		s.queueTask(0)
		s.queueTask(1)
		first := s.pick()
		s.now += 10_000
		s.yieldTaskFair(0, &s.tasks[s.cpus[0].curr])
		if next := s.pick(); next == first {
			t.Errorf("%s: task %d goes on after its yield", k.Version, first)
		}
		if k.Version != "v6.12" {
			continue
		}
		e := &s.ents[s.tasks[first].se]
		if want := e.vruntime - 10_000 + 6e6; e.deadline != want {
			t.Errorf("deadline %d, want %d", e.deadline, want)
		}
	}
	// Of stable releases it forfeits its request first, if it is owed any.
	s := newUnit(t, V612Stable(8), 2, false)
	s.queueTask(0)
	s.queueTask(1)
	task := &s.tasks[s.pick()]
	e := &s.ents[task.se]
	request := e.deadline
	s.now += 10_000
	e.vruntime -= 20_000
	s.yieldTaskFair(0, task)
	// The base slice is 0.7 ms, by four for eight CPUs.
	if e.vruntime != request || e.deadline != request+2_800_000 {
		t.Errorf("vruntime %d, deadline %d after a request up to %d", e.vruntime, e.deadline, request)
	}
	if s.yieldTaskFair(0, task); e.vruntime != request || e.deadline != request+2_800_000 {
		t.Errorf("vruntime %d, deadline %d: a task that is owed nothing runs away", e.vruntime, e.deadline)
	}
	s = newUnit(t, V612(8), 1, false)
	s.queueTask(0)
	s.pick()
	deadline := s.ents[s.tasks[0].se].deadline
	if s.yieldTaskFair(0, &s.tasks[s.cpus[0].curr]); s.ents[s.tasks[0].se].deadline != deadline {
		t.Error("a task that is alone gives way to nobody")
	}
}
