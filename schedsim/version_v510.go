package schedsim

import "math/bits"

// V510 is v5.10 at -rc6, the base of the December 2020 select_idle_sibling
// series, with HZ=250 (SUSE, Debian, Ubuntu).
//
// The three granularities are the defaults of kernel/sched/fair.c times
// 1+ilog2(min(cpus, 8)) (sched_tunable_scaling=1, logarithmic).
func V510(cpus int) Kernel {
	factor := int64(bits.Len(uint(min(max(cpus, 1), 8))))
	return Kernel{
		Version: "v5.10",
		Tunables: Tunables{
			HZ:                     250,
			SchedLatency:           6e6 * factor,
			SchedMinGranularity:    750e3 * factor,
			SchedWakeupGranularity: 1e6 * factor,
			SchedMigrationCost:     500e3,
			SchedNrMigrate:         32,
			SchedNrLatency:         8,
		},
		Features: Features{
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
		},
		SelectTaskRQFair:  selectTaskRQFair,
		WakeWide:          wakeWide,
		WakeAffine:        wakeAffine,
		WakeAffineIdle:    wakeAffineIdle,
		WakeAffineWeight:  wakeAffineWeight,
		SelectIdleSibling: selectIdleSibling,
		SelectIdleCore:    selectIdleCore,
		SelectIdleCPU:     selectIdleCPU,
		SelectIdleSMT:     selectIdleSMT,
		FindIdlestCPU:     findIdlestCPU,
	}
}
