package topology_test

import (
	"fmt"
	"log"

	"github.com/schedlab/schedlab/topology"
)

func ExampleMachine_Domains() {
	m, err := topology.Load("csl-2s-80")
	if err != nil {
		log.Fatal(err)
	}
	domains, err := m.Domains("v5.10", 0)
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range domains {
		fmt.Printf("%-4s %2d CPUs, imbalance_pct %d: %s\n", d.Name, len(d.Span), d.ImbalancePct, topology.FormatCPUList(d.Span))
	}
	// Output:
	// SMT   2 CPUs, imbalance_pct 110: 0,40
	// MC   40 CPUs, imbalance_pct 117: 0-19,40-59
	// NUMA 80 CPUs, imbalance_pct 117: 0-79
}

func ExampleFrequency_At() {
	m, err := topology.Load("csl-2s-80")
	if err != nil {
		log.Fatal(err)
	}
	for _, cores := range []int{1, 10, 20} {
		fmt.Println(cores, "active cores:", m.Frequency.At(cores), "MHz")
	}
	// Output:
	// 1 active cores: 3900 MHz
	// 10 active cores: 3400 MHz
	// 20 active cores: 2800 MHz
}

func ExampleLoad() {
	_, err := topology.Load("cls-2s-80")
	fmt.Println(err)
	// Output:
	// topology: no machine "cls-2s-80", use csl-2s-80
}
