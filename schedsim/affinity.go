package schedsim

import "fmt"

// sched_setaffinity of tasks that are there already.
//
// A task that runs where it may not run any longer stays until migration/N of its CPU has
// taken the CPU from it and moved it; one that waits is moved at once; one that sleeps wakes
// where it may. All versions do that, see __set_cpus_allowed_ptr; since 4.3 a fair task leaves
// its queue and comes back to it for the change itself.
//
// Left out: who asks does not wait for the migration thread (stop_one_cpu), and pays
// Costs.MoveTask and Costs.TTWU.

// OpSetAffinity works, then binds a task to the CPUs of mask Arg (Sched.Mask): that with
// TaskID Arg64-1, or with Arg64 0 the task itself. A deadline task keeps its CPUs, unless the
// mask has all (EBUSY); a dead one stays dead (ESRCH).
const OpSetAffinity OpKind = 41

// Mask makes a set of CPUs known that tasks will be bound to by OpSetAffinity, and returns its
// number for Op.Arg. It is for Workload.Start. CPUs that are not online do not count; a mask
// without others ends Run with an error (EINVAL).
func (s *Sched) Mask(cpus ...int) int32 {
	mask := newCPUMask(len(s.cpus))
	n := 0
	for _, c := range cpus {
		if s.isOnline(c) && !mask.has(c) {
			mask.set(c)
			n++
		}
	}
	switch n {
	case 0:
		s.failStart(fmt.Errorf("schedsim: workload %s has a mask of CPUs %v, none of which is online, use some of Machine.OnlineCPUs",
			s.w.Name(), cpus))
	case len(s.online):
		mask = s.onlineMask
	}
	s.masks = append(s.masks, mask)
	return int32(len(s.masks) - 1)
}

// affinityOp is the effect of OpSetAffinity. It reports whether the task goes on.
func (s *Sched) affinityOp(ci int32, t *Task) bool {
	who := t
	if id := t.op.Arg64 - 1; id >= 0 && id < int64(s.born) {
		who = &s.tasks[id]
	} else if id != -1 || int(t.op.Arg) >= len(s.masks) || t.op.Arg < 0 {
		s.failStart(fmt.Errorf("schedsim: workload %s binds task %d to mask %d, of %d tasks and %d masks", s.w.Name(), id, t.op.Arg, s.born, len(s.masks)))
		return true
	}
	if s.beingWoken(who) {
		// Who wakes it has p->pi_lock.
		t.inOp = true
		t.stall = s.cost.TTWU
		return true
	}
	mask := s.masks[t.op.Arg]
	if who.state != taskDead && (who.class != classDeadline || s.allOnline(mask)) {
		s.cpus[ci].owedWork += s.cost.MoveTask
		s.setAffinity(ci, who, mask)
	}
	return s.syscallEnd(ci)
}

// allOnline reports whether a mask is that of tasks without one of their own.
func (s *Sched) allOnline(m cpuMask) bool {
	return m == nil || s.onlineMask != nil && &m[0] == &s.onlineMask[0]
}

// beingWoken reports whether a CPU is choosing where a task is to wake.
func (s *Sched) beingWoken(t *Task) bool {
	if t.state != taskWaking {
		return false
	}
	for _, id := range s.cpus[t.cpu].wakeList {
		if id == t.ID {
			return false
		}
	}
	return true
}

// setAffinity is __set_cpus_allowed_ptr; by does it.
func (s *Sched) setAffinity(by int32, t *Task, mask cpuMask) {
	s.setAllowed(t, mask)
	if t.Allowed(int(t.cpu)) {
		return
	}
	switch running := s.cpus[t.cpu].curr == t.ID; {
	case running || t.state == taskWaking:
		if !s.leaves(t.ID) {
			s.leaving = append(s.leaving, t.ID)
		}
		s.cpus[by].owedWork += s.cost.TTWU
		s.wakeKthread(by, &s.tasks[s.stoppers+t.cpu])
	case t.onRQ:
		s.moveAway(by, t)
	}
}

// setAllowed is do_set_cpus_allowed.
func (s *Sched) setAllowed(t *Task, mask cpuMask) {
	if t.class == classFair && t.onRQ && s.since(4, 3) {
		if s.checks != nil {
			s.checks.requeued = true
		}
		running := s.cpus[t.cpu].curr == t.ID
		s.dequeueTask(t, deqSave)
		if running {
			s.putPrevTask(t)
		}
		t.allowed = mask
		s.enqueueTask(t, 0)
		if running {
			s.setNextTask(t, false)
		}
		return
	}
	was := s.migratory(t)
	t.allowed = mask
	if is := s.migratory(t); is != was && t.onRQ {
		s.migratoryChanged(t, is)
	}
}

// migratoryChanged follows a queued task of the classes above fair that may run on several
// CPUs from now on, or on one only (set_cpus_allowed_rt and _dl up to 4.2; later it leaves the
// queue for that, and keeps its place in it).
func (s *Sched) migratoryChanged(t *Task, is bool) {
	waits := s.cpus[t.cpu].curr != t.ID
	switch t.class {
	case classRT:
		q := &s.rt[t.cpu]
		if is {
			q.migratory++
			if waits {
				q.pushable = s.insertByPrio(q.pushable, t, false)
			}
		} else {
			q.migratory--
			q.pushable = without(q.pushable, t.ID)
		}
		s.updateOverload(t.cpu)
	case classDeadline:
		q := &s.dl[t.cpu]
		if !is {
			q.pushable = without(q.pushable, t.dl)
		} else if waits && s.dls[t.dl].onRQ {
			q.pushable = s.insertByDeadline(q.pushable, t.dl)
		}
	}
}

// moveAway moves a task that waits to a CPU that it may use (move_queued_task).
func (s *Sched) moveAway(by int32, t *Task) {
	dst := s.anyAllowed(by, t)
	s.dequeueTask(t, 0)
	s.setTaskCPU(t, dst)
	s.enqueueTask(t, 0)
	s.trace.record(s.now, TraceMigrate, t.ID, dst)
	s.checkPreemptCurr(by, t)
}

// anyAllowed is the CPU that a task moves to: the first that it may use (cpumask_any_and),
// since 5.8 the one after the last that this CPU chose (cpumask_any_and_distribute).
func (s *Sched) anyAllowed(by int32, t *Task) int32 {
	first := int32(t.allowed.first())
	if !s.since(5, 8) {
		return first
	}
	last := &s.rt[by].last
	for _, ci := range s.online {
		if ci > *last && t.Allowed(int(ci)) {
			*last = ci
			return ci
		}
	}
	*last = first
	return first
}

// leaves reports whether a task waits for a migration thread to take it where it may run.
func (s *Sched) leaves(id TaskID) bool {
	for _, v := range s.leaving {
		if v == id {
			return true
		}
	}
	return false
}

// moveLeaving is migration_cpu_stop on ci: the tasks go that may not run there. Those on the
// wake list come first, or they would be missed.
func (s *Sched) moveLeaving(ci int32) {
	if len(s.cpus[ci].wakeList) > 0 {
		s.ttwuPending(ci)
	}
	rest := s.leaving[:0]
	for _, id := range s.leaving {
		switch t := &s.tasks[id]; {
		case t.Allowed(int(t.cpu)) || !t.onRQ && t.state != taskWaking:
			// It went by itself, or sleeps and will wake where it may.
		case t.cpu != ci || !t.onRQ:
			rest = append(rest, id)
		default:
			s.moveAway(ci, t)
		}
	}
	s.leaving = rest
}
