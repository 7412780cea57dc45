package complete

import (
	"cmp"
	"slices"

	"github.com/schedlab/schedlab/topology"
	"github.com/schedlab/schedlab/topology/dump"
)

// llcs returns the CPUs of each last-level cache as Linux sees it: the highest
// level that a CPU has. It is nil if no input tells of caches beyond level 1, or
// how many there are.
func (b *builder) llcs(cores []dump.CPUSet, online dump.CPUSet) []dump.CPUSet {
	var sets []dump.CPUSet
	left := online
	for level := 3; level >= 2 && len(left) > 0; level-- {
		if level == 3 && b.m.Arch == "x86_64" && b.uncounted(level) {
			return nil
		}
		for _, set := range b.sharing(level, cores) {
			if cpus := set.Intersect(left); len(cpus) > 0 {
				sets = append(sets, cpus)
				left = left.Minus(cpus)
			}
		}
	}
	if sets == nil {
		return nil
	}
	// What has no cache but level 1 shares nothing beyond its core.
	for _, core := range cores {
		if cpus := core.Intersect(left); len(cpus) > 0 {
			sets = append(sets, cpus)
		}
	}
	// Linux takes a cluster for the last-level cache of cores whose caches are
	// smaller (cpu_coregroup_mask).
	if clusters := b.clusters(cores); clusters != nil && nest(sets, clusters) {
		return clusters
	}
	return sorted(sets)
}

// clusters returns the clusters of cores that firmware tells Arm's Linux of.
func (b *builder) clusters(cores []dump.CPUSet) []dump.CPUSet {
	online := union(cores)
	if c := groups(b.f.Clusters, online); b.m.Arch == "arm64" && covered(c, online) && nest(cores, c) {
		return c
	}
	return nil
}

// l2s returns the CPUs of each level-2 cache. On Arm, where Linux takes
// clusters from firmware, a cluster comes first.
func (b *builder) l2s(cores []dump.CPUSet) []dump.CPUSet {
	if c := b.clusters(cores); c != nil {
		return c
	}
	online := union(cores)
	var sets []dump.CPUSet
	left := online
	for _, set := range b.sharing(2, cores) {
		sets = append(sets, set.Intersect(online))
		left = left.Minus(set)
	}
	for _, core := range cores {
		if cpus := core.Intersect(left); len(cpus) > 0 {
			sets = append(sets, cpus)
		}
	}
	return sorted(sets)
}

// uncounted tells whether a cache of a level is named but neither placed nor
// counted, as old versions of lscpu do.
func (b *builder) uncounted(level int) bool {
	for _, c := range b.f.Caches {
		if c.Level == level && len(c.Instances) == 0 && c.Count == nil {
			return true
		}
	}
	return false
}

// sharing returns the CPUs of each instance of the unified caches of a level.
// Where an input only counts instances, consecutive cores share one.
func (b *builder) sharing(level int, cores []dump.CPUSet) []dump.CPUSet {
	var sets []dump.CPUSet
	online := union(cores)
	for _, c := range b.f.Caches {
		if c.Level != level || c.Type == dump.Instruction {
			continue
		}
		switch {
		case len(c.Instances) > 0:
			sets = append(sets, groups(c.Instances, online)...)
		case sets != nil:
		case c.Count != nil && *c.Count > 0 && len(cores)%*c.Count == 0:
			each := len(cores) / *c.Count
			sets = merged(b.byNode(cores), each)
			if *c.Count > 1 && each > 1 {
				b.assume("each level-%d cache shared by %d consecutive cores", level, each)
			}
		case level == 2:
			b.assume("a level-2 cache a core")
			sets = cores
		}
	}
	return sets
}

