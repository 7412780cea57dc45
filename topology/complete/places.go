package complete

import (
	"fmt"
	"slices"
	"strings"

	"github.com/schedlab/schedlab/topology"
	"github.com/schedlab/schedlab/topology/dump"
)

// places says which CPUs there are and which parts they share. What the facts
// count without placing is placed in the order of the CPU numbers.
func (b *builder) places() error {
	f, m := b.f, b.m
	m.Numbering = topology.NumberingInfo{Scheme: topology.Listed, Kind: topology.Measured, Source: b.source}
	online := b.cpus()
	if len(online) == 0 {
		return fmt.Errorf("complete: no input names or counts CPUs that are online, give the output of lscpu -J or lstopo --of xml")
	}
	nodes, err := b.nodes(online)
	if err != nil {
		return err
	}
	cores, err := b.cores(online, nodes)
	if err != nil {
		return err
	}
	place(m, nodes, func(c *topology.CPU) *int { return &c.Node })
	for i, core := range cores {
		for thread, cpu := range core {
			m.CPUs[cpu].Core, m.CPUs[cpu].Thread = i, thread
		}
	}
	llcs := b.llcs(cores, online)
	sockets := b.sockets(cores, llcs, nodes, online)
	if llcs == nil {
		b.assume("a last-level cache a socket, as no input tells how many there are")
		llcs = sockets
	}
	place(m, b.l2s(cores), func(c *topology.CPU) *int { return &c.L2 })
	place(m, llcs, func(c *topology.CPU) *int { return &c.LLC })
	place(m, sockets, func(c *topology.CPU) *int { return &c.Socket })
	b.coreKinds(online)
	if mib := f.Nodes; len(mib) == len(m.NUMANodes) {
		for i := range mib {
			if mib[i].MemoryMiB != nil {
				size := int(*mib[i].MemoryMiB)
				m.NUMANodes[i].MemoryMiB = &size
			}
		}
	}
	return nil
}

// place sets one index of all CPUs of a partition.
func place(m *topology.Machine, sets []dump.CPUSet, index func(*topology.CPU) *int) {
	for i, set := range sets {
		for _, cpu := range set {
			*index(&m.CPUs[cpu]) = i
		}
	}
}

// cpus fills in the machine's CPUs and returns those that are online.
func (b *builder) cpus() dump.CPUSet {
	f, m := b.f, b.m
	last := -1
	for _, c := range f.CPUs {
		last = max(last, c.ID)
	}
	if last < 0 && f.Counts.CPUs != nil {
		last = *f.Counts.CPUs - 1
		b.assume("all %d CPUs online and numbered from 0", last+1)
	}
	m.CPUs = make([]topology.CPU, last+1)
	var online dump.CPUSet
	for i := range m.CPUs {
		c := topology.CPU{ID: i, Core: -1, L2: -1, LLC: -1, Node: -1, Socket: -1, Thread: -1, State: topology.Absent}
		if len(f.CPUs) == 0 {
			c.State = topology.Online
		}
		m.CPUs[i] = c
	}
	for _, c := range f.CPUs {
		switch c.State {
		case dump.Offline, dump.Hidden:
			m.CPUs[c.ID].State = topology.Offline
		default:
			m.CPUs[c.ID].State = topology.Online
		}
	}
	for i := range m.CPUs {
		if m.CPUs[i].State == topology.Online {
			m.CPUs[i].Kind = 0
			online = append(online, i)
		}
	}
	return online
}

