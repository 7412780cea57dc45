package schedsim

import "fmt"

// RunnableLoadSeries are the changes of "use runnable load in schedule balance" (Alex
// Shi, v8 of June 2013, on 3.10-rc), one field a patch that changes anything. They
// are read by v3.10 only.
//
// Patch 1 builds load tracking on SMP without FAIR_GROUP_SCHED, which the model
// always has, and patch 2 moves variables: both change nothing here. What the
// others change is read from v3.11, which has 1 to 7; patch 8, which was not
// merged, the order and the subjects are from memory: the mails were not at hand.
type RunnableLoadSeries struct {
	ForkSlice      bool // 3: a new task starts with the load of a whole slice
	SleepOnce      bool // 4: a task that wakes on its CPU is not decayed twice for its sleep
	CPULoadLast    bool // 5: the tick updates cpu_load[] after the class's tick, not before
	CPULoad        bool // 6: the load of a CPU is runnable_load_avg instead of its weight
	HLoad          bool // 7: task_h_load by averages; it is 0 for every task
	TGRunnableOnly bool // 8: blocked_load_avg is no part of a group's load
	// Of no patch; see shi_variants.go.
	Blocked    bool // with 6: the load of a CPU is runnable_load_avg and blocked_load_avg
	HLoadFixed bool // with 7: task_h_load is a part of the root's load, not 0
}

// runnableLoadLink is a reply that quotes the cover letter whole.
const runnableLoadLink = "https://lkml.indiana.edu/hypermail/linux/kernel/1306.1/00326.html"

// runnableLoadPatches are the patches of the series, in order.
var runnableLoadPatches = []struct {
	subject string
	apply   func(*RunnableLoadSeries)
}{
	{"Revert \"sched: Introduce temporary FAIR_GROUP_SCHED dependency for load-tracking\"", func(*RunnableLoadSeries) {}},
	{"sched: move few runnable tg variables into CONFIG_SMP", func(*RunnableLoadSeries) {}},
	{"sched: set initial value of runnable avg for new forked task", func(r *RunnableLoadSeries) { r.ForkSlice = true }},
	{"sched: fix slept time double counting in enqueue entity", func(r *RunnableLoadSeries) { r.SleepOnce = true }},
	{"sched: update cpu load after task_tick", func(r *RunnableLoadSeries) { r.CPULoadLast = true }},
	{"sched: compute runnable load avg in cpu_load and cpu_avg_load_per_task", func(r *RunnableLoadSeries) { r.CPULoad = true }},
	{"sched: consider runnable load average in move_tasks", func(r *RunnableLoadSeries) { r.HLoad = true }},
	{"sched/tg: remove blocked_load_avg in balance", func(r *RunnableLoadSeries) { r.TGRunnableOnly = true }},
}

// runnableLoadPatch is patch i of the series, counted from 1.
func runnableLoadPatch(i int) Patch {
	p := runnableLoadPatches[i-1]
	return Patch{
		Name:    fmt.Sprintf("runnable-load-%d", i),
		Subject: p.subject,
		Link:    runnableLoadLink,
		From:    "v3.10",
		To:      "v3.10",
		Apply:   func(k *Kernel) { p.apply(&k.RunnableLoad) },
	}
}

// runnableLoadUpTo is the series up to patch n.
func runnableLoadUpTo(n int, name, subject string) Patch {
	return Patch{
		Name: name, Subject: subject, Link: runnableLoadLink, From: "v3.10", To: "v3.10",
		Apply: func(k *Kernel) {
			for _, p := range runnableLoadPatches[:n] {
				p.apply(&k.RunnableLoad)
			}
		},
	}
}

// RunnableLoad is the whole series, patches 1 to 8, and RunnableLoad17 the part of
// it that was merged.
var (
	RunnableLoad   = runnableLoadUpTo(8, "runnable-load", "use runnable load in schedule balance")
	RunnableLoad17 = runnableLoadUpTo(7, "runnable-load-1-7", "use runnable load in schedule balance, without \"sched/tg: remove blocked_load_avg in balance\"")
)

// runnableLoadPatchList is the series as a whole, its merged part, and each patch.
func runnableLoadPatchList() []Patch {
	list := []Patch{RunnableLoad, RunnableLoad17}
	for i := range runnableLoadPatches {
		list = append(list, runnableLoadPatch(i+1))
	}
	return append(list, runnableLoadVariants()...)
}
