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
		most := 0
		for _, row := range b.kernelDistances() {
			before := most
			for _, d := range row {
				if d > before {
					found[d] = true
					most = max(most, d)
				}
			}
		}
	}
	all := slices.Sorted(maps.Keys(found))
	return slices.DeleteFunc(all, func(d int) bool { return d <= localDistance })
}

// kernelDistances returns those rows of the kernel's table that make levels
// without cpuNodes: that of node number 0, with debug all. It has a row and a
// column for every number up to the largest, also where no node has it.
// powerpc works distances out of associativity lists, which such nodes lack:
// they are taken to add none there, and the first node to come first.
func (b *domainBuilder) kernelDistances() [][]int {
	at := map[int]int{}
	for i := range b.m.Distances {
		at[b.nodeID(i)] = i
	}
	ids := slices.Sorted(maps.Keys(at))
	if len(ids) > 0 && b.reclaimDistance() != powerpcReclaim {
		last := ids[len(ids)-1]
		ids = ids[:0]
		for id := range last + 1 {
			ids = append(ids, id)
		}
	}
	var rows [][]int
	for k, from := range ids {
		if k > 0 && !b.debug {
			break
		}
		var row []int
		for _, to := range ids {
			i, iExists := at[from]
			j, jExists := at[to]
			switch {
			case from == to:
				row = append(row, localDistance)
			case iExists && jExists:
				row = append(row, b.m.Distances[i][j])
			default:
				row = append(row, absentDistance)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// nodeID is the number of a node. Machines put together by hand may leave the
// list of nodes out.
func (b *domainBuilder) nodeID(i int) int {
	if i < len(b.m.NUMANodes) {
		return b.m.NUMANodes[i].ID
	}
	return i
}
