package scenario

import (
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// Channels of a simulation: pipes, futexes, and two futexes a barrier, which its
// generations use by turns.
const (
	pipeChannels    = 0
	futexChannels   = maxChannels
	barrierChannels = 2 * maxChannels
	shellChannels   = 4 * maxChannels
	consoleChannel  = shellChannels + 2
	joinChannel     = consoleChannel + 1
	allChannels     = joinChannel + 1
)

// Roles: a task of the file is of role setup until it sleeps for its start; the
// tasks that a fork of one creates are of role child, kernel threads of role daemon or grace,
// who forks the tasks of the file is their parent, and helpers are whom that woke before.
// At the end a task is finishing.
const (
	plain = iota
	setup
	child
	daemon
	parent
	helper
	grace
	finishing
)

// inheritedFlips is how often the program that starts the tasks has changed whom it wakes
// (wakee_flips), with what it has of the shell: its children inherit that, and keep it as
// long as they wake nobody. In wake_wide it is compared with the size of the last-level
// cache. Of the boots with fanout-four and futex-fanout, 14, those that tried wake_affine for
// few wakeups of the woken had at least that size, 2 or 4, the others less. 3, or 2, is true
// of 11: not of one of 6.1 on 2socket-smt, which had less than 2, and not of two of 6.12 on
// 4core, which had at least 4.
const inheritedFlips = 3

// shellTime is when that program starts.
const shellTime = 5 * time.Millisecond

// hogWork is how much a hog works until it sees whether the scenario is over, ns. The real one
// gets a signal.
const hogWork = 1e6

// program is a scenario as a workload.
type program struct {
	sc    *Scenario
	guest *Guest
	lead  time.Duration // before the scenario starts
	seed  int

	groups     []int
	tasks      []*schedsim.Task // nil until they are forked
	others     []*schedsim.Task // none of the scenario: kernel threads, the shell
	iterations []int64
	runs       []run // by task
	sub        []int // what is done of an operation of several parts
	barriers   [maxChannels]struct{ arrived, generation int }
	joining    joining
	families   families
	mayWait    []bool  // by task: its last operation was a call that may have waited
	waited     []int64 // by task: how often it had waited before that
	slept      []int64 // by CPU, when a task last went to sleep there
	start      int64   // of the scenario, simulated ns
	failed     error
	attrs      map[Op]int32 // policies that tasks change to

	// At the start of each task, and at the end of the scenario.
	begun    []bool
	base     []schedsim.TaskStats
	final    []schedsim.TaskStats
	turns    []int64
	counters schedsim.Counters
}

func (p *program) Name() string                { return "scenario " + p.sc.Name }
func (p *program) Channels() int               { return allChannels }
func (p *program) Locality() schedsim.Locality { return schedsim.Locality{} }

// MaxTasks counts the children that can be born while the scenario runs.
func (p *program) MaxTasks() int {
	n := 4 + len(p.sc.Tasks) + p.countDaemons()
	for i := range p.sc.Tasks {
		t := &p.sc.Tasks[i]
		turns := 0
		for j, op := range t.Ops {
			if op.Kind != Fork {
				continue
			}
			if turns = 1; j >= t.Once {
				turns = int(p.sc.Duration/loopTime(t)) + 2
			}
			n += turns * op.N
		}
	}
	return n
}

// Start creates the groups, and the task that forks the others one after another.
func (p *program) Start(s *schedsim.Sched) {
	sc := p.sc
	n := len(sc.Tasks)
	p.start = s.Now() + int64(p.lead)
	p.tasks, p.begun, p.base = make([]*schedsim.Task, n), make([]bool, n), make([]schedsim.TaskStats, n)
	p.slept = make([]int64, len(p.guest.Machine.CPUs))
	p.iterations, p.sub, p.runs = make([]int64, n), make([]int, n), make([]run, p.MaxTasks())
	p.mayWait, p.waited = make([]bool, n), make([]int64, n)
	for i, g := range sc.Groups {
		p.groups = append(p.groups, s.NewGroup(g.Name, 0, schedsim.SharesFromWeight(g.Weight)))
		if g.Quota > 0 {
			if err := s.SetBandwidth(p.groups[i], g.Quota, g.Period, 0); err != nil && p.failed == nil {
				p.failed = err
			}
		}
	}
	announce(s, p)
	for i := range int32(2) {
		t := s.Spawn("sh", helper, 0, 0)
		t.Arg = shellChannels + i
		p.others = append(p.others, t)
	}
	scen := s.Spawn("scen", parent, p.seed%len(p.guest.Machine.CPUs), int64(shellTime))
	scen.PC = -1
	p.others = append(p.others, scen)
	p.startDaemons(s)
	p.startGrace(s)
}

// Born makes a new task one of the scenario's, or a child of the operation that forked it.
//
// What a task of the scenario does before "once" to its policy, nice value and session is done
// here: the real one does it in its first microseconds, and when it starts. How it joins a group
// is in join.go.
func (p *program) Born(s *schedsim.Sched, by, t *schedsim.Task, arg int32) {
	t.Arg = arg
	if by.Role != parent {
		t.Role = child
		p.families.living++
		return
	}
	st := &p.sc.Tasks[arg]
	t.Role, t.Name = setup, st.Name
	p.tasks[arg] = t
	if st.CPUs != nil {
		s.SetAffinity(t, st.CPUs...)
	}
	nice := st.Nice
	for _, op := range st.Ops[:st.Once] {
		switch op.Kind {
		case Nice:
			nice = op.N
		case Session:
			if p.sc.Autogroup {
				s.SetSession(t, s.NewSession())
			}
		}
	}
	if nice != 0 {
		s.SetNice(t, nice)
	}
	for _, op := range st.Ops[:st.Once] {
		switch op.Kind {
		case FIFO, RR, Batch, Idle, Other:
			setPolicy(s, t, op, nice)
		}
	}
}

// Next returns the next operation of a task.
func (p *program) Next(s *schedsim.Sched, t *schedsim.Task) schedsim.Op {
	switch t.Role {
	case daemon:
		return p.nextDaemon(t)
	case grace:
		return p.nextGrace(s, t)
	case parent:
		return p.nextFork(t)
	case helper:
		return schedsim.Op{Kind: schedsim.OpFutexWait, Arg: t.Arg}
	}
	if t.Role == child {
		if t.PC == 0 {
			t.PC = 1
			return schedsim.Op{Kind: schedsim.OpCompute, Work: int64(p.guest.costs.childStart)}
		}
		if op, on := p.runs[t.ID].next(s, t, p.sc.Tasks[t.Arg>>8].Ops[t.Arg&0xff].D, p.guest.costs.clock); on {
			return op
		}
		return p.childExits(s)
	}
	st := &p.sc.Tasks[t.Arg]
	if t.Role == finishing || s.Now() >= p.start+int64(p.sc.Duration) {
		return p.finish(t)
	}
	if t.Role == setup {
		t.Role = plain
		return schedsim.Op{Kind: schedsim.OpSleep, Work: int64(p.guest.costs.setup), Arg64: p.start + int64(st.Start) - s.Now() - int64(p.guest.costs.setup)}
	}
	if !p.begun[t.Arg] {
		p.begun[t.Arg], p.base[t.Arg] = true, s.TaskStats(t)
	}
	if op, ok := p.back(s, t); ok {
		return op
	}
	for {
		if int(t.PC) == len(st.Ops) {
			t.PC = int32(st.Once)
			p.iterations[t.Arg]++
		}
		o := &st.Ops[t.PC]
		if int(t.PC) < st.Once && o.Kind >= Nice && o.Kind != JoinGroup {
			t.PC++ // done by Born
			continue
		}
		if o.Kind == Run {
			if op, on := p.runs[t.ID].next(s, t, o.D, p.guest.costs.clock); on {
				return op
			}
			t.PC++
			continue
		}
		op, done := p.op(s, t, o)
		if done {
			t.PC++
		}
		return op
	}
}

// nextFork is the program that starts the tasks: it forks one for each line of the file and
// waits for them.
func (p *program) nextFork(t *schedsim.Task) schedsim.Op {
	switch n := t.PC; {
	case n < 0:
		t.PC++
		return schedsim.Op{Kind: schedsim.OpFutexWake, Arg: consoleChannel}
	case n < inheritedFlips:
		t.PC++
		return schedsim.Op{Kind: schedsim.OpFutexWake, Arg: shellChannels + n%2, Work: int64(p.guest.costs.call)}
	case int(n-inheritedFlips) < len(p.tasks):
		t.PC++
		return schedsim.Op{Kind: schedsim.OpFork, Arg: n - inheritedFlips, Work: int64(p.guest.costs.setupFork)}
	}
	return schedsim.Op{Kind: schedsim.OpSleep, Arg64: 1e12}
}

// finish is the end of a task: it reads its figures, prints them to the console, for which
// others have to wait until its text is out, and exits.
func (p *program) finish(t *schedsim.Task) schedsim.Op {
	if t.Role != finishing {
		t.Role, t.PC = finishing, 0
	}
	t.PC++
	switch t.PC {
	case 1:
		return schedsim.Op{Kind: schedsim.OpFutexWait, Arg: consoleChannel, Work: int64(p.guest.costs.finish)}
	case 2:
		return schedsim.Op{Kind: schedsim.OpSleep, Arg64: int64(p.guest.costs.console), Work: int64(p.guest.costs.sleep)}
	case 3:
		return schedsim.Op{Kind: schedsim.OpFutexWake, Arg: consoleChannel, Work: int64(p.guest.costs.call)}
	}
	return schedsim.Op{Kind: schedsim.OpExit, Work: int64(p.guest.costs.childExit)}
}

// op returns the next part of an operation, and whether it is the last one.
func (p *program) op(s *schedsim.Sched, t *schedsim.Task, o *Op) (schedsim.Op, bool) {
	call := schedsim.Op{Work: int64(p.guest.costs.call), Arg: int32(o.N)}
	switch o.Kind {
	case Hog:
		return schedsim.Op{Kind: schedsim.OpCompute, Work: hogWork}, false
	case Sleep:
		return p.sleep(s, t, o)
	case Send:
		call.Kind, call.Sync, call.Arg = schedsim.OpSend, true, int32(pipeChannels+o.N)
	case Recv:
		p.calls(s, t)
		call.Kind, call.Arg = schedsim.OpRecv, int32(pipeChannels+o.N)
	case Wake:
		call.Kind, call.Arg = schedsim.OpFutexWake, int32(futexChannels+o.N)
	case Wait:
		p.calls(s, t)
		call.Kind, call.Arg = schedsim.OpFutexWait, int32(futexChannels+o.N)
	case Barrier:
		return p.meet(t, o)
	case JoinGroup:
		return p.join(t, o)
	case Fork:
		call.Kind, call.Arg, call.Work = schedsim.OpFork, t.Arg<<8|t.PC, int64(p.guest.costs.fork)
		sub := &p.sub[t.Arg]
		if *sub++; *sub == 1 && p.iterations[t.Arg] > 0 {
			call.Work += int64(o.N) * int64(p.guest.costs.reap)
		}
		if *sub < o.N {
			return call, false
		}
		*sub = 0
	default:
		call = whileRunning(p, o)
	}
	return call, true
}

// calls notes that a task's operation is a call for which it may have to wait.
func (p *program) calls(s *schedsim.Sched, t *schedsim.Task) {
	if p.guest.costs.block > 0 {
		p.mayWait[t.Arg], p.waited[t.Arg] = true, s.TaskStats(t).Voluntary
	}
}

// back is what a task has left to do of a call for which it had to wait.
func (p *program) back(s *schedsim.Sched, t *schedsim.Task) (schedsim.Op, bool) {
	if !p.mayWait[t.Arg] {
		return schedsim.Op{}, false
	}
	p.mayWait[t.Arg] = false
	return schedsim.Op{Kind: schedsim.OpCompute, Work: int64(p.guest.costs.block)}, s.TaskStats(t).Voluntary > p.waited[t.Arg]
}

// meet is a barrier. The last task to come posts to all others, one system call for
// all; the others wait. As the futexes of a barrier alternate, a fast task cannot
// take the post of a slow one.
func (p *program) meet(t *schedsim.Task, o *Op) (schedsim.Op, bool) {
	b, sub := &p.barriers[o.N], &p.sub[t.Arg]
	futex := func(generation int) int32 { return int32(barrierChannels + 2*o.N + generation&1) }
	if *sub > 0 { // posting
		*sub--
		return schedsim.Op{Kind: schedsim.OpFutexWake, Arg: futex(b.generation - 1)}, *sub == 0
	}
	b.arrived++
	if b.arrived < o.M {
		return schedsim.Op{Kind: schedsim.OpFutexWait, Arg: futex(b.generation), Work: int64(p.guest.costs.call)}, true
	}
	b.arrived = 0
	b.generation++
	*sub = o.M - 2
	return schedsim.Op{Kind: schedsim.OpFutexWake, Arg: futex(b.generation - 1), Work: int64(p.guest.costs.call)}, *sub == 0
}

// Measured keeps what the tasks did up to the end of the scenario, at which the measured
// time begins. Their figures are since they woke for the start; half of the recordings count
// what was before, which is the sleep and half a millisecond.
func (p *program) Measured(s *schedsim.Sched, end bool) (float64, string) {
	if end {
		return 0, ""
	}
	p.counters = s.Counters()
	for i, t := range p.tasks {
		st := s.TaskStats(t)
		st.ExecNS -= p.base[i].ExecNS
		st.Voluntary -= p.base[i].Voluntary
		st.Involuntary -= p.base[i].Involuntary
		p.final = append(p.final, st)
		p.turns = append(p.turns, p.iterations[i])
	}
	return 0, ""
}
