package topology

import "slices"

// disjointGroups returns the groups of a CPU's domain at level i of the table:
// the spans of the level below, or single CPUs at the bottom. The group of the
// CPU comes first.
//
// The groups of one span are a ring that all its CPUs share. Each CPU links
// the ring again in the order that it meets the groups in, going up from
// itself and round; the last CPU to do so has the say. This matters only where
// groups interleave in other ways than the usual numberings.
func disjointGroups(table []level, i, cpu int) [][]int {
	span := table[i].span(cpu)
	ring := ringFrom(span, span[len(span)-1], func(c int) []int {
		if i == 0 {
			return []int{c}
		}
		return table[i-1].span(c)
	})
	for first := range ring {
		if slices.Contains(ring[first], cpu) {
			return slices.Concat(ring[first:], ring[:first])
		}
	}
	return ring
}

// overlapGroups returns the groups of a CPU's domain at level i, a NUMA level.
// Each CPU has groups of its own, built from the domains of the CPUs of its
// span, of which there are cpus in all.
func overlapGroups(r *domainRules, table []level, i, cpu, cpus int) [][]int {
	span := table[i].span(cpu)
	return ringFrom(span, cpu, func(sibling int) []int {
		// A CPU whose domains reached the whole machine further down has
		// none at this level.
		if len(table[i-1].span(sibling)) == cpus {
			return nil
		}
		at := i
		if r.descend && !subset(table[i-1].span(sibling), span) {
			at = descend(table, i, sibling, span)
		}
		if at == 0 {
			return table[0].span(sibling)
		}
		return table[at-1].span(sibling)
	})
}

// descend finds the level from which a group of sibling fits into span
// (find_descended_sibling): the first whose level below does, and from there
// past levels that will be removed because they add nothing.
func descend(table []level, at, sibling int, span []int) int {
	for at > 0 && !subset(table[at-1].span(sibling), span) {
		at--
	}
	for at > 0 && slices.Equal(table[at-1].span(sibling), table[at].span(sibling)) {
		at--
	}
	return at
}

// ringFrom visits the CPUs of a span from start upwards and round, and returns
// the group of each CPU that no earlier group covers.
func ringFrom(span []int, start int, group func(cpu int) []int) [][]int {
	var ring [][]int
	covered := map[int]bool{}
	at, _ := slices.BinarySearch(span, start)
	for k := range span {
		cpu := span[(at+k)%len(span)]
		if covered[cpu] {
			continue
		}
		g := group(cpu)
		if g == nil {
			continue
		}
		for _, c := range g {
			covered[c] = true
		}
		ring = append(ring, slices.Clone(g))
	}
	return ring
}

// subset tells whether every element of a is in b; both ascend.
func subset(a, b []int) bool {
	for _, x := range a {
		if _, ok := slices.BinarySearch(b, x); !ok {
			return false
		}
	}
	return true
}
