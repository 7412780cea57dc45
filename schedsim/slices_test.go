package schedsim_test

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// TestSlices: slices change nothing in a run, and their mean is the figure.
func TestSlices(t *testing.T) {
	cfg := tbench(t, 8)
	cfg.Measure = 30 * time.Millisecond
	plain := result(t, cfg)
	cfg = tbench(t, 8)
	cfg.Measure, cfg.Slices = 30*time.Millisecond, 7
	got := result(t, cfg)
	if got.TraceHash != plain.TraceHash || got.Throughput != plain.Throughput || plain.Slices != nil {
		t.Error("slices change the run")
	}
	if len(got.Slices) != 7 {
		t.Fatalf("%d slices", len(got.Slices))
	}
	sum := 0.0
	for _, v := range got.Slices {
		sum += v / 7
	}
	if math.Abs(sum/got.Throughput-1) > 1e-6 {
		t.Errorf("slices have a mean of %v, the run has %v", sum, got.Throughput)
	}
	cfg.Slices = -1
	if _, err := schedsim.Run(context.Background(), cfg); err == nil {
		t.Error("a negative number of slices")
	}
}
