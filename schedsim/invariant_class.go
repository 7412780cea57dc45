package schedsim

import "slices"

// The classes above fair, and who goes before whom.

// otherRunning is how many tasks of a CPU that are not fair nr_running counts.
func (c *checker) otherRunning(ci int32) int32 {
	s := c.s
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

// throttledCounted is how many real-time tasks of a CPU are throttled and counted all the same,
// as in 3.10.
func (c *checker) throttledCounted(ci int32) int32 {
	if q := &c.s.rt[ci]; q.throttled && !c.s.since(3, 17) {
		return int32(len(q.queue))
	}
	return 0
}

// classes looks at the queues of the classes above fair.
func (c *checker) classes(ci int32) error {
	s := c.s
	p := &s.cpus[ci]
	if id := p.stopTask; id != none {
		if t := &s.tasks[id]; t.cpu != ci || !t.onRQ || t.class != classStop {
			return t.breach("is the stop task of CPU %d, but says CPU %d, on_rq %v, class %d", ci, t.cpu, t.onRQ, t.class)
		}
	}
	if err := c.realTime(ci); err != nil {
		return err
	}
	dl := &s.dl[ci]
	for i, d := range dl.queue {
		e := &s.dls[d]
		if !e.onRQ || e.throttled || s.dlCPU(e) != ci || i > 0 && s.dlBefore(d, dl.queue[i-1]) {
			return onCPU(ci, "deadline entity %d at %d of %v: %+v", d, i, dl.queue, *e)
		}
		if e.task == none {
			if s.cfs[ci].hNr == 0 {
				return onCPU(ci, "the fair server is queued without fair tasks")
			}
			continue
		}
		t := &s.tasks[e.task]
		if t.dl != d || !t.onRQ || t.class != classDeadline || s.migratory(t) && slices.Contains(dl.pushable, d) == (p.curr == t.ID) {
			return t.breach("deadline task at %d of %v, on_rq %v, pushable %v: %+v", i, dl.queue, t.onRQ, dl.pushable, *e)
		}
		if err := c.placed(t); err != nil {
			return err
		}
	}
	for _, d := range dl.pushable {
		if !slices.Contains(dl.queue, d) {
			return onCPU(ci, "pushable deadline entity %d is not queued", d)
		}
	}
	return nil
}

func (c *checker) realTime(ci int32) error {
	s := c.s
	p, q := &s.cpus[ci], &s.rt[ci]
	migratory := int32(0)
	for i, id := range q.queue {
		t := &s.tasks[id]
		if t.class != classRT || t.cpu != ci || !t.onRQ || i > 0 && s.tasks[q.queue[i-1]].prio > t.prio {
			return t.breach("is at %d of the real-time queue %v of CPU %d with class %d, CPU %d, on_rq %v, priority %d",
				i, q.queue, ci, t.class, t.cpu, t.onRQ, t.prio)
		}
		if err := c.placed(t); err != nil {
			return err
		}
		if !s.migratory(t) {
			continue
		}
		migratory++
		if slices.Contains(q.pushable, id) == (p.curr == id) {
			return t.breach("is pushable and current, or neither")
		}
	}
	switch {
	case migratory != q.migratory || len(q.pushable) > int(migratory):
		return onCPU(ci, "%d real-time tasks of %v may go elsewhere, counted are %d, pushable %v", migratory, q.queue, q.migratory, q.pushable)
	case q.queued != (len(q.queue) > 0 && !q.throttled):
		return onCPU(ci, "rt_queued is %v, throttled %v with %v", q.queued, q.throttled, q.queue)
	}
	return nil
}

// order sees that what runs is not below what waits, unless the CPU was told to reschedule.
func (c *checker) order(ci int32) error {
	s := c.s
	p := &s.cpus[ci]
	if p.curr == none {
		return nil
	}
	t := &s.tasks[p.curr]
	if k := &c.cpu[ci]; k.curr == p.curr && t.class != k.class {
		k.demoted = k.class == classDeadline && t.class == classRT
		k.class = t.class
	}
	if p.needResched || c.cpu[ci].curr == p.curr && c.cpu[ci].demoted {
		return nil
	}
	if p.stopTask != none && p.stopTask != p.curr {
		return t.breach("runs although the stop task %d waits, and nothing asks for another", p.stopTask)
	}
	if q := s.dl[ci].queue; len(q) > 0 {
		if d := q[0]; s.dls[d].task != none && (t.class < classDeadline || t.class == classDeadline && t.dl != d && s.dlBefore(d, t.dl)) {
			return t.breach("of class %d runs although deadline task %d goes before it, and nothing asks for another", t.class, s.dls[d].task)
		}
	}
	if q := &s.rt[ci]; q.queued && (t.class < classRT || t.class == classRT && s.tasks[q.queue[0]].prio < t.prio) {
		// With something in the deadline queue the fair server may have let it run.
		if len(s.dl[ci].queue) == 0 {
			return t.breach("of class %d and priority %d runs although real-time task %d goes before it, and nothing asks for another",
				t.class, t.prio, q.queue[0])
		}
	}
	if t.class == classFair && s.cfs[s.ents[t.se].cfs].throttleCount > 0 && s.since(5, 6) {
		return t.breach("runs although its group is out of its quota, and nothing asks for another")
	}
	return nil
}
