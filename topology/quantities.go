package topology

import (
	"fmt"
	"maps"
	"slices"
)

// NamedQuantity is a quantity of a machine and the key that its YAML gives it,
// such as "costs.context_switch".
type NamedQuantity struct {
	Name string
	Quantity
}

// Quantities lists every number of the machine that carries a source, in the
// order of the YAML. The distance table and the turbo table come as one
// quantity each.
func (m *Machine) Quantities() []NamedQuantity {
	var all []NamedQuantity
	add := func(name string, q Quantity) {
		if q != (Quantity{}) {
			all = append(all, NamedQuantity{name, q})
		}
	}
	add("counts.sockets", m.Counts.Sockets)
	add("counts.nodes", m.Counts.Nodes)
	add("counts.cores_per_socket", m.Counts.CoresPerSocket)
	add("counts.cores_per_llc", m.Counts.CoresPerLLC)
	add("counts.cores_per_l2", m.Counts.CoresPerL2)
	add("counts.threads_per_core", m.Counts.ThreadsPerCore)
	add("distances", m.DistancesInfo)
	for _, c := range m.Caches {
		add(fmt.Sprintf("caches.%s.size", c.name()), c.SizeInfo)
		add(fmt.Sprintf("caches.%s.latency", c.name()), c.Latency)
	}
	add("frequency.min", m.Frequency.MinMHz)
	add("frequency.base", m.Frequency.BaseMHz)
	add("frequency.max", m.Frequency.MaxMHz)
	add("frequency.turbo", m.Frequency.TurboInfo)
	add("frequency.control.step", m.Frequency.Control.Step)
	add("frequency.control.transition", m.Frequency.Control.Transition)
	for _, s := range m.IdleStates {
		add(fmt.Sprintf("idle_states.%s.exit_latency", s.Name), s.ExitInfo)
		add(fmt.Sprintf("idle_states.%s.target_residency", s.Name), s.ResidencyInfo)
		add(fmt.Sprintf("idle_states.%s.mean_exit", s.Name), s.MeanExit)
	}
	add("transfer.smt_sibling", m.Transfer.SMTSibling)
	add("transfer.same_l2", m.Transfer.SameL2)
	add("transfer.same_llc", m.Transfer.SameLLC)
	add("transfer.same_socket", m.Transfer.SameSocket)
	for _, d := range slices.Sorted(maps.Keys(m.Transfer.Remote)) {
		add(fmt.Sprintf("transfer.remote.%d", d), m.Transfer.Remote[d])
	}
	add("memory.local", m.Memory.Local)
	for _, d := range slices.Sorted(maps.Keys(m.Memory.Remote)) {
		add(fmt.Sprintf("memory.remote.%d", d), m.Memory.Remote[d])
	}
	add("memory.node_bandwidth", m.Memory.NodeBandwidth)
	add("memory.remote_bandwidth", m.Memory.RemoteBandwidth)
	add("memory.core_bandwidth", m.Memory.CoreBandwidth)
	for i, q := range m.SMTThroughput {
		add(fmt.Sprintf("smt_throughput.%d", i+1), q)
	}
	add("costs.context_switch", m.Costs.ContextSwitch)
	add("costs.ipi_same_socket", m.Costs.IPISameSocket)
	add("costs.ipi_remote", m.Costs.IPIRemote)
	add("costs.refill_l2", m.Costs.RefillL2)
	add("costs.refill_per_mib", m.Costs.RefillPerMiB)
	add("costs.migrate_page", m.Costs.MigratePage)
	add("costs.migrate_huge_page", m.Costs.MigrateHugePage)
	return all
}

// name is the usual short name of a cache: L1d, L1i, L2.
func (c Cache) name() string {
	name := fmt.Sprintf("L%d", c.Level)
	switch c.Type {
	case "data":
		name += "d"
	case "instruction":
		name += "i"
	}
	return name
}
