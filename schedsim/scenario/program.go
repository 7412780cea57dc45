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
	allChannels     = 4 * maxChannels
)

// Roles: a task of the file is of role setup until it sleeps for its start; the
// tasks that a fork creates are of role child, kernel threads of role daemon.
const (
	plain = iota
	setup
	child
	daemon
)

// The program that starts the tasks forks one each forkInterval, and each works
// for setupTime before it sleeps (assumed: a dozen system calls). No recording counts
// what is before the start.
const (
	forkInterval = time.Millisecond
	setupTime    = 500 * time.Microsecond
)

// hogWork is how much a hog works without asking for its next operation, ns.
const hogWork = 1e12

// program is a scenario as a workload.
//
// What a task does before "once" to its policy, nice value, group and session is
// done before it starts: the real one does it in its first microseconds.
type program struct {
	sc    *Scenario
	guest *Guest
	lead  time.Duration // before the scenario starts
	seed  int

	tasks      []*schedsim.Task
	daemons    []*schedsim.Task
	iterations []int64
	runs       []run // by task
	sub        []int // what is done of an operation of several parts
	barriers   [maxChannels]struct{ arrived, generation int }
	start      int64 // of the scenario, simulated ns
	final      []schedsim.TaskStats
	failed     error
	base       []schedsim.TaskStats
	attrs      map[Op]int32 // policies that tasks change to
}

func (p *program) Name() string                { return "scenario " + p.sc.Name }
func (p *program) Channels() int               { return allChannels }
func (p *program) Locality() schedsim.Locality { return schedsim.Locality{} }

