package schedsim_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/workload"
	"github.com/schedlab/schedlab/topology"
)

// A run needs a machine, a kernel for it, and a workload.
func ExampleRun() {
	m, err := topology.Load("csl-2s-80")
	if err != nil {
		log.Fatal(err)
	}
	k, err := schedsim.LookupKernel("v5.10", len(m.CPUs))
	if err != nil {
		log.Fatal(err)
	}
	w, err := workload.NewTbench(workload.DefaultTbench(2))
	if err != nil {
		log.Fatal(err)
	}
	r, err := schedsim.Run(context.Background(), schedsim.Config{
		Machine: m, Kernel: k, Workload: w, Seed: 1,
		Warmup: 200 * time.Millisecond, Measure: 50 * time.Millisecond,
	})
	if err != nil {
		log.Fatal(err)
	}
	c := r.Counters
	fmt.Println(r.Unit, r.Throughput > 0)
	fmt.Println("wakeups on the previous CPU:", 100*c.WakeupsPrev/c.Wakeups, "%")
	// Output:
	// MB/sec true
	// wakeups on the previous CPU: 100 %
}

// A patch is a function on a kernel. This one goes further than d8fcb81f1acf (v5.11):
// it prefers an idle previous CPU to the waker's before any other test.
func ExamplePatch() {
	idlePrev := schedsim.Patch{
		Name: "idle-prev",
		Apply: func(k *schedsim.Kernel) {
			next := k.WakeAffineIdle
			k.WakeAffineIdle = func(s *schedsim.Sched, thisCPU, prevCPU int, sync bool) int {
				if s.AvailableIdleCPU(prevCPU) {
					return prevCPU
				}
				return next(s, thisCPU, prevCPU, sync)
			}
		},
	}
	base := schedsim.V510(80)
	fmt.Println(base.With(idlePrev), "of", base)
	// Output: v5.10+idle-prev of v5.10
}

// A combination that Linux would refuse is an error that says what to do.
func ExampleCPUFreq() {
	m, err := topology.Load("csl-2s-80")
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := workload.NewTbench(workload.DefaultTbench(4))
	if err != nil {
		fmt.Println(err)
		return
	}
	cfg := schedsim.Config{
		Machine: m, Kernel: schedsim.V510(80), Workload: w, Seed: 1,
		Warmup: 150 * time.Millisecond, Measure: 20 * time.Millisecond,
		CPUFreq: schedsim.CPUFreq{Governor: "ondemand"},
	}
	_, err = schedsim.Run(context.Background(), cfg)
	fmt.Println(err)

	cfg.CPUFreq.Driver = "intel_cpufreq" // intel_pstate=passive
	r, err := schedsim.Run(context.Background(), cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("kworkers woke:", r.Counters.KworkerWakeups > 0)
	// Output:
	// schedsim: Config.CPUFreq on machine csl-2s-80: intel_pstate in active mode has performance and powersave, use Driver intel_cpufreq (intel_pstate=passive) for ondemand
	// kworkers woke: true
}
