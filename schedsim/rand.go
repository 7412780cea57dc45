package schedsim

import "math/bits"

// Rand is a splitmix64 stream (Steele, Lea, Flood, OOPSLA 2014). Each task has
// its own, so that the work a task draws does not depend on the order in which
// tasks run: both arms of a comparison see the same work.
type Rand uint64

// Uint64 returns the next 64 random bits.
func (r *Rand) Uint64() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// IntN returns a number in [0, n). The bias is below n/2^64.
func (r *Rand) IntN(n int) int {
	hi, _ := bits.Mul64(r.Uint64(), uint64(n))
	return int(hi)
}

// Float64 returns a number in [0, 1).
func (r *Rand) Float64() float64 { return float64(r.Uint64()>>11) / (1 << 53) }

// StreamFor returns the stream of a task that is known by role and number, not
// by when it was created.
func StreamFor(seed uint64, role, number int32) Rand {
	r := Rand(seed ^ uint64(uint32(role))<<32 ^ uint64(uint32(number)))
	return Rand(r.Uint64())
}
