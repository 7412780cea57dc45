package trace

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/schedlab/schedlab/schedsim"
)

// times is what perf sched keeps of a task.
type times struct {
	in, out, woken int64 // last switched in, switched out, woken; 0 is never
	runnable       bool  // when it was switched out
	runtime, delay int64
	most, mostAt   int64
	switches, n    int
}

// WriteTimehist writes what perf sched timehist prints: for each time that a task
// leaves a CPU how long it had waited, how long of that was from its wakeup, and
// how long it ran, in ms.
func (t *Trace) WriteTimehist(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%15s %-6s  %-30s  %9s  %9s  %9s\n", "time", "cpu", "task name", "wait time", "sch delay", "run time")
	fmt.Fprintf(b, "%15s %-6s  %-30s  %9s  %9s  %9s\n", "", "", "[tid/pid]", "(msec)", "(msec)", "(msec)")
	rule := func(n int) string { return strings.Repeat("-", n) }
	fmt.Fprintf(b, "%15s %6s  %30s  %9s  %9s  %9s\n", rule(15), rule(6), rule(30), rule(9), rule(9), rule(9))
	all := make(map[schedsim.TaskID]*times)
	t.each(all, func(s step, prev *times, wait, delay, run int64) {
		if prev == nil {
			return
		}
		name := fmt.Sprintf("%s[%d]", t.comm(s.prev, s.CPU), pid(s.prev))
		fmt.Fprintf(b, "%8d.%06d [%04d]  %-30s  %9.3f  %9.3f  %9.3f\n", s.Time/1e9, s.Time%1e9/1e3, s.CPU, name, ms(wait), ms(delay), ms(run))
	})
	return b.Flush()
}

func ms(ns int64) float64 { return float64(ns) / 1e6 }

// each follows the tasks through the trace and calls at for each switch that takes
// a task, prev, off its CPU: what it had waited off the CPU, from its wakeup, and
// what it ran.
func (t *Trace) each(all map[schedsim.TaskID]*times, at func(s step, prev *times, wait, delay, run int64)) {
	type turn struct{ wait, delay int64 }
	turns := make(map[schedsim.TaskID]turn)
	task := func(id schedsim.TaskID) *times {
		x := all[id]
		if x == nil {
			x = &times{}
			all[id] = x
		}
		return x
	}
	for _, s := range t.allSteps() {
		switch s.Kind {
		case schedsim.TraceWakeup, schedsim.TraceFork:
			task(s.Task).woken = s.Time
		case schedsim.TraceSwitch:
			if s.prev != idle && s.known {
				x := task(s.prev)
				run := s.Time - x.in
				if t.shows(s.Time) {
					u := turns[s.prev]
					x.runtime += run
					x.switches++
					at(s, x, u.wait, u.delay, run)
				}
				x.out, x.runnable = s.Time, s.runnable
			}
			if s.Task == idle {
				continue
			}
			x := task(s.Task)
			u := turn{}
			if x.out > 0 {
				u.wait = s.Time - x.out
			}
			switch {
			case x.woken > 0 && x.woken >= x.out:
				u.delay = s.Time - x.woken
			case x.runnable && x.out > 0:
				u.delay = s.Time - x.out
			}
			if t.shows(s.Time) {
				x.delay += u.delay
				x.n++
				if u.delay > x.most {
					x.most, x.mostAt = u.delay, s.Time
				}
			}
			x.in, x.woken = s.Time, 0
			turns[s.Task] = u
		}
	}
}

// WriteLatency writes what perf sched latency prints, tasks of one name together,
// those with the longest mean delay first.
func (t *Trace) WriteLatency(w io.Writer) error {
	all := make(map[schedsim.TaskID]*times)
	t.each(all, func(step, *times, int64, int64, int64) {})
	type row struct {
		name  string
		tasks int
		times
	}
	byName := make(map[string]*row)
	for id, x := range all {
		name := t.comm(id, 0)
		r := byName[name]
		if r == nil {
			r = &row{name: name}
			byName[name] = r
		}
		r.tasks++
		r.runtime, r.delay, r.switches, r.n = r.runtime+x.runtime, r.delay+x.delay, r.switches+x.switches, r.n+x.n
		if x.most > r.most {
			r.most, r.mostAt = x.most, x.mostAt
		}
	}
	var rows []*row
	for _, r := range byName {
		rows = append(rows, r)
	}
	mean := func(r *row) float64 { return ms(r.delay) / float64(max(r.n, 1)) }
	slices.SortFunc(rows, func(a, b *row) int {
		return cmp.Or(cmp.Compare(mean(b), mean(a)), cmp.Compare(a.name, b.name))
	})
	b := bufio.NewWriter(w)
	line := " " + strings.Repeat("-", 105) + "\n"
	b.WriteString(line)
	fmt.Fprintf(b, "  %-22s |  Runtime ms   | Switches | Avg delay ms    | Max delay ms    | Max delay end\n%s", "Task", line)
	total, switches := int64(0), 0
	for _, r := range rows {
		name := fmt.Sprintf("%s:(%d)", r.name, r.tasks)
		fmt.Fprintf(b, "  %-22s | %10.3f ms | %8d | avg:%9.3f ms | max:%9.3f ms | end: %12.6f s\n", name, ms(r.runtime), r.switches, mean(r), ms(r.most), float64(r.mostAt)/1e9)
		total, switches = total+r.runtime, switches+r.switches
	}
	fmt.Fprintf(b, "%s  %-22s | %10.3f ms | %8d |\n", line, "TOTAL:", ms(total), switches)
	return b.Flush()
}

// WriteMap writes what perf sched map prints: a column a CPU, the task that each
// runs, a star at the one that changed.
func (t *Trace) WriteMap(w io.Writer) error {
	b := bufio.NewWriter(w)
	names := make(map[schedsim.TaskID]string)
	current := make([]string, t.CPUs)
	for i := range current {
		current[i] = "   "
	}
	for _, s := range t.steps() {
		if s.Kind != schedsim.TraceSwitch {
			continue
		}
		short, first := ". ", false
		if s.Task != idle {
			var ok bool
			if short, ok = names[s.Task]; !ok {
				short, first = shortName(len(names)), true
				names[s.Task] = short
			}
		}
		current[s.CPU] = short
		b.WriteString(" ")
		for cpu, c := range current {
			mark := " "
			if int32(cpu) == s.CPU {
				mark = "*"
			}
			fmt.Fprintf(b, " %s%-2s", mark, c)
		}
		fmt.Fprintf(b, "  %5d.%06d secs", s.Time/1e9, s.Time%1e9/1e3)
		if first {
			fmt.Fprintf(b, " %s => %s:%d", short, t.comm(s.Task, s.CPU), pid(s.Task))
		}
		b.WriteString("\n")
	}
	return b.Flush()
}

// shortName is the n-th name of two characters: A0 to Z0, A1 ... Z9, then AA on.
func shortName(n int) string {
	const second = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return string(rune('A'+n%26)) + string(second[n/26%len(second)])
}
