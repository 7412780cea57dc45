package topology

// powerpcRules are the choices of arch/powerpc/kernel/smp.c.
type powerpcRules struct {
	// cacheLevel: there is a CACHE level of the cores that share a level-2
	// cache, as pairs do on POWER9. A level-3 cache makes no level.
	cacheLevel bool
}

// powerpcReclaim is RECLAIM_DISTANCE of arch/powerpc/include/asm/topology.h in
// all versions up to v6.12: every other node is far.
const powerpcReclaim = 10

// powerpcLevels returns the levels below the NUMA levels, for bare metal and
// for partitions with processors of their own: neither the coregroups nor the
// split cores (has_big_cores) that PowerVM tells of are modelled.
func (b *domainBuilder) powerpcLevels() []level {
	core := SDShareCPUCapacity | SDSharePkgResources
	if b.power7() {
		core |= SDAsymPacking
	}
	levels := []level{b.partition(b.r.coreLevel, core, byCore)}
	if b.r.powerpc.cacheLevel {
		levels = append(levels, b.partition("CACHE", SDSharePkgResources, byL2))
	}
	return append(levels, b.partition(b.r.packageLevel, 0, byNode))
}

// power7 tells whether the lower threads of a core are the faster ones
// (CPU_FTR_ASYM_SMT), which is so on POWER7 and POWER7+ alone. The machine
// model has no processor version, but they were the ones of these years.
func (b *domainBuilder) power7() bool {
	const power7Launched, power8Launched = 2010, 2014
	return b.m.Year >= power7Launched && b.m.Year < power8Launched
}