// nodes returns the CPUs of each NUMA node.
func (b *builder) nodes(online dump.CPUSet) ([]dump.CPUSet, error) {
	f, m := b.f, b.m
	var sets []dump.CPUSet
	placed := dump.CPUSet{}
	for _, n := range f.Nodes {
		m.NUMANodes = append(m.NUMANodes, topology.Node{ID: n.ID})
		cpus := n.CPUs.Intersect(online)
		sets = append(sets, cpus)
		placed = placed.Union(cpus)
	}
	missing := online.Minus(placed)
	switch {
	case len(missing) == 0 && len(sets) > 0:
		return sets, nil
	case len(sets) == 1:
		return []dump.CPUSet{online}, nil
	case len(sets) > 1 && len(placed) > 0:
		return nil, fmt.Errorf("complete: CPUs %s are on no NUMA node, give the output of numactl -H", missing)
	}
	if n := f.Counts.Nodes; len(sets) > 1 || n != nil && *n > 1 {
		if len(f.Sockets) == max(len(sets), value(n)) {
			b.assume("a NUMA node a socket")
			m.NUMANodes = nil
			for i := range f.Sockets {
				m.NUMANodes = append(m.NUMANodes, topology.Node{ID: i})
			}
			return groups(f.Sockets, online), nil
		}
		return nil, fmt.Errorf("complete: no input tells which CPUs are on which NUMA node, give the output of numactl -H")
	}
	m.NUMANodes = []topology.Node{{ID: 0}}
	return []dump.CPUSet{online}, nil
}

func value(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// groups returns the online CPUs of groups, without groups that have none.
func groups(gs []dump.Group, online dump.CPUSet) []dump.CPUSet {
	var sets []dump.CPUSet
	for _, g := range gs {
		if cpus := g.CPUs.Intersect(online); len(cpus) > 0 {
			sets = append(sets, cpus)
		}
	}
	return sets
}

// cores returns the threads of each core.
func (b *builder) cores(online dump.CPUSet, nodes []dump.CPUSet) ([]dump.CPUSet, error) {
	if covered(groups(b.f.Cores, online), online) {
		return groups(b.f.Cores, online), nil
	}
	threads := max(value(b.f.Counts.ThreadsPerCore), 1)
	if threads == 1 {
		if b.f.Counts.ThreadsPerCore == nil {
			b.assume("one thread a core")
		}
		return runs(online, len(online), 1), nil
	}
	if len(online)%threads != 0 {
		return nil, fmt.Errorf("complete: %d CPUs online do not divide into cores of %d threads and no input tells which share one, "+
			"give the output of lscpu -p or lstopo --of xml", len(online), threads)
	}
	last := runs(online, len(online)/threads, threads)
	adjacent := make([]dump.CPUSet, len(last))
	for i := range adjacent {
		adjacent[i] = online[i*threads : (i+1)*threads]
	}
	// Firmware numbers the threads of a core in one of two ways. One that
	// would put a core on two nodes is not it.
	schemes := []struct {
		name  string
		cores []dump.CPUSet
	}{{"the threads of a core numbered last", last}, {"the threads of a core numbered one after the other", adjacent}}
	if !strings.HasPrefix(b.m.Arch, "x86") {
		slices.Reverse(schemes)
	}
	for _, s := range schemes {
		if nest(s.cores, nodes) {
			b.assume("%s", s.name)
			return s.cores, nil
		}
	}
	return nil, fmt.Errorf("complete: no usual numbering of %d threads a core fits the NUMA nodes, give the output of lscpu -p or lstopo --of xml", threads)
}

// runs deals CPUs out to n sets: the first n get the first place in each, the
// next n the second.
func runs(cpus dump.CPUSet, n, each int) []dump.CPUSet {
	sets := make([]dump.CPUSet, n)
	for i := range sets {
		for k := range each {
			sets[i] = append(sets[i], cpus[i+k*n])
		}
	}
	return sets
}

// covered tells whether sets have every CPU.
func covered(sets []dump.CPUSet, cpus dump.CPUSet) bool {
	n := 0
	for _, s := range sets {
		n += len(s)
	}
	return n == len(cpus) && n > 0
}

// nest tells whether each inner set is inside one outer set.
func nest(inner, outer []dump.CPUSet) bool {
	index := map[int]int{}
	for i, set := range outer {
		for _, cpu := range set {
			index[cpu] = i
		}
	}
	for _, set := range inner {
		for _, cpu := range set {
			if index[cpu] != index[set[0]] {
				return false
			}
		}
	}
	return true
}
