package schedsim

import "fmt"

// Words of shared memory that tasks wait for by reading them again and again, as
// OpenMP programs do: barriers, which give up spinning after a while and sleep on a
// futex, and flags, which spin for as long as it takes.
//
// A task that spins is running for the kernel. Its CPU leaves more of the core to a
// sibling than one that works. It sees the word change when the line with it has
// come over, if it is running then; and else as soon as it runs again.

// SpinParams says what words a workload has and what waiting for one is.
type SpinParams struct {
	// Words is how many there are.
	Words int
	// Limit is for how long a task that waits at a barrier spins before it sleeps,
	// ns of its running time. Its instructions are pauses: no clock or sibling is
	// taken to change it.
	Limit int64
	// SiblingShare is the speed of a hardware thread whose siblings all spin,
	// relative to one that has the core to itself. 0 is 1.
	SiblingShare float64
}

// Spinner is a Workload whose tasks use OpBarrier, OpSpin or OpStore.
type Spinner interface {
	Workload
	Spin() SpinParams
}

// SpinStats are counts of waits, since the start.
type SpinStats struct {
	Barriers   int64 // that opened
	Sleeps     int64 // of tasks that had spun for the limit
	FutexWakes int64 // of such tasks
}

// SpinStats returns the counts of waits of a Spinner.
func (s *Sched) SpinStats() SpinStats {
	if s.spin == nil {
		return SpinStats{}
	}
	return s.spin.stats
}

type spinState uint8

const (
	spinNone     spinState = iota
	spinning               // reads the word
	spinAsleep             // in futex_wait
	spinReleased           // what it waited for is there
	spinWaking             // opened a barrier and wakes those that sleep
)

// spinTask is a task's wait.
type spinTask struct {
	state spinState
	word  int32
	want  int64 // it waits until the word is at least that
	// first is whom the task that opened a barrier wakes next; the others are behind it,
	// by Task.nextWaiter. Each opener has its own list: the barrier may open again for other
	// tasks before all of the last time are awake.
	first TaskID
}

type word struct {
	value   int64
	arrived int32 // at a barrier
	from    int32 // CPU of the last writer
	// Those that wait, in the order in which they came.
	spinners, sleepers []TaskID
}

// spin is all of it; nil for other workloads.
type spin struct {
	SpinParams
	share int64 // SiblingShare, <<16
	words []word
	tasks []spinTask
	cpu   []bool // by CPU: its current task spins
	stats SpinStats
}

// unboundedSpin is after how long a task that spins without bound has an event, ns.
const unboundedSpin = 10e9

// buildSpin sets the words up.
func (s *Sched) buildSpin() error {
	w, ok := s.w.(Spinner)
	if !ok {
		return nil
	}
	p := w.Spin()
	switch {
	case p.Words < 0 || p.Words > 1<<20:
		return fmt.Errorf("schedsim: workload %s has %d words, give 0 to %d", s.w.Name(), p.Words, 1<<20)
	case p.Limit < 0 || p.Limit > int64(maxRun):
		return fmt.Errorf("schedsim: workload %s spins for %d ns, give 0 to %d", s.w.Name(), p.Limit, int64(maxRun))
	case !(p.SiblingShare >= 0 && p.SiblingShare <= 1):
		return fmt.Errorf("schedsim: workload %s leaves a sibling %v of the core, give 0 to 1", s.w.Name(), p.SiblingShare)
	}
	if p.Words == 0 {
		return nil
	}
	if p.SiblingShare == 0 {
		p.SiblingShare = 1
	}
	s.spin = &spin{
		SpinParams: p,
		share:      int64(p.SiblingShare * (1 << 16)),
		words:      make([]word, p.Words),
		tasks:      make([]spinTask, len(s.tasks)),
		cpu:        make([]bool, len(s.cpus)),
	}
	return nil
}

// barrierOp is the effect of OpBarrier. It reports whether the task goes on.
func (s *Sched) barrierOp(ci int32, t *Task) bool {
	sp := s.spin
	st := &sp.tasks[t.ID]
	w := &sp.words[t.op.Arg]
	if st.state != spinNone {
		return s.spinOn(ci, t, w, sp.Limit)
	}
	if w.arrived > 0 {
		t.stall += s.lineNS(w.from, ci)
	}
	w.from = ci
	w.arrived++
	if int64(w.arrived) < t.op.Arg64 {
		return s.startSpin(ci, t, w, w.value+1, sp.Limit)
	}
	w.arrived = 0
	w.value++
	sp.stats.Barriers++
	s.release(ci, w)
	if len(w.sleepers) == 0 {
		return true
	}
	st.state, st.first = spinWaking, none
	for i := len(w.sleepers) - 1; i >= 0; i-- {
		id := w.sleepers[i]
		sp.tasks[id].state = spinReleased
		s.tasks[id].nextWaiter = st.first
		st.first = id
	}
	w.sleepers = w.sleepers[:0]
	return s.wakeAtBarrier(ci, t)
}

// spinOp is the effect of OpSpin.
func (s *Sched) spinOp(ci int32, t *Task) bool {
	sp := s.spin
	w := &sp.words[t.op.Arg]
	switch {
	case sp.tasks[t.ID].state != spinNone:
		return s.spinOn(ci, t, w, unboundedSpin)
	case w.value >= t.op.Arg64:
		t.stall += s.readBehind(w, t, ci)
		return true
	}
	return s.startSpin(ci, t, w, t.op.Arg64, unboundedSpin)
}

