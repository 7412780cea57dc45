package schedsim

import (
	"slices"
	"testing"
)

// nappers are tasks, one a CPU, of which the first are hogs and the others run and sleep by
// turns; late collects by how much later than due they went on.
type nappers struct {
	hogs, others int
	run, nap     int64
	due          []int64
	late         []int64
}

func (w *nappers) Name() string                            { return "nappers" }
func (w *nappers) MaxTasks() int                           { return w.hogs + w.others }
func (w *nappers) Channels() int                           { return 0 }
func (w *nappers) Locality() Locality                      { return Locality{} }
func (w *nappers) Born(*Sched, *Task, *Task, int32)        {}
func (w *nappers) Measured(*Sched, bool) (float64, string) { return 0, "" }
func (w *nappers) Start(s *Sched) {
	w.due = make([]int64, w.hogs+w.others)
	for i := range w.due {
		s.SetAffinity(s.Spawn("napper", 0, i, int64(i)*300_000), i)
	}
}

func (w *nappers) Next(s *Sched, t *Task) Op {
	if int(t.ID) < w.hogs {
		return hog()
	}
	if d := w.due[t.ID]; d > 0 {
		w.late = append(w.late, s.now-d)
		w.due[t.ID] = 0
	}
	if t.PC ^= 1; t.PC == 1 {
		return Op{Kind: OpCompute, Work: w.run}
	}
	w.due[t.ID] = s.now + w.nap
	return Op{Kind: OpSleep, Arg64: w.nap}
}

// TestHostMeasured holds the host against one that was measured: of two CPUs, with Linux 6.18,
// its threads at nice -10 in an autogroup of -10. Hogs spin; the others run and sleep by
// turns, and what is compared is how long a timer's wakeup waits for a CPU: whether the
// median and the 90th percentile are short, or a part of a run, or of a tick. A real wakeup
// took 70 to 100 us; here it takes up to 62.
func TestHostMeasured(t *testing.T) {
	const short = 150_000
	for _, tc := range []struct {
		name         string
		hogs, others int
		run, nap     int64 // us
		// measured, us
		p50, p75 int64
	}{
		{"one-light-of-two", 1, 1, 200, 3000, 107, 127},
		{"one-light-of-three", 2, 1, 200, 3000, 93, 111},
		{"one-light-of-four", 3, 1, 200, 3000, 71, 78},
		{"one-lighter-of-three", 2, 1, 50, 300, 92, 95},
		{"one-half-of-three", 2, 1, 600, 1400, 67, 89},
		{"four-halves", 0, 4, 1000, 1000, 69, 74},
		{"two-heavy-of-four", 2, 2, 900, 600, 104, 878},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n := tc.hogs + tc.others
			w := &nappers{hogs: tc.hogs, others: tc.others, run: tc.run * 1000, nap: tc.nap * 1000}
			h := Host{CPUs: 2, Tick: 4_000_000, Slice: 1_400_000}
			s, err := newSched(&Config{Machine: testMachine(1, n, 1), Kernel: V61(n), Workload: w, Seed: 3, Host: &h})
			if err != nil {
				t.Fatal(err)
			}
			w.Start(s)
			simulate(t, s, 2000*millisecond)
			slices.Sort(w.late)
			k := len(w.late)
			for _, q := range []struct{ got, want int64 }{{w.late[k/2], tc.p50 * 1000}, {w.late[k*3/4], tc.p75 * 1000}} {
				if q.want < short && q.got >= short || q.want >= short && (q.got < q.want*2/3 || q.got > q.want*3/2) {
					t.Errorf("of %d wakeups a quantile is %d ns, measured was %d", k, q.got, q.want)
				}
			}
		})
	}
}
