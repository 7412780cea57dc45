package schedsim

// activity is what a CPU does until its next event.
type activity uint8

const (
	actIdle   activity = iota // in an idle state; no event
	actExit                   // leaving an idle state, then schedule()
	actRun                    // in an operation of the current task
	actSelect                 // searching for a CPU for a wakee
	actWake                   // in try_to_wake_up, up to the enqueue
)

// Reasons for an interprocessor interrupt.
const (
	ipiResched uint8 = 1 << iota
	ipiWakeList
	ipiNohz    // nohz balancer kick
	ipiIRQWork // irq_work of the CPU itself
	ipiUnthrottle
	ipiRTPush // push real-time tasks to who pulls
)

// cpu is struct rq and the hardware thread under it. The order is by what is used
// together, 64 bytes a line: the segment being executed; a wakeup, and the place in
// the hardware; clocks; the idle governor; balancing.
type cpu struct {
	curr        TaskID // none is the idle task
	nrRunning   int32  // tasks of all classes
	needResched bool
	// shadowResched: and a shadow kernel would not have asked for it.
	shadowResched bool
	busy          bool // executing instructions: what a sibling feels
	frozen        bool // a virtual CPU that does not run on its host
	act           activity
	activeBalance bool
	nohzBalance   bool  // kicked to balance, not only to decay
	nohzFlags     uint8 // since v6.1: what it was kicked for

	// The segment being executed: first stall, then work at speed.
	stall, work int64
	since       int64 // when stall and work were last brought up to date
	speed       int64 // work per wall time, <<16
	// Costs to be put in front of the next segment.
	owedStall, owedWork int64

	// A wakeup in progress on this CPU.
	wakee       TaskID
	wakeCPU     int32
	wakeScanned bool // the CPU was idle when a search found it
	wakeOnCPU   bool // WF_ON_CPU: through the wake list of its own CPU
	wakeQueue   bool // through the wake list of wakeCPU
	wakeSync    bool
	wakeDelayed bool // the wakee was still on its queue when the wakeup began

	ipi         uint8 // pending reasons
	idleState   int8
	tickStopped bool

	// Position in the hardware.
	core, socket int32
	place        int32 // index of its last-level cache, node and socket together
	llc          int32 // sd_llc_id

	// Wakeups handed over through the wake list, oldest first.
	wakeList []TaskID

	idleEntered int64

	// Load tracking clock (rq->clock_pelt); see clockPelt.
	peltClock, peltAt, lostIdle int64
	freqScale                   int64 // arch_scale_freq_capacity, of 1024

	idleStamp, avgIdle int64
	fairTasks          []TaskID

	// Idle governor.
	gov menu

	// Balancing.
	nextBalance        int64 // jiffies
	maxIdleBalanceCost int64
	domains            []Domain
	capacity           int64  // capacity_orig_of, cpu_power: see buildCapacity
	capacityLoss       int64  // capacityScale less cpu_capacity
	blockedUpdate      int64  // jiffy of the last update for others
	stopTask           TaskID // migration/N if it is runnable, or none
	nohz               bool   // in nohz.idle_cpus_mask
	hasBlockedLoad     bool
	sdIdle             bool    // sd->nohz_idle of v3.10: from going idle to the next busy tick
	llcLevel           int8    // the highest that shares a cache (sd_llc), or -1
	leaf               []int32 // groups with load, see addLeaf
	unthrottle         []int32 // cfs_rqs to unthrottle (rq->cfsb_csd_list)
	pushCPU            int32
	l2                 int32
	idleHNr            int32 // tasks of SCHED_IDLE
}

// rqLines is what other CPUs read of a runqueue when they look for an idle one,
// in the lines that its owner writes at each switch; see looks.go.
type rqLines struct {
	written uint64 // epoch of the last change, 0 before the first
	core    int32
	llc     int32
	pos     int32 // position in the sets of the cache
	idle    bool  // idle_cpu(), as in llcLooks.idle
}
