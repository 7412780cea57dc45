package scenario

import (
	"fmt"
	"math"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// The kernel threads of the guests. They run seldom, and preempt hogs, make a CPU that
// has as much as the others look busier to a balance, and are woken in the name of whom
// the timer interrupts, which counts in wake_wide.
//
// How often is what event traces show, of two machines: those of 2socket-smt are unfiltered,
// three boots each of 6.1 and 6.12, 113 s of nine scenarios, and have the wakeups
// (sched_waking) outside of the time before and after; those of 4core show how often tasks of
// nice-many and groups-many, which are never idle, have to make room, three boots each, 97 s
// of their time. A second, all CPUs together, 6.1 and 6.12:
//
//	             2socket-smt   4core        a run, the median of 2socket-smt
//	kworker      4.4   4.9     4.7   5.7    100 and 134 us
//	ksoftirqd    3.2   3.3     0.8   2.4     67 and  81
//	rcu_preempt  4.3   3.5     2.4   2.0     65 and  83
//	kcompactd    1.9   1.9     1.9   1.9     96 and 100, each half of a second
//	migration    1.4   1.1     1.0   1.1     78 and  99: the watchdog's, each four seconds
//
// The first two are bound to CPUs, of which there are four. The mean of the four is taken, and
// intervals are drawn from an exponential distribution (assumed; wakeups of rcu_preempt come
// in threes). A run is the mean of the medians. Left out are the migration threads, which are no
// fair tasks.
var emulatedDaemons = []kernelThread{
	{"kworker", true, 4 * time.Second * 10 / 49},
	{"ksoftirqd", true, 4 * time.Second * 10 / 24},
	{"rcu_preempt", false, time.Second * 10 / 30},
	{"kcompactd", false, time.Second * 10 / 19},
}

// Those of 1cpu: of traces of one boot each of 6.1 and 6.12, 112 and 108 s, how often one comes
// between tasks of the scenarios. 6.1 has 2.6 kworker, 0.3 ksoftirqd, 2.1 rcu_preempt and 1.9
// kcompactd a second, 6.12 has 3.1, 0.4, 1.9 and 1.9; runs of 18 to 35 us, the median 19.
var countedDaemons = []kernelThread{
	{"kworker", true, time.Second * 10 / 29},
	{"ksoftirqd", true, time.Second * 10 / 3},
	{"rcu_preempt", false, time.Second * 10 / 20},
	{"kcompactd", false, time.Second * 10 / 19},
}

// kernelThread is a kind of daemon.
type kernelThread struct {
	name     string
	bound    bool          // one a CPU
	interval time.Duration // mean, of each
}

// startDaemons creates the kernel threads of the guest, asleep.
func (p *program) startDaemons(s *schedsim.Sched) {
	cpus := len(p.guest.Machine.CPUs)
	for i, d := range p.guest.costs.daemons {
		n := 1
		if d.bound {
			n = cpus
		}
		for k := range n {
			t := s.Spawn(fmt.Sprintf("%s/%d", d.name, k), daemon, k%cpus, 0)
			t.Arg = int32(i)
			p.others = append(p.others, t)
			if d.bound {
				s.SetAffinity(t, k)
			}
		}
	}
}

// countDaemons is how many startDaemons creates.
func (p *program) countDaemons() int {
	n := 0
	for _, d := range p.guest.costs.daemons {
		if d.bound {
			n += len(p.guest.Machine.CPUs)
		} else {
			n++
		}
	}
	return n
}

// nextDaemon is what a daemon does: it runs a little and sleeps.
func (p *program) nextDaemon(t *schedsim.Task) schedsim.Op {
	work := int64(p.guest.costs.daemonRun - p.guest.costs.switchTask)
	if t.PC == 0 {
		t.PC, work = 1, 0 // just created
	}
	wait := -float64(p.guest.costs.daemons[t.Arg].interval) * math.Log(1-t.Rand.Float64())
	return schedsim.Op{Kind: schedsim.OpSleep, Work: work, Arg64: int64(wait)}
}
