package schedsim

// The loads of a CPU by which kernels up to 5.2 place and balance tasks, and its
// capacity.

// weightedCPULoad is weighted_cpuload: in 3.10 the weight of the queue, in 4.18
// the load of what is runnable there (runnable_load_avg).
//
// The latter is not tracked: it is taken for the load with sleepers, or 0 on a CPU
// on which nothing is runnable.
func (s *Sched) weightedCPULoad(cpu int) int64 {
	q := &s.cfs[cpu]
	if !s.since(3, 11) {
		return scaleDown(q.load.weight)
	}
	if q.hNr == 0 {
		return 0
	}
	return q.avg.load
}

// SourceLoad and TargetLoad are source_load and target_load: the load of a CPU to
// take a task from, which is guessed low, and to bring one to, which is guessed
// high. idx is the index into the averages of the last ticks plus 1; 0, which is
// what wakeups and forks ask for, is the present load.
//
// The averages (cpu_load[]) are not kept: every idx gives the present load.
func (s *Sched) SourceLoad(cpu, idx int) int64 { return s.weightedCPULoad(cpu) }

// TargetLoad is target_load; see SourceLoad.
func (s *Sched) TargetLoad(cpu, idx int) int64 { return s.weightedCPULoad(cpu) }

// avgLoadPerTask is cpu_avg_load_per_task.
func (s *Sched) avgLoadPerTask(cpu int) int64 {
	if nr := int64(s.cpus[cpu].nrRunning); nr > 0 {
		return s.weightedCPULoad(cpu) / nr
	}
	return 0
}

// smtGain is what all threads of a core with several are worth together until 5.0
// (sd->smt_gain).
const smtGain = 1178

// capacityOf is capacity_of, power_of in 3.10: until 5.0 the threads of a core
// share smtGain, since then each counts in full. What interrupts and other classes
// take of it is left out.
func (s *Sched) capacityOf(ci int32) int64 {
	if n := int64(len(s.smt[ci])); n > 1 && !s.since(5, 1) {
		return smtGain / n
	}
	return capacityScale
}

// groupCapacity is the capacity of a group (sgc->capacity).
func (s *Sched) groupCapacity(g *group) int64 {
	sum := int64(0)
	for _, ci := range g.cpus {
		sum += s.capacityOf(ci)
	}
	return sum
}
