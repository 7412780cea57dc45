package schedsim

import "math/bits"

// Per-entity load tracking as kernels since 4.12 compute it: geometric sums
// with y^32 = 1/2 over periods of 1024 units of 1024 ns, in integers.

const (
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
	runnable    int64
	util        int64
	period      uint32 // period_contrib: units into the current period
	estEnqueued uint32 // util_est.enqueued
	estEwma     uint32 // util_est.ewma
}

// divider is the largest value that a sum can have at this point of a period.
func (a *schedAvg) divider() int64 { return loadAvgMax - 1024 + int64(a.period) }

// decayLoad returns val * y^n, rounded as the kernel rounds.
func decayLoad(val int64, n uint64) int64 {
	if n > loadAvgPeriod*63 {
		return 0
	}
	v := uint64(val) >> (n / loadAvgPeriod)
	hi, lo := bits.Mul64(v, uint64(avgYInv[n%loadAvgPeriod]))
	return int64(hi<<32 | lo>>32)
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
	units := uint64(delta) >> 10
	if units == 0 {
		return false
	}
	a.lastUpdate += int64(units << 10)
	if load == 0 {
		runnable, running = 0, false
	}

	contrib := int64(units)
	total := units + uint64(a.period)
	periods := total >> 10
	if periods > 0 {
		a.loadSum = decayLoad(a.loadSum, periods)
		a.runnableSum = decayLoad(a.runnableSum, periods)
		a.utilSum = decayLoad(a.utilSum, periods)
		total &= 1023
		if load != 0 {
			// The rest of the old period, the full ones, the new one so far.
			contrib = decayLoad(int64(1024-a.period), periods) +
				loadAvgMax - decayLoad(loadAvgMax, periods) - 1024 +
				int64(total)
		}
	}
	a.period = uint32(total)
	if load != 0 {
		a.loadSum += load * contrib
	}
	if runnable != 0 {
		a.runnableSum += runnable * contrib << 10
	}
	if running {
		a.utilSum += contrib << 10
	}
	return periods > 0
}

// average derives the averages from the sums (___update_load_avg).
func (a *schedAvg) average(weight int64) {
	d := uint64(a.divider())
	a.load = int64(uint64(weight*a.loadSum) / d)
	a.runnable = int64(uint64(a.runnableSum) / d)
	a.util = int64(uint64(a.utilSum) / d)
}

// subPositive subtracts without going below zero, as concurrent updates and
// rounding could make it.
func subPositive(p *int64, v int64) { *p = max(*p-v, 0) }

// addPositive adds a signed delta without going below zero.
func addPositive(p *int64, delta int64) { *p = max(*p+delta, 0) }
