package topology

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// describedKernel is the version whose sched domains WriteText shows.
const describedKernel = "v5.10"

// WriteText writes the machine for a reader: a summary in the manner of lscpu,
// the nodes in the manner of numactl -H, the turbo table, the sched domains of
// CPU 0 under Linux v5.10, and every quantity with kind, uncertainty and
// source.
func (m *Machine) WriteText(w io.Writer) error {
	var buf bytes.Buffer
	m.writeSummary(&buf)
	m.writeNodes(&buf)
	m.writeTurbo(&buf)
	if err := m.writeDomains(&buf); err != nil {
		return err
	}
	m.writeQuantities(&buf)
	_, err := w.Write(buf.Bytes())
	return err
}

// newTable returns a writer that aligns columns; a tab ends each but the last.
func newTable(buf *bytes.Buffer) *tabwriter.Writer {
	return tabwriter.NewWriter(buf, 0, 0, 2, ' ', 0)
}

func (m *Machine) writeSummary(buf *bytes.Buffer) {
	t := newTable(buf)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(t, "%s:\t%s\n", name, fmt.Sprintf(format, args...))
	}
	row("Machine", "%s", m.ID)
	row("Model name", "%s", m.Name)
	row("Identification", "%s", m.Confidence)
	row("Model hash", "%s", m.Hash())
	row("Architecture", "%s", m.Arch)
	row("Vendor", "%s, %d", m.Vendor, m.Year)
	row("CPU(s)", "%d", len(m.CPUs))
	row("Thread(s) per core", "%d", m.ThreadsPerCore())
	row("Core(s) per socket", "%d", m.CoresPerSocket())
	row("Socket(s)", "%d", m.Sockets())
	row("Siblings of CPU 0", "%s (%s)", FormatCPUList(m.selectCPUs(func(c CPU) bool { return c.Core == m.CPUs[0].Core })), m.Numbering.Scheme)
	row("CPU min MHz", "%.0f", m.Frequency.MinMHz.Value)
	row("CPU base MHz", "%.0f", m.Frequency.BaseMHz.Value)
	row("CPU max MHz", "%.0f", m.Frequency.MaxMHz.Value)
	for _, c := range m.Caches {
		row(c.name()+" cache", "%d KiB a %s", c.SizeKiB, c.SharedBy)
	}
	row("NUMA node(s)", "%d", m.Nodes())
	for node := range m.Nodes() {
		row(fmt.Sprintf("NUMA node%d CPU(s)", node), "%s", FormatCPUList(m.nodeCPUs(node)))
	}
	t.Flush()
	for _, note := range m.Notes {
		fmt.Fprintf(buf, "Note: %s.\n", strings.TrimSuffix(note, "."))
	}
}

func (m *Machine) nodeCPUs(node int) []int {
	return m.selectCPUs(func(c CPU) bool { return c.Node == node })
}

func (m *Machine) writeNodes(buf *bytes.Buffer) {
	fmt.Fprintf(buf, "\navailable: %d nodes (0-%d)\n", m.Nodes(), m.Nodes()-1)
	for node := range m.Nodes() {
		fmt.Fprintf(buf, "node %d cpus:", node)
		for _, cpu := range m.nodeCPUs(node) {
			fmt.Fprintf(buf, " %d", cpu)
		}
		buf.WriteByte('\n')
	}
	buf.WriteString("node distances:\nnode ")
	for node := range m.Distances {
		fmt.Fprintf(buf, " %3d", node)
	}
	buf.WriteByte('\n')
	for node, row := range m.Distances {
		fmt.Fprintf(buf, "%3d: ", node)
		for _, d := range row {
			fmt.Fprintf(buf, " %3d", d)
		}
		buf.WriteByte('\n')
	}
}

