package schedsim

import (
	"testing"
	"time"

	"github.com/schedlab/schedlab/topology"
)

// TestNoWorkIsLost: whatever interrupts a task, the work that it gets done is
// the time that it ran less the kernel's costs.
func TestNoWorkIsLost(t *testing.T) {
	const piece = 10_000
	w := &script{tasks: repeat(3, scripted{ops: []Op{{Kind: OpCompute, Work: piece}}, cpus: pinned(0)})}
	s := newTestSched(t, testMachine(1, 2, 1), w, true)
	const length = 400 * time.Millisecond
	simulate(t, s, length)
	done, switches := int64(0), int64(0)
	for i := range w.iters {
		done += w.iters[i] * piece
		switches += int64(s.tasks[i].nivcsw)
	}
	ticks := int64(length) / s.tickNS
	// The tasks' timers fire at the start: three interrupts and wakeups, one
	// of which takes the CPU out of idle.
	costs := switches*s.cost.Switch + ticks*s.cost.Tick
	start := 3*(s.cost.IRQ+s.cost.TTWU) + s.cost.SwitchIdle + 30_000
	missing := int64(length) - done - costs
	// Each task may be in the middle of a piece; balancing passes are charged
	// as well.
	if missing < 0 || missing > start+3*piece+ticks*1000 {
		t.Errorf("%d ns done, %d ns of costs, %d ns missing", done, costs, missing)
	}
	if switches < 30 {
		t.Errorf("only %d preemptions", switches)
	}
}

// TestSiblingsShareACore: two threads of a core each get 1.25/2 of its speed,
// and a thread whose sibling stops gets all of it from then on.
func TestSiblingsShareACore(t *testing.T) {
	const ms = time.Millisecond
	pieces := scripted{ops: []Op{run(ms / 10)}}
	a, b := pieces, pieces
	a.cpus = pinned(0)
	b.cpus, b.cpu, b.once = pinned(1), 1, true
	b.ops = []Op{run(50 * ms)}
	m := testMachine(1, 1, 2)
	w := &script{tasks: []scripted{a, b}}
	s := newTestSched(t, m, w, true)
	simulate(t, s, 60*ms)
	slow := float64(w.iters[0]) / 600 // of what a whole core would do
	if slow < .605 || slow > .63 {
		t.Errorf("beside a busy sibling: %.3f of full speed, want about 0.625 less ticks", slow)
	}
	simulate(t, s, 40*ms) // b ends after 80 ms
	before := w.iters[0]
	simulate(t, s, 60*ms)
	if fast := float64(w.iters[0]-before) / 600; fast < .985 || fast > 1 {
		t.Errorf("alone: %.3f of full speed", fast)
	}
}

// TestTurbo: the clock follows the number of active cores within a period.
func TestTurbo(t *testing.T) {
	m := testMachine(1, 4, 1)
	m.Frequency.Turbo = []topology.TurboBin{{ActiveCores: 1, MHz: 3000}, {ActiveCores: 4, MHz: 2000}}
	const ms = time.Millisecond
	w := &script{tasks: hogs(2)}
	w.tasks[0].ops = []Op{run(ms / 10)}
	w.tasks[0].cpus = pinned(0)
	w.tasks[1].cpu, w.tasks[1].cpus, w.tasks[1].start = 1, pinned(1), 50*ms
	s := newTestSched(t, m, w, true)
	simulate(t, s, 50*ms)
	if f := float64(w.iters[0]) / 500; f < 1.46 || f > 1.5 {
		t.Errorf("one core: %.3f of the reference clock, want 1.5", f)
	}
	before := w.iters[0]
	simulate(t, s, 50*ms)
	if f := float64(w.iters[0]-before) / 500; f < .97 || f > 1.02 {
		t.Errorf("two cores: %.3f of the reference clock, want 1", f)
	}
}

// TestLineTransfers: what a line costs between two CPUs.
func TestLineTransfers(t *testing.T) {
	s := still(t, testMachine(2, 2, 2))
	for to, want := range map[int32]int64{0: 0, 4: 10, 1: 50, 5: 50, 2: 150, 7: 150} {
		if got := s.lineNS(0, to); got != want {
			t.Errorf("from CPU 0 to %d: %d ns, want %d", to, got, want)
		}
	}
}

// TestProbeCosts: looking at a runqueue pulls its lines over once after each
// change, for the whole core that looks, and then its owner pays to get them
// back.
func TestProbeCosts(t *testing.T) {
	s := still(t, testMachine(2, 2, 2))
	look := func(from int32, cpu int) (work, stall int64) {
		s.at(from)
		s.probeWork, s.probeStall = 0, 0
		s.AvailableIdleCPU(cpu)
		return s.probeWork, s.probeStall
	}
	s.load(1, 1)
	if w, st := look(0, 1); w != 8 || st != 100 {
		t.Errorf("changed lines in the LLC: %d + %d ns, want 8 + 100", w, st)
	}
	if !s.takeProbed(1) {
		t.Error("the owner does not pay for the look")
	}
	if w, st := look(0, 1); w != 8 || st != 0 {
		t.Errorf("again: %d + %d ns, want 8 + 0", w, st)
	}
	if _, st := look(4, 1); st != 0 {
		t.Errorf("from the sibling: %d ns, want 0", st)
	}
	s.load(2, 1)
	if _, st := look(0, 1); st != 100 {
		t.Errorf("after another change: %d ns, want 100", st)
	}
	s.load(1, 2)
	if _, st := look(0, 2); st != 300 {
		t.Errorf("on the other socket: %d ns, want 300", st)
	}
	s.load(1, 4)
	if _, st := look(0, 4); st != 0 {
		t.Errorf("the own core's: %d ns, want 0", st)
	}
}
