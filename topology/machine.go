package topology

import "slices"

// Kind says how a number came to be known. It travels with the number into
// every report, so that a reader can tell a measurement from a guess.
type Kind string

const (
	// Measured: read on a machine with the same CPU model.
	Measured Kind = "measured"
	// Vendor: from a data sheet.
	Vendor Kind = "vendor"
	// Derived: scaled or carried over from a named neighbouring machine.
	Derived Kind = "derived"
	// Assumed: an estimate without a source of its own.
	Assumed Kind = "assumed"
)

// Quantity is one number about a machine together with what is known of it.
type Quantity struct {
	Value float64
	// Unit of Value: "ns", "MHz", "KiB", "GB/s", "ratio".
	// A count of parts has the unit "count", an entry of the distance table
	// the unit "SLIT".
	Unit string
	Kind Kind
	// Uncertainty is the half-width of the plausible range of Value, in
	// percent of Value.
	Uncertainty float64
	// Source is a key into Machine.Sources.
	Source string
	// Note says in a few words what the number rests on; it may be empty.
	Note string
}

// CPU is one logical CPU as Linux numbers it, and where it sits. All places are
// indexes, dense from 0; those of a CPU that is not online are -1.
type CPU struct {
	ID     int
	Core   int // physical core
	L2     int // set of CPUs that share a level-2 cache, or are a cluster
	LLC    int // last-level cache
	Node   int // index into Machine.NUMANodes
	Socket int
	Thread int      // 0 for the first hardware thread of the core
	Kind   int      // index into Machine.CoreKinds, 0 where all cores are alike
	State  CPUState `json:",omitempty"`
}

// CPUState says whether the kernel runs on a CPU.
type CPUState int

const (
	// Online: the kernel schedules on it.
	Online CPUState = iota
	// Offline: present, but switched off. Where it sits is not known, as
	// Linux does not tell it.
	Offline
	// Absent: a gap in the numbering.
	Absent
)

// String returns "online", "offline" or "absent".
func (s CPUState) String() string {
	return [...]string{"online", "offline", "absent"}[s]
}

// Node is one NUMA node. A node may have no CPUs, or no memory.
type Node struct {
	ID int // as Linux numbers it; numbers may have gaps
	// MemoryMiB is the size of its memory, nil where it is not known.
	MemoryMiB *int `json:",omitempty"`
}

// CoreKind is one type of core in a machine that has several.
type CoreKind struct {
	Name string
	// Capacity is what Linux calls cpu_capacity, of 1024 for the fastest kind;
	// 0 where it is not known.
	Capacity int
	// MaxMHz is its highest frequency, 0 where it is not known.
	MaxMHz int
}

// Cache is one cache of the hierarchy, with all its instances.
type Cache struct {
	Level   int
	Type    string // "data", "instruction", "unified"
	SizeKiB int    // of one instance
	// SharedBy says which CPUs share an instance: those of a "core", "l2",
	// "llc", "node" or "socket", or "listed".
	SharedBy string
	// Instances lists the CPUs of each instance where SharedBy is "listed";
	// ask Machine.Instances, which knows them for every cache.
	Instances [][]int `json:",omitempty"`
	// Latency is the load-to-use time. It is the zero Quantity where none is
	// known, as for instruction caches.
	Latency Quantity
	// SizeInfo is the size in KiB with its source.
	SizeInfo Quantity
}

// IdleState is one C-state in order of depth.
type IdleState struct {
	Name string
	// ExitLatency and TargetResidency are the cpuidle driver's worst-case
	// table, which the governor decides by, in ns.
	ExitLatency, TargetResidency int64
	// MeanExit is the delay that a wakeup really sees, in ns.
	MeanExit Quantity
	// ExitInfo and ResidencyInfo are the two values of the driver's table
	// with their source.
	ExitInfo, ResidencyInfo Quantity
}

// Transfer holds one-way core-to-core latencies of one cache line, in ns, from
// near to far. Those of places that the machine does not have are zero
// Quantities.
type Transfer struct {
	SMTSibling Quantity // threads of a core
	SameL2     Quantity // cores of a cluster, or of one level-2 cache
	SameLLC    Quantity
	SameSocket Quantity // another last-level cache of the socket
	// Remote is indexed by SLIT distance. Between nodes of one socket it has
	// the distances for which SameSocket does not hold, and the distance of a
	// node to itself (10) if sockets share a node.
	Remote map[int]Quantity
}

// Memory holds latencies of a load, in ns, and bandwidths, in GB/s (1e9 bytes).
type Memory struct {
	Local Quantity
	// Remote is indexed by SLIT distance.
	Remote map[int]Quantity
	// NodeBandwidth is what all cores of a node get from its memory,
	// RemoteBandwidth what they get from another node's (zero on a machine
	// of one node), CoreBandwidth what one core gets from its own node's.
	NodeBandwidth, RemoteBandwidth, CoreBandwidth Quantity
}

