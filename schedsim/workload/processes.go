package workload

import "github.com/schedlab/schedlab/schedsim"

// Processes that come and go, as shells and make start them. A parent waits for
// its child on a channel of its own, which the child posts as it ends: exit_notify
// wakes the parent, as a sync wakeup.

// What a process costs apart from what it is for. Work, ns at the reference clock.
const (
	// shellForkWork is fork in a shell, in the parent: copying its page tables.
	// lmbench's fork+exit takes 60 to 300 us on servers of about 2010. Assumed,
	// 50 %.
	shellForkWork = 120e3
	// execWork is execve, the dynamic loader and libc's start, up to main.
	// lmbench's fork+execve, less fork+exit: 200 to 700 us. Assumed, 50 %.
	execWork = 350e3
	// execEntryWork is what of it comes before the exec balance: opening the
	// file. Assumed.
	execEntryWork = 20e3
	// exitWork is tearing down the address space. Assumed, 50 %.
	exitWork = 80e3
	// waitWork is wait4 and what a shell does between two commands. Assumed,
	// 50 %.
	waitWork = 30e3
)

// exitOps are the end of a process whose parent waits on a channel: pc counts from
// 0.
func exitOps(pc, channel int32) schedsim.Op {
	if pc == 0 {
		return schedsim.Op{Kind: schedsim.OpSend, Sync: true, Arg: channel, Work: exitWork}
	}
	return schedsim.Op{Kind: schedsim.OpExit, Work: 2000}
}

// evenly draws uniformly from 1-half to 1+half times the mean.
func evenly(t *schedsim.Task, mean, half float64) float64 {
	return mean * (1 + float64(half*(2*t.Rand.Float64()-1)))
}
