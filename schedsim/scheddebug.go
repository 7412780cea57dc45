package schedsim

import (
	"math"
	"time"
)

// What /sys/kernel/debug/sched/debug (/proc/sched_debug before 5.13) says of the
// runqueues, and what monitors make of it: the kernel test robot reads it every 60 s,
// takes each figure's mean, least, greatest and standard deviation over the CPUs, and
// the mean of those over its readings (lkp-tests, programs/sched_debug/parse).

// RunqueueDebug is what that file has of one CPU: of its runqueue (cpu#N) and of the
// root of its fair tasks (cfs_rq[N]:/).
type RunqueueDebug struct {
	CPU int
	// NrRunning is nr_running of the runqueue: tasks of all classes that run or wait.
	NrRunning int64
	// AvgIdle is avg_idle of the runqueue, ns.
	AvgIdle int64
	// CFSNrRunning is nr_running of the root: its entities, a group counts once.
	// HNrRunning is h_nr_running: the tasks in it and below. Both hold, since 6.12,
	// those that sleep with their dequeue delayed.
	CFSNrRunning, HNrRunning int64
	// MinVruntime and AvgVruntime are min_vruntime and avg_vruntime of the root, ms. A
	// version before 6.6 has no avg_vruntime: it is NaN then.
	MinVruntime, AvgVruntime float64
	QueueStats
}

// DebugFigure is a figure over the online CPUs at one instant, or the mean of such
// over several.
type DebugFigure struct {
	Name                  string // as the robot has it: "cfs_rq:/.h_nr_running"
	Avg, Min, Max, Stddev float64
	// Growth is by how much Avg rose in a second, from the first instant to the last;
	// NaN of one instant.
	Growth float64
}

// debugNames are the figures of DebugFigures, in the order of figures.
var debugNames = [...]string{
	"cpu.nr_running", "cpu.avg_idle",
	"cfs_rq:/.nr_running", "cfs_rq:/.h_nr_running", "cfs_rq:/.min_vruntime", "cfs_rq:/.avg_vruntime",
	"cfs_rq:/.load_avg", "cfs_rq:/.runnable_avg", "cfs_rq:/.util_avg",
}

func (d *RunqueueDebug) figures() [len(debugNames)]float64 {
	return [...]float64{
		float64(d.NrRunning), float64(d.AvgIdle),
		float64(d.CFSNrRunning), float64(d.HNrRunning), d.MinVruntime, d.AvgVruntime,
		float64(d.LoadAvg), float64(d.RunnableAvg), float64(d.UtilAvg),
	}
}

// SchedDebug returns what the file says now, by online CPU.
func (r *Simulation) SchedDebug() []RunqueueDebug {
	out := make([]RunqueueDebug, len(r.s.online))
	for i, ci := range r.s.online {
		out[i] = r.s.runqueueDebug(ci)
	}
	return out
}

func (s *Sched) runqueueDebug(ci int32) RunqueueDebug {
	c, q := &s.cpus[ci], &s.cfs[ci]
	d := RunqueueDebug{
		CPU: int(ci), NrRunning: int64(c.nrRunning), AvgIdle: c.avgIdle,
		CFSNrRunning: int64(q.nrRunning), HNrRunning: int64(q.hNr),
		MinVruntime: float64(q.minVruntime) / 1e6, AvgVruntime: math.NaN(),
		QueueStats: QueueStats{q.avg.load, q.avg.runnable, q.avg.util},
	}
	if s.eevdf {
		d.AvgVruntime = float64(s.averageVruntime(q)) / 1e6
	}
	return d
}

// DebugFigures returns the figures of one reading over its CPUs.
func DebugFigures(cpus []RunqueueDebug) []DebugFigure {
	if len(cpus) == 0 {
		return nil
	}
	var r debugReading
	for i := range cpus {
		r.add(&cpus[i])
	}
	var sum debugReadings
	sum.add(0, &r)
	return sum.figures()
}

// debugReading is what one reading sums up to.
type debugReading struct {
	n                       int
	sum, squares, low, high [len(debugNames)]float64
}

func (r *debugReading) add(d *RunqueueDebug) {
	for i, v := range d.figures() {
		if r.n == 0 {
			r.low[i], r.high[i] = v, v
		}
		r.low[i], r.high[i] = min(r.low[i], v), max(r.high[i], v)
		r.sum[i] += v
		// The conversion keeps compilers from fusing the sum.
		r.squares[i] += float64(v * v)
	}
	r.n++
}

// debugReadings sums the readings of a run up.
type debugReadings struct {
	every, next             int64 // ns
	n                       int
	avg, low, high, dev     [len(debugNames)]float64
	firstAvg, lastAvg       [len(debugNames)]float64
	firstReading, lastAfter int64 // ns
}

func (d *debugReadings) add(now int64, r *debugReading) {
	n := float64(r.n)
	for i := range debugNames {
		mean := r.sum[i] / n
		d.avg[i] += mean
		d.low[i] += r.low[i]
		d.high[i] += r.high[i]
		d.dev[i] += math.Sqrt(max(r.squares[i]/n-float64(mean*mean), 0))
		if d.n == 0 {
			d.firstAvg[i] = mean
		}
		d.lastAvg[i] = mean
	}
	if d.n == 0 {
		d.firstReading = now
	}
	d.lastAfter = now - d.firstReading
	d.n++
}

func (d *debugReadings) figures() []DebugFigure {
	if d.n == 0 {
		return nil
	}
	out := make([]DebugFigure, len(debugNames))
	n := float64(d.n)
	for i, name := range debugNames {
		out[i] = DebugFigure{name, d.avg[i] / n, d.low[i] / n, d.high[i] / n, d.dev[i] / n, math.NaN()}
		if d.lastAfter > 0 {
			out[i].Growth = (d.lastAvg[i] - d.firstAvg[i]) / (float64(d.lastAfter) / 1e9)
		}
	}
	return out
}

// ReadSchedDebug has the run read the runqueues in its measured time, at the ticks
// that are at least so far apart; DebugFigures has what came out. It is for
// Workload.Start, and changes nothing of what the run decides.
func (s *Sched) ReadSchedDebug(every time.Duration) { s.debug = &debugReadings{every: int64(every)} }

// DebugFigures returns the mean over the readings of the measured time so far, nil if
// there were none. It is for Meter.Metrics.
func (s *Sched) DebugFigures() []DebugFigure {
	if s.debug == nil {
		return nil
	}
	return s.debug.figures()
}

// readDebug reads the runqueues after a tick, when it is time.
func (s *Sched) readDebug() {
	d := s.debug
	if d == nil || s.now < d.next {
		return
	}
	d.next = s.now + d.every
	var r debugReading
	for _, ci := range s.online {
		one := s.runqueueDebug(ci)
		r.add(&one)
	}
	d.add(s.now, &r)
}

// restartDebug forgets the readings of before the measured time.
func (s *Sched) restartDebug() {
	if s.debug != nil {
		*s.debug = debugReadings{every: s.debug.every}
	}
}
