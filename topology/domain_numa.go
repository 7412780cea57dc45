package topology

import (
	"maps"
	"slices"
)

// defaultReclaim is RECLAIM_DISTANCE of include/linux/topology.h.
const defaultReclaim = 30

// absentDistance is REMOTE_DISTANCE, which the distance tables of x86 and
// arm64 hold for node numbers that no node has.
const absentDistance = 20

// reclaimDistance is the distance beyond which a NUMA level takes no part in
// wake_affine, fork and exec balancing (node_reclaim_distance since v5.4,
// RECLAIM_DISTANCE before).
func (b *domainBuilder) reclaimDistance() int {
	switch b.m.Arch {
	case archX86:
		return b.x86Reclaim()
	case "ppc64", "ppc64le":
		return powerpcReclaim
	}
	return defaultReclaim
}

// numaLevel spans, for each node, the nodes at most a distance away. Such
// spans may overlap.
func (b *domainBuilder) numaLevel(distance int) level {
	m := b.m
	l := level{
		name:     "NUMA",
		distance: distance,
		part:     slices.Repeat([]int{-1}, len(m.CPUs)),
		spans:    make([][]int, len(m.Distances)),
	}
	for _, cpu := range b.online {
		node := m.CPUs[cpu].Node
		l.part[cpu] = node
		for other, row := range m.Distances {
			if row[node] <= distance {
				l.spans[other] = append(l.spans[other], cpu)
			}
		}
	}
	return l
}

// numaDistances returns the distances that get a NUMA level, ascending.
func (b *domainBuilder) numaDistances() []int {
	found := map[int]bool{}
	if b.r.cpuNodes {
		hasCPU := map[int]bool{}
		for _, cpu := range b.online {
			hasCPU[b.m.CPUs[cpu].Node] = true
		}
		for i := range hasCPU {
			for j := range hasCPU {
				found[b.m.Distances[i][j]] = true
			}
		}
	} else {
		for _, d := range b.distancesFromNode0() {
			found[d] = true
		}
	}
	all := slices.Sorted(maps.Keys(found))
	return slices.DeleteFunc(all, func(d int) bool { return d <= localDistance })
}

// distancesFromNode0 is the row of node number 0 in the kernel's table. It
// has an entry for every number up to the largest, also where no node has it;
// powerpc works distances out of associativity lists, which such nodes lack,
// and they are taken to add none there.
func (b *domainBuilder) distancesFromNode0() []int {
	var row []int
	at := map[int]int{}
	for i := range b.m.Distances {
		at[b.nodeID(i)] = i
	}
	ids := slices.Sorted(maps.Keys(at))
	if len(ids) == 0 {
		return nil
	}
	filled := b.reclaimDistance() != powerpcReclaim
	first := 0
	if !filled {
		first = ids[0]
	}
	from, exists := at[first]
	for id := range ids[len(ids)-1] + 1 {
		to, ok := at[id]
		switch {
		case id == first:
		case ok && exists:
			row = append(row, b.m.Distances[from][to])
		case filled:
			row = append(row, absentDistance)
		}
	}
	return row
}

// nodeID is the number of a node. Machines put together by hand may leave the
// list of nodes out.
func (b *domainBuilder) nodeID(i int) int {
	if i < len(b.m.NUMANodes) {
		return b.m.NUMANodes[i].ID
	}
	return i
}
