package schedsim_test

import (
	"testing"

	"github.com/schedlab/schedlab/schedsim"
)

// TestNoAllocationsOfClasses: an event of any class allocates nothing.
func TestNoAllocationsOfClasses(t *testing.T) {
	for _, k := range []func(int) schedsim.Kernel{schedsim.V310, schedsim.V510, schedsim.V61, schedsim.V612} {
		cfg := tbench(t, 4)
		cfg.Workload = schedsim.MixedWorkload(30)
		cfg.Kernel = k(16)
		r := schedsim.NewStepper(t, cfg)
		r.Step(200_000)
		if n := testing.AllocsPerRun(5, func() { r.Step(20_000) }); n != 0 {
			t.Errorf("%s: %v allocations in 20,000 events", cfg.Kernel.Version, n)
		}
		if err := r.Verify(); err != nil {
			t.Errorf("%s: %v", cfg.Kernel.Version, err)
		}
	}
}
