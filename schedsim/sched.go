package schedsim

import "github.com/schedlab/schedlab/topology"

// ModelVersion names the behaviour of the model. It is part of the key of
// every stored run: it changes whenever the same configuration would give
// another result.
const ModelVersion = "4"

// Sched is one simulated machine running one kernel and one workload.
//
// Decision functions of a Kernel get it as the machine that they decide about.
// It is not safe for concurrent use; run several side by side instead.
type Sched struct {
	now     int64 // ns
	jiffies int64
	tickNS  int64
	k       *Kernel
	version int // of k, see versionNumber
	// Of version: the fair class is EEVDF; groups ask for the least slice of
	// their entities.
	eevdf, groupSlices bool

	m     *topology.Machine
	cost  Costs
	w     Workload
	loc   Locality
	seed  uint64
	count Counters
	trace traceRing
	// checks is nil but with Config.Check.
	checks *checker

	q                              queue
	tickSlot, turboSlot, timerSlot int32
	clockSlot, bandwidthSlot       int32
	hostSlot                       int32
	timers                         timers

	// smp is smp_processor_id: the CPU whose event is dispatched.
	smp int32

	cpus []cpu
	rq   []rqLines
	// online lists the CPUs that are online, ascending; all others stay
	// empty for ever.
	online []int32
	// onlineMask is the affinity of tasks that have none of their own, nil
	// if all CPUs are online.
	onlineMask cpuMask
	// tasks are those of the workload in order of birth, of which there are
	// born so far, then the kworkers.
	tasks    []Task
	born     int32
	kworkers int32 // task of CPU 0's
	stoppers int32 // of CPU 0's migration thread, or none
	sugovs   int32 // of the first policy's thread of schedutil, or none
	channels []channel
	buffers  []buffer
	freedBy  []int16 // by CPU: who freed memory that was had there, see Buffer.RecycleLines
	startErr error   // what the workload asked for in vain, or a Deadlock

	endsItself, finished bool // see finish.go

	runnable, runnableSamples int64 // see meanRunnable
	debug                     *debugReadings

	// Entities: those of groups first, by group and CPU, then those of tasks.
	ents     []entity
	taskEnts int32
	// Runqueues: those of the root first, then by group and CPU.
	cfs       []cfsRQ
	groups    []taskGroup
	sessions  []int32 // group of each, see autogroup.go
	bandwidth []int32 // groups that ever had a quota

	// Classes above fair.
	attrs           []SchedAttr
	masks           []cpuMask // of OpSetAffinity
	leaving         []TaskID  // that run or wake where they may not any longer
	rt              []rtRQ    // by CPU
	dl              []dlRQ    // by CPU
	dls             []dlEntity
	servers         int     // how many of dls are fair servers, those of CPU 0 onwards
	serverIdleSince []int64 // by CPU
	dlTotal         int64   // bandwidth given to deadline entities, of 2^20
	otherClasses    bool    // a real-time or deadline task was queued ever
	schedIdle       bool    // a task had SCHED_IDLE ever
	lowestMask      cpuMask // of cpupriFind and findLaterRQ
	rtoMask         cpuMask // CPUs with real-time tasks for others
	rtoCount        int
	rtoCPU          int32 // who is to push next, or none
	rtoLoop         int64
	rtoLoopNext     int64
	rtPeriodActive  bool
	rtTimerCPU      int32
	classSlot       int32
	classTimers     timers // by deadline entity
	// What load tracking and balancing of some versions need.
	pelt     peltForm
	cfsV310  []cfsLoadV310 // by cfs_rq, v3.10
	cpuLoads []cpuLoadIdx  // by CPU, before v5.3
	lb       lbState

	// Memory and NUMA balancing, nil if no task has memory.
	mem *memory
	// Words that tasks wait for spinning, nil if the workload has none.
	spin *spin

	// Hardware.
	cores      []core
	llcs       []llc
	line       lineLatency
	smtShare   []int64  // by busy threads of a core: share of its speed, <<16
	mhz        []int64  // by socket: the turbo bin
	parents    []TaskID // who forked each task; nil where nobody asks
	mhzAt      []int64  // by active cores of a socket
	reference  int64    // clock with all cores of a socket active, MHz
	freqScale  int64    // MHz that arch_scale_freq_capacity calls 1024; 0 if there is none
	active     []int
	idleExit   []int64 // by idle state, ns
	idlePolls  []bool  // by idle state: it watches need_resched
	idleC0     []bool  // by idle state: it is a loop
	freq       *cpufreq
	smt        [][]int
	llcFrom    [][]int
	coresFrom  [][]int
	smtPresent bool // sched_smt_present

	// Root domain and nohz.
	overload                  bool
	nohzCount                 int
	nohzNext, nohzNextBlocked int64
	nohzHasBlocked            bool
	nohzNeedsUpdate           bool  // next_balance of newly idle CPUs is to be collected
	lbWork                    int64 // work of balancing passes, to be charged
	thefts                    Rand  // of a hypervisor: see Costs.StealEvery
	dice                      Rand  // sched_rng, of all CPUs
	host                      *host // nil if the machine is none's guest
	aging                     int64 // divisor of balance intervals: see Config.Age

	clusters bool // sched_cluster_active
	// idleTasks are the idle tasks of the CPUs, as wakers.
	idleTasks []Task

	// The decision in progress.
	this, thisCore        int32
	probeNS               int64 // pulling a runqueue's lines over inside the LLC
	probeWork, probeStall int64
	dry                   bool
	shadow                shadow
	looks                 []llcLooks  // by LLC
	coreLooks             []coreLooks // by core and LLC
	// hardirq: it is taken in an interrupt (not in_task).
	hardirq bool

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
	speed  int64 // relative to the reference clock, <<16
}

