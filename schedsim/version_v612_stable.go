package schedsim

// V612Stable is V612 with those changes of its later stable releases that scenarios of
// package scenario tell apart: the base slice of 0.7 ms before scaling, where v6.12 has 0.75,
// and sched_yield, which forfeits the rest of a request. All else is as in v6.12. It is the
// reference for recordings of Debian's 6.12.117, no version that a post is about.
func V612Stable(cpus int) Kernel {
	k := V612(cpus)
	k.Version += "-stable"
	k.SchedBaseSlice = k.SchedBaseSlice / 75 * 70
	k.YieldForfeits = true
	return k
}
