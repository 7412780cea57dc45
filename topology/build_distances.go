package topology

import (
	"fmt"
	"maps"
	"slices"
)

// localDistance is the SLIT entry of a node with itself, and maxDistance the
// largest that means "reachable" (ACPI, System Locality Information Table).
const (
	localDistance = 10
	maxDistance   = 254
)

func (b *builder) distances(m *Machine, f *machineFile) {
	d := f.Distances
	info := b.provenance("distances", d.Unit, "SLIT", d.Kind, d.Uncertainty, d.Source, d.Note)
	nodes := m.Nodes()
	if len(d.Matrix) != nodes {
		b.add("distances.matrix", "%d rows for %d nodes, write a square matrix", len(d.Matrix), nodes)
		return
	}
	distances := make([][]int, nodes)
	for i, row := range d.Matrix {
		path := fmt.Sprintf("distances.matrix.%d", i)
		if len(row) != nodes {
			b.add(path, "%d entries for %d nodes, write a square matrix", len(row), nodes)
			return
		}
		for j, v := range row {
			switch {
			case i == j && v != localDistance:
				b.add(path, "node %d is %d from itself, write %d", i, v, localDistance)
			case i != j && (v <= localDistance || v > maxDistance):
				b.add(path, "distance %d to node %d is out of range, give %d to %d", v, j, localDistance+1, maxDistance)
			case j < i && v != d.Matrix[j][i]:
				b.add(path, "distance %d to node %d, but %d back, make the matrix symmetric", v, j, d.Matrix[j][i])
			}
			info.Value = max(info.Value, float64(v))
			distances[i] = append(distances[i], int(v))
		}
	}
	m.Distances, m.DistancesInfo = distances, info
}

// transfer reads the latencies of a cache line. Each relation between two CPUs
// that occurs on the machine has to have one, and no other may.
func (b *builder) transfer(m *Machine, f *machineFile) {
	t := f.Transfer
	has := m.relations()
	for _, r := range []struct {
		path, pair string
		file       *quantityFile
		to         *Quantity
		occurs     bool
	}{
		{"transfer.smt_sibling", "threads of a core", t.SMTSibling, &m.Transfer.SMTSibling, has.smt},
		{"transfer.same_l2", "cores of a level-2 cache or cluster", t.SameL2, &m.Transfer.SameL2, has.l2},
		{"transfer.same_llc", "cores of a last-level cache", t.SameLLC, &m.Transfer.SameLLC, has.llc},
		{"transfer.same_socket", "last-level caches of a socket", t.SameSocket, &m.Transfer.SameSocket, has.socket},
	} {
		switch {
		case r.file != nil && !r.occurs:
			b.add(r.path, "is given, but the machine never has two %s, remove it", r.pair)
		case r.file != nil:
			*r.to = b.quantity(r.path, *r.file, "ns")
		// Cores that share a level-2 cache may be as near as those of the
		// last-level cache.
		case r.occurs && r.to != &m.Transfer.SameL2:
			b.add(r.path, "is missing, give it for two %s", r.pair)
		}
	}
	required := maps.Clone(has.remote)
	for d := range has.remoteInSocket {
		if !has.remote[d] && t.SameSocket == nil {
			required[d] = true
		}
	}
	allowed := maps.Clone(has.remote)
	maps.Copy(allowed, has.remoteInSocket)
	m.Transfer.Remote = b.byDistance(m, "transfer.remote", t.Remote, required, allowed)
}

// memory reads what memory costs, by distance.
func (b *builder) memory(m *Machine, f *machineFile) {
	far := map[int]bool{}
	for _, row := range m.Distances {
		for _, d := range row {
			if d > localDistance {
				far[d] = true
			}
		}
	}
	m.Memory = Memory{
		Local:         b.quantity("memory.local", f.Memory.Local, "ns"),
		Remote:        b.byDistance(m, "memory.remote", f.Memory.Remote, far, far),
		NodeBandwidth: b.quantity("memory.node_bandwidth", f.Memory.NodeBandwidth, "GB/s"),
		CoreBandwidth: b.quantity("memory.core_bandwidth", f.Memory.CoreBandwidth, "GB/s"),
	}
	switch remote := f.Memory.RemoteBandwidth; {
	case remote == nil && len(far) > 0:
		b.add("memory.remote_bandwidth", "is missing, give it for a machine of several nodes")
	case remote != nil && len(far) == 0:
		b.add("memory.remote_bandwidth", "is given for a machine of one node, remove it")
	case remote != nil:
		m.Memory.RemoteBandwidth = b.quantity("memory.remote_bandwidth", *remote, "GB/s")
	}
}

// byDistance reads latencies by SLIT distance: all that are required, and none
// that is not allowed.
func (b *builder) byDistance(m *Machine, path string, file map[int]quantityFile, required, allowed map[int]bool) map[int]Quantity {
	for _, d := range slices.Sorted(maps.Keys(required)) {
		if _, ok := file[d]; !ok {
			b.add(path, "distance %d is in the matrix but not here, add it", d)
		}
	}
	out := map[int]Quantity{}
	for _, d := range slices.Sorted(maps.Keys(file)) {
		at := fmt.Sprintf("%s.%d", path, d)
		if !allowed[d] && len(m.Distances) > 0 {
			b.add(at, "no two nodes are at distance %d, remove it", d)
		}
		out[d] = b.quantity(at, file[d], "ns")
	}
	return out
}

// relations says how near and how far CPUs of a machine can be to each other.
type relations struct {
	smt, l2, llc, socket bool
	// remote has the distances between sockets, remoteInSocket those between
	// nodes of one socket.
	remote, remoteInSocket map[int]bool
}

func (m *Machine) relations() relations {
	r := relations{
		smt:    m.ThreadsPerCore() > 1,
		l2:     m.Cores() > m.L2s(),
		llc:    m.Cores() > m.LLCs(),
		remote: map[int]bool{}, remoteInSocket: map[int]bool{},
	}
	// One CPU stands for all that share cache, node and socket.
	type place struct{ llc, node, socket int }
	seen := map[place]bool{}
	var places []place
	for _, c := range m.CPUs {
		p := place{c.LLC, c.Node, c.Socket}
		if c.State == Online && !seen[p] {
			seen[p] = true
			places = append(places, p)
		}
	}
	for i, a := range places {
		for _, c := range places[i+1:] {
			switch {
			case a.llc == c.llc:
			case a.socket == c.socket && a.node == c.node:
				r.socket = true
			case a.socket == c.socket:
				r.socket = true
				r.remoteInSocket[m.Distances[a.node][c.node]] = true
			default:
				r.remote[m.Distances[a.node][c.node]] = true
			}
		}
	}
	return r
}
