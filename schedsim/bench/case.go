package bench

import (
	"time"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/workload"
	"github.com/schedlab/schedlab/topology"
)

// Unit says which of the figures a case's floor is of.
type Unit string

// The units of floors.
const (
	EventsPerSecond     Unit = "ev/s"
	CPUSecondsPerSecond Unit = "cpu-s/s"
)

// Case is a load to simulate.
type Case struct {
	Name string
	What string // in a line
	// Floor is the least that the case must reach on one thread of a current
	// server, in Unit.
	Floor float64
	Unit  Unit
	// Warm is simulated before anything is measured.
	Warm time.Duration

	config func() (schedsim.Config, error)
}

// Start starts the case.
func (c *Case) Start() (*schedsim.Simulation, error) {
	cfg, err := c.config()
	if err != nil {
		return nil, err
	}
	cfg.Seed = 1
	cfg.TraceEvents = 4096
	return schedsim.Start(cfg)
}

// Cases returns the loads that the speed of the simulator is stated for.
func Cases() []Case {
	return []Case{
		{
			Name: "mixed", What: "160 CPUs, 400 tasks that compute and sleep for about 0.5 ms, v5.10",
			Floor: 6e6, Unit: EventsPerSecond, Warm: 500 * time.Millisecond,
			config: on("bdx-ex-4s", schedsim.V510, func() (schedsim.Workload, error) {
				return newMixed(400, 500e3, 700e3), nil
			}),
		},
		{
			Name: "tbench", What: "tbench, 80 CPUs, 128 clients, v5.10",
			Floor: 5e6, Unit: EventsPerSecond, Warm: 400 * time.Millisecond,
			config: on("csl-2s-80", schedsim.V510, func() (schedsim.Workload, error) {
				return workload.NewTbench(workload.DefaultTbench(128))
			}),
		},
		{
			Name: "hackbench", What: "hackbench, 224 CPUs, 50 groups of 40 tasks, v6.12 (EEVDF), one task group",
			Floor: 4e6, Unit: EventsPerSecond, Warm: 180 * time.Millisecond,
			config: on("spr-2s-224", schedsim.V612, func() (schedsim.Workload, error) {
				return workload.NewHackbench(workload.DefaultHackbench(50))
			}),
		},
		{
			Name: "phases", What: "160 CPUs, 160 threads that meet at a barrier each 50 ms, as in NAS, v5.10",
			Floor: 20e3, Unit: CPUSecondsPerSecond, Warm: time.Second,
			config: on("bdx-ex-4s", schedsim.V510, func() (schedsim.Workload, error) {
				return newPhases(160, 50e6), nil
			}),
		},
		{
			Name: "numa", What: "NUMA balancing, 160 CPUs of a POWER8, 8 JVMs of 20 threads, v4.18",
			Floor: 5e3, Unit: CPUSecondsPerSecond, Warm: 2 * time.Minute,
			config: func() (schedsim.Config, error) {
				heap := schedsim.Region{Name: "heap", Bytes: 3 << 30, PageBytes: 16 << 20}
				cfg, err := on("p8-2s4n", schedsim.V418, func() (schedsim.Workload, error) {
					return newJVMs(8, 20, heap), nil
				})()
				cfg.Kernel.HZ = 100 // ppc64
				return cfg, err
			},
		},
	}
}

// on makes the configuration of a load on a machine of the catalogue.
func on(machine string, kernel func(int) schedsim.Kernel, load func() (schedsim.Workload, error)) func() (schedsim.Config, error) {
	return func() (schedsim.Config, error) {
		m, err := topology.Load(machine)
		if err != nil {
			return schedsim.Config{}, err
		}
		w, err := load()
		return schedsim.Config{Machine: m, Kernel: kernel(len(m.OnlineCPUs())), Workload: w}, err
	}
}
