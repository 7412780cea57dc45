package schedsim

import "github.com/schedlab/schedlab/topology"

// ModelVersion names the behaviour of the model. It is part of the key of
// every stored run: it changes whenever the same configuration would give
// another result.
const ModelVersion = "1"

// Sched is one simulated machine running one kernel and one workload.
//
// Decision functions of a Kernel get it as the machine that they decide about.
// It is not safe for concurrent use; run several side by side instead.
type Sched struct {
	now     int64 // ns
	jiffies int64
	tickNS  int64
	k       *Kernel
	m       *topology.Machine
	cost    Costs
	w       Workload
	loc     Locality
	seed    uint64
	count   Counters
	trace   traceRing

	q                              queue
	tickSlot, turboSlot, timerSlot int32
	timers                         timers

	cpus     []cpu
	rq       []rqLines
	tasks    []Task
	channels []channel

	// Entities: those of groups first, by group and CPU, then those of tasks.
	ents     []entity
	taskEnts int32
	// Runqueues: those of the root first, then by group and CPU.
	cfs       []cfsRQ
	groups    []taskGroup
	taskGroup int32 // group of new tasks

	// Hardware.
	cores       []core
	llcs        []llc
	line        lineLatency
	nodes       int32
	smtShare    []int64 // by busy threads of a core: share of its speed, <<16
	socketSpeed []int64
	mhz         []int64 // by socket
	speedAt     []int64 // by active cores of a socket, <<16
	mhzAt       []int64
	turbo4MHz   int64
	active      []int
	idleExit    []int64 // by idle state, ns
	smt         [][]int
	llcFrom     [][]int
	coresFrom   [][]int
	llcLevel    int
	smtPresent  bool // sched_smt_present

	// Root domain and nohz.
	overload                  bool
	nohzCount                 int
	nohzNext, nohzNextBlocked int64
	nohzHasBlocked            bool
	lbWork                    int64 // work of balancing passes, to be charged
	aging                     int64 // divisor of balance intervals: see Config.Age

	// The decision in progress.
	this, thisCore        int32
	seenByCore            []uint32 // the row of seen for thisCore
	probeNS               int64    // pulling a runqueue's lines over inside the LLC
	probeWork, probeStall int64
	dry                   bool
	shadow                shadow
	seen                  []uint32 // by core and CPU: version last seen

	// Idle accounting.
	nrIdle       int
	nrOverloaded int
	idleAt       int64

	socketShare   float64
	socketSamples int64
}

type core struct {
	cpus   []int32
	socket int32
	busy   int32
}

type llc struct {
	cpus         int32
	nohz         int32 // CPUs in the nohz mask
	hasIdleCores bool
}

type lineLatency struct {
	smt, llc int64
	remote   []int64 // by node and node
}

// bootTime is when a simulation starts, ns after boot: not 0, which stands for
// "never" in the kernel's own timestamps. Jiffies are aligned with it.
const bootTime = 100e9

// newSched builds the machine at rest.
func newSched(cfg *Config) (*Sched, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	m := cfg.Machine
	n := len(m.CPUs)
	s := &Sched{
		now:    bootTime,
		tickNS: 1e9 / int64(cfg.Kernel.HZ),
		k:      &cfg.Kernel,
		m:      m,
		cost:   DefaultCosts(m),
		w:      cfg.Workload,
		loc:    cfg.Workload.Locality(),
		seed:   cfg.Seed,
		shadow: newShadow(&cfg.Kernel, cfg.Shadow),
		q:      newQueue(2*n + 3),
		cpus:   make([]cpu, n),
		rq:     make([]rqLines, n),
		tasks:  make([]Task, 0, cfg.Workload.MaxTasks()),
		seen:   make([]uint32, m.Cores()*n),
		idleAt: bootTime,
		aging:  1,
		nrIdle: n,
	}
	if cfg.Costs != nil {
		s.cost = *cfg.Costs
	}
	s.jiffies = s.now / s.tickNS
	s.tickSlot, s.turboSlot, s.timerSlot = int32(2*n), int32(2*n+1), int32(2*n+2)
	s.trace.hash = 14695981039346656037 // FNV offset basis
	s.trace.events = make([]TraceEvent, cfg.TraceEvents)
	s.channels = make([]channel, cfg.Workload.Channels())
	for i := range s.channels {
		s.channels[i].waiter = none
	}
	s.buildHardware()
	if err := s.buildQueues(); err != nil {
		return nil, err
	}
	s.q.set(s.tickSlot, s.now+s.tickNS)
	s.turbo()
	return s, nil
}

