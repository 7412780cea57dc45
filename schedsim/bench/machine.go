package bench

import (
	"fmt"

	"github.com/schedlab/schedlab/topology"
)

// Big returns a server that there is none of, of so many CPUs, a multiple of 16:
// last-level caches of eight cores with two threads, up to eight caches a socket,
// which is a node. Times are those of a server of 2019. It is for growth: a CPU has
// the same surroundings whatever the size.
func Big(cpus int) *topology.Machine {
	const (
		threads   = 2
		perCache  = 8
		perSocket = 64
	)
	n := cpus / threads
	m := &topology.Machine{
		ID: fmt.Sprintf("bench-%d", cpus), Vendor: "intel", Arch: "x86_64", Year: 2019,
		Frequency: topology.Frequency{
			MinMHz: topology.Quantity{Value: 800}, BaseMHz: topology.Quantity{Value: 2000}, MaxMHz: topology.Quantity{Value: 2000},
		},
		IdleStates: []topology.IdleState{
			{Name: "C1", ExitLatency: 1000, TargetResidency: 1000, MeanExit: topology.Quantity{Value: 1000}},
			{Name: "C6", ExitLatency: 100000, TargetResidency: 500000, MeanExit: topology.Quantity{Value: 30000}},
		},
		Transfer: topology.Transfer{
			SMTSibling: topology.Quantity{Value: 10}, SameLLC: topology.Quantity{Value: 50}, SameSocket: topology.Quantity{Value: 90},
			Remote: map[int]topology.Quantity{20: {Value: 150}},
		},
		Costs: topology.Costs{
			ContextSwitch: topology.Quantity{Value: 1000},
			IPISameSocket: topology.Quantity{Value: 800}, IPIRemote: topology.Quantity{Value: 1400},
		},
		SMTThroughput: []topology.Quantity{{Value: 1}, {Value: 1.25}},
	}
	for id := range cpus {
		core := id % n
		socket := core / perSocket
		m.CPUs = append(m.CPUs, topology.CPU{
			ID: id, Core: core, L2: core, LLC: core / perCache, Node: socket, Socket: socket, Thread: id / n,
		})
	}
	sockets := (n + perSocket - 1) / perSocket
	for a := range sockets {
		row := make([]int, sockets)
		for b := range row {
			row[b] = 20
		}
		row[a] = 10
		m.Distances = append(m.Distances, row)
	}
	return m
}
