// Package timeline makes of a run's decisions what can be looked at: which task
// ran and waited where and when, how long wakeups took, which CPUs idled while
// others had a queue, and how far tasks moved.
//
// It knows what schedsim.RunTrace kept. A task that was on a CPU before the first
// of these is unknown until its next switch; how a task left its CPU is told by
// what happens to it next, and unknown if nothing does.
package timeline

import (
	"cmp"
	"slices"

	"github.com/schedlab/schedlab/schedsim"
)

// none is the idle task.
const none = schedsim.TaskID(-1)

// A Span is a task on a CPU, running or waiting there.
type Span struct {
	CPU      int32
	Task     schedsim.TaskID
	From, To int64 // ns
}

// A MoveKind is why a task is on another CPU.
type MoveKind uint8

// The kinds.
const (
	ByWakeup MoveKind = iota
	ByBalance
)

// A Move is a task that is on another CPU than before.
type Move struct {
	Task     schedsim.TaskID
	At       int64 // ns
	From, To int32
	Kind     MoveKind
}

// A Timeline is what happened between two times.
type Timeline struct {
	From, To int64 // ns
	CPUs     int
	Running  []Span // by CPU, then time
	Waiting  []Span // runnable, by CPU, then time
	Moves    []Move // by time
	// Latencies are from a wakeup to the task's running, ns, in the order of the
	// ends.
	Latencies []int64
}

// Build makes the timeline of a machine of so many CPUs between two times; to 0 is
// the last event.
func Build(events []schedsim.TraceEvent, cpus int, from, to int64) *Timeline {
	if to == 0 && len(events) > 0 {
		to = events[len(events)-1].Time
	}
	b := builder{
		Timeline: &Timeline{From: from, To: to, CPUs: cpus},
		current:  make([]schedsim.TaskID, cpus),
		since:    make([]int64, cpus),
		tasks:    make(map[schedsim.TaskID]*taskState),
	}
	for i := range b.current {
		b.current[i], b.since[i] = none, -1
	}
	fates := fatesOf(events, cpus)
	for i, e := range events {
		if e.Time > to {
			break
		}
		b.add(e, fates[i])
	}
	for ci := range b.current {
		if b.current[ci] != none {
			b.span(&b.Running, Span{int32(ci), b.current[ci], b.since[ci], to})
		}
	}
	for id, t := range b.tasks {
		if t.waiting {
			b.span(&b.Waiting, Span{t.cpu, id, t.since, to})
		}
	}
	for _, spans := range [][]Span{b.Running, b.Waiting} {
		slices.SortFunc(spans, func(x, y Span) int {
			return cmp.Or(cmp.Compare(x.CPU, y.CPU), cmp.Compare(x.From, y.From), cmp.Compare(x.Task, y.Task))
		})
	}
	return b.Timeline
}

// fate is what becomes of a task that a switch takes off its CPU.
type fate uint8

const (
	unknown fate = iota
	slept
	preempted
)

// fatesOf tells for each switch what became of the task that was there before.
func fatesOf(events []schedsim.TraceEvent, cpus int) []fate {
	before := make([]schedsim.TaskID, len(events))
	current := make([]schedsim.TaskID, cpus)
	for i := range current {
		current[i] = none
	}
	for i, e := range events {
		before[i] = none
		if e.Kind == schedsim.TraceSwitch {
			before[i] = current[e.CPU]
			current[e.CPU] = e.Task
		}
	}
	fates := make([]fate, len(events))
	next := make(map[schedsim.TaskID]fate)
	for i := len(events) - 1; i >= 0; i-- {
		e := events[i]
		if before[i] != none {
			fates[i] = next[before[i]]
		}
		switch e.Kind {
		case schedsim.TraceWakeup:
			next[e.Task] = slept
		case schedsim.TraceSwitch, schedsim.TraceMigrate:
			if e.Task != none {
				next[e.Task] = preempted
			}
		}
	}
	return fates
}

type taskState struct {
	cpu     int32
	known   bool // cpu is
	waiting bool
	since   int64 // of waiting
	woken   bool  // and not run since
	wokenAt int64
}

type builder struct {
	*Timeline
	current []schedsim.TaskID
	since   []int64
	tasks   map[schedsim.TaskID]*taskState
}

func (b *builder) task(id schedsim.TaskID) *taskState {
	t := b.tasks[id]
	if t == nil {
		t = &taskState{}
		b.tasks[id] = t
	}
	return t
}

// span adds what of a span is within the timeline.
func (b *builder) span(to *[]Span, s Span) {
	s.From, s.To = max(s.From, b.From), min(s.To, b.To)
	if s.From < s.To {
		*to = append(*to, s)
	}
}

func (b *builder) add(e schedsim.TraceEvent, f fate) {
	switch e.Kind {
	case schedsim.TraceSwitch:
		b.switchTo(e, f)
	case schedsim.TraceWakeup:
		t := b.task(e.Task)
		b.place(t, e, ByWakeup)
		t.waiting, t.since, t.woken, t.wokenAt = true, e.Time, true, e.Time
	case schedsim.TraceFork:
		t := b.task(e.Task)
		t.cpu, t.known = e.CPU, true
		t.waiting, t.since, t.woken, t.wokenAt = true, e.Time, true, e.Time
	case schedsim.TraceMigrate:
		t := b.task(e.Task)
		if t.waiting {
			b.span(&b.Waiting, Span{t.cpu, e.Task, t.since, e.Time})
		}
		b.place(t, e, ByBalance)
		t.waiting, t.since = true, e.Time
	}
}

func (b *builder) place(t *taskState, e schedsim.TraceEvent, kind MoveKind) {
	if t.known && t.cpu != e.CPU && e.Time >= b.From {
		b.Moves = append(b.Moves, Move{e.Task, e.Time, t.cpu, e.CPU, kind})
	}
	t.cpu, t.known = e.CPU, true
}

func (b *builder) switchTo(e schedsim.TraceEvent, f fate) {
	if prev := b.current[e.CPU]; prev != none {
		b.span(&b.Running, Span{e.CPU, prev, b.since[e.CPU], e.Time})
		t := b.task(prev)
		t.cpu, t.known = e.CPU, true
		t.waiting, t.since = f == preempted, e.Time
	}
	b.current[e.CPU], b.since[e.CPU] = e.Task, e.Time
	if e.Task == none {
		return
	}
	t := b.task(e.Task)
	if t.waiting {
		b.span(&b.Waiting, Span{e.CPU, e.Task, t.since, e.Time})
	}
	if t.woken && t.wokenAt >= b.From {
		b.Latencies = append(b.Latencies, e.Time-t.wokenAt)
	}
	t.cpu, t.known, t.waiting, t.woken = e.CPU, true, false, false
}