// storeOp is the effect of OpStore.
func (s *Sched) storeOp(ci int32, t *Task) {
	w := &s.spin.words[t.op.Arg]
	w.value = t.op.Arg64
	w.from = ci
	s.release(ci, w)
}

// startSpin lets a task wait for a word.
func (s *Sched) startSpin(ci int32, t *Task, w *word, want, limit int64) bool {
	sp := s.spin
	sp.tasks[t.ID] = spinTask{state: spinning, word: t.op.Arg, want: want}
	w.spinners = append(w.spinners, t.ID)
	t.inOp = true
	// The way to the first read counts.
	t.stall = max(t.stall, limit)
	if limit == 0 {
		return s.futexWait(ci, t, w)
	}
	s.setSpinning(ci, true)
	return true
}

// spinOn continues a wait whose time is up.
func (s *Sched) spinOn(ci int32, t *Task, w *word, limit int64) bool {
	st := &s.spin.tasks[t.ID]
	switch st.state {
	case spinReleased:
		st.state = spinNone
		return true
	case spinWaking:
		return s.wakeAtBarrier(ci, t)
	}
	if limit == unboundedSpin {
		t.inOp = true
		t.stall = limit
		return true
	}
	return s.futexWait(ci, t, w)
}

// futexWait puts a task to sleep that has spun enough.
func (s *Sched) futexWait(ci int32, t *Task, w *word) bool {
	sp := s.spin
	sp.stats.Sleeps++
	w.dropSpinner(t.ID)
	w.sleepers = append(w.sleepers, t.ID)
	sp.tasks[t.ID].state = spinAsleep
	s.setSpinning(ci, false)
	t.inOp = true
	t.stall = 0
	s.block(ci, t)
	return false
}

func (w *word) dropSpinner(id TaskID) {
	for i, v := range w.spinners {
		if v == id {
			w.spinners = append(w.spinners[:i], w.spinners[i+1:]...)
			return
		}
	}
}

// release lets those go on that spin for what the word now is.
func (s *Sched) release(from int32, w *word) {
	sp := s.spin
	rest := w.spinners[:0]
	for _, id := range w.spinners {
		st := &sp.tasks[id]
		if st.want > w.value {
			rest = append(rest, id)
			continue
		}
		st.state = spinReleased
		t := &s.tasks[id]
		c := &s.cpus[t.cpu]
		line := s.lineNS(from, t.cpu) + s.readBehind(w, t, t.cpu)
		if c.curr != id || c.act != actRun {
			t.stall = line
			continue
		}
		// The interrupts of the meantime are over.
		c.stall, c.work, c.since = line, 0, s.now
		s.q.set(t.cpu, c.end())
		s.setSpinning(t.cpu, false)
	}
	w.spinners = rest
}

// readBehind is how long a task takes to read what the writer of a word left for it.
func (s *Sched) readBehind(w *word, t *Task, to int32) int64 {
	if t.op.Kind != OpSpin || !t.op.Sync {
		return 0
	}
	return s.transfer(w.from, to, s.loc.TransferLines)
}

// wakeAtBarrier wakes the next of those that sleep at a barrier. FUTEX_WAKE takes them off
// in the order in which they came, and wakes one after another from the CPU that
// calls it (wake_up_q).
func (s *Sched) wakeAtBarrier(ci int32, t *Task) bool {
	st := &s.spin.tasks[t.ID]
	if st.first == none {
		st.state = spinNone
		if s.cpus[ci].needResched {
			s.reschedAfterSyscall(ci)
			return false
		}
		return true
	}
	id := st.first
	st.first, s.tasks[id].nextWaiter = s.tasks[id].nextWaiter, none
	s.spin.stats.FutexWakes++
	t.inOp = true
	s.tryToWakeUp(ci, &s.tasks[id], false)
	return false
}

// wakesMore reports whether the task of ci is inside a FUTEX_WAKE with more to wake:
// it cannot be preempted before the way out of the system call, but by
// CONFIG_PREEMPT.
func (s *Sched) wakesMore(ci int32) bool {
	id := s.cpus[ci].curr
	return id != none && s.spin.tasks[id].state == spinWaking
}

// setSpinning records that what ci runs starts or stops to spin.
func (s *Sched) setSpinning(ci int32, on bool) {
	if s.spin.cpu[ci] == on {
		return
	}
	s.spin.cpu[ci] = on
	s.retimeCore(s.cpus[ci].core)
}

// spinSwitch follows a switch of ci to another task.
func (s *Sched) spinSwitch(ci int32, next TaskID) {
	s.setSpinning(ci, next != none && s.spin.tasks[next].state == spinning)
}

// besideSpinners is the speed of ci on a core with several busy threads: whole, its
// equal share, unless all others spin.
func (s *Sched) besideSpinners(k *core, ci int32, whole int64) int64 {
	sp := s.spin
	if sp.cpu[ci] {
		return whole
	}
	for _, other := range k.cpus {
		if other != ci && s.cpus[other].busy && !sp.cpu[other] {
			return whole
		}
	}
	return k.speed * sp.share >> 16
}
