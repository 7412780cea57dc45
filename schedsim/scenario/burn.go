package scenario

import (
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// run is what a task does to use an amount of CPU time, as the guests' program does: it reads
// its clock, burns 95 % of what is left at the speed that it saw last, and reads the clock
// again, until the time is over. What the host steals counts as time used, and makes the next
// run believe that the CPU is slow.
type run struct {
	active bool
	end    int64   // its clock's, ns
	asked  int64   // work burnt since the clock was read, ns; 0 if none
	read   int64   // what the clock showed
	speed  float64 // work a ns of its clock, 1 at first
}

// Each burn is at least leastBurn: 20 turns of the program's loop, of which there are 0.05 a ns.
const leastBurn = 20 / 0.05 * time.Nanosecond

// next returns the next operation of a run of d, and whether the run goes on. A look at the
// clock takes that long.
func (r *run) next(s *schedsim.Sched, t *schedsim.Task, d, clock time.Duration) (schedsim.Op, bool) {
	read := schedsim.Op{Kind: schedsim.OpReadClock, Work: int64(clock)}
	now := s.TaskStats(t).ExecNS
	switch {
	case !r.active:
		*r = run{active: true, end: -1, speed: r.speed}
		if r.speed == 0 {
			r.speed = 1
		}
		return read, true
	case r.end < 0:
		r.end = now + int64(d)
	case r.asked > 0 && r.read >= 0:
		// It has burnt, and is to read the clock.
		r.read = -1 - r.read
		return read, true
	case r.asked > 0:
		if took := now - (-1 - r.read); took > 0 {
			r.speed = float64(r.asked) / float64(took)
		}
	}
	if now >= r.end {
		r.active = false
		return schedsim.Op{}, false
	}
	r.read = now
	r.asked = int64(float64(r.end-now)*r.speed*0.95) + int64(leastBurn)
	return schedsim.Op{Kind: schedsim.OpCompute, Work: r.asked}, true
}