// MaxTasks counts the children that can be born while the scenario runs.
func (p *program) MaxTasks() int {
	n := len(p.sc.Tasks) + p.countDaemons()
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

// Start creates the tasks, one after another. Each sets itself up and sleeps until
// its start. A free one does so where the forks of the real program would have put
// it: they fill all cores before the second threads. Which core is first differs from
// run to run.
func (p *program) Start(s *schedsim.Sched) {
	sc := p.sc
	n := len(sc.Tasks)
	p.start = s.Now() + int64(p.lead)
	p.iterations, p.sub, p.runs = make([]int64, n), make([]int, n), make([]run, p.MaxTasks())
	groups := make([]int, len(sc.Groups))
	for i, g := range sc.Groups {
		groups[i] = s.NewGroup(g.Name, 0, schedsim.SharesFromWeight(g.Weight))
		if g.Quota > 0 {
			if err := s.SetBandwidth(groups[i], g.Quota, g.Period, 0); err != nil && p.failed == nil {
				p.failed = err
			}
		}
	}
	announce(s, p)
	spread := p.spread()
	for i := range sc.Tasks {
		st := &sc.Tasks[i]
		cpu := spread[(i+p.seed)%len(spread)]
		if st.CPUs != nil {
			cpu = st.CPUs[(i+p.seed)%len(st.CPUs)]
		}
		t := s.Spawn(st.Name, setup, cpu, int64(forkInterval)*int64(i))
		t.Arg = int32(i)
		if st.CPUs != nil {
			s.SetAffinity(t, st.CPUs...)
		}
		p.tasks = append(p.tasks, t)
		nice := st.Nice
		for _, op := range st.Ops[:st.Once] {
			switch op.Kind {
			case Nice:
				nice = op.N
			case JoinGroup:
				s.MoveTask(t, groups[op.N])
			case Session:
				if sc.Autogroup {
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
	p.startDaemons(s)
}

// spread lists the CPUs in the order in which idle ones are filled: first threads
// of each core, one socket after the other by turns.
func (p *program) spread() []int {
	m := p.guest.Machine
	var order []int
	for thread := range len(m.SMTThroughput) {
		for k := range len(m.CPUs) / m.Sockets() {
			for socket := range m.Sockets() {
				c := m.CPUs[socket*len(m.CPUs)/m.Sockets()+k]
				if c.Thread == thread {
					order = append(order, c.ID)
				}
			}
		}
	}
	return order
}

// Next returns the next operation of a task.
func (p *program) Next(s *schedsim.Sched, t *schedsim.Task) schedsim.Op {
	if t.Role == daemon {
		return p.nextDaemon(t)
	}
	if t.Role == child {
		if op, on := p.runs[t.ID].next(s, t, p.sc.Tasks[t.Arg>>8].Ops[t.Arg&0xff].D); on {
			return op
		}
		return schedsim.Op{Kind: schedsim.OpExit}
	}
	st := &p.sc.Tasks[t.Arg]
	if t.Role == setup {
		t.Role = plain
		return schedsim.Op{Kind: schedsim.OpSleep, Work: int64(setupTime), Arg64: p.start + int64(st.Start) - s.Now() - int64(setupTime)}
	}
	for {
		if int(t.PC) == len(st.Ops) {
			t.PC = int32(st.Once)
			p.iterations[t.Arg]++
		}
		o := &st.Ops[t.PC]
		if int(t.PC) < st.Once && o.Kind >= Nice {
			t.PC++ // done by Start
			continue
		}
		if o.Kind == Run {
			if op, on := p.runs[t.ID].next(s, t, o.D); on {
				return op
			}
			t.PC++
			continue
		}
		op, done := p.op(t, o)
		if done {
			t.PC++
		}
		return op
	}
}

// op returns the next part of an operation, and whether it is the last one.
func (p *program) op(t *schedsim.Task, o *Op) (schedsim.Op, bool) {
	call := schedsim.Op{Work: int64(syscallCost), Arg: int32(o.N)}
	switch o.Kind {
	case Hog:
		return schedsim.Op{Kind: schedsim.OpCompute, Work: hogWork}, false
	case Sleep:
		call.Kind, call.Work, call.Arg64 = schedsim.OpSleep, int64(sleepCost), int64(o.D+timerDelay)
	case Send:
		call.Kind, call.Sync, call.Arg = schedsim.OpSend, true, int32(pipeChannels+o.N)
	case Recv:
		call.Kind, call.Arg = schedsim.OpRecv, int32(pipeChannels+o.N)
	case Wake:
		call.Kind, call.Arg = schedsim.OpFutexWake, int32(futexChannels+o.N)
	case Wait:
		call.Kind, call.Arg = schedsim.OpFutexWait, int32(futexChannels+o.N)
	case Barrier:
		return p.meet(t, o)
	case Fork:
		call.Kind, call.Arg, call.Work = schedsim.OpFork, t.Arg<<8|t.PC, int64(forkCost)
		sub := &p.sub[t.Arg]
		*sub++
		if *sub < o.N {
			return call, false
		}
		*sub = 0
	default:
		call = whileRunning(p, o)
	}
	return call, true
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
		return schedsim.Op{Kind: schedsim.OpFutexWait, Arg: futex(b.generation), Work: int64(syscallCost)}, true
	}
	b.arrived = 0
	b.generation++
	*sub = o.M - 2
	return schedsim.Op{Kind: schedsim.OpFutexWake, Arg: futex(b.generation - 1), Work: int64(syscallCost)}, *sub == 0
}

// Born makes a new task a child of the operation that forked it.
func (p *program) Born(_ *schedsim.Sched, _, c *schedsim.Task, arg int32) {
	c.Role, c.Arg = child, arg
}

// Measured keeps what the tasks did between start and end.
func (p *program) Measured(s *schedsim.Sched, end bool) (float64, string) {
	if !end {
		for _, t := range p.tasks {
			p.base = append(p.base, s.TaskStats(t))
		}
		return 0, ""
	}
	var turns int64
	for i, t := range p.tasks {
		st := s.TaskStats(t)
		st.ExecNS -= p.base[i].ExecNS
		st.Voluntary -= p.base[i].Voluntary
		st.Involuntary -= p.base[i].Involuntary
		p.final = append(p.final, st)
		turns += p.iterations[i]
	}
	return float64(turns), "iterations"
}
