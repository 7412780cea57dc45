package schedsim

// NUMA groups: tasks that fault on the same pages, which belong on the same nodes.

// activeNodeFraction is ACTIVE_NODE_FRACTION: nodes with a third as many faults
// of its tasks' CPUs as the highest are those that a group is spread over.
const activeNodeFraction = 3

// numaGroup is struct numa_group. A group has the index of the task that started
// it.
type numaGroup struct {
	tasks       int32 // nr_tasks, and refcount
	activeNodes int32
	totalFaults int64
	maxFaults   int64 // max_faults_cpu
}

// groupFaultsOf is ng->faults and ng->faults_cpu, as faultsOf without the counts.
func (m *memory) groupFaultsOf(g int32) []int64 {
	n := groupFaultStats * m.nodes * 2
	return m.groupFaults[int(g)*n : (int(g)+1)*n]
}

// groupFaultsMem is group_faults: on pages of a node.
func (m *memory) groupFaultsMem(g int32, node int) int64 {
	f := m.groupFaultsOf(g)
	return f[m.at(numaMem, node, 0)] + f[m.at(numaMem, node, 1)]
}

// groupFaultsCPU is group_faults_cpu: from CPUs of a node, by CPU time.
func (m *memory) groupFaultsCPU(g int32, node int) int64 {
	f := m.groupFaultsOf(g)
	return f[m.at(numaCPUs, node, 0)] + f[m.at(numaCPUs, node, 1)]
}

// groupFaultsKind is group_faults_shared and group_faults_priv.
func (m *memory) groupFaultsKind(g int32) (shared, private int64) {
	f := m.groupFaultsOf(g)
	for node := range m.nodes {
		shared += f[m.at(numaMem, node, 0)]
		private += f[m.at(numaMem, node, 1)]
	}
	return shared, private
}

// activeNode is numa_is_active_node.
func (m *memory) activeNode(node int, g int32) bool {
	return m.groupFaultsCPU(g, node)*activeNodeFraction > m.groups[g].maxFaults
}

// countActiveNodes is numa_group_count_active_nodes.
func (m *memory) countActiveNodes(g int32) {
	most, active := int64(0), int32(0)
	for node := range m.nodes {
		most = max(most, m.groupFaultsCPU(g, node))
	}
	for node := range m.nodes {
		if m.groupFaultsCPU(g, node)*activeNodeFraction > most {
			active++
		}
	}
	m.groups[g].maxFaults, m.groups[g].activeNodes = most, active
}

// taskNUMAGroup is task_numa_group: t faults on a page that the task last touched
// last. If that one runs still where it did then, the two join, in the group that
// has more tasks. It reports whether the fault counts as private: one between
// address spaces that share no mapping does.
//
// The kernel breaks a tie by the address of the groups, this by who started one
// first. It knows the last task by 8 bits of its number, this by all.
func (s *Sched) taskNUMAGroup(t *Task, last TaskID, lastCPU int32, sharedMapping bool) (private bool) {
	m := s.mem
	nt := &m.tasks[t.ID]
	if nt.group == none {
		g := t.ID
		nt.group = g
		m.groups[g] = numaGroup{tasks: 1, activeNodes: 1, totalFaults: nt.totalFaults}
		copy(m.groupFaultsOf(g), m.faultsOf(t.ID))
		s.count.NUMAGroups++
	}
	if s.cpus[lastCPU].curr != last {
		return false
	}
	other := &m.tasks[last]
	my, g := nt.group, other.group
	if g == none || g == my || m.groups[my].tasks > m.groups[g].tasks ||
		m.groups[my].tasks == m.groups[g].tasks && my > g {
		return false
	}
	if other.mm != nt.mm && !sharedMapping {
		return true // no join
	}
	m.leaveGroup(t.ID)
	nt.group = g
	m.groups[g].tasks++
	m.groups[g].totalFaults += nt.totalFaults
	f, gf := m.faultsOf(t.ID), m.groupFaultsOf(g)
	for i := range gf {
		gf[i] += f[i]
	}
	s.count.NUMAGroupJoins++
	return false
}

// leaveGroup takes a task and its faults out of its group, if it has one.
func (m *memory) leaveGroup(id TaskID) {
	nt := &m.tasks[id]
	if nt.group == none {
		return
	}
	g := &m.groups[nt.group]
	g.tasks--
	g.totalFaults -= nt.totalFaults
	f, gf := m.faultsOf(id), m.groupFaultsOf(nt.group)
	for i := range gf {
		gf[i] -= f[i]
	}
	nt.group = none
}
