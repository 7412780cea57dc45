package scenario

import (
	"time"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/topology"
)

// Outcome is what one run or one boot did.
type Outcome struct {
	Tasks []TaskOutcome
	// Migrations counts the moves of all tasks, children included: wakeups on
	// another CPU than the last, and moves by balancing.
	Migrations int64
	// Wall is how long it took.
	Wall time.Duration
	// Placement says where woken tasks went; of a real kernel it is of the part of
	// the trace that was kept.
	Placement Placement
	// Attempts and Pulls are wake_affine: how often it chose between two CPUs,
	// and how often it took the waker's. Of a real kernel they are those of tasks
	// that name no CPUs.
	Attempts, Pulls int64
}

// TaskOutcome is what one task did.
type TaskOutcome struct {
	Name                   string
	Iterations             int64
	CPU, Wall              time.Duration
	Voluntary, Involuntary int64
	// Averages of load tracking at the end.
	Load, Runnable, Util int64
}

// Placement counts wakeups of tasks that ran before.
//
// Whether the core was idle is not among it: the kernel's event comes when the target
// queues the task, and until then the waker may have gone to sleep.
type Placement struct {
	Wakeups  int64
	Previous int64 // on the CPU that the task ran on last
	Sibling  int64 // else on its core
	Socket   int64 // else in its socket
	Other    int64 // on another socket
}

// place counts the migrations of a trace, and the wakeups up to an instant, except those of
// others. As in the recordings, migrations before the start and after the end are among them.
func place(m *topology.Machine, events []schedsim.TraceEvent, until int64, tasks, others []*schedsim.Task) (p Placement, migrations int64) {
	last := map[schedsim.TaskID]int32{} // where it ran
	home := map[schedsim.TaskID]int32{} // where it belongs
	for _, t := range tasks {
		home[t.ID] = none
	}
	not := map[schedsim.TaskID]bool{}
	for _, t := range others {
		not[t.ID] = true
	}
	for i := range events {
		e := &events[i]
		if not[e.Task] {
			continue
		}
		switch e.Kind {
		case schedsim.TraceSwitch:
			if e.Task != none {
				last[e.Task] = e.CPU
			}
			continue
		case schedsim.TraceFork:
			home[e.Task] = e.CPU
			continue
		}
		if was, ok := home[e.Task]; ok && was != none && was != e.CPU {
			migrations++
		}
		home[e.Task] = e.CPU
		prev, ran := last[e.Task]
		if e.Kind != schedsim.TraceWakeup || e.Time >= until || !ran {
			continue
		}
		p.Wakeups++
		a, b := &m.CPUs[prev], &m.CPUs[e.CPU]
		switch {
		case prev == e.CPU:
			p.Previous++
		case a.Core == b.Core:
			p.Sibling++
		case a.Socket == b.Socket:
			p.Socket++
		default:
			p.Other++
		}
	}
	return p, migrations
}

// none is no task, or no CPU.
const none = -1
