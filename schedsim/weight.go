package schedsim

import "math/bits"

// Load weights, and scaling by them.

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
func (l *loadWeight) add(w int64) { l.set(l.weight + w) }

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

// calcDelta returns delta * weight / lw as __calc_delta does since 3.12: by the
// inverse, truncating.
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

// calcDeltaFair turns ns of run time into vruntime of a weight.
func calcDeltaFair(delta int64, lw *loadWeight) int64 {
	if lw.weight == nice0Load {
		return delta
	}
	return calcDelta(delta, nice0Load, lw)
}
