package workload

import (
	"math"
	"strings"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// The kernel test robot's monitor of /sys/kernel/debug/sched/debug (lkp-tests,
// programs/proc-vmstat/monitor and programs/sched_debug/parse).
const (
	// robotInterval is the time between its readings, of which the first is before the
	// job starts: 60 s.
	robotInterval = 60.0
	// debugEvery is the time between readings of the measured time, in which nothing
	// changes but by chance: their mean is what a reading has.
	debugEvery = 10 * time.Millisecond
)

// jobDebug are the figures of a job that takes so many seconds as the robot has them,
// named job-sched_debug.*, from those of the measured time: the mean over readings
// of which the first finds the machine idle and those after 60, 120 s and so on find
// it as it was in the measured time. So a job that takes longer has another mean,
// though its runqueues are the same.
//
// What adds up from the start, avg_vruntime and nr_switches, grows from zero at the
// rate of the measured time; how far CPUs are apart in it after minutes is not known
// then, so that of these there is the mean alone.
func jobDebug(s *schedsim.Sched, job, seconds float64) []schedsim.Metric {
	figures := s.DebugFigures()
	if figures == nil {
		return nil
	}
	busy := math.Floor(job / robotInterval) // readings while it runs
	share := busy / (busy + 1)
	// The mean over the readings of what grows by one in a second.
	grown := robotInterval * busy / 2
	var out []schedsim.Metric
	add := func(name, unit string, v float64) {
		out = append(out, schedsim.Metric{Name: "job-sched_debug." + name, Unit: unit, Value: v})
	}
	c := s.Counted()
	switches := c.VoluntarySwitches + c.InvoluntarySwitch + c.HighClassSwitches + c.KworkerSwitches
	add("cpu.nr_switches.avg", "1", float64(switches)/seconds/float64(len(s.Machine().OnlineCPUs()))*grown)
	for _, f := range figures {
		switch {
		case strings.HasSuffix(f.Name, "_vruntime"):
			if !math.IsNaN(f.Growth) {
				add(f.Name+".avg", "ms", f.Growth*grown)
			}
		case f.Name == "cpu.avg_idle":
			// It changes only where a CPU goes idle, too seldom for a simulated second.
		default:
			add(f.Name+".avg", "1", f.Avg*share)
			add(f.Name+".max", "1", f.Max*share)
			add(f.Name+".stddev", "1", f.Stddev*share)
		}
	}
	return out
}
