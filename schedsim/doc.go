// Package schedsim is a discrete-event simulator of the Linux scheduler on a
// machine from package topology. Package study, below, runs it for a published
// post; package workload has the programs; package scenario holds the model
// against real kernels (docs/conformance.md).
//
// # What is modelled
//
// Kernels v3.10, v4.18, v5.9, v5.10, v6.1 and v6.12, each with its own forms of
// the mechanisms below; docs/model.md lists them by version, with the functions
// that have them and what is simplified. The fair class with integer vruntime,
// slices checked at the tick, wakeup preemption and buddies, or EEVDF; load
// tracking in the kernel's integers with blocked load, stale remote values and
// task groups (autogroup); the wakeup path (wake_wide, wake_affine,
// select_idle_sibling and its searches, wake lists, WF_ON_CPU); placement at fork
// and exec; newidle, periodic, nohz-idle and active load balance. Under it,
// hardware: SMT siblings that
// share a core, turbo by active cores, idle states chosen by the menu governor,
// cache-line transfers between the places of a machine, refill of private caches
// after a move, interrupts. Each kernel operation takes time on the CPU that does
// it, each runqueue that a search looks at included; see Costs. CPUs that are not
// online take no part.
//
// # Task groups
//
// Any number, nested and made at any time (Sched.NewGroup), with shares by each
// version's formula; tasks move between them while they run, wait or sleep
// (Sched.MoveTask, OpJoinGroup). Sessions are autogroups (Sched.NewSession).
// Bandwidth control (Sched.SetBandwidth) has quota, period, burst, slices, both
// timers and throttling of whole hierarchies. Making and changing groups takes no
// time; a group is never removed; cpu.idle, uclamp and RT groups are left out.
//
// # The fair class of other versions
//
//   - CFS of v3.10, v4.18, v5.9 and v6.1: their calc_delta, periods and least
//     slices, min_vruntime, buddies, and what a task keeps of its vruntime when
//     it wakes or is picked again; see cfs.go. SCHED_BATCH and SCHED_IDLE.
//   - EEVDF of v6.12 in its integers: V, eligibility, lag, deadlines, slices of
//     tasks and groups, protection of the running task, delayed dequeue; see
//     eevdf.go. v6.12-rc1 is v6.12 with the test of 85e511df3cec in update_curr.
//   - Left out: NEXT_BUDDY, HRTICK, groups that are SCHED_IDLE, core scheduling,
//     and changes of 6.12's stable releases, among them a shorter base slice
//     and another sched_yield.
//
// # Frequency
//
// Without Config.CPUFreq all cores of a socket run at its turbo bin. With it,
// what the kernel asks for and what the hardware grants are two things:
//
//   - intel_pstate in active mode: powersave by the time in C0 of windows of 10
//     ms, performance, and both with HWP. schedutil, ondemand, performance and
//     powersave over intel_cpufreq (with and without HWP), acpi-cpufreq,
//     powernv-cpufreq and cppc_cpufreq, with their rate limits and policies. All
//     are called where load tracking tells them of a change, and not elsewhere.
//     They are those of v5.10 in all versions since v4.7; the governors before
//     had timers of their own, which are not modelled, and are refused.
//   - ondemand's samples are taken by a kworker a CPU: a fair task of the root
//     group that preempts, has load and is counted apart from the workload.
//   - A request is in force after the machine's transition time, which is taken
//     for constant. A clock, of a core or of a socket, is the highest of what its
//     CPUs ask for, but for those in the deepest idle state (assumed), up to the
//     turbo bin, which the hardware looks up each millisecond (assumed).
//   - HWP is assumed to choose, each millisecond, the clock at which the core
//     would have been in C0 for three quarters of it. Energy-performance
//     preferences other than that, and firmware that differs, are not modelled.
//   - arch_scale_freq_capacity follows the clock as APERF and MPERF show it from
//     tick to tick, where the version and architecture have it.
//
// # Wakeups and placement
//
// Each version has its own order of try_to_wake_up (who enqueues a wakee, and in
// which order), wake_affine, select_idle_sibling and find_idlest_group; see
// ttwu.go, wake_affine.go, idle_sibling.go and find_idlest.go. A decision that a
// version does not take is nil in its Kernel, and a patch that replaces it is
// refused.
//
// Left out of it: domains of CPUs of different capacity (sd_asym_cpucapacity),
// energy-aware wakeups, the wakeups of tasks that exit, core scheduling,
// wakeups of a virtual CPU's host (vcpu_is_preempted), nr_idle_scan
// before the first balance, SIS_PROP in 6.1, which has it switched off. A timer's
// wakeup is enqueued at once, without a wake list. The time that the migration
// thread takes to move a task at exec is its old CPU's.
//
// # Classes
//
// Tasks have a policy: SetScheduler, SetNice, OpSetScheduler.
//
//   - Real-time: priorities, turns, throttling (950 ms in a second, with loans up
//     to 5.9, none from 6.12 on), push and pull, and what it leaves of a CPU's
//     capacity. A pull by RT_PUSH_IPI is a chain of interrupts.
//   - Deadline: EDF with a constant bandwidth server, admission, push and pull;
//     from 6.12 on the fair server of each CPU.
//   - Stop: migration/N, and sugov:N of the deadline class, are tasks.
//   - SCHED_BATCH and SCHED_IDLE in the fair class.
//
// Left out are groups of real-time tasks (RT_GROUP_SCHED), priority inheritance,
// reclaiming of deadline bandwidth (GRUB), RLIMIT_RTTIME, and what exec,
// migrate_task_to and migrate_swap have the stop class do. A push or a pull takes
// no time before it is charged to who does it.
//
// # Memory
//
// A workload may declare address spaces of regions, on which nodes their pages
// are, and what its tasks touch; see NewMM. Tasks then run slower by the share of
// their accesses that are remote and by how far, and with v4.18 automatic NUMA
// balancing acts on them: the scanner with its gates and periods, hinting faults
// and their statistics, the two-stage filter, migration of pages with its rate
// limit, groups, preferred nodes, task_numa_migrate with moves and swaps on all
// three kinds of topology, and its say in load balancing. Features and patches
// lead from v4.18 to the base of the scan-reset post and to v4.19; v5.9 has
// that of v4.19 (its own tells otherwise whether a node has room), which is off
// unless it is turned on, and later versions have memory and no NUMA balancing. A workload without memory has neither.
//
//   - Pages are uniform within a region, in blocks: a region of more than 4,096
//     pages has 4,096 blocks, of which each is on one node, touched last by one
//     task, and faults as a whole. Counts of pages are exact; that neighbours share
//     their fate makes the faults of one large region come in lumps, and the
//     filter's memory of who touched a page last is one a block.
//   - What tasks touch is computed at ticks: a page that is protected faults a tick
//     later at the earliest, and a task takes its faults at a tick that finds it
//     running. What it touched on another node since the tick before counts for
//     the node that it is on.
//   - Memory has no bandwidth and nodes have no end: neither contention nor full
//     nodes, swap, reclaim. A wait for memory gets shorter with a higher clock as
//     all work does, and the kernel's work on a CPU longer with its task's memory.
//   - Moves of tasks take effect when they are decided; the migration threads are a
//     cost. numa_migrate_on, the claim of a runqueue, so acts within one search.
//   - NUMA balancing moves tasks of the fair class only, and swaps them with such.
//   - Not modelled: 8 bits of a process number (false private faults), alignment
//     of scans to huge pages, splitting and collapsing of huge pages, policies of
//     memory but for regions that lie where the workload says, kernel memory.
//
// # What is left out
//
// Lock contention beyond line transfers;
// interrupts other than IPIs and the tick; softirq threads; kworkers other than
// ondemand's and those of workload.WithBackground; the menu governor's timer buckets;
// cores of different capacity (all kinds of cores do the same work
// at the same clock, and the scheduler takes all for capacity 1024).
//
// Of frequency: power and thermal limits, AVX licences, clocks of caches and
// memory, energy-aware scheduling, utilisation clamps; the boost for tasks that
// waited for I/O, as no task does; the time that a request takes on the CPU that
// makes it in scheduler context.
//
// A load balancing pass reads all state at one instant. A search reads each
// runqueue at its begin, and confirms its choice at its end.
//
// Of load tracking and balancing: what interrupts take from the capacity of a
// CPU; balance masks of overlapping groups; the rounding of util_est by the
// mark in its lowest bit, before v5.13; rq->avg of v3.10, which nothing reads. Two CPUs
// never balance at once, so that SD_SERIALIZE has nothing to do.
//
// A run may be aged before it is measured: balance intervals are then shorter
// (Config.Age), so that the split of tasks over sockets, which takes a real
// machine up to minutes, comes to its end sooner. For tbench with 64 clients
// 1 s aged gives the throughput of 12 s that are not within 1 %; after 4 s
// without aging one history of two is still 39 % above it. With 128 clients
// 1 s aged is within 3 % of 10 s that are not; 0.6 s is too short for some.
package schedsim
