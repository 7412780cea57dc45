package schedsim

import (
	"math"
	"math/bits"
)

// Per-entity load tracking as kernels since 4.12 compute it: geometric sums
// with y^32 = 1/2 over periods of 1024 units of 1024 ns, in integers. What v3.10
// and v4.18 do otherwise is in pelt_v310.go and pelt_v418.go.

// peltForm is the form of load tracking that a version has.
type peltForm uint8

const (
	peltScaledClock peltForm = iota // since v5.7: clock_pelt, runnable_avg
	peltV418                        // runnable_load_avg, contributions scaled
	peltV310                        // per-entity contributions, no utilisation
)

// buildLoadTracking chooses the form of load tracking.
func (s *Sched) buildLoadTracking() {
	switch {
	case !s.since(4, 12):
		s.pelt = peltV310
	case !s.since(5, 7):
		s.pelt = peltV418
	}
}

// addGroupLoad makes what the queues of a new group track.
func (s *Sched) addGroupLoad() {
	n := len(s.cpus)
	switch s.pelt {
	case peltV310:
		for range n {
			s.cfsV310 = append(s.cfsV310, cfsLoadV310{decayCounter: 1, lastDecay: s.now >> 20})
		}
	case peltV418:
		for i := len(s.cfs) - n; i < len(s.cfs); i++ {
			if se := s.cfs[i].se; se != none {
				s.ents[se].runnableWeight = s.ents[se].load.weight
			}
		}
	}
}

const (
	unit          = 1024  // ns; nothing happens within one
	loadAvgPeriod = 32    // y^32 = 1/2
	loadAvgMax    = 47742 // sum of 1024*y^n over n >= 0, in the kernel's integer arithmetic
)

// avgYInv[n] is y^n * 2^32 (kernel: runnable_avg_yN_inv).
var avgYInv = [loadAvgPeriod]uint32{
	0xffffffff, 0xfa83b2da, 0xf5257d14, 0xefe4b99a, 0xeac0c6e6, 0xe5b906e6, 0xe0ccdeeb, 0xdbfbb796,
	0xd744fcc9, 0xd2a81d91, 0xce248c14, 0xc9b9bd85, 0xc5672a10, 0xc12c4cc9, 0xbd08a39e, 0xb8fbaf46,
	0xb504f333, 0xb123f581, 0xad583ee9, 0xa9a15ab4, 0xa5fed6a9, 0xa2704302, 0x9ef5325f, 0x9b8d39b9,
	0x9837f050, 0x94f4efa8, 0x91c3d373, 0x8ea4398a, 0x8b95c1e3, 0x88980e80, 0x85aac367, 0x82cd8698,
}

// schedAvg is struct sched_avg: the sums, and the averages derived from them
// whenever a period rolls over.
type schedAvg struct {
	lastUpdate  int64 // ns of clock_pelt; 0 means not attached to a cfs_rq
	loadSum     int64
	runnableSum int64
	utilSum     int64
	load        int64
	runnable    int64 // runnable_avg, or runnable_load_avg before v5.7
	util        int64
	period      uint32 // period_contrib: units into the current period
	estEnqueued uint32 // util_est.enqueued; of a root the sum over its tasks
	estEwma     uint32 // util_est.ewma
	estChanged  bool   // the averages changed since the last sample (!UTIL_AVG_UNCHANGED)
}

// divider is the largest value that a sum can have at this point of a period.
func (a *schedAvg) divider() int64 { return loadAvgMax - 1024 + int64(a.period) }

// decay is y^n for a number of periods: halved so often, and times inv/2^32.
type decay struct{ halved, inv uint64 }

func decayOf(n uint64) decay {
	if n > loadAvgPeriod*63 {
		return decay{}
	}
	return decay{n / loadAvgPeriod, uint64(avgYInv[n%loadAvgPeriod])}
}

// of returns val * y^n, rounded as the kernel rounds.
func (d decay) of(val int64) int64 {
	hi, lo := bits.Mul64(uint64(val)>>(d.halved&63), d.inv)
	return int64(hi<<32 | lo>>32)
}

// decayLoad returns val * y^n.
func decayLoad(val int64, n uint64) int64 { return decayOf(n).of(val) }

// lapse is what a stretch of time means to sums at some point of a period: they decay
// by decay if a period rolled over, which it tells, and what went on all the time adds
// contrib.
type lapse struct {
	decay   decay
	contrib int64
	rolled  bool
}

// elapse moves a's time to now, which is at least a unit later, and returns what that
// means.
func (a *schedAvg) elapse(now int64) (l lapse) {
	units := uint64(now-a.lastUpdate) >> 10
	a.lastUpdate += int64(units << 10)
	total := units + uint64(a.period)
	l.contrib = int64(units)
	if periods := total >> 10; periods > 0 {
		total &= 1023
		l.rolled = true
		l.decay = decayOf(periods)
		// The rest of the old period, the full ones, the new one so far.
		l.contrib = l.decay.of(int64(1024-a.period)) + loadAvgMax - l.decay.of(loadAvgMax) - 1024 + int64(total)
	}
	a.period = uint32(total)
	return l
}

