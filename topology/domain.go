package topology

import "strings"

// DomainFlags are the SD_* flags of a sched domain.
type DomainFlags uint32

// The flags are in the order of their bits in every kernel that has them
// (include/linux/sched.h of v3.10, include/linux/sched/sd_flags.h since v5.10).
// Names gives the names that a kernel uses.
const (
	SDLoadBalance DomainFlags = 1 << iota // v3.10 and v4.18 only
	SDBalanceNewidle
	SDBalanceExec
	SDBalanceFork
	SDWakeAffine
	SDAsymCPUCapacity
	SDAsymCPUCapacityFull // v6.1 and v6.12 only
	SDShareCPUCapacity    // SD_SHARE_CPUPOWER in v3.10
	SDCluster             // v6.12 only
	SDSharePkgResources   // SD_SHARE_LLC in v6.12
	SDSerialize
	SDAsymPacking
	SDPreferSibling
	SDOverlap
	SDNUMA // not in v3.10
)

// domainFlagNames is in the order of the flags' bits, with the names of v6.1.
var domainFlagNames = []string{
	"SD_LOAD_BALANCE", "SD_BALANCE_NEWIDLE", "SD_BALANCE_EXEC", "SD_BALANCE_FORK",
	"SD_WAKE_AFFINE", "SD_ASYM_CPUCAPACITY", "SD_ASYM_CPUCAPACITY_FULL",
	"SD_SHARE_CPUCAPACITY", "SD_CLUSTER", "SD_SHARE_PKG_RESOURCES", "SD_SERIALIZE",
	"SD_ASYM_PACKING", "SD_PREFER_SIBLING", "SD_OVERLAP", "SD_NUMA",
}

// Names returns the names that a kernel has for the set flags, in the order in
// which it prints them: SD_SHARE_CPUPOWER in v3.10, SD_SHARE_LLC in v6.12.
// Kernels before v5.10 print a number; these are the names in their source.
// For a version that is not known the names are those of v6.1.
func (f DomainFlags) Names(version string) []string {
	r, err := rulesFor(version)
	var names []string
	for i, name := range domainFlagNames {
		flag := DomainFlags(1 << i)
		if f&flag == 0 {
			continue
		}
		if err == nil && r.flagNames[flag] != "" {
			name = r.flagNames[flag]
		}
		names = append(names, name)
	}
	return names
}

// String returns the names that v6.1 has for the set flags, joined by spaces.
func (f DomainFlags) String() string {
	return strings.Join(f.Names("v6.1"), " ")
}

// Domain is one level of one CPU's sched-domain hierarchy.
type Domain struct {
	// Name is that of the level as the kernel prints it: "SIBLING" or "SMT",
	// "CLS", "CACHE", "MC", "CPU" or "DIE" or "PKG", "NODE", "NUMA".
	Name string
	// Span holds the CPUs of the domain in ascending order.
	Span []int
	// Groups partitions Span in the kernel's order: the group of the CPU
	// that the domain belongs to comes first, then round the ring. At a NUMA
	// level groups may overlap, and before v5.13 reach beyond Span.
	Groups         [][]int
	Flags          DomainFlags
	ImbalancePct   int
	BusyFactor     int
	CacheNiceTries int
	// MinInterval and MaxInterval bound balance_interval, in ms.
	MinInterval, MaxInterval int
	// BalanceInterval is what balance_interval starts with, in ms.
	BalanceInterval int
}
