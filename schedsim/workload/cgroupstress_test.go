package workload_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim/workload"
)

// The test is one process after another: what is added to each command is added
// to the test as many times, and a second for each sleep.
func TestCgroupStressAddsUp(t *testing.T) {
	whole := func(change func(*workload.CgroupStressParams)) float64 {
		p := workload.DefaultCgroupStress()
		p.Commands, p.Sleeps = 1000, 0
		change(&p)
		w, err := workload.NewCgroupStress(p)
		return simulate(t, "snb-ep-2s", "v3.10", time.Second, 6*time.Second, w, err).Throughput
	}
	base := whole(func(*workload.CgroupStressParams) {})
	clock := speed(t, "snb-ep-2s")
	for _, c := range []struct {
		name   string
		change func(*workload.CgroupStressParams)
		want   float64 // s
	}{
		{"shell", func(p *workload.CgroupStressParams) { p.ShellNS += 1e6 }, 1 / clock},
		{"tools", func(p *workload.CgroupStressParams) { p.ToolNS += 1e6 }, 0.6 / clock},
		{"subshells", func(p *workload.CgroupStressParams) { p.WriteNS += 1e6 }, 0.4 / clock},
		{"commands", func(p *workload.CgroupStressParams) { p.Commands = 2000 }, base},
		{"sleeps", func(p *workload.CgroupStressParams) { p.Sleeps = 10 }, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := whole(c.change) - base; math.Abs(got/c.want-1) > 0.05 {
				t.Errorf("%+.3f s, want %+.3f", got, c.want)
			}
		})
	}
}

func TestNewCgroupStressErrors(t *testing.T) {
	refuses(t, func(change func(*workload.CgroupStressParams)) error {
		p := workload.DefaultCgroupStress()
		change(&p)
		_, err := workload.NewCgroupStress(p)
		return err
	}, []refusal[workload.CgroupStressParams]{
		{"no groups", "below 1", func(p *workload.CgroupStressParams) { p.Groups = 0 }},
		{"share", "share", func(p *workload.CgroupStressParams) { p.ExecShare = 2 }},
		{"negative", "negative", func(p *workload.CgroupStressParams) { p.ToolNS = -1 }},
	})
}

func ExampleNewCgroupStress() {
	w, err := workload.NewCgroupStress(workload.DefaultCgroupStress())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(w.Name())
	// Output: cgroupstress-100
}
