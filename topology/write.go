package topology

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// WriteYAML writes the machine as a file that Parse reads back as the same
// machine, with the same hash. The layout is that of the catalogue.
func (m *Machine) WriteYAML(w io.Writer) error {
	var buf bytes.Buffer
	y := &yamlWriter{buf: &buf}
	y.head(m)
	if m.Numbering.Scheme == Listed {
		y.layout(m)
	} else {
		y.counts(m)
	}
	y.distances(m)
	y.caches(m)
	y.frequency(m.Frequency)
	y.idleStates(m.IdleStates)
	y.latencies(m)
	y.costs(m)
	_, err := w.Write(buf.Bytes())
	return err
}

// yamlWriter writes the YAML of machines. Only what the schema has is ever
// written, so that it needs none of the generality of a YAML library, which
// would lose the layout and the comments.
type yamlWriter struct{ buf *bytes.Buffer }

func (y *yamlWriter) line(format string, args ...any) {
	fmt.Fprintf(y.buf, format+"\n", args...)
}

// quantity writes a number with all that is known of it; a zero Quantity is
// one that the machine does not have, and is left out.
func (y *yamlWriter) quantity(key string, q Quantity) {
	if q != (Quantity{}) {
		y.line("%s: {value: %s, %s}", key, number(q.Value), provenanceYAML(q))
	}
}

func provenanceYAML(q Quantity) string {
	s := fmt.Sprintf("unit: %s, kind: %s, uncertainty: %s, source: %s", q.Unit, q.Kind, number(q.Uncertainty), scalar(q.Source))
	if q.Note != "" {
		s += ", note: " + quoted(q.Note)
	}
	return s
}

// block writes what quantity writes on one line as several.
func (y *yamlWriter) block(indent string, q Quantity) {
	y.line("%sunit: %s", indent, q.Unit)
	y.line("%skind: %s", indent, q.Kind)
	y.line("%suncertainty: %s", indent, number(q.Uncertainty))
	y.line("%ssource: %s", indent, scalar(q.Source))
	y.note(indent, q.Note)
}

func (y *yamlWriter) note(indent, note string) {
	if note != "" {
		y.line("%snote: %s", indent, quoted(note))
	}
}

