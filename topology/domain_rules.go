package topology

import (
	"fmt"
	"strings"
)

// domainRules are the choices of one kernel version in building sched domains.
// They were read in kernel/sched/core.c (v3.10) and kernel/sched/topology.c,
// and for the architectures in the files that their levels name.
type domainRules struct {
	version string

	// What a level gets whose CPUs share a core, those that share a cache,
	// those of several nodes, and the others (SD_*_INIT and sd_numa_init in
	// v3.10, sd_init since).
	core, cache, numa, other levelRules
	// flagNames are the names that differ from those in domainFlagNames.
	flagNames map[DomainFlags]string

	// coreLevel and packageLevel name the levels of the threads of a core
	// and of all CPUs of a node.
	coreLevel, packageLevel string
	// clusterLevel: x86 and arm64 have a CLS level between these two, with
	// clusterFlags (CONFIG_SCHED_CLUSTER).
	clusterLevel bool
	clusterFlags DomainFlags
	// nodeLevel: a NODE level of one node precedes the NUMA levels.
	nodeLevel bool
	// cpuNodes: there is a NUMA level for each distance between nodes that
	// have CPUs. Otherwise, for each distance from node number 0 to whatever
	// node.
	cpuNodes bool

	x86     x86Rules
	powerpc powerpcRules
	arm64   arm64Rules

	// asymmetry says which domains of CPUs of different capacities get
	// SD_ASYM_CPUCAPACITY.
	asymmetry asymmetry

	// ringFromFirst: groups are linked from the first CPU of a span upwards.
	// Otherwise each CPU links them again, starting with its own.
	ringFromFirst bool
	// descend: a NUMA group that would reach beyond its domain is taken from
	// a lower level; otherwise it reaches beyond.
	descend bool

	// needGroups are the flags that make a domain useful if it has two
	// groups (sd_degenerate), voidAlone those of a parent that count for
	// nothing if it has one (sd_parent_degenerate).
	needGroups, voidAlone DomainFlags
	// handDown: a domain that is removed leaves SD_PREFER_SIBLING to its
	// child (cpu_attach_domain).
	handDown bool
}

// levelRules are the parameters of the domains of one kind of level.
type levelRules struct {
	imbalancePct, busyFactor, cacheNiceTries int
	// minInterval, maxInterval and interval are in ms. All three are zero
	// where they follow the number of CPUs w: w, 2w and w.
	minInterval, maxInterval, interval int
	// flags are the usual ones; the level's own come on top.
	flags DomainFlags
}

// spread are the flags of a level that takes part in all balancing, and near
// those that a NUMA level beyond the reclaim distance lacks.
const (
	near   = SDBalanceExec | SDBalanceFork | SDWakeAffine
	spread = SDBalanceNewidle | near
)

// withGroups are the flags with SDF_NEEDS_GROUPS in sd_flags.h since v5.10.
const withGroups = SDBalanceNewidle | SDBalanceExec | SDBalanceFork |
	SDAsymCPUCapacity | SDAsymCPUCapacityFull | SDShareCPUCapacity | SDCluster |
	SDSharePkgResources | SDSerialize | SDAsymPacking | SDPreferSibling |
	SDOverlap | SDNUMA

