package schedsim

import (
	"context"
	"strings"
	"testing"
	"time"
)

// ends is a workload that is done after some time.
type ends struct {
	script
	says bool
}

func (w *ends) Start(s *Sched) {
	if w.says {
		s.EndsItself()
	}
	w.script.Start(s)
}

func (w *ends) Next(s *Sched, t *Task) Op {
	if t.PC == 1 {
		s.Finish()
	}
	return w.script.Next(s, t)
}

func (w *ends) Measured(s *Sched, end bool) (float64, string) {
	return float64(s.now-bootTime) / 1e9, "s"
}

func TestFinish(t *testing.T) {
	run := func(after, warmup, measure time.Duration) (Result, error) {
		w := &ends{script{tasks: []scripted{{ops: []Op{sleep(after), sleep(time.Hour)}}}}, true}
		return Run(context.Background(), Config{
			Machine: testMachine(1, 2, 1), Kernel: V510(2), Workload: w, Warmup: warmup, Measure: measure,
		})
	}
	w := &ends{script{tasks: []scripted{{ops: []Op{sleep(time.Hour)}}}}, true}
	if r, err := Run(context.Background(), Config{
		Machine: testMachine(1, 2, 1), Kernel: V510(2), Workload: w, Measure: time.Millisecond, Stretch: true,
	}); err != nil || r.MeasuredNS != 1e6 || len(r.Metrics) > 0 {
		t.Errorf("a stretch: %+v, %v", r, err)
	}
	r, err := run(3*time.Millisecond, time.Millisecond, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if r.Throughput < 0.003 || r.Throughput > 0.0031 {
		t.Errorf("ended after %v s, want 3 ms", r.Throughput)
	}
	if d := r.Throughput - 0.001 - float64(r.MeasuredNS)/1e9; d > 1e-9 || d < -1e-9 {
		t.Errorf("measured %d ns of %v s, all but the first ms is measured", r.MeasuredNS, r.Throughput)
	}
	for _, c := range []struct {
		name            string
		warmup, measure time.Duration
		want            string
	}{
		{"limit", 0, 2 * time.Millisecond, "did not finish within 0.002 s"},
		{"warm-up", 10 * time.Millisecond, time.Second, "finished before it was measured"},
	} {
		if _, err := run(3*time.Millisecond, c.warmup, c.measure); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}
