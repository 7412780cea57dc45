package schedsim

import (
	"context"
	"strings"
	"testing"
	"time"
)

// meeting is some tasks that work, each for its own time, and meet at a barrier;
// task 0 may instead set a word that the others spin for.
type meeting struct {
	params SpinParams
	work   []int64
	flag   bool
	rounds []int64 // by task
	last   []int64 // ns after the start of its last round
}

func (w *meeting) Name() string       { return "meeting" }
func (w *meeting) MaxTasks() int      { return len(w.work) }
func (w *meeting) Channels() int      { return 0 }
func (w *meeting) Locality() Locality { return Locality{} }
func (w *meeting) Spin() SpinParams   { return w.params }
func (w *meeting) Start(s *Sched) {
	w.rounds, w.last = make([]int64, len(w.work)), make([]int64, len(w.work))
	for i := range w.work {
		t := s.SpawnSettled("task", 0, s.Machine().OnlineCPUs()[i], 0)
		t.Arg = int32(i)
	}
}
func (w *meeting) Born(*Sched, *Task, *Task, int32) {}
func (w *meeting) Next(s *Sched, t *Task) Op {
	w.rounds[t.Arg]++
	w.last[t.Arg] = s.Now() - bootTime
	op := Op{Kind: OpBarrier, Arg: 0, Arg64: int64(len(w.work)), Work: w.work[t.Arg]}
	if w.flag {
		op = Op{Kind: OpSpin, Arg: 0, Arg64: w.rounds[t.Arg], Work: w.work[t.Arg]}
		if t.Arg == 0 {
			op.Kind = OpStore
		}
	}
	return op
}
func (w *meeting) Measured(*Sched, bool) (float64, string) { return 0, "1" }

// meet runs a meeting on as many cores as it has tasks.
func meet(t *testing.T, w *meeting, threads int, d time.Duration) *Sched {
	t.Helper()
	m := testMachine(1, len(w.work), threads)
	cfg := Config{Machine: m, Kernel: V59(len(m.CPUs)), Workload: w, Seed: 1}
	s, err := newSched(&cfg)
	if err != nil {
		t.Fatal(err)
	}
	w.Start(s)
	if err := s.runFor(context.Background(), int64(d)); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestBarrier: who waits less than the limit spins, who waits longer sleeps and is
// woken, and no round is lost or done twice.
func TestBarrier(t *testing.T) {
	const limit, short, long = 1_000_000, 500_000, 3_000_000
	for _, c := range []struct {
		name   string
		work   []int64
		sleeps int64 // a round
		round  int64 // ns, of work
	}{
		{"all spin", []int64{short, short / 2, short}, 0, short},
		{"two sleep", []int64{short, long, short}, 2, long},
		{"one sleeps", []int64{short, long, long - limit/2}, 1, long},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &meeting{params: SpinParams{Words: 1, Limit: limit}, work: c.work}
			s := meet(t, w, 1, time.Second)
			st := s.SpinStats()
			want := int64(time.Second) / c.round
			if st.Barriers < want*98/100 || st.Barriers > want*103/100 {
				t.Errorf("%d rounds in a second, want about %d", st.Barriers, want)
			}
			if st.Sleeps < c.sleeps*(st.Barriers-1) || st.Sleeps > c.sleeps*(st.Barriers+1) {
				t.Errorf("%d sleeps in %d rounds, want %d a round", st.Sleeps, st.Barriers, c.sleeps)
			}
			if d := st.Sleeps - st.FutexWakes; d < 0 || d > int64(len(c.work)) {
				t.Errorf("%d sleeps and %d wakeups", st.Sleeps, st.FutexWakes)
			}
			for i, n := range w.rounds {
				if d := n - st.Barriers; d < 0 || d > 1 {
					t.Errorf("task %d began %d rounds of %d", i, n, st.Barriers)
				}
			}
		})
	}
}

