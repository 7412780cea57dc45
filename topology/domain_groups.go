package topology

import "slices"

// groups returns the groups of a CPU's domain at level i of the table.
func (b *domainBuilder) groups(i, cpu int) [][]int {
	if b.table[i].distance > 0 {
		return b.overlapGroups(i, cpu)
	}
	return b.disjointGroups(i, cpu)
}

// linkGroups sets the rings of level i of the table: the groups of a span are
// the spans of the level below, or single CPUs at the bottom.
//
// A ring is shared by all CPUs of the span. Where each CPU links it again, in
// the order that it meets the groups in, going up from itself and round, the
// last CPU to do so has the say. This matters only where groups interleave in
// other ways than the usual numberings.
func (b *domainBuilder) linkGroups(i int) {
	l := &b.table[i]
	l.rings = make([][][]int, len(l.spans))
	l.at = make([]int, len(l.part))
	covered := make([]bool, len(l.part))
	for part, span := range l.spans {
		start := len(span) - 1
		if b.r.ringFromFirst {
			start = 0
		}
		for k := range span {
			cpu := span[(start+k)%len(span)]
			if covered[cpu] {
				continue
			}
			group := []int{cpu}
			if i > 0 {
				group = b.table[i-1].span(cpu)
			}
			for _, c := range group {
				covered[c] = true
				l.at[c] = len(l.rings[part])
			}
			l.rings[part] = append(l.rings[part], group)
		}
	}
}

// disjointGroups returns the groups of a CPU's domain at level i, the group of
// the CPU first.
func (b *domainBuilder) disjointGroups(i, cpu int) [][]int {
	l := &b.table[i]
	ring, at := l.rings[l.part[cpu]], l.at[cpu]
	return slices.Concat(ring[at:], ring[:at])
}

// subset tells whether every element of a is in b; both ascend.
func subset(a, b []int) bool {
	if len(a) > 0 && len(b) > 0 && &a[0] == &b[0] {
		return len(a) <= len(b)
	}
	for _, x := range a {
		i, ok := slices.BinarySearch(b, x)
		if !ok {
			return false
		}
		b = b[i+1:]
	}
	return true
}