// Costs are the machine-dependent costs of kernel work and of lost cache
// content, in ns. A zero Quantity is one that is not known.
type Costs struct {
	ContextSwitch, IPISameSocket, IPIRemote Quantity
	// RefillL2 is the time to fetch a level-2 cache's content again, and
	// RefillPerMiB the time for a MiB from memory.
	RefillL2, RefillPerMiB Quantity
	// MigratePage and MigrateHugePage are the time to move a page of 4 KiB
	// and of 2 MiB to another node.
	MigratePage, MigrateHugePage Quantity
}

// Counts are the numbers of parts of a regular machine, with their sources.
// They are zero Quantities in a machine whose CPUs are listed.
type Counts struct {
	Sockets, Nodes, CoresPerSocket, CoresPerLLC, CoresPerL2, ThreadsPerCore Quantity
}

// NumberingInfo says in which order the CPUs are numbered, and how that is
// known.
type NumberingInfo struct {
	Scheme Numbering
	Kind   Kind
	Source string // a key into Machine.Sources
	Note   string
}

// Machine is a model of one computer. It is immutable once built.
type Machine struct {
	ID, Name, Vendor, Arch string
	Year                   int
	// Confidence says in a sentence how sure the identification is.
	Confidence string
	// Notes are remarks that a report on this machine has to carry.
	Notes []string

	Counts    Counts
	Numbering NumberingInfo
	// CPUs is indexed by CPU number.
	CPUs      []CPU
	NUMANodes []Node
	// CoreKinds is empty where all cores are alike.
	CoreKinds []CoreKind `json:",omitempty"`
	Distances [][]int    // SLIT, by index of node
	// DistancesInfo says where Distances is from. Its Value is the largest
	// distance.
	DistancesInfo Quantity

	Caches     []Cache
	Frequency  Frequency
	IdleStates []IdleState
	Transfer   Transfer
	Memory     Memory
	// SMTThroughput[n-1] is the throughput of a core with n busy threads
	// relative to one busy thread; the first is 1 by definition.
	SMTThroughput []Quantity
	Costs         Costs

	// Sources maps a key to the document it stands for.
	Sources map[string]string
}

// Cores returns the number of physical cores with a CPU that is online.
func (m *Machine) Cores() int { return m.count(func(c CPU) int { return c.Core }) }

// L2s returns the number of sets of CPUs that share a level-2 cache or are a
// cluster.
func (m *Machine) L2s() int { return m.count(func(c CPU) int { return c.L2 }) }

// LLCs returns the number of last-level caches.
func (m *Machine) LLCs() int { return m.count(func(c CPU) int { return c.LLC }) }

// Nodes returns the number of NUMA nodes, those without CPUs included.
func (m *Machine) Nodes() int {
	return max(len(m.NUMANodes), m.count(func(c CPU) int { return c.Node }))
}

// Sockets returns the number of sockets.
func (m *Machine) Sockets() int { return m.count(func(c CPU) int { return c.Socket }) }

// count returns one more than the largest index.
func (m *Machine) count(index func(CPU) int) int {
	n := 0
	for _, c := range m.CPUs {
		n = max(n, index(c)+1)
	}
	return n
}

// CoresPerSocket returns the number of cores of the socket that has most.
func (m *Machine) CoresPerSocket() int {
	seen := make([]bool, m.Cores())
	n := make([]int, m.Sockets())
	for _, c := range m.CPUs {
		if c.State == Online && !seen[c.Core] {
			seen[c.Core] = true
			n[c.Socket]++
		}
	}
	return slices.Max(append(n, 0))
}

// ThreadsPerCore returns the number of threads of the core that has most.
func (m *Machine) ThreadsPerCore() int { return m.count(func(c CPU) int { return c.Thread }) }

// OnlineCPUs returns the numbers of the CPUs that are online, ascending.
func (m *Machine) OnlineCPUs() []int { return m.selectCPUs(func(CPU) bool { return true }) }

// selectCPUs returns the numbers of the online CPUs for which keep is true,
// ascending.
func (m *Machine) selectCPUs(keep func(CPU) bool) []int {
	var ids []int
	for _, c := range m.CPUs {
		if c.State == Online && keep(c) {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// Instances returns the CPUs of each instance of a cache of the machine.
func (m *Machine) Instances(c Cache) [][]int {
	switch c.SharedBy {
	case "core":
		return m.sets(func(c CPU) int { return c.Core })
	case "l2":
		return m.sets(func(c CPU) int { return c.L2 })
	case "llc":
		return m.sets(func(c CPU) int { return c.LLC })
	case "node":
		return m.sets(func(c CPU) int { return c.Node })
	case "socket":
		return m.sets(func(c CPU) int { return c.Socket })
	}
	return c.Instances
}

// sets returns the online CPUs by index, without the sets that have none.
func (m *Machine) sets(index func(CPU) int) [][]int {
	sets := make([][]int, m.count(index))
	for _, c := range m.CPUs {
		if c.State == Online {
			sets[index(c)] = append(sets[index(c)], c.ID)
		}
	}
	return slices.DeleteFunc(sets, func(s []int) bool { return len(s) == 0 })
}
