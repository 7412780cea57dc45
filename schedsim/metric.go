package schedsim

import (
	"fmt"
	"math"
	"strings"
)

// Metric is one figure of a run. Names and units are stable: study files refer
// to them.
type Metric struct {
	Name  string // "involuntary-switches/s"
	Unit  string // "1/s"
	Value float64
}

// Meter is a Workload that measures more than one figure.
type Meter interface {
	// Metrics returns them. It is called once, at the end of the measured time,
	// after Workload.Measured. None may be infinite or not a number, and none may
	// have the name of a figure that every run has; see BuiltinMetrics. A figure
	// that this run has not measured is left out.
	Metrics(s *Sched) []Metric
}

// MetricThroughput is the name of the figure that Workload.Measured returns,
// whatever it is.
const MetricThroughput = "throughput"

// builtinMetric is a figure that every run has.
type builtinMetric struct {
	name, doc string
	count     func(c *Counters) int64
}

// builtinCounts are counted over all CPUs.
var builtinCounts = []builtinMetric{
	{"context-switches", "switches from one task to another or to idle, of any class",
		func(c *Counters) int64 {
			return c.VoluntarySwitches + c.InvoluntarySwitch + c.HighClassSwitches + c.KworkerSwitches
		}},
	{"voluntary-switches", "switches of tasks that blocked",
		func(c *Counters) int64 { return c.VoluntarySwitches }},
	{"involuntary-switches", "switches of tasks that were still runnable",
		func(c *Counters) int64 { return c.InvoluntarySwitch }},
	{"migrations", "changes of a task's CPU (se.nr_migrations), new tasks not counted",
		func(c *Counters) int64 { return c.Migrations }},
	{"cross-socket-migrations", "those of them to another socket",
		func(c *Counters) int64 { return c.MigrationsRemote }},
	{"interrupts", "ticks, timers and interrupts between CPUs (intr of /proc/stat, without those of devices)",
		func(c *Counters) int64 { return c.Interrupts }},
	{"wakeups", "try_to_wake_up that placed a task",
		func(c *Counters) int64 { return c.Wakeups }},
	{"cross-llc-wakeups", "those of them to another last-level cache than the task ran on before",
		func(c *Counters) int64 { return c.WakeupsRemote }},
	{"stacked-wakeups", "those of them to a CPU that was not idle",
		func(c *Counters) int64 { return c.WakeupsStacked }},
	{"kworker-wakeups", "of the governor ondemand's kworkers, each of them a sample",
		func(c *Counters) int64 { return c.KworkerWakeups }},
	{"decisions-differed", "decisions in which the patched and the base function differ, each evaluated in the state of this run",
		func(c *Counters) int64 { return c.ShadowDiffers }},
	{"decisions-acted", "those of them that would have sent a task to another CPU, or switched for it",
		func(c *Counters) int64 { return c.ShadowOther }},
	{"numa-pte-updates", "pages that NUMA balancing protected",
		func(c *Counters) int64 { return c.NUMAPTEUpdates }},
	{"numa-hint-faults", "hinting faults, one for a huge page",
		func(c *Counters) int64 { return c.NUMAHintFaults }},
	{"numa-hint-faults-local", "those of them on a page of the CPU's node",
		func(c *Counters) int64 { return c.NUMAHintFaultsLocal }},
	{"numa-pages-migrated", "pages moved to another node",
		func(c *Counters) int64 { return c.NUMAPagesMigrated }},
}

// BuiltinMetrics lists the figures that every run has, with what each is. Every
// count is there as a rate ("migrations/s") and for one unit of the workload's
// work ("migrations/work").
func BuiltinMetrics() []struct{ Name, Unit, Doc string } {
	out := []struct{ Name, Unit, Doc string }{
		{MetricThroughput, "", "the workload's figure of merit"},
		{"busy-time", "CPU s/s", "CPUs that were not idle, in the mean"},
		{"idle-overloaded-time", "CPU s/s", "CPUs that were idle while some CPU had a task waiting, in the mean"},
		{"runnable-tasks", "tasks", "tasks that run or wait (nr_running), a CPU, over the ticks"},
	}
	for _, b := range builtinCounts {
		out = append(out,
			struct{ Name, Unit, Doc string }{b.name + "/s", "1/s", b.doc + ", a second"},
			struct{ Name, Unit, Doc string }{b.name + "/work", "1", b.doc + ", for each unit of work done: " +
				"a MB where the throughput is in MB/sec, the whole run where it is a time"})
	}
	return out
}

// metrics are the built-in figures of a run on so many CPUs and the workload's
// own.
func (s *Sched) metrics(r *Result, cpus int) ([]Metric, error) {
	seconds := float64(r.MeasuredNS) / 1e9
	out := []Metric{{MetricThroughput, r.Unit, r.Throughput}}
	if seconds > 0 {
		out = append(out,
			Metric{"busy-time", "CPU s/s", float64(cpus) - float64(r.Counters.IdleNS)/1e9/seconds},
			Metric{"idle-overloaded-time", "CPU s/s", float64(r.Counters.IdleOverloadedNS) / 1e9 / seconds},
			Metric{"runnable-tasks", "tasks", s.meanRunnable()})
		work := workDone(r, seconds)
		for _, b := range builtinCounts {
			n := float64(b.count(&r.Counters))
			out = append(out, Metric{b.name + "/s", "1/s", n / seconds})
			if work > 0 {
				out = append(out, Metric{b.name + "/work", "1", n / work})
			}
		}
	}
	if m, ok := s.w.(Meter); ok {
		out = append(out, m.Metrics(s)...)
	}
	seen := make(map[string]bool, len(out))
	for _, m := range out {
		switch {
		case m.Name == "" || seen[m.Name]:
			return nil, fmt.Errorf("schedsim: workload %s: two metrics are named %q, give each a name of its own", s.w.Name(), m.Name)
		case math.IsNaN(m.Value) || math.IsInf(m.Value, 0):
			return nil, fmt.Errorf("schedsim: workload %s: metric %s is %v, leave out what was not measured", s.w.Name(), m.Name, m.Value)
		}
		seen[m.Name] = true
	}
	return out, nil
}

// workDone is how many units of work the run did: with a rate (a unit such as
// MB/sec) what it did at that rate, and else one, the run.
func workDone(r *Result, seconds float64) float64 {
	if strings.Contains(r.Unit, "/") {
		return r.Throughput * seconds
	}
	return 1
}

// Metric returns the figure of that name and whether the run has it.
func (r *Result) Metric(name string) (Metric, bool) {
	for _, m := range r.Metrics {
		if m.Name == name {
			return m, true
		}
	}
	return Metric{}, false
}
