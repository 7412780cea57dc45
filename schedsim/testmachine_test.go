package schedsim

import "github.com/schedlab/schedlab/topology"

// testMachine is a small machine with round numbers, independent of the
// catalogue: threads are numbered last, as on Intel boards, each socket is a
// node and a last-level cache, and the clock is the same for any number of
// active cores.
func testMachine(sockets, cores, threads int) *topology.Machine {
	m := &topology.Machine{
		ID: "test", Vendor: "intel", Arch: "x86_64", Year: 2019,
		Frequency: topology.Frequency{
			MinMHz:  topology.Quantity{Value: 800},
			BaseMHz: topology.Quantity{Value: 2000},
			MaxMHz:  topology.Quantity{Value: 2000},
			Control: topology.FrequencyControl{
				Driver: "intel_pstate", PerCore: true,
				Step: topology.Quantity{Value: 100}, Transition: topology.Quantity{Value: 20000},
			},
		},
		IdleStates: []topology.IdleState{
			{Name: "C1", ExitLatency: 1000, TargetResidency: 1000, MeanExit: topology.Quantity{Value: 1000}},
			{Name: "C6", ExitLatency: 100000, TargetResidency: 500000, MeanExit: topology.Quantity{Value: 30000}},
		},
		Transfer: topology.Transfer{
			SMTSibling: topology.Quantity{Value: 10},
			SameLLC:    topology.Quantity{Value: 50},
			Remote:     map[int]topology.Quantity{20: {Value: 150}},
		},
		Costs: topology.Costs{
			ContextSwitch: topology.Quantity{Value: 1000},
			IPISameSocket: topology.Quantity{Value: 800},
			IPIRemote:     topology.Quantity{Value: 1400},
		},
	}
	n := sockets * cores
	for id := range n * threads {
		core := id % n
		m.CPUs = append(m.CPUs, topology.CPU{
			ID: id, Core: core, L2: core, LLC: core / cores, Node: core / cores, Socket: core / cores, Thread: id / n,
		})
	}
	for a := range sockets {
		m.Distances = append(m.Distances, make([]int, sockets))
		for b := range sockets {
			m.Distances[a][b] = 20
		}
		m.Distances[a][a] = 10
	}
	for _, y := range []float64{1, 1.25, 1.4, 1.5}[:threads] {
		m.SMTThroughput = append(m.SMTThroughput, topology.Quantity{Value: y})
	}
	return m
}
