package scenario

import (
	"math"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// warmTime is how soon after another a sleep costs no more than B of the guest's costs.
const warmTime = 200 * time.Microsecond

// sleep returns the next part of a sleep: the call, and the way back from it. Both take the
// longer the longer ago a task went that way on this CPU: the emulator, or the host's caches,
// have forgotten it. Medians of the time over the run of a turn, less B, by the time since the
// last sleep on that CPU, of boots 7 to 9, 6.1 and 6.12, and what 50 us for each e-fold make:
//
//	sleepers-quick, after another  0.1 ms   17 and  20 us    20
//	sleeper-quick                  0.35     51      36       51
//	sleeper-short                  2.5      98     105      130
//	sleepers-and-hogs              3        96     151      139
//	wakeup-preempt                 9       201     205      191
//
// How it splits over before and after is assumed.
func (p *program) sleep(s *schedsim.Sched, t *schedsim.Task, o *Op) (schedsim.Op, bool) {
	sub, slept := &p.sub[t.Arg], &p.slept[t.CPU()]
	cold := int64(float64(p.guest.sitting().cold) * math.Log(1+float64(s.Now()-*slept)/float64(warmTime)))
	if *sub == 1 {
		*sub = 0
		return schedsim.Op{Kind: schedsim.OpCompute, Work: 1 + cold/2}, true
	}
	*sub, *slept = 1, s.Now()
	if forks(p.sc.Tasks[t.Arg]) {
		p.families.due = s.Now() + int64(o.D)
	}
	return schedsim.Op{Kind: schedsim.OpSleep, Work: int64(p.guest.costs.sleep) + cold/2, Arg64: int64(o.D)}, false
}
