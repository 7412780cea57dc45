package picture

import (
	"errors"
	"fmt"
	"slices"

	"github.com/schedlab/schedlab/reports/plot"
	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/experiment"
)

// A Trace is what is drawn here; see [experiment.Record].
type Trace = experiment.Trace

// columns is how many times a stretch is divided into for curves, and heatColumns for
// heat maps: a column is a point of the printed figure or less.
const (
	columns     = 200
	heatColumns = 500
)

// axis chooses the unit of a time axis that is so many ns long.
func axis(ns int64) (perUnit float64, unit string) {
	switch {
	case ns >= 10e9:
		return 1e9, "s"
	case ns >= 2e6:
		return 1e6, "ms"
	}
	return 1e3, "us"
}

// times are the middles of the columns on a trace's time axis.
func times(t *Trace, n int) (x []float64, unit string) {
	per, unit := axis(t.To - t.From)
	for i := range n {
		x = append(x, (float64(i)+0.5)*float64(t.To-t.From)/float64(n)/per)
	}
	return x, unit
}

// Queues is the run queue of every CPU over the stretch as a heat map: white is idle,
// blue one task, orange to dark red are those that wait.
func Queues(t *Trace) (*plot.Figure, error) {
	order, err := cpuOrder(t.Machine, nil)
	if err != nil {
		return nil, err
	}
	all := t.Timeline.Queues(heatColumns)
	cells := make([][]float64, len(order))
	for i, cpu := range order {
		cells[i] = all[cpu]
	}
	per, unit := axis(t.To - t.From)
	rows := cpuRows(t.Machine, order)
	return plot.Queues(plot.Labels{
		Title: "Run queues, " + t.Kernel,
		X:     "time, " + unit, Y: on(rows),
	}, rows, cells, float64(t.To-t.From)/per)
}

// Totals is how many tasks run and how many wait for a CPU, over the stretch.
func Totals(traces ...*Trace) (*plot.Figure, error) {
	return overTime(traces, plot.Labels{Title: "Running and waiting tasks", Y: "tasks"}, func(t *Trace) []plot.Line {
		running, waiting := t.Totals(columns)
		return []plot.Line{{Name: "running, " + t.Kernel, Y: running, Dash: 1}, {Name: "waiting, " + t.Kernel, Y: waiting, Dash: 3}}
	})
}

// Wasted is the share of CPU time that was idle while a task waited on another CPU,
// over the stretch.
func Wasted(traces ...*Trace) (*plot.Figure, error) {
	return overTime(traces, plot.Labels{Title: "Idle while a task waits elsewhere", Y: "CPU time, %"}, func(t *Trace) []plot.Line {
		share := t.Timeline.Wasted(columns)
		for i := range share {
			share[i] *= 100
		}
		return []plot.Line{{Name: t.Kernel, Y: share, Dash: 1}}
	})
}

// Count is how often something happened since the begin of the stretch, by a counter
// of the run, with title and unit as they are given.
func Count(title, unit string, counter func(*schedsim.Counters) int64, traces ...*Trace) (*plot.Figure, error) {
	if err := check(traces); err != nil {
		return nil, err
	}
	l := plot.Labels{Title: title, Y: unit}
	var lines []plot.Line
	for i, t := range traces {
		per, name := axis(t.To - t.From)
		l.X = "time, " + name
		line := plot.Line{Name: t.Kernel, Color: i + 1, Dash: 1, Steps: true}
		first := &t.Samples[0].Counters
		for k := range t.Samples {
			s := &t.Samples[k]
			line.X = append(line.X, float64(s.At-t.From)/per)
			line.Y = append(line.Y, float64(counter(&s.Counters)-counter(first)))
		}
		lines = append(lines, line)
	}
	return plot.Lines(l, lines...)
}

// maxTraces is how many kernels have a colour.
const maxTraces = 3

// overTime draws lines of each trace over its time, in the trace's colour.
func overTime(traces []*Trace, l plot.Labels, of func(*Trace) []plot.Line) (*plot.Figure, error) {
	if err := check(traces); err != nil {
		return nil, err
	}
	var lines []plot.Line
	for i, t := range traces {
		x, unit := times(t, columns)
		l.X = "time, " + unit
		for _, line := range of(t) {
			line.X, line.Color = x, i+1
			lines = append(lines, line)
		}
	}
	return plot.Lines(l, lines...)
}

func check(traces []*Trace) error {
	if len(traces) == 0 || len(traces) > maxTraces {
		return fmt.Errorf("picture: %d traces, want 1 to %d", len(traces), maxTraces)
	}
	for _, t := range traces[1:] {
		if t.To-t.From != traces[0].To-traces[0].From {
			return errors.New("picture: the stretches have different lengths")
		}
	}
	return nil
}

// Latencies is the distribution of the times from a wakeup to the task's running.
func Latencies(traces ...*Trace) (*plot.Figure, error) {
	var samples []plot.Sample
	for _, t := range traces {
		s := plot.Sample{Name: t.Kernel}
		for _, ns := range t.Timeline.Latencies {
			// A task that runs at once waited for less than the clock's nanosecond.
			s.Values = append(s.Values, max(float64(ns), 1)/1e3)
		}
		samples = append(samples, s)
	}
	return plot.CDF(plot.Labels{Title: "Wakeup latency", X: "from wakeup to running, us", Y: "wakeups, %"}, samples...)
}

// Distances counts how far tasks moved, by wakeups and by load balancing: a row for
// each trace and kind, a column for each distance that the machine has.
func Distances(traces ...*Trace) (*plot.Figure, error) {
	if err := check(traces); err != nil {
		return nil, err
	}
	var rows, names []string
	var counts [][]float64
	kept := distancesOf(traces[0])
	for _, d := range kept {
		names = append(names, d.String())
	}
	for _, t := range traces {
		wakeups, balances := t.Timeline.Distances(places(t.Machine))
		for _, kind := range []struct {
			name string
			all  []int
		}{{"woken, ", wakeups[:]}, {"balanced, ", balances[:]}} {
			row := make([]float64, len(kept))
			for i, d := range kept {
				row[i] = float64(kind.all[d])
			}
			rows, counts = append(rows, kind.name+t.Kernel), append(counts, row)
		}
	}
	per, unit := axis(traces[0].To - traces[0].From)
	return plot.Matrix(plot.Labels{
		Title:    "How far tasks moved",
		Subtitle: fmt.Sprintf("Tasks that were put on another CPU within %g %s, by what the two CPUs share.", float64(traces[0].To-traces[0].From)/per, unit),
	}, rows, names, counts)
}

// Nodes counts moves from node (row) to node (column).
func Nodes(t *Trace) (*plot.Figure, error) {
	n := len(t.Machine.NUMANodes)
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprint("node ", i)
	}
	counts := t.Matrix(n, func(cpu int32) int { return t.Machine.CPUs[cpu].Node })
	return plot.Matrix(plot.Labels{Title: "Moves from node to node, " + t.Kernel, X: "to", Y: "from"}, names, names, counts)
}

// places and distances that a machine has, from near to far.
func distancesOf(t *Trace) []distance {
	at := places(t.Machine)
	online := t.Machine.OnlineCPUs()
	var out []distance
	for _, cpu := range online {
		for _, other := range online {
			if d := at[cpu].Distance(at[other]); cpu != other && !slices.Contains(out, d) {
				out = append(out, d)
			}
		}
	}
	slices.Sort(out)
	return out
}
