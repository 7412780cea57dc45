package topology

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

// CPU is one logical CPU as Linux numbers it, and where it sits.
type CPU struct {
	ID     int
	Core   int // index into the machine's physical cores, 0-based and dense
	LLC    int // index of the last-level cache that it shares
	Node   int // NUMA node
	Socket int
	Thread int // 0 for the first hardware thread of the core
}

// Cache is one level of the cache hierarchy.
type Cache struct {
	Level    int
	Type     string // "data", "instruction", "unified"
	SizeKiB  int
	SharedBy string // "core", "llc", "socket"
	// Latency is the load-to-use time. It is the zero Quantity where none is
	// known, as for instruction caches.
	Latency Quantity
	// SizeInfo is the size in KiB with its source.
	SizeInfo Quantity
}

// TurboBin is the highest frequency while at most ActiveCores cores of the
// scope (a socket) are in C0 or C1.
type TurboBin struct {
	ActiveCores int
	MHz         int
}

// Frequency describes the clock of the cores.
type Frequency struct {
	MinMHz, BaseMHz, MaxMHz Quantity
	// Turbo is sorted by ActiveCores; TurboInfo says where the table is from.
	// Its Value is the last bin, the frequency with all cores active.
	Turbo     []TurboBin
	TurboInfo Quantity
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

// Transfer holds one-way core-to-core latencies of one cache line, in ns.
type Transfer struct {
	SMTSibling, SameLLC Quantity
	// Remote is indexed by SLIT distance.
	Remote map[int]Quantity
}

// Costs are the machine-dependent costs of kernel work.
type Costs struct {
	ContextSwitch, IPISameSocket, IPIRemote, RefillL2 Quantity
}

// Counts are the numbers of parts of the machine, with their sources.
type Counts struct {
	Sockets, Nodes, CoresPerSocket, CoresPerLLC, ThreadsPerCore Quantity
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
	CPUs      []CPU
	Distances [][]int // SLIT, by node
	// DistancesInfo says where Distances is from. Its Value is the largest
	// distance.
	DistancesInfo Quantity

	Caches     []Cache
	Frequency  Frequency
	IdleStates []IdleState
	Transfer   Transfer
	// SMTThroughput[n-1] is the throughput of a core with n busy threads
	// relative to one busy thread; the first is 1 by definition.
	SMTThroughput []Quantity
	Costs         Costs

	// Sources maps a key to the document it stands for.
	Sources map[string]string
}

// Cores returns the number of physical cores.
func (m *Machine) Cores() int { return m.count(func(c CPU) int { return c.Core }) }

// LLCs returns the number of last-level caches.
func (m *Machine) LLCs() int { return m.count(func(c CPU) int { return c.LLC }) }

// Nodes returns the number of NUMA nodes.
func (m *Machine) Nodes() int { return m.count(func(c CPU) int { return c.Node }) }

// Sockets returns the number of sockets.
func (m *Machine) Sockets() int { return m.count(func(c CPU) int { return c.Socket }) }

func (m *Machine) count(index func(CPU) int) int {
	n := 0
	for _, c := range m.CPUs {
		n = max(n, index(c)+1)
	}
	return n
}
