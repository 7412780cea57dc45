package schedsim

// Which CPU of a node a task is to go to, and which task is to come back.

// taskNUMAFindCPU is task_numa_find_cpu over the CPUs of env.dstNode.
func (s *Sched) taskNUMAFindCPU(env *numaEnv, taskImp, groupImp int64) {
	m := s.mem
	mayMove := false
	if s.k.NUMARework {
		load := s.taskHLoad(env.t)
		mayMove = !s.loadTooImbalanced(env, env.src.load-load, env.dst.load+load)
	} else if !numaHasCapacity(env) {
		return
	}
	cpus := m.nodeCPUs[env.dstNode]
	env.work += int64(len(cpus)) * s.cost.BalanceCPU
	for _, ci := range cpus {
		if !env.t.Allowed(int(ci)) {
			continue
		}
		env.dstCPU = ci
		if s.k.NUMARework {
			s.numaCompareRework(env, taskImp, groupImp, mayMove)
		} else {
			s.numaCompare(env, taskImp, groupImp)
		}
	}
}

// numaHasCapacity is numa_has_capacity: only to a node that is less loaded (v4.18;
// the rework took it out).
func numaHasCapacity(env *numaEnv) bool {
	src, dst := &env.src, &env.dst
	if src.hasFreeCapacity && !dst.hasFreeCapacity {
		return false
	}
	return src.load*dst.capacity*env.pct > dst.load*src.capacity*100
}

// loadTooImbalanced is load_too_imbalanced: whether the loads that a move would
// leave are worse than those there are. v4.18 lets the difference grow up to half
// of the domain's imbalance_pct; the rework not at all.
func (s *Sched) loadTooImbalanced(env *numaEnv, src, dst int64) bool {
	srcCap, dstCap := env.src.capacity, env.dst.capacity
	if s.k.NUMARework {
		return abs(dst*srcCap-src*dstCap) > abs(env.dst.load*srcCap-env.src.load*dstCap)
	}
	if dst < src {
		src, dst = dst, src
	}
	imbalance := dst*srcCap*100 - src*dstCap*env.pct
	if imbalance <= 0 {
		return false
	}
	oldSrc, oldDst := env.src.load, env.dst.load
	if oldDst < oldSrc {
		oldSrc, oldDst = oldDst, oldSrc
	}
	return imbalance > oldDst*srcCap*100-oldSrc*dstCap*env.pct
}

func abs(v int64) int64 { return max(v, -v) }

// swapImp is what swapping with cur is worth: imp is what the move of env.t alone
// is. A task alone counts by its own faults, also against one of a group; the
// rework compares groups only if both have one.
func (s *Sched) swapImp(env *numaEnv, cur *Task, taskImp, imp int64) int64 {
	mine, other := s.mem.tasks[env.t.ID].group, s.mem.tasks[cur.ID].group
	if mine == other {
		imp = taskImp + s.taskWeight(cur, env.srcNode, env.dist) - s.taskWeight(cur, env.dstNode, env.dist)
		if other != none {
			imp -= imp / 16 // no swaps over tiny differences
		}
		return imp
	}
	if other != none && (mine != none || !s.k.NUMARework) {
		return imp + s.groupWeight(cur, env.srcNode, env.dist) - s.groupWeight(cur, env.dstNode, env.dist)
	}
	return imp + s.taskWeight(cur, env.srcNode, env.dist) - s.taskWeight(cur, env.dstNode, env.dist)
}

// imp is what the move of env.t is worth.
func (s *Sched) moveImp(env *numaEnv, taskImp, groupImp int64) int64 {
	if s.mem.tasks[env.t.ID].group != none {
		return groupImp
	}
	return taskImp
}

