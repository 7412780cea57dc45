package workload_test

import (
	"context"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/workload"
	"github.com/schedlab/schedlab/topology"
)

// TestShadowThatDoesTheSame: a shadow kernel whose select_idle_sibling is the acting
// one's in another function is asked at every wakeup and never differs, on any version,
// and the run is the same without it.
func TestShadowThatDoesTheSame(t *testing.T) {
	for _, load := range []struct {
		machine, workload string
		params            map[string]string
	}{
		{"altra-2s-160", "javaserver", map[string]string{"connections": "80"}},
		{"csl-2s-80", "hackbench", map[string]string{"groups": "2"}},
		{"p8-2s4n", "tbench", map[string]string{"clients": "100"}},
	} {
		m, err := topology.Load(load.machine)
		if err != nil {
			t.Fatal(err)
		}
		for _, version := range schedsim.Versions() {
			t.Run(load.workload+"/"+version, func(t *testing.T) {
				k, err := schedsim.LookupKernel(version, len(m.OnlineCPUs()))
				if err != nil {
					t.Fatal(err)
				}
				same := k.With(schedsim.Patch{Name: "same", Apply: func(k *schedsim.Kernel) {
					find := k.SelectIdleSibling
					k.SelectIdleSibling = func(s *schedsim.Sched, t *schedsim.Task, prev, target int) int { return find(s, t, prev, target) }
				}})
				var hash [2]uint64
				for i, shadow := range []*schedsim.Kernel{nil, &same} {
					spec, err := workload.Lookup(load.workload)
					if err != nil {
						t.Fatal(err)
					}
					values, err := spec.Values(load.params)
					if err != nil {
						t.Fatal(err)
					}
					w, err := spec.New(values)
					if err != nil {
						t.Fatal(err)
					}
					r, err := schedsim.Run(context.Background(), schedsim.Config{
						Machine: m, Kernel: k, Shadow: shadow, Workload: w, Seed: 1,
						Warmup: 110 * time.Millisecond, Measure: 20 * time.Millisecond,
					})
					if err != nil {
						t.Fatal(err)
					}
					hash[i] = r.TraceHash
					c := r.Counters
					if shadow != nil && (c.ShadowDecisions == 0 || c.ShadowDiffers != 0 || c.ShadowOther != 0) {
						t.Errorf("%d decisions, %d differ, %d go to another CPU", c.ShadowDecisions, c.ShadowDiffers, c.ShadowOther)
					}
				}
				if hash[0] != hash[1] {
					t.Errorf("trace %016x with the shadow, %016x without", hash[1], hash[0])
				}
			})
		}
	}
}
