package schedsim

import "fmt"

// Per-CPU kworkers: fair tasks of the root group with nice 0, bound to their
// CPU, that sleep until work is queued. They are no tasks of the workload.

// opFreqWork is a kworker's only operation: it works, samples the load of its
// CPU's policy, and sleeps.
const opFreqWork OpKind = 255

// startKworkers puts a kworker on each CPU. They are as old as the machine:
// without load.
func (s *Sched) startKworkers() {
	if s.nrKworkers() == 0 {
		return
	}
	for _, ci := range s.online {
		t := s.newKthread(s.kworkers+ci, fmt.Sprintf("kworker/%d:0", ci), ci, opFreqWork)
		t.allowed = maskOf(len(s.cpus), []int{int(ci)})
	}
}

// irqWork raises an interrupt of a CPU at itself (irq_work_queue).
func (s *Sched) irqWork(ci int32) {
	s.cpus[ci].ipi |= ipiIRQWork
	s.selfIPI(ci)
}

// nrKworkers is how many kworkers there are.
func (s *Sched) nrKworkers() int {
	if s.freq != nil && s.freq.governor == governorOndemand {
		return len(s.cpus)
	}
	return 0
}

// freqIRQWork is that interrupt: it hands the change of frequency to a thread.
func (s *Sched) freqIRQWork(ci int32) {
	f := s.freq
	if f.governor != governorOndemand {
		s.sugovWake(ci, f.policyOf[ci])
		return
	}
	t := &s.tasks[s.kworkers+ci]
	if t.state != taskSleeping {
		return
	}
	s.count.KworkerWakeups++
	s.steal(ci, s.cost.TTWU)
	t.state = taskWaking
	s.taskWaking(t)
	if s.ttwuRunnable(ci, t) {
		return
	}
	s.trace.record(s.now, TraceWakeup, t.ID, ci)
	s.activate(ci, t)
}

// steal makes whatever ci does, or does next, take longer.
func (s *Sched) steal(ci int32, work int64) {
	if c := &s.cpus[ci]; c.act <= actExit {
		c.owedWork += work
		return
	}
	s.charge(ci, 0, work)
}

// nextOp is the task's next operation.
func (s *Sched) nextOp(t *Task) Op {
	if t.kthread {
		return Op{Kind: t.kthreadOp, Work: s.kthreadWork(t)}
	}
	return s.w.Next(s, t)
}

// frequencyTotals returns the time in C0 in ns, the cycles in it, and the time
// that kworkers ran in ns, each over all CPUs since the start.
func (s *Sched) frequencyTotals() (c0, cycles, kworkerNS int64) {
	for _, ci := range s.online {
		s.countCycles(ci)
		c0 += s.freq.cpu[ci].c0
		cycles += s.freq.cpu[ci].cycles / 1000
	}
	for i := range s.nrKworkers() {
		kworkerNS += s.ents[s.tasks[int(s.kworkers)+i].se].sumExec
	}
	return c0, cycles, kworkerNS
}
