package picture

import (
	"fmt"
	"slices"
	"strings"

	"github.com/schedlab/schedlab/reports/plot"
	"github.com/schedlab/schedlab/schedsim"
)

// PELT draws the load averages of a CPU's root cfs_rq over the stretch: load_avg, where
// 1024 is one task of nice 0 that always runs or waits, and runnable_avg and util_avg,
// where 1024 is one CPU. They are those of its last update, as the kernel's are.
func PELT(t *Trace, cpu int) (*plot.Figure, error) {
	if cpu < 0 || cpu >= len(t.Machine.CPUs) {
		return nil, fmt.Errorf("picture: no CPU %d on %s", cpu, t.Machine.ID)
	}
	return signals(t, fmt.Sprintf("cfs_rq of CPU %d, %s", cpu, t.Kernel), func(i int) (schedsim.QueueStats, bool) {
		return t.Samples[i].Queues[cpu], true
	})
}

// TaskPELT draws those of a task, by its name.
func TaskPELT(t *Trace, name string) (*plot.Figure, error) {
	names := taskNames(t)
	if id := slices.Index(names, name); id >= 0 {
		return signals(t, fmt.Sprintf("%s, %s", name, t.Kernel), func(i int) (schedsim.QueueStats, bool) {
			tasks := t.Samples[i].Tasks
			if id >= len(tasks) {
				return schedsim.QueueStats{}, false
			}
			return schedsim.QueueStats{LoadAvg: tasks[id].LoadAvg, RunnableAvg: tasks[id].RunnableAvg, UtilAvg: tasks[id].UtilAvg}, true
		})
	}
	return nil, fmt.Errorf("picture: no task %q in the trace; there are %d, such as %s", name, len(names), strings.Join(names[:min(len(names), 6)], ", "))
}

// signals draws the averages that are there at each sample.
func signals(t *Trace, of string, at func(i int) (schedsim.QueueStats, bool)) (*plot.Figure, error) {
	per, unit := axis(t.To - t.From)
	// The first colours are those of kernels.
	lines := []plot.Line{
		{Name: "load_avg", Color: 3, Dash: 1}, {Name: "runnable_avg", Color: 4, Dash: 2}, {Name: "util_avg", Color: 5, Dash: 4},
	}
	for i, s := range t.Samples {
		q, ok := at(i)
		if !ok {
			continue
		}
		for k, v := range []int64{q.LoadAvg, q.RunnableAvg, q.UtilAvg} {
			lines[k].X = append(lines[k].X, float64(s.At-t.From)/per)
			lines[k].Y = append(lines[k].Y, float64(v))
		}
	}
	if len(lines[0].X) == 0 {
		return nil, fmt.Errorf("picture: %s: its averages were not sampled, as there are more than 1024 tasks", of)
	}
	return plot.Lines(plot.Labels{Title: "Load tracking of " + of, X: "time, " + unit, Y: "of 1024"}, lines...)
}
