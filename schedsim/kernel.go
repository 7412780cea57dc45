package schedsim

// Kernel is one version of the scheduler as a value: its tunables, its
// features, and its decision points as functions named after the kernel's own.
// A patch is a function on a Kernel; see With.
type Kernel struct {
	Version string // "v5.10"
	// Patches names what was applied on top of Version, in order.
	Patches []string
	Tunables
	Features

	// SelectTaskRQFair chooses the CPU for a waking task. sync is WF_SYNC.
	SelectTaskRQFair func(s *Sched, t *Task, prevCPU int, sync bool) int
	// WakeWide reports whether a wakeup belongs to a one-to-many pattern
	// that should not be pulled to the waker.
	WakeWide func(s *Sched, waker, t *Task, thisCPU int) bool
	// WakeAffineIdle and WakeAffineWeight return the CPU to aim at, or -1.
	WakeAffineIdle   func(s *Sched, thisCPU, prevCPU int, sync bool) int
	WakeAffineWeight func(s *Sched, d *Domain, t *Task, thisCPU, prevCPU int, sync bool) int
	// SelectIdleSibling looks for an idle CPU near target.
	SelectIdleSibling func(s *Sched, t *Task, prevCPU, target int) int
	// SelectIdleCore returns a CPU of a fully idle core in target's LLC, or
	// -1.
	SelectIdleCore func(s *Sched, t *Task, target int) int
	// SelectIdleCPU returns an idle CPU in target's LLC, or -1.
	SelectIdleCPU func(s *Sched, t *Task, target int) int
	// SelectIdleSMT returns an idle sibling of target, or -1.
	SelectIdleSMT func(s *Sched, t *Task, target int) int
	// FindIdlestCPU places a new task: the slow path of fork and exec.
	FindIdlestCPU func(s *Sched, t *Task, thisCPU int) int
}

// Tunables are the sysctls. Times are in ns.
type Tunables struct {
	HZ                     int // timer interrupts a second (CONFIG_HZ)
	SchedLatency           int64
	SchedMinGranularity    int64
	SchedWakeupGranularity int64
	SchedMigrationCost     int64
	SchedNrMigrate         int
	SchedNrLatency         int // SchedLatency / SchedMinGranularity
}

// Features are the sched_features that the modelled code tests.
type Features struct {
	GentleFairSleepers bool
	StartDebit         bool
	LastBuddy          bool
	WakeupPreemption   bool
	TTWUQueue          bool
	SISProp            bool
	SISAvgCPU          bool
	WAIdle             bool
	WAWeight           bool
	WABias             bool
	Autogroup          bool // CONFIG_SCHED_AUTOGROUP, kernel.sched_autogroup_enabled
	NewidleBalance     bool // SD_BALANCE_NEWIDLE on every domain; an ablation switch
	LoadBalance        bool // periodic and nohz balancing; an ablation switch
}

// Patch is a change to a kernel, as a value.
type Patch struct {
	Name    string // "idle-candidate"
	Subject string // of the mail
	Link    string
	Apply   func(*Kernel)
}

// With returns a copy of k with the patches applied. k does not change.
func (k Kernel) With(patches ...Patch) Kernel {
	k.Patches = append([]string(nil), k.Patches...)
	for _, p := range patches {
		p.Apply(&k)
		k.Patches = append(k.Patches, p.Name)
	}
	return k
}

// String returns the version and the patches: "v5.10+idle-candidate".
func (k Kernel) String() string {
	s := k.Version
	for _, p := range k.Patches {
		s += "+" + p
	}
	return s
}
