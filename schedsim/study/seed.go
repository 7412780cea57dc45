package study

import "hash/fnv"

// The streams of seeds. Both arms of a pair take the same seed, which is what
// makes their random numbers common; the control takes one of its own.
const (
	pairStream uint64 = iota + 1
	controlStream
)

// deriveSeed makes the seed of a run from the plan's. Each part is folded in by
// the output function of SplitMix64 (Steele, Lea and Flood, "Fast Splittable
// Pseudorandom Number Generators", OOPSLA 2014), the row by the FNV-1a hash of
// its key. A run's seed does not depend on what else the plan has: adding
// rows, sets or runs leaves the stored ones valid.
func deriveSeed(plan, stream uint64, row string, set, run int) uint64 {
	h := fnv.New64a()
	h.Write([]byte(row))
	seed := splitMix(plan)
	for _, part := range [...]uint64{stream, h.Sum64(), uint64(set), uint64(run)} {
		seed = splitMix(seed ^ part)
	}
	return seed
}

// splitMix is one step of SplitMix64 from state x.
func splitMix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
