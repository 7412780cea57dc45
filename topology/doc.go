// Package topology models the hardware that a scheduler runs on: sockets, NUMA
// nodes, last-level caches, cores and CPUs with Linux's numbering, and the
// times that the hardware takes (clock, idle states, line transfers, kernel
// work). It also builds the sched domains that a Linux kernel of a given
// version makes of that hardware.
//
// Machines come from a catalogue of YAML files inside the package ([Catalog],
// [Load]) or from a file of the same form ([Parse]). Each number in a machine
// is a [Quantity]: it carries its unit, how it came to be known, an uncertainty
// and a source, so that a report can tell a measurement from a guess.
//
// Left out: CPU hotplug, cpusets and isolated CPUs, asymmetric CPU capacity,
// NUMA nodes without CPUs, nodes smaller than a last-level cache (sub-NUMA
// clustering), memory sizes, and architectures other than x86.
package topology
