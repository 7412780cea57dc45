package study

import (
	"math"
	"testing"

	"github.com/schedlab/schedlab/schedsim"
)

func TestEvidence(t *testing.T) {
	s := &Study{Evidence: []Evidence{
		{Name: "sis_fast_success"}, {Name: "sis_success"}, {Name: "sis_scanned"},
	}}
	// Two rows: one of 1000 wakeups in 1 s that never search the LLC, one of
	// 6000 in 2 s of which half do.
	cells := []Cell{
		{Base: Arm{SimulatedNS: 1e9, Counters: schedsim.Counters{Wakeups: 1000}}},
		{Base: Arm{SimulatedNS: 2e9, Counters: schedsim.Counters{
			Wakeups: 6100, WakeupsOnCPU: 100,
			IdleCoreSearches: 1500, IdleCoreFailed: 500, // 1000 found a core
			IdleCPUSearches: 2000, IdleCPUFailed: 1000,
			CPUsScanned: 30000,
		}}},
	}
	want := []float64{
		100 * (1 - 1500./4000), // 1500 of 4000 a second search the LLC
		100 * (1 - 500./4000),  // 500 find nothing
		10,                     // 15000 runqueues a second in 1500 searches
	}
	for i, e := range evidence(s, cells) {
		if got := float64(e.Simulated); math.Abs(got-want[i]) > 1e-9 {
			t.Errorf("%s = %v, want %v", e.Name, got, want[i])
		}
	}
	// A row without runs leaves all of it out: the sweep is not complete.
	for _, e := range evidence(s, append(cells, Cell{})) {
		if e.Simulated.Measured() {
			t.Errorf("%s = %v without one row", e.Name, e.Simulated)
		}
	}
}
