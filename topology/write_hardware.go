package topology

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

func (y *yamlWriter) distances(m *Machine) {
	y.line("\ndistances:")
	y.line("  matrix:")
	for _, row := range m.Distances {
		y.line("    - [%s]", strings.Trim(strings.ReplaceAll(fmt.Sprint(row), " ", ", "), "[]"))
	}
	y.block("  ", m.DistancesInfo)
}

func (y *yamlWriter) caches(m *Machine) {
	y.line("\ncaches:")
	for _, c := range m.Caches {
		y.line("  - level: %d", c.Level)
		y.line("    type: %s", c.Type)
		y.line("    shared_by: %s", c.SharedBy)
		if c.SharedBy == "listed" {
			y.cpuLists("    cpus", c.Instances)
		}
		y.quantity("    size", c.SizeInfo)
		y.quantity("    latency", c.Latency)
	}
}

func (y *yamlWriter) frequency(f Frequency) {
	y.line("\nfrequency:")
	y.quantity("  min", f.MinMHz)
	y.quantity("  base", f.BaseMHz)
	y.quantity("  max", f.MaxMHz)
	y.line("  turbo:")
	y.line("    scope: socket # bins count the active cores of one socket")
	y.block("    ", f.TurboInfo)
	y.line("    bins:")
	for _, bin := range f.Turbo {
		y.line("      - {active_cores: %d, value: %d}", bin.ActiveCores, bin.MHz)
	}
	c := f.Control
	y.line("  control:")
	y.line("    driver: %s", c.Driver)
	y.line("    hwp: %t", c.HWP)
	if c.PerCore {
		y.line("    clock: core")
	} else {
		y.line("    clock: socket")
	}
	y.line("    kind: %s", c.Kind)
	y.line("    source: %s", scalar(c.Source))
	y.note("    ", c.Note)
	y.quantity("    step", c.Step)
	y.quantity("    transition", c.Transition)
}

func (y *yamlWriter) idleStates(states []IdleState) {
	y.line("\n# exit_latency and target_residency are the worst-case table that the cpuidle")
	y.line("# governor decides by; mean_exit is the delay that a wakeup really sees.")
	y.line("idle_states:")
	for _, s := range states {
		y.line("  - name: %s", quoted(s.Name))
		y.quantity("    exit_latency", s.ExitInfo)
		y.quantity("    target_residency", s.ResidencyInfo)
		y.quantity("    mean_exit", s.MeanExit)
	}
}

func (y *yamlWriter) latencies(m *Machine) {
	y.line("\n# One cache line from core to core, one way. remote is by distance.")
	y.mapping("transfer", func() {
		y.quantity("  smt_sibling", m.Transfer.SMTSibling)
		y.quantity("  same_l2", m.Transfer.SameL2)
		y.quantity("  same_llc", m.Transfer.SameLLC)
		y.quantity("  same_socket", m.Transfer.SameSocket)
		y.byDistance(m.Transfer.Remote)
	})
	y.line("\n# What a load and a stream get from memory.")
	y.line("memory:")
	y.quantity("  local", m.Memory.Local)
	y.byDistance(m.Memory.Remote)
	y.quantity("  node_bandwidth", m.Memory.NodeBandwidth)
	y.quantity("  remote_bandwidth", m.Memory.RemoteBandwidth)
	y.quantity("  core_bandwidth", m.Memory.CoreBandwidth)

	y.line("\n# Throughput of a core with 1, 2, ... busy threads relative to one.")
	y.line("smt_throughput:")
	for _, q := range m.SMTThroughput {
		y.line("  - {value: %s, %s}", number(q.Value), provenanceYAML(q))
	}
}

// mapping writes a key and what it holds, or an empty mapping.
func (y *yamlWriter) mapping(key string, inner func()) {
	before := y.buf.Len()
	y.line("%s:", key)
	held := y.buf.Len()
	inner()
	if y.buf.Len() == held {
		y.buf.Truncate(before)
		y.line("%s: {}", key)
	}
}

func (y *yamlWriter) byDistance(remote map[int]Quantity) {
	if len(remote) == 0 {
		return
	}
	y.line("  remote:")
	for _, d := range slices.Sorted(maps.Keys(remote)) {
		y.quantity(fmt.Sprintf("    %d", d), remote[d])
	}
}

func (y *yamlWriter) costs(m *Machine) {
	y.line("\ncosts:")
	y.quantity("  context_switch", m.Costs.ContextSwitch)
	y.quantity("  ipi_same_socket", m.Costs.IPISameSocket)
	y.quantity("  ipi_remote", m.Costs.IPIRemote)
	y.quantity("  refill_l2", m.Costs.RefillL2)
	y.quantity("  refill_per_mib", m.Costs.RefillPerMiB)
	y.quantity("  migrate_page", m.Costs.MigratePage)
	y.quantity("  migrate_huge_page", m.Costs.MigrateHugePage)
}
