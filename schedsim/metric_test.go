package schedsim_test

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// metered is tbench with figures of its own.
type metered struct {
	schedsim.Workload
	own []schedsim.Metric
}

func (m metered) Metrics(*schedsim.Sched) []schedsim.Metric { return m.own }

func TestMetrics(t *testing.T) {
	cfg := tbench(t, searching)
	cfg.Measure = 20 * time.Millisecond
	cfg.Workload = metered{cfg.Workload, []schedsim.Metric{{Name: "latency", Unit: "us", Value: 12}}}
	r := result(t, cfg)
	value := func(name string) float64 {
		t.Helper()
		m, ok := r.Metric(name)
		if !ok {
			t.Fatalf("no metric %q", name)
		}
		return m.Value
	}
	if got := value(schedsim.MetricThroughput); got != r.Throughput {
		t.Errorf("throughput %v, want %v", got, r.Throughput)
	}
	if got, want := value("wakeups/s"), float64(r.Counters.Wakeups)/0.02; got != want || want == 0 {
		t.Errorf("%v wakeups a second, want %v", got, want)
	}
	// Two wakeups an operation of 5396 bytes of data in the mean.
	if got := value("wakeups/work"); math.Abs(got/(2e6/5395.7)-1) > 0.03 {
		t.Errorf("%v wakeups for a MB", got)
	}
	if got := value("busy-time"); got <= 1 || got >= 80 {
		t.Errorf("%v CPUs busy of 80", got)
	}
	if value("migrations/s") < value("cross-socket-migrations/s") {
		t.Error("more migrations to another socket than there are")
	}
	if value("latency") != 12 {
		t.Error("the workload's own figure is lost")
	}
	for _, b := range schedsim.BuiltinMetrics() {
		value(b.Name)
		if b.Doc == "" {
			t.Errorf("%s says not what it is", b.Name)
		}
	}
	if _, ok := r.Metric("nothing"); ok {
		t.Error("a metric that nobody measured")
	}
}

func TestMetricsErrors(t *testing.T) {
	for _, c := range []struct {
		name, want string
		own        []schedsim.Metric
	}{
		{"name of a built-in one", "two metrics", []schedsim.Metric{{Name: "throughput", Value: 1}}},
		{"twice", "two metrics", []schedsim.Metric{{Name: "a"}, {Name: "a"}}},
		{"not a number", "leave out", []schedsim.Metric{{Name: "a", Value: math.NaN()}}},
		{"infinite", "leave out", []schedsim.Metric{{Name: "a", Value: math.Inf(1)}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := tbench(t, 2)
			cfg.Workload = metered{cfg.Workload, c.own}
			if _, err := schedsim.Run(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}
