package schedsim

func wakeupMechanisms() []Mechanism {
	return mechanismsOf(partWakeup, []row{
		{"try_to_wake_up", Forms{"waits for on_cpu", "waits for on_cpu", "WF_ON_CPU", "WF_ON_CPU", "WF_ON_CPU", "WF_ON_CPU, delayed: ttwu_runnable"},
			"ttwu.go tryToWakeUp confirmSelection beginEnqueue finishWakeup",
			"A search reads all runqueues at its begin. At its end the choice is confirmed, and made once more if somebody took that CPU."},
		{"select_task_rq", Forms{"prev is task_cpu", "prev is wake_cpu", "prev is wake_cpu", "prev is wake_cpu", "prev is wake_cpu", "prev is wake_cpu"},
			"ttwu.go selectCPU prevCPU", ""},
		{"ttwu_queue_cond (ttwu_queue)", Forms{"other LLC", "other LLC", "other LLC, or on_cpu", "other LLC, or on_cpu", "other LLC, or nothing to run", "other LLC, or nothing to run"},
			"ttwu.go ttwuQueueCond", "A timer's wakeup is enqueued at once, without a wake list."},
		{"sched_ttwu_pending", Forms{"newest first", "newest first", "oldest first", "oldest first", "oldest first", "oldest first"},
			"ttwu.go ttwuPending", ""},
		{"ttwu_do_activate", same("yes"), "ttwu.go activate checkPreemptCurr", ""},
		{"update_avg (rq->avg_idle)", Forms{"long idle counts at once", "shifts, capped", "divides, capped", "divides, capped", "divides, capped", "divides, capped"},
			"ttwu.go updateAvgIdle updateAvg", ""},
		{"migrate_task_rq_fair", same("yes"), "ttwu.go setTaskCPU setTaskRQ", ""},
		{"select_task_rq_fair", Forms{"no wake_wide, no search from afar", "waker's recent_used_cpu", "waker's recent_used_cpu", "waker's recent_used_cpu", "yes", "yes"},
			"wakeup.go selectTaskRQFair310 selectTaskRQFair selectTaskRQFair61 aimOf", "The slow path of wakeups is unreachable: no domain has SD_BALANCE_WAKE."},
		{"record_wakee", Forms{notThere, "yes", "yes", "yes", "yes", "yes"}, "wake_wide.go recordWakee waker", ""},
		{"wake_wide", Forms{notThere, "yes", "yes", "yes", "yes", "yes"}, "wake_wide.go wakeWide", ""},
		{"wake_affine", Forms{"weights, effective_load", "idle, weight", "idle, weight", "idle, weight", "idle, weight", "idle, weight"},
			"wake_affine.go wakeAffine askWakeAffine wake_affine_v310.go wakeAffine310", ""},
		{"effective_load", Forms{"yes", notThere, notThere, notThere, notThere, notThere}, "wake_affine_v310.go effectiveLoad", ""},
		{"wake_affine_idle", Forms{notThere, "waker's", "waker's", "waker's", "waker's, prev's", "waker's, prev's"},
			"wake_affine.go wakeAffineIdle wakeAffineIdlePrev", "The pulls that schedstat of kernels up to v6.3 tells of when this test chose prev are not counted."},
		{"wake_affine_weight", Forms{notThere, "runnable load", "load with blocked", "load with blocked", "load with blocked", "load with blocked"},
			"wake_affine.go wakeAffineWeight wakeAffineWeight418 weighAffine", ""},
		{"select_idle_sibling", Forms{"down the domains", "prev, recent, core, CPU, thread", "prev, recent, core, CPU, thread", "prev, recent, core, CPU, thread", "prev, recent, thread, one search", "in the cluster first"},
			"idle_sibling.go selectIdleSibling310 selectIdleSibling418 selectIdleSibling selectIdleSibling61 selectIdleSibling612 searchLLC searchMerged", ""},
		{"is_per_cpu_kthread of select_idle_sibling", Forms{notThere, notThere, "yes", "yes", "in a task", "in a task"},
			"idle_sibling.go kthreadWakee", ""},
		{"recent_used_cpu", Forms{notThere, "replaced on a hit", "replaced on a hit", "replaced on a hit", "replaced at each search", "replaced at each search"},
			"idle_sibling.go swapRecent searchLLC", ""},
		{"test_idle_cores, __update_idle_core", Forms{notThere, "yes", "yes", "yes", "yes", "yes"}, "idle_core.go TestIdleCores SetIdleCores idle.go updateIdleCore", ""},
		{"select_idle_core", Forms{notThere, "all threads of a core", "to the first busy thread", "to the first busy thread", "in select_idle_cpu", "in select_idle_cpu"},
			"idle_core.go selectIdleCore selectIdleCore418 idle_cpu.go coreIdle", ""},
		{"select_idle_cpu", Forms{notThere, "SIS_PROP, forbidden count", "SIS_PROP", "SIS_PROP", "SIS_UTIL, from target+1", "SIS_UTIL, cluster first"},
			"idle_cpu.go selectIdleCPU418 selectIdleCPU scanForIdleCPU selectIdleCPU61 selectIdleCPU612 idlePass",
			"span_weight is of the waker's LLC, which is as large as the target's but on odd machines. SIS_PROP is left out of v6.1, which has it switched off."},
		{"SIS_PROP (avg_scan_cost)", Forms{notThere, "yes", "yes", "yes", "off", notThere}, "idle_cpu.go sisPropLimit scanForIdleCPU", "The cost of a scan is that of Costs."},
		{"update_idle_cpu_scan (SIS_UTIL)", Forms{notThere, notThere, notThere, notThere, "yes", "yes"}, "sis_util.go updateIdleCPUScan idleScanLimit",
			"Until the first balance the limit is that of an idle LLC, as on a machine that has been up for a while."},
		{"select_idle_smt", Forms{notThere, "of target", "of target", "of target", "of prev", "of prev"}, "idle_core.go selectIdleSMT selectIdleSMT61", ""},
		{"available_idle_cpu (idle_cpu)", same("yes"), "wakeup.go AvailableIdleCPU IdleCPU looks.go probe", "Looking costs the CPU that asks: a line transfer if the owner wrote since its core looked last (Costs.ProbeBase, ProbeLines)."},
		{"sched_idle_cpu", Forms{notThere, notThere, "yes", "yes", "yes", "yes"}, "wakeup.go SchedIdleCPU usableCPU", ""},
		{"SD_CLUSTER (cpus_share_resources)", Forms{notThere, notThere, notThere, notThere, notThere, "yes"}, "share.go clusterDomain sameCluster shareID", ""},
		{"select_fallback_rq", same("yes"), "wakeup.go selectFallbackRQ", "Of a task's cpuset and its fallbacks there is only its affinity."},
		{"WF_SYNC", same("of the sender"), "effect.go effect wake_affine.go wakeAffineIdle", "A workload says of each send whether it is; it counts also if the waker exits."},
		{"futex_wait, futex_wake", same("a counting semaphore"), "op.go wait firstWaiter effect.go effect", "One waiter a wake, first come first served. Hash buckets, requeue, PI and the wake queue of many are left out."},
		{"hrtimer_wakeup", same("yes"), "interrupt.go timerEvent activateFromTimer", "A sleeping task's timer is on the CPU that it sleeps on. No slack, no timer migration."},
	})
}

