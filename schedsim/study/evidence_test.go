package study

import (
	"math"
	"testing"

	"github.com/schedlab/schedlab/schedsim"
)

func TestEvidence(t *testing.T) {
	s := &Table{Evidence: []Evidence{
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

// TestEvidenceOfAMetric takes a figure of the runs.
func TestEvidenceOfAMetric(t *testing.T) {
	table := &Table{ID: "t", Evidence: []Evidence{{Name: "migrations/s"}, {Name: "migrations/s", Row: "b"}, {Name: "latency"}}}
	cells := []Cell{
		{Table: "t", Row: "a", Base: Arm{Metrics: map[string]float64{"migrations/s": 10}}},
		{Table: "t", Row: "b", Base: Arm{Metrics: map[string]float64{"migrations/s": 30}}},
		{Table: "other", Row: "b", Base: Arm{Metrics: map[string]float64{"migrations/s": 90}}},
	}
	got := evidence(table, cells)
	if got[0].Simulated != 20 || got[1].Simulated != 30 || got[2].Simulated.Measured() {
		t.Errorf("got %+v", got)
	}
}
