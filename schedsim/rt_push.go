package schedsim

// Real-time tasks on several CPUs: the most urgent ones of the machine run. A
// task that cannot run at once on its CPU is pushed to one with less urgent
// work, and a CPU whose priority falls pulls.
//
// The kernel's order: where to wake, push after a wakeup, push after a switch,
// pull at a switch. A push or a pull may change its mind while it waits for the
// other runqueue's lock; here it takes no time before it is charged.

// cpupriFind fills lowestMask with the CPUs that t may run on and that have the
// least urgent work of all, if that is less urgent than t (cpupri_find). A CPU
// without real-time tasks counts the same whether it is idle or not. Since 5.11
// one that has deadline tasks is more urgent than any.
func (s *Sched) cpupriFind(t *Task) bool {
	least := t.prio
	for _, ci := range s.online {
		if !t.Allowed(int(ci)) {
			continue
		}
		p := s.rt[ci].highest(s)
		if len(s.dl[ci].queue) > 0 && s.since(5, 11) {
			continue
		}
		if p > least {
			least = p
			clear(s.lowestMask)
		}
		if p == least && p > t.prio {
			s.lowestMask.set(int(ci))
		}
	}
	return least > t.prio
}

// findLowestRQ is find_lowest_rq: of the CPUs with the least urgent work the
// one that the task ran on last, else the nearest one. -1 is none.
func (s *Sched) findLowestRQ(t *Task) int32 {
	if !s.migratory(t) || !s.cpupriFind(t) {
		return none
	}
	return s.nearest(t)
}

// nearest picks from lowestMask: the task's CPU, or, going up its domains, this
// CPU or the first one; since 5.11 the one after the last that was given.
func (s *Sched) nearest(t *Task) int32 {
	if s.lowestMask.has(int(t.cpu)) {
		return t.cpu
	}
	this := s.smp
	if !s.lowestMask.has(int(this)) {
		this = none
	}
	domains := s.cpus[t.cpu].domains
	for i := range domains {
		d := &domains[i]
		if !d.wakeAffine {
			continue
		}
		if this != none && d.mask.has(int(this)) {
			return this
		}
		if best := s.anyOf(d.mask); best != none {
			return best
		}
	}
	if this != none {
		return this
	}
	return s.anyOf(nil)
}

// anyOf returns a CPU of lowestMask that is in mask too (cpumask_any_and,
// since 5.11 cpumask_any_and_distribute), or none.
func (s *Sched) anyOf(mask cpuMask) int32 {
	first, after := none, none
	last := &s.rt[s.smp].last
	for _, ci := range s.online {
		if !s.lowestMask.has(int(ci)) || mask != nil && !mask.has(int(ci)) {
			continue
		}
		if first == none {
			first = ci
		}
		if ci > *last && after == none {
			after = ci
		}
	}
	if first == none || !s.since(5, 11) {
		return first
	}
	if after == none {
		after = first
	}
	*last = after
	return after
}

// selectTaskRQRT is select_task_rq_rt for wakeups and forks: the CPU before,
// unless that runs a real-time task that is as urgent or cannot go elsewhere.
func (s *Sched) selectTaskRQRT(t *Task) int32 {
	curr := s.Current(int(t.cpu))
	switch {
	case curr == nil || curr.class < classRT || s.migratory(curr) && curr.prio > t.prio:
		return t.cpu
	case curr.class == classDeadline && s.since(6, 12): // rt_task() is of 6.12 without deadline tasks
		return t.cpu
	}
	s.probeWork += 2 * s.cost.ProbeBase // the vectors of cpupri: NORMAL and one more
	if target := s.findLowestRQ(t); target != none {
		return target
	}
	return t.cpu
}

// taskWokenRT pushes if t waits behind a real-time task that will not make
// room (task_woken_rt).
func (s *Sched) taskWokenRT(by int32, t *Task) {
	c := &s.cpus[t.cpu]
	if c.curr == none || c.curr == t.ID || c.needResched || !s.migratory(t) {
		return
	}
	curr := &s.tasks[c.curr]
	if curr.class >= classRT && (!s.migratory(curr) || curr.prio <= t.prio) {
		s.pushRTTasks(by, t.cpu)
	}
}

// updateOverload keeps rto_mask: whether a CPU has real-time tasks that others
// could run. Up to 6.6 it is those that have more than one task of which one may
// move; since then, those that have something to push.
func (s *Sched) updateOverload(ci int32) {
	q := &s.rt[ci]
	over := len(q.queue) > 1 && q.migratory > 0
	if s.since(6, 7) {
		over = len(q.pushable) > 0
	}
	if over == s.rtoMask.has(int(ci)) {
		return
	}
	if over {
		s.rtoMask.set(int(ci))
		s.rtoCount++
	} else {
		s.rtoMask.clear(int(ci))
		s.rtoCount--
	}
}

