package schedsim

import (
	"fmt"
	"sync"
	"time"

	"github.com/schedlab/schedlab/topology"
)

// Machines and kernels of random states, drawn from a stream.

// maxRandomCPUs is how large they get.
const maxRandomCPUs = 256

// catalogue has every machine of the catalogue that is not larger, read once.
var catalogue = sync.OnceValue(func() []*topology.Machine {
	var all []*topology.Machine
	for _, id := range topology.Catalog() {
		m, err := topology.Load(id)
		if err != nil {
			panic(err)
		}
		if len(m.OnlineCPUs()) <= maxRandomCPUs {
			all = append(all, m)
		}
	}
	return all
})

// randomMachine is one of the catalogue, or one that nobody built: sockets of nodes of
// caches of cores of threads, with CPUs that are switched off, of any architecture.
func randomMachine(r *Rand) *topology.Machine {
	if r.IntN(3) == 0 {
		return catalogue()[r.IntN(len(catalogue()))]
	}
	threads := 1 + r.IntN(4)
	sockets := 1 + r.IntN(4)
	cores := 1 + r.IntN(8) // mostly small: states of few CPUs are denser
	if r.IntN(6) == 0 {
		cores = 1 + r.IntN(max(1, maxRandomCPUs/sockets/threads))
	}
	m := testMachine(sockets, cores, threads)
	m.ID = fmt.Sprintf("random-%dx%dx%d", sockets, cores, threads)
	m.Transfer.SameSocket = topology.Quantity{Value: 90}
	m.Memory = topology.Memory{Local: topology.Quantity{Value: 80}, Remote: map[int]topology.Quantity{20: {Value: 120}}}
	if r.IntN(3) == 0 && cores >= 4 { // two caches a socket
		for i := range m.CPUs {
			c := &m.CPUs[i]
			c.LLC = 2*c.Socket + c.Core%cores*2/cores
		}
	}
	if r.IntN(3) == 0 && cores%2 == 0 { // clusters
		m.Transfer.SameL2 = topology.Quantity{Value: 30}
		for i := range m.CPUs {
			m.CPUs[i].L2 = m.CPUs[i].Core / 2
		}
	}
	m.Frequency.MaxMHz.Value = 3000
	m.Frequency.Turbo = []topology.TurboBin{{ActiveCores: 1, MHz: 3000}, {ActiveCores: max(2, cores), MHz: 2400}}
	switch r.IntN(6) {
	case 0:
		m.Arch, m.Vendor = "ppc64", "ibm"
	case 1:
		m.Arch, m.Vendor = "arm64", "arm"
	case 2:
		m.Frequency.Control.PerCore = false
	}
	if n := len(m.CPUs); n > 3 && r.IntN(3) == 0 {
		for range 1 + r.IntN(n/3) {
			switchOff(m, 1+r.IntN(n-1))
		}
	}
	return m
}

// randomKernel is a version with some of the patches that apply to it, and switches that
// distributions set differently.
func randomKernel(r *Rand, m *topology.Machine) Kernel {
	cpus := len(m.OnlineCPUs())
	k, err := LookupKernel(Versions()[r.IntN(len(Versions()))], cpus)
	if err != nil {
		panic(err)
	}
	switch { // late stable releases
	case r.IntN(6) > 0:
	case k.Version == "v6.12":
		k = V612Stable(cpus)
	case k.Version == "v6.1":
		k = V61Stable(cpus)
	}
	for _, p := range Patches() {
		if r.IntN(4) == 0 {
			if with := k.With(p); with.Err() == nil {
				k = with
			}
		}
	}
	k.Autogroup = r.IntN(2) == 0
	k.NewidlePullsOne = r.IntN(2) == 0
	k.HZ = []int{100, 250, 300, 1000}[r.IntN(4)]
	return k
}

// randomConfig is all but the workload.
func randomConfig(r *Rand) Config {
	m := randomMachine(r)
	cfg := Config{Machine: m, Kernel: randomKernel(r, m), Seed: r.Uint64(), Check: true, TraceEvents: 64}
	if r.IntN(3) == 0 {
		cfg.CPUFreq = CPUFreq{Governor: governors[r.IntN(len(governors))]}
		if m.Arch == archX86 && m.Vendor == "intel" && r.IntN(2) == 0 {
			cfg.CPUFreq.Driver = "intel_cpufreq"
		}
	}
	if r.IntN(8) == 0 {
		k := cfg.Kernel.With(Patch{Name: "no-affine", Apply: func(k *Kernel) { k.WAWeight, k.WAIdle = false, false }})
		cfg.Shadow = &k
	}
	if n := len(m.OnlineCPUs()); n <= 32 && r.IntN(8) == 0 {
		cfg.Host = &Host{CPUs: 1 + r.IntN(n), Tick: 4e6, Slice: 3e6, StealEvery: 50e6, StealTime: int64(time.Millisecond)}
	}
	if r.IntN(10) == 0 {
		costs := DefaultCosts(m)
		costs.StealEvery, costs.StealTime = 2e6, 1e6
		cfg.Costs = &costs
	}
	return cfg
}
