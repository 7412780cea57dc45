package schedsim

// Deadline tasks on several CPUs: the tasks with the earliest deadlines of the
// machine run, as real-time tasks do by priority.

// findLaterRQ is find_later_rq: a CPU without deadline tasks, else the one whose
// first deadline is the latest if that is later than the task's. -1 is none.
func (s *Sched) findLaterRQ(t *Task) int32 {
	if !s.migratory(t) {
		return none
	}
	clear(s.lowestMask)
	found, latest := false, none
	for _, ci := range s.online {
		d := s.dl[ci].earliest(s)
		if d == none {
			if t.Allowed(int(ci)) {
				found = true
				s.lowestMask.set(int(ci))
			}
		} else if latest == none || s.dlBefore(s.dl[latest].earliest(s), d) {
			latest = ci
		}
	}
	if !found {
		if latest == none || !t.Allowed(int(latest)) || !s.dlBefore(t.dl, s.dl[latest].earliest(s)) {
			return none
		}
		s.lowestMask.set(int(latest))
	}
	return s.nearest(t)
}

// selectTaskRQDL is select_task_rq_dl for wakeups.
func (s *Sched) selectTaskRQDL(t *Task) int32 {
	curr := s.Current(int(t.cpu))
	if curr == nil || curr.class != classDeadline || !s.migratory(t) || s.migratory(curr) && s.dlBefore(t.dl, curr.dl) {
		return t.cpu
	}
	s.probeWork += s.cost.ProbeBase
	if target := s.findLaterRQ(t); target != none {
		return target
	}
	return t.cpu
}

func (s *Sched) taskWokenDL(by int32, t *Task) {
	c := &s.cpus[t.cpu]
	if c.curr == none || c.curr == t.ID || c.needResched || !s.migratory(t) {
		return
	}
	if curr := &s.tasks[c.curr]; curr.class == classDeadline && (!s.migratory(curr) || !s.dlBefore(t.dl, curr.dl)) {
		s.pushDLTasks(by, t.cpu)
	}
}

func (s *Sched) pushDLTasks(by, ci int32) {
	for s.pushDLTask(by, ci) {
	}
}

// pushDLTask is push_dl_task; by does it, and pays.
func (s *Sched) pushDLTask(by, ci int32) bool {
	q, c := &s.dl[ci], &s.cpus[ci]
	if len(q.pushable) == 0 {
		return false
	}
	t := &s.tasks[s.dls[q.pushable[0]].task]
	if c.curr != none {
		if curr := &s.tasks[c.curr]; curr.class == classDeadline && s.dlBefore(t.dl, curr.dl) && s.migratory(curr) {
			s.reschedCurr(by, ci)
			return false
		}
	}
	target := s.findLaterRQ(t)
	if target == none || target == ci {
		return false
	}
	s.count.DLPushes++
	s.moveOther(by, t, target)
	s.reschedCurr(by, target)
	return true
}

// pullDL is pull_dl_task: ci takes the earliest deadlines that wait on other
// CPUs.
func (s *Sched) pullDL(ci int32) {
	if len(s.dls) == s.servers {
		return
	}
	for _, src := range s.online {
		if src == ci || len(s.dl[src].pushable) == 0 {
			continue
		}
		for _, d := range s.dl[src].pushable {
			t := &s.tasks[s.dls[d].task]
			if !t.Allowed(int(ci)) {
				continue
			}
			mine, curr := s.dl[ci].earliest(s), s.Current(int(src))
			if (mine == none || s.dlBefore(d, mine)) &&
				(curr == nil || curr.class != classDeadline || !s.dlBefore(d, curr.dl)) {
				s.count.DLPulls++
				s.moveOther(ci, t, ci)
				s.reschedCurr(ci, ci)
			}
			break
		}
	}
}
