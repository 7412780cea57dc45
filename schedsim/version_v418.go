package schedsim

// V418 is v4.18, on which Srikar Dronamraju posted the scan-rate reset (4.18-rc).
// The granularities scale as those of V510.
func V418(cpus int) Kernel {
	k := V510(cpus)
	k.Version = "v4.18"
	k.Features = Features{
		GentleFairSleepers: true,
		StartDebit:         true,
		LastBuddy:          true,
		WakeupPreemption:   true,
		TTWUQueue:          true,
		RTPushIPI:          true,
		SISProp:            true,
		WAIdle:             true,
		WAWeight:           true,
		WABias:             true,
		Autogroup:          true,
		NewidleBalance:     true,
		LoadBalance:        true,
		LBBias:             true,

		NUMABalancing:        true,
		NUMAMigrateRateLimit: true,
	}
	k.UpdateScanPeriod, k.NUMAMigrateScanReset = noScanReset, resetScanPeriod
	k.NUMAScanDelay, k.NUMAScanPeriodMin, k.NUMAScanPeriodMax, k.NUMAScanSize = 1000, 1000, 60000, 256
	k.WakeAffineWeight = wakeAffineWeight418
	k.SelectIdleSibling = selectIdleSibling418
	k.SelectIdleCore = selectIdleCore418
	k.SelectIdleCPU = selectIdleCPU418
	k.FindIdlestCPU = findIdlestCPU418
	return k
}
