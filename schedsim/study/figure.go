package study

import (
	"fmt"
	"strings"

	"github.com/schedlab/schedlab/schedsim"
)

// throughput is the figure that a row has which names no other.
const throughput = schedsim.MetricThroughput

// figureOf takes a figure from a run. It is an error if the run has none of that
// name, or has it in another unit than the published one.
func figureOf(r *schedsim.Result, metric, unit string) (float64, error) {
	value, got := r.Throughput, r.Unit
	if metric != throughput {
		m, ok := r.Metric(metric)
		if !ok {
			var known []string
			for _, m := range r.Metrics {
				known = append(known, m.Name)
			}
			return 0, fmt.Errorf("the run has no metric %q; use one of %s", metric, strings.Join(known, ", "))
		}
		value, got = m.Value, m.Unit
	}
	if got != unit {
		return 0, fmt.Errorf("run is in %q, the published table in %q; make the workload report that", got, unit)
	}
	return value, nil
}
