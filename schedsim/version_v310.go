package schedsim

// V310 is v3.10, on which Alex Shi posted the runnable load average series (3.10-rc).
// The granularities scale as those of V510.
func V310(cpus int) Kernel {
	k := V510(cpus)
	k.Version = "v3.10"
	k.Features = Features{
		GentleFairSleepers: true,
		StartDebit:         true,
		LastBuddy:          true,
		WakeupPreemption:   true,
		TTWUQueue:          true,
		Autogroup:          true,
		NewidleBalance:     true,
		LoadBalance:        true,
		LBBias:             true,
	}
	k.SelectTaskRQFair = selectTaskRQFair310
	k.WakeWide = nil
	k.WakeAffine = wakeAffine310
	k.WakeAffineIdle, k.WakeAffineWeight = nil, nil
	k.SelectIdleSibling = selectIdleSibling310
	k.SelectIdleCore, k.SelectIdleCPU, k.SelectIdleSMT = nil, nil, nil
	k.FindIdlestCPU = findIdlestCPU310
	return k
}