// pushRTTasks pushes from ci while something is pushed; by does it, and pays.
func (s *Sched) pushRTTasks(by, ci int32) {
	for s.pushRTTask(by, ci) {
	}
}

// pushRTTask moves the most urgent pushable task of ci to the CPU with the
// least urgent work (push_rt_task). It reports whether it did.
func (s *Sched) pushRTTask(by, ci int32) bool {
	q, c := &s.rt[ci], &s.cpus[ci]
	if len(q.pushable) == 0 || !s.rtoMask.has(int(ci)) {
		return false
	}
	t := &s.tasks[q.pushable[0]]
	if c.curr != none && t.prio < s.tasks[c.curr].prio {
		s.reschedCurr(by, ci)
		return false
	}
	target := s.findLowestRQ(t)
	if target == none || target == ci {
		return false
	}
	s.count.RTPushes++
	s.moveOther(by, t, target)
	s.reschedCurr(by, target)
	return true
}

// moveOther moves a queued task that does not run and is not fair; by does it.
func (s *Sched) moveOther(by int32, t *Task, target int32) {
	c := &s.cpus[by]
	c.owedWork += s.cost.MoveTask
	c.owedStall += s.transfer(target, by, s.cost.QueueLines)
	s.dequeueTask(t, 0)
	s.setTaskCPU(t, target)
	s.enqueueTask(t, 0)
	s.trace.record(s.now, TraceMigrate, t.ID, target)
}

// pullRT brings more urgent work to ci, whose priority falls (pull_rt_task). Without
// RT_PUSH_IPI, as in 3.10 and in late stable releases, ci takes it from the runqueues
// of the others. With it, in all versions between, it interrupts the first CPU that has
// something to push, which pushes and interrupts the next; other CPUs that pull
// meanwhile only make that chain go round once more.
func (s *Sched) pullRT(ci int32) {
	if s.rtoCount == 0 || s.rtoCount == 1 && s.rtoMask.has(int(ci)) {
		return
	}
	if !s.k.RTPushIPI {
		s.pullRTTasks(ci)
		return
	}
	s.rtoLoopNext++
	if s.rtoCPU != none {
		return
	}
	if next := s.rtoNextCPU(); next != none {
		s.sendRTPush(ci, next)
	}
}

// sendRTPush interrupts to by irq_work; a CPU may interrupt itself.
func (s *Sched) sendRTPush(from, to int32) {
	if from != to {
		s.sendIPI(from, to, ipiRTPush)
		return
	}
	s.cpus[to].ipi |= ipiRTPush
	s.selfIPI(to)
}

// rtoNextCPU is rto_next_cpu: the next CPU in rto_mask after the last one, from
// the first again if somebody pulled since the round began, or none.
func (s *Sched) rtoNextCPU() int32 {
	for {
		for _, ci := range s.online {
			if ci > s.rtoCPU && s.rtoMask.has(int(ci)) {
				s.rtoCPU = ci
				return ci
			}
		}
		s.rtoCPU = none
		if s.rtoLoop == s.rtoLoopNext {
			return none
		}
		s.rtoLoop = s.rtoLoopNext
	}
}

// rtPushInterrupt is rto_push_irq_work_func on ci.
func (s *Sched) rtPushInterrupt(ci int32) {
	s.pushRTTasks(ci, ci)
	if next := s.rtoNextCPU(); next != none {
		s.sendRTPush(ci, next)
	}
}

// pullRTTasks takes from each other CPU its most urgent pushable task that is
// more urgent than what ci has, and not than what runs there.
func (s *Sched) pullRTTasks(ci int32) {
	for _, src := range s.online {
		if src == ci || !s.rtoMask.has(int(src)) || s.rt[src].next(s) >= s.rt[ci].highest(s) {
			continue
		}
		for _, id := range s.rt[src].pushable {
			t := &s.tasks[id]
			if !t.Allowed(int(ci)) {
				continue
			}
			// Who is more urgent than what runs there is about to run there: it has just woken.
			if curr := s.cpus[src].curr; t.prio < s.rt[ci].highest(s) && curr != none && t.prio >= s.tasks[curr].prio {
				s.count.RTPulls++
				s.moveOther(ci, t, ci)
				s.cpus[ci].needResched = true
			}
			break
		}
	}
}
