package schedsim

func frequencyMechanisms() []Mechanism {
	return mechanismsOf(partFrequency, []row{
		{"cpufreq_update_util", Forms{notThere, "yes", "yes", "yes", "yes", "yes"}, "cpufreq.go cpufreqUpdateUtil policyHere load_avg.go cfsUtilChange",
			"Called where load tracking tells of a change, and not elsewhere. v3.10 has no such hook, and its timers of governors are not modelled: one that samples is refused there. Leave Config.CPUFreq zero, or use performance."},
		{"schedutil (sugov_update_single, sugov_update_shared)", Forms{notThere, "v5.10's", "v5.10's", "yes", "v5.10's", "v5.10's"},
			"schedutil.go sugovUpdate sugovNextFreq sugovIsBusy rt_capacity.go sugovUtil",
			"Of v5.10 but for how deadline bandwidth counts (since v6.8 a floor). No clamps, no boost for I/O, no interrupt time."},
		{"sugov:N", Forms{notThere, "task", "task", "task", "task", "task"}, "schedutil.go sugovWake sugovDone", ""},
		{"ondemand (dbs_update, od_update)", Forms{notModelled, "v5.10's", "v5.10's", "yes", "v5.10's", "v5.10's"},
			"ondemand.go dbsUpdateUtil dbsUpdate odUpdate kworker.go startKworkers freqIRQWork",
			"sampling_down_factor 1, no powersave_bias, nice tasks count as busy. v3.10 samples from a timer of its own instead."},
		{"performance, powersave", same("yes"), "cpufreq.go buildPolicies target", ""},
		{"intel_pstate, active (get_target_pstate)", Forms{notModelled, "v5.10's", "v5.10's", "yes", "v5.10's", "v5.10's"}, "intel_pstate.go intelPstateUpdateUtil targetPstate",
			"Windows of 10 ms. No boost for I/O. v3.10 has a PID controller with a timer instead."},
		{"intel_cpufreq, acpi-cpufreq, powernv-cpufreq, cppc_cpufreq", Forms{"v5.10's", "v5.10's", "v5.10's", "yes", "v5.10's", "v5.10's"},
			"cpufreq_driver.go resolve cpufreq.go transitionDelay pstate target", "Their constants are those of v5.10. acpi-cpufreq has a policy a CPU. A driver or governor that a version does not have is not refused."},
		{"HWP", same("assumed"), "clock.go hwpChoose wanted",
			"No data sheet says what it does: assumed to choose, each millisecond, the clock at which the core would have been in C0 for three quarters of it; up at once, down by half of the way. Energy-performance preferences other than that are not modelled."},
		{"P-state transition", same("yes"), "clock.go request moveClock clockEvent",
			"A request is in force after the machine's transition time, taken for constant; what is written meanwhile goes with it."},
		{"P-state coordination", same("highest of its CPUs"), "clock.go clockTarget clockAwake", "CPUs in the deepest idle state have no say (assumed: those in C3 or deeper on Intel servers)."},
		{"arch_scale_freq_capacity", Forms{notThere, "arm64", "x86 of Intel, arm64", "x86 of Intel, arm64", "x86, arm64", "x86, arm64"}, "freqscale.go scaleFreqTick scaleMHz",
			"From tick to tick, by APERF and MPERF, on arm64 too, where kernels before v5.7 take what the driver asked for."},
		{"menu governor", same("typical interval"), "idle.go predict reflect chooseIdleState",
			"Of all versions alike: the last eight intervals (get_typical_interval), else their moving average. No buckets by timer distance, no correction by what waits for I/O, no latency limits."},
		{"tick_nohz_idle_stop_tick (tick_nohz_stop_sched_tick)", same("menu decides"), "idle.go chooseIdleState tick.go stopTick",
			"As since v4.17: the tick stops if the governor expects a tick or more. Kernels before try at each idle entry."},
		{"do_idle (cpu_idle_loop)", same("yes"), "idle.go switchToIdle enterIdle kickIdle leaveIdle core.go cpuEvent", "An idle CPU that gets an interrupt and nothing to run goes on idling without schedule()."},
		{"need_resched polling (TIF_POLLING_NRFLAG)", same("by state"), "exec.go sendIPI hardware.go idlePolls", "MWAIT states of Intel, C1 of AMD and polling loops need no interrupt; deeper states of acpi_idle on AMD do."},
		{"scheduler_tick (sched_tick)", same("yes"), "tick.go tick tickCPU idleTick", "All CPUs tick at the same instants (skew_tick=0). No nohz_full."},
		{"CONFIG_HZ, jiffies", same("250"), "tick.go tick", "Tunables.HZ: any other may be set. One counter for all CPUs, that goes on while all are idle."},
		{"SCHED_SOFTIRQ", same("after the tick"), "tick.go tickCPU", "Runs where it is raised, never in ksoftirqd."},
		{"irq_work", same("yes"), "kworker.go irqWork interrupt.go softInterrupts", ""},
		{"kworker/N:0", same("ondemand's"), "kworker.go startKworkers", "Fair tasks of the root group; they have work of ondemand only."},
	})
}