// maxCPUs is what fits the event queue's slots.
const maxCPUs = (1<<slotBits - 3) / 2

func (s *Sched) ipiSlot(ci int32) int32 { return int32(len(s.cpus)) + ci }

func (s *Sched) buildHardware() {
	m := s.m
	s.cores = make([]core, m.Cores())
	s.llcs = make([]llc, m.LLCs())
	s.nodes = int32(m.Nodes())
	for i := range m.CPUs {
		t := &m.CPUs[i]
		s.cpus[i] = cpu{
			curr: none, wakee: none, pushCPU: none,
			core: int32(t.Core), llc: int32(t.LLC), node: int32(t.Node), socket: int32(t.Socket),
			peltClock: s.now, peltAt: s.now, freqScale: 1024,
			avgIdle:            2 * s.k.SchedMigrationCost,
			maxIdleBalanceCost: s.k.SchedMigrationCost,
			nextBalance:        s.jiffies + 1,
			idleEntered:        s.now,
			idleState:          int8(len(m.IdleStates) - 1),
		}
		for j := range s.cpus[i].gov.intervals {
			s.cpus[i].gov.intervals[j] = maxInteresting
		}
		s.cpus[i].gov.ewma = maxInteresting * 1000
		s.rq[i] = rqLines{core: int32(t.Core), llc: int32(t.LLC), idle: true}
		c := &s.cores[t.Core]
		c.cpus = append(c.cpus, int32(i))
		c.socket = int32(t.Socket)
		s.llcs[t.LLC].cpus++
	}
	for i := range s.cores {
		s.smtPresent = s.smtPresent || len(s.cores[i].cpus) > 1
	}
	for i := range s.llcs {
		s.llcs[i].hasIdleCores = s.smtPresent
	}
	s.buildOrders()

	tr := &m.Transfer
	s.line = lineLatency{smt: int64(tr.SMTSibling.Value), llc: int64(tr.SameLLC.Value)}
	s.probeNS = int64(s.cost.ProbeLines * tr.SameLLC.Value)
	for a := range m.Distances {
		for b := range m.Distances[a] {
			ns := s.line.llc
			if a != b {
				ns = int64(tr.Remote[m.Distances[a][b]].Value)
			}
			s.line.remote = append(s.line.remote, ns)
		}
	}
	for i := range m.IdleStates {
		s.idleExit = append(s.idleExit, int64(m.IdleStates[i].MeanExit.Value*s.cost.IdleExitScale))
	}

	// Speeds, relative to the clock with all cores of a socket active.
	perSocket := m.Cores() / m.Sockets()
	reference := int64(m.Frequency.At(perSocket))
	for k := 0; k <= perSocket; k++ {
		mhz := int64(m.Frequency.At(max(k, 1)))
		s.mhzAt = append(s.mhzAt, mhz)
		s.speedAt = append(s.speedAt, mhz<<16/reference)
	}
	s.turbo4MHz = int64(m.Frequency.At(min(4, perSocket)))
	s.active = make([]int, m.Sockets())
	s.mhz = make([]int64, m.Sockets())
	s.socketSpeed = make([]int64, m.Sockets())
	for i := range s.socketSpeed {
		s.mhz[i], s.socketSpeed[i] = s.mhzAt[0], s.speedAt[0]
	}
	for i := range s.cpus {
		s.cpus[i].speed = s.speedAt[0]
	}
	s.smtShare = append(s.smtShare, 1<<16)
	for i, y := range m.SMTThroughput {
		v := y.Value
		if i == 1 && s.loc.SMTThroughput > 0 {
			v = s.loc.SMTThroughput
		}
		s.smtShare = append(s.smtShare, int64(v/float64(i+1)*(1<<16)))
	}
}

