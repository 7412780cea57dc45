package schedsim

import (
	"slices"
	"testing"
)

// TestPlaceEntity: where an entity joins a queue with V = 1 s.
func TestPlaceEntity(t *testing.T) {
	const v = 1e9
	for _, tc := range []struct {
		name     string
		load     int64 // on the queue, of 1024 for nice 0
		weight   int64
		vlag     int64
		flags    int
		change   func(k *Kernel, e *entity)
		lag      int64 // V - vruntime when it is placed
		deadline int64 // less vruntime
	}{
		// V moves by a third of the distance: 1.5 ms now is 1 ms then.
		{name: "lag", load: 2048, weight: 1024, vlag: 1e6, lag: 1.5e6, deadline: 3e6},
		{name: "debt", load: 2048, weight: 1024, vlag: -1e6, lag: -1.5e6, deadline: 3e6},
		{name: "equal-load", load: 1024, weight: 1024, vlag: 1e6, lag: 2e6, deadline: 3e6},
		{name: "lag-of-5", load: 3000, weight: 1024, vlag: 5, lag: 6, deadline: 3e6},    // 6.7, towards 0
		{name: "debt-of-5", load: 3000, weight: 1024, vlag: -5, lag: -6, deadline: 3e6}, // -6.7, towards 0
		{name: "no-lag", load: 2048, weight: 1024, deadline: 3e6},
		{name: "nice-5", load: 1024, weight: 335, deadline: 9170149},
		{name: "empty-queue", weight: 1024, vlag: 1e6, deadline: 3e6},
		{name: "new", load: 1024, weight: 1024, flags: enqInitial, deadline: 1.5e6},
		{name: "new-full-slice", load: 1024, weight: 1024, flags: enqInitial, deadline: 3e6,
			change: func(k *Kernel, e *entity) { k.PlaceDeadlineInitial = false }},
		{name: "lag-is-lost", load: 2048, weight: 1024, vlag: 1e6, deadline: 3e6,
			change: func(k *Kernel, e *entity) { k.PlaceLag = false }},
		{name: "own-slice", load: 1024, weight: 1024, deadline: 5e6,
			change: func(k *Kernel, e *entity) { e.slice, e.customSlice = 5e6, true }},
		{name: "migrated", load: 2048, weight: 1024, vlag: 1e6, lag: 1.5e6, deadline: 700e3,
			change: func(k *Kernel, e *entity) { e.deadline, e.relDeadline = 700e3, true }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newUnit(t, V612(8), 2, false)
			q := &s.cfs[0]
			q.minVruntime = v - 5e6
			if tc.load > 0 {
				other := &s.ents[s.tasks[1].se]
				other.load.set(tc.load << fixedShift)
				other.vruntime = v
				s.accountEnqueue(q, other)
				s.insertTimeline(q, s.tasks[1].se)
			} else {
				q.minVruntime = v
			}
			se := s.tasks[0].se
			e := &s.ents[se]
			e.load.setPolicy(&SchedAttr{Nice: niceOf(tc.weight)})
			e.vlag = tc.vlag
			if tc.change != nil {
				tc.change(s.k, e)
			}
			s.placeEEVDF(q, se, tc.flags)
			if v-e.vruntime != tc.lag || e.deadline-e.vruntime != tc.deadline || e.relDeadline {
				t.Errorf("lag %d, deadline in %d; want %d, %d", v-e.vruntime, e.deadline-e.vruntime, tc.lag, tc.deadline)
			}
			if tc.load == 0 || !s.k.PlaceLag {
				return
			}
			s.insertTimeline(q, se)
			if got := s.averageVruntime(q) - e.vruntime; max(got-tc.vlag, tc.vlag-got) > 1 {
				t.Errorf("its lag is %d once it has joined, want %d", got, tc.vlag)
			}
		})
	}
}

func niceOf(weight int64) int { return slices.Index(prioToWeight[:], weight) - 20 }

// TestEntityLag: two slices or a tick are kept of a lag, in virtual time.
func TestEntityLag(t *testing.T) {
	for _, tc := range []struct {
		name           string
		hz             int
		slice, weight  int64
		behind, expect int64
	}{
		{"inside", 250, 3e6, 1024, 5e6, 5e6},
		{"two-slices", 250, 3e6, 1024, 8e6, 6e6},
		{"ahead", 250, 3e6, 1024, -8e6, -6e6},
		{"a-tick", 250, 1.5e6, 1024, 8e6, 4e6},
		{"a-short-tick", 1000, 100e3, 1024, 8e6, 1e6},
		{"nice-5", 250, 3e6, 335, 30e6, 18340298}, // 6 ms of its time
		{"nice--5", 250, 3e6, 3121, -30e6, -1968599},
	} {
		k := V612(8)
		k.HZ = tc.hz
		s := newUnit(t, k, 1, false)
		e := &s.ents[s.tasks[0].se]
		e.load.setPolicy(&SchedAttr{Nice: niceOf(tc.weight)})
		e.slice, e.vruntime = tc.slice, 100e6
		if got := s.entityLag(100e6+tc.behind, e); got != tc.expect {
			t.Errorf("%s: %d, want %d", tc.name, got, tc.expect)
		}
	}
}

