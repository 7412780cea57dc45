package topology_test

import (
	"fmt"
	"log"

	"github.com/schedlab/schedlab/topology"
)

func ExampleMachine_LastLevelCaches() {
	m, err := topology.Load("csl-2s-80")
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range m.LastLevelCaches() {
		fmt.Println(topology.FormatSize(c.SizeKiB), "for CPUs", topology.FormatCPUList(c.CPUs))
	}
	// Output:
	// 27.5 MiB for CPUs 0-19,40-59
	// 27.5 MiB for CPUs 20-39,60-79
}
