package schedsim

// Counters are what a run counted while it was measured. Names follow the
// kernel's statistics where there is one.
type Counters struct {
	Events           int64 // entries taken off the event queue, and ticks of single CPUs
	Wakeups          int64 // try_to_wake_up that placed a task
	WakeupsPrev      int64 // ... on the CPU it ran on before
	WakeupsSameLLC   int64 // ... on another CPU of that CPU's LLC
	WakeupsRemote    int64 // ... on another LLC
	WakeupsStacked   int64 // ... on a CPU that was not idle
	WakeupsOnCPU     int64 // ... queued to a CPU that was still switching the task out
	WakeAffinePulls  int64 // wake_affine chose the waker's CPU
	IdleCoreSearches int64 // select_idle_core with has_idle_cores set
	IdleCoreFailed   int64 // ... that found no idle core
	IdleCPUSearches  int64 // select_idle_cpu scans
	IdleCPUFailed    int64 // ... that found nothing
	CPUsScanned      int64 // runqueues probed in searches
	// Interrupts are ticks, timers and those between CPUs. Runs that were stored before they
	// were counted lack them.
	Interrupts        int64 `json:",omitempty"`
	VoluntarySwitches int64
	InvoluntarySwitch int64
	LBMigrations      int64 // tasks moved by load balancing, all kinds
	NewidlePulls      int64 // ... of them by newidle balance
	ActiveBalances    int64
	// Of classes above fair; see Features.HighClassThreads for the first.
	HighClassSwitches int64 // switches away from migration/N and sugov:N; they are in no other count
	RTPushes, RTPulls int64 // real-time tasks moved to or by a CPU with less urgent work
	DLPushes, DLPulls int64 // deadline tasks likewise
	RTThrottled       int64 // times that a CPU's real-time tasks had used up their period
	IdleNS            int64 // CPU time idle, ns, summed over CPUs
	IdleOverloadedNS  int64 // CPU time idle while some runqueue had waiters, ns
	// With Config.CPUFreq only; zero without.
	FreqChanges     int64 // changes of the clock of a core, or of a socket where it has one
	C0NS            int64 // CPU time not in an idle state but a polling one, ns (MPERF)
	C0Cycles        int64 // cycles in that time (APERF)
	KworkerWakeups  int64 // of ondemand's kworkers, each of them a sample
	KworkerSwitches int64 // switches away from kworkers; they are in no other count
	KworkerNS       int64 // CPU time of kworkers, ns
	SugovWakeups    int64 // of schedutil's threads; see the package's "left out"
	// With memory only; zero without. Pages are of the architecture's size.
	NUMAScans           int64 // task_numa_work that scanned
	NUMAPTEUpdates      int64 // pages protected (numa_pte_updates)
	NUMAHintFaults      int64 // hinting faults; one for a huge page (numa_hint_faults)
	NUMAHintFaultsLocal int64 // ... on a page of the CPU's node
	NUMAPagesMigrated   int64 // pages moved to another node (numa_pages_migrated)
	NUMARateLimited     int64 // pages that the rate limit kept from it
	NUMAMoves           int64 // tasks moved by task_numa_migrate
	NUMASwaps           int64 // pairs of tasks swapped by it
	NUMAMoveFailed      int64 // task_numa_migrate without a move
	NUMACrossNode       int64 // moves of tasks with memory to another node, whoever did them
	NUMAScanResets      int64 // ... and by task_numa_migrate, that reset the scan period
	NUMAPeriodDoubled   int64 // passes with no faults, or with a page that did not move
	NUMAGroups          int64 // groups started
	NUMAGroupJoins      int64 // tasks that went to another group
	MemTicks            int64 // ticks that found a task with memory running
	MemLocal            int64 // ... and its share of local accesses, per mille, summed
	// The replaced function, evaluated in both versions at each decision that
	// can differ (Config.Shadow); zero when there is no shadow kernel.
	ShadowDecisions int64 // decisions where both versions were evaluated
	ShadowDiffers   int64 // ... where the two returned different values
	ShadowOther     int64 // ... where the wakeup would have gone to another CPU, or the CPU switched for it
	// Placement.
	WakeAffineAttempts int64 // wake_affine had to choose between two CPUs
	ExecMigrations     int64 // tasks moved by exec balance
	Migrations         int64 // changes of a task's CPU (se.nr_migrations), whoever made them
	MigrationsRemote   int64 // ... to another socket
	MessagesRead       int64 // from buffers
	MessagesRemote     int64 // ... that were written on another socket
}

// BusyMHz is the mean clock of the CPUs while they were not idle, what
// turbostat calls Bzy_MHz, in MHz; 0 if it was not counted.
func (c *Counters) BusyMHz() float64 {
	if c.C0NS == 0 {
		return 0
	}
	return float64(c.C0Cycles) / float64(c.C0NS) * 1000
}

// Result is what one run measured.
type Result struct {
	// Throughput is the workload's own figure of merit, in Unit.
	Throughput float64
	Unit       string
	// Metrics has this figure, those that every run has and those of the
	// workload; see BuiltinMetrics and Meter.
	Metrics []Metric
	// MeasuredNS is the simulated time that Throughput was taken over.
	MeasuredNS int64
	Counters   Counters
	// TotalEvents counts the events of the whole run, warm-up included.
	TotalEvents int64
	// SocketShare is the mean share of runnable tasks on socket 0 while
	// measuring: the hidden state that fork placement leaves behind.
	SocketShare float64
	// Slices has the rates of Config.Slices parts of the measured time.
	Slices []float64 `json:",omitempty"`
	// TraceHash is a digest of every scheduling decision of the run.
	TraceHash uint64
}
