package study

import (
	"maps"
	"slices"

	"github.com/schedlab/schedlab/schedsim"
)

// costSetters are the costs of the kernel that a constant of a study can set, by
// the constant's name. What ends in _scale multiplies what the machine has, for
// studies of several machines.
var costSetters = map[string]func(*schedsim.Costs, float64){
	"ttwu_ns":            func(c *schedsim.Costs, v float64) { c.TTWU = int64(v) },
	"ttwu_remote_llc_ns": func(c *schedsim.Costs, v float64) { c.TTWURemoteLLC = int64(v) },
	"switch_ns":          func(c *schedsim.Costs, v float64) { c.Switch, c.SwitchIdle = int64(v), int64(v/2) },
	"switch_scale": func(c *schedsim.Costs, v float64) {
		c.Switch, c.SwitchIdle = int64(v*float64(c.Switch)), int64(v*float64(c.SwitchIdle))
	},
	"queue_lines":   func(c *schedsim.Costs, v float64) { c.QueueLines = v },
	"probe_base_ns": func(c *schedsim.Costs, v float64) { c.ProbeBase = int64(v) },
	"probe_lines":   func(c *schedsim.Costs, v float64) { c.ProbeLines = v },
	"ipi_scale": func(c *schedsim.Costs, v float64) {
		c.IPISame, c.IPIRemote = int64(v*float64(c.IPISame)), int64(v*float64(c.IPIRemote))
	},
	"irq_ns":                 func(c *schedsim.Costs, v float64) { c.IRQ = int64(v) },
	"tick_ns":                func(c *schedsim.Costs, v float64) { c.Tick = int64(v) },
	"balance_base_ns":        func(c *schedsim.Costs, v float64) { c.BalanceBase = int64(v) },
	"balance_cpu_ns":         func(c *schedsim.Costs, v float64) { c.BalanceCPU = int64(v) },
	"balance_remote_ns":      func(c *schedsim.Costs, v float64) { c.BalanceRemote = int64(v) },
	"move_task_ns":           func(c *schedsim.Costs, v float64) { c.MoveTask = int64(v) },
	"stopper_ns":             func(c *schedsim.Costs, v float64) { c.Stopper = int64(v) },
	"idle_exit_scale":        func(c *schedsim.Costs, v float64) { c.IdleExitScale = v },
	"freq_work_ns":           func(c *schedsim.Costs, v float64) { c.FreqWork = int64(v) },
	"fork_ns":                func(c *schedsim.Costs, v float64) { c.Fork = int64(v) },
	"page_fault_ns":          func(c *schedsim.Costs, v float64) { c.PageFault = int64(v) },
	"numa_fault_ns":          func(c *schedsim.Costs, v float64) { c.NUMAFault = int64(v) },
	"numa_scan_page_ns":      func(c *schedsim.Costs, v float64) { c.NUMAScanPage = int64(v) },
	"numa_scan_huge_page_ns": func(c *schedsim.Costs, v float64) { c.NUMAScanHugePage = int64(v) },
	"migrate_page_scale": func(c *schedsim.Costs, v float64) {
		c.MigratePage, c.MigrateHugePage = int64(v*float64(c.MigratePage)), int64(v*float64(c.MigrateHugePage))
	},
}

// CostNames lists the costs of the kernel that a constant can set.
func CostNames() []string { return slices.Sorted(maps.Keys(costSetters)) }
