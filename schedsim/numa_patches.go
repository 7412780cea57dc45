package schedsim

// ScanReset is "[PATCH 5/6] sched/numa: Reset scan rate whenever task moves across
// nodes" (Srikar Dronamraju, 2018-08-03), as posted.
//
// The reset of the scan period goes from task_numa_migrate, which did it for the
// one task that it moves, to migrate_task_rq_fair, which does it for each task
// that goes to another node: both of a swap, and those that load balancing or a
// wakeup moves.
var ScanReset = Patch{
	Name:    "scan-reset",
	Subject: "sched/numa: Reset scan rate whenever task moves across nodes",
	Link:    "https://lore.kernel.org/r/1533276841-16341-6-git-send-email-srikar@linux.vnet.ibm.com",
	From:    "v4.18", To: "v4.18",
	Apply: func(k *Kernel) {
		k.NUMAMigrateScanReset = keepScanPeriod // - p->numa_scan_period = task_scan_start(p)
		k.UpdateScanPeriod = func(s *Sched, t *Task, newCPU int) {
			if !s.HasMM(t) { // + exiting tasks have none
				return
			}
			if s.HasNUMAFaults(t) {
				src, dst := s.Node(t.CPU()), s.Node(newCPU)
				if src != dst {
					s.SetNUMAScanPeriod(t, s.TaskScanStart(t))
				}
			}
		}
	},
}

// ScanResetMerged is what v4.19 has of it: update_scan_period of 3f9672baaa70 with
// the limits of 05cbdf4f5c19 (Mel Gorman's "sched/numa: Limit the conditions where
// scan period is reset").
var ScanResetMerged = Patch{
	Name:    "scan-reset-merged",
	Subject: "sched/numa: Limit the conditions where scan period is reset, with what it limits",
	Link:    "https://git.kernel.org/torvalds/c/05cbdf4f5c19",
	From:    "v4.18", To: "v4.18",
	Apply: func(k *Kernel) {
		k.NUMAMigrateScanReset = keepScanPeriod
		k.UpdateScanPeriod = func(s *Sched, t *Task, newCPU int) {
			src, dst := s.Node(t.CPU()), s.Node(newCPU)
			if !s.HasMM(t) || !s.HasNUMAFaults(t) || src == dst {
				return
			}
			// Before the first pass is over: a new task. After it only a task
			// that is taken off its preferred node, or has none.
			if s.NUMAScanSeq(t) > 0 {
				p := s.NUMAPreferredNode(t)
				if dst == p || p != -1 && src != p {
					return
				}
			}
			s.SetNUMAScanPeriod(t, s.TaskScanStart(t))
		}
	},
}

// NUMARework is NUMA balancing as ScanReset was posted on: Srikar Dronamraju's
// changes of June and July 2018 and patches 1 to 4 of the same series, that is
// v4.19 but for patches 5 and 6 and for the early faults and the rate limit, which
// came after. (Which exact base the post had it does not say; its context has
// patch 1.)
var NUMARework = Patch{
	Name:    "numa-rework",
	Subject: "sched/numa: the changes of June to August 2018 but for the scan period",
	Link:    "https://git.kernel.org/torvalds/t/v4.19",
	From:    "v4.18", To: "v4.18",
	Apply: func(k *Kernel) { k.NUMARework = true },
}

// NUMABalancingV419 makes NUMA balancing that of v4.19.
var NUMABalancingV419 = Patch{
	Name:    "numa-v4.19",
	Subject: "NUMA balancing of v4.19",
	Link:    "https://git.kernel.org/torvalds/t/v4.19",
	From:    "v4.18", To: "v4.18",
	Apply: func(k *Kernel) {
		NUMARework.Apply(k)
		ScanResetMerged.Apply(k)
		k.NUMAEarlyFaults, k.NUMAMigrateRateLimit = true, false
	},
}

// NoNUMABalancing switches it off: an ablation, with which ScanReset must have no
// effect.
var NoNUMABalancing = Patch{
	Name:    "no-numa-balancing",
	Subject: "ablation: kernel.numa_balancing=0",
	From:    "v4.18", To: "v4.18",
	Apply: func(k *Kernel) { k.NUMABalancing = false },
}

// numaPatches lists them in order of date, the ablation last.
func numaPatches() []Patch {
	return []Patch{NUMARework, ScanReset, ScanResetMerged, NUMABalancingV419, NoNUMABalancing}
}
