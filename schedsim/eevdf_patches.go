package schedsim

// EEVDFNrRunningV1 is the first version of EEVDFNrRunning (Chen Yu, September 2024):
// update_deadline says that the slice is used up only if the cfs_rq has another
// entity. update_curr still leaves it at the accounting when the CPU has one task.
var EEVDFNrRunningV1 = Patch{
	Name:    "eevdf-nr-running-v1",
	Subject: "sched/eevdf: Fix wakeup-preempt by checking cfs_rq->nr_running (v1)",
	Link:    "https://lore.kernel.org/r/20240925085440.358138-1-yu.c.chen@intel.com",
	From:    "v6.12-rc1", To: "v6.12-rc1",
	Apply: func(k *Kernel) {
		k.UpdateCurrAlone = func(s *Sched, cfsRQ int) bool {
			// An entity that is alone is eligible, and so has no short slice to
			// make room for: it comes here with its slice used up only.
			return s.CFSNrRunning(cfsRQ) == 1 || s.NrRunning(s.CPUOf(cfsRQ)) == 1
		}
	},
}

// EEVDFNoPreemptShort takes 85e511df3cec, "sched/eevdf: Allow shorter slices to
// wakeup-preempt", out of kernels that have it: PREEMPT_SHORT with
// did_preempt_short, and the test on the runqueue.
var EEVDFNoPreemptShort = Patch{
	Name:    "eevdf-no-preempt-short",
	Subject: "ablation: as before \"sched/eevdf: Allow shorter slices to wakeup-preempt\"",
	From:    "v6.12-rc1",
	Apply: func(k *Kernel) {
		k.PreemptShort = false
		k.UpdateCurrAlone = updateCurrAlone
	},
}
