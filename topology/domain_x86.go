package topology

// x86Rules are the choices of arch/x86/kernel/smpboot.c and
// arch/x86/kernel/cpu/amd.c.
type x86Rules struct {
	// nodesInPackage: where a package has several nodes there is no level of
	// the package (x86_numa_in_package_topology).
	nodesInPackage bool
	// noHybridClusters: a machine with two kinds of cores has no CLS level
	// (x86_hybrid_topology).
	noHybridClusters bool
	// packed: the levels CLS and MC carry SD_ASYM_PACKING where the cores are
	// ranked (x86_sched_itmt_flags), packedCores and packedPackages: so do
	// SMT and the package level.
	packed, packedCores, packedPackages bool
	// scalesHybrids: intel_pstate scales the capacity of hybrid CPUs without
	// SMT, and then drops the ranking.
	scalesHybrids bool
	// reclaimZen is node_reclaim_distance on AMD from Zen on, up to the
	// processors of lastZenYear: those of family 1Ah (Zen 5) were not known
	// yet. Zero means no last year.
	reclaimZen, lastZenYear int
}

// x86Levels returns the levels below the NUMA levels. The kernel takes no
// cache, and no core, to reach over the edge of a node (topology_sane).
func (b *domainBuilder) x86Levels() []level {
	r := b.r
	hybrid := b.hybrid()
	// asymPacking is SD_ASYM_PACKING if a level carries it here. Hybrid cores
	// are taken to be ranked, as client firmware does it; other machines with
	// favoured cores are not known as such.
	asymPacking := func(carries bool) DomainFlags {
		if carries && hybrid && !b.scaled() {
			return SDAsymPacking
		}
		return 0
	}
	core := SDShareCPUCapacity | SDSharePkgResources | asymPacking(r.x86.packedCores)
	levels := []level{b.partition(r.coreLevel, core, byCore)}
	if r.clusterLevel && !(hybrid && r.x86.noHybridClusters) {
		levels = append(levels, b.partition("CLS", r.clusterFlags|asymPacking(r.x86.packed), byL2))
	}
	levels = append(levels, b.partition("MC", SDSharePkgResources|asymPacking(r.x86.packed), byLLC))
	if !(r.x86.nodesInPackage && b.nodesInPackage()) {
		levels = append(levels, b.partition(r.packageLevel, asymPacking(r.x86.packedPackages), byNode))
	}
	return levels
}

// hybrid tells whether the machine has Intel's performance and efficiency
// cores (X86_FEATURE_HYBRID_CPU).
func (b *domainBuilder) hybrid() bool {
	return b.m.Arch == archX86 && b.m.Vendor == "intel" && len(b.m.CoreKinds) > 1
}

// scaled tells whether the kernel knows that hybrid cores differ in capacity:
// only without SMT.
func (b *domainBuilder) scaled() bool {
	if !b.r.x86.scalesHybrids || !b.hybrid() {
		return false
	}
	threads := map[int]int{}
	for _, cpu := range b.online {
		core := b.m.CPUs[cpu].Core
		if threads[core]++; threads[core] > 1 {
			return false
		}
	}
	return true
}

// nodesInPackage tells whether two CPUs of a package are on different nodes
// (x86_has_numa_in_package).
func (b *domainBuilder) nodesInPackage() bool {
	nodeOf := map[int]int{}
	for _, cpu := range b.online {
		c := b.m.CPUs[cpu]
		if node, ok := nodeOf[c.Socket]; ok && node != c.Node {
			return true
		}
		nodeOf[c.Socket] = c.Node
	}
	return false
}

// x86Reclaim is the distance beyond which nodes are far.
func (b *domainBuilder) x86Reclaim() int {
	const zenLaunched = 2017
	last := b.r.x86.lastZenYear
	if b.m.Vendor == "amd" && b.m.Year >= zenLaunched && (last == 0 || b.m.Year <= last) {
		return b.r.x86.reclaimZen
	}
	return defaultReclaim
}
