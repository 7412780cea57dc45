package topology

// asymmetry is the way in which a kernel marks domains whose CPUs differ in
// capacity.
type asymmetry int

const (
	// asymmetryIgnored: not at all. (v4.18 knows SD_ASYM_CPUCAPACITY, but no
	// architecture modelled here sets it.)
	asymmetryIgnored asymmetry = iota
	// asymmetryOneLevel: all domains of the lowest level at which every CPU
	// has one of the largest capacity in its span (asym_cpu_capacity_level).
	asymmetryOneLevel
	// asymmetryFromLevel: those of this level and of all above it.
	asymmetryFromLevel
	// asymmetryEachDomain: each domain by the capacities in its span, with
	// SD_ASYM_CPUCAPACITY_FULL if no other occurs (asym_cpu_capacity_classify).
	asymmetryEachDomain
)

// markAsymmetry sets the levels' asymmetric flags.
func (b *domainBuilder) markAsymmetry() {
	for i := range b.table {
		b.table[i].asymmetric = make([]DomainFlags, len(b.table[i].spans))
	}
	capacity := b.capacities()
	if capacity == nil || b.r.asymmetry == asymmetryIgnored {
		return
	}
	if b.r.asymmetry == asymmetryEachDomain {
		b.markEachDomain(capacity)
		return
	}
	first := b.asymmetricLevel(capacity)
	for i := first; i >= 0 && i < len(b.table); i++ {
		for part := range b.table[i].asymmetric {
			b.table[i].asymmetric[part] = SDAsymCPUCapacity
		}
		if b.r.asymmetry == asymmetryOneLevel {
			break
		}
	}
}

// capacities returns the capacity of each CPU as the kernel knows it, nil if
// all are alike or those of some kind are not known.
func (b *domainBuilder) capacities() []int {
	kinds := b.m.CoreKinds
	if b.m.Arch != "arm64" && !b.scaled() {
		return nil
	}
	capacity := make([]int, len(b.m.CPUs))
	differ := false
	for _, cpu := range b.online {
		kind := b.m.CPUs[cpu].Kind
		if kind < 0 || kind >= len(kinds) || kinds[kind].Capacity == 0 {
			return nil
		}
		capacity[cpu] = kinds[kind].Capacity
		differ = differ || capacity[cpu] != capacity[b.online[0]]
	}
	if !differ {
		return nil
	}
	return capacity
}

// markEachDomain marks the spans that have more than one capacity.
func (b *domainBuilder) markEachDomain(capacity []int) {
	all := distinct(b.online, capacity)
	for i := range b.table {
		l := &b.table[i]
		for part, span := range l.spans {
			switch n := distinct(span, capacity); {
			case n < 2:
			case n < all:
				l.asymmetric[part] = SDAsymCPUCapacity
			default:
				l.asymmetric[part] = SDAsymCPUCapacity | SDAsymCPUCapacityFull
			}
		}
	}
}

// asymmetricLevel returns the level of asymmetryOneLevel, -1 if there is none.
func (b *domainBuilder) asymmetricLevel(capacity []int) int {
	found := -1
	for _, cpu := range b.online {
		most := capacity[cpu]
		for i := max(found, 0); i < len(b.table); i++ {
			for _, c := range b.table[i].span(cpu) {
				if capacity[c] > most {
					most, found = capacity[c], i
				}
			}
		}
	}
	return found
}

// distinct returns how many different values the CPUs have.
func distinct(cpus, value []int) int {
	seen := map[int]bool{}
	for _, cpu := range cpus {
		seen[value[cpu]] = true
	}
	return len(seen)
}
