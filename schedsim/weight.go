package schedsim

import (
	"math"
	"math/bits"
)

// Load weights, and scaling by them.
//
// Since v4.7 a 64-bit kernel stores weights with ten more bits than PELT uses.
// Before, it did not: the model stores them alike for all versions, and v3.10's
// groups have weights that are whole multiples (calcSharesV310).

const (
	fixedShift = 10 // load.weight is kept <<10 on 64-bit since 4.7
	nice0Load  = 1024 << fixedShift
)

// scaleDown turns a stored weight into the unit that PELT uses.
func scaleDown(w int64) int64 {
	if w == 0 {
		return 0
	}
	return max(2, w>>fixedShift)
}

// loadWeight is struct load_weight: a weight and its cached inverse.
type loadWeight struct {
	weight int64
	inv    uint32 // 2^32 / scaled-down weight; 0 when stale
}

func (l *loadWeight) set(w int64) { l.weight, l.inv = w, 0 }

// setPolicy sets the weight of a task, with the inverse that the kernel has in a
// table (sched_prio_to_wmult).
func (l *loadWeight) setPolicy(a *SchedAttr) {
	l.set(a.weight())
	if a.Policy != PolicyIdle {
		l.inv = prioToWmult[a.Nice+20]
	}
}

func (l *loadWeight) add(w int64) { l.set(l.weight + w) }

// prioToWmult is sched_prio_to_wmult: 2^32 by the weight of nice-20, most of
// them rounded.
var prioToWmult = [40]uint32{
	48388, 59856, 76040, 92818, 118348, 147320, 184698, 229616, 287308, 360437,
	449829, 563644, 704093, 875809, 1099582, 1376151, 1717300, 2157191, 2708050, 3363326,
	4194304, 5237765, 6557202, 8165337, 10153587, 12820798, 15790321, 19976592, 24970740, 31350126,
	39045157, 49367440, 61356676, 76695844, 95443717, 119304647, 148102320, 186737708, 238609294, 286331153,
}

// inverse is the inverse of a weight since v3.12.
func (l *loadWeight) inverse() uint64 {
	if l.inv == 0 {
		switch w := scaleDown(l.weight); {
		case w >= 1<<32-1:
			l.inv = 1
		case w == 0:
			l.inv = 1<<32 - 1
		default:
			l.inv = uint32((1<<32 - 1) / uint64(w))
		}
	}
	return uint64(l.inv)
}

// inverse310 is the inverse before v3.12, of one more.
func (l *loadWeight) inverse310() uint64 {
	if l.inv == 0 {
		switch w := scaleDown(l.weight); {
		case w >= 1<<32:
			l.inv = 1
		case w == 0:
			l.inv = 1<<32 - 1
		default:
			l.inv = uint32(1 << 32 / uint64(w)) // w >= 2: see scaleDown
		}
	}
	return uint64(l.inv)
}

// calcDelta returns delta * weight / lw: by the inverse, truncating since v3.12
// (__calc_delta), rounding before (calc_delta_mine).
func (s *Sched) calcDelta(delta, weight int64, lw *loadWeight) int64 {
	if !s.since(3, 12) {
		return calcDelta310(delta, weight, lw)
	}
	return calcDelta(delta, weight, lw)
}

// calcDeltaFair turns ns of run time into vruntime of a weight
// (calc_delta_fair).
func (s *Sched) calcDeltaFair(delta int64, lw *loadWeight) int64 {
	if lw.weight == nice0Load {
		return delta
	}
	return s.calcDelta(delta, nice0Load, lw)
}

func calcDelta(delta, weight int64, lw *loadWeight) int64 {
	fact := uint64(scaleDown(weight)) * lw.inverse()
	shift := 32
	if n := bits.Len64(fact); n > 32 {
		fact >>= n - 32
		shift -= n - 32
	}
	hi, lo := bits.Mul64(uint64(delta), fact)
	return int64(hi<<(64-shift) | lo>>shift)
}

func calcDelta310(delta, weight int64, lw *loadWeight) int64 {
	// srr shifts right and rounds half up.
	srr := func(v uint64, n int) uint64 { return (v + 1<<(n-1)) >> n }
	v := uint64(delta) * uint64(scaleDown(weight))
	if v > 1<<32 {
		v = srr(srr(v, 16)*lw.inverse310(), 16)
	} else {
		v = srr(v*lw.inverse310(), 32)
	}
	return int64(min(v, math.MaxInt64))
}
