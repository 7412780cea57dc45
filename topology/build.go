package topology

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
)

// builder turns a decoded file into a Machine and notes every problem on the
// way. The Machine is only good if there was none.
type builder struct {
	*problems
	sources map[string]string
}

var idPattern = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func (b *builder) machine(f *machineFile) *Machine {
	if f.Schema != schemaName {
		b.add("schema", "is %q, write %q", f.Schema, schemaName)
	}
	if !idPattern.MatchString(f.ID) {
		b.add("id", "%q is no id, use lower-case letters and digits joined by '-'", f.ID)
	}
	b.text("name", f.Name)
	b.text("vendor", f.Vendor)
	b.text("arch", f.Arch)
	b.text("confidence", f.Confidence)
	if f.Year < 1970 || f.Year > 2100 {
		b.add("year", "is %d, give the year in which the CPU was launched", f.Year)
	}
	for _, key := range slices.Sorted(maps.Keys(f.Sources)) {
		b.text("sources."+key, f.Sources[key])
	}
	m := &Machine{
		ID: f.ID, Name: f.Name, Vendor: f.Vendor, Arch: f.Arch, Year: int(f.Year),
		Confidence: f.Confidence,
		Notes:      f.Notes,
		Sources:    f.Sources,
	}
	before := len(b.found)
	switch {
	case f.Layout != nil && (f.Counts != nil || f.Numbering != nil):
		b.add("layout", "is given beside counts and numbering, keep either it or them")
	case f.Layout != nil:
		b.layout(m, f.Layout)
	case f.Counts == nil || f.Numbering == nil:
		b.add("counts", "is missing or without numbering, give both, or layout for a machine that is not regular")
	default:
		b.counts(m, f)
	}
	if len(b.found) > before {
		// Everything below is checked against the places.
		return m
	}
	if f.Numbering != nil {
		b.numbering(m, *f.Numbering)
	}
	b.distances(m, f)
	if len(b.found) > before {
		// Latencies are checked against the distances.
		return m
	}
	b.caches(m, f)
	b.frequency(m, f)
	b.idleStates(m, f)
	b.transfer(m, f)
	b.memory(m, f)
	b.smtThroughput(m, f)
	m.Costs = Costs{
		ContextSwitch:   b.quantity("costs.context_switch", f.Costs.ContextSwitch, "ns"),
		IPISameSocket:   b.quantity("costs.ipi_same_socket", f.Costs.IPISameSocket, "ns"),
		IPIRemote:       b.quantity("costs.ipi_remote", f.Costs.IPIRemote, "ns"),
		RefillL2:        b.quantity("costs.refill_l2", f.Costs.RefillL2, "ns"),
		RefillPerMiB:    b.optional("costs.refill_per_mib", f.Costs.RefillPerMiB, "ns"),
		MigratePage:     b.optional("costs.migrate_page", f.Costs.MigratePage, "ns"),
		MigrateHugePage: b.optional("costs.migrate_huge_page", f.Costs.MigrateHugePage, "ns"),
	}
	return m
}

// text reports a missing text.
func (b *builder) text(path, value string) {
	if value == "" {
		b.add(path, "is missing, write it")
	}
}

// quantity checks a number and what is known of it. Quantities are never
// negative.
func (b *builder) quantity(path string, q quantityFile, unit string) Quantity {
	if q == (quantityFile{}) {
		b.add(path, "is missing, give value, unit, kind, uncertainty and source")
		return Quantity{}
	}
	out := b.provenance(path, q.Unit, unit, q.Kind, q.Uncertainty, q.Source, q.Note)
	switch {
	case q.Value == nil:
		b.add(path+".value", "is missing, give the number in %s", unit)
	case math.IsNaN(*q.Value) || *q.Value < 0 || *q.Value > maxQuantity:
		b.add(path+".value", "%v is out of range, give a number from 0 to %.0g", *q.Value, maxQuantity)
	default:
		out.Value = *q.Value
	}
	return out
}

// optional is a quantity that may be left out, and is zero then.
func (b *builder) optional(path string, q *quantityFile, unit string) Quantity {
	if q == nil {
		return Quantity{}
	}
	return b.quantity(path, *q, unit)
}

// maxQuantity bounds values, so that times in ns fit an int64 with room to add.
const maxQuantity = 1e15

// provenance checks everything about a number but its value.
func (b *builder) provenance(path, unit, wantUnit string, kind Kind, uncertainty *float64, source, note string) Quantity {
	if unit != wantUnit {
		b.add(path+".unit", "is %q, convert the value and write %s", unit, wantUnit)
	}
	b.kindAndSource(path, kind, source)
	q := Quantity{Unit: unit, Kind: kind, Source: source, Note: note}
	switch {
	case uncertainty == nil:
		b.add(path+".uncertainty", "is missing, give the half-width of the plausible range in percent")
	case !(*uncertainty >= 0 && *uncertainty <= 100):
		b.add(path+".uncertainty", "%v is out of range, give a percentage from 0 to 100", *uncertainty)
	default:
		q.Uncertainty = *uncertainty
	}
	return q
}

