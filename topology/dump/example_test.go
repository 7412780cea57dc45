package dump_test

import (
	"fmt"

	"github.com/schedlab/schedlab/topology/dump"
)

// What lscpu counts, numactl places.
func ExampleMerge() {
	lscpu, err := dump.Read("lscpu.txt", []byte(`Architecture:         x86_64
CPU(s):               4
On-line CPU(s) list:  0-3
Thread(s) per core:   2
Core(s) per socket:   1
Socket(s):            2
L2 cache:             2 MiB (2 instances)
NUMA node(s):         2
NUMA node0 CPU(s):    0,2
NUMA node1 CPU(s):    1,3
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	numactl, err := dump.Read("numactl.txt", []byte(`available: 2 nodes (0-1)
node 0 cpus: 0 2
node 0 size: 7900 MB
node 1 cpus: 1 3
node 1 size: 8000 MB
node distances:
node   0   1
  0:  10  21
  1:  21  10
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	facts, conflicts := dump.Merge(lscpu, numactl)
	fmt.Println(facts, conflicts)
	// Output:
	// CPUs 0-3; counted 2 sockets x 1 cores x 2 threads; L2 2x1024K; node 0 0,2 7900 MiB; node 1 1,3 8000 MiB; distances [10 21] []
}

// An error says where the mistake is and what to do.
func ExampleRead_error() {
	_, err := dump.Read("numactl.txt", []byte("node 0 cpus: 0 1\nnode 1 cpus: 1 2\n"))
	fmt.Println(err)
	// Output:
	// numactl.txt:2: CPU 1 is in the nodes 0 and 1, correct one
}
