package experiment_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/experiment"
)

// A patch that never looks for an idle sibling, on a machine without
// siblings, where it can change nothing.
func ExampleBench_Compare() {
	dir, err := os.MkdirTemp("", "store") // runs are kept: out/store is where mkreport has its own
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	bench, err := experiment.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	mine := schedsim.Patch{Name: "no-smt", Apply: func(k *schedsim.Kernel) {
		k.SelectIdleSMT = func(*schedsim.Sched, *schedsim.Task, int) int { return -1 }
	}}
	on := experiment.Setup{Kernel: "v6.12", Workload: "javaserver connections=8", Measure: 5 * time.Millisecond}
	c, err := bench.Compare(context.Background(), mine, on.On("core2-2s")...)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range c.Rows {
		fmt.Println(r.Name, len(r.Base), "pairs of runs:", r.Change())
	}
	// Output:
	// core2-2s 3 pairs of runs: no change seen
}