// buildOrders precomputes the orders in which searches visit an LLC.
func (s *Sched) buildOrders() {
	n := len(s.cpus)
	s.smt = make([][]int, n)
	s.llcFrom = make([][]int, n)
	s.coresFrom = make([][]int, n)
	for i := range s.cpus {
		for _, c := range s.cores[s.cpus[i].core].cpus {
			s.smt[i] = append(s.smt[i], int(c))
		}
		seen := make([]bool, len(s.cores))
		for k := 0; k < n; k++ {
			c := (i + k) % n
			if s.cpus[c].llc != s.cpus[i].llc {
				continue
			}
			s.llcFrom[i] = append(s.llcFrom[i], c)
			if core := s.cpus[c].core; !seen[core] {
				seen[core] = true
				s.coresFrom[i] = append(s.coresFrom[i], c)
			}
		}
	}
}

// buildQueues makes the root group and, with autogroup, one task group for the
// whole benchmark: it is started from one session.
func (s *Sched) buildQueues() error {
	n := len(s.cpus)
	groups := 1
	if s.k.Autogroup {
		groups = 2
		s.taskGroup = 1
	}
	s.groups = make([]taskGroup, groups)
	s.cfs = make([]cfsRQ, groups*n)
	s.taskEnts = int32((groups - 1) * n)
	s.ents = make([]entity, int(s.taskEnts)+cap(s.tasks))
	for g := range s.groups {
		s.groups[g].shares = nice0Load
		for c := range n {
			q := &s.cfs[g*n+c]
			*q = cfsRQ{
				cpu: int32(c), group: int32(g), se: none,
				curr: none, next: none, last: none, skip: none,
				queue: make([]queued, 0, 16),
			}
			q.avg.lastUpdate = s.now
			if g == 0 {
				continue
			}
			se := int32((g-1)*n + c)
			q.se = se
			s.ents[se] = entity{parent: none, cfs: int32(c), my: int32(g*n + c), task: none}
			s.ents[se].load.set(nice0Load)
			s.ents[se].avg.lastUpdate = s.now
		}
	}
	for c := range n {
		s.cpus[c].fairTasks = make([]TaskID, 0, 16)
		s.cpus[c].wakeList = make([]TaskID, 0, 8)
	}
	if err := s.buildDomains(); err != nil {
		return err
	}
	for c := range n {
		s.stopTick(int32(c))
	}
	return nil
}

// step dispatches the earliest event.
func (s *Sched) step() {
	slot, at := s.q.next()
	s.now = at
	s.count.Events++
	n := int32(len(s.cpus))
	switch {
	case slot < n:
		s.cpuEvent(slot)
	case slot < 2*n:
		s.interrupt(slot - n)
	case slot == s.tickSlot:
		s.tick()
	case slot == s.turboSlot:
		s.turbo()
	default:
		s.timerEvent()
	}
}

// Now returns the simulated time in ns.
func (s *Sched) Now() int64 { return s.now }

// Machine returns the machine that is simulated.
func (s *Sched) Machine() *topology.Machine { return s.m }

// Seed returns the run's seed.
func (s *Sched) Seed() uint64 { return s.seed }

// Rand returns a stream for the workload's start, drawn from the run's seed.
func (s *Sched) Rand() *Rand {
	r := StreamFor(s.seed, -1, -1)
	return &r
}
