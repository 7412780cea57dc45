package schedsim

import "math/bits"

// V612 is v6.12, with EEVDF and d4ac164bde7a: update_curr looks at the cfs_rq.
// The base slice scales as the granularities of V510.
func V612(cpus int) Kernel {
	k := V510(cpus)
	k.Version = "v6.12"
	k.SchedLatency, k.SchedMinGranularity, k.SchedWakeupGranularity, k.SchedNrLatency = 0, 0, 0, 0
	k.SchedBaseSlice = 750e3 * int64(bits.Len(uint(min(max(cpus, 1), 8))))
	k.Features = Features{
		WakeupPreemption:     true,
		PlaceLag:             true,
		PlaceDeadlineInitial: true,
		PlaceRelDeadline:     true,
		RunToParity:          true,
		PreemptShort:         true,
		DelayDequeue:         true,
		DelayZero:            true,
		TTWUQueue:            true,
		RTPushIPI:            true,
		SISUtil:              true,
		WAIdle:               true,
		WAWeight:             true,
		WABias:               true,
		Autogroup:            true,
		NewidleBalance:       true,
		LoadBalance:          true,
	}
	k.UpdateCurrAlone = updateCurrAlone
	k.SelectTaskRQFair = selectTaskRQFair61
	k.WakeAffineIdle = wakeAffineIdlePrev
	k.SelectIdleSibling = selectIdleSibling612
	k.SelectIdleCore = nil
	k.SelectIdleCPU = selectIdleCPU612
	k.SelectIdleSMT = selectIdleSMT61
	return k
}

// V612rc1 is V612 with the test of 85e511df3cec in update_curr, as v6.12-rc1
// has it: what Chen Yu's fix, EEVDFNrRunning, changes. All else is as in v6.12.
func V612rc1(cpus int) Kernel {
	k := V612(cpus)
	k.Version = "v6.12-rc1"
	k.UpdateCurrAlone = updateCurrAloneRQ
	return k
}
