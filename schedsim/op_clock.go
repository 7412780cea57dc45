package schedsim

// OpReadClock works, then reads the task's CPU time clock (CLOCK_THREAD_CPUTIME_ID), which
// makes the kernel charge the running task up to now (task_sched_runtime, update_curr). With
// EEVDF that may end its slice between ticks. Sched.TaskStats has the time that it reads.
const OpReadClock OpKind = 40

// clockRead charges the current task of ci, and reports whether it goes on at once.
func (s *Sched) clockRead(ci int32, t *Task) bool {
	s.at(ci)
	if t.class == classFair {
		s.updateCurr(&s.cfs[s.ents[t.se].cfs])
	}
	if s.cpus[ci].needResched {
		s.reschedAfterSyscall(ci)
		return false
	}
	return true
}
