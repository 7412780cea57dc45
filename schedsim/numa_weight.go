package schedsim

// How much a node means to a task or a group, on machines where nodes are more
// than one distance apart as well.

// numaTopology is enum numa_topology_type.
type numaTopology uint8

const (
	numaDirect       numaTopology = iota // all nodes are equally far
	numaGluelessMesh                     // some are reached through others
	numaBackplane                        // groups of nodes are behind one another
)

// buildDistances classifies the machine (init_numa_topology_type). v4.18 called
// machines of one distance between nodes a backplane, v4.19 no longer does;
// nothing follows from it there.
func (m *memory) buildDistances(s *Sched) {
	m.distance = make([]int32, m.nodes*m.nodes)
	m.ratio = make([]float64, m.nodes*m.nodes)
	levels := map[int32]bool{}
	for a, row := range s.m.Distances {
		for b, d := range row {
			m.distance[a*m.nodes+b] = int32(d)
			m.maxDist = max(m.maxDist, int32(d))
			levels[int32(d)] = true
			m.ratio[a*m.nodes+b] = 1
			if l := s.m.Memory.Local.Value; a != b && l > 0 {
				m.ratio[a*m.nodes+b] = s.m.Memory.Remote[d].Value / l
			}
		}
	}
	if len(levels) <= 2 {
		return
	}
	for a := range m.nodes {
		for b := range m.nodes {
			if m.dist(a, b) < m.maxDist {
				continue
			}
			// Is there a node between the two?
			m.topology = numaBackplane
			for c := range m.nodes {
				if m.dist(a, c) < m.maxDist && m.dist(b, c) < m.maxDist {
					m.topology = numaGluelessMesh
				}
			}
			return
		}
	}
}

// localDistance is LOCAL_DISTANCE.
const localDistance = 10

func (m *memory) dist(a, b int) int32 { return m.distance[a*m.nodes+b] }

// scoreNearbyNodes is score_nearby_nodes: what the faults on nodes nearby add to
// those on the node. Since the rework of 2018 a backplane's groups of nodes leave
// out those at the distance itself.
func (s *Sched) scoreNearbyNodes(id TaskID, g int32, node int, limit int32) int64 {
	m := s.mem
	if m.topology == numaDirect {
		return 0
	}
	score := int64(0)
	for n := range m.nodes {
		d := m.dist(node, n)
		if d == m.maxDist || n == node {
			continue
		}
		if m.topology == numaBackplane && (d > limit || s.k.NUMARework && d == limit) {
			continue
		}
		faults := int64(0)
		if g == none {
			faults = m.taskFaults(id, n)
		} else {
			faults = m.groupFaultsMem(g, n)
		}
		if m.topology == numaGluelessMesh {
			faults = faults * int64(m.maxDist-d) / int64(m.maxDist-localDistance)
		}
		score += faults
	}
	return score
}

// taskWeight is task_weight: the share of the task's faults that the node has,
// per mille.
func (s *Sched) taskWeight(t *Task, node int, dist int32) int64 {
	m := s.mem
	nt := &m.tasks[t.ID]
	if !nt.hasFaults || nt.totalFaults == 0 {
		return 0
	}
	return 1000 * (m.taskFaults(t.ID, node) + s.scoreNearbyNodes(t.ID, none, node, dist)) / nt.totalFaults
}

// groupWeight is group_weight.
func (s *Sched) groupWeight(t *Task, node int, dist int32) int64 {
	m := s.mem
	g := m.tasks[t.ID].group
	if g == none || m.groups[g].totalFaults == 0 {
		return 0
	}
	return 1000 * (m.groupFaultsMem(g, node) + s.scoreNearbyNodes(t.ID, g, node, dist)) / m.groups[g].totalFaults
}

// preferredGroupNode is preferred_group_nid: on machines of several distances the
// node by the faults of its neighbourhood.
func (m *memory) preferredGroupNode(g, node int32) int32 {
	switch m.topology {
	case numaGluelessMesh:
		return m.meshNode(g, node)
	case numaBackplane:
		return m.backplaneNode(g, node)
	}
	return node
}

func (m *memory) meshNode(g, node int32) int32 {
	total := m.groups[g].totalFaults
	if total == 0 {
		return node
	}
	best := int64(0)
	for n := range m.nodes {
		score := m.groupFaultsMem(g, n)
		for o := range m.nodes {
			if d := m.dist(n, o); o != n && d != m.maxDist {
				score += m.groupFaultsMem(g, o) * int64(m.maxDist-d) / int64(m.maxDist-localDistance)
			}
		}
		if score = 1000 * score / total; score > best {
			best, node = score, int32(n)
		}
	}
	return node
}

// backplaneNode narrows the nodes down, from the largest groups of nodes to one
// node. Nodes are bits: the kernel's own limit of them is higher.
func (m *memory) backplaneNode(g, node int32) int32 {
	nodes := uint64(1)<<m.nodes - 1
	for dist := m.maxDist; dist > localDistance; dist-- {
		if !m.hasDistance(dist) {
			continue
		}
		most, top := int64(0), uint64(0)
		left := nodes
		for a := range m.nodes {
			if left>>a&1 == 0 {
				continue
			}
			faults, group := int64(0), uint64(0)
			for b := range m.nodes {
				if left>>b&1 != 0 && m.dist(a, b) < dist {
					faults += m.groupFaultsMem(g, b)
					group |= 1 << b
				}
			}
			left &^= group
			if faults > most {
				most, top, node = faults, group, int32(a)
			}
		}
		if most == 0 {
			break
		}
		nodes = top
	}
	return node
}

func (m *memory) hasDistance(d int32) bool {
	for _, v := range m.distance {
		if v == d {
			return true
		}
	}
	return false
}
