package schedsim

// Hinting faults: a task touches a protected page, which may move to it, and the
// statistics by node that come of it.

// Statistics of struct task_struct's numa_faults: means by pass of the scanner,
// and the counts of this pass.
const (
	numaMem = iota
	numaCPUs
	numaMemBuf
	numaCPUBuf
	faultStats

	groupFaultStats = 2 // a group has no counts of a pass
)

// faultsOf is p->numa_faults, by statistic, node and kind: 0 shared, 1 private.
func (m *memory) faultsOf(id TaskID) []int64 {
	n := faultStats * m.nodes * 2
	return m.faults[int(id)*n : (int(id)+1)*n]
}

// at is task_faults_idx.
func (m *memory) at(stat, node, private int) int { return (stat*m.nodes+node)*2 + private }

// taskFaults is task_faults: of the task, on pages of a node.
func (m *memory) taskFaults(id TaskID, node int) int64 {
	f := m.faultsOf(id)
	return f[m.at(numaMem, node, 0)] + f[m.at(numaMem, node, 1)]
}

// takeFaults lets the current task of ci fault on what it touched. It ends when a
// fault moves the task; the others are then taken where it goes.
func (s *Sched) takeFaults(ci int32, t *Task) {
	m := s.mem
	nt := &m.tasks[t.ID]
	c := &s.cpus[ci]
	space := &m.mms[nt.mm]
	for len(nt.pending) > 0 {
		f := nt.pending[len(nt.pending)-1]
		nt.pending = nt.pending[:len(nt.pending)-1]
		if mp := &space.maps[f.at]; !mp.gone {
			mp.state[f.block] = pagePresent
			s.doNUMAPage(ci, t, mp.region, f.block)
			if c.curr != t.ID || c.act != actRun {
				return
			}
		}
	}
}

// doNUMAPage is do_numa_page, or do_huge_pmd_numa_page, of all pages of a block.
func (s *Sched) doNUMAPage(ci int32, t *Task, id RegionID, b int32) {
	m := s.mem
	r := &m.regions[id]
	p := &r.block[b]
	units := r.unitsOf(b)
	pages := units * r.span
	node := m.nodeOf[ci]

	work := units * s.cost.NUMAFault
	s.count.NUMAHintFaults += units
	local := p.node == node
	if local {
		s.count.NUMAHintFaultsLocal += units
	}
	last, lastCPU := p.last, p.lastCPU
	p.last, p.lastCPU = t.ID, ci // page_cpupid_xchg_last
	failed := false
	if s.shouldNUMAMigrateMemory(t, last, lastCPU, int(p.node), int(node)) && !local {
		if s.rateLimited(node, pages) {
			failed = true
			s.count.NUMARateLimited += pages
		} else if p.unmovable {
			failed = true
		} else {
			m.moved(r, b, node)
			work += units * r.moveWork
			s.count.NUMAPagesMigrated += pages
			m.tasks[t.ID].pagesMigrated += pages
		}
	}
	s.charge(ci, 0, work)
	s.taskNUMAFault(t, last, lastCPU, int(p.node), pages, local, failed, r)
}

// shouldNUMAMigrateMemory is should_numa_migrate_memory: two faults in a row from
// one node move a page, unless it is shared and its group uses the node that it
// is on as much.
func (s *Sched) shouldNUMAMigrateMemory(t *Task, last TaskID, lastCPU int32, src, dst int) bool {
	m := s.mem
	nt := &m.tasks[t.ID]
	if s.k.NUMAEarlyFaults && (nt.preferred == none || nt.scanSeq <= 4) && (last == none || last == t.ID) {
		return true
	}
	if last != none && m.nodeOf[lastCPU] != int32(dst) {
		return false
	}
	if last == t.ID || nt.group == none {
		return true
	}
	g := nt.group
	if m.groupFaultsCPU(g, dst) > m.groupFaultsCPU(g, src)*activeNodeFraction {
		return true
	}
	return m.groupFaultsCPU(g, dst)*m.groupFaultsMem(g, src)*3 >
		m.groupFaultsCPU(g, src)*m.groupFaultsMem(g, dst)*4
}

// taskNUMAFault is task_numa_fault.
func (s *Sched) taskNUMAFault(t *Task, last TaskID, lastCPU int32, node int, pages int64, local, failed bool, r *region) {
	m := s.mem
	nt := &m.tasks[t.ID]
	cpuNode := int(m.nodeOf[t.cpu])
	nt.hasFaults = true
	private := last == none || last == t.ID
	if !private && !r.ReadOnly {
		private = s.taskNUMAGroup(t, last, lastCPU, r.Shared)
	}
	// A shared fault between nodes that the group runs on counts as local, so
	// that the scanner slows down once it has settled.
	if g := nt.group; !private && !local && g != none && m.groups[g].activeNodes > 1 &&
		m.activeNode(cpuNode, g) && m.activeNode(node, g) {
		local = true
	}

	if !s.k.NUMARework {
		s.taskNUMAPlacement(t)
	}
	if s.jiffies > nt.migrateRetry {
		if s.k.NUMARework {
			s.taskNUMAPlacement(t)
		}
		s.numaMigratePreferred(t)
	}

	if failed {
		nt.locality[2] += pages
	}
	f := m.faultsOf(t.ID)
	kind := 0
	if private {
		kind = 1
	}
	f[m.at(numaMemBuf, node, kind)] += pages
	f[m.at(numaCPUBuf, cpuNode, kind)] += pages
	if local {
		nt.locality[1] += pages
	} else {
		nt.locality[0] += pages
	}
}