func wakeupOmissions() []Omission {
	return omissionsOf(partWakeup, [][2]string{
		{"select_idle_capacity, wake_cap (sd_asym_cpucapacity)", "all CPUs have the same capacity"},
		{"find_energy_efficient_cpu (EAS)", "no energy model; all CPUs have the same capacity"},
		{"vcpu_is_preempted", "machines are taken to be bare metal"},
		{"wakeups by a task that exits, whose WF_SYNC does not count", "no workload wakes while it exits"},
		{"contention for p->pi_lock and rq->lock", "a lock is taken at one instant; only its lines cost"},
	})
}

func forkMechanisms() []Mechanism {
	return mechanismsOf(partFork, []row{
		{"wake_up_new_task", same("yes"), "fork.go fork selectNewCPU", "The rest of fork is work of the workload's and Costs.Fork."},
		{"find_idlest_cpu (sched_balance_find_dst_cpu)", Forms{"from the highest with the flag", "up to the first without the flag", "up to the first without the flag", "up to the first without the flag", "up to the first without the flag", "up to the first without the flag"},
			"find_idlest.go descend findIdlestCPU findIdlestCPU418 findIdlestCPU310", ""},
		{"find_idlest_group (sched_balance_find_dst_group)", Forms{"load", "runnable load, load, spare", "group_type", "group_type", "group_type", "group_type"},
			"find_idlest_v310.go findIdlestGroup310 find_idlest_v418.go findIdlestGroup418 find_idlest_group.go findIdlestGroup idler",
			"A group's capacity is up to date; the kernel's is of the group's last balance."},
		{"update_sg_wakeup_stats", Forms{notThere, notThere, "yes", "yes", "yes", "yes"}, "find_idlest_group.go wakeGroupStats groupTypeOf", ""},
		{"adjust_numa_imbalance, allow_numa_imbalance at fork", Forms{notThere, notThere, "while a CPU is idle", "while a CPU is idle", "imb_numa_nr", "imb_numa_nr"},
			"find_idlest_group.go nodeKeeps share.go setImbNumaNr", ""},
		{"find_idlest_group_cpu (sched_balance_find_dst_group_cpu)", Forms{"least weight", "shallowest idle, runnable load", "SCHED_IDLE, shallowest idle, load", "SCHED_IDLE, shallowest idle, load", "SCHED_IDLE, shallowest idle, load", "SCHED_IDLE, shallowest idle, load"},
			"find_idlest.go findIdlestGroupCPU placedLoad find_idlest_v310.go leastLoadedCPU310", ""},
		{"cpu_load_without, cpu_util_without (cpu_util_wake)", Forms{notThere, "util", "load, runnable, util", "load, runnable, util", "load, runnable, util", "load, runnable, util"},
			"find_idlest_group.go cpuLoadWithout cpuRunnableWithout cpuUtilWithout", ""},
		{"sched_exec", same("yes"), "exec_balance.go schedExec", "The migration thread's time is a cost of the old CPU (Costs.Stopper), and the task is on the new one at once."},
	})
}

func forkOmissions() []Omission {
	return omissionsOf(partFork, [][2]string{
		{"sched_child_runs_first", "0 by default in all versions"},
		{"vfork, waiting for a child", "no operation of a workload"},
	})
}
