package schedsim

// V59 is v5.9, which Julia Lawall measured the idle previous CPU on.
// The granularities scale as those of V510.
func V59(cpus int) Kernel {
	k := V510(cpus)
	k.Version = "v5.9"
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

		// NUMA balancing is off unless a configuration turns it on: it is that of
		// v4.19, from which v5.9 differs in how it tells whether a node has room.
		NUMARework:      true,
		NUMAEarlyFaults: true,
	}
	ScanResetMerged.Apply(&k)
	k.NUMAScanDelay, k.NUMAScanPeriodMin, k.NUMAScanPeriodMax, k.NUMAScanSize = 1000, 1000, 60000, 256
	return k
}
