package topology

import (
	"fmt"
	"slices"
)

// cacheScopes are what may share a cache besides "listed" CPUs.
var cacheScopes = []string{"core", "l2", "llc", "node", "socket"}

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
		cache := Cache{Level: int(c.Level), Type: c.Type, SharedBy: c.SharedBy,
			SizeInfo: b.quantity(path+".size", c.Size, "KiB")}
		switch {
		case c.SharedBy == "listed":
			cache.Instances = b.partition(m, path+".cpus", c.CPUs)
		case !slices.Contains(cacheScopes, c.SharedBy):
			b.add(path+".shared_by", "unknown scope %q, use core, l2, llc, node or socket, or listed with cpus", c.SharedBy)
		case len(c.CPUs) > 0:
			b.add(path+".cpus", "lists CPUs of a cache that each %s has, remove it or write shared_by: listed", c.SharedBy)
		}
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

func (b *builder) smtThroughput(m *Machine, f *machineFile) {
	threads := m.ThreadsPerCore()
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
