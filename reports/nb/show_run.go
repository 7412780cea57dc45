package nb

import (
	"fmt"
	"time"

	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim"
)

// runGrid is what one run measured: its figure of merit, then its metrics. The
// digest of all decisions tells whether two runs are the same one.
func runGrid(r *schedsim.Result) grid {
	g := grid{note: fmt.Sprintf("measured for %v of simulated time, %s in all, decisions %016x",
		time.Duration(r.MeasuredNS), count(int(r.TotalEvents), "event"), r.TraceHash)}
	g.Cols = []view.Col{{Head: "figure"}, num("value"), {Head: "unit"}}
	g.Rows = append(g.Rows, []string{"throughput", figure(r.Throughput), r.Unit})
	for _, m := range r.Metrics {
		if m.Name != "throughput" {
			g.Rows = append(g.Rows, []string{m.Name, figure(m.Value), m.Unit})
		}
	}
	return g
}