// TestBaseSlice: 0.75 ms, scaled by the number of CPUs.
func TestBaseSlice(t *testing.T) {
	for cpus, want := range map[int]int64{1: 750e3, 2: 1.5e6, 4: 2.25e6, 7: 2.25e6, 8: 3e6, 224: 3e6} {
		if got := V612(cpus).SchedBaseSlice; got != want {
			t.Errorf("%d CPUs: %d, want %d", cpus, got, want)
		}
	}
}

// TestSetSlice: sched_setattr grants 0.1 to 100 ms, and children inherit it.
func TestSetSlice(t *testing.T) {
	for _, tc := range []struct {
		kernel    Kernel
		ask, want int64
		custom    bool
	}{
		{V612(8), 500e3, 500e3, true},
		{V612(8), 1, 100e3, true},
		{V612(8), 1e9, 100e6, true},
		{V612(8), 0, 3e6, false},
		{V510(8), 500e3, 0, false},
	} {
		s := newUnit(t, tc.kernel, 2, false)
		s.SetSlice(&s.tasks[0], tc.ask)
		e := &s.ents[s.tasks[0].se]
		if e.slice != tc.want || e.customSlice != tc.custom {
			t.Errorf("%s: asked for %d: %d, its own: %v", tc.kernel.Version, tc.ask, e.slice, e.customSlice)
		}
		s.queueTask(0)
		s.taskForkFair(&s.tasks[0], &s.tasks[1])
		if c := &s.ents[s.tasks[1].se]; c.customSlice != tc.custom || c.slice != tc.want {
			t.Errorf("%s: the child has %d, its own: %v", tc.kernel.Version, c.slice, c.customSlice)
		}
	}
}

// TestGroupSlice: a group asks for the least slice of its tasks.
func TestGroupSlice(t *testing.T) {
	s := newUnit(t, V612(8), 3, true)
	s.SetSlice(&s.tasks[1], 500e3)
	group := &s.ents[s.cfs[s.ents[s.tasks[0].se].cfs].se]
	for _, step := range []struct {
		name string
		do   func()
		want int64
	}{
		{"one", func() { s.queueTask(0) }, 3e6},
		{"shorter", func() { s.queueTask(1) }, 500e3},
		{"another", func() { s.queueTask(2) }, 500e3},
		{"without", func() { s.dequeueTask(&s.tasks[1], 0) }, 3e6},
	} {
		step.do()
		if group.slice != step.want {
			t.Errorf("%s: the group's slice is %d, want %d", step.name, group.slice, step.want)
		}
	}
}

// TestMigrationKeepsLag: a queued task that is moved to another CPU has the same
// lag and the same way to its deadline there.
func TestMigrationKeepsLag(t *testing.T) {
	for _, relative := range []bool{true, false} {
		k := V612(8)
		k.PlaceRelDeadline = relative
		s := newUnit(t, k, 4, false)
		for id := range int32(3) {
			s.queueTask(id)
		}
		s.pick()
		s.pass(1e6)
		other := s.queueTask(3)
		s.moveTask(other, 1)
		s.ents[other.se].vruntime += 50e6 // its CPU is elsewhere in virtual time
		moved := &s.tasks[1]
		e := &s.ents[moved.se]
		s.removeTimeline(&s.cfs[0], moved.se)
		e.deadline -= 700e3 // as if it had used a part of its slice
		s.insertTimeline(&s.cfs[0], moved.se)
		lag, left := s.averageVruntime(&s.cfs[0])-e.vruntime, e.deadline-e.vruntime
		s.moveTask(moved, 1)
		gotLag, gotLeft := s.averageVruntime(&s.cfs[1])-e.vruntime, e.deadline-e.vruntime
		if max(gotLag-lag, lag-gotLag) > 1 || (gotLeft == left) != relative {
			t.Errorf("relative %v: lag %d, deadline in %d; before %d, %d", relative, gotLag, gotLeft, lag, left)
		}
	}
}

// TestReweightAsleep: a lag that an entity keeps while it is off the queue is
// worth the same CPU time with another weight.
func TestReweightAsleep(t *testing.T) {
	s := newUnit(t, V612(8), 1, false)
	e := &s.ents[s.tasks[0].se]
	e.load.set(nice0Load)
	e.vlag = -1e6
	s.reweightEntity(&s.cfs[0], s.tasks[0].se, 512<<fixedShift)
	if e.vlag != -2e6 {
		t.Errorf("lag %d, want %d", e.vlag, int64(-2e6))
	}
}
