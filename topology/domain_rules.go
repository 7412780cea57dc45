package topology

import (
	"fmt"
	"strings"
)

// domainRules are the choices of one kernel version in building sched domains.
// The tests compare them with what running kernels of some of the versions
// print.
type domainRules struct {
	version string

	// imbalance_pct of a level whose CPUs share a core, share a cache, and
	// of the others (sd_init in kernel/sched/topology.c).
	smtPct, cachePct, otherPct int
	busyFactor                 int

	// clusterLevel: there is a CLS level of the CPUs that share an L2
	// between SMT and MC (CONFIG_SCHED_CLUSTER, since v5.16).
	clusterLevel bool
	// clusterFlags are what such a level has (cpu_cluster_flags).
	clusterFlags DomainFlags
	// packageLevel names the level of all CPUs of a node: "DIE", and "PKG"
	// since v6.7.
	packageLevel string

	// wholeTable: there is a NUMA level for each distance of the whole SLIT
	// (since v5.13), not only for those in the row of node 0.
	wholeTable bool
	// descend: a NUMA group that would reach beyond its domain is taken from
	// a lower level (since v5.13); before, it reaches beyond.
	descend bool
}

// domainRulesByVersion is in the order of release. Each version is written
// out in full, so that a line can be checked against one kernel tree.
var domainRulesByVersion = []domainRules{
	{
		version: "v5.10",
		smtPct:  110, cachePct: 117, otherPct: 117,
		busyFactor:   16,
		packageLevel: "DIE",
	},
	{
		version: "v6.1",
		smtPct:  110, cachePct: 117, otherPct: 117,
		busyFactor:   16,
		clusterLevel: true, clusterFlags: SDSharePkgResources,
		packageLevel: "DIE",
		wholeTable:   true,
		descend:      true,
	},
	{
		version: "v6.12",
		smtPct:  110, cachePct: 117, otherPct: 117,
		busyFactor:   16,
		clusterLevel: true, clusterFlags: SDCluster | SDSharePkgResources,
		packageLevel: "PKG",
		wholeTable:   true,
		descend:      true,
	},
}

// rulesFor returns the rules of a version. The error names the versions that
// there are rules for.
func rulesFor(version string) (*domainRules, error) {
	var known []string
	for i := range domainRulesByVersion {
		if domainRulesByVersion[i].version == version {
			return &domainRulesByVersion[i], nil
		}
		known = append(known, domainRulesByVersion[i].version)
	}
	return nil, fmt.Errorf("topology: no sched domains for kernel %q, use %s", version, strings.Join(known, ", "))
}

// reclaimDistance is the distance beyond which a NUMA level takes no part in
// wake_affine, fork and exec balancing (node_reclaim_distance): 30, and 32 on
// AMD since Zen, so that the two sockets of an EPYC count as near (since v5.4).
func (m *Machine) reclaimDistance() int {
	const zenLaunched = 2017
	if m.Vendor == "amd" && m.Year >= zenLaunched {
		return 32
	}
	return 30
}
