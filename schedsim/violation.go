package schedsim

import (
	"fmt"
	"strings"
)

// Violation is the error of a run with Config.Check in which an invariant does not hold: a
// fault of the simulator, and never of the workload. The same Config finds it again.
type Violation struct {
	Event int64  // how many events there were since the start, the one that broke it included
	At    int64  // ns, simulated, since the start
	CPU   int32  // where, or -1 if it is no CPU in particular
	Task  TaskID // whose, or -1
	Name  string // of the task
	What  string // what was found, and what was expected
	// Recent are the last decisions, oldest first.
	Recent []TraceEvent
}

// violationEvents is how many decisions a Violation shows.
const violationEvents = 12

// Error says where and what, with a line for each of the last decisions.
func (v *Violation) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "schedsim: invariant broken at event %d, %.9f s", v.Event, float64(v.At)/1e9)
	if v.CPU != none {
		fmt.Fprintf(&b, ", CPU %d", v.CPU)
	}
	if v.Task != none {
		fmt.Fprintf(&b, ", task %d", v.Task)
		if v.Name != "" {
			fmt.Fprintf(&b, " (%s)", v.Name)
		}
	}
	fmt.Fprintf(&b, ": %s; this is a fault of the simulator, please report it with the command line", v.What)
	for i, e := range v.Recent {
		if i == 0 {
			b.WriteString("; the last decisions:")
		}
		fmt.Fprintf(&b, "\n  %.9f CPU %d %s", float64(e.Time-bootTime)/1e9, e.CPU, decided(e.Kind))
		if e.Task == none {
			b.WriteString(" idle")
		} else {
			fmt.Fprintf(&b, " task %d", e.Task)
		}
	}
	return b.String()
}

// decided words the kind of a decision.
func decided(k EventKind) string {
	switch k {
	case TraceSwitch:
		return "switches to"
	case TraceWakeup:
		return "gets the woken"
	case TraceMigrate:
		return "gets the moved"
	}
	return "gets the new"
}

// breach is an invariant that does not hold, before it has a time.
type breach struct {
	cpu  int32
	task TaskID
	what string
}

func (b *breach) Error() string {
	switch {
	case b.task != none:
		return fmt.Sprintf("CPU %d, task %d: %s", b.cpu, b.task, b.what)
	case b.cpu != none:
		return fmt.Sprintf("CPU %d: %s", b.cpu, b.what)
	}
	return b.what
}

func inMachine(format string, args ...any) error {
	return &breach{none, none, fmt.Sprintf(format, args...)}
}

func onCPU(ci int32, format string, args ...any) error {
	return &breach{ci, none, fmt.Sprintf(format, args...)}
}

func (t *Task) breach(format string, args ...any) error {
	return &breach{t.cpu, t.ID, fmt.Sprintf(format, args...)}
}

// violation dates a breach.
func (c *checker) violation(err error) error {
	s := c.s
	v := &Violation{Event: c.events, At: s.now - bootTime, CPU: none, Task: none, What: err.Error()}
	if b, ok := err.(*breach); ok {
		v.CPU, v.Task, v.What = b.cpu, b.task, b.what
		if b.task != none {
			v.Name = s.tasks[b.task].Name
		}
	}
	v.Recent = s.trace.all()
	v.Recent = v.Recent[max(0, len(v.Recent)-violationEvents):]
	return v
}
