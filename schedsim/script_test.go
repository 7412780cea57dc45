package schedsim

import (
	"testing"
	"time"

	"github.com/schedlab/schedlab/topology"
)

// A script is a workload of tasks that repeat a list of operations each, after
// the scenario files that the reference kernels ran.
type script struct {
	tasks    []scripted
	channels int
	loc      Locality

	iters []int64 // how often each task went through its list
}

type scripted struct {
	ops   []Op
	nice  int
	attr  SchedAttr // instead of nice
	cpus  []int     // allowed; nil for all
	cpu   int       // where it starts
	start time.Duration
	once  bool // exit at the end of the list
	child bool // created by an OpFork of another task
}

func (w *script) Name() string       { return "script" }
func (w *script) MaxTasks() int      { return len(w.tasks) }
func (w *script) Channels() int      { return w.channels }
func (w *script) Locality() Locality { return w.loc }

func (w *script) Start(s *Sched) {
	w.iters = make([]int64, len(w.tasks))
	for i, st := range w.tasks {
		if st.child {
			continue
		}
		t := s.Spawn("script", 0, st.cpu, int64(st.start))
		t.Arg = int32(i)
		if st.attr == (SchedAttr{}) {
			st.attr.Nice = st.nice
		}
		s.SetScheduler(t, st.attr)
		if st.cpus != nil {
			t.allowed = maskOf(len(s.cpus), st.cpus)
		}
	}
}

func (w *script) Next(s *Sched, t *Task) Op {
	st := &w.tasks[t.Arg]
	if int(t.PC) == len(st.ops) {
		if st.once {
			return Op{Kind: OpExit}
		}
		t.PC = 0
		w.iters[t.Arg]++
	}
	t.PC++
	op := st.ops[t.PC-1]
	if op == readClock() {
		s.readClock(t)
	}
	return op
}

// readClock reads the CPU clock of the current task, as the reference's program
// does to see how long it ran: that accounts what it ran, and with EEVDF may end
// its slice off the tick.
func (s *Sched) readClock(t *Task) {
	s.updateCurr(&s.cfs[s.ents[t.se].cfs])
	if s.cpus[t.cpu].needResched {
		s.sendIPI(t.cpu, t.cpu, ipiResched) // on the way out of the system call
	}
}

func (w *script) Born(s *Sched, parent, child *Task, arg int32) { child.Arg = arg }
func (w *script) Measured(*Sched, bool) (float64, string)       { return 0, "" }

// Operations of scripts. Work is wall time on a core of testMachine that the
// task has to itself, but for kernel costs.
func hog() Op                  { return Op{Kind: OpCompute, Work: 1e9} }
func run(d time.Duration) Op   { return Op{Kind: OpCompute, Work: int64(d)} }
func readClock() Op            { return Op{Kind: OpCompute, Arg: -1, Work: 200} }
func sleep(d time.Duration) Op { return Op{Kind: OpSleep, Arg64: int64(d)} }
func send(ch int32) Op         { return Op{Kind: OpSend, Arg: ch, Sync: true} }
func recv(ch int32) Op         { return Op{Kind: OpRecv, Arg: ch} }
func hogs(n int) []scripted    { return repeat(n, scripted{ops: []Op{hog()}}) }
func pinned(cpus ...int) []int { return cpus }
func repeat(n int, st scripted) []scripted {
	tasks := make([]scripted, n)
	for i := range tasks {
		tasks[i] = st
	}
	return tasks
}

// runReading is run with the clock read as the reference's program does it.
func runReading(d time.Duration) []Op {
	ops := []Op{readClock()}
	for d > 20*time.Microsecond {
		ops = append(ops, run(d*95/100), readClock())
		d -= d * 95 / 100
	}
	return append(ops, run(d), readClock())
}

// newTestSched builds a simulation of w and starts it. flat puts all tasks into
// the root group.
func newTestSched(t testing.TB, m *topology.Machine, w Workload, flat bool) *Sched {
	t.Helper()
	return newKernelSched(t, V510(len(m.CPUs)), m, w, flat)
}

// newKernelSched is newTestSched with another kernel.
func newKernelSched(t testing.TB, k Kernel, m *topology.Machine, w Workload, flat bool) *Sched {
	t.Helper()
	k.Autogroup = !flat
	s, err := newSched(&Config{Machine: m, Kernel: k, Workload: w, Seed: 1, TraceEvents: 1 << 16, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	w.Start(s)
	if s.startErr != nil {
		t.Fatal(s.startErr)
	}
	return s
}

// simulate runs s for a simulated time.
func simulate(t testing.TB, s *Sched, d time.Duration) {
	t.Helper()
	if err := s.runFor(t.Context(), int64(d)); err != nil {
		t.Fatal(err)
	}
}

// ran returns how long a task was current in ns, up to its last accounting.
func (s *Sched) ran(id TaskID) int64 { return s.ents[s.tasks[id].se].sumExec }