func frequencyOmissions() []Omission {
	return omissionsOf(partFrequency, [][2]string{
		{"conservative, userspace", "no study needs them"},
		{"cpuidle governors ladder, teo and haltpoll", "menu is the default of the distributions' kernels"},
		{"boost for tasks that waited for I/O", "no task waits for I/O"},
		{"the time that a request takes in scheduler context", "not known; the threads that do it elsewhere cost Costs.FreqWork"},
		{"kworkers but ondemand's, daemons, RCU, vmstat, ksoftirqd", "background of an idle machine; a workload may add tasks of its own"},
		{"interrupts other than IPIs and the tick", "no devices"},
	})
}

func hardwareMechanisms() []Mechanism {
	return mechanismsOf(partHardware, []row{
		{"SMT", same("share by busy threads"), "exec.go retimeCore setBusy", "A busy thread has a fixed share of its core, by how many are busy and by the workload (Locality.SMTThroughput), whatever they run."},
		{"turbo", same("bins by active cores"), "clock.go turbo asleep", "Looked up each millisecond (assumed). A core whose threads are all in the deepest idle state does not count. Without Config.CPUFreq all cores of a socket run at its bin."},
		{"idle states", same("mean exit latency"), "hardware.go buildHardware idle.go kickIdle", "The time to leave a state is constant. States are a CPU's own; there are none of a core or a package."},
		{"cache lines", same("latency by place"), "lines.go lineNS transfer buildLines", "A one-way latency between core, L2, LLC, node and socket. No contention, no capacity, no states of a line."},
		{"private caches", same("refill after a move"), "core.go refill switchTo", "A task that comes to another core fetches the lines that its workload names, all of them and at once, however long it was away."},
		{"interprocessor interrupts", same("latency by socket"), "exec.go sendIPI interrupt.go interrupt", ""},
		{"costs of kernel operations", same("constants"), "cost.go DefaultCosts exec.go charge begin", "Each has a unit and a source in cost.go, most are assumed with a range. They are the same in all versions."},
		{"ageing (Config.Age)", same("not of the kernel"), "rebalance_domains.go interval run.go RunTrace", "Balance intervals are 16 times shorter before a run is measured."},
	})
}

func hardwareOmissions() []Omission {
	return omissionsOf(partHardware, [][2]string{
		{"cores of different capacity", "all kinds of cores do the same work at the same clock, and the scheduler takes all for 1024"},
		{"power and thermal limits, AVX licences", "no data of the machines"},
		{"clocks of caches and memory", "a stall is as long at any clock of the core"},
		{"CPU hotplug", "CPUs that are not online take no part from begin to end"},
	})
}
