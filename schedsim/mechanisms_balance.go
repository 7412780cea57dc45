package schedsim

func trackingMechanisms() []Mechanism {
	return append(mechanismsOf(partLoad, []row{
		{"___update_load_sum (__update_entity_runnable_avg)", Forms{"runnable time of an entity", "load, runnable_load, util", "load, runnable, util", "load, runnable, util", "load, runnable, util", "load, runnable, util"},
			"pelt.go accumulate average pelt_v418.go accumulateV418 averageV418 pelt_v310.go accumulateV310 contribV310", ""},
		{"decay_load", same("in the kernel's integers"), "pelt.go decayLoad pelt_v310.go decayLoadV310", ""},
		{"rq_clock_pelt", Forms{notThere, notThere, "yes", "yes", "yes", "yes"}, "load_avg.go clockPelt", ""},
		{"update_idle_rq_clock_pelt (lost_idle_time)", Forms{notThere, notThere, "yes", "yes", "yes", "yes"}, "load_avg.go updateIdleClockPelt", ""},
		{"update_load_avg (update_entity_load_avg)", Forms{"by entity", "yes", "yes", "yes", "yes", "yes"}, "load_avg.go updateLoadAvg updateSelfLoadAvg pelt_v310.go updateEntityV310 pelt_v418.go updateSelfV418", ""},
		{"update_cfs_rq_load_avg (update_cfs_rq_blocked_load)", Forms{"runnable and blocked", "yes", "yes", "yes", "sums bounded", "sums bounded"}, "load_avg.go updateCFSLoadAvg pelt.go keepSum pelt_v310.go updateBlockedV310 pelt_v418.go updateCFSV418", ""},
		{"runnable_load_avg", Forms{"yes", "yes", notThere, notThere, notThere, notThere}, "pelt_v418.go enqueueRunnable dequeueRunnable pelt_v310.go enqueueEntityV310 dequeueEntityV310", ""},
		{"blocked_load_avg, decay_count", Forms{"yes", notThere, notThere, notThere, notThere, notThere}, "pelt_v310.go updateBlockedV310 synchronizeV310 migrateV310", ""},
		{"attach_entity_load_avg, detach_entity_load_avg", Forms{notThere, "yes", "yes", "yes", "sums bounded", "sums bounded"}, "load_avg_move.go attachLoadAvg detachLoadAvg pelt_v418.go attachV418", ""},
		{"remove_entity_load_avg (removed_load)", Forms{"removed_load", "yes", "yes", "yes", "migrate_se_pelt_lag", "migrate_se_pelt_lag"}, "load_avg_move.go removeLoadAvg pelt.go peltLag pelt_v310.go migrateV310",
			"A task is taken out with its load as of its queue's last update, not decayed for its sleep, as in the kernel. In v3.10 what a dead task leaves decays as if it slept."},
		{"update_tg_cfs_load, update_tg_cfs_util, update_tg_cfs_runnable", Forms{notThere, "yes", "yes", "yes", "sums bounded", "sums bounded"}, "group.go propagateLoadAvg propagateLoad pelt.go propagateBounded pelt_v418.go propagateV418", ""},
		{"update_tg_load_avg (__update_cfs_rq_tg_load_contrib)", Forms{"by an eighth", "by 1/64", "by 1/64", "by 1/64", "by 1/64", "by 1/64, once a ms"}, "group.go updateTGLoadAvg pelt_v310.go updateTGLoadContribV310", ""},
		{"__update_group_entity_contrib", Forms{"yes", notThere, notThere, notThere, notThere, notThere}, "pelt_v310.go updateGroupContribV310", ""},
		{"post_init_entity_util_avg, the load of a new task", Forms{"parent's contribution", "yes", "yes", "yes", "yes", "weight scaled down"}, "fork.go postInitUtil pelt_v310.go forkV310", ""},
		{"util_est_dequeue, util_est_update", Forms{notThere, "EWMA", "EWMA, rises at once", "EWMA, rises at once", "EWMA, rises at once", "one value"}, "util_est.go utilEstUpdate utilEstUpdateV612 utilEstEnqueue",
			"The mark that kernels before v5.13 keep in the lowest bit is kept apart: no rounding by it."},
		{"update_blocked_averages (sched_balance_update_blocked_averages)", Forms{"by load of the entity", "yes", "yes", "yes", "tells the group", "tells the group"}, "leaf.go updateBlockedAverages pelt_v310.go updateBlockedAveragesV310", ""},
		{"cpu_load[] (update_cpu_load, LB_BIAS)", Forms{"yes", "yes", notThere, notThere, notThere, notThere}, "cpuload.go cpuLoadTick decayLoadMissed sourceLoad targetLoad loadIdx", ""},
		{"weighted_cpuload (cpu_load)", Forms{"weight", "runnable load", "load with blocked", "load with blocked", "load with blocked", "load with blocked"}, "cpuload.go weightedCPULoad load_avg.go cpuLoad", ""},
		{"cfs_rq->avg of another CPU", same("as of its last update"), "load_avg.go cpuLoad cpuUtil",
			"Nothing brings it up to date for who reads it but what the kernel has for that: blocked averages of CPUs without a tick, at balances and nohz kicks."},
		{"cpu_util (cpu_util_cfs)", Forms{notThere, "yes", "yes", "yes", "yes", "yes"}, "load_avg.go cpuUtil", ""},
		{"capacity_of (power_of)", Forms{"1178 a core", "1178 a core", "1024 a thread", "1024 a thread", "1024 a thread", "1024 a thread"}, "capacity.go buildCapacity capacityOf capacityOrigOf", "Less what real-time and deadline tasks take, as of the CPU's last look. What interrupts take is left out."},
		{"use runnable load in schedule balance (patches 1 to 8)", Forms{"as patches", notThere, notThere, notThere, notThere, notThere}, "shi.go runnableLoadPatch runnableLoadPatchList",
			"Read from v3.11, which has 1 to 7; patch 8, the order and the subjects are from memory. 1 and 2 change nothing in the model."},
	}), mechanismsOf(partGroups, []row{
		{"calc_group_shares (calc_cfs_shares)", Forms{"by weight", "by load, and runnable_weight", "by load", "by load", "by load", "by load"}, "group.go updateCFSGroup pelt_v310.go calcSharesV310 pelt_v418.go updateGroupV418", ""},
		{"reweight_entity", Forms{"weight only", "two weights", "yes", "yes", "yes", "keeps lag and deadline"}, "group.go reweightEntity pelt_v310.go reweightV310 pelt_v418.go reweightV418", ""},
		{"task_h_load (update_h_load)", Forms{"by weights", "by averages", "by averages", "by averages", "by averages", "by averages"}, "group.go taskHLoad hLoad pelt_v310.go taskHLoadV310 updateHLoadV310", ""},
	})...)
}