// TestBarrierWakesInTurn: those that sleep are woken in the order in which they went
// to sleep, one after another.
func TestBarrierWakesInTurn(t *testing.T) {
	w := &meeting{params: SpinParams{Words: 1, Limit: 100_000}, work: []int64{3e6, 1e6, 2e6, 5e5, 9e6}}
	meet(t, w, 1, 12*time.Millisecond)
	// All are in their second round; it began in the order 3, 1, 2, 0 behind 4.
	for i, pair := range [][2]int{{4, 3}, {3, 1}, {1, 2}, {2, 0}} {
		if a, b := w.last[pair[0]], w.last[pair[1]]; i > 0 && b-a < 100 {
			t.Errorf("task %d goes on %d ns after task %d, want a wakeup between", pair[1], b-a, pair[0])
		}
	}
}

// TestFlag: a task that spins for a flag never sleeps and sees the store.
func TestFlag(t *testing.T) {
	w := &meeting{params: SpinParams{Words: 1, Limit: 1}, work: []int64{5e6, 1e5, 1e5}, flag: true}
	s := meet(t, w, 1, time.Second)
	if s.count.VoluntarySwitches != 0 {
		t.Errorf("%d voluntary switches", s.count.VoluntarySwitches)
	}
	if n := w.rounds[0]; n < 195 || n > 201 || w.rounds[1] < n-1 || w.rounds[1] > n+1 {
		t.Errorf("%v rounds in a second, want 200 of all", w.rounds)
	}
}

// TestSpinLeavesTheCore: a task is faster beside one that spins than beside one that
// works, and the speed is that which is asked for.
func TestSpinLeavesTheCore(t *testing.T) {
	rounds := func(share float64) float64 {
		// Two tasks on one core: CPUs 0 and 1 of a machine of one core.
		w := &meeting{params: SpinParams{Words: 1, Limit: 1e9, SiblingShare: share}, work: []int64{4e6, 1e3}}
		m := testMachine(1, 1, 2)
		cfg := Config{Machine: m, Kernel: V59(2), Workload: w, Seed: 1}
		s, err := newSched(&cfg)
		if err != nil {
			t.Fatal(err)
		}
		w.Start(s)
		if err := s.runFor(context.Background(), 1e9); err != nil {
			t.Fatal(err)
		}
		return float64(w.rounds[0])
	}
	full, less := rounds(1), rounds(0.8)
	if got := less / full; got < 0.79 || got > 0.81 {
		t.Errorf("beside a spinner at 0.8: %.3f of the speed at 1", got)
	}
}

// TestSpinAllocs: waiting and waking allocate nothing once all have waited.
func TestSpinAllocs(t *testing.T) {
	w := &meeting{params: SpinParams{Words: 1, Limit: 1e5}, work: []int64{1e5, 4e5, 3e5, 1e5}}
	m := testMachine(1, 4, 1)
	r, err := Start(Config{Machine: m, Kernel: V59(4), Workload: w, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	r.Step(20_000)
	if n := testing.AllocsPerRun(5, func() { r.Step(20_000) }); n != 0 {
		t.Errorf("%v allocations in 20,000 events", n)
	}
}

func TestSpinBadParams(t *testing.T) {
	for _, c := range []struct {
		p    SpinParams
		want string
	}{
		{SpinParams{Words: -1}, "has -1 words"},
		{SpinParams{Words: 1, Limit: -1}, "spins for -1 ns"},
		{SpinParams{Words: 1, SiblingShare: 2}, "leaves a sibling 2 of the core"},
	} {
		cfg := Config{Machine: testMachine(1, 2, 1), Kernel: V59(2), Workload: &meeting{params: c.p, work: []int64{1, 1}}}
		if _, err := newSched(&cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

// TestNoSpinner: words of memory that the workload has not are an error.
func TestNoSpinner(t *testing.T) {
	for _, kind := range []OpKind{OpBarrier, OpSpin, OpStore} {
		w := &script{tasks: []scripted{{ops: []Op{{Kind: kind}}}}}
		_, err := Run(context.Background(), Config{Machine: testMachine(1, 2, 1), Kernel: V510(2), Workload: w, Measure: time.Millisecond})
		if err == nil || !strings.Contains(err.Error(), "implement Spinner") {
			t.Errorf("operation %d: error %v", kind, err)
		}
	}
}