// plain matches texts that mean the same in YAML with and without quotes.
var plain = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_./-]*$`)

// scalar writes a word, in quotes unless YAML could not take it for anything
// else.
func scalar(s string) string {
	switch s {
	case "true", "false", "yes", "no", "on", "off", "null", "True", "False", "Yes", "No", "On", "Off", "Null", "y", "n", "Y", "N":
		return quoted(s)
	}
	if plain.MatchString(s) {
		return s
	}
	return quoted(s)
}

// quoted writes a text in double quotes, whose escapes YAML shares with JSON
// and, for what can be printed, with Go.
func quoted(s string) string { return strconv.Quote(s) }

func (y *yamlWriter) head(m *Machine) {
	y.line("# Each number carries: value, unit, kind, uncertainty (half-width of the")
	y.line("# plausible range, in percent of the value) and source, a key into `sources`.")
	y.line("# kind is measured, vendor, derived (from a named neighbour) or assumed.")
	y.line("")
	y.line("schema: %s", schemaName)
	y.line("id: %s", scalar(m.ID))
	y.line("name: %s", quoted(m.Name))
	y.line("vendor: %s", scalar(m.Vendor))
	y.line("arch: %s", scalar(m.Arch))
	y.line("year: %d", m.Year)
	y.line("confidence: %s", quoted(m.Confidence))
	if len(m.Notes) > 0 {
		y.line("\nnotes:")
		for _, n := range m.Notes {
			y.line("  - %s", quoted(n))
		}
	}
	y.line("\nsources:")
	for _, key := range slices.Sorted(maps.Keys(m.Sources)) {
		y.line("  %s: %s", scalar(key), quoted(m.Sources[key]))
	}
}

func (y *yamlWriter) counts(m *Machine) {
	c := m.Counts
	y.line("\ncounts:")
	y.quantity("  sockets", c.Sockets)
	y.quantity("  nodes", c.Nodes)
	y.quantity("  cores_per_socket", c.CoresPerSocket)
	y.quantity("  cores_per_llc", c.CoresPerLLC)
	y.quantity("  cores_per_l2", c.CoresPerL2)
	y.quantity("  threads_per_core", c.ThreadsPerCore)

	n := m.Numbering
	y.line("\n# The scheme decides; siblings and nodes are checked against it.")
	y.line("numbering:")
	y.line("  scheme: %s", n.Scheme)
	y.line("  kind: %s", n.Kind)
	y.line("  source: %s", scalar(n.Source))
	y.note("  ", n.Note)
	y.line("  siblings_of_cpu0: %q", FormatCPUList(m.selectCPUs(func(c CPU) bool { return c.Core == m.CPUs[0].Core })))
	y.line("  nodes:")
	for i := range m.NUMANodes {
		y.line("    - %q", FormatCPUList(m.nodeCPUs(i)))
	}
	var ids []string
	gaps := false
	for i, n := range m.NUMANodes {
		ids = append(ids, strconv.Itoa(n.ID))
		gaps = gaps || n.ID != i
	}
	if gaps {
		y.line("  node_ids: [%s]", strings.Join(ids, ", "))
	}
}

func (y *yamlWriter) layout(m *Machine) {
	n := m.Numbering
	y.line("\n# The CPUs of each part, as /sys/devices/system lists them.")
	y.line("layout:")
	y.line("  kind: %s", n.Kind)
	y.line("  source: %s", scalar(n.Source))
	y.note("  ", n.Note)
	var offline []int
	for _, c := range m.CPUs {
		if c.State == Offline {
			offline = append(offline, c.ID)
		}
	}
	if offline != nil {
		y.line("  offline: %q", FormatCPUList(offline))
	}
	y.cpuLists("  cores", m.sets(func(c CPU) int { return c.Core }))
	if m.L2s() < m.Cores() {
		y.cpuLists("  l2s", m.sets(func(c CPU) int { return c.L2 }))
	}
	y.cpuLists("  llcs", m.sets(func(c CPU) int { return c.LLC }))
	y.cpuLists("  sockets", m.sets(func(c CPU) int { return c.Socket }))
	y.line("  nodes:")
	for i, node := range m.NUMANodes {
		memory := ""
		if node.MemoryMiB != nil {
			memory = fmt.Sprintf(", memory_mib: %d", *node.MemoryMiB)
		}
		y.line("    - {id: %d, cpus: %q%s}", node.ID, FormatCPUList(m.nodeCPUs(i)), memory)
	}
	if len(m.CoreKinds) == 0 {
		return
	}
	y.line("  core_kinds:")
	for i, k := range m.CoreKinds {
		y.buf.WriteString("    - {name: " + quoted(k.Name) + ", cpus: " +
			strconv.Quote(FormatCPUList(m.selectCPUs(func(c CPU) bool { return c.Kind == i }))))
		if k.Capacity > 0 {
			fmt.Fprintf(y.buf, ", capacity: %d", k.Capacity)
		}
		if k.MaxMHz > 0 {
			fmt.Fprintf(y.buf, ", max_mhz: %d", k.MaxMHz)
		}
		y.buf.WriteString("}\n")
	}
}

// cpuLists writes sets of CPUs, several a line.
func (y *yamlWriter) cpuLists(key string, sets [][]int) {
	const width = 88
	y.buf.WriteString(key + ": [")
	column := len(key) + 3
	for i, set := range sets {
		s := strconv.Quote(FormatCPUList(set))
		if i > 0 {
			y.buf.WriteByte(',')
			if column+len(s) > width {
				y.buf.WriteString("\n     ")
				column = 5
			}
			y.buf.WriteByte(' ')
		}
		y.buf.WriteString(s)
		column += len(s) + 2
	}
	y.buf.WriteString("]\n")
}
