package topology

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
)

// Latency is what it costs to reach one kind of place from a CPU. A zero
// Quantity is a way that the machine does not have.
type Latency struct {
	To string // in words
	// Transfer is a cache line from another CPU's cache, one way, in ns;
	// Load is a load from memory, in ns.
	Transfer, Load Quantity
}

// Latencies returns the machine's latencies from near to far: the places of
// the cache hierarchy first, then the nodes by distance.
func (m *Machine) Latencies() []Latency {
	var all []Latency
	near := func(to string, transfer Quantity) {
		if transfer != (Quantity{}) {
			all = append(all, Latency{To: to, Transfer: transfer})
		}
	}
	near("other thread of the core", m.Transfer.SMTSibling)
	near("same L2 or cluster", m.Transfer.SameL2)
	near("same last-level cache", m.Transfer.SameLLC)
	near("same socket, other cache", m.Transfer.SameSocket)
	all = append(all, Latency{
		To:       fmt.Sprintf("own node (distance %d)", localDistance),
		Transfer: m.Transfer.Remote[localDistance],
		Load:     m.Memory.Local,
	})
	distances := map[int]bool{}
	for d := range m.Transfer.Remote {
		distances[d] = d > localDistance
	}
	for d := range m.Memory.Remote {
		distances[d] = d > localDistance
	}
	for _, d := range slices.Sorted(maps.Keys(distances)) {
		if distances[d] {
			all = append(all, Latency{
				To:       fmt.Sprintf("node at distance %d", d),
				Transfer: m.Transfer.Remote[d],
				Load:     m.Memory.Remote[d],
			})
		}
	}
	return all
}

// writeLatencies writes what it costs to reach each kind of place.
func (m *Machine) writeLatencies(buf *bytes.Buffer) {
	buf.WriteString("\nLatency (ns; a line from another cache one way, a load from memory):\n")
	t := textTable{align: "lrlrl"}
	t.row("from a CPU to", "line", "from", "load", "from")
	cells := func(q Quantity) (string, string) {
		if q == (Quantity{}) {
			return "-", ""
		}
		return number(q.Value), howKnown(q)
	}
	for _, l := range m.Latencies() {
		line, lineFrom := cells(l.Transfer)
		load, loadFrom := cells(l.Load)
		t.row(l.To, line, lineFrom, load, loadFrom)
	}
	t.write(buf)
	bandwidth := fmt.Sprintf("%s from the own node for all of its cores (%s)", number(m.Memory.NodeBandwidth.Value), howKnown(m.Memory.NodeBandwidth))
	if m.Memory.RemoteBandwidth != (Quantity{}) {
		bandwidth += fmt.Sprintf(", %s from another node (%s)", number(m.Memory.RemoteBandwidth.Value), howKnown(m.Memory.RemoteBandwidth))
	}
	bandwidth += fmt.Sprintf(", %s for one core (%s)", number(m.Memory.CoreBandwidth.Value), howKnown(m.Memory.CoreBandwidth))
	writeWrapped(buf, "Memory GB/s: ", "  ", bandwidth)
	if len(m.SMTThroughput) > 1 {
		text := ""
		for i, q := range m.SMTThroughput {
			if i > 0 {
				text += ", "
			}
			text += fmt.Sprintf("%d: %s", i+1, number(q.Value))
		}
		writeWrapped(buf, "Throughput of a core by busy threads: ", "  ", text)
	}
}
