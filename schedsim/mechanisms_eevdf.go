package schedsim

func fairMechanisms() []Mechanism {
	return mechanismsOf(partCFS, []row{
		{"sched_prio_to_weight (prio_to_weight)", Forms{"whole units", "10 more bits", "10 more bits", "10 more bits", "10 more bits", "10 more bits"}, "weight.go scaleDown setPolicy",
			"Weights are stored alike for all versions; those of v3.10 are whole multiples."},
		{"__calc_delta (calc_delta_mine)", Forms{"rounds", "truncates", "truncates", "truncates", "truncates", "truncates"}, "weight.go calcDelta calcDelta310 calcDeltaFair", ""},
		{"update_curr", Forms{"yes", "yes", "yes", "yes", "yes", "EEVDF's"}, "fair.go updateCurr", ""},
		{"update_min_vruntime", Forms{"curr counts off its queue", "not when one leaves", "yes", "yes", "yes", "EEVDF's"}, "cfs.go updateMinVruntime", ""},
		{"enqueue_entity", Forms{"relative on each wakeup", "relative if it moves", "relative if it moves", "relative if it moves", "relative if it moves", "EEVDF's"}, "fair_entity.go enqueueEntity ttwu.go taskWaking", ""},
		{"dequeue_entity", same("yes"), "fair_entity.go dequeueEntity", ""},
		{"enqueue_task_fair, dequeue_task_fair", Forms{"yes", "yes", "yes", "yes", "yes", "dequeue_entities"}, "fair_enqueue.go enqueueTaskFair dequeueTaskFair dequeueEntities", ""},
		{"place_entity", Forms{"half the latency", "half the latency", "half the latency", "half the latency", "SCHED_IDLE less", "EEVDF's"}, "cfs.go placeEntity", "GENTLE_FAIR_SLEEPERS and START_DEBIT are features. A sleep of more than a hundred days is no case of its own."},
		{"sched_slice", Forms{"own cfs_rq", "own cfs_rq", "own cfs_rq", "own cfs_rq", "ALT_PERIOD, BASE_SLICE", notThere}, "cfs.go schedSlice", ""},
		{"check_preempt_tick", Forms{"yes", "yes", "yes", "yes", "yes", notThere}, "cfs.go checkPreemptTick fair.go taskTickFair", ""},
		{"check_preempt_wakeup", Forms{"yes", "yes", "yes", "yes", "SCHED_IDLE entities", "EEVDF's"}, "cfs.go checkPreemptCFS wakeupPreemptEntity fair.go checkPreemptWakeup findMatchingSE", ""},
		{"pick_next_entity", Forms{"prev put first", "curr competes", "curr competes", "curr competes", "curr competes", "EEVDF's"}, "cfs.go pickNextCFS", "Of next and last the kernel looks at the other one first before v5.10; the choice is the same."},
		{"buddies: next, last, skip", Forms{"cleared at the pick", "cleared at the pick", "cleared at the pick", "cleared at the pick", "cleared at the set", "none"}, "cfs.go setNextBuddy setLastBuddy clearBuddies",
			"EEVDF sets them and looks at none while NEXT_BUDDY is off: there the model has none."},
		{"pick_next_task_fair", Forms{"prev put first", "switches the levels that differ", "switches the levels that differ", "switches the levels that differ", "switches the levels that differ", "finishes delayed dequeues"}, "fair_pick.go pickNextTaskFair pickTaskFair", ""},
		{"put_prev_entity, set_next_entity", same("yes"), "fair_pick.go putPrevEntity setNextEntity", ""},
		{"task_fork_fair", Forms{"beside its parent", "beside its parent", "beside its parent", "beside its parent", "beside its parent", "placed when enqueued"}, "fair.go taskForkFair", ""},
		{"yield_task_fair", Forms{"skip buddy", "skip buddy", "skip buddy", "skip buddy", "skip buddy", "deadline moves a slice"}, "class.go yieldTaskFair core.go yield", "schedule() costs as much as one to the idle task if the task goes on. V612Stable has that of the stable releases: an eligible task's vruntime moves to its deadline first (79104becf42b)."},
		{"SCHED_BATCH, SCHED_IDLE", Forms{"yes", "yes", "yes", "yes", "idle entities", "idle entities"}, "fairpolicy.go seIsIdle onlyIdle policy.go weight", ""},
		{"add_nr_running (inc_nr_running), rd->overload", same("yes"), "fair_enqueue.go addNrRunning", ""},
	})
}

