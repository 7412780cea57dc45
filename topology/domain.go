package topology

import "strings"

// DomainFlags are the SD_* flags of a sched domain.
type DomainFlags uint32

// The flags carry the kernel's names (include/linux/sched/sd_flags.h of
// v5.10). SDSharePkgResources is called SD_SHARE_LLC since v6.9.
const (
	SDBalanceNewidle DomainFlags = 1 << iota
	SDBalanceExec
	SDBalanceFork
	SDWakeAffine
	SDShareCPUCapacity
	SDSharePkgResources
	SDSerialize
	SDPreferSibling
	SDOverlap
	SDNUMA
	SDCluster
)

// domainFlagNames is in the order of the flags' bits.
var domainFlagNames = []string{
	"SD_BALANCE_NEWIDLE", "SD_BALANCE_EXEC", "SD_BALANCE_FORK", "SD_WAKE_AFFINE",
	"SD_SHARE_CPUCAPACITY", "SD_SHARE_PKG_RESOURCES", "SD_SERIALIZE",
	"SD_PREFER_SIBLING", "SD_OVERLAP", "SD_NUMA", "SD_CLUSTER",
}

// String returns the names of the set flags, joined by spaces, as
// /sys/kernel/debug/sched/domains shows them.
func (f DomainFlags) String() string {
	var names []string
	for i, name := range domainFlagNames {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

// Domain is one level of one CPU's sched-domain hierarchy.
type Domain struct {
	Name string // "SMT", "CLS", "MC", "DIE" or "PKG", "NODE", "NUMA"
	// Span holds the CPUs of the domain in ascending order.
	Span []int
	// Groups partitions Span in the kernel's order: the group of the CPU
	// that the domain belongs to comes first, then round the ring.
	Groups         [][]int
	Flags          DomainFlags
	ImbalancePct   int
	BusyFactor     int
	CacheNiceTries int
	// MinInterval and MaxInterval bound balance_interval, in ms.
	MinInterval, MaxInterval int
}
