package topology

import (
	"encoding/json"
	"io"
)

// jsonFormat names the form that WriteJSON writes. A new field does not change
// it; a field that goes or means something else does.
const jsonFormat = "schedlab-machine-description/1"

// WriteJSON writes the machine for a program, as one object indented by two.
//
// Keys are in snake_case and carry the unit of their number. A set of CPUs is
// a text as in sysfs, such as "0-19,40-59". What is not known is null: the
// places of a CPU that is not online, the memory of a node, the latency of a
// cache, the capacity of a core kind. The fields are:
//
//	format, id, name, vendor, arch, year, confidence, notes, hash
//	counts      numbers of parts; cpus are those online and offline
//	numbering   order of the CPU numbers
//	cpus        one object a number, with indexes of core, l2, llc, socket,
//	            thread in the core, the id of the node, and the index of the
//	            core kind; numbers that no CPU has are left out
//	core_kinds  empty where all cores are alike
//	nodes       id, CPUs and memory
//	distances   SLIT, a row a node in the order of nodes
//	caches      with the CPUs of each instance
//	frequency, idle_states, latencies
//	quantities  every number with unit, kind, uncertainty in percent and source
//	sources     what the keys in source stand for
//	domains     by kernel version: hierarchies of sched domains, each with the
//	            CPUs that have it; domains from the lowest level up, and of
//	            each the spans that occur with their groups, in the kernel's
//	            order from the group of the first of cpus; empty for an
//	            architecture whose domains are not modelled
//
// The sched domains are those of the given kernel versions, of all known ones
// if none is given.
func (m *Machine) WriteJSON(w io.Writer, versions ...string) error {
	d, err := m.description(versions)
	if err != nil {
		return err
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(d)
}

// The types below are the JSON of a machine, in the order of its fields.

type jsonMachine struct {
	Format     string            `json:"format"`
	ID         string            `json:"id"`
	Name       string            `json:"name"`
	Vendor     string            `json:"vendor"`
	Arch       string            `json:"arch"`
	Year       int               `json:"year"`
	Confidence string            `json:"confidence"`
	Notes      []string          `json:"notes"`
	Hash       string            `json:"hash"`
	Counts     jsonCounts        `json:"counts"`
	Numbering  jsonNumbering     `json:"numbering"`
	CPUs       []jsonCPU         `json:"cpus"`
	CoreKinds  []jsonCoreKind    `json:"core_kinds"`
	Nodes      []jsonNode        `json:"nodes"`
	Distances  [][]int           `json:"distances"`
	Caches     []jsonCache       `json:"caches"`
	Frequency  jsonFrequency     `json:"frequency"`
	IdleStates []jsonIdleState   `json:"idle_states"`
	Latencies  []jsonLatency     `json:"latencies"`
	Quantities []jsonQuantity    `json:"quantities"`
	Sources    map[string]string `json:"sources"`

	Domains map[string][]jsonHierarchy `json:"domains"`
}

type jsonCounts struct {
	Sockets        int `json:"sockets"`
	Nodes          int `json:"nodes"`
	LLCs           int `json:"llcs"`
	L2s            int `json:"l2s"`
	Cores          int `json:"cores"`
	CPUs           int `json:"cpus"`
	OnlineCPUs     int `json:"online_cpus"`
	ThreadsPerCore int `json:"threads_per_core"`
}

type jsonNumbering struct {
	Scheme Numbering `json:"scheme"`
	Kind   Kind      `json:"kind"`
	Source string    `json:"source"`
	Note   string    `json:"note"`
}

type jsonCPU struct {
	CPU    int    `json:"cpu"`
	State  string `json:"state"`
	Core   *int   `json:"core"`
	L2     *int   `json:"l2"`
	LLC    *int   `json:"llc"`
	Node   *int   `json:"node"`
	Socket *int   `json:"socket"`
	Thread *int   `json:"thread"`
	Kind   *int   `json:"kind"`
}

type jsonCoreKind struct {
	Name     string `json:"name"`
	CPUs     string `json:"cpus"`
	Capacity *int   `json:"capacity"`
	MaxMHz   *int   `json:"max_mhz"`
}

type jsonNode struct {
	ID        int    `json:"id"`
	CPUs      string `json:"cpus"`
	MemoryMiB *int   `json:"memory_mib"`
}

type jsonCache struct {
	Name      string   `json:"name"`
	Level     int      `json:"level"`
	Type      string   `json:"type"`
	SizeKiB   int      `json:"size_kib"`
	SharedBy  string   `json:"shared_by"`
	LatencyNS *float64 `json:"latency_ns"`
	Instances []string `json:"instances"`
}

type jsonFrequency struct {
	MinMHz       float64   `json:"min_mhz"`
	BaseMHz      float64   `json:"base_mhz"`
	MaxMHz       float64   `json:"max_mhz"`
	Turbo        []jsonBin `json:"turbo"`
	Driver       string    `json:"driver"`
	HWP          bool      `json:"hwp"`
	PerCore      bool      `json:"per_core"`
	StepMHz      *float64  `json:"step_mhz"`
	TransitionNS *float64  `json:"transition_ns"`
}

type jsonBin struct {
	ActiveCores int `json:"active_cores"`
	MHz         int `json:"mhz"`
}

type jsonIdleState struct {
	Name              string  `json:"name"`
	ExitLatencyNS     int64   `json:"exit_latency_ns"`
	TargetResidencyNS int64   `json:"target_residency_ns"`
	MeanExitNS        float64 `json:"mean_exit_ns"`
}

type jsonLatency struct {
	To         string   `json:"to"`
	TransferNS *float64 `json:"transfer_ns"`
	LoadNS     *float64 `json:"load_ns"`
}

type jsonQuantity struct {
	Name        string  `json:"name"`
	Value       float64 `json:"value"`
	Unit        string  `json:"unit"`
	Kind        Kind    `json:"kind"`
	Uncertainty float64 `json:"uncertainty"`
	Source      string  `json:"source"`
	Note        string  `json:"note"`
}

type jsonHierarchy struct {
	CPUs   string       `json:"cpus"`
	Levels []jsonDomain `json:"levels"`
}

type jsonDomain struct {
	Name           string   `json:"name"`
	Flags          []string `json:"flags"`
	ImbalancePct   int      `json:"imbalance_pct"`
	BusyFactor     int      `json:"busy_factor"`
	CacheNiceTries int      `json:"cache_nice_tries"`
	MinIntervalMS  int      `json:"min_interval_ms"`
	MaxIntervalMS  int      `json:"max_interval_ms"`

	BalanceIntervalMS int `json:"balance_interval_ms"`

	Spans []jsonSpan `json:"spans"`
}

type jsonSpan struct {
	CPUs   string   `json:"cpus"`
	Span   string   `json:"span"`
	Groups []string `json:"groups"`
}
