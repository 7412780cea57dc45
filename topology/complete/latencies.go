package complete

import (
	"math"
	"slices"
	"strconv"

	"github.com/schedlab/schedlab/topology"
)

// latencies fills in what no dump tells: the cost of lines, of memory and of
// kernel work, and the throughput of hardware threads.
func (b *builder) latencies() {
	m := b.m
	m.Transfer.Remote, m.Memory.Remote = map[int]topology.Quantity{}, map[int]topology.Quantity{}
	if m.ThreadsPerCore() > 1 {
		m.Transfer.SMTSibling = b.carried(func(n *topology.Machine) topology.Quantity { return n.Transfer.SMTSibling })
	}
	if m.Cores() > m.LLCs() {
		m.Transfer.SameLLC = b.carried(func(n *topology.Machine) topology.Quantity { return n.Transfer.SameLLC })
	}
	b.betweenCaches()

	m.Memory.Local = b.carried(func(n *topology.Machine) topology.Quantity { return n.Memory.Local })
	m.Memory.NodeBandwidth = b.carried(func(n *topology.Machine) topology.Quantity { return n.Memory.NodeBandwidth })
	m.Memory.CoreBandwidth = b.carried(func(n *topology.Machine) topology.Quantity { return n.Memory.CoreBandwidth })
	if len(m.Distances) > 1 {
		m.Memory.RemoteBandwidth = b.carried(func(n *topology.Machine) topology.Quantity { return n.Memory.RemoteBandwidth })
	}
	for _, row := range m.Distances {
		for _, d := range row {
			if d > localDistance {
				m.Memory.Remote[d] = b.atDistance(d, func(n *topology.Machine) map[int]topology.Quantity { return n.Memory.Remote })
			}
		}
	}
	m.SMTThroughput = []topology.Quantity{{Value: 1, Unit: "ratio", Kind: topology.Assumed, Source: definition}}
	m.Sources[definition] = "true by definition"
	for i := 1; i < m.ThreadsPerCore(); i++ {
		q := b.carried(func(n *topology.Machine) topology.Quantity {
			if i < len(n.SMTThroughput) {
				return n.SMTThroughput[i]
			}
			return topology.Quantity{}
		})
		// Values of several machines need not ascend.
		q.Value = max(q.Value, m.SMTThroughput[i-1].Value)
		m.SMTThroughput = append(m.SMTThroughput, q)
	}
	m.Costs = topology.Costs{
		ContextSwitch:   b.carried(func(n *topology.Machine) topology.Quantity { return n.Costs.ContextSwitch }),
		IPISameSocket:   b.carried(func(n *topology.Machine) topology.Quantity { return n.Costs.IPISameSocket }),
		IPIRemote:       b.carried(func(n *topology.Machine) topology.Quantity { return n.Costs.IPIRemote }),
		RefillL2:        b.carried(func(n *topology.Machine) topology.Quantity { return n.Costs.RefillL2 }),
		RefillPerMiB:    b.carried(func(n *topology.Machine) topology.Quantity { return n.Costs.RefillPerMiB }),
		MigratePage:     b.carried(func(n *topology.Machine) topology.Quantity { return n.Costs.MigratePage }),
		MigrateHugePage: b.carried(func(n *topology.Machine) topology.Quantity { return n.Costs.MigrateHugePage }),
	}
}

// definition is the key of the source of numbers that are true by definition.
const definition = "definition"

// betweenCaches fills in the latencies between CPUs of different last-level
// caches, in one socket and between sockets.
func (b *builder) betweenCaches() {
	m := b.m
	type place struct{ llc, node, socket int }
	var places []place
	for _, c := range m.CPUs {
		if p := (place{c.LLC, c.Node, c.Socket}); c.State == topology.Online && !slices.Contains(places, p) {
			places = append(places, p)
		}
	}
	for i, p := range places {
		for _, q := range places[i+1:] {
			d := m.Distances[p.node][q.node]
			switch {
			case p.llc == q.llc:
			case p.socket == q.socket:
				m.Transfer.SameSocket = b.carried(func(n *topology.Machine) topology.Quantity { return n.Transfer.SameSocket })
			case m.Transfer.Remote[d] == (topology.Quantity{}):
				m.Transfer.Remote[d] = b.atDistance(d, func(n *topology.Machine) map[int]topology.Quantity { return n.Transfer.Remote })
			}
		}
	}
}

// atDistance carries over a latency by distance: from the nearest machine with
// any, the one at the distance that is nearest to d.
func (b *builder) atDistance(d int, get func(*topology.Machine) map[int]topology.Quantity) topology.Quantity {
	closest := func(n *topology.Machine) (int, topology.Quantity) {
		best := 0
		for other := range get(n) {
			far, soFar := math.Abs(float64(other-d)), math.Abs(float64(best-d))
			if best == 0 || far < soFar || far == soFar && other < best {
				best = other
			}
		}
		return best, get(n)[best]
	}
	for _, n := range b.near {
		at, q := closest(n)
		if at == 0 {
			continue
		}
		q = b.from(n, q, func(m *topology.Machine) topology.Quantity {
			_, q := closest(m)
			return q
		})
		if at != d {
			q.Note = "the other machine's at distance " + strconv.Itoa(at)
		}
		return q
	}
	return topology.Quantity{}
}
