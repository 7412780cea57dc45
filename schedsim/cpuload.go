package schedsim

// The loads of a CPU by which kernels up to 5.2 place and balance tasks.

// weightedCPULoad is weighted_cpuload: in 3.10 the weight of the queue, in 4.18
// the load of what is runnable there (runnable_load_avg).
//
// The latter is not tracked: it is taken for the load with sleepers, or 0 on a CPU
// on which nothing is runnable.
func (s *Sched) weightedCPULoad(ci int32) int64 {
	q := &s.cfs[ci]
	if !s.since(3, 11) {
		return scaleDown(q.load.weight)
	}
	if q.hNr == 0 {
		return 0
	}
	return q.avg.load
}

// sourceLoad is source_load, a low guess at the load of a CPU to take a task from.
// typ is the index into the averages of the last ticks plus 1; 0, which is what
// wakeups and forks ask for, is the present load.
//
// The averages (cpu_load[]) are not kept: every type gives the present load.
func (s *Sched) sourceLoad(ci int32, typ int) int64 { return s.weightedCPULoad(ci) }

// targetLoad is target_load, a high guess at the load of a CPU to bring a task to;
// see sourceLoad.
func (s *Sched) targetLoad(ci int32, typ int) int64 { return s.weightedCPULoad(ci) }

// cpuAvgLoadPerTask is cpu_avg_load_per_task.
func (s *Sched) cpuAvgLoadPerTask(ci int32) int64 {
	if nr := int64(s.cpus[ci].nrRunning); nr > 0 {
		return s.weightedCPULoad(ci) / nr
	}
	return 0
}
