// Package topology models the hardware that a scheduler runs on: sockets, NUMA
// nodes, last-level caches, cores and CPUs with Linux's numbering, and the
// times that the hardware takes (clock, idle states, line transfers, kernel
// work). It also builds the sched domains that a Linux kernel of a given
// version makes of that hardware.
//
// Machines come from a catalogue of YAML files inside the package ([Catalog],
// [Load]) or from a file of the same form ([Open], [Parse]). A machine is either
// regular, with counts of its parts and a numbering scheme, or lists the CPUs of
// each part: cores of several kinds, CPUs that are offline, nodes without CPUs
// and gaps in any numbering have their place there. Package dump, below, reads
// what tools say about a machine, package complete makes a whole machine of it,
// and package diagram draws one.
//
// Each number in a machine
// is a [Quantity]: it carries its unit, how it came to be known, an uncertainty
// and a source, so that a report can tell a measurement from a guess.
//
// Left out: CPU hotplug while a kernel runs, cpusets and isolated CPUs, dies as a
// level of their own, memory-side caches, heterogeneous memory beyond its size
// and distance, and sched domains of architectures other than x86, POWER and
// 64-bit Arm.
package topology