// numaCompare is task_numa_compare of v4.18: is env.dstCPU, with or without a swap
// with its current task, the best so far?
func (s *Sched) numaCompare(env *numaEnv, taskImp, groupImp int64) {
	dst := &s.cpus[env.dstCPU]
	cur := dst.curr
	if cur == env.t.ID || cur != none && s.tasks[cur].class != classFair {
		return
	}
	moveImp := s.moveImp(env, taskImp, groupImp)
	imp := moveImp
	if cur != none {
		c := &s.tasks[cur]
		if !c.Allowed(int(env.srcCPU)) {
			return
		}
		imp = s.swapImp(env, c, taskImp, imp)
	}
	if imp <= env.bestImp && moveImp <= env.bestImp {
		return
	}
	if cur == none {
		if env.src.running <= env.src.taskCapacity && !env.dst.hasFreeCapacity {
			return
		}
	} else if imp > env.bestImp && s.cpus[env.srcCPU].nrRunning == 1 && dst.nrRunning == 1 {
		// One task a CPU: balance does not matter.
		s.numaAssign(env, cur, imp)
		return
	}
	load := s.taskHLoad(env.t)
	srcLoad, dstLoad := env.src.load-load, env.dst.load+load
	if moveImp > imp && moveImp > env.bestImp && !s.loadTooImbalanced(env, srcLoad, dstLoad) {
		// A little less, so that a CPU that is idle wins.
		s.numaAssign(env, none, moveImp-1)
		return
	}
	if imp <= env.bestImp {
		return
	}
	if cur != none {
		load = s.taskHLoad(&s.tasks[cur])
		srcLoad, dstLoad = srcLoad+load, dstLoad-load
	}
	if s.loadTooImbalanced(env, srcLoad, dstLoad) {
		return
	}
	if cur == none {
		s.numaIdleSibling(env)
	}
	s.numaAssign(env, cur, imp)
}

// smallImp is SMALLIMP: what a swap has to be worth at least, of about 2000.
const smallImp = 30

// numaCompareRework is task_numa_compare since v4.19.
func (s *Sched) numaCompareRework(env *numaEnv, taskImp, groupImp int64, mayMove bool) {
	if s.mem.cpu[env.dstCPU].migrateOn {
		return
	}
	cur := s.cpus[env.dstCPU].curr
	if cur == env.t.ID || cur != none && s.tasks[cur].class != classFair {
		return
	}
	moveImp := s.moveImp(env, taskImp, groupImp)
	if cur == none {
		if mayMove && moveImp >= env.bestImp {
			s.numaIdleSibling(env)
			s.numaAssign(env, none, moveImp)
		}
		return
	}
	c := &s.tasks[cur]
	if !c.Allowed(int(env.srcCPU)) {
		return
	}
	imp := s.swapImp(env, c, taskImp, moveImp)
	if mayMove && moveImp > imp && moveImp > env.bestImp {
		s.numaIdleSibling(env)
		s.numaAssign(env, none, moveImp)
		return
	}
	if imp < smallImp || imp <= env.bestImp+smallImp/2 {
		return
	}
	if load := s.taskHLoad(env.t) - s.taskHLoad(c); load != 0 &&
		s.loadTooImbalanced(env, env.src.load-load, env.dst.load+load) {
		return
	}
	s.numaAssign(env, cur, imp)
}

// numaIdleSibling looks for an idle CPU near env.dstCPU.
func (s *Sched) numaIdleSibling(env *numaEnv) {
	s.at(env.srcCPU)
	s.probeWork, s.probeStall = 0, 0
	env.dstCPU = int32(s.k.SelectIdleSibling(s, env.t, int(env.srcCPU), int(env.dstCPU)))
	env.work += s.probeWork + s.probeStall
}

// numaAssign is task_numa_assign. Since v4.19 a runqueue that a search aims at is
// claimed by it; a move here takes no time, so only a search itself sees that.
func (s *Sched) numaAssign(env *numaEnv, cur TaskID, imp int64) {
	if s.k.NUMARework {
		if s.mem.cpu[env.dstCPU].migrateOn {
			return
		}
		s.mem.cpu[env.dstCPU].migrateOn = true
		if env.bestCPU != none {
			s.mem.cpu[env.bestCPU].migrateOn = false
		}
	}
	env.bestTask, env.bestImp, env.bestCPU = cur, imp, env.dstCPU
}
