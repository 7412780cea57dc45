package sample

import (
	"math"

	"github.com/schedlab/schedlab/reports/overlay"
	"github.com/schedlab/schedlab/schedsim/study"
)

// Here is a made-up overlay on Full: a row whose effect agrees with the simulated
// one, one of which only means are told, one without its patched column, and a figure
// of no row.
func Here() *overlay.Overlay {
	some := func(mean, stddev float64, n int) overlay.Sample {
		return overlay.Sample{Mean: mean, Stddev: stddev, N: n, Where: "dir/here.log:7"}
	}
	none := overlay.Sample{Mean: math.NaN(), Stddev: math.NaN()}
	row := func(key string, base, patched overlay.Sample, pct, low, high study.Number) overlay.Row {
		return overlay.Row{Table: "fakebench", Key: key, Unit: "MB/sec", Better: "higher", Base: base, Patched: patched, Pct: pct, CILow: low, CIHigh: high}
	}
	return &overlay.Overlay{
		Files: []string{"dir/here.log", "dir/there.log"},
		Rows: []overlay.Row{
			row("1", some(100, 1, 5), some(110, 1.5, 5), 10, 8, 12),
			row("2", some(200, math.NaN(), 0), some(190, math.NaN(), 0), -5, nm, nm),
			row("4", some(400, 4, 3), none, nm, nm, nm),
		},
		Unmatched: []overlay.Unmatched{
			{Where: "dir/here.log:9", Title: "fake-latency [clients=1]", Reason: `it is in "ms", the row in "MB/sec"`},
			{Where: "dir/there.log:9", Title: "fake-latency [clients=2]", Reason: `it is in "ms", the row in "MB/sec"`},
		},
	}
}
