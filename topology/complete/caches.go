package complete

import (
	"slices"

	"github.com/schedlab/schedlab/topology"
	"github.com/schedlab/schedlab/topology/dump"
)

// Linux's distances of a node to itself and to any other where firmware has no
// table (LOCAL_DISTANCE and REMOTE_DISTANCE).
const (
	localDistance  = 10
	remoteDistance = 20
)

// linuxDefault is the key of these two in the sources.
const linuxDefault = "linux"

// distances takes over the distance table.
func (b *builder) distances() {
	m := b.m
	n := len(m.NUMANodes)
	for i := range n {
		m.Distances = append(m.Distances, slices.Repeat([]int{remoteDistance}, n))
		m.Distances[i][i] = localDistance
	}
	m.DistancesInfo = topology.Quantity{Unit: "SLIT", Kind: topology.Measured, Source: b.source}
	switch d := b.f.Distances; {
	case d != nil && len(d.Nodes) == n:
		for i := range d.Values {
			copy(m.Distances[i], d.Values[i])
		}
	case n > 1:
		m.DistancesInfo.Kind = topology.Assumed
		m.DistancesInfo.Uncertainty = 100
		m.DistancesInfo.Source = linuxDefault
		m.DistancesInfo.Note = "numactl -H tells the machine's own"
		m.Sources[linuxDefault] = "Linux include/linux/topology.h, the distances where firmware has no table"
	}
	for _, row := range m.Distances {
		m.DistancesInfo.Value = max(m.DistancesInfo.Value, float64(slices.Max(row)))
	}
}

// caches takes over the caches, or those of the nearest machine if no input
// tells of any.
func (b *builder) caches() {
	m := b.m
	for _, c := range b.f.Caches {
		if c.Size == nil || *c.Size < 1024 || c.Level > 4 {
			m.Notes = append(m.Notes, "the dumps name a "+c.Name()+" cache without telling its size; it is left out")
			continue
		}
		kib := int(*c.Size / 1024)
		cache := topology.Cache{Level: c.Level, Type: string(c.Type), SizeKiB: kib, SizeInfo: b.measured(float64(kib), "KiB")}
		if c.Approx {
			cache.SizeInfo.Note = "rounded by the tool"
		}
		if cache.Type == "" {
			cache.Type = "unified"
		}
		cache.SharedBy, cache.Instances = b.shared(c)
		if cache.Type != "instruction" {
			cache.Latency = b.carried(func(n *topology.Machine) topology.Quantity { return latencyOf(n, c.Level) })
		}
		m.Caches = append(m.Caches, cache)
	}
	slices.SortStableFunc(m.Caches, func(a, b topology.Cache) int { return a.Level - b.Level })
	if len(m.Caches) > 0 {
		return
	}
	for _, c := range b.near[0].Caches {
		c.SizeInfo = b.from(b.near[0], c.SizeInfo, func(n *topology.Machine) topology.Quantity { return sizeOf(n, c.Level, c.Type) })
		if c.Latency != (topology.Quantity{}) {
			c.Latency = b.from(b.near[0], c.Latency, func(n *topology.Machine) topology.Quantity { return latencyOf(n, c.Level) })
		}
		m.Caches = append(m.Caches, c)
	}
}

// latencyOf returns the latency of a machine's data or unified cache.
func latencyOf(m *topology.Machine, level int) topology.Quantity {
	for _, c := range m.Caches {
		if c.Level == level && c.Latency != (topology.Quantity{}) {
			return c.Latency
		}
	}
	return topology.Quantity{}
}

func sizeOf(m *topology.Machine, level int, kind string) topology.Quantity {
	for _, c := range m.Caches {
		if c.Level == level && c.Type == kind {
			return c.SizeInfo
		}
	}
	return topology.Quantity{}
}

// shared says which CPUs share an instance of a cache: by the name of a part
// that has the same CPUs, or by a list.
func (b *builder) shared(c dump.Cache) (string, [][]int) {
	m := b.m
	if len(c.Instances) == 0 {
		switch {
		case c.Level == 1, c.Level == 2 && m.L2s() == m.Cores():
			return "core", nil
		case c.Level == 2:
			return "l2", nil
		}
		return "llc", nil
	}
	online := dump.CPUSet(m.OnlineCPUs())
	var lists [][]int
	for _, set := range groups(c.Instances, online) {
		lists = append(lists, set)
	}
	for _, part := range []string{"core", "l2", "llc", "node", "socket"} {
		if slices.EqualFunc(m.Instances(topology.Cache{SharedBy: part}), lists, slices.Equal) {
			return part, nil
		}
	}
	return "listed", lists
}
