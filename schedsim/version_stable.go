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
	stable(&k)
	return k
}

// V61Stable is V61 as Debian's 6.1.0-57, a late stable release, has it.
func V61Stable(cpus int) Kernel {
	k := V61(cpus)
	k.Version += "-stable"
	stable(&k)
	return k
}

// V510Stable is V510 as Debian's 5.10.0-32 (5.10.223) has it: ALT_PERIOD and BASE_SLICE of v5.13
// are in its sched/features.
func V510Stable(cpus int) Kernel {
	k := V510(cpus)
	k.Version += "-stable"
	k.AltPeriod, k.BaseSlice = true, true
	return k
}

// stable sets the features that stable releases of 2026 have another way than the releases:
// sched/features of the recorded guests lists NI_RANDOM and NO_RT_PUSH_IPI.
func stable(k *Kernel) {
	k.NewidleRandom, k.RTPushIPI = true, false
}
