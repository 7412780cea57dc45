package schedsim

// The preferred node of a task, once a pass over its memory.

// numaAvgRuntime is numa_get_avg_runtime: CPU time and wall time since the last
// placement.
func (s *Sched) numaAvgRuntime(t *Task) (runtime, period int64) {
	nt := &s.mem.tasks[t.ID]
	e := &s.ents[t.se]
	if nt.lastPlacement != 0 {
		runtime = e.sumExec - nt.lastSumExec
		period = max(e.execStart-nt.lastPlacement, 0)
	} else {
		runtime, period = e.avg.loadSum, loadAvgMax
	}
	nt.lastSumExec = e.sumExec
	nt.lastPlacement = e.execStart
	return runtime, period
}

// taskNUMAPlacement is task_numa_placement: when the scanner went once through
// the memory the counts become means, which halve with each pass, and the node
// with the most is the preferred one. A task of a group prefers the group's.
//
// v4.18 looks for a place at once if the task is elsewhere, and updates the scan
// period first (Features.NUMARework: after).
func (s *Sched) taskNUMAPlacement(t *Task) {
	m := s.mem
	nt := &m.tasks[t.ID]
	seq := m.mms[nt.mm].scanSeq
	if nt.scanSeq == seq {
		return
	}
	nt.scanSeq = seq
	nt.scanPeriodMax = s.taskScanMax(t)
	total := nt.locality[0] + nt.locality[1]
	runtime, period := s.numaAvgRuntime(t)

	g := nt.group
	f := m.faultsOf(t.ID)
	maxNode, maxFaults, maxGroupNode, maxGroupFaults := none, int64(0), none, int64(0)
	var kinds [2]int64
	for node := range m.nodes {
		faults, groupFaults := int64(0), int64(0)
		for kind := range 2 {
			mem, cpu := m.at(numaMem, node, kind), m.at(numaCPUs, node, kind)
			memBuf, cpuBuf := m.at(numaMemBuf, node, kind), m.at(numaCPUBuf, node, kind)
			diff := f[memBuf] - f[mem]/2
			kinds[kind] += f[memBuf]
			f[memBuf] = 0
			// By CPU use, not by the number of faults.
			weight := (runtime << 16) / (period + 1) * f[cpuBuf] / (total + 1)
			cpuDiff := weight - f[cpu]/2
			f[cpuBuf] = 0
			f[mem] += diff
			f[cpu] += cpuDiff
			faults += f[mem]
			nt.totalFaults += diff
			if g != none {
				gf := m.groupFaultsOf(g)
				gf[mem] += diff
				gf[cpu] += cpuDiff
				m.groups[g].totalFaults += diff
				groupFaults += gf[mem]
			}
		}
		if faults > maxFaults {
			maxNode, maxFaults = int32(node), faults
		}
		if groupFaults > maxGroupFaults {
			maxGroupNode, maxGroupFaults = int32(node), groupFaults
		}
	}
	if !s.k.NUMARework {
		s.updateTaskScanPeriod(t, kinds[0], kinds[1])
	}
	if g != none {
		m.countActiveNodes(g)
		maxNode = m.preferredGroupNode(g, maxGroupNode)
		if s.k.NUMARework {
			maxFaults = maxGroupFaults
		}
	}
	if maxFaults > 0 {
		if maxNode != nt.preferred {
			s.setNUMA(t, maxNode)
		}
		if !s.k.NUMARework && m.nodeOf[t.cpu] != nt.preferred {
			s.numaMigratePreferred(t)
		}
	}
	if s.k.NUMARework {
		s.updateTaskScanPeriod(t, kinds[0], kinds[1])
	}
}
