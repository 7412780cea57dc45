package schedsim

import (
	"fmt"
	"strings"
)

// IdleCandidate is "[PATCH 4/4] sched/fair: Return an idle cpu if one is found
// after a failed search for an idle core" (Mel Gorman, 2020-12-08).
//
// While select_idle_core looks for a core whose CPUs are all idle it now
// remembers the first idle CPU that it saw, and returns that one when no core
// qualifies, where it used to return -1 and let select_idle_cpu scan again.
var IdleCandidate = Patch{
	Name:    "idle-candidate",
	Subject: "sched/fair: Return an idle cpu if one is found after a failed search for an idle core",
	Link:    "https://lore.kernel.org/r/20201208153501.1467-5-mgorman@techsingularity.net",
	From:    "v5.9", To: "v5.10",
	Apply: func(k *Kernel) {
		k.SelectIdleCore = func(s *Sched, t *Task, target int) int {
			if !s.TestIdleCores(target) {
				return -1
			}
			idleCandidate := -1 // +
			for _, core := range s.CoresFrom(target) {
				idle := true
				for _, cpu := range s.SMTMask(core) {
					if !s.AvailableIdleCPU(cpu) {
						idle = false
						break
					}
					if idleCandidate == -1 && t.Allowed(cpu) { // +
						idleCandidate = cpu // +
					}
				}
				if idle {
					return core
				}
			}
			s.SetIdleCores(target, false)
			return idleCandidate // + was -1
		}
	},
}

// IdlePrev is "[PATCH] sched/fair: check for idle core" (Julia Lawall, 2020-10-20),
// merged for 5.11 as "sched/fair: Check for idle core in wake_affine", d8fcb81f1acf.
//
// A task stays on a previous CPU that is idle, unless a sync waker that is alone
// claims it. Before, the loads of both CPUs decided, and the load of those who
// sleep on the idle one counted against it.
var IdlePrev = Patch{
	Name:    "idle-prev",
	Subject: "sched/fair: check for idle core",
	Link:    "https://lore.kernel.org/r/1603211879-1064-1-git-send-email-Julia.Lawall@inria.fr",
	From:    "v4.18", To: "v5.10",
	Apply: func(k *Kernel) {
		k.WakeAffineIdle = func(s *Sched, thisCPU, prevCPU int, sync bool) int {
			if s.IdleCPU(thisCPU) && s.CPUsShareCache(thisCPU, prevCPU) {
				if s.IdleCPU(prevCPU) {
					return prevCPU
				}
				return thisCPU
			}
			if sync && s.NrRunning(thisCPU) == 1 {
				return thisCPU
			}
			if s.IdleCPU(prevCPU) { // +
				return prevCPU // +
			}
			return -1
		}
	},
}

// NoIdlePrev takes IdlePrev out of kernels that have it: an ablation.
var NoIdlePrev = Patch{
	Name:    "no-idle-prev",
	Subject: "ablation: wake_affine does not look whether the previous CPU is idle",
	From:    "v6.1",
	Apply:   func(k *Kernel) { k.WakeAffineIdle = wakeAffineIdle },
}

// NoIdleCoreSearch switches the mechanism off that IdleCandidate changes: an
// ablation, with which the patch must have no effect.
var NoIdleCoreSearch = Patch{
	Name:    "no-idle-core-search",
	Subject: "ablation: select_idle_core always fails",
	From:    "v4.18", To: "v5.10",
	Apply: func(k *Kernel) {
		k.SelectIdleCore = func(*Sched, *Task, int) int { return -1 }
	},
}

// EEVDFNrRunning is "[PATCH v2] sched/eevdf: Fix wakeup-preempt by checking
// cfs_rq->nr_running" (Chen Yu, 2024-09-25; merged in v6.12-rc2 as
// d4ac164bde7a).
//
// update_curr leaves it at the accounting when the running entity is alone. In
// v6.12-rc1 that was when the CPU has one task; now, when the cfs_rq has one
// entity. A group that is alone on the root queue is not rescheduled any more
// whenever its own slice ends.
var EEVDFNrRunning = Patch{
	Name:    "eevdf-nr-running",
	Subject: "sched/eevdf: Fix wakeup-preempt by checking cfs_rq->nr_running",
	Link:    "https://lore.kernel.org/r/20240925085440.358138-1-yu.c.chen@intel.com",
	From:    "v6.12-rc1", To: "v6.12-rc1",
	Apply: func(k *Kernel) {
		k.UpdateCurrAlone = func(s *Sched, cfsRQ int) bool {
			return s.CFSNrRunning(cfsRQ) == 1 // + was s.NrRunning(s.CPUOf(cfsRQ)) == 1
		}
	},
}

// Patches lists the patches that the model has, in order of date.
func Patches() []Patch {
	return append(append(runnableLoadPatchList(), numaPatches()...),
		IdlePrev, NoIdlePrev, IdleCandidate, NoIdleCoreSearch, EEVDFNrRunning, EEVDFNrRunningV1, EEVDFNoPreemptShort)
}

// LookupPatch returns the patch of a name.
func LookupPatch(name string) (Patch, error) {
	var names []string
	for _, p := range Patches() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Patch{}, fmt.Errorf("schedsim: no patch %q, use one of %s", name, strings.Join(names, ", "))
}
