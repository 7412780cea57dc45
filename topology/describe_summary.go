package topology

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
)

// vendorIDs are the names that CPUs give for their vendors, where they have
// one (CPUID leaf 0, as lscpu shows it).
var vendorIDs = map[string]string{"intel": "GenuineIntel", "amd": "AuthenticAMD"}

// writeSummary writes what lscpu writes, in its order and under its names.
// What a model does not have, such as flags, is left out.
func (m *Machine) writeSummary(buf *bytes.Buffer) {
	type row struct{ key, value string }
	var rows []row
	add := func(key, format string, args ...any) {
		rows = append(rows, row{key + ":", fmt.Sprintf(format, args...)})
	}
	offline := m.cpusIn(Offline)
	add("Architecture", "%s", m.Arch)
	add("CPU(s)", "%d", len(m.OnlineCPUs())+len(offline))
	add("On-line CPU(s) list", "%s", FormatCPUList(m.OnlineCPUs()))
	if len(offline) > 0 {
		add("Off-line CPU(s) list", "%s", FormatCPUList(offline))
	}
	vendor := m.Vendor
	if id := vendorIDs[vendor]; id != "" {
		vendor = id
	}
	add("Vendor ID", "%s", vendor)
	add("Thread(s) per core", "%d", m.ThreadsPerCore())
	add("Core(s) per socket", "%d", m.CoresPerSocket())
	add("Socket(s)", "%d", m.Sockets())
	add("CPU max MHz", "%s", number(m.Frequency.MaxMHz.Value))
	add("CPU min MHz", "%s", number(m.Frequency.MinMHz.Value))
	for _, c := range m.cacheTotals() {
		add(c.name+" cache", "%s (%d %s)", lscpuSize(c.kib), c.instances, plural(c.instances, "instance"))
	}
	add("NUMA node(s)", "%d", m.Nodes())
	for i, node := range m.NUMANodes {
		add(fmt.Sprintf("NUMA node%d CPU(s)", node.ID), "%s", FormatCPUList(m.nodeCPUs(i)))
	}
	width := 0
	for _, r := range rows {
		width = max(width, len(r.key))
	}
	for _, r := range rows {
		buf.WriteString(strings.TrimRight(fmt.Sprintf("%-*s %s", width, r.key, r.value), " ") + "\n")
	}
}

// nodeCPUs returns the CPUs of the node with an index, ascending.
func (m *Machine) nodeCPUs(node int) []int {
	return m.selectCPUs(func(c CPU) bool { return c.Node == node })
}

// cpusIn returns the numbers of the CPUs in a state, ascending.
func (m *Machine) cpusIn(state CPUState) []int {
	var ids []int
	for _, c := range m.CPUs {
		if c.State == state {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// cacheTotal is what lscpu has in one line: all caches of a level and type,
// which may differ in size where cores do.
type cacheTotal struct {
	name           string
	kib, instances int
}

func (m *Machine) cacheTotals() []cacheTotal {
	var totals []cacheTotal
	for _, c := range m.Caches {
		i := slices.IndexFunc(totals, func(t cacheTotal) bool { return t.name == c.Name() })
		if i < 0 {
			i = len(totals)
			totals = append(totals, cacheTotal{name: c.Name()})
		}
		n := len(m.Instances(c))
		totals[i].kib += n * c.SizeKiB
		totals[i].instances += n
	}
	return totals
}

// lscpuSize writes a size as lscpu does, rounded to one digit after the point:
// "1.3 MiB".
func lscpuSize(kib int) string { return size(kib, 10) }

// FormatSize writes a size given in KiB for a reader, rounded to two digits
// after the point: "27.5 MiB", "1.25 MiB".
func FormatSize(kib int) string { return size(kib, 100) }

// size writes a size in the largest unit that leaves at least 1, rounded half
// up to a fraction of that unit.
func size(kib, fraction int) string {
	unit, name := 1, "KiB"
	for _, larger := range []string{"MiB", "GiB", "TiB"} {
		if kib < 1024*unit {
			break
		}
		unit, name = 1024*unit, larger
	}
	rounded := math.Floor(float64(kib)/float64(unit)*float64(fraction)+0.5) / float64(fraction)
	return number(rounded) + " " + name
}

// Name is the usual short name of a cache: "L1d", "L1i", "L2".
func (c Cache) Name() string { return c.name() }

// plural is the noun for a number of things.
func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}
