package schedsim

import "math"

// The queues of the fair class: each sum is that of its parts, each order is one.

// tally is what the entities of a cfs_rq make together.
type tally struct {
	nr, hNr, custom      int32
	load, runnableWeight int64
	runnableLoad         int64
}

func (w *tally) add(s *Sched, e *entity) {
	w.nr++
	w.load += e.load.weight
	w.runnableWeight += e.runnableWeight
	w.runnableLoad += e.avg.load
	if e.customSlice {
		w.custom++
	}
	if e.my == none {
		w.hNr++
	} else {
		w.hNr += s.cfs[e.my].hNr
	}
}

// queues looks at the cfs_rqs of a CPU, the root's first. Each entity that says it is queued
// on this CPU is found in one of them, once.
func (c *checker) queues(ci int32) error {
	s := c.s
	c.stamp++
	entities, groups := int32(0), int32(0)
	for g := range s.groups {
		i := int32(g*len(s.cpus)) + ci
		q := &s.cfs[i]
		if q.se != none {
			e := &s.ents[q.se]
			if on := q.nrRunning > 0 && !q.throttled; on != (e.onRQ && !e.delayed) {
				return onCPU(ci, "cfs_rq %d of group %q has %d queued, throttled %v, and the on_rq of its entity is %v",
					i, s.groups[g].name, q.nrRunning, q.throttled, e.onRQ)
			}
			if e.onRQ {
				groups++
				if e.runnable != q.hNr && s.since(5, 7) {
					return onCPU(ci, "group entity %d: runnable_weight %d, h_nr_running is %d", q.se, e.runnable, q.hNr)
				}
			}
		}
		if q.minVruntime < c.minimum[i] {
			return onCPU(ci, "min_vruntime of cfs_rq %d goes back from %d to %d", i, c.minimum[i], q.minVruntime)
		}
		c.minimum[i] = q.minVruntime
		if err := c.queue(ci, i, q); err != nil {
			return err
		}
		entities += q.nrRunning
	}
	if want := int32(len(s.cpus[ci].fairTasks)) + groups; entities != want {
		return onCPU(ci, "its cfs_rqs have %d entities, but %d tasks and groups are queued", entities, want)
	}
	return nil
}

// queue looks at one cfs_rq.
func (c *checker) queue(ci, i int32, q *cfsRQ) error {
	s := c.s
	var sum tally
	if s.eevdf {
		if err := c.timeline(ci, i, q, &sum); err != nil {
			return err
		}
	}
	for k, v := range q.queue {
		e := &s.ents[v.se]
		switch {
		case e.cfs != i || !e.onRQ:
			return onCPU(ci, "entity %d is in cfs_rq %d, but says that it is in %d, on_rq %v", v.se, i, e.cfs, e.onRQ)
		case v.se == q.curr:
			return onCPU(ci, "entity %d is current of cfs_rq %d and also in its queue", v.se, i)
		case c.entitys[v.se] == c.stamp:
			return onCPU(ci, "entity %d is twice in the queue of cfs_rq %d", v.se, i)
		case v.vruntime != e.vruntime:
			return onCPU(ci, "entity %d is queued by vruntime %d and has %d", v.se, v.vruntime, e.vruntime)
		case k > 0 && q.queue[k-1].vruntime > v.vruntime:
			return onCPU(ci, "the queue of cfs_rq %d is not in order at entity %d", i, v.se)
		}
		c.entitys[v.se] = c.stamp
		sum.add(s, e)
	}
	if q.curr != none {
		if e := &s.ents[q.curr]; e.onRQ {
			if e.cfs != i || c.entitys[q.curr] == c.stamp {
				return onCPU(ci, "current entity %d of cfs_rq %d is in %d too", q.curr, i, e.cfs)
			}
			c.entitys[q.curr] = c.stamp
			sum.add(s, e)
		}
	}
	switch {
	case q.nrRunning != sum.nr || q.hNr != sum.hNr || q.load.weight != sum.load:
		return onCPU(ci, "cfs_rq %d: nr_running %d, h_nr_running %d, load %d; its entities make %d, %d, %d",
			i, q.nrRunning, q.hNr, q.load.weight, sum.nr, sum.hNr, sum.load)
	case q.customSlices != sum.custom:
		return onCPU(ci, "cfs_rq %d: %d entities have a slice of their own, counted are %d", i, sum.custom, q.customSlices)
	case s.pelt == peltV418 && q.runnableWeight != sum.runnableWeight:
		return onCPU(ci, "cfs_rq %d: runnable_weight %d, its entities make %d", i, q.runnableWeight, sum.runnableWeight)
	case s.pelt == peltV310 && s.cfsV310[i].runnable != sum.runnableLoad:
		return onCPU(ci, "cfs_rq %d: runnable_load_avg %d, its entities contribute %d", i, s.cfsV310[i].runnable, sum.runnableLoad)
	}
	for _, buddy := range [...]int32{q.next, q.last, q.skip} {
		if buddy != none && (s.ents[buddy].cfs != i || !s.ents[buddy].onRQ) {
			return onCPU(ci, "buddy %d of cfs_rq %d is not queued there", buddy, i)
		}
	}
	if a := &q.avg; a.load|a.loadSum|a.util|a.utilSum|a.runnable|a.runnableSum < 0 {
		return onCPU(ci, "cfs_rq %d has a negative average: %+v", i, *a)
	}
	return nil
}

