package topology

// DomainFlags are the SD_* flags of a sched domain.
type DomainFlags uint32

// The flags carry the kernel's names (include/linux/sched/sd_flags.h).
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
)

// Domain is one level of one CPU's sched-domain hierarchy.
type Domain struct {
	Name string // "SMT", "MC", "DIE", "NUMA"
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
