package topology

import "slices"

// overlapState is what building the groups of NUMA levels keeps from CPU to
// CPU.
type overlapState struct {
	// covered[c] is the number of the last ring with c in one of its groups.
	covered []int
	ring    int
	// descended remembers what descend found.
	descended map[descent]int
	// balance has, for the groups of ringFromFirst, the span of the domain
	// that used them first.
	balance map[groupKey][]int
}

// descent asks where a CPU's group comes from in a span of a level.
type descent struct{ level, part, cpu int }

// groupKey names a group by its level and the CPU that it was taken from.
type groupKey struct{ level, cpu int }

// overlapGroups returns the groups of a CPU's domain at level i, a NUMA level
// (build_overlap_sched_groups). Each CPU has groups of its own, built from the
// domains of the CPUs of its span. The CPUs have to be asked for in ascending
// order, as the kernel builds them.
func (b *domainBuilder) overlapGroups(i, cpu int) [][]int {
	span := b.table[i].span(cpu)
	below := &b.table[i-1]
	o := &b.overlap
	o.ring++
	start := 0
	if !b.r.ringFromFirst {
		start, _ = slices.BinarySearch(span, cpu)
	}
	var ring [][]int
	var leaders []int
	for k := range span {
		sibling := span[(start+k)%len(span)]
		// A CPU whose domains reached the whole machine further down has
		// none at this level.
		if o.covered[sibling] == o.ring || len(below.span(sibling)) == len(b.online) {
			continue
		}
		group := b.siblingGroup(i, cpu, sibling)
		for _, c := range group {
			o.covered[c] = o.ring
		}
		ring = append(ring, group)
		leaders = append(leaders, sibling)
	}
	if b.r.ringFromFirst {
		first := b.balanceGroup(i, cpu, ring, leaders)
		ring = slices.Concat(ring[first:], ring[:first])
	}
	return ring
}

// siblingGroup returns the group that a sibling's domains give.
func (b *domainBuilder) siblingGroup(i, cpu, sibling int) []int {
	at := i
	if b.r.descend && sibling != cpu {
		at = b.descend(i, sibling, b.table[i].part[cpu])
	}
	if at == 0 {
		return b.table[0].span(sibling)
	}
	return b.table[at-1].span(sibling)
}

// descend finds the level from which the group of a CPU fits into a span of
// level i (find_descended_sibling): the first whose level below does, and from
// there past levels that will be removed because they add nothing.
func (b *domainBuilder) descend(i, cpu, part int) int {
	key := descent{i, part, cpu}
	if at, ok := b.overlap.descended[key]; ok {
		return at
	}
	span := b.table[i].spans[part]
	at := i
	if !subset(b.table[at-1].span(cpu), span) {
		for at > 0 && !subset(b.table[at-1].span(cpu), span) {
			at--
		}
		for at > 0 && slices.Equal(b.table[at-1].span(cpu), b.table[at].span(cpu)) {
			at--
		}
	}
	if b.overlap.descended == nil {
		b.overlap.descended = map[descent]int{}
	}
	b.overlap.descended[key] = at
	return at
}

// balanceGroup returns the group that v3.10 puts first: the last one whose
// balance CPU (group_balance_cpu) is the CPU itself, else the first one that
// has the CPU. The CPUs that may balance a group are those of the first domain
// that was built with it, as far as they have a domain at this level.
func (b *domainBuilder) balanceGroup(i, cpu int, ring [][]int, leaders []int) int {
	o := &b.overlap
	if o.balance == nil {
		o.balance = map[groupKey][]int{}
	}
	first := -1
	for k, group := range ring {
		key := groupKey{i, leaders[k]}
		mask, ok := o.balance[key]
		if !ok {
			mask = b.table[i].span(cpu)
			o.balance[key] = mask
		}
		balance := slices.IndexFunc(group, func(c int) bool {
			_, in := slices.BinarySearch(mask, c)
			return in && len(b.table[i-1].span(c)) < len(b.online)
		})
		if first < 0 && slices.Contains(group, cpu) || balance >= 0 && group[balance] == cpu {
			first = k
		}
	}
	return first
}
