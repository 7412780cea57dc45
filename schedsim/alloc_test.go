package schedsim_test

import (
	"testing"

	"github.com/schedlab/schedlab/schedsim"
)

func governed(f schedsim.CPUFreq) func(cfg *schedsim.Config) {
	return func(cfg *schedsim.Config) { cfg.CPUFreq = f }
}

func version(k func(cpus int) schedsim.Kernel) func(cfg *schedsim.Config) {
	return func(cfg *schedsim.Config) { cfg.Kernel = k(len(cfg.Machine.CPUs)) }
}

// TestNoAllocations: once warm, an event allocates nothing, with the patch, a
// shadow kernel and a trace as well.
func TestNoAllocations(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(cfg *schedsim.Config)
	}{
		{"base", func(*schedsim.Config) {}},
		{"patched", func(cfg *schedsim.Config) { cfg.Kernel = cfg.Kernel.With(schedsim.IdleCandidate) }},
		{"shadow", func(cfg *schedsim.Config) {
			k := cfg.Kernel.With(schedsim.IdleCandidate)
			cfg.Shadow = &k
		}},
		{"trace", func(cfg *schedsim.Config) { cfg.TraceEvents = 4096 }},
		{"v3.10", func(cfg *schedsim.Config) { cfg.Kernel = schedsim.V310(16) }},
		{"v6.1", func(cfg *schedsim.Config) { cfg.Kernel = schedsim.V61(16) }},
		{"v6.12", func(cfg *schedsim.Config) {
			k := schedsim.V612(16)
			cfg.Kernel, cfg.Shadow = schedsim.V612rc1(16), &k
		}},
		{"performance", governed(schedsim.CPUFreq{Governor: "performance"})},
		{"intel_pstate", governed(schedsim.CPUFreq{Governor: "powersave"})},
		{"hwp", governed(schedsim.CPUFreq{Governor: "powersave", HWP: "on"})},
		{"schedutil", governed(schedsim.CPUFreq{Governor: "schedutil", Driver: "intel_cpufreq"})},
		{"v3.10", version(schedsim.V310)},
		{"v4.18", version(schedsim.V418)},
		{"v6.12", version(schedsim.V612)},
		{"ondemand", governed(schedsim.CPUFreq{Governor: "ondemand", Driver: "intel_cpufreq"})},
	} {
		for _, clients := range []int{3, 13, 40} {
			cfg := tbench(t, clients)
			tc.change(&cfg)
			r := schedsim.NewStepper(t, cfg)
			r.Step(200_000)
			if n := testing.AllocsPerRun(5, func() { r.Step(20_000) }); n != 0 {
				t.Errorf("%s, %d clients: %v allocations in 20,000 events", tc.name, clients, n)
			}
			if err := r.Verify(); err != nil {
				t.Errorf("%s, %d clients: %v", tc.name, clients, err)
			}
		}
	}
}
