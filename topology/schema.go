package topology

// The types of this file mirror the YAML of a machine, schema
// "schedlab-machine/1". Numbers are pointers, so that a number left out can be
// told from a zero.

const schemaName = "schedlab-machine/1"

type machineFile struct {
	Schema     string            `yaml:"schema"`
	ID         string            `yaml:"id"`
	Name       string            `yaml:"name"`
	Vendor     string            `yaml:"vendor"`
	Arch       string            `yaml:"arch"`
	Year       whole             `yaml:"year"`
	Confidence string            `yaml:"confidence"`
	Notes      []string          `yaml:"notes"`
	Sources    map[string]string `yaml:"sources"`

	// A regular machine has counts and numbering, any other one layout.
	Counts        *countsFile    `yaml:"counts"`
	Numbering     *numberingFile `yaml:"numbering"`
	Layout        *layoutFile    `yaml:"layout"`
	Distances     distancesFile  `yaml:"distances"`
	Caches        []cacheFile    `yaml:"caches"`
	Frequency     frequencyFile  `yaml:"frequency"`
	IdleStates    []idleFile     `yaml:"idle_states"`
	Transfer      transferFile   `yaml:"transfer"`
	Memory        memoryFile     `yaml:"memory"`
	SMTThroughput []quantityFile `yaml:"smt_throughput"`
	Costs         costsFile      `yaml:"costs"`
}

type quantityFile struct {
	Value       *float64 `yaml:"value"`
	Unit        string   `yaml:"unit"`
	Kind        Kind     `yaml:"kind"`
	Uncertainty *float64 `yaml:"uncertainty"`
	Source      string   `yaml:"source"`
	Note        string   `yaml:"note"`
}

type countsFile struct {
	Sockets        quantityFile `yaml:"sockets"`
	Nodes          quantityFile `yaml:"nodes"`
	CoresPerSocket quantityFile `yaml:"cores_per_socket"`
	CoresPerLLC    quantityFile `yaml:"cores_per_llc"`
	ThreadsPerCore quantityFile `yaml:"threads_per_core"`
	// CoresPerL2 is left out where each core has a level-2 cache of its own.
	CoresPerL2 *quantityFile `yaml:"cores_per_l2"`
}

type numberingFile struct {
	Scheme         Numbering `yaml:"scheme"`
	Kind           Kind      `yaml:"kind"`
	Source         string    `yaml:"source"`
	Note           string    `yaml:"note"`
	SiblingsOfCPU0 string    `yaml:"siblings_of_cpu0"`
	Nodes          []string  `yaml:"nodes"`
	// NodeIDs is left out where the nodes are numbered from 0 without gaps.
	NodeIDs []whole `yaml:"node_ids"`
}

// layoutFile lists the CPUs of each part, in the form of /sys/devices/system.
type layoutFile struct {
	Kind    Kind       `yaml:"kind"`
	Source  string     `yaml:"source"`
	Note    string     `yaml:"note"`
	Offline string     `yaml:"offline"`
	Cores   []string   `yaml:"cores"`
	L2s     []string   `yaml:"l2s"` // left out where each core has its own
	LLCs    []string   `yaml:"llcs"`
	Sockets []string   `yaml:"sockets"`
	Nodes   []nodeFile `yaml:"nodes"`
	Kinds   []kindFile `yaml:"core_kinds"`
}

type nodeFile struct {
	ID        whole  `yaml:"id"`
	CPUs      string `yaml:"cpus"` // empty for a node of memory only
	MemoryMiB *whole `yaml:"memory_mib"`
}

type kindFile struct {
	Name     string `yaml:"name"`
	CPUs     string `yaml:"cpus"`
	Capacity whole  `yaml:"capacity"`
	MaxMHz   whole  `yaml:"max_mhz"`
}

type distancesFile struct {
	Matrix      [][]whole `yaml:"matrix"`
	Unit        string    `yaml:"unit"`
	Kind        Kind      `yaml:"kind"`
	Uncertainty *float64  `yaml:"uncertainty"`
	Source      string    `yaml:"source"`
	Note        string    `yaml:"note"`
}

type cacheFile struct {
	Level    whole         `yaml:"level"`
	Type     string        `yaml:"type"`
	SharedBy string        `yaml:"shared_by"`
	CPUs     []string      `yaml:"cpus"` // with shared_by: listed
	Size     quantityFile  `yaml:"size"`
	Latency  *quantityFile `yaml:"latency"`
}

type idleFile struct {
	Name            string       `yaml:"name"`
	ExitLatency     quantityFile `yaml:"exit_latency"`
	TargetResidency quantityFile `yaml:"target_residency"`
	MeanExit        quantityFile `yaml:"mean_exit"`
}

// transferFile: what the machine does not have is left out.
type transferFile struct {
	SMTSibling *quantityFile        `yaml:"smt_sibling"`
	SameL2     *quantityFile        `yaml:"same_l2"`
	SameLLC    *quantityFile        `yaml:"same_llc"`
	SameSocket *quantityFile        `yaml:"same_socket"`
	Remote     map[int]quantityFile `yaml:"remote"`
}

type memoryFile struct {
	Local           quantityFile         `yaml:"local"`
	Remote          map[int]quantityFile `yaml:"remote"`
	NodeBandwidth   quantityFile         `yaml:"node_bandwidth"`
	RemoteBandwidth *quantityFile        `yaml:"remote_bandwidth"`
	CoreBandwidth   quantityFile         `yaml:"core_bandwidth"`
}

// costsFile: what nobody knows is left out.
type costsFile struct {
	ContextSwitch   quantityFile  `yaml:"context_switch"`
	IPISameSocket   quantityFile  `yaml:"ipi_same_socket"`
	IPIRemote       quantityFile  `yaml:"ipi_remote"`
	RefillL2        quantityFile  `yaml:"refill_l2"`
	RefillPerMiB    *quantityFile `yaml:"refill_per_mib"`
	MigratePage     *quantityFile `yaml:"migrate_page"`
	MigrateHugePage *quantityFile `yaml:"migrate_huge_page"`
}
