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

	Counts        countsFile     `yaml:"counts"`
	Numbering     numberingFile  `yaml:"numbering"`
	Distances     distancesFile  `yaml:"distances"`
	Caches        []cacheFile    `yaml:"caches"`
	Frequency     frequencyFile  `yaml:"frequency"`
	IdleStates    []idleFile     `yaml:"idle_states"`
	Transfer      transferFile   `yaml:"transfer"`
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
}

type numberingFile struct {
	Scheme         Numbering `yaml:"scheme"`
	Kind           Kind      `yaml:"kind"`
	Source         string    `yaml:"source"`
	Note           string    `yaml:"note"`
	SiblingsOfCPU0 string    `yaml:"siblings_of_cpu0"`
	Nodes          []string  `yaml:"nodes"`
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
	Size     quantityFile  `yaml:"size"`
	Latency  *quantityFile `yaml:"latency"`
}

type frequencyFile struct {
	Min   quantityFile `yaml:"min"`
	Base  quantityFile `yaml:"base"`
	Max   quantityFile `yaml:"max"`
	Turbo turboFile    `yaml:"turbo"`
}

type turboFile struct {
	Scope       string    `yaml:"scope"`
	Unit        string    `yaml:"unit"`
	Kind        Kind      `yaml:"kind"`
	Uncertainty *float64  `yaml:"uncertainty"`
	Source      string    `yaml:"source"`
	Note        string    `yaml:"note"`
	Bins        []binFile `yaml:"bins"`
}

type binFile struct {
	ActiveCores whole `yaml:"active_cores"`
	Value       whole `yaml:"value"`
}

type idleFile struct {
	Name            string       `yaml:"name"`
	ExitLatency     quantityFile `yaml:"exit_latency"`
	TargetResidency quantityFile `yaml:"target_residency"`
	MeanExit        quantityFile `yaml:"mean_exit"`
}

type transferFile struct {
	// SMTSibling is left out on a machine with one thread a core.
	SMTSibling *quantityFile        `yaml:"smt_sibling"`
	SameLLC    quantityFile         `yaml:"same_llc"`
	Remote     map[int]quantityFile `yaml:"remote"`
}

type costsFile struct {
	ContextSwitch quantityFile `yaml:"context_switch"`
	IPISameSocket quantityFile `yaml:"ipi_same_socket"`
	IPIRemote     quantityFile `yaml:"ipi_remote"`
	RefillL2      quantityFile `yaml:"refill_l2"`
}
