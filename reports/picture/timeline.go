package picture

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/schedlab/schedlab/reports/plot"
	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/timeline"
)

// distance is short for the signatures here.
type distance = timeline.Distance

// A Coloring is what the colour of a task on a CPU says.
type Coloring int

// The colourings.
const (
	// ByTask gives tasks colours in turn; those that have room for it are named.
	ByTask Coloring = iota
	// ByParent gives the tasks of one parent one colour: that which forked them.
	ByParent
	// ByFrequency shows the clock of the core, sampled.
	ByFrequency
	// BySocket shows on which socket the task was first seen in the stretch: tasks in
	// a colour that is not their neighbours' have crossed.
	BySocket
)

func (c Coloring) String() string {
	return [...]string{"by task", "by parent", "by clock", "by the socket that the task came from"}[c]
}

// A Window is a part of a trace; its zero value is all.
type Window struct {
	From, To time.Duration // from the begin of the stretch; To 0 is its end
	CPUs     []int         // nil is all
}

// Timeline draws which task ran on which CPU.
func Timeline(t *Trace, by Coloring, w Window) (*plot.Figure, error) {
	if by < ByTask || by > BySocket {
		return nil, fmt.Errorf("picture: no colouring %d", by)
	}
	order, err := cpuOrder(t.Machine, w.CPUs)
	if err != nil {
		return nil, err
	}
	from, to := t.From+int64(w.From), t.To
	if w.To > 0 {
		to = t.From + int64(w.To)
	}
	if from < t.From || to > t.To || from >= to {
		return nil, fmt.Errorf("picture: a window from %v to %v of a stretch of %v", w.From, w.To, time.Duration(t.To-t.From))
	}
	per, unit := axis(to - from)
	row := make(map[int32]int)
	for i, cpu := range order {
		row[int32(cpu)] = i
	}
	b := plot.Bars{Rows: cpuRows(t.Machine, order), From: float64(from-t.From) / per, To: float64(to-t.From) / per}
	var shown []timeline.Span
	for _, s := range t.Running {
		if _, ok := row[s.CPU]; ok && s.To > from && s.From < to {
			shown = append(shown, s)
		}
	}
	paint := painter(t, by, shown, &b)
	for _, s := range shown {
		for _, bar := range paint(s) {
			bar.Row = row[s.CPU]
			bar.From, bar.To = (bar.From-float64(t.From))/per, (bar.To-float64(t.From))/per
			b.Bars = append(b.Bars, bar)
		}
	}
	return plot.Timeline(plot.Labels{
		Title: "Who ran where, " + t.Kernel, Subtitle: "Coloured " + by.String() + ".",
		X: "time, " + unit, Y: on(b.Rows),
	}, b)
}

// painter prepares the colours of a timeline for what it shows and returns what makes
// bars of a span, their times in ns.
func painter(t *Trace, by Coloring, shown []timeline.Span, b *plot.Bars) func(timeline.Span) []plot.Bar {
	if by == ByFrequency {
		return clocks(t, b)
	}
	names := taskNames(t)
	bar := func(s timeline.Span, kind int) plot.Bar {
		return plot.Bar{From: float64(s.From), To: float64(s.To), Kind: kind, Label: names[s.Task]}
	}
	switch by {
	case ByParent:
		var parents []schedsim.TaskID
		for _, s := range shown {
			if p := parentOf(t, s.Task); !slices.Contains(parents, p) {
				parents = append(parents, p)
			}
		}
		slices.Sort(parents)
		for _, p := range parents {
			name := "there from the start"
			if p >= 0 {
				name = "forked by " + names[p]
			}
			b.Kinds = append(b.Kinds, name)
		}
		return func(s timeline.Span) []plot.Bar {
			return []plot.Bar{bar(s, slices.Index(parents, parentOf(t, s.Task)))}
		}
	case BySocket:
		first := firstSockets(t)
		for i := range t.Machine.Sockets() {
			b.Kinds = append(b.Kinds, "socket "+strconv.Itoa(i))
		}
		return func(s timeline.Span) []plot.Bar { return []plot.Bar{bar(s, first[s.Task])} }
	}
	var tasks []schedsim.TaskID
	kinds := make(map[schedsim.TaskID]int)
	for _, s := range shown {
		if _, seen := kinds[s.Task]; !seen {
			kinds[s.Task] = 0
			tasks = append(tasks, s.Task)
		}
	}
	slices.Sort(tasks)
	for i, id := range tasks {
		kinds[id] = i
		b.Kinds = append(b.Kinds, names[id])
	}
	return func(s timeline.Span) []plot.Bar { return []plot.Bar{bar(s, kinds[s.Task])} }
}

// clocks colours by the core's clock: a span is cut where a sample finds another.
func clocks(t *Trace, b *plot.Bars) func(timeline.Span) []plot.Bar {
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range t.Samples {
		for _, mhz := range s.MHz {
			if mhz > 0 {
				low, high = min(low, float64(mhz)), max(high, float64(mhz))
			}
		}
	}
	b.Scale = &plot.Scale{Name: "clock of the core, MHz", Low: low, High: high}
	return func(s timeline.Span) []plot.Bar {
		var out []plot.Bar
		for i, sample := range t.Samples {
			end := t.To
			if i+1 < len(t.Samples) {
				end = t.Samples[i+1].At
			}
			from, to := max(s.From, sample.At), min(s.To, end)
			if from >= to {
				continue
			}
			mhz := float64(sample.MHz[s.CPU])
			if n := len(out); n > 0 && out[n-1].Value == mhz {
				out[n-1].To = float64(to)
				continue
			}
			out = append(out, plot.Bar{From: float64(from), To: float64(to), Value: mhz})
		}
		return out
	}
}

// firstSockets is where each task was first seen.
func firstSockets(t *Trace) map[schedsim.TaskID]int {
	type seen struct {
		at     int64
		socket int
	}
	first := make(map[schedsim.TaskID]seen)
	for _, spans := range [][]timeline.Span{t.Running, t.Waiting} {
		for _, s := range spans {
			if f, ok := first[s.Task]; !ok || s.From < f.at {
				first[s.Task] = seen{s.From, t.Machine.CPUs[s.CPU].Socket}
			}
		}
	}
	// A move tells where the task was before.
	for _, m := range t.Moves {
		if f, ok := first[m.Task]; !ok || m.At <= f.at {
			first[m.Task] = seen{m.At - 1, t.Machine.CPUs[m.From].Socket}
		}
	}
	out := make(map[schedsim.TaskID]int)
	for id, f := range first {
		out[id] = f.socket
	}
	return out
}

func parentOf(t *Trace, id schedsim.TaskID) schedsim.TaskID {
	if int(id) < len(t.Parents) {
		return t.Parents[id]
	}
	return -1 // a thread of the kernel
}

// taskNames names every task, with its number where the name is not its own.
func taskNames(t *Trace) []string {
	count := make(map[string]int)
	for _, name := range t.Names {
		count[name]++
	}
	out := make([]string, len(t.Names))
	for id, name := range t.Names {
		switch {
		case name == "":
			out[id] = "task " + strconv.Itoa(id)
		case count[name] > 1:
			out[id] = name + " " + strconv.Itoa(id)
		default:
			out[id] = name
		}
	}
	return out
}
