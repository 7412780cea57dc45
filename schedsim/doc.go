// Package schedsim is a discrete-event simulator of the Linux scheduler on a
// machine from package topology. Package study, below, runs it for a published
// post; package workload has the programs.
//
// # What is modelled
//
// Kernel v5.10: the fair class with integer vruntime, slices checked at the
// tick, wakeup preemption and buddies; load tracking in the kernel's integers
// with blocked load, stale remote values and task groups (autogroup); the
// wakeup path (wake_wide, wake_affine, select_idle_sibling and its searches
// with SIS_PROP, wake lists, WF_ON_CPU); fork placement; newidle, periodic,
// nohz-idle and active load balance. Under it, hardware: SMT siblings that
// share a core, turbo by active cores, idle states chosen by the menu governor,
// cache-line transfers, refill of private caches after a move, interrupts. Each
// kernel operation takes time on the CPU that does it, each runqueue that a
// search looks at included; see Costs.
//
// # What is left out
//
// NUMA balancing and memory placement; RT, deadline and stop classes as classes
// (the migration thread is a cost); cgroup bandwidth; lock contention beyond
// line transfers; interrupts other than IPIs and the tick; softirq threads;
// background daemons and kworkers; power and thermal limits; the menu
// governor's timer buckets. A load balancing pass reads all state at one
// instant. A search reads each runqueue at its begin, and confirms its choice
// at its end.
//
// A run may be aged before it is measured: balance intervals are then shorter
// (Config.Age), so that the split of tasks over sockets, which takes a real
// machine up to minutes, comes to its end sooner. For tbench with 64 clients
// 1 s aged gives the throughput of 12 s that are not within 1 %; after 4 s
// without aging one history of two is still 39 % above it. With 128 clients
// 1 s aged is within 3 % of 10 s that are not; 0.6 s is too short for some.
package schedsim
