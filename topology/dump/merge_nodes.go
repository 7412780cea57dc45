package dump

import (
	"cmp"
	"fmt"
	"slices"
)

// nodes joins nodes: CPUs from the best input, memory from the best that tells.
func (m *merger) nodes() {
	inputs := m.by(trustNodes)
	// An input that names the CPUs of all its nodes comes before one that does
	// not.
	slices.SortStableFunc(inputs, func(a, b *Facts) int {
		return cmp.Compare(unlisted(a), unlisted(b))
	})
	var from []*Facts // of m.out.Nodes
	for _, f := range inputs {
		first := m.out.Nodes == nil
		if first && f.Nodes != nil {
			m.out.Nodes = []Node{}
		}
		for _, n := range f.Nodes {
			n.MemoryMiB = nil
			if n.CPUs != nil {
				n.CPUs = n.CPUs.Intersect(m.placed)
			}
			i := slices.IndexFunc(m.out.Nodes, func(o Node) bool { return o.ID == n.ID })
			switch {
			case i >= 0 && m.out.Nodes[i].CPUs == nil:
				m.out.Nodes[i].CPUs, from[i] = n.CPUs, f
			case i >= 0 && n.CPUs != nil && !sameWhereBoth(n.CPUs, f, m.out.Nodes[i].CPUs, from[i]):
				m.conflict(fmt.Sprintf("CPUs of node %d", n.ID), from[i], sayCPUList(m.out.Nodes[i].CPUs), f, sayCPUList(n.CPUs))
			case i >= 0:
			case first || len(n.CPUs) == 0:
				m.out.Nodes = append(m.out.Nodes, n)
				from = append(from, f)
			default:
				m.conflict(fmt.Sprintf("node %d", n.ID), inputs[0], "that there is none", f, "that it has the CPUs "+n.CPUs.String())
			}
		}
	}
	if len(m.out.Nodes) == 0 {
		return
	}
	for i := range m.out.Nodes {
		m.memory(&m.out.Nodes[i])
	}
	sortNodes(m.out.Nodes)
	if n := m.out.Counts.Nodes; n != nil && m.out.Nodes != nil && *n != len(m.out.Nodes) {
		for _, f := range m.in {
			if f.Counts.Nodes == n && from[0] != f && !f.Partial {
				m.conflict("number of nodes", from[0], fmt.Sprint(len(m.out.Nodes)), f, fmt.Sprint(*n))
			}
		}
	}
}

// sameWhereBoth compares the sets of two inputs on the CPUs that both place.
func sameWhereBoth(a CPUSet, f *Facts, b CPUSet, g *Facts) bool {
	common := f.placed().Intersect(g.placed())
	return slices.Equal(a.Intersect(common), b.Intersect(common))
}

// unlisted is 1 for an input that does not tell the CPUs of all its nodes.
func unlisted(f *Facts) int {
	for _, n := range f.Nodes {
		if n.CPUs == nil {
			return 1
		}
	}
	return 0
}

func sayCPUList(s CPUSet) string {
	if len(s) == 0 {
		return "none"
	}
	return s.String()
}

// memory finds the memory of a node. numactl and hwloc round down to MiB.
func (m *merger) memory(n *Node) {
	var from *Facts
	for _, f := range m.by(trustMemory) {
		for _, o := range f.Nodes {
			switch {
			case o.ID != n.ID || o.MemoryMiB == nil:
			case n.MemoryMiB == nil:
				n.MemoryMiB, from = o.MemoryMiB, f
			case max(*n.MemoryMiB-*o.MemoryMiB, *o.MemoryMiB-*n.MemoryMiB) > 1:
				m.conflict(fmt.Sprintf("memory of node %d", n.ID), from, fmt.Sprintf("%d MiB", *n.MemoryMiB), f, fmt.Sprintf("%d MiB", *o.MemoryMiB))
			}
		}
	}
}

