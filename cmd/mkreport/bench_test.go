package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/schedlab/schedlab/schedsim/bench"
)

// TestBenchText: the three figures and what was wanted stand beside each other, and
// others are compared with this simulator.
func TestBenchText(t *testing.T) {
	r := benchReport{
		Go: "go1.26", CPU: "Some CPU",
		Cases: []benchCase{
			{Name: "tbench", What: "a load", EventsPerSecond: 4.9e6, CPUSecondsPerSecond: 16.5, EventsPerCPUSecond: 296e3, Floor: 5e6, Unit: bench.EventsPerSecond},
			{Name: "phases", What: "another", EventsPerSecond: 7e6, CPUSecondsPerSecond: 22000, EventsPerCPUSecond: 318, Floor: 20e3, Unit: bench.CPUSecondsPerSecond, Reached: true},
		},
		Growth:      []benchRatio{{bench.Ratio{What: "1,024 CPUs against 16", From: 300, To: 600, Limit: 1.5}, 2, false}},
		MemoryBytes: 17 << 20,
		Peers:       []bench.Hold{{Name: "here", Served: 1000, Wall: 1, Simulated: 1}, {Name: "there", Served: 100, Wall: 1, Simulated: 1}},
		Missing:     []string{"SimGrid: not installed"},
	}
	var b bytes.Buffer
	if err := r.writeText(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"tbench  4.90 M     16.5    296000     0.0000       5 M ev/s       no",
		"phases  7.00 M    22000       318     0.0000  20000 CPU-s/s      yes",
		"1,024 CPUs against 16: 2.00 times the cost of an event (300, 600 ns); at most 1.5: no",
		"17.0 MiB",
		"here: 10.00 times as many",
		"not there: SimGrid: not installed",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// TestBenchUsage: a stretch that is no time, and arguments, are refused.
func TestBenchUsage(t *testing.T) {
	for _, args := range [][]string{{"bench", "--time", "0s"}, {"bench", "--time", "2h"}, {"bench", "tbench"}} {
		var out, errs bytes.Buffer
		if got := run(context.Background(), args, &out, &errs); got != exitUsage || out.Len() > 0 {
			t.Errorf("%v: status %d, output %q, errors %q", args, got, out.String(), errs.String())
		}
	}
}