func fairOmissions() []Omission {
	return omissionsOf(partCFS, [][2]string{
		{"NEXT_BUDDY, HRTICK, DOUBLE_TICK", "off in all versions"},
		{"sched_tunable_scaling other than logarithmic", "the default"},
	})
}

func eevdfMechanisms() []Mechanism {
	only := Forms{notThere, notThere, notThere, notThere, notThere, "yes"}
	return mechanismsOf(partEEVDF, []row{
		{"avg_vruntime", only, "eevdf.go averages averageVruntime", ""},
		{"vruntime_eligible, entity_eligible", only, "eevdf.go eligible", ""},
		{"update_deadline", only, "eevdf.go updateDeadline makeRoom", ""},
		{"update_curr's test for being alone", Forms{notThere, notThere, notThere, notThere, notThere, "cfs_rq->nr_running"}, "eevdf.go updateCurrAlone updateCurrAloneRQ",
			"v6.12-rc1 is v6.12 with the test of 85e511df3cec, rq->nr_running, and nothing else of rc1."},
		{"entity_lag", Forms{notThere, notThere, notThere, notThere, notThere, "two slices or a tick"}, "eevdf_place.go entityLag leaveEEVDF", ""},
		{"place_entity (PLACE_LAG, PLACE_DEADLINE_INITIAL, PLACE_REL_DEADLINE)", only, "eevdf_place.go placeEEVDF", ""},
		{"pick_eevdf (RUN_TO_PARITY)", only, "eevdf_pick.go pickEEVDF insertTimeline removeTimeline", "The timeline is an array and not an augmented tree; the order is the same, ties included."},
		{"check_preempt_wakeup_fair", only, "eevdf_pick.go checkPreemptEEVDF", ""},
		{"do_preempt_short, did_preempt_short (PREEMPT_SHORT)", only, "eevdf_pick.go doPreemptShort didPreemptShort", ""},
		{"DELAY_DEQUEUE", only, "eevdf_delay.go delayDequeue finishDelayed requeueDelayed", "Counted in nr_running, as in v6.12; stable kernels count it apart."},
		{"ttwu_runnable of a delayed task", only, "eevdf_delay.go ttwuRunnable", ""},
		{"DELAY_ZERO", only, "eevdf_delay.go finishDelayed requeueDelayed", ""},
		{"reweight_eevdf", only, "eevdf.go reweightEEVDF reweighted", ""},
		{"custom slices (sched_attr::sched_runtime)", only, "eevdf_place.go SetSlice", "Set before a task runs."},
		{"cfs_rq_min_slice", only, "eevdf_place.go minSlice", "Exact; the kernel's minimum of the tree is not kept up when the slice of a queued group changes. An empty queue has 0; the kernel's has 0 or 2^64-1."},
		{"min_vruntime of EEVDF", only, "eevdf.go updateMinVruntimeEEVDF", ""},
	})
}

func eevdfOmissions() []Omission {
	return omissionsOf(partEEVDF, [][2]string{
		{"v6.6 to v6.11", "no post is about them; the features of v6.12 can be switched off"},
		{"changes of v6.12's stable releases", "the model is of v6.12; the base slice and sched_yield of the later ones are in V612Stable, the reference for recordings of such a kernel"},
		{"NEXT_BUDDY, HRTICK", "off"},
	})
}
