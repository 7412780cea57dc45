package schedsim

import (
	"fmt"
	"strings"
)

// A run in which nothing can happen any more: all CPUs are idle, no timer runs, no
// wakeup is on its way, and there are tasks that wait for others that wait too.
// The tick of the machine would go on for ever. It is no deadlock if all tasks are
// dead: that load is done.

// Deadlock is the error of such a run.
type Deadlock struct {
	At       int64 // ns, simulated, since the start
	Workload string
	Waiting  []Waiter
}

// Waiter is a task in a Deadlock and what it waits for.
type Waiter struct {
	Task    TaskID
	Name    string
	Op      OpKind // OpRecv, OpFutexWait, OpRead or OpWrite
	Channel int32  // that the operation is on, or buffer
}

// waitsFor words what an operation waits for; others do not.
var waitsFor = map[OpKind]string{
	OpRecv:      "a message in channel",
	OpFutexWait: "a post to channel",
	OpRead:      "a message in buffer",
	OpWrite:     "room in buffer",
}

// String says what the task waits for.
func (w Waiter) String() string {
	return fmt.Sprintf("task %d (%s) waits for %s %d", w.Task, w.Name, waitsFor[w.Op], w.Channel)
}

// Error names the first few tasks.
func (d *Deadlock) Error() string {
	const some = 8
	var b strings.Builder
	fmt.Fprintf(&b, "schedsim: workload %s is deadlocked after %.6f s: no event can fire", d.Workload, float64(d.At)/1e9)
	for i, w := range d.Waiting {
		if i == some {
			fmt.Fprintf(&b, "; and %d more", len(d.Waiting)-some)
			break
		}
		fmt.Fprintf(&b, "; %v", w)
	}
	return b.String()
}

// checkDeadlock is called now and then, when all CPUs are idle.
func (s *Sched) checkDeadlock() {
	if s.startErr != nil || len(s.timers.heap) > 0 || s.q.at(s.bandwidthSlot) >= 0 || s.q.at(s.classSlot) >= 0 {
		return
	}
	for _, ci := range s.online {
		c := &s.cpus[ci]
		if c.act != actIdle || c.nrRunning > 0 || len(c.wakeList) > 0 || s.q.at(ci) >= 0 || s.q.at(s.ipiSlot(ci)) >= 0 || s.cfs[ci].nrRunning > 0 {
			return
		}
	}
	d := &Deadlock{At: s.now - bootTime, Workload: s.w.Name()}
	for i := range s.tasks[:s.born] {
		t := &s.tasks[i]
		if t.state != taskSleeping || !t.inOp || waitsFor[t.op.Kind] == "" {
			if t.state != taskDead {
				return // asleep for a reason of its own
			}
			continue
		}
		d.Waiting = append(d.Waiting, Waiter{t.ID, t.Name, t.op.Kind, t.op.Arg})
	}
	if len(d.Waiting) > 0 {
		s.startErr = d
	}
}
