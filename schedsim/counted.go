package schedsim

// Counted returns what the run has counted since its measured time began. It is
// for Workload.Measured and Meter.Metrics.
func (s *Sched) Counted() Counters { return s.count }

// KernelSince reports whether the kernel is of release major.minor or later.
func (s *Sched) KernelSince(major, minor int) bool { return s.since(major, minor) }

// meanRunnable is the mean nr_running of the online CPUs over the ticks of the
// measured time, 0 if there was none.
func (s *Sched) meanRunnable() float64 {
	if s.runnableSamples == 0 {
		return 0
	}
	return float64(s.runnable) / float64(s.runnableSamples) / float64(len(s.online))
}
