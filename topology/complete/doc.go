// Package complete makes a whole machine of what dumps tell about one.
//
// What lscpu, lstopo, numactl and sysfs tell (see package dump) is kept as
// measured. What no dump tells, such as latencies, the throughput of hardware
// threads and turbo tables, is carried over from the catalogue's nearest
// machine and marked assumed, with an uncertainty that covers what the other
// machines of the same vendor have. Every such number names the machine that it
// is from.
package complete