func trackingOmissions() []Omission {
	return omissionsOf(partLoad, [][2]string{
		{"update_irq_load_avg, thermal and hardware pressure", "interrupts but IPIs and the tick are not modelled; a CPU's capacity does not change"},
		{"rq->avg of v3.10", "nothing that is modelled reads it"},
		{"load averages (calc_global_load), PSI", "nothing in the scheduler reads them"},
	})
}

func balanceMechanisms() []Mechanism {
	return mechanismsOf(partBalance, []row{
		{"build_sched_domains (sd_init)", Forms{"busy_factor 64, NUMA 32", "busy_factor 32", "busy_factor 32", "busy_factor 16", "busy_factor 16, clusters", "busy_factor 16, clusters"}, "domain.go buildDomains buildLLCs buildGroup",
			"Package topology builds them, each version's by its own rules, for x86, POWER and arm64. No cpusets, isolated CPUs, hotplug."},
		{"load_balance (sched_balance_rq)", same("yes"), "rebalance.go loadBalance pull balanced balanceFailed",
			"A pass reads and changes all at one instant and is charged afterwards. Two CPUs never balance at once."},
		{"should_we_balance (group_balance_cpu)", Forms{"first idle, else first", "first idle, else first", "first idle, else first", "first idle, else first", "newidle: not with work", "idle cores first"}, "balance.go shouldWeBalance",
			"The balance mask of overlapping NUMA groups is left out: the group's first CPU."},
		{"update_sg_lb_stats", Forms{"biased loads, capacity in tasks", "biased loads", "yes", "yes", "misfit by lost capacity", "misfit by lost capacity"}, "balance.go balanceGroupStats balance_old.go groupStatsOld tasksFit",
			"Group capacity is up to date; the kernel's is of the group's last balance."},
		{"group_classify (fix_small_capacity)", Forms{"group_imb, group_capacity", "other, imbalanced, overloaded", "six types", "six types", "six types", "seven types (smt_balance)"}, "find_idlest_group.go groupTypeOf balance.go groupTypeByThreads balance_old.go classify", ""},
		{"update_sd_pick_busiest", Forms{"load, if over capacity", "type, load", "type", "type", "type", "type, cores of SMT"}, "balance.go pickBusiest busier balance_old.go busierOld", ""},
		{"find_busiest_group (sched_balance_find_src_group)", Forms{"load", "load, type", "type", "type", "type", "type"}, "balance.go findBusiestGroup balance_old.go findBusiestGroupOld balancedOld", ""},
		{"calculate_imbalance", Forms{"load", "load", "load, util or tasks", "load, util or tasks", "load, util or tasks", "load, util or tasks"}, "balance.go calculateImbalance balance_old.go calculateImbalanceOld", "v6.1 also stops at a local group above the mean (of v6.4 and of v6.1's stable series)."},
		{"fix_small_imbalance", Forms{"yes", "yes", notThere, notThere, notThere, notThere}, "balance_old.go fixSmallImbalance", ""},
		{"sibling_imbalance (SD_PREFER_SIBLING)", Forms{"capacity 1", "overloaded", "tasks", "tasks", "tasks", "tasks a core"}, "balance.go siblingImbalance prefersSibling balance_old.go findBusiestGroupOld", ""},
		{"adjust_numa_imbalance", Forms{notThere, notThere, "two tasks", "two tasks", "imb_numa_nr", "imb_numa_nr"}, "balance.go allowedNumaImbalance", ""},
		{"find_busiest_queue (sched_balance_find_src_rq)", Forms{"load by power", "load by capacity", "by kind", "by kind", "by kind", "by kind, util or runnable"}, "balance.go findBusiestQueue balance_old.go findBusiestQueueOld", ""},
		{"detach_tasks (move_tasks)", Forms{"newest first", "oldest first", "oldest first", "oldest first", "oldest first", "oldest first"}, "migrate.go detachTasks fitsImbalance attachTask", ""},
		{"can_migrate_task", Forms{"yes", "yes", "yes", "yes", "not kthreads of one CPU", "not kthreads of one CPU"}, "migrate.go canMigrate pinned", ""},
		{"task_hot", Forms{"buddies, 0.5 ms", "buddies, 0.5 ms", "buddies, 0.5 ms", "not among siblings", "not among siblings", "not among siblings, next only"}, "migrate.go taskHot", ""},
		{"LBF_SOME_PINNED, LBF_DST_PINNED, LBF_ALL_PINNED", same("yes"), "migrate.go pinned rebalance.go pull othersLeft", ""},
		{"sgc->imbalance (group_imbalanced)", Forms{notThere, "yes", "yes", "yes", "yes", "yes"}, "rebalance.go parentGroup", ""},
		{"SD_ASYM_PACKING", same("yes"), "balance.go groupTypeByThreads rebalance.go asymActive", "By number, the lowest first, as on POWER7. In v3.10 the source is not known where it asks for active balance, and CPU 0 is taken for it, if it has one task."},
		{"need_active_balance", Forms{"failures", "failures, capacity", "failures, capacity", "failures, capacity", "of tasks, capacity", "of tasks, capacity"}, "rebalance.go needActiveBalance squeezed", ""},
		{"active_load_balance_cpu_stop (detach_one_task)", Forms{"newest first", "oldest first", "oldest first", "oldest first", "not hot tested", "not hot tested"}, "migrate.go taskToPush canPush stop.go stopWork", ""},
		{"check_cpu_capacity", Forms{notThere, "yes", "yes", "yes", "yes", "yes"}, "capacity.go reducedCapacity", "By what real-time and deadline tasks take."},
		{"newidle_balance (idle_balance, sched_balance_newidle)", Forms{"all domains, avg_idle only", "overload, cost", "overload, cost", "overload, cost", "cost of the lowest domain", "and continue_balancing"}, "newidle.go newidleBalance newidleBalanceV310 newidleBalanceV61 updateNewidleCost newidle_random.go throwDice",
			"What a pass cost is Costs.BalanceBase, BalanceCPU, BalanceRemote and MoveTask."},
		{"rebalance_domains (sched_balance_domains)", Forms{"no cost", "yes", "yes", "yes", "yes", "yes"}, "rebalance_domains.go rebalanceDomains rebalanceDomainsV310", "SD_SERIALIZE does nothing, as no two passes overlap."},
		{"get_sd_balance_interval (balance_interval)", Forms{"yes", "yes", "yes", "a jiffy less if busy", "a jiffy less if busy", "a jiffy less if busy"}, "rebalance_domains.go interval rebalance.go backOff", ""},
		{"nohz_balancer_kick", Forms{"nohz_kick_needed", "balance, stats", "balance, stats", "balance, stats", "balance, stats, next", "balance, stats, next"}, "nohz.go nohzBalancerKick needsILB kickILB nohzKick", ""},
		{"_nohz_idle_balance (nohz_idle_balance)", Forms{"the kicked first", "the others, then itself", "the others, then itself", "the others, then itself", "from the next CPU round", "from the next CPU round"}, "nohz.go nohzIdleBalance balanceNohzV310 balanceNohzV61 balanceNohz", ""},
		{"nohz_newidle_balance", Forms{notThere, "yes", "yes", "yes", "in the idle loop", "in the idle loop"}, "nohz.go nohzNewidleBalance newidle.go newidleBalance", "Since v5.12 the idle loop does it first thing (nohz_run_idle_balance); here right before."},
		{"CONFIG_PREEMPTION (CONFIG_PREEMPT) in newidle balance", same("NewidlePullsOne"), "migrate.go detachTasks", "A feature, off by default."},
	})
}

func balanceOmissions() []Omission {
	return omissionsOf(partBalance, [][2]string{
		{"group_balance_mask of overlapping groups", "the first CPU of a group balances for it"},
		{"SD_ASYM_CPUCAPACITY, misfit tasks by their size", "all CPUs have the same capacity"},
		{"what interrupts take of a CPU's capacity", "interrupts but IPIs and the tick are not modelled"},
	})
}