func (m *Machine) writeTurbo(buf *bytes.Buffer) {
	buf.WriteString("\nTurbo of a socket by active cores:\n")
	t := newTable(buf)
	for _, bin := range m.Frequency.Turbo {
		fmt.Fprintf(t, "  up to %d\t%d MHz\n", bin.ActiveCores, bin.MHz)
	}
	t.Flush()
}

func (m *Machine) writeDomains(buf *bytes.Buffer) error {
	if m.Arch != "x86_64" {
		return nil
	}
	domains, err := m.Domains(describedKernel, 0)
	if err != nil {
		return err
	}
	alike := true
	for cpu := range m.CPUs {
		other, err := m.Domains(describedKernel, cpu)
		if err != nil {
			return err
		}
		alike = alike && slices.EqualFunc(domains, other, sameParameters)
	}
	others := "those of all CPUs have the same sizes and parameters"
	if !alike {
		others = "those of other CPUs differ"
	}
	fmt.Fprintf(buf, "\nSched domains of CPU 0, Linux %s (%s):\n", describedKernel, others)
	t := newTable(buf)
	fmt.Fprintln(t, "  level\tCPUs\tgroups\timbalance_pct\tbusy_factor\tcache_nice_tries\tinterval ms\tspan")
	for _, d := range domains {
		fmt.Fprintf(t, "  %s\t%d\t%s\t%d\t%d\t%d\t%d-%d\t%s\n", d.Name, len(d.Span), groupSizes(d.Groups),
			d.ImbalancePct, d.BusyFactor, d.CacheNiceTries, d.MinInterval, d.MaxInterval, FormatCPUList(d.Span))
	}
	t.Flush()
	for _, d := range domains {
		fmt.Fprintf(buf, "  %s: %s\n", d.Name, d.Flags)
	}
	return nil
}

// sameParameters tells whether two domains differ in nothing but their CPUs.
func sameParameters(a, b Domain) bool {
	return a.Name == b.Name && a.Flags == b.Flags && len(a.Span) == len(b.Span) &&
		groupSizes(a.Groups) == groupSizes(b.Groups) &&
		a.ImbalancePct == b.ImbalancePct && a.BusyFactor == b.BusyFactor &&
		a.CacheNiceTries == b.CacheNiceTries &&
		a.MinInterval == b.MinInterval && a.MaxInterval == b.MaxInterval
}

// groupSizes writes groups as "20 of 2", or as all their sizes if they differ.
func groupSizes(groups [][]int) string {
	var sizes []string
	for _, g := range groups {
		sizes = append(sizes, strconv.Itoa(len(g)))
	}
	if len(slices.Compact(slices.Clone(sizes))) == 1 {
		return fmt.Sprintf("%d of %s", len(sizes), sizes[0])
	}
	return strings.Join(sizes, "+")
}

func (m *Machine) writeQuantities(buf *bytes.Buffer) {
	buf.WriteString("\nQuantities (measured: read on this CPU model; vendor: data sheet; derived: from a named neighbour; assumed: estimate):\n")
	t := newTable(buf)
	fmt.Fprintln(t, "  name\tvalue\tunit\tkind\t+-%\tsource: note")
	for _, q := range m.Quantities() {
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%s\t%s\n", q.Name, number(q.Value), q.Unit, q.Kind, number(q.Uncertainty), sourceAndNote(q.Source, q.Note))
	}
	fmt.Fprintf(t, "  numbering\t%s\t\t%s\t\t%s\n", m.Numbering.Scheme, m.Numbering.Kind, sourceAndNote(m.Numbering.Source, m.Numbering.Note))
	t.Flush()
	buf.WriteString("\nSources:\n")
	for _, key := range slices.Sorted(maps.Keys(m.Sources)) {
		fmt.Fprintf(buf, "  %s: %s\n", key, m.Sources[key])
	}
}

// sourceAndNote joins the two so that no line ends in blanks.
func sourceAndNote(source, note string) string {
	if note == "" {
		return source
	}
	return source + ": " + note
}

// number writes a value with all its digits and no exponent.
func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
