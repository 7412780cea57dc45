package topology

import "fmt"

// Numbering says in which order firmware and kernel number the CPUs.
type Numbering string

const (
	// ThreadsLast numbers one thread of each core first, socket by socket,
	// and then the second threads in the same order: siblings lie half the
	// CPUs apart. Usual on Intel, HPE and Supermicro boards.
	ThreadsLast Numbering = "threads_last"
	// Adjacent numbers the threads of a core one after the other: the
	// siblings of CPU 0 are 0 and 1. Usual in virtual machines and on POWER.
	Adjacent Numbering = "adjacent"
	// OddEven alternates between the sockets, one thread of each core first:
	// on two sockets, odd CPUs are on socket 1. Usual on Dell boards.
	OddEven Numbering = "odd_even"
	// Listed says that the place of each CPU is written out: no scheme gives
	// the numbers.
	Listed Numbering = "listed"
)

// numberings lists the schemes that give numbers, in the order that errors
// name them.
var numberings = []Numbering{ThreadsLast, Adjacent, OddEven}

// maxCPUs is the largest CONFIG_NR_CPUS of x86 Linux (arch/x86/Kconfig).
const maxCPUs = 8192

// shape is the regular structure that CPUs are numbered over. All sockets are
// alike; last-level caches and nodes are runs of consecutive cores.
type shape struct {
	sockets, nodes                              int
	coresPerSocket, coresPerLLC, threadsPerCore int
	coresPerL2                                  int
}

// check returns an error if the parts do not divide evenly, or if there are
// more CPUs than Linux can have.
func (s shape) check() error {
	for _, n := range []int{s.sockets, s.nodes, s.coresPerSocket, s.coresPerLLC, s.threadsPerCore, s.coresPerL2} {
		if n < 1 || n > maxCPUs {
			return fmt.Errorf("a count of %d is out of range, give one from 1 to %d", n, maxCPUs)
		}
	}
	cores := s.sockets * s.coresPerSocket
	// Compared step by step, so that the product cannot overflow.
	if cores > maxCPUs || cores*s.threadsPerCore > maxCPUs {
		return fmt.Errorf("more than the %d CPUs that x86 Linux can have, lower the counts", maxCPUs)
	}
	if s.nodes%s.sockets != 0 && s.sockets%s.nodes != 0 || cores%s.nodes != 0 {
		return fmt.Errorf("%d nodes do not divide %d sockets of %d cores evenly, correct one of them",
			s.nodes, s.sockets, s.coresPerSocket)
	}
	if s.coresPerSocket%s.coresPerLLC != 0 {
		return fmt.Errorf("%d cores a socket do not divide into caches of %d cores, correct one of the two",
			s.coresPerSocket, s.coresPerLLC)
	}
	if s.coresPerLLC%s.coresPerL2 != 0 {
		return fmt.Errorf("caches of %d cores do not divide into level-2 caches of %d cores, correct one of the two",
			s.coresPerLLC, s.coresPerL2)
	}
	if cores/s.nodes%s.coresPerLLC != 0 {
		return fmt.Errorf("%d cores a node do not divide into caches of %d cores, correct one of the two "+
			"(nodes smaller than a cache are not supported)", cores/s.nodes, s.coresPerLLC)
	}
	return nil
}

// cpus numbers the CPUs of a shape that check accepts. The result is indexed
// by CPU number.
func (s shape) cpus(scheme Numbering) ([]CPU, error) {
	cores := s.sockets * s.coresPerSocket
	cpus := make([]CPU, cores*s.threadsPerCore)
	for core := range cores {
		socket, inSocket := core/s.coresPerSocket, core%s.coresPerSocket
		for thread := range s.threadsPerCore {
			var id int
			switch scheme {
			case ThreadsLast:
				id = core + thread*cores
			case Adjacent:
				id = core*s.threadsPerCore + thread
			case OddEven:
				id = inSocket*s.sockets + socket + thread*cores
			default:
				return nil, fmt.Errorf("unknown numbering %q, use one of %v", scheme, numberings)
			}
			cpus[id] = CPU{
				ID:     id,
				Core:   core,
				L2:     core / s.coresPerL2,
				LLC:    core / s.coresPerLLC,
				Node:   core / (cores / s.nodes),
				Socket: socket,
				Thread: thread,
			}
		}
	}
	return cpus, nil
}
