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

func (b *builder) caches(m *Machine, f *machineFile) {
	if len(f.Caches) == 0 {
		b.add("caches", "is missing, list the caches from level 1 up")
	}
	for i, c := range f.Caches {
		path := fmt.Sprintf("caches.%d", i)
		switch {
		case c.Level < 1 || c.Level > 4:
			b.add(path+".level", "%d is no cache level, give 1 to 4", c.Level)
		case i > 0 && c.Level < f.Caches[i-1].Level:
			b.add(path+".level", "%d follows %d, sort the caches by level", c.Level, f.Caches[i-1].Level)
		}
		if !slices.Contains([]string{"data", "instruction", "unified"}, c.Type) {
			b.add(path+".type", "unknown type %q, use data, instruction or unified", c.Type)
		}
		if !slices.Contains([]string{"core", "llc", "socket"}, c.SharedBy) {
			b.add(path+".shared_by", "unknown scope %q, use core, llc or socket", c.SharedBy)
		}
		cache := Cache{Level: int(c.Level), Type: c.Type, SharedBy: c.SharedBy,
			SizeInfo: b.quantity(path+".size", c.Size, "KiB")}
		cache.SizeKiB = b.wholeNumber(path+".size", cache.SizeInfo)
		if c.Latency != nil {
			cache.Latency = b.quantity(path+".latency", *c.Latency, "ns")
		}
		m.Caches = append(m.Caches, cache)
	}
}

// wholeNumber returns a positive quantity that has to be a whole number.
func (b *builder) wholeNumber(path string, q Quantity) int {
	n := int(q.Value)
	if q.Unit != "" && (float64(n) != q.Value || n < 1) {
		b.add(path+".value", "%v is not positive and whole, correct it", q.Value)
	}
	return n
}

func (b *builder) frequency(m *Machine, f *machineFile) {
	lo := b.quantity("frequency.min", f.Frequency.Min, "MHz")
	base := b.quantity("frequency.base", f.Frequency.Base, "MHz")
	hi := b.quantity("frequency.max", f.Frequency.Max, "MHz")
	if !(0 < lo.Value && lo.Value <= base.Value && base.Value <= hi.Value) && !b.reported("frequency") {
		b.add("frequency", "min %v, base %v, max %v do not ascend from above 0, correct them", lo.Value, base.Value, hi.Value)
	}
	t := f.Frequency.Turbo
	info := b.provenance("frequency.turbo", t.Unit, "MHz", t.Kind, t.Uncertainty, t.Source, t.Note)
	if t.Scope != "socket" {
		b.add("frequency.turbo.scope", "unknown scope %q, write socket", t.Scope)
	}
	cores := m.Cores() / m.Sockets()
	if len(t.Bins) == 0 {
		b.add("frequency.turbo.bins", "is missing, give at least the bin of all %d cores", cores)
		return
	}
	var bins []TurboBin
	for i, bin := range t.Bins {
		path := fmt.Sprintf("frequency.turbo.bins.%d", i)
		switch {
		case bin.ActiveCores < 1 || int(bin.ActiveCores) > cores:
			b.add(path+".active_cores", "%d is out of range, give 1 to %d, the cores of a socket", bin.ActiveCores, cores)
		case i > 0 && bin.ActiveCores <= t.Bins[i-1].ActiveCores:
			b.add(path+".active_cores", "%d follows %d, sort the bins by cores", bin.ActiveCores, t.Bins[i-1].ActiveCores)
		}
		switch {
		case bin.Value < 1 || float64(bin.Value) > hi.Value:
			b.add(path+".value", "%d MHz is out of range, give 1 to frequency.max, %v", bin.Value, hi.Value)
		case i > 0 && bin.Value > t.Bins[i-1].Value:
			b.add(path+".value", "%d MHz with more cores than %d MHz, correct one: more cores never run faster", bin.Value, t.Bins[i-1].Value)
		}
		bins = append(bins, TurboBin{ActiveCores: int(bin.ActiveCores), MHz: int(bin.Value)})
	}
	last := bins[len(bins)-1]
	if last.ActiveCores < cores {
		b.add("frequency.turbo.bins", "end at %d cores, add the bin of all %d", last.ActiveCores, cores)
	}
	info.Value = float64(last.MHz)
	m.Frequency = Frequency{MinMHz: lo, BaseMHz: base, MaxMHz: hi, Turbo: bins, TurboInfo: info}
}

