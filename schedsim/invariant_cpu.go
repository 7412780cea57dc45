package schedsim

import "slices"

// A CPU's runqueue: its counts, what runs, and that nothing waits for it in vain.

// runqueue looks at struct rq of a CPU and at the tasks listed there.
func (c *checker) runqueue(ci int32) error {
	s := c.s
	p, root := &s.cpus[ci], &s.cfs[ci]
	listed, err := c.fairTasks(ci)
	if err != nil {
		return err
	}
	if p.nrRunning != root.hNr+c.otherRunning(ci) || root.hNr != listed {
		return onCPU(ci, "nr_running %d, h_nr_running %d; %d fair tasks are listed that no group holds back, and %d others",
			p.nrRunning, root.hNr, listed, c.otherRunning(ci))
	}
	if want := p.curr == none && p.nrRunning == 0 && len(p.wakeList) == 0; s.rq[ci].idle != want {
		return onCPU(ci, "idle_cpu is %v, want %v: current %d, nr_running %d, %d to wake", s.rq[ci].idle, want, p.curr, p.nrRunning, len(p.wakeList))
	}
	if err := c.current(ci); err != nil {
		return err
	}
	due, ipi := s.q.at(ci), s.q.at(s.ipiSlot(ci)) >= 0 || p.frozen
	switch {
	case (p.curr == none) != (p.act <= actExit):
		return onCPU(ci, "current task %d in activity %d", p.curr, p.act)
	case p.act == actIdle && due >= 0 || p.act != actIdle && !p.frozen && due < s.now:
		return onCPU(ci, "in activity %d its next event is at %d", p.act, due)
	case p.act > actExit && !p.frozen && due != p.end():
		return onCPU(ci, "what it does ends at %d, its event is at %d", p.end(), due)
	case p.act == actIdle && p.nrRunning > c.throttledCounted(ci):
		return onCPU(ci, "asleep with %d queued", p.nrRunning)
	case len(p.wakeList) > 0 && (p.ipi&ipiWakeList == 0 || p.act != actExit && !ipi):
		return onCPU(ci, "%d tasks are to be woken here and no interrupt is on its way: lost wakeups", len(p.wakeList))
	case len(p.unthrottle) > 0 && p.act == actIdle && !ipi:
		return onCPU(ci, "asleep with %d throttled queues to let go on", len(p.unthrottle))
	case (p.act == actSelect || p.act == actWake) != (p.wakee != none):
		return onCPU(ci, "activity %d with wakee %d", p.act, p.wakee)
	case p.tickStopped && !p.nohz:
		return onCPU(ci, "its tick is stopped, but it is not in the nohz mask")
	case p.activeBalance && s.tasks[s.stoppers+ci].state == taskSleeping:
		return onCPU(ci, "active balance waits for a migration thread that sleeps")
	}
	k := &c.cpu[ci]
	if on := p.nrRunning >= 2; on != k.overloaded {
		k.overloaded = on
		c.overloaded += step(on)
	}
	if on := p.act <= actExit; on != k.idle {
		k.idle = on
		c.idle += step(on)
	}
	return nil
}

// step is the change of a count by one more or one less.
func step(more bool) int {
	if more {
		return 1
	}
	return -1
}

// fairTasks looks at the fair tasks of a CPU and counts those that no throttled group
// holds back.
func (c *checker) fairTasks(ci int32) (listed int32, err error) {
	s := c.s
	idle, est := int32(0), uint32(0)
	for _, id := range s.cpus[ci].fairTasks {
		t := &s.tasks[id]
		e := &s.ents[t.se]
		if t.cpu != ci || !t.onRQ || t.class != classFair || !e.onRQ {
			return 0, t.breach("is listed on CPU %d, but says CPU %d, on_rq %v, class %d", ci, t.cpu, t.onRQ, t.class)
		}
		if want := t.group*int32(len(s.cpus)) + ci; e.cfs != want || e.parent != s.cfs[want].se || t.group != s.groupOf(t) {
			return 0, t.breach("of cgroup %d and session %d is in group %d, on cfs_rq %d below entity %d", t.cgroup, t.session, t.group, e.cfs, e.parent)
		}
		want := prioToWeight[t.nice+20] << fixedShift
		if t.policy == PolicyIdle {
			want = weightIdlePrio << fixedShift
			idle++
		}
		if e.load.weight != want {
			return 0, t.breach("nice %d, policy %d: weight %d, want %d", t.nice, t.policy, e.load.weight, want)
		}
		if err := c.placed(t); err != nil {
			return 0, err
		}
		if !e.delayed {
			est += max(e.avg.estEnqueued, e.avg.estEwma)
		}
		if s.cfs[e.cfs].throttleCount == 0 {
			listed++
		}
	}
	if got := s.cpus[ci].idleHNr; got != idle {
		return 0, onCPU(ci, "idle_h_nr_running %d, it has %d SCHED_IDLE tasks", got, idle)
	}
	if got := s.cfs[ci].avg.estEnqueued; got != est {
		return 0, onCPU(ci, "util_est.enqueued %d, its tasks make %d", got, est)
	}
	return listed, nil
}

