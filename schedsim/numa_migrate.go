package schedsim

// Moving a task to its preferred node, or to another one that is better.

// numaStats is struct numa_stats: what the CPUs of a node do.
type numaStats struct {
	load, capacity  int64
	running         int64
	taskCapacity    int64
	hasFreeCapacity bool
}

// numaEnv is struct task_numa_env: one search for a CPU.
type numaEnv struct {
	t        *Task
	srcCPU   int32
	srcNode  int
	dstCPU   int32
	dstNode  int
	src, dst numaStats
	pct      int64
	dist     int32

	bestTask TaskID
	bestImp  int64
	bestCPU  int32

	work int64 // ns
}

// updateNUMAStats is update_numa_stats.
func (s *Sched) updateNUMAStats(env *numaEnv, node int) numaStats {
	m := s.mem
	var st numaStats
	for _, ci := range m.nodeCPUs[node] {
		st.running += int64(s.cpus[ci].nrRunning)
		st.load += s.weightedCPULoad(ci)
		st.capacity += s.capacityOf(ci)
	}
	cpus := int64(len(m.nodeCPUs[node]))
	env.work += cpus * s.cost.BalanceCPU
	if node != env.srcNode {
		env.work += cpus * s.cost.BalanceRemote
	}
	if cpus == 0 {
		return st
	}
	smt := (capacityScale*cpus + st.capacity - 1) / st.capacity
	st.taskCapacity = min(cpus/smt, (st.capacity+capacityScale/2)/capacityScale)
	st.hasFreeCapacity = st.running < st.taskCapacity
	return st
}

// numaMigratePreferred is numa_migrate_preferred.
func (s *Sched) numaMigratePreferred(t *Task) {
	m := s.mem
	nt := &m.tasks[t.ID]
	if nt.preferred == none || !nt.hasFaults {
		return
	}
	// With HZ=100 a period below 160 ms gives 0: the next jiffy tries again.
	interval := min(int64(s.k.HZ), s.msecsToJiffies(nt.scanPeriod)/16)
	nt.migrateRetry = s.jiffies + interval
	if m.nodeOf[t.cpu] == nt.preferred || t.class != classFair {
		return
	}
	if c := &s.cpus[t.cpu]; c.curr != t.ID || c.act != actRun {
		return // an earlier fault of this batch moved it
	}
	s.taskNUMAMigrate(t)
}

// taskNUMAMigrate is task_numa_migrate.
func (s *Sched) taskNUMAMigrate(t *Task) {
	m := s.mem
	nt := &m.tasks[t.ID]
	env := numaEnv{
		t: t, srcCPU: t.cpu, srcNode: int(m.nodeOf[t.cpu]),
		pct: 112, bestTask: none, bestCPU: none,
	}
	d := s.numaDomain(t.cpu)
	if d == nil {
		// Trapped in a part of the machine.
		s.setNUMA(t, m.nodeOf[t.cpu])
		return
	}
	env.pct = 100 + int64(d.imbalancePct-100)/2
	s.findNUMACPU(&env)

	if g := nt.group; g != none {
		switch {
		case !s.k.NUMARework:
			if m.groups[g].activeNodes > 1 && m.activeNode(env.dstNode, g) {
				s.setNUMA(t, int32(env.dstNode))
			}
		case env.bestCPU == none:
			s.setNUMA(t, int32(env.srcNode))
		default:
			s.setNUMA(t, m.nodeOf[env.bestCPU])
		}
	}
	s.charge(env.srcCPU, 0, env.work)
	if env.bestCPU == none {
		s.count.NUMAMoveFailed++
		return
	}
	s.k.NUMAMigrateScanReset(s, t)
	m.cpu[env.bestCPU].migrateOn = false
	if env.bestTask == none {
		s.migrateTaskTo(t, env.bestCPU)
	} else {
		s.migrateSwap(t, &s.tasks[env.bestTask])
	}
}

// findNUMACPU looks for a CPU on the preferred node, and on the others if there is
// none, or if the task's group is spread over several.
func (s *Sched) findNUMACPU(env *numaEnv) {
	m := s.mem
	t := env.t
	nt := &m.tasks[t.ID]
	preferred := int(nt.preferred)
	env.dstNode = preferred
	env.dist = m.dist(env.srcNode, env.dstNode)
	dist := env.dist
	taskW, groupW := s.taskWeight(t, env.srcNode, dist), s.groupWeight(t, env.srcNode, dist)
	env.src = s.updateNUMAStats(env, env.srcNode)
	env.dst = s.updateNUMAStats(env, env.dstNode)
	s.taskNUMAFindCPU(env, s.taskWeight(t, preferred, dist)-taskW, s.groupWeight(t, preferred, dist)-groupW)

	if env.bestCPU != none && (nt.group == none || m.groups[nt.group].activeNodes <= 1) {
		return
	}
	for node := range m.nodes {
		if node == env.srcNode || node == preferred {
			continue
		}
		// The distance to the node that was looked at before, as the kernel's.
		dist = m.dist(env.srcNode, env.dstNode)
		if m.topology == numaBackplane && dist != env.dist {
			taskW, groupW = s.taskWeight(t, env.srcNode, dist), s.groupWeight(t, env.srcNode, dist)
		}
		taskImp := s.taskWeight(t, node, dist) - taskW
		groupImp := s.groupWeight(t, node, dist) - groupW
		if taskImp < 0 && groupImp < 0 {
			continue
		}
		env.dist, env.dstNode = dist, node
		env.dst = s.updateNUMAStats(env, node)
		s.taskNUMAFindCPU(env, taskImp, groupImp)
	}
}

// numaDomain is sd_numa: the lowest domain across nodes, or nil.
func (s *Sched) numaDomain(ci int32) *Domain {
	domains := s.cpus[ci].domains
	for i := range domains {
		if domains[i].numa {
			return &domains[i]
		}
	}
	return nil
}
