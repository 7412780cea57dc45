package schedsim

import "fmt"

// Variants of the runnable load series that tell what in it carries an effect.
// They are applied on top of the series.

// RunnableLoadBlocked counts the load of sleeping tasks in the load of a CPU as well:
// what the series' author tried and left out, as "many benchmark performance drop a
// lot".
var RunnableLoadBlocked = Patch{
	Name:    "runnable-load-blocked",
	Subject: "variant of the series: blocked_load_avg is part of a CPU's load",
	Link:    runnableLoadLink,
	From:    "v3.10", To: "v3.10",
	Apply: func(k *Kernel) { k.RunnableLoad.Blocked = true },
}

// RunnableLoadHLoadFixed takes the load of the root, of which task_h_load is a part,
// from where it is since v3.12. Patch 7 takes it from a field that nobody writes.
var RunnableLoadHLoadFixed = Patch{
	Name:    "runnable-load-h-load-fixed",
	Subject: "variant of the series: task_h_load is a part of the root's runnable_load_avg, not 0",
	Link:    runnableLoadLink,
	From:    "v3.10", To: "v3.10",
	Apply: func(k *Kernel) { k.RunnableLoad.HLoadFixed = true },
}

// noRunnableLoadPatch takes patch i out of the series: an ablation.
func noRunnableLoadPatch(i int) Patch {
	return Patch{
		Name:    fmt.Sprintf("no-runnable-load-%d", i),
		Subject: fmt.Sprintf("ablation: the runnable load series without its patch %d", i),
		From:    "v3.10", To: "v3.10",
		Apply: func(k *Kernel) {
			// What patch i alone sets is what it has to leave.
			var alone RunnableLoadSeries
			runnableLoadPatches[i-1].apply(&alone)
			k.RunnableLoad.without(alone)
		},
	}
}

// without unsets what is set in other.
func (r *RunnableLoadSeries) without(other RunnableLoadSeries) {
	r.ForkSlice = r.ForkSlice && !other.ForkSlice
	r.SleepOnce = r.SleepOnce && !other.SleepOnce
	r.CPULoadLast = r.CPULoadLast && !other.CPULoadLast
	r.CPULoad = r.CPULoad && !other.CPULoad
	r.HLoad = r.HLoad && !other.HLoad
	r.TGRunnableOnly = r.TGRunnableOnly && !other.TGRunnableOnly
}

// runnableLoadVariants are all of them. Patches 1 and 2 change nothing.
func runnableLoadVariants() []Patch {
	list := []Patch{RunnableLoadBlocked, RunnableLoadHLoadFixed}
	for i := 3; i <= len(runnableLoadPatches); i++ {
		list = append(list, noRunnableLoadPatch(i))
	}
	return list
}