// placed looks at a queued task: it may run where it is.
func (c *checker) placed(t *Task) error {
	if !t.Allowed(int(t.cpu)) && !c.s.leaves(t.ID) {
		return t.breach("is queued on a CPU that it may not use")
	}
	delayed := c.s.ents[t.se].delayed && t.class == classFair
	if (t.state == taskRunning) == delayed || t.state == taskDead {
		return t.breach("is queued in state %d, its dequeue delayed: %v", t.state, delayed)
	}
	return nil
}

// current looks at what runs: the current entities of all levels are those of the current
// task, and no other queue has one.
func (c *checker) current(ci int32) error {
	s := c.s
	id := s.cpus[ci].curr
	se := none
	if id != none {
		t := &s.tasks[id]
		if t.cpu != ci || !t.onRQ || t.state != taskRunning {
			return t.breach("runs on CPU %d, but says CPU %d, on_rq %v, state %d", ci, t.cpu, t.onRQ, t.state)
		}
		if t.class == classFair {
			se = t.se
		}
	}
	levels := 0
	for up := se; up != none; up = s.ents[up].parent {
		levels++
		if q := s.ents[up].cfs; s.cfs[q].curr != up || s.cfs[q].cpu != ci {
			return s.tasks[id].breach("runs, but the current entity of cfs_rq %d is %d, want %d", q, s.cfs[q].curr, up)
		}
	}
	for g := range s.groups {
		if s.cfs[g*len(s.cpus)+int(ci)].curr != none {
			levels--
		}
	}
	if levels != 0 {
		return onCPU(ci, "%d cfs_rqs have a current entity that is none of the current task %d", -levels, id)
	}
	return nil
}

// counts compares what is counted of all CPUs together.
func (c *checker) counts() error {
	s := c.s
	overloaded, idle, nohz := 0, 0, 0
	clear(c.llcNohz)
	for _, ci := range s.online {
		p := &s.cpus[ci]
		if p.nrRunning >= 2 {
			overloaded++
		}
		if p.act <= actExit {
			idle++
		}
		if p.nohz {
			nohz++
			c.llcNohz[p.llc]++
		}
	}
	if overloaded != s.nrOverloaded || idle != s.nrIdle || nohz != s.nohzCount {
		return inMachine("%d CPUs have two tasks or more, %d are idle, %d in the nohz mask; counted are %d, %d, %d",
			overloaded, idle, nohz, s.nrOverloaded, s.nrIdle, s.nohzCount)
	}
	for i := range s.llcs {
		if s.llcs[i].nohz != c.llcNohz[i] {
			return inMachine("last-level cache %d has %d CPUs in the nohz mask, counted are %d", i, c.llcNohz[i], s.llcs[i].nohz)
		}
	}
	return nil
}

// offlineCPU sees that nothing ever comes to a CPU that is not online.
func (c *checker) offlineCPU(ci int32) error {
	s := c.s
	p := &s.cpus[ci]
	if p.nrRunning > 0 || p.curr != none || len(p.wakeList) > 0 || p.nohz || p.ipi != 0 || len(p.domains) > 0 ||
		s.rq[ci].idle || s.rq[ci].written != 0 || s.q.at(ci) >= 0 || s.q.at(s.ipiSlot(ci)) >= 0 {
		return onCPU(ci, "is not online and in use: %+v", *p)
	}
	for _, other := range s.online {
		for _, d := range s.cpus[other].domains {
			if d.mask.has(int(ci)) {
				return onCPU(ci, "is not online and in domain %s of CPU %d", d.name, other)
			}
		}
	}
	return nil
}