// sockets returns the CPUs of each socket.
func (b *builder) sockets(cores, llcs, nodes []dump.CPUSet, online dump.CPUSet) []dump.CPUSet {
	var withCPUs []dump.CPUSet
	for _, n := range nodes {
		if len(n) > 0 {
			withCPUs = append(withCPUs, n)
		}
	}
	sets := groups(b.f.Sockets, online)
	if covered(sets, online) {
		switch {
		case b.invented(len(sets), cores):
			b.assume("a socket a NUMA node, as lscpu takes every core of a POWER machine for a socket")
		case llcs != nil && !nest(llcs, sets):
			b.assume("a socket a NUMA node, as an input has sockets that share a last-level cache")
		default:
			return sets
		}
		return withCPUs
	}
	n := value(b.f.Counts.Sockets)
	switch {
	case b.invented(n, cores):
		b.assume("a socket a NUMA node, as lscpu takes every core of a POWER machine for a socket")
	case n > 0 && n == len(llcs):
		b.assume("a socket a last-level cache")
		return llcs
	case n == 1:
		return []dump.CPUSet{online}
	case n == len(withCPUs):
		b.assume("a socket a NUMA node")
	case n > 0 && n < len(withCPUs) && len(withCPUs)%n == 0:
		each := len(withCPUs) / n
		b.assume("each socket the next %d NUMA nodes", each)
		return merged(withCPUs, each)
	case n > 0 && len(cores)%n == 0 && len(withCPUs) == 1 && n < len(cores):
		b.assume("each socket the next %d cores", len(cores)/n)
		return merged(b.byNode(cores), len(cores)/n)
	default:
		b.assume("a socket a NUMA node, as no input places them")
	}
	return withCPUs
}

// invented tells whether a number of sockets is one that lscpu makes up: the
// kernel does not tell of sockets on POWER, and lscpu then counts one a core.
// On other machines, such as virtual ones, a socket a core is as real as any.
func (b *builder) invented(sockets int, cores []dump.CPUSet) bool {
	return b.m.Arch == "ppc64" && sockets > 2 && sockets == len(cores)
}

// merged joins each run of sets to one.
func merged(sets []dump.CPUSet, each int) []dump.CPUSet {
	var out []dump.CPUSet
	for i := 0; i < len(sets); i += each {
		out = append(out, union(sets[i:i+each]))
	}
	return out
}

// byNode returns the cores node by node, in the order of their CPUs.
func (b *builder) byNode(cores []dump.CPUSet) []dump.CPUSet {
	node := func(core dump.CPUSet) int { return b.m.CPUs[core[0]].Node }
	sorted := slices.Clone(cores)
	slices.SortStableFunc(sorted, func(a, c dump.CPUSet) int { return cmp.Compare(node(a), node(c)) })
	return sorted
}

func union(sets []dump.CPUSet) dump.CPUSet {
	all := slices.Concat(sets...)
	slices.Sort(all)
	return all
}

func sorted(sets []dump.CPUSet) []dump.CPUSet {
	slices.SortFunc(sets, func(a, b dump.CPUSet) int { return a[0] - b[0] })
	return sets
}

// coreKinds takes over the types of cores if they place every CPU.
func (b *builder) coreKinds(online dump.CPUSet) {
	var sets []dump.CPUSet
	for _, t := range b.f.CoreTypes {
		sets = append(sets, t.CPUs.Intersect(online))
	}
	if len(sets) < 2 || !covered(sets, online) {
		return
	}
	for i, t := range b.f.CoreTypes {
		if len(sets[i]) == 0 {
			continue
		}
		kind := topology.CoreKind{Name: t.Name, Capacity: value(t.Capacity)}
		if kind.Name == "" {
			kind.Name = "type " + string(rune('A'+i))
		}
		if t.MaxMHz != nil {
			kind.MaxMHz = int(*t.MaxMHz)
		}
		for _, cpu := range sets[i] {
			b.m.CPUs[cpu].Kind = len(b.m.CoreKinds)
		}
		b.m.CoreKinds = append(b.m.CoreKinds, kind)
	}
	for i := range b.m.CPUs {
		if b.m.CPUs[i].State != topology.Online {
			b.m.CPUs[i].Kind = -1
		}
	}
	if len(b.m.CoreKinds) < 2 {
		b.m.CoreKinds = nil
		for i := range b.m.CPUs {
			b.m.CPUs[i].Kind = 0
		}
	}
}
