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

// NoIdleCoreSearch switches the mechanism off that IdleCandidate changes: an
// ablation, with which the patch must have no effect.
var NoIdleCoreSearch = Patch{
	Name:    "no-idle-core-search",
	Subject: "ablation: select_idle_core always fails",
	Apply: func(k *Kernel) {
		k.SelectIdleCore = func(*Sched, *Task, int) int { return -1 }
	},
}

// Patches lists the patches that the model has, in order of date.
func Patches() []Patch { return []Patch{IdleCandidate, NoIdleCoreSearch} }

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
