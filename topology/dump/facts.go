package dump

import "slices"

// Facts are what one input, or several merged ones, say about a machine.
//
// All CPU numbers are those of Linux. Parts are listed in the order of their
// first CPU, and list CPUs that are not offline: the kernel takes an offline
// CPU out of all its maps, so its place is not known for sure. A nil list means
// that the input does not tell.
type Facts struct {
	// Sources are the inputs, one unless the Facts are merged or the input
	// holds several outputs.
	Sources []Source

	// Arch is the name that uname -m gives, such as "x86_64".
	Arch string
	// Vendor and Model are as the tool prints them, with blanks collapsed.
	// Model is empty if CPUs of several types have different ones.
	Vendor, Model string
	// Family, ModelNumber and Stepping are texts because not all are numbers:
	// Arm has "r1p1" and POWER "2.1 (pvr 003f 0201)".
	Family, ModelNumber, Stepping string

	// CPUs ascend by ID. Absent CPUs, possible but not plugged in, are left
	// out. It is empty if the input counts CPUs without naming them.
	CPUs []CPU
	// Partial says that the input does not name all CPUs of the machine.
	Partial bool

	Cores    []Group // hardware threads of one core
	Clusters []Group
	Dies     []Group
	Sockets  []Group // packages
	Books    []Group // s390 only
	Drawers  []Group // s390 only
	Caches   []Cache
	Nodes    []Node // ascending by ID

	Distances *Distances
	// MinMHz and MaxMHz are of the machine as a whole, where the tool sums up:
	// with CPUs of several kinds, some of them do not reach MaxMHz.
	MinMHz, MaxMHz *float64
	CoreTypes      []CoreType // at least two, or nil
	// Counts are totals that the tool prints. They are hearsay: lscpu gets
	// them wrong on many machines, see Notes.
	Counts Counts

	Scaling []Scaling   // frequency scaling, by sets of CPUs
	Idle    []IdleTable // idle states, by sets of CPUs
	// IdleDriver and IdleGovernor are those of cpuidle.
	IdleDriver, IdleGovernor string
	// Boost tells whether frequencies above the base frequency are allowed.
	Boost *bool
	// HWP tells whether the hardware picks the frequency (Intel only).
	HWP *bool
	// SMT tells whether the kernel runs more than one thread of any core.
	SMT *bool

	// Notes warn about the input, as "file:line: text" where the line is
	// known.
	Notes []string

	merged bool // counts and lists are of different inputs
}

// Source is one input.
type Source struct {
	File   string
	Format Format
}

// String returns "file (format)".
func (s Source) String() string { return s.File + " (" + string(s.Format) + ")" }

// Format is the kind of an input.
type Format string

// The formats that Read knows. The version of hwloc XML is part of the format.
const (
	LscpuSummary    Format = "lscpu"
	LscpuJSON       Format = "lscpu -J"
	LscpuExtended   Format = "lscpu -e"
	LscpuExtJSON    Format = "lscpu -e -J"
	LscpuParse      Format = "lscpu -p"
	LscpuCaches     Format = "lscpu -C"
	LscpuCachesJSON Format = "lscpu -C -J"
	HwlocXML1       Format = "hwloc XML 1"
	HwlocXML2       Format = "hwloc XML 2"
	HwlocXML3       Format = "hwloc XML 3"
	Numactl         Format = "numactl -H"
	Sysfs           Format = "sysfs"
	CPUInfo         Format = "/proc/cpuinfo"
)

// State says whether Linux runs tasks on a CPU.
type State string

const (
	// Online CPUs run tasks.
	Online State = "online"
	// Offline CPUs are present but switched off.
	Offline State = "offline"
	// Hidden CPUs exist, but the tool does not show their place: they are
	// offline, or outside the cgroup in which it ran.
	Hidden State = "hidden"
	// Unknown means that the input names the CPU but not its state.
	Unknown State = "unknown"
)

// CPU is one logical CPU.
type CPU struct {
	ID    int
	State State
	// MinMHz, MaxMHz and BaseMHz are the limits of frequency scaling and the
	// guaranteed frequency; CurrentMHz is that of the moment of the dump.
	MinMHz, MaxMHz, BaseMHz, CurrentMHz *float64
	// Capacity is the kernel's cpu_capacity, 1024 for the fastest CPU.
	Capacity *int
}

