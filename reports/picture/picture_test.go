package picture_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/schedlab/schedlab/reports/internal/golden"
	"github.com/schedlab/schedlab/reports/picture"
	"github.com/schedlab/schedlab/reports/plot"
	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/experiment"
	"github.com/schedlab/schedlab/schedsim/timeline"
	"github.com/schedlab/schedlab/topology"
)

// made is a trace of three tasks on eight CPUs that was made up: "a" stays, "b" is
// woken across the sockets, "c" waits behind "a" and is pulled away.
func made(t testing.TB, kernel string, shift int64) *picture.Trace {
	t.Helper()
	m, err := topology.Load("core2-2s")
	if err != nil {
		t.Fatal(err)
	}
	const sw, wake, lb, fork = schedsim.TraceSwitch, schedsim.TraceWakeup, schedsim.TraceMigrate, schedsim.TraceFork
	us := func(n int64) int64 { return n*1000 + shift }
	events := []schedsim.TraceEvent{
		{Time: 0, Task: 0, CPU: 0, Kind: fork},
		{Time: us(1), Task: 0, CPU: 0, Kind: sw},
		{Time: us(5), Task: 1, CPU: 1, Kind: fork},
		{Time: us(6), Task: 1, CPU: 1, Kind: sw},
		{Time: us(200), Task: 2, CPU: 0, Kind: wake},
		{Time: us(400), Task: -1, CPU: 1, Kind: sw},
		{Time: us(600), Task: 1, CPU: 7, Kind: wake},
		{Time: us(603), Task: 1, CPU: 7, Kind: sw},
		{Time: us(700), Task: 2, CPU: 2, Kind: lb},
		{Time: us(701), Task: 2, CPU: 2, Kind: sw},
		{Time: us(1000), Task: -1, CPU: 2, Kind: sw},
	}
	tr := &picture.Trace{
		Kernel: kernel, Machine: m, Timeline: timeline.Build(events, len(m.CPUs), 0, 1_200_000),
		Names: []string{"a", "b", ""}, Parents: []schedsim.TaskID{-1, 0, 0},
	}
	for i := range int64(12) {
		s := experiment.Sample{At: i * 100_000, MHz: make([]int64, 8), Queues: make([]schedsim.QueueStats, 8)}
		for cpu := range int64(8) {
			s.MHz[cpu] = 2000 + 100*((i+cpu)%11)
			s.Queues[cpu] = schedsim.QueueStats{LoadAvg: 100 * i, RunnableAvg: 90 * i, UtilAvg: 40 * i}
		}
		s.Counters.NUMAScans = i * i
		s.Tasks = []schedsim.TaskStats{{LoadAvg: 1024, RunnableAvg: 50 * i, UtilAvg: 30 * i}, {}, {}}
		tr.Samples = append(tr.Samples, s)
	}
	return tr
}

func TestGolden(t *testing.T) {
	base, patched := made(t, "v6.12", 0), made(t, "v6.12+mine", 20_000)
	row := experiment.Row{Name: "core2-2s", Unit: "s", Lower: true}
	row.Effect.Pct, row.Effect.CILow, row.Effect.CIHigh = 3, 2, 4
	for _, tc := range []struct {
		name string
		make func() (*plot.Figure, error)
	}{
		{"queues", func() (*plot.Figure, error) { return picture.Queues(base) }},
		{"by-task", func() (*plot.Figure, error) { return picture.Timeline(base, picture.ByTask, picture.Window{}) }},
		{"by-parent", func() (*plot.Figure, error) {
			return picture.Timeline(base, picture.ByParent, picture.Window{CPUs: []int{0, 1, 7, 2}})
		}},
		{"by-frequency", func() (*plot.Figure, error) {
			return picture.Timeline(base, picture.ByFrequency, picture.Window{From: 100 * time.Microsecond, To: time.Millisecond})
		}},
		{"by-socket", func() (*plot.Figure, error) { return picture.Timeline(base, picture.BySocket, picture.Window{}) }},
		{"totals", func() (*plot.Figure, error) { return picture.Totals(base, patched) }},
		{"wasted", func() (*plot.Figure, error) { return picture.Wasted(base, patched) }},
		{"latencies", func() (*plot.Figure, error) { return picture.Latencies(base, patched) }},
		{"distances", func() (*plot.Figure, error) { return picture.Distances(base, patched) }},
		{"nodes", func() (*plot.Figure, error) { return picture.Nodes(base) }},
		{"count", func() (*plot.Figure, error) {
			return picture.Count("Scans", "scans", func(c *schedsim.Counters) int64 { return c.NUMAScans }, base, patched)
		}},
		{"pelt", func() (*plot.Figure, error) { return picture.PELT(base, 3) }},
		{"pelt-task", func() (*plot.Figure, error) { return picture.TaskPELT(base, "a") }},
		{"effects", func() (*plot.Figure, error) {
			return picture.Effects(&experiment.Comparison{Patch: "mine", Rows: []experiment.Row{row}})
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f, err := tc.make()
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := f.WriteSVG(&b); err != nil {
				t.Fatal(err)
			}
			golden.Check(t, tc.name+".svg", b.Bytes())
		})
	}
}

func TestErrors(t *testing.T) {
	tr := made(t, "v6.12", 0)
	for _, tc := range []struct {
		name, want string
		make       func() (*plot.Figure, error)
	}{
		{"no CPU", "no CPU 8", func() (*plot.Figure, error) {
			return picture.Timeline(tr, picture.ByTask, picture.Window{CPUs: []int{8}})
		}},
		{"no colouring", "no colouring 9", func() (*plot.Figure, error) { return picture.Timeline(tr, 9, picture.Window{}) }},
		{"window", "of a stretch of 1.2ms", func() (*plot.Figure, error) {
			return picture.Timeline(tr, picture.ByTask, picture.Window{From: 2 * time.Millisecond})
		}},
		{"no traces", "0 traces", func() (*plot.Figure, error) { return picture.Totals() }},
		{"no task", `no task "z"`, func() (*plot.Figure, error) { return picture.TaskPELT(tr, "z") }},
		{"no queue", "no CPU -1", func() (*plot.Figure, error) { return picture.PELT(tr, -1) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := tc.make(); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want one with %q", err, tc.want)
			}
		})
	}
}
