package topology

import "slices"

// level is one row of the kernel's topology table: a way to cut the machine
// into sets of CPUs. Each CPU has one span a level.
type level struct {
	name string
	// flags are those that the table gives; newDomain adds the usual ones.
	flags DomainFlags
	// distance is the SLIT distance of a NUMA level.
	distance int
	// part is the span's index for each CPU, and spans the CPUs of each
	// span, ascending.
	part  []int
	spans [][]int
}

func (l *level) span(cpu int) []int { return l.spans[l.part[cpu]] }

// levels returns the topology table of a machine for a kernel, lowest level
// first, as x86 and the NUMA code put it together.
func (m *Machine) levels(r *domainRules) []level {
	table := []level{m.disjointLevel("SMT", SDShareCPUCapacity|SDSharePkgResources, func(c CPU) int { return c.Core })}
	if r.clusterLevel {
		table = append(table, m.disjointLevel("CLS", r.clusterFlags, func(c CPU) int { return c.L2 }))
	}
	table = append(table, m.disjointLevel("MC", SDSharePkgResources, func(c CPU) int { return c.LLC }))
	// With several nodes in a package x86 leaves the package to the NUMA
	// levels.
	if m.Nodes() <= m.Sockets() {
		table = append(table, m.disjointLevel(r.packageLevel, 0, func(c CPU) int { return c.Node }))
	}
	distances := m.numaDistances(r)
	if len(distances) < 2 {
		return table
	}
	table = append(table, m.disjointLevel("NODE", 0, func(c CPU) int { return c.Node }))
	for _, d := range distances[1:] {
		table = append(table, m.numaLevel(d))
	}
	return table
}

// disjointLevel is a level whose spans partition the machine.
func (m *Machine) disjointLevel(name string, flags DomainFlags, part func(CPU) int) level {
	l := level{name: name, flags: flags, part: make([]int, len(m.CPUs))}
	for _, c := range m.CPUs {
		i := part(c)
		for len(l.spans) <= i {
			l.spans = append(l.spans, nil)
		}
		l.part[c.ID] = i
		l.spans[i] = append(l.spans[i], c.ID)
	}
	return l
}

// numaLevel spans, for each node, the nodes at most a distance away. Such
// spans may overlap.
func (m *Machine) numaLevel(distance int) level {
	l := level{
		name:     "NUMA",
		flags:    SDNUMA | SDOverlap,
		distance: distance,
		part:     make([]int, len(m.CPUs)),
		spans:    make([][]int, len(m.Distances)),
	}
	for _, c := range m.CPUs {
		l.part[c.ID] = c.Node
		for node := range m.Distances {
			if m.Distances[node][c.Node] <= distance {
				l.spans[node] = append(l.spans[node], c.ID)
			}
		}
	}
	return l
}

// numaDistances returns the distances that get a level, ascending, the local
// one first.
func (m *Machine) numaDistances(r *domainRules) []int {
	var all []int
	for _, row := range m.Distances {
		all = append(all, row...)
		if !r.wholeTable {
			break
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