// groups looks at the task groups: sums over CPUs, and the lists of those that have load.
func (c *checker) groups() error {
	s := c.s
	n := len(s.cpus)
	for g := 1; g < len(s.groups); g++ {
		tg := &s.groups[g]
		sum := int64(0)
		for ci := range n {
			q := &s.cfs[g*n+ci]
			e := &s.ents[q.se]
			sum += q.tgContrib
			if w := e.load.weight; w < minShares || w > max(tg.shares, nice0Load) && len(s.bandwidth) == 0 { // throttled, it keeps an old one
				return onCPU(int32(ci), "group %q: weight %d, want %d to %d", tg.name, w, minShares, tg.shares)
			}
			up := tg.parent*int32(n) + int32(ci)
			if e.cfs != up || e.parent != s.cfs[up].se || e.my != int32(g*n+ci) {
				return onCPU(int32(ci), "group %q: its entity is of cfs_rq %d below entity %d, want %d", tg.name, e.cfs, e.parent, up)
			}
			if q.nrRunning > 0 && q.throttleCount == 0 && !q.onLeaf {
				return onCPU(int32(ci), "group %q has %d entities and is not on the list of queues with load", tg.name, q.nrRunning)
			}
		}
		if sum != tg.loadAvg {
			return inMachine("group %q: load_avg %d, its CPUs contribute %d", tg.name, tg.loadAvg, sum)
		}
		if err := c.bandwidth(g); err != nil {
			return err
		}
	}
	for ci := range n {
		onLeaf := 0
		for g := range s.groups {
			if s.cfs[g*n+ci].onLeaf {
				onLeaf++
			}
		}
		leaf := s.cpus[ci].leaf
		if onLeaf != len(leaf) || !slices.IsSortedFunc(leaf, func(a, b int32) int { return int(b - a) }) {
			return onCPU(int32(ci), "list of groups with load %v, %d say that they are on it", leaf, onLeaf)
		}
	}
	return nil
}

// bandwidth sees who is throttled in a group.
func (c *checker) bandwidth(g int) error {
	s := c.s
	tg := &s.groups[g]
	b := &tg.cfsBandwidth
	switch {
	case b.runtime < 0:
		return inMachine("group %q has %d ns in its pool", tg.name, b.runtime)
	case b.periodActive && b.periodAt < s.now || b.slackAt != 0 && b.slackAt < s.now:
		return inMachine("group %q: period timer of %d or slack timer of %d is over", tg.name, b.periodAt, b.slackAt)
	}
	throttled := 0
	for ci := range s.cpus {
		q := &s.cfs[g*len(s.cpus)+ci]
		count := s.cfs[s.ents[q.se].cfs].throttleCount
		if q.throttled {
			count++
			throttled++
			if !slices.Contains(b.throttledList, s.cfsIndex(q)) {
				return onCPU(int32(ci), "group %q is throttled, but not listed to go on", tg.name)
			}
			// Up to 5.3 a throttled queue that still runs something takes runtime.
			if q.runtimeRemaining > 0 && !q.unthrottling && s.since(5, 4) || !b.periodActive {
				return onCPU(int32(ci), "group %q is throttled with %d ns left, timer %v", tg.name, q.runtimeRemaining, b.periodActive)
			}
		}
		if q.throttleCount != count {
			return onCPU(int32(ci), "group %q: throttle_count %d, want %d", tg.name, q.throttleCount, count)
		}
	}
	if throttled != len(b.throttledList) {
		return inMachine("group %q is throttled on %d CPUs, %d are listed", tg.name, throttled, len(b.throttledList))
	}
	return nil
}

// loads looks at what v3.10 and its like sum over CPUs.
func (c *checker) loads() error {
	s := c.s
	for i := range s.cfsV310 {
		if l := &s.cfsV310[i]; l.blocked < 0 || l.removed < 0 || l.decayCounter < 1 {
			return onCPU(s.cfs[i].cpu, "cfs_rq %d: blocked load %d, removed %d, decay counter %d", i, l.blocked, l.removed, l.decayCounter)
		}
	}
	for g := range s.groups {
		sum := int64(0)
		if s.pelt == peltV310 {
			for ci := range s.cpus {
				sum += s.cfsV310[g*len(s.cpus)+ci].tgRunnable
			}
		}
		if sum != s.groups[g].runnableAvg {
			return inMachine("group %q: runnable_avg %d, its CPUs contribute %d", s.groups[g].name, s.groups[g].runnableAvg, sum)
		}
	}
	for i := range s.cpuLoads {
		for j, l := range s.cpuLoads[i].load {
			if l < 0 {
				return onCPU(int32(i), "cpu_load[%d] is %d", j, l)
			}
		}
	}
	return nil
}
