package timeline_test

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/timeline"
	"github.com/schedlab/schedlab/schedsim/workload"
	"github.com/schedlab/schedlab/topology"
)

const (
	sw   = schedsim.TraceSwitch
	wake = schedsim.TraceWakeup
	lb   = schedsim.TraceMigrate
	fork = schedsim.TraceFork
)

// two CPUs: task 1 is preempted by 2, moved to CPU 1, sleeps, and wakes on CPU 0.
var events = []schedsim.TraceEvent{
	{Time: 0, Task: 1, CPU: 0, Kind: fork},
	{Time: 10, Task: 1, CPU: 0, Kind: sw},
	{Time: 20, Task: 2, CPU: 0, Kind: wake},
	{Time: 30, Task: 2, CPU: 0, Kind: sw},
	{Time: 40, Task: 1, CPU: 1, Kind: lb},
	{Time: 50, Task: 1, CPU: 1, Kind: sw},
	{Time: 60, Task: -1, CPU: 1, Kind: sw},
	{Time: 70, Task: 1, CPU: 0, Kind: wake},
	{Time: 90, Task: 1, CPU: 0, Kind: sw},
	{Time: 100, Task: -1, CPU: 0, Kind: sw},
}

func TestBuild(t *testing.T) {
	got := timeline.Build(events, 2, 0, 0)
	want := &timeline.Timeline{
		From: 0, To: 100, CPUs: 2,
		Running: []timeline.Span{{0, 1, 10, 30}, {0, 2, 30, 90}, {0, 1, 90, 100}, {1, 1, 50, 60}},
		Waiting: []timeline.Span{{0, 1, 0, 10}, {0, 2, 20, 30}, {0, 1, 30, 40}, {0, 1, 70, 90}, {1, 1, 40, 50}},
		Moves: []timeline.Move{
			{Task: 1, At: 40, From: 0, To: 1, Kind: timeline.ByBalance},
			{Task: 1, At: 70, From: 1, To: 0, Kind: timeline.ByWakeup},
		},
		Latencies: []int64{10, 10, 20},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// A window cuts spans, and leaves out what is before it.
	part := timeline.Build(events, 2, 35, 80)
	if diff := cmp.Diff([]timeline.Span{{0, 2, 35, 80}, {1, 1, 50, 60}}, part.Running); diff != "" {
		t.Errorf("window (-want +got):\n%s", diff)
	}
	if len(part.Latencies) != 0 || len(part.Moves) != 2 {
		t.Errorf("window: latencies %v, moves %v", part.Latencies, part.Moves)
	}
}

func TestColumns(t *testing.T) {
	tl := timeline.Build(events, 2, 0, 0)
	q := tl.Queues(10)
	if diff := cmp.Diff([]float64{1, 1, 2, 2, 1, 1, 1, 2, 2, 1}, q[0]); diff != "" {
		t.Errorf("CPU 0 (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]float64{0, 0, 0, 0, 1, 1, 0, 0, 0, 0}, q[1]); diff != "" {
		t.Errorf("CPU 1 (-want +got):\n%s", diff)
	}
	// CPU 1 idles while a task waits on CPU 0 in columns 0, 2, 3, 7 and 8.
	if diff := cmp.Diff([]float64{.5, 0, .5, .5, .5, 0, 0, .5, .5, 0}, tl.Wasted(10)); diff != "" {
		t.Errorf("wasted (-want +got):\n%s", diff)
	}
	places := []timeline.Place{{}, {Core: 1, LLC: 1, Node: 1}}
	wakeups, balances := tl.Distances(places)
	if wakeups[timeline.SameSocket] != 1 || balances[timeline.SameSocket] != 1 {
		t.Errorf("distances %v, %v", wakeups, balances)
	}
	if m := tl.Matrix(2, func(cpu int32) int { return int(cpu) }); m[0][1] != 1 || m[1][0] != 1 || m[0][0] != 0 {
		t.Errorf("matrix %v", m)
	}
}

func TestDistance(t *testing.T) {
	a := timeline.Place{Core: 1, LLC: 1, Node: 1, Socket: 1}
	for want, b := range []timeline.Place{
		timeline.SameCore:    {Core: 1, LLC: 1, Node: 1, Socket: 1},
		timeline.SameLLC:     {Core: 2, LLC: 1, Node: 1, Socket: 1},
		timeline.SameNode:    {Core: 2, LLC: 2, Node: 1, Socket: 1},
		timeline.SameSocket:  {Core: 2, LLC: 2, Node: 2, Socket: 1},
		timeline.OtherSocket: {Core: 2, LLC: 2, Node: 2, Socket: 2},
	} {
		if got := a.Distance(b); got != timeline.Distance(want) {
			t.Errorf("%v: %v, want %v", b, got, timeline.Distance(want))
		}
	}
}

// TestRun: of a run, running time and counters agree with the simulator's own.
func TestRun(t *testing.T) {
	m, err := topology.Load("csl-2s-80")
	if err != nil {
		t.Fatal(err)
	}
	w, err := workload.NewTbench(workload.DefaultTbench(100))
	if err != nil {
		t.Fatal(err)
	}
	r, events, err := schedsim.RunTrace(context.Background(), schedsim.Config{
		Machine: m, Kernel: schedsim.V510(80), Workload: w, Seed: 1,
		Warmup: 150 * time.Millisecond, Measure: 5 * time.Millisecond, TraceEvents: 1 << 20,
	})
	if err != nil {
		t.Fatal(err)
	}
	end := events[len(events)-1].Time
	tl := timeline.Build(events, 80, end-r.MeasuredNS, end)
	busy := int64(0)
	for _, s := range tl.Running {
		busy += s.To - s.From
	}
	idle := 80*r.MeasuredNS - busy
	if d := math.Abs(float64(idle-r.Counters.IdleNS)) / float64(80*r.MeasuredNS); d > 0.01 {
		t.Errorf("%d ns idle, the simulator counts %d", idle, r.Counters.IdleNS)
	}
	if d := float64(len(tl.Latencies)) / float64(r.Counters.Wakeups); d < 0.95 || d > 1.05 {
		t.Errorf("%d latencies for %d wakeups", len(tl.Latencies), r.Counters.Wakeups)
	}
}
