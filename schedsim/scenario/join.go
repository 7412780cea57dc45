package scenario

import (
	"math"

	"github.com/schedlab/schedlab/schedsim"
)

// A task of the guests joins its group when it starts: it writes to cgroup.procs, for which the
// kernel holds a mutex (cgroup_mutex) and stops forks and exits (cgroup_threadgroup_rwsem), the
// latter only after a grace period of RCU, unless one has just passed. So the first task that
// joins sleeps for a grace period, the others for the mutex, which is handed from one to the
// next; the tasks outside of groups have the machine for themselves meanwhile. That is what
// traces of 28 starts with groups show, on all machines, both kernels:
//
//	joinEnter   0.3 ms  from the start to the sleep: 0.2 to 0.55
//	gracePeriod         of the first, 24 of them seen whole: 8 to 126 ms, the median 20.
//	                    Least and mean of the rest: 8 and 22; exponential is assumed
//	joinHeld    0.5 ms  of CPU time from one wakeup by the mutex to the next: 0.53 where
//	                    nobody else ran
//
// joining is the mutex, and whether a grace period has passed.
type joining struct {
	held    bool
	waiting int
	passed  bool
}

// Steps of a task that joins.
const (
	joinComes = iota
	joinWants
	joinHolds
	joinLeaves
	joinIsIn
)

// join returns the next part of joining a group, and whether it is the last.
func (p *program) join(t *schedsim.Task, o *Op) (schedsim.Op, bool) {
	j, sub, c := &p.joining, &p.sub[t.Arg], p.guest.costs
	*sub++
	switch *sub - 1 {
	case joinComes:
		return schedsim.Op{Kind: schedsim.OpCompute, Work: int64(c.joinEnter)}, false
	case joinWants:
		if j.held {
			j.waiting++
			return schedsim.Op{Kind: schedsim.OpFutexWait, Arg: joinChannel}, false
		}
		j.held = true
		if !j.passed {
			j.passed = true
			wait := int64(c.graceLeast) + int64(-float64(c.graceFurther)*math.Log(1-t.Rand.Float64()))
			return schedsim.Op{Kind: schedsim.OpSleep, Arg64: wait}, false
		}
		*sub++
		fallthrough
	case joinHolds:
		return schedsim.Op{Kind: schedsim.OpJoinGroup, Arg: int32(p.groups[o.N]), Work: int64(c.joinHeld)}, false
	}
	*sub = 0
	if j.waiting > 0 {
		j.waiting--
		return schedsim.Op{Kind: schedsim.OpFutexWake, Arg: joinChannel}, true
	}
	j.held = false
	return schedsim.Op{Kind: schedsim.OpCompute, Work: 1}, true
}
