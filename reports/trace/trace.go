// Package trace writes the scheduling decisions of a run in the formats that
// scheduler developers read: the text of ftrace, Perfetto's protobuf, and what perf
// sched timehist, latency and map print.
//
// What was recorded are switches, wakeups, forks and moves by load balancing.
// States of tasks that leave a CPU are told by what happens to them next:
// runnable if they run or move without a wakeup, else asleep. Times are simulated.
package trace

import (
	"context"
	"fmt"
	"slices"

	"github.com/schedlab/schedlab/schedsim"
)

// A Trace is the decisions of a run.
type Trace struct {
	CPUs   int
	Events []schedsim.TraceEvent // by time
	Names  map[schedsim.TaskID]string
	Result schedsim.Result

	from, to int64 // what is written; to 0 is all
}

// MaxEvents is how many decisions a trace keeps at most: 32 bytes each in memory,
// and some 150 as text.
const MaxEvents = 1 << 22

// Capture runs a configuration and keeps its last events, Config.TraceEvents of
// them. It is an error for there to be more, since a trace with a hole misleads.
func Capture(ctx context.Context, cfg schedsim.Config) (*Trace, error) {
	if cfg.TraceEvents < 1 || cfg.TraceEvents > MaxEvents {
		return nil, fmt.Errorf("trace: %d events to keep, want 1 to %d; shorten what is measured", cfg.TraceEvents, MaxEvents)
	}
	cfg.Stretch = true
	r, events, names, err := schedsim.RunNamed(ctx, cfg)
	if err != nil {
		return nil, err
	}
	t := &Trace{CPUs: len(cfg.Machine.CPUs), Events: events, Names: make(map[schedsim.TaskID]string, len(names)), Result: r}
	for id, name := range names {
		t.Names[schedsim.TaskID(id)] = name
	}
	return t, nil
}

// Window returns the trace of which only what is from one time to another, ns, is
// written. What was before it is still known.
func (t *Trace) Window(from, to int64) *Trace {
	out := *t
	out.from, out.to = from, to
	return &out
}

// idle is the idle task.
const idle = schedsim.TaskID(-1)

// pid is a task's number in a trace: 0 is the idle task's.
func pid(id schedsim.TaskID) int { return int(id) + 1 }

// comm is the name of a task, of which the kernel keeps 15 bytes.
func (t *Trace) comm(id schedsim.TaskID, cpu int32) string {
	const taskCommLen = 15
	name := t.Names[id]
	switch {
	case id == idle:
		name = fmt.Sprintf("swapper/%d", cpu)
	case name == "":
		name = fmt.Sprintf("task-%d", id)
	}
	return name[:min(len(name), taskCommLen)]
}

// A step is an event with what was on its CPU before.
type step struct {
	schedsim.TraceEvent
	prev     schedsim.TaskID // current on CPU
	known    bool            // prev is: there was a switch on that CPU before
	runnable bool            // of a switch: prev was taken off while it could run
	from     int32           // of a move: where the task was, or -1
}

// steps are the events of the window.
func (t *Trace) steps() []step {
	return slices.DeleteFunc(t.allSteps(), func(s step) bool { return !t.shows(s.Time) })
}

// shows reports whether a time is in the window.
func (t *Trace) shows(at int64) bool { return t.to == 0 || at >= t.from && at <= t.to }

// allSteps adds to each event what it changes.
func (t *Trace) allSteps() []step {
	out := make([]step, len(t.Events))
	current := make([]schedsim.TaskID, t.CPUs)
	known := make([]bool, t.CPUs)
	for i := range current {
		current[i] = idle
	}
	where := make(map[schedsim.TaskID]int32)
	for i, e := range t.Events {
		s := step{TraceEvent: e, prev: current[e.CPU], known: known[e.CPU], from: -1}
		if cpu, ok := where[e.Task]; ok {
			s.from = cpu
		}
		if e.Kind == schedsim.TraceSwitch {
			current[e.CPU], known[e.CPU] = e.Task, true
		}
		if e.Task != idle {
			where[e.Task] = e.CPU
		}
		out[i] = s
	}
	next := make(map[schedsim.TaskID]schedsim.EventKind)
	for i := len(out) - 1; i >= 0; i-- {
		s := &out[i]
		if s.Kind == schedsim.TraceSwitch && s.prev != idle {
			k, ok := next[s.prev]
			s.runnable = ok && k != schedsim.TraceWakeup
		}
		if s.Task != idle {
			next[s.Task] = s.Kind
		}
	}
	return out
}