func (b *builder) kindAndSource(path string, kind Kind, source string) {
	switch kind {
	case Measured, Vendor, Derived, Assumed:
	default:
		b.add(path+".kind", "unknown kind %q, use measured, vendor, derived or assumed", kind)
	}
	if _, ok := b.sources[source]; !ok {
		b.add(path+".source", "%q is not in sources, add it there or correct it", source)
	}
}

// count checks a number of parts and returns it as an int as well.
func (b *builder) count(path string, q quantityFile) (Quantity, int) {
	out := b.quantity(path, q, "count")
	n := int(out.Value)
	if q.Value != nil && (out.Value != float64(n) || n < 1 || n > maxCPUs) {
		b.add(path+".value", "%v is no count, give a whole number from 1 to %d", *q.Value, maxCPUs)
	}
	return out, n
}

func (b *builder) counts(m *Machine, f *machineFile) {
	var s shape
	m.Counts.Sockets, s.sockets = b.count("counts.sockets", f.Counts.Sockets)
	m.Counts.Nodes, s.nodes = b.count("counts.nodes", f.Counts.Nodes)
	m.Counts.CoresPerSocket, s.coresPerSocket = b.count("counts.cores_per_socket", f.Counts.CoresPerSocket)
	m.Counts.CoresPerLLC, s.coresPerLLC = b.count("counts.cores_per_llc", f.Counts.CoresPerLLC)
	m.Counts.ThreadsPerCore, s.threadsPerCore = b.count("counts.threads_per_core", f.Counts.ThreadsPerCore)
	s.coresPerL2 = 1
	if f.Counts.CoresPerL2 != nil {
		m.Counts.CoresPerL2, s.coresPerL2 = b.count("counts.cores_per_l2", *f.Counts.CoresPerL2)
	}
	if err := s.check(); err != nil {
		// A count that is already reported would only be reported again.
		if !b.reported("counts") {
			b.add("counts", "%v", err)
		}
		return
	}
	cpus, err := s.cpus(f.Numbering.Scheme)
	if err != nil {
		b.add("numbering.scheme", "%v", err)
		return
	}
	m.CPUs = cpus
	m.NUMANodes = make([]Node, s.nodes)
	for i := range m.NUMANodes {
		m.NUMANodes[i].ID = i
	}
}

// reported tells whether a problem inside the block at path is known.
func (b *builder) reported(path string) bool {
	for _, p := range b.found {
		if len(p.text) > len(path) && p.text[:len(path)+1] == path+"." {
			return true
		}
	}
	return false
}

// numbering compares the CPU lists of the file with the numbers that the
// scheme gives, so that a reader can rely on the lists.
func (b *builder) numbering(m *Machine, n numberingFile) {
	b.kindAndSource("numbering", n.Kind, n.Source)
	m.Numbering = NumberingInfo{Scheme: n.Scheme, Kind: n.Kind, Source: n.Source, Note: n.Note}

	b.cpuList("numbering.siblings_of_cpu0", n.SiblingsOfCPU0, m.selectCPUs(func(c CPU) bool { return c.Core == m.CPUs[0].Core }))
	if len(n.Nodes) != m.Nodes() {
		b.add("numbering.nodes", "%d CPU lists for %d nodes, give one a node", len(n.Nodes), m.Nodes())
		return
	}
	for i, list := range n.Nodes {
		b.cpuList(fmt.Sprintf("numbering.nodes.%d", i), list, m.selectCPUs(func(c CPU) bool { return c.Node == i }))
	}
	if n.NodeIDs == nil {
		return
	}
	if len(n.NodeIDs) != m.Nodes() {
		b.add("numbering.node_ids", "%d numbers for %d nodes, give one a node", len(n.NodeIDs), m.Nodes())
		return
	}
	for i, id := range n.NodeIDs {
		b.nodeID(m, fmt.Sprintf("numbering.node_ids.%d", i), i, id)
	}
}

// maxNodes is the largest number of NUMA nodes of Linux (NODES_SHIFT 10).
const maxNodes = 1024

// nodeID sets the number of a node, which has to be above that of the node
// before it.
func (b *builder) nodeID(m *Machine, path string, i int, id whole) {
	switch {
	case id < 0 || id >= maxNodes:
		b.add(path, "%d is no node number, give one below %d", id, maxNodes)
	case i > 0 && int(id) <= m.NUMANodes[i-1].ID:
		b.add(path, "node %d follows node %d, sort the nodes by number and name each once", id, m.NUMANodes[i-1].ID)
	}
	m.NUMANodes[i].ID = int(id)
}

func (b *builder) cpuList(path, list string, want []int) {
	cpus, err := ParseCPUList(list)
	if err != nil {
		b.add(path, "%v", err)
		return
	}
	if !slices.Equal(cpus, want) {
		b.add(path, "%q is not what counts and scheme give, correct one of them or write %q", list, FormatCPUList(want))
	}
}
