package schedsim

// V612 is v6.12, with EEVDF.
// The granularities scale as those of V510.
func V612(cpus int) Kernel {
	k := V510(cpus)
	k.Version = "v6.12"
	k.Features = Features{
		WakeupPreemption: true,
		TTWUQueue:        true,
		SISUtil:          true,
		WAIdle:           true,
		WAWeight:         true,
		WABias:           true,
		Autogroup:        true,
		NewidleBalance:   true,
		LoadBalance:      true,
		HighClassThreads: true,
	}
	k.SelectTaskRQFair = selectTaskRQFair61
	k.WakeAffineIdle = wakeAffineIdlePrev
	k.SelectIdleSibling = selectIdleSibling612
	k.SelectIdleCore = nil
	k.SelectIdleCPU = selectIdleCPU612
	k.SelectIdleSMT = selectIdleSMT61
	return k
}