// domainRulesByVersion is in the order of release. Each version is written
// out in full, so that a line can be checked against one kernel tree.
var domainRulesByVersion = []domainRules{
	{
		version: "v3.10",
		core: levelRules{imbalancePct: 110, busyFactor: 64, cacheNiceTries: 0,
			minInterval: 1, maxInterval: 2, interval: 1, flags: SDLoadBalance | spread},
		cache: levelRules{imbalancePct: 125, busyFactor: 64, cacheNiceTries: 1,
			minInterval: 1, maxInterval: 4, interval: 1, flags: SDLoadBalance | spread},
		other: levelRules{imbalancePct: 125, busyFactor: 64, cacheNiceTries: 1,
			minInterval: 1, maxInterval: 4, interval: 1, flags: SDLoadBalance | spread | SDPreferSibling},
		numa: levelRules{imbalancePct: 125, busyFactor: 32, cacheNiceTries: 2,
			flags: SDLoadBalance | spread | SDSerialize | SDOverlap},
		flagNames: map[DomainFlags]string{SDShareCPUCapacity: "SD_SHARE_CPUPOWER"},
		coreLevel: "SIBLING", packageLevel: "CPU",
		nodeLevel: false, cpuNodes: false,
		x86:           x86Rules{reclaimZen: 30},
		powerpc:       powerpcRules{},
		arm64:         arm64Rules{flat: true},
		asymmetry:     asymmetryIgnored,
		ringFromFirst: true, descend: false,
		needGroups: SDLoadBalance | SDBalanceNewidle | SDBalanceFork | SDBalanceExec |
			SDShareCPUCapacity | SDSharePkgResources,
		voidAlone: SDLoadBalance | SDBalanceNewidle | SDBalanceFork | SDBalanceExec |
			SDShareCPUCapacity | SDSharePkgResources,
		handDown: false,
	},
	{
		version: "v4.18",
		core: levelRules{imbalancePct: 110, busyFactor: 32, cacheNiceTries: 0,
			flags: SDLoadBalance | spread | SDPreferSibling},
		cache: levelRules{imbalancePct: 117, busyFactor: 32, cacheNiceTries: 1,
			flags: SDLoadBalance | spread | SDPreferSibling},
		other: levelRules{imbalancePct: 125, busyFactor: 32, cacheNiceTries: 1,
			flags: SDLoadBalance | spread | SDPreferSibling},
		numa: levelRules{imbalancePct: 125, busyFactor: 32, cacheNiceTries: 2,
			flags: SDLoadBalance | spread | SDSerialize | SDOverlap | SDNUMA},
		coreLevel: "SMT", packageLevel: "DIE",
		nodeLevel: true, cpuNodes: false,
		x86:           x86Rules{nodesInPackage: true, packed: true, packedCores: true, reclaimZen: 30},
		powerpc:       powerpcRules{cacheLevel: true},
		arm64:         arm64Rules{acrossNodes: true},
		asymmetry:     asymmetryIgnored,
		ringFromFirst: false, descend: false,
		needGroups: SDLoadBalance | SDBalanceNewidle | SDBalanceFork | SDBalanceExec |
			SDShareCPUCapacity | SDAsymCPUCapacity | SDSharePkgResources,
		voidAlone: SDLoadBalance | SDBalanceNewidle | SDBalanceFork | SDBalanceExec |
			SDShareCPUCapacity | SDAsymCPUCapacity | SDSharePkgResources | SDPreferSibling,
		handDown: true,
	},
	{
		version: "v5.9",
		core: levelRules{imbalancePct: 110, busyFactor: 32, cacheNiceTries: 0,
			flags: spread | SDPreferSibling},
		cache: levelRules{imbalancePct: 117, busyFactor: 32, cacheNiceTries: 1,
			flags: spread | SDPreferSibling},
		other: levelRules{imbalancePct: 125, busyFactor: 32, cacheNiceTries: 1,
			flags: spread | SDPreferSibling},
		numa: levelRules{imbalancePct: 125, busyFactor: 32, cacheNiceTries: 2,
			flags: spread | SDSerialize | SDOverlap | SDNUMA},
		coreLevel: "SMT", packageLevel: "DIE",
		nodeLevel: true, cpuNodes: false,
		x86: x86Rules{nodesInPackage: true, packed: true, packedCores: true,
			reclaimZen: 32, lastZenYear: 2023},
		powerpc:       powerpcRules{cacheLevel: true},
		arm64:         arm64Rules{},
		asymmetry:     asymmetryOneLevel,
		ringFromFirst: false, descend: false,
		needGroups: SDBalanceNewidle | SDBalanceFork | SDBalanceExec |
			SDShareCPUCapacity | SDAsymCPUCapacity | SDSharePkgResources,
		voidAlone: SDBalanceNewidle | SDBalanceFork | SDBalanceExec |
			SDShareCPUCapacity | SDAsymCPUCapacity | SDSharePkgResources | SDPreferSibling,
		handDown: true,
	},
	{
		version: "v5.10",
		core: levelRules{imbalancePct: 110, busyFactor: 16, cacheNiceTries: 0,
			flags: spread | SDPreferSibling},
		cache: levelRules{imbalancePct: 117, busyFactor: 16, cacheNiceTries: 1,
			flags: spread | SDPreferSibling},
		other: levelRules{imbalancePct: 117, busyFactor: 16, cacheNiceTries: 1,
			flags: spread | SDPreferSibling},
		numa: levelRules{imbalancePct: 117, busyFactor: 16, cacheNiceTries: 2,
			flags: spread | SDSerialize | SDOverlap | SDNUMA},
		coreLevel: "SMT", packageLevel: "DIE",
		nodeLevel: true, cpuNodes: false,
		x86: x86Rules{nodesInPackage: true, packed: true, packedCores: true,
			reclaimZen: 32, lastZenYear: 2023},
		powerpc:       powerpcRules{cacheLevel: true},
		arm64:         arm64Rules{},
		asymmetry:     asymmetryFromLevel,
		ringFromFirst: false, descend: false,
		needGroups: withGroups, voidAlone: withGroups, handDown: true,
	},
	{
		version: "v6.1",
		core: levelRules{imbalancePct: 110, busyFactor: 16, cacheNiceTries: 0,
			flags: spread | SDPreferSibling},
		cache: levelRules{imbalancePct: 117, busyFactor: 16, cacheNiceTries: 1,
			flags: spread | SDPreferSibling},
		other: levelRules{imbalancePct: 117, busyFactor: 16, cacheNiceTries: 1,
			flags: spread | SDPreferSibling},
		numa: levelRules{imbalancePct: 117, busyFactor: 16, cacheNiceTries: 2,
			flags: spread | SDSerialize | SDOverlap | SDNUMA},
		coreLevel: "SMT", packageLevel: "DIE",
		clusterLevel: true, clusterFlags: SDSharePkgResources,
		nodeLevel: true, cpuNodes: true,
		x86: x86Rules{nodesInPackage: true, packed: true, packedCores: true, noHybridClusters: true,
			reclaimZen: 32, lastZenYear: 2023},
		powerpc:       powerpcRules{cacheLevel: true},
		arm64:         arm64Rules{},
		asymmetry:     asymmetryEachDomain,
		ringFromFirst: false, descend: true,
		needGroups: withGroups, voidAlone: withGroups, handDown: true,
	},
	{
		version: "v6.12",
		core: levelRules{imbalancePct: 110, busyFactor: 16, cacheNiceTries: 0,
			flags: spread | SDPreferSibling},
		cache: levelRules{imbalancePct: 117, busyFactor: 16, cacheNiceTries: 1,
			flags: spread | SDPreferSibling},
		other: levelRules{imbalancePct: 117, busyFactor: 16, cacheNiceTries: 1,
			flags: spread | SDPreferSibling},
		numa: levelRules{imbalancePct: 117, busyFactor: 16, cacheNiceTries: 2,
			flags: spread | SDSerialize | SDOverlap | SDNUMA},
		flagNames: map[DomainFlags]string{SDSharePkgResources: "SD_SHARE_LLC"},
		coreLevel: "SMT", packageLevel: "PKG",
		clusterLevel: true, clusterFlags: SDCluster | SDSharePkgResources,
		nodeLevel: true, cpuNodes: true,
		x86: x86Rules{nodesInPackage: true, packed: true, packedPackages: true, scalesHybrids: true,
			reclaimZen: 32},
		powerpc:       powerpcRules{cacheLevel: true},
		arm64:         arm64Rules{},
		asymmetry:     asymmetryEachDomain,
		ringFromFirst: false, descend: true,
		needGroups: withGroups, voidAlone: withGroups, handDown: true,
	},
}

// KernelVersions returns the kernel versions that Domains knows, in the order
// of their release.
func KernelVersions() []string {
	var versions []string
	for i := range domainRulesByVersion {
		versions = append(versions, domainRulesByVersion[i].version)
	}
	return versions
}

// rulesFor returns the rules of a version. The error names the versions that
// there are rules for.
func rulesFor(version string) (*domainRules, error) {
	for i := range domainRulesByVersion {
		if domainRulesByVersion[i].version == version {
			return &domainRulesByVersion[i], nil
		}
	}
	return nil, fmt.Errorf("topology: no sched domains for kernel %q, use %s", version, strings.Join(KernelVersions(), ", "))
}
