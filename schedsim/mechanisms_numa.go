package schedsim

func numaMechanisms() []Mechanism {
	// v3.10 has the scanner and the faults, off by default, and no placement.
	// v5.9 has that of v4.19, off by default here.
	const v419 = "as in v4.19"
	early := Forms{notModelled, "yes", v419, notModelled, notModelled, notModelled}
	only := Forms{notThere, "yes", v419, notModelled, notModelled, notModelled}
	return mechanismsOf(partNUMA, []row{
		{"task_tick_numa", early, "numa_scan.go tickNUMA", ""},
		{"task_numa_work", early, "numa_scan.go taskNUMAWork scanPages protect", "Scans are not aligned to huge pages. The time that the scan takes counts by whole ticks, as if it began at one."},
		{"task_scan_min, task_scan_start, task_scan_max", only, "numa_scanperiod.go taskScanMin TaskScanStart taskScanMax", ""},
		{"update_task_scan_period", only, "numa_scanperiod.go updateTaskScanPeriod periodChange", ""},
		{"do_numa_page, do_huge_pmd_numa_page", early, "numa_fault.go doNUMAPage takeFaults", "Of all pages of a block at once. A page that is protected faults a tick later at the earliest, at a tick that finds its task running."},
		{"task_numa_fault", early, "numa_fault.go taskNUMAFault", ""},
		{"should_numa_migrate_memory", only, "numa_fault.go shouldNUMAMigrateMemory", "The last task is known by all of its number, not by 8 bits: no false private faults."},
		{"numamigrate_update_ratelimit", Forms{notModelled, "yes", notThere, notThere, notThere, notThere}, "memory_cost.go rateLimited", ""},
		{"migrate_misplaced_page (migrate_misplaced_folio)", early, "numa_fault.go doNUMAPage memory_touch.go moved", "Fails for the share of a region that is unmovable. Nodes are never full, huge pages are not split."},
		{"task_numa_placement", early, "numa_placement.go taskNUMAPlacement numaAvgRuntime", ""},
		{"preferred_group_nid", only, "numa_weight.go preferredGroupNode meshNode backplaneNode", ""},
		{"task_numa_group", only, "numa_group.go taskNUMAGroup leaveGroup countActiveNodes", "A tie is broken by who started a group first, in the kernel by its address."},
		{"score_nearby_nodes, task_weight, group_weight", only, "numa_weight.go scoreNearbyNodes taskWeight groupWeight buildDistances", "Machines of one distance are numaDirect; v4.18 called them a backplane, from which nothing follows."},
		{"numa_migrate_preferred", only, "numa_migrate.go numaMigratePreferred", ""},
		{"task_numa_migrate", only, "numa_migrate.go taskNUMAMigrate findNUMACPU updateNUMAStats", "A move takes effect when it is decided."},
		{"task_numa_find_cpu, task_numa_compare", only, "numa_compare.go taskNUMAFindCPU numaCompare numaCompareRework swapImp", ""},
		{"numa_migrate_on (since v4.19)", Forms{notThere, "as a patch", v419, notModelled, notModelled, notModelled}, "numa_compare.go numaAssign", "Acts within one search only, as a move takes no time."},
		{"load_too_imbalanced", only, "numa_compare.go loadTooImbalanced", ""},
		{"migrate_task_to, migrate_swap", only, "numa_stop.go migrateTaskTo migrateSwap", "The migration threads are a cost (Costs.Stopper). A task in the middle of a wakeup is not swapped."},
		{"sched_setnuma", only, "numa.go setNUMA accountNUMA", "Only the counts that change by taking the task off the queue and putting it back."},
		{"update_scan_period (migrate_task_rq_fair)", Forms{notThere, "as a patch", v419, notModelled, notModelled, notModelled}, "numa.go numaMigrateTaskRQ resetScanPeriod noScanReset numa_patches.go numaPatches", ""},
		{"migrate_degrades_locality", only, "numa_balance.go migrateDegradesLocality tooHot", ""},
		{"fbq_classify_group, fbq_classify_rq", only, "numa_balance.go fbqOfGroup fbqOfRQ fbqClassify", ""},
		{"first touch", same("yes"), "memory_touch.go firstTouch touchMemory", "What tasks touch is drawn at ticks: uniform within a region. What a task touched on another node since the tick before counts for the node that it is on."},
		{"pages", same("in blocks"), "memory.go AddRegion MapRegion", "A region of more than 4,096 pages has 4,096 blocks, each on one node, last touched by one task, and faulting as a whole."},
		{"latency of remote memory", same("slows the task"), "memory_cost.go memorySpeed setMemorySpeed", "By the share of accesses to each node and its distance. No bandwidth, no contention. A wait for memory gets shorter with a higher clock, as all work does, and the kernel's work longer with its task's memory."},
	})
}

func numaOmissions() []Omission {
	return omissionsOf(partNUMA, [][2]string{
		{"NUMA balancing of v3.10, v5.10, v6.1 and v6.12", "the posts on it are of v4.18; features and patches lead from there to v4.19. Those versions have memory and no NUMA balancing"},
		{"what v5.9 changed in NUMA balancing since v4.19", "it runs beside the programs of a post on wakeups; node_type, adjust_numa_imbalance and find_idle_cpu of v5.6 to v5.9 tell otherwise whether a node has room. It is off unless a study turns it on"},
		{"memory tiering, demotion", "no machine has nodes without CPUs of slower memory in a study"},
		{"policies of memory (mbind), full nodes, swap, reclaim, kernel memory", "regions lie where the workload says or where they are touched first"},
		{"splitting and collapsing of huge pages", "a region has one size of page"},
	})
}