func (b *builder) idleStates(m *Machine, f *machineFile) {
	if len(f.IdleStates) == 0 {
		b.add("idle_states", "is missing, list the states by depth")
	}
	for i, s := range f.IdleStates {
		path := fmt.Sprintf("idle_states.%d", i)
		b.text(path+".name", s.Name)
		state := IdleState{
			Name:          s.Name,
			ExitInfo:      b.quantity(path+".exit_latency", s.ExitLatency, "ns"),
			ResidencyInfo: b.quantity(path+".target_residency", s.TargetResidency, "ns"),
			MeanExit:      b.quantity(path+".mean_exit", s.MeanExit, "ns"),
		}
		state.ExitLatency = int64(state.ExitInfo.Value)
		state.TargetResidency = int64(state.ResidencyInfo.Value)
		if i > 0 {
			previous := m.IdleStates[i-1]
			if state.ExitLatency <= previous.ExitLatency {
				b.add(path+".exit_latency", "%d ns after %d ns, sort the states by depth", state.ExitLatency, previous.ExitLatency)
			}
			if state.TargetResidency < previous.TargetResidency {
				b.add(path+".target_residency", "%d ns after %d ns, sort the states by depth", state.TargetResidency, previous.TargetResidency)
			}
		}
		m.IdleStates = append(m.IdleStates, state)
	}
}

func (b *builder) transfer(m *Machine, f *machineFile) {
	m.Transfer.SameLLC = b.quantity("transfer.same_llc", f.Transfer.SameLLC, "ns")
	threads := len(m.CPUs) / m.Cores()
	switch smt := f.Transfer.SMTSibling; {
	case smt == nil && threads > 1:
		b.add("transfer.smt_sibling", "is missing, give it for a machine with %d threads a core", threads)
	case smt != nil && threads == 1:
		b.add("transfer.smt_sibling", "is given for a machine with one thread a core, remove it")
	case smt != nil:
		m.Transfer.SMTSibling = b.quantity("transfer.smt_sibling", *smt, "ns")
	}
	m.Transfer.Remote = map[int]Quantity{}
	want := map[int]bool{}
	for _, row := range m.Distances {
		for _, d := range row {
			if d > localDistance {
				want[d] = true
			}
		}
	}
	for _, d := range slices.Sorted(maps.Keys(want)) {
		if _, ok := f.Transfer.Remote[d]; !ok {
			b.add("transfer.remote", "distance %d is in the matrix but not here, add it", d)
		}
	}
	for _, d := range slices.Sorted(maps.Keys(f.Transfer.Remote)) {
		path := fmt.Sprintf("transfer.remote.%d", d)
		if !want[d] && len(m.Distances) > 0 {
			b.add(path, "no two nodes are at distance %d, remove it", d)
		}
		m.Transfer.Remote[d] = b.quantity(path, f.Transfer.Remote[d], "ns")
	}
}

func (b *builder) smtThroughput(m *Machine, f *machineFile) {
	threads := len(m.CPUs) / m.Cores()
	if len(f.SMTThroughput) != threads {
		b.add("smt_throughput", "%d values for %d threads a core, give one a thread", len(f.SMTThroughput), threads)
	}
	for i, q := range f.SMTThroughput {
		path := fmt.Sprintf("smt_throughput.%d", i)
		ratio := b.quantity(path, q, "ratio")
		switch {
		case i == 0 && ratio.Value != 1:
			b.add(path+".value", "one busy thread is the unit, write 1")
		case i > 0 && ratio.Value < m.SMTThroughput[i-1].Value:
			b.add(path+".value", "%v after %v, which would slow the core down, correct one of the two", ratio.Value, m.SMTThroughput[i-1].Value)
		}
		m.SMTThroughput = append(m.SMTThroughput, ratio)
	}
}
