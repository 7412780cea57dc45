package schedsim

import (
	"fmt"
	"reflect"
)

// Kernel is one version of the scheduler as a value: its tunables, its
// features, and its decision points as functions named after the kernel's own.
// A patch is a function on a Kernel; see With.
//
// A decision that a version does not take is nil there: 3.10 has no WakeWide, no
// tests of wake_affine and no SelectIdleCore, SelectIdleCPU and SelectIdleSMT; since
// 5.12 SelectIdleCPU looks for idle cores as well, and there is no SelectIdleCore.
type Kernel struct {
	Version string // "v5.10"
	// Patches names what was applied on top of Version, in order.
	Patches []string
	Tunables
	Features
	RunnableLoad RunnableLoadSeries // v3.10

	// SelectTaskRQFair chooses the CPU for a waking task. sync is WF_SYNC.
	SelectTaskRQFair func(s *Sched, t *Task, prevCPU int, sync bool) int
	// WakeWide reports whether a wakeup belongs to a one-to-many pattern
	// that should not be pulled to the waker.
	WakeWide func(s *Sched, waker, t *Task, thisCPU int) bool
	// WakeAffine chooses between the waker's CPU and the previous one, by two
	// tests where the version has them (since 4.15): WakeAffineIdle and
	// WakeAffineWeight return the CPU to aim at, or -1.
	WakeAffine       func(s *Sched, d *Domain, t *Task, thisCPU, prevCPU int, sync bool) int
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
	// UpdateScanPeriod is what migrate_task_rq_fair does to the NUMA scan
	// period of a task with memory that goes to a CPU of another node. v4.18.
	UpdateScanPeriod func(s *Sched, t *Task, newCPU int)
	// NUMAMigrateScanReset is what task_numa_migrate does to it before it moves
	// a task. v4.18.
	NUMAMigrateScanReset func(s *Sched, t *Task)
	// FindIdlestCPU places a new task, or one that calls exec: the slow path.
	FindIdlestCPU func(s *Sched, t *Task, thisCPU int, exec bool) int
	// UpdateCurrAlone reports whether the running entity of a cfs_rq has
	// nobody to make room for, so that update_curr does not reschedule when
	// its slice is used up. EEVDF only.
	UpdateCurrAlone func(s *Sched, cfsRQ int) bool

	err error // of With
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
	// SchedBaseSlice is what a task asks for with EEVDF, which uses neither
	// the latency nor the granularities.
	SchedBaseSlice int64
	// numa_balancing_scan_*: ms, and MB.
	NUMAScanDelay, NUMAScanPeriodMin, NUMAScanPeriodMax int64
	NUMAScanSize                                        int64
}

// Features are the sched_features that the modelled code tests.
type Features struct {
	GentleFairSleepers bool
	StartDebit         bool
	LastBuddy          bool
	WakeupPreemption   bool
	// Of CFS from 5.13 to 6.5: the period counts the tasks of the whole
	// runqueue, and a slice is at least the minimal granularity.
	AltPeriod bool
	BaseSlice bool
	// Of EEVDF; see eevdf.go.
	PlaceLag             bool
	PlaceDeadlineInitial bool
	PlaceRelDeadline     bool
	RunToParity          bool
	PreemptShort         bool
	DelayDequeue         bool
	DelayZero            bool
	// YieldForfeits: sched_yield gives up the rest of a request (79104becf42b, in
	// v6.18 and the stable releases of v6.12).
	YieldForfeits bool
	// NewidleRandom is NI_RANDOM (33cf66d88306 of November 2025, in stable releases since):
	// see newidle_random.go. RTPushIPI is RT_PUSH_IPI, which dd29c017aed6 of 2026 turned off
	// but for PREEMPT_RT, in stable releases too.
	NewidleRandom bool
	RTPushIPI     bool

	TTWUQueue       bool
	SISProp         bool
	SISAvgCPU       bool
	SISUtil         bool
	WAIdle          bool
	WAWeight        bool
	WABias          bool
	Autogroup       bool // CONFIG_SCHED_AUTOGROUP, kernel.sched_autogroup_enabled
	NewidleBalance  bool // SD_BALANCE_NEWIDLE on every domain; an ablation switch
	LoadBalance     bool // periodic and nohz balancing; an ablation switch
	LBBias          bool // before v5.3
	NewidlePullsOne bool // CONFIG_PREEMPT or PREEMPTION: newidle balance stops after one task
	// NUMABalancing is kernel.numa_balancing.
	NUMABalancing bool
	// NUMARework is Srikar Dronamraju's changes to NUMA balancing of June to
	// August 2018 (v4.19) but for the scan period: one look at a node's balance
	// instead of one a CPU, no growth of imbalance, a least gain for swaps.
	NUMARework bool
	// NUMAEarlyFaults lets private and first faults move pages at once in the
	// first passes over the memory (v4.19).
	NUMAEarlyFaults bool
	// NUMAMigrateRateLimit limits the pages that move to a node (until v4.18).
	NUMAMigrateRateLimit bool
}

// Patch is a change to a kernel, as a value.
type Patch struct {
	Name    string // "idle-candidate"
	Subject string // of the mail
	Link    string
	// From and To are the first and the last version that it applies to; empty
	// is any.
	From, To string
	Apply    func(*Kernel)
}

// With returns a copy of k with the patches applied. k does not change.
//
// A patch that is not for k's version, or that replaces a decision point which the
// version does not have, gives a kernel that does not run: Err says why, and so
// does Run.
func (k Kernel) With(patches ...Patch) Kernel {
	k.Patches = append([]string(nil), k.Patches...)
	for _, p := range patches {
		before := k
		p.Apply(&k)
		k.Patches = append(k.Patches, p.Name)
		if k.err == nil {
			k.err = p.misfit(&before, &k)
		}
	}
	return k
}

// Err returns why a patch could not be applied, or nil.
func (k Kernel) Err() error { return k.err }

// misfit returns what is wrong with a patch that turned before into after.
func (p *Patch) misfit(before, after *Kernel) error {
	v := versionNumber(before.Version)
	// A candidate is as old as its release, but a patch that ends with it is part of
	// that.
	merged := releaseOf(p.To) != p.To && p.To != before.Version && v == versionNumber(p.To)
	if merged || p.From != "" && v < versionNumber(p.From) || p.To != "" && v > versionNumber(p.To) {
		return fmt.Errorf("schedsim: patch %s does not apply to %s, use it on %s", p.Name, before.Version, p.applies())
	}
	a, b := reflect.ValueOf(before).Elem(), reflect.ValueOf(after).Elem()
	for i := range a.NumField() {
		if f := a.Field(i); f.Kind() == reflect.Func && f.IsNil() && !b.Field(i).IsNil() {
			return fmt.Errorf("schedsim: patch %s replaces %s, which %s does not have", p.Name, a.Type().Field(i).Name, before.Version)
		}
	}
	return nil
}

// applies names the versions that the patch is for.
func (p *Patch) applies() string {
	switch {
	case p.From == "":
		return p.To + " or before"
	case p.To == "":
		return p.From + " or later"
	case p.From == p.To:
		return p.From
	}
	return p.From + " to " + p.To
}

// String returns the version and the patches: "v5.10+idle-candidate".
func (k Kernel) String() string {
	s := k.Version
	for _, p := range k.Patches {
		s += "+" + p
	}
	return s
}
