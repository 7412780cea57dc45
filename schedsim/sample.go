package schedsim

import (
	"context"
	"time"
)

// Looking at a Simulation between two advances. Nothing here changes its state,
// so that a run which is looked at decides as one which is not.

// Age simulates for d with shorter balance intervals; see Config.Age.
func (r *Simulation) Age(ctx context.Context, d time.Duration) error {
	r.s.aging = AgingFactor
	err := r.s.runFor(ctx, int64(d))
	r.s.aging = 1
	return err
}

// Now returns the simulated time as trace events have it, ns.
func (r *Simulation) Now() int64 { return r.s.now }

// Trace returns the last Config.TraceEvents decisions, oldest first.
func (r *Simulation) Trace() []TraceEvent { return r.s.trace.all() }

// Decisions returns how many decisions there were, those included that the trace
// does not hold any more.
func (r *Simulation) Decisions() int64 { return r.s.trace.n }

// TaskNames returns the name of every task, by TaskID; those that no fork has made
// yet are empty.
func (r *Simulation) TaskNames() []string { return r.s.taskNames() }

// Parents returns who forked each task, by TaskID, -1 for those that were there
// from the start.
func (r *Simulation) Parents() []TaskID {
	return append([]TaskID(nil), r.s.parents[:r.s.born]...)
}

// MHz returns the clock of a CPU's core. Without Config.CPUFreq it is the turbo bin
// of its socket's active cores; that of a CPU which is not online is 0.
func (r *Simulation) MHz(cpu int) int64 {
	c := r.s.cpus[cpu].core
	if c == offline {
		return 0
	}
	if f := r.s.freq; f != nil {
		return f.clocks[f.clockOf[c]].mhz
	}
	return r.s.mhz[r.s.cores[c].socket]
}

// TaskStats returns the figures of a task that was created.
func (r *Simulation) TaskStats(id TaskID) TaskStats { return r.s.TaskStats(&r.s.tasks[id]) }

// QueueStats are the averages of a cfs_rq (cfs_rq->avg), as of its last update.
// 1024 of util_avg and runnable_avg is one CPU that is always busy, 1024 of
// load_avg one task of nice 0 that always runs or waits. 4.18 has another
// runnable_avg, which is weighted as load_avg is, and 3.10 has none.
type QueueStats struct{ LoadAvg, RunnableAvg, UtilAvg int64 }

// QueueStats returns those of the root cfs_rq of a CPU.
func (r *Simulation) QueueStats(cpu int) QueueStats {
	a := &r.s.cfs[cpu].avg
	return QueueStats{a.load, a.runnable, a.util}
}
