package scenario

import (
	"slices"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// The guests' ticks, and how many more of them grace periods take after the last exit: see
// families.
const (
	guestTick = 4 * time.Millisecond
	graceLast = 2
)

// families are the children of who forks, and what the kernel thread does that their births and
// exits keep awake: what an exit frees waits for a grace period of RCU, and rcu_preempt, the
// thread of those, is woken by each tick while one is asked for. In the traces of cost-forks that
// is from the tick after the parent wakes, and reaps, to the second one after the last exit:
// 1.9 to 2.0 wakeups after that a turn, of both kernels. On 6.1 it is this thread that preempts
// who forks, and not the children: in a boot of fork-burst on 1cpu 59 times, a child once.
type families struct {
	living int   // children
	gone   int64 // when the last one exited
	due    int64 // when the parent wakes, or has woken; one task of a scenario forks
}

// startGrace creates that thread, if anybody forks. What others wake it for is among the
// daemons.
func (p *program) startGrace(s *schedsim.Sched) {
	if slices.ContainsFunc(p.sc.Tasks, forks) {
		p.families.due = p.start
		p.others = append(p.others, s.Spawn("rcu_preempt", grace, 0, 0))
	}
}

func forks(t Task) bool {
	return slices.ContainsFunc(t.Ops, func(o Op) bool { return o.Kind == Fork })
}

// nextGrace is what it does: it runs a little at a tick, and sleeps until the next one.
func (p *program) nextGrace(s *schedsim.Sched, t *schedsim.Task) schedsim.Op {
	work := int64(p.guest.costs.daemonRun - p.guest.costs.switchTask)
	if t.PC == 0 {
		t.PC, work = 1, 0 // just created
	}
	f, at := &p.families, s.Now()+work
	if f.living == 0 && at >= f.gone+graceLast*int64(guestTick) {
		at = max(at, f.due)
	}
	at += int64(guestTick) - at%int64(guestTick)
	return schedsim.Op{Kind: schedsim.OpSleep, Work: work, Arg64: at - s.Now() - work}
}

// childExits is what a child does last.
func (p *program) childExits(s *schedsim.Sched) schedsim.Op {
	p.families.living--
	p.families.gone = s.Now()
	return schedsim.Op{Kind: schedsim.OpExit, Work: int64(p.guest.costs.childExit)}
}