// Group is a part of the machine that holds CPUs.
type Group struct {
	// ID is the number that the input gives the part. It need not be dense,
	// and a core's is unique in its socket at best.
	ID   *int
	CPUs CPUSet
	// At is where the input says so, "file:line" or "file:path"; it may be
	// empty.
	At string
}

// CacheType says what a cache holds.
type CacheType string

// The types that sysfs has. The type is empty if the input does not tell.
const (
	Data        CacheType = "data"
	Instruction CacheType = "instruction"
	Unified     CacheType = "unified"
)

// Cache is all caches of one level, type and size.
type Cache struct {
	Level int
	Type  CacheType
	// Size is that of one instance in bytes.
	Size *int64
	// Instances say which CPUs share one; nil if the input does not tell.
	Instances []Group
	// Count and Total, in bytes, are of all instances.
	Count *int
	Total *int64
	// Approx says that Size is rounded by the tool, or is the mean of
	// instances that need not be alike.
	Approx bool
	At     string
}

// Name returns the usual short name: L1d, L1i, L2.
func (c Cache) Name() string {
	name := "L" + string(rune('0'+c.Level))
	switch c.Type {
	case Data:
		name += "d"
	case Instruction:
		name += "i"
	}
	return name
}

// Node is a NUMA node.
type Node struct {
	ID int
	// CPUs is nil if the input does not tell, and empty but not nil if the
	// node has none.
	CPUs CPUSet
	// MemoryMiB is the memory of the node in MiB, 0 if it has none.
	MemoryMiB *int64
	At        string
}

// Distances is the NUMA distance table, 10 being local.
type Distances struct {
	Nodes []int // ascending node IDs
	// Values[i][j] is the distance from Nodes[i] to Nodes[j]. Real tables can
	// be asymmetric.
	Values [][]int
	At     string
}

// CoreType is one kind of core of a machine that has several.
type CoreType struct {
	Name string // such as "Cortex-A510" or "IntelAtom"; may be empty
	CPUs CPUSet // nil if the input does not tell
	// Efficiency ranks the types: a higher one is a faster core.
	Efficiency *int
	// Capacity is the kernel's cpu_capacity of all CPUs of the type.
	Capacity                *int
	MinMHz, MaxMHz, BaseMHz *float64
	// Counts are those of the type alone.
	Counts Counts
	At     string
}

// Counts are numbers of parts that come without places.
type Counts struct {
	CPUs            *int // present, offline ones included
	ThreadsPerCore  *int
	CoresPerSocket  *int
	CoresPerCluster *int
	Clusters        *int
	Sockets         *int
	SocketsPerBook  *int
	Books           *int
	BooksPerDrawer  *int
	Drawers         *int
	Nodes           *int
}

// Scaling says how the frequency of some CPUs is set.
type Scaling struct {
	CPUs             CPUSet
	Driver, Governor string
}

// IdleTable holds the idle states of some CPUs, shallow ones first.
type IdleTable struct {
	CPUs   CPUSet
	States []IdleState
}

// IdleState is one state of cpuidle, with the driver's worst-case numbers that
// the governor decides by.
type IdleState struct {
	Name string
	// ExitLatency and TargetResidency are in microseconds.
	ExitLatency, TargetResidency *int64
}

// CPUIDs returns the numbers of all CPUs that are not offline.
func (f *Facts) CPUIDs() CPUSet {
	var ids CPUSet
	for _, c := range f.CPUs {
		if c.State != Offline {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// placed returns the CPUs that can have a place: neither offline nor hidden.
func (f *Facts) placed() CPUSet {
	var ids CPUSet
	for _, c := range f.CPUs {
		if c.State != Offline && c.State != Hidden {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// inState returns the CPUs in one state.
func (f *Facts) inState(s State) CPUSet {
	var ids CPUSet
	for _, c := range f.CPUs {
		if c.State == s {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// cpu returns the CPU with the number id, nil if there is none.
func (f *Facts) cpu(id int) *CPU {
	i, ok := slices.BinarySearchFunc(f.CPUs, id, func(c CPU, id int) int { return c.ID - id })
	if ok {
		return &f.CPUs[i]
	}
	return nil
}
