package schedsim

// Entities, runqueues and groups refer to each other by index, so that the
// whole state of a simulation is a handful of flat arrays. none is the index
// that refers to nothing.
const none = int32(-1)

// entity is struct sched_entity: what a cfs_rq queues, a task or the part of a
// task group that lives on one CPU. It has three lines of 64 bytes: what accounting
// uses, load tracking, and what little else there is.
type entity struct {
	load        loadWeight
	vruntime    int64 // ns, weighted
	execStart   int64 // when it last started or was accounted, ns
	sumExec     int64
	prevSumExec int64 // sumExec when it was last picked
	parent      int32 // entity of the group it belongs to, or none
	cfs         int32 // the cfs_rq it is (to be) queued on
	my          int32 // the cfs_rq a group entity owns; none for tasks
	onRQ        bool
	customSlice bool // the slice is its own, not the base slice (6.12)
	delayed     bool // sched_delayed: asleep, but queued until it is eligible
	relDeadline bool // the deadline is relative to vruntime, while it migrates

	avg schedAvg

	task int32 // the task; none for groups
	// runnable is, for a group, how many tasks were queued below at the last
	// enqueue or dequeue: what the time since then is accounted with
	// (runnable_weight).
	runnable int32
	// Of EEVDF, see eevdf.go.
	deadline int64 // virtual, ns, weighted
	slice    int64 // the request, ns
	// vlag is how far vruntime was behind when it left the queue, ns,
	// weighted; for the current entity, the deadline up to which it is
	// protected from preemption.
	vlag int64

	runnableWeight int64 // runnable_weight of v4.18
	decayCount     int64 // decay_count of v3.10

	_ [8]byte // a multiple of 64
}

// cfsRQ is struct cfs_rq: one CPU's queue of one task group. The order is by what
// is used together, 64 bytes a line: accounting and CFS's order; the group; load
// tracking; EEVDF's order; the rest.
type cfsRQ struct {
	load        loadWeight
	minVruntime int64
	// queue holds the entities in order of vruntime; curr is not in it. With
	// EEVDF it is the timeline instead, see below.
	queue     []queued
	nrRunning int32 // entities, curr included
	hNr       int32 // tasks in the hierarchy below
	curr      int32
	cpu       int32

	group int32
	se    int32 // own group entity, none for a root
	next  int32
	last  int32
	skip  int32
	// Loads of tasks that were migrated away while asleep, to be taken out
	// at the next update of this CPU.
	removedNr       int32
	propagate       bool
	onLeaf          bool  // on its CPU's leaf_cfs_rq_list
	runtimeEnabled  bool  // it has a quota
	throttled       bool  // itself, not one above
	throttleCount   int32 // throttled queues from here up to the root
	propRunnableSum int64
	tgContrib       int64 // tg_load_avg_contrib
	tgUpdate        int64 // last_update_tg_load_avg, since v6.7
	// throttledPeltTime is for how long load tracking stood still in all, because it
	// was throttled.
	throttledPeltTime int64

	avg schedAvg

	// Of EEVDF: the entities in order of deadline, with the sums of weights and
	// of weighted vruntimes over them (relative to minVruntime), and their least
	// vruntime.
	timeline     []timelineNode
	avgVruntime  int64
	avgLoad      int64
	timelineMin  int64
	customSlices int32 // entities with a slice of their own, curr included

	removedLoad     int64
	removedUtil     int64
	removedRunnable int64
	hLoad           int64
	hLoadJiffy      int64
	runnableWeight  int64 // of the queued entities, v4.18
	cfsBandwidthRQ

	_ [40]byte // a multiple of 64: see TestLines
}

type queued struct {
	vruntime int64
	se       int32
}

// insert queues se behind all that have the same vruntime, as the kernel's
// tree does.
func (q *cfsRQ) insert(se int32, vruntime int64) {
	q.queue = append(q.queue, queued{})
	i := len(q.queue) - 1
	for i > 0 && q.queue[i-1].vruntime > vruntime {
		q.queue[i] = q.queue[i-1]
		i--
	}
	q.queue[i] = queued{vruntime, se}
}

func (q *cfsRQ) remove(se int32) {
	for i := range q.queue {
		if q.queue[i].se == se {
			copy(q.queue[i:], q.queue[i+1:])
			q.queue = q.queue[:len(q.queue)-1]
			return
		}
	}
	panic("schedsim: entity not on its queue")
}

// leftmost returns the entity with the least vruntime, or none.
func (q *cfsRQ) leftmost() int32 {
	if len(q.queue) == 0 {
		return none
	}
	return q.queue[0].se
}
