package schedsim

import (
	"fmt"
	"slices"
)

// otherTasks are the queued tasks of a CPU that are not fair, throttled ones
// included.
func (s *Sched) otherTasks(ci int32) []TaskID {
	list := slices.Clone(s.rt[ci].queue)
	if id := s.cpus[ci].stopTask; id != none {
		list = append(list, id)
	}
	for i := range s.dls {
		if id := s.dls[i].task; id != none {
			if t := &s.tasks[id]; t.class == classDeadline && t.onRQ && t.cpu == ci {
				list = append(list, id)
			}
		}
	}
	return list
}

// otherRunning is how many of them nr_running counts.
func (s *Sched) otherRunning(ci int32) int32 {
	n := int32(0)
	if s.cpus[ci].stopTask != none {
		n++
	}
	if q := &s.rt[ci]; !q.throttled || !s.since(3, 17) {
		n += int32(len(q.queue))
	}
	for _, d := range s.dl[ci].queue {
		if s.dls[d].task != none {
			n++
		}
	}
	return n
}

// verifyClasses checks the queues of the classes above fair.
func (s *Sched) verifyClasses() error {
	count := 0
	for _, ci := range s.online {
		c, q, dl := &s.cpus[ci], &s.rt[ci], &s.dl[ci]
		fail := func(format string, args ...any) error {
			return fmt.Errorf("CPU %d: %s", ci, fmt.Sprintf(format, args...))
		}
		migratory, idle := int32(0), int32(0)
		for i, id := range q.queue {
			t := &s.tasks[id]
			if t.class != classRT || t.cpu != ci || !t.onRQ || i > 0 && s.tasks[q.queue[i-1]].prio > t.prio {
				return fail("task %d at %d of %v: class %d, CPU %d", id, i, q.queue, t.class, t.cpu)
			}
			if !s.migratory(t) {
				continue
			}
			migratory++
			if slices.Contains(q.pushable, id) == (c.curr == id) {
				return fail("task %d pushable and current, or neither", id)
			}
		}
		if migratory != q.migratory || len(q.pushable) > int(migratory) {
			return fail("%d migratory of %v, counted %d", migratory, q.queue, q.migratory)
		}
		if q.queued != (len(q.queue) > 0 && !q.throttled) {
			return fail("rt_queued %v, throttled %v with %v", q.queued, q.throttled, q.queue)
		}
		if s.rtoMask.has(int(ci)) {
			count++
		}
		for i, d := range dl.queue {
			e := &s.dls[d]
			if !e.onRQ || e.throttled || s.dlCPU(e) != ci || i > 0 && s.dlBefore(d, dl.queue[i-1]) {
				return fail("deadline entity %d at %d of %v: %+v", d, i, dl.queue, *e)
			}
			if e.task == none {
				if s.cfs[ci].hNr == 0 {
					return fail("fair server queued without fair tasks")
				}
				continue
			}
			if t := &s.tasks[e.task]; t.dl != d || !t.onRQ || s.migratory(t) && slices.Contains(dl.pushable, d) == (c.curr == t.ID) {
				return fail("deadline task %d: %+v", e.task, *e)
			}
		}
		for _, d := range dl.pushable {
			if !slices.Contains(dl.queue, d) {
				return fail("pushable deadline entity %d is not queued", d)
			}
		}
		for _, id := range c.fairTasks {
			if s.tasks[id].policy == PolicyIdle {
				idle++
			}
		}
		if c.idleHNr != idle {
			return fail("%d SCHED_IDLE tasks, counted %d", idle, c.idleHNr)
		}
	}
	if count != s.rtoCount {
		return fmt.Errorf("%d overloaded CPUs, counted %d", count, s.rtoCount)
	}
	for i := range s.dls {
		if e := &s.dls[i]; e.timer != 0 && (e.pending == 0 || e.pending > e.timer) {
			return fmt.Errorf("deadline entity %d: timer %d, entry %d", i, e.timer, e.pending)
		}
	}
	return nil
}
