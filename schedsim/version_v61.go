package schedsim

// V61 is v6.1, the last long-term release with the completely fair scheduler of old.
// The granularities scale as those of V510.
func V61(cpus int) Kernel {
	k := V510(cpus)
	k.Version = "v6.1"
	k.Features = Features{
		GentleFairSleepers: true,
		StartDebit:         true,
		LastBuddy:          true,
		WakeupPreemption:   true,
		AltPeriod:          true,
		BaseSlice:          true,
		TTWUQueue:          true,
		RTPushIPI:          true,
		SISUtil:            true,
		WAIdle:             true,
		WAWeight:           true,
		WABias:             true,
		Autogroup:          true,
		NewidleBalance:     true,
		LoadBalance:        true,
	}
	k.SelectTaskRQFair = selectTaskRQFair61
	k.WakeAffineIdle = wakeAffineIdlePrev
	k.SelectIdleSibling = selectIdleSibling61
	k.SelectIdleCore = nil
	k.SelectIdleCPU = selectIdleCPU61
	k.SelectIdleSMT = selectIdleSMT61
	return k
}