type llc struct {
	cpus         int32
	nohz         int32 // CPUs in the nohz mask
	hasIdleCores bool
	nrIdleScan   int32 // sd_llc_shared->nr_idle_scan
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
		now:     bootTime,
		tickNS:  1e9 / int64(cfg.Kernel.HZ),
		k:       &cfg.Kernel,
		version: versionNumber(cfg.Kernel.Version),
		m:       m,
		cost:    DefaultCosts(m),
		w:       cfg.Workload,
		loc:     cfg.Workload.Locality(),
		seed:    cfg.Seed,
		shadow:  newShadow(&cfg.Kernel, cfg.Shadow),
		q:       newQueue(2*n + 7),
		cpus:    make([]cpu, n),
		rq:      make([]rqLines, n),
		idleAt:  bootTime,
		aging:   1,
	}
	if cfg.Costs != nil {
		s.cost = *cfg.Costs
	}
	s.eevdf, s.groupSlices = s.since(6, 6), s.since(6, 12)
	s.thefts = StreamFor(s.seed, -3, 0)
	s.dice = StreamFor(s.seed, -5, 0)
	s.jiffies = s.now / s.tickNS
	s.tickSlot, s.turboSlot, s.timerSlot, s.clockSlot = int32(2*n), int32(2*n+1), int32(2*n+2), int32(2*n+3)
	s.bandwidthSlot, s.classSlot, s.hostSlot = int32(2*n+4), int32(2*n+5), int32(2*n+6)
	s.trace.hash = 14695981039346656037 // FNV offset basis
	s.trace.events = make([]TraceEvent, cfg.traceEvents())
	s.channels = make([]channel, cfg.Workload.Channels())
	for i := range s.channels {
		s.channels[i].waiter = none
	}
	s.buildHardware()
	s.buildHost(cfg.Host)
	s.buildFrequency(&cfg.CPUFreq)
	s.buildTasks()
	if err := s.buildQueues(); err != nil {
		return nil, err
	}
	if err := s.buildSpin(); err != nil {
		return nil, err
	}
	s.startKworkers()
	s.startHighClasses()
	s.q.set(s.tickSlot, s.now+s.tickNS)
	s.turbo()
	if cfg.Check {
		s.checks = newChecker(s)
	}
	return s, nil
}

// maxCPUs is what fits the event queue's slots. maxTasks and maxChannels keep the
// memory of a run below a few hundred MB; the engine's indices go further.
const (
	maxCPUs     = (1<<slotBits - 7) / 2
	maxTasks    = 1 << 19
	maxChannels = 1 << 22
)

func (s *Sched) ipiSlot(ci int32) int32 { return int32(len(s.cpus)) + ci }

// buildTasks makes room for the workload's tasks and the kworkers.
func (s *Sched) buildTasks() {
	n := s.w.MaxTasks()
	s.kworkers = int32(n)
	if s.freq != nil && s.freq.governor == governorOndemand {
		n += len(s.cpus)
	}
	s.tasks = make([]Task, s.buildHighClasses(n))
}

// buildQueues makes the root group and, with autogroup, the task group of the
// session that the workload is started from.
func (s *Sched) buildQueues() error {
	n := len(s.cpus)
	groups := 1
	if s.k.Autogroup {
		groups = 2
	}
	s.cfs = make([]cfsRQ, 0, groups*n)
	s.taskEnts = int32((groups - 1) * n)
	s.ents = make([]entity, 0, int(s.taskEnts)+len(s.tasks))
	s.buildLoadTracking()
	s.addGroup("", none)
	s.sessions = append(s.sessions, 0)
	s.NewSession()
	for i := range s.tasks {
		s.tasks[i].se = s.taskEnts + int32(i)
		s.ents = append(s.ents, entity{my: none, parent: none, task: none})
	}
	for c := range n {
		s.cpus[c].fairTasks = make([]TaskID, 0, 16)
		s.cpus[c].wakeList = make([]TaskID, 0, 8)
	}
	if err := s.buildDomains(); err != nil {
		return err
	}
	s.stolenBefore()
	s.buildLLCs()
	s.buildLooks()
	s.buildOrders()
	s.buildSharing()
	for _, ci := range s.online {
		s.stopTick(ci)
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
		s.smp = slot
		if s.cpus[slot].frozen {
			s.hostLate(slot, slot)
			return
		}
		s.cpuEvent(slot)
	case slot < 2*n:
		s.smp = slot - n
		if s.cpus[slot-n].frozen {
			s.hostLate(slot, slot-n)
			return
		}
		s.interrupt(slot - n)
	case slot == s.tickSlot:
		s.tick()
	case slot == s.turboSlot:
		s.turbo()
	case slot == s.clockSlot:
		s.clockEvent()
	case slot == s.bandwidthSlot:
		s.bandwidthEvent()
	case slot == s.classSlot:
		s.classTimerEvent()
	case slot == s.hostSlot:
		s.hostEvent()
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
