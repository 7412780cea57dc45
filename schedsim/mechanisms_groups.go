package schedsim

func groupMechanisms() []Mechanism {
	return mechanismsOf(partGroups, []row{
		{"sched_create_group", same("yes"), "cgroup.go NewGroup addGroup",
			"Takes no time."},
		{"sched_group_set_shares", Forms{"yes", "load brought up to date", "load brought up to date", "load brought up to date", "load brought up to date", "load brought up to date"},
			"cgroup.go SetShares", "Takes no time."},
		{"sched_move_task", Forms{"always requeues", "always requeues", "always requeues", "always requeues", "always requeues", "not into its own group"},
			"cgroup.go moveToGroup MoveTask joinGroup",
			"An idle CPU that gets a task this way is woken; the kernel leaves it asleep until the next interrupt."},
		{"task_change_group_fair (task_move_group_fair)", Forms{"yes", "sleep does not count", "sleep does not count", "sleep does not count", "sleep does not count", "keeps lag"},
			"cgroup.go changeGroup vruntimeNormalized attachToGroup",
			"Of a task that left its load behind for another CPU none is taken out; kernels before v6.1 took it out twice."},
		{"propagate_entity_cfs_rq", Forms{notThere, "ends before a throttled queue", "ends before a throttled queue", "ends before a throttled queue", "ends with a throttled queue", "ends with a throttled queue"},
			"cgroup.go propagateEntity", ""},
		{"sched_autogroup_create_attach", same("yes"), "autogroup.go NewSession SetSession groupOf",
			"A task that exits stays in its group; the kernel moves it to the root first."},
		{"__assign_cfs_rq_runtime (assign_cfs_rq_runtime)", same("slices of 5 ms"), "bandwidth.go assignRuntime accountCFSRuntime",
			"The timers and what they change are at one instant."},
		{"expire_cfs_rq_runtime", Forms{"yes", "yes", notThere, notThere, notThere, notThere}, "bandwidth.go expireRuntime", ""},
		{"throttle_cfs_rq", Forms{"even if refilled", "even if refilled", "asks the pool again", "asks the pool again", "asks the pool again", "asks the pool again"},
			"bandwidth.go throttleCFS checkCFSRuntime checkEnqueueThrottle throttleEntities", ""},
		{"throttled_list", Forms{"first in, first out", "last in, first out", "first in, first out", "first in, first out", "first in, first out", "first in, first out"},
			"bandwidth.go throttleCFS", ""},
		{"unthrottle_cfs_rq", same("yes"), "bandwidth.go unthrottleCFS unthrottleEntities", ""},
		{"tg_throttle_down, tg_unthrottle_up", Forms{"clock of tasks", "clock of tasks", "clock of tasks", "clock of tasks", "clock_pelt", "clock_pelt"},
			"bandwidth.go throttleDown unthrottleUp cfsClock", ""},
		{"do_sched_cfs_period_timer", Forms{"yes", "yes", "yes", "yes", "yes", "phase of its own"},
			"bandwidth_timer.go periodTimer bandwidth.go startBandwidth", "The timer stays on the CPU that started it. A period is not lengthened after three overruns, as its handler is never late."},
		{"cpu.max.burst (__refill_cfs_bandwidth_runtime)", Forms{notThere, notThere, notThere, notThere, "yes", "yes"},
			"bandwidth.go refillBandwidth", ""},
		{"start_cfs_slack_bandwidth", Forms{"put off by each", "put off by each", "once", "once", "once", "once"},
			"bandwidth_timer.go startSlack slackTimer returnCFSRuntime", ""},
		{"distribute_cfs_runtime", Forms{"by the timer", "by the timer", "by the timer", "by the timer", "by the timer", "each CPU, by IPI"},
			"bandwidth_timer.go distributeRuntime unthrottleListed", ""},
		{"throttled_lb_pair", same("yes"), "bandwidth.go throttledLBPair", ""},
		{"leaf_cfs_rq_list", Forms{"yes", "yes", "yes", "yes", "children first", "children first"}, "leaf.go addLeaf decayed",
			"Among siblings the order is that of creation, the youngest first; the kernel's is that of arrival."},
		{"cpu.stat", same("nr_periods, nr_throttled"), "cgroup.go GroupStats", ""},
	})
}

func groupOmissions() []Omission {
	return omissionsOf(partGroups, [][2]string{
		{"cpu.idle: groups that are SCHED_IDLE (since v5.15)", "no workload sets it"},
		{"cpu.uclamp", "no workload sets it"},
		{"removing a group", "a group without tasks stays, and its load decays"},
		{"cpusets", "all CPUs are in one root domain"},
	})
}