// add brings the sums up to the end of l. load, runnable and running are the entity's
// state meanwhile.
func (a *schedAvg) add(l lapse, load, runnable int64, running bool) {
	if l.rolled {
		a.loadSum = l.decay.of(a.loadSum)
		a.runnableSum = l.decay.of(a.runnableSum)
		a.utilSum = l.decay.of(a.utilSum)
	}
	if load == 0 {
		return // nor is it runnable, nor does it run
	}
	a.loadSum += load * l.contrib
	a.runnableSum += runnable * l.contrib << 10
	if running {
		a.utilSum += l.contrib << 10
	}
}

// accumulate brings the sums to now. load, runnable and running are the
// entity's state since the last update. It reports whether a period rolled
// over, that is, whether the averages are due (___update_load_sum).
func (a *schedAvg) accumulate(now int64, load, runnable int64, running bool) bool {
	delta := now - a.lastUpdate
	if delta < 0 {
		a.lastUpdate = now
		return false
	}
	if delta < unit {
		return false
	}
	l := a.elapse(now)
	a.add(l, load, runnable, running)
	return l.rolled
}

// average derives the averages from the sums (___update_load_avg).
func (a *schedAvg) average(weight int64) {
	load, runnable, util := uint64(weight*a.loadSum), uint64(a.runnableSum), uint64(a.utilSum)
	if (load|runnable|util)>>48 != 0 || a.period >= 1024 {
		d := uint64(a.divider())
		a.load, a.runnable, a.util = int64(load/d), int64(runnable/d), int64(util/d)
		return
	}
	inverse := dividerInverse[a.period&1023]
	load, _ = bits.Mul64(load, inverse)
	runnable, _ = bits.Mul64(runnable, inverse)
	util, _ = bits.Mul64(util, inverse)
	a.load, a.runnable, a.util = int64(load), int64(runnable), int64(util)
}

// average1 is the average of one sum.
func (a *schedAvg) average1(sum int64) int64 {
	if uint64(sum)>>48 != 0 || a.period >= 1024 {
		return sum / a.divider()
	}
	avg, _ := bits.Mul64(uint64(sum), dividerInverse[a.period&1023])
	return int64(avg)
}

// dividerInverse is 2^64 by the divider at each point of a period, rounded up. It
// is less than 2^64 by the divider plus one, so that the product with what is less
// than 2^48 has the quotient in its upper half: a divider is less than 2^16.
var dividerInverse = func() (inverse [1024]uint64) {
	for period := range inverse {
		a := schedAvg{period: uint32(period)}
		inverse[period] = math.MaxUint64/uint64(a.divider()) + 1
	}
	return inverse
}()

// subPositive subtracts without going below zero, as concurrent updates and
// rounding could make it.
func subPositive(p *int64, v int64) { *p = max(*p-v, 0) }

// addPositive adds a signed delta without going below zero.
func addPositive(p *int64, delta int64) { *p = max(*p+delta, 0) }

// minDivider is PELT_MIN_DIVIDER.
const minDivider = loadAvgMax - 1024

// keepSum keeps a sum of a cfs_rq from falling below what its average needs at least.
// Since v5.17 kernels do so wherever something is taken off: rounding could take all of
// a sum and leave its average. They do it in 32 bits, a sum that is larger included.
func keepSum(sum *int64, avg int64) {
	*sum = int64(max(uint32(*sum), uint32(avg*minDivider)))
}

// peltLag is migrate_se_pelt_lag, since v6.0: a task that leaves an idle CPU in its
// sleep is decayed for the time that the CPU's clock stood still.
func (s *Sched) peltLag(t *Task, q *cfsRQ) {
	c := &s.cpus[q.cpu]
	a := &s.ents[t.se].avg
	if c.curr != none || a.gone() {
		return
	}
	s.ageBlocked(t.se, max(s.now-c.lostIdle, q.avg.lastUpdate))
}

// propagateBounded is propagateLoadAvg since v5.17: sums of the queue change by what
// changed, and do not fall below what their averages need.
func (s *Sched) propagateBounded(q *cfsRQ, e *entity, g *cfsRQ) {
	a, d := &e.avg, q.avg.divider()
	if delta := g.avg.util - a.util; delta != 0 {
		a.util = g.avg.util
		sum := a.util * d
		addPositive(&q.avg.util, delta)
		addPositive(&q.avg.utilSum, sum-a.utilSum)
		keepSum(&q.avg.utilSum, q.avg.util)
		a.utilSum = sum
	}
	if delta := g.avg.runnable - a.runnable; delta != 0 {
		a.runnable = g.avg.runnable
		sum := a.runnable * d
		addPositive(&q.avg.runnable, delta)
		addPositive(&q.avg.runnableSum, sum-a.runnableSum)
		keepSum(&q.avg.runnableSum, q.avg.runnable)
		a.runnableSum = sum
	}

	sum := g.propRunnableSum
	if sum == 0 {
		return
	}
	g.propRunnableSum = 0
	if sum >= 0 {
		sum = min(sum+a.loadSum, d)
	} else {
		load := int64(0)
		if w := scaleDown(g.load.weight); w != 0 {
			load = g.avg.loadSum / w
		}
		sum = min(a.loadSum, load)
	}
	sum = max(sum, a.utilSum>>10)
	w := scaleDown(e.load.weight)
	load := w * sum / d
	if load == a.load {
		return
	}
	addPositive(&q.avg.load, load-a.load)
	addPositive(&q.avg.loadSum, w*sum-w*a.loadSum)
	keepSum(&q.avg.loadSum, q.avg.load)
	a.loadSum, a.load = sum, load
}