// timeline looks at the order of EEVDF's queue and at the sums that V comes from, and that
// somebody is eligible.
func (c *checker) timeline(ci, i int32, q *cfsRQ, sum *tally) error {
	s := c.s
	avg, load, least, eligible := int64(0), int64(0), int64(math.MaxInt64), false
	for k, n := range q.timeline {
		e := &s.ents[n.se]
		w := scaleDown(e.load.weight)
		avg += (e.vruntime - q.minVruntime) * w
		load += w
		least = min(least, e.vruntime)
		switch {
		case e.cfs != i || !e.onRQ || n.se == q.curr:
			return onCPU(ci, "entity %d is in the timeline of cfs_rq %d, but says that it is in %d, on_rq %v, current %v",
				n.se, i, e.cfs, e.onRQ, n.se == q.curr)
		case c.entitys[n.se] == c.stamp:
			return onCPU(ci, "entity %d is twice in the timeline of cfs_rq %d", n.se, i)
		case n.deadline != e.deadline || n.vruntime != e.vruntime:
			return onCPU(ci, "entity %d is queued by deadline %d and vruntime %d and has %d and %d", n.se, n.deadline, n.vruntime, e.deadline, e.vruntime)
		case k > 0 && q.timeline[k-1].deadline > n.deadline:
			return onCPU(ci, "the timeline of cfs_rq %d is not in order at entity %d", i, n.se)
		case e.slice < 0 || e.relDeadline:
			return onCPU(ci, "queued entity %d has slice %d, its deadline is relative: %v", n.se, e.slice, e.relDeadline)
		}
		c.entitys[n.se] = c.stamp
		sum.add(s, e)
	}
	if avg != q.avgVruntime || load != q.avgLoad || load > 0 && least != q.timelineMin {
		return onCPU(ci, "cfs_rq %d: avg_vruntime %d, avg_load %d, least vruntime %d; its entities make %d, %d, %d",
			i, q.avgVruntime, q.avgLoad, q.timelineMin, avg, load, least)
	}
	if cur := q.curr; cur != none && s.ents[cur].onRQ {
		e := &s.ents[cur]
		// A running task that is moved into a throttled group may make a delayed
		// one above current, for as long as it takes to reschedule.
		if e.delayed && (e.my == none || !s.cpus[ci].needResched) {
			return onCPU(ci, "entity %d is current of cfs_rq %d and asleep (sched_delayed)", cur, i)
		}
		w := scaleDown(e.load.weight)
		avg += (e.vruntime - q.minVruntime) * w
		load += w
		eligible = avg >= (e.vruntime-q.minVruntime)*load
	}
	for k := 0; k < len(q.timeline) && !eligible; k++ {
		eligible = avg >= (q.timeline[k].vruntime-q.minVruntime)*load
	}
	if load > 0 && !eligible {
		return onCPU(ci, "nobody on cfs_rq %d is eligible", i)
	}
	return nil
}