// distances takes the best table, and compares others on the nodes that they
// share.
func (m *merger) distances() {
	var from *Facts
	for _, f := range m.by(trustMemory) {
		switch {
		case f.Distances == nil:
		case from == nil:
			m.out.Distances, from = f.Distances, f
		default:
			if i, j, ok := differ(m.out.Distances, f.Distances); ok {
				a, _ := m.out.Distances.between(i, j)
				b, _ := f.Distances.between(i, j)
				m.conflict(fmt.Sprintf("distance from node %d to %d", i, j), from, fmt.Sprint(a), f, fmt.Sprint(b))
			}
		}
	}
	if from == nil || m.out.Nodes == nil {
		return
	}
	var nodes []int
	for _, n := range m.out.Nodes {
		nodes = append(nodes, n.ID)
	}
	if !slices.Equal(nodes, m.out.Distances.Nodes) {
		m.out.note(m.out.Distances.At, "the distance table is of the nodes %v, but there are %v, so it is left out", m.out.Distances.Nodes, nodes)
		m.out.Distances = nil
	}
}

// between returns the distance of two nodes.
func (d *Distances) between(from, to int) (int, bool) {
	i, ok := slices.BinarySearch(d.Nodes, from)
	j, ok2 := slices.BinarySearch(d.Nodes, to)
	if !ok || !ok2 {
		return 0, false
	}
	return d.Values[i][j], true
}

// differ returns the first pair of nodes whose distance differs.
func differ(a, b *Distances) (from, to int, ok bool) {
	for _, i := range a.Nodes {
		for _, j := range a.Nodes {
			x, _ := a.between(i, j)
			if y, ok := b.between(i, j); ok && x != y {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

// coreTypes takes the types of the best input that knows their CPUs, and adds
// what others know about the same CPUs, or of the same name.
func (m *merger) coreTypes() {
	var list []candidate
	var named *Facts // types without CPUs
	for _, f := range m.by(trustTypes) {
		var groups []Group
		for _, t := range f.CoreTypes {
			groups = append(groups, Group{CPUs: t.CPUs})
		}
		switch groups = m.restrict(groups); {
		case f.CoreTypes == nil:
		case groups == nil:
			if named == nil {
				named = f
			}
		default:
			list = append(list, candidate{f, groups})
		}
	}
	best, ok := m.choose("core types", list, trustTypes)
	if !ok {
		if named != nil {
			m.out.CoreTypes = named.CoreTypes
		}
		return
	}
	for _, t := range best.from.CoreTypes {
		if t.CPUs = t.CPUs.Intersect(m.placed); len(t.CPUs) == 0 {
			continue
		}
		for _, f := range m.by(trustTypes) {
			for _, o := range f.CoreTypes {
				if o.CPUs != nil && slices.Equal(o.CPUs.Intersect(m.placed), t.CPUs) || o.CPUs == nil && o.Name == t.Name {
					t.fill(o)
				}
			}
		}
		m.out.CoreTypes = append(m.out.CoreTypes, t)
	}
	if len(m.out.CoreTypes) < 2 {
		m.out.CoreTypes = nil
	}
}

// fill adds what t does not know.
func (t *CoreType) fill(o CoreType) {
	t.Name = cmp.Or(t.Name, o.Name)
	t.Efficiency = cmp.Or(t.Efficiency, o.Efficiency)
	t.Capacity = cmp.Or(t.Capacity, o.Capacity)
	t.MinMHz = cmp.Or(t.MinMHz, o.MinMHz)
	t.MaxMHz = cmp.Or(t.MaxMHz, o.MaxMHz)
	t.BaseMHz = cmp.Or(t.BaseMHz, o.BaseMHz)
	if t.Counts == (Counts{}) {
		t.Counts = o.Counts
	}
}

// power takes over what sysfs, or the summary of lscpu, alone tells.
func (m *merger) power() {
	o := m.out
	for _, f := range m.by(trustMHz) {
		o.Boost = cmp.Or(o.Boost, f.Boost)
		o.HWP = cmp.Or(o.HWP, f.HWP)
		o.SMT = cmp.Or(o.SMT, f.SMT)
		o.MinMHz = cmp.Or(o.MinMHz, f.MinMHz)
		o.MaxMHz = cmp.Or(o.MaxMHz, f.MaxMHz)
		o.IdleDriver = cmp.Or(o.IdleDriver, f.IdleDriver)
		o.IdleGovernor = cmp.Or(o.IdleGovernor, f.IdleGovernor)
		if o.Scaling == nil {
			o.Scaling = f.Scaling
		}
		if o.Idle == nil {
			o.Idle = f.Idle
		}
	}
}
