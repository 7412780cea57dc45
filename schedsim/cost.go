package schedsim

import "github.com/schedlab/schedlab/topology"

// Costs are what kernel operations take on the CPU that does them. Work is in
// ns at the machine's reference clock (all-core turbo) and slows down with the
// clock and a busy sibling; stalls are waits for cache lines or hardware, in ns
// that nothing speeds up.
//
// Estimates are for a Skylake-class server with mitigations on; where one is
// known, the half-width of the plausible range is in the comment. A study's
// ensemble draws those that the study lists as its constants; the others keep
// their value.
type Costs struct {
	// Switch is a context switch to another task, schedule() included.
	// Work, ns. Machine data (csl-2s-80: 1200, assumed, 40 %).
	Switch int64
	// SwitchIdle is schedule() to or from the idle task: no change of
	// address space. Work, ns. Assumed: half of Switch.
	SwitchIdle int64
	// TTWU is try_to_wake_up on a warm runqueue without searching for a CPU:
	// half of it before the task is visible on the queue, half after. Work,
	// ns. Assumed 600, 40 %.
	TTWU int64
	// TTWURemoteLLC is what a wakeup through the wake list of another LLC
	// costs the waker on top. Work, ns. Assumed 500, 40 %.
	TTWURemoteLLC int64
	// QueueLines is how many lines of another CPU's runqueue an enqueue there
	// pulls over, one after another. Lines. Assumed 3: about 150 ns at 48 ns a
	// line.
	QueueLines float64
	// ProbeBase is the loop overhead of testing one runqueue for idleness.
	// Work, ns. Assumed 8.
	ProbeBase int64
	// ProbeLines is how many lines idle_cpu() reads that the owner writes at
	// each switch; they are pulled over only if written since this core last
	// looked. Lines. Assumed 2, range 1 to 2.
	ProbeLines float64
	// IPISame and IPIRemote are from sending an interrupt to its handler, on
	// the same socket and on another. Stall, ns. Machine data (csl-2s-80: 800
	// and 1400, assumed, 40 %).
	IPISame, IPIRemote int64
	// IRQ is entry and exit of an interrupt on a busy CPU. Work, ns. Assumed
	// 500, 50 %.
	IRQ int64
	// Tick is one timer tick on a busy CPU without balancing. Work, ns.
	// Assumed 2000, 50 %.
	Tick int64
	// BalanceBase and BalanceCPU are one load_balance pass over a domain: a
	// fixed part and one for each CPU in it; BalanceRemote is added for CPUs
	// of another LLC. Work, ns. Assumed 500, 40, 100, each 50 %.
	BalanceBase, BalanceCPU, BalanceRemote int64
	// MoveTask is detaching and attaching one task. Work, ns. Assumed 1000,
	// 50 %.
	MoveTask int64
	// Stopper is the migration thread running on a CPU to push a task away,
	// both switches included: they are the thread's own, the rest is its work. Work, ns. Assumed 4000,
	// 50 %.
	Stopper int64
	// IdleExitScale multiplies the mean exit latencies of the machine's idle
	// states. Ratio. 1; the machine data state 60 % for them.
	IdleExitScale float64
	// FreqWork is one run of the thread that changes the frequency where the
	// scheduler cannot: ondemand's kworker or schedutil's thread, with its
	// locks, the reading of idle times and the write to the hardware. Work, ns.
	// Assumed 20000, range 10000 to 40000. Nothing runs it without
	// Config.CPUFreq.
	FreqWork int64
	// NUMAScanPage and NUMAScanHugePage are protecting one page, a base page
	// and a transparent huge one, with its part of the TLB flush. Work, ns.
	// Assumed 40, range 20 to 80, and 300, range 150 to 600.
	NUMAScanPage, NUMAScanHugePage int64
	// NUMAFault is a hinting fault without the move of the page. Work, ns.
	// Assumed 1200, range 1000 to 1500.
	NUMAFault int64
	// PageFault is a first touch without clearing the page. Work, ns. Assumed
	// 700, 50 %.
	PageFault int64
	// MigratePage and MigrateHugePage move a page of 4 KiB and of 2 MiB to
	// another node, the shootdown included. Work, ns. Machine data; where they
	// have none 4000, 50 %, and what the copy takes on top.
	MigratePage, MigrateHugePage int64
	// Fork is wake_up_new_task without the search. Work, ns. Assumed 1500,
	// 50 %.
	Fork int64
	// IPISend is what sending an interrupt to another CPU costs the sender. Work, ns. 0:
	// a write to a register; it is dear where that has to be emulated.
	IPISend int64
	// StealEvery and StealTime are a hypervisor that takes the CPU away in the
	// middle of what a newly idle CPU does to balance: once in so much work in
	// the mean, for so long in the mean, both exponential. The balance measures
	// it as its own cost (max_newidle_lb_cost). What tasks do is the workload's
	// to stretch. ns. 0, 0: the machine is not virtual.
	StealEvery, StealTime int64
}

// DefaultCosts returns the costs on a machine.
func DefaultCosts(m *topology.Machine) Costs {
	sw := int64(m.Costs.ContextSwitch.Value)
	movePage := int64(m.Costs.MigratePage.Value)
	if movePage == 0 {
		movePage = 4000
	}
	return Costs{
		Switch:        sw,
		SwitchIdle:    sw / 2,
		TTWU:          600,
		TTWURemoteLLC: 500,
		QueueLines:    3,
		ProbeBase:     8,
		ProbeLines:    2,
		IPISame:       int64(m.Costs.IPISameSocket.Value),
		IPIRemote:     int64(m.Costs.IPIRemote.Value),
		IRQ:           500,
		Tick:          2000,
		BalanceBase:   500,
		BalanceCPU:    40,
		BalanceRemote: 100,
		MoveTask:      1000,
		Stopper:       4000,
		FreqWork:      20000,
		Fork:          1500,
		IdleExitScale: 1,

		NUMAScanPage:     40,
		NUMAScanHugePage: 300,
		NUMAFault:        1200,
		PageFault:        700,
		MigratePage:      movePage,
		MigrateHugePage:  int64(m.Costs.MigrateHugePage.Value),
	}
}
