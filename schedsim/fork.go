package schedsim

import "fmt"

// Creation and first placement of tasks.

// Spawn creates a task before the simulation starts: asleep, on a CPU, in the
// workload's group, to be started at a time in ns after the start.
//
// A CPU that is not online is an error, with which Run ends.
func (s *Sched) Spawn(name string, role int32, cpu int, at int64) *Task {
	if !s.isOnline(cpu) {
		s.failStart(fmt.Errorf("schedsim: workload %s starts %s on CPU %d, which is not online, use one of Machine.OnlineCPUs",
			s.w.Name(), name, cpu))
		cpu = int(s.online[0])
	}
	t := s.newTask(name, role, int32(cpu))
	t.state = taskSleeping
	s.timers.push(s.now+at, t.ID)
	s.armTimers()
	return t
}

// SetAffinity binds a task that did not run yet to CPUs (sched_setaffinity). Of
// those at least one has to be online, else Run ends with an error. A task that
// sleeps on another CPU wakes on one of these.
func (s *Sched) SetAffinity(t *Task, cpus ...int) {
	mask := newCPUMask(len(s.cpus))
	some := false
	for _, c := range cpus {
		if s.isOnline(c) {
			mask.set(c)
			some = true
		}
	}
	switch {
	case !some:
		s.failStart(fmt.Errorf("schedsim: workload %s binds %s to CPUs %v, none of which is online, use some of Machine.OnlineCPUs",
			s.w.Name(), t.Name, cpus))
	case t.state != taskSleeping || t.inOp:
		s.failStart(fmt.Errorf("schedsim: workload %s binds %s when it runs already, do it in Start", s.w.Name(), t.Name))
	default:
		t.allowed = mask
		if !mask.has(int(t.cpu)) {
			s.setTaskRQ(t, int32(mask.first()))
		}
	}
}

// failStart records the first error of a workload's start.
func (s *Sched) failStart(err error) {
	if s.startErr == nil {
		s.startErr = err
	}
}

func (s *Sched) isOnline(cpu int) bool {
	return cpu >= 0 && cpu < len(s.cpus) && s.cpus[cpu].core != offline
}

// newTask takes the next task struct and gives it default state.
func (s *Sched) newTask(name string, role, ci int32) *Task {
	if s.born == s.kworkers {
		panic("schedsim: workload creates more tasks than MaxTasks says")
	}
	id := s.born
	s.born++
	s.tasks[id] = Task{
		ID:            id,
		Name:          name,
		Role:          role,
		Rand:          Rand(s.seed ^ uint64(id+1)*0x9e3779b97f4a7c15),
		cpu:           ci,
		group:         s.taskGroup,
		se:            s.taskEnts + id,
		lastWakee:     none,
		recentUsedCPU: ci,
		homeCore:      none,
		allowed:       s.onlineMask,
	}
	t := &s.tasks[id]
	e := &s.ents[t.se]
	*e = entity{my: none, task: id, parent: none}
	e.load.set(nice0Load)
	// init_entity_runnable_average: a new task starts with the load of its
	// weight.
	e.avg.load = 1024
	s.setTaskRQ(t, ci)
	e.vruntime = 0
	return t
}

// fork is the end of a fork system call: the child is created, placed by the
// slow path and started; the parent goes on.
func (s *Sched) fork(ci int32, parent *Task, arg int32) {
	child := s.newTask("", 0, ci)
	s.w.Born(s, parent, child, arg)

	// task_fork_fair: placed on the parent's queue, relative to it.
	pq := &s.cfs[s.ents[parent.se].cfs]
	s.updateCurr(pq)
	e := &s.ents[child.se]
	e.vruntime = s.ents[parent.se].vruntime
	s.placeEntity(pq, child.se, true)
	e.vruntime -= pq.minVruntime
	child.recentUsedCPU = ci

	s.at(ci)
	s.probeWork, s.probeStall = 0, 0
	target := int32(s.k.FindIdlestCPU(s, child, int(ci)))
	s.setTaskRQ(child, target)
	s.postInitUtil(child)
	child.state = taskRunning
	s.trace.record(s.now, TraceFork, child.ID, target)
	s.enqueueTask(child, enqInitial)
	s.checkPreemptCurr(ci, child)
	c := &s.cpus[ci]
	c.owedWork += s.cost.Fork + s.probeWork
	c.owedStall += s.probeStall
}

// postInitUtil gives a new task half of what is left of the CPU
// (post_init_entity_util_avg).
func (s *Sched) postInitUtil(t *Task) {
	e := &s.ents[t.se]
	q := &s.cfs[e.cfs]
	room := (capacityScale - q.avg.util) / 2
	if room > 0 {
		if q.avg.util != 0 {
			u := q.avg.util * e.load.weight / (q.avg.load + 1)
			e.avg.util = min(u, room)
		} else {
			e.avg.util = room
		}
	}
	e.avg.runnable = e.avg.util
	e.avg.lastUpdate = 0
}

// findIdlestCPU walks down from the highest domain that balances forks to the
// idlest group and CPU (find_idlest_cpu as of 5.10).
func findIdlestCPU(s *Sched, t *Task, thisCPU int) int {
	cpu := int32(thisCPU)
	level := len(s.cpus[cpu].domains) - 1
	for level >= 0 {
		d := &s.cpus[cpu].domains[level]
		if !d.fork {
			level--
			continue
		}
		g := s.findIdlestGroup(d)
		if g == nil {
			level--
			continue
		}
		next := s.findIdlestGroupCPU(g, t, cpu)
		if next == cpu {
			level--
			continue
		}
		// Go on below the level just decided, as seen from the new CPU.
		cpu = next
		width := len(d.span)
		level = -1
		for l := range s.cpus[cpu].domains {
			if len(s.cpus[cpu].domains[l].span) >= width {
				break
			}
			level = l
		}
	}
	return int(cpu)
}

// groupType orders groups from least to most loaded (enum group_type).
type groupType uint8

const (
	groupHasSpare groupType = iota
	groupFullyBusy
	groupMisfit
	groupAsymPacking
	groupImbalanced
	groupOverloaded
)

// groupStats is struct sg_lb_stats.
type groupStats struct {
	g                       *group
	kind                    groupType
	load, util, runnable    int64
	capacity                int64
	nrRunning, hNr, idle    int
	weight                  int
	avgLoad                 int64
	overloaded, hasCapacity bool
}

// groupTypeOf classifies a group by its sums (group_classify).
func (s *Sched) groupTypeOf(st *groupStats, pct int) groupType {
	capacity, p := st.capacity, int64(pct)
	tight := capacity*p < st.runnable*100
	st.overloaded = st.nrRunning > st.weight && (capacity*100 < st.util*p || tight)
	st.hasCapacity = st.nrRunning < st.weight || !tight && capacity*100 > st.util*p
	switch {
	case st.overloaded:
		return groupOverloaded
	case st.g.imbalance:
		return groupImbalanced
	case st.hasCapacity:
		return groupHasSpare
	}
	return groupFullyBusy
}

// wakeGroupStats collects what find_idlest_group compares
// (update_sg_wakeup_stats). The kernel leaves the task itself out; a new one is
// in no sum yet.
func (s *Sched) wakeGroupStats(g *group, pct int) groupStats {
	st := groupStats{g: g, weight: len(g.cpus), capacity: int64(len(g.cpus)) * capacityScale}
	for _, ci := range g.cpus {
		c := &s.cpus[ci]
		s.probe(int(ci))
		st.load += s.cpuLoad(ci)
		st.util += s.cpuUtil(ci)
		st.runnable += s.cfs[ci].avg.runnable
		st.hNr += int(s.cfs[ci].hNr)
		st.nrRunning += int(c.nrRunning)
		if c.nrRunning == 0 && s.idle(ci) {
			st.idle++
		}
	}
	st.kind = s.groupTypeOf(&st, pct)
	if st.kind == groupFullyBusy || st.kind == groupOverloaded {
		st.avgLoad = st.load * capacityScale / st.capacity
	}
	return st
}

// findIdlestGroup returns the group to go to, or nil to stay in the local one
// (find_idlest_group).
func (s *Sched) findIdlestGroup(d *Domain) *group {
	local := s.wakeGroupStats(d.groups[0], d.imbalancePct)
	var best groupStats
	for _, g := range d.groups[1:] {
		st := s.wakeGroupStats(g, d.imbalancePct)
		if best.g == nil || idler(&st, &best) {
			best = st
		}
	}
	if best.g == nil || local.kind < best.kind {
		return nil
	}
	if local.kind > best.kind {
		return best.g
	}
	switch local.kind {
	case groupOverloaded, groupFullyBusy:
		imbalance := int64(capacityScale) * int64(d.imbalancePct-100) / 100
		if d.numa && best.avgLoad+imbalance >= local.avgLoad {
			return nil
		}
		if best.avgLoad >= local.avgLoad+imbalance {
			return nil
		}
		if 100*local.avgLoad <= int64(d.imbalancePct)*best.avgLoad {
			return nil
		}
	case groupHasSpare:
		// Across nodes a new task stays while its parent's node has an idle
		// CPU: until 5.11 forks fill one node before the next.
		if d.numa && local.idle > 0 {
			return nil
		}
		if local.idle >= best.idle {
			return nil
		}
	default:
		return nil
	}
	return best.g
}

// idler reports whether a is a better place than b (update_pick_idlest).
func idler(a, b *groupStats) bool {
	if a.kind != b.kind {
		return a.kind < b.kind
	}
	switch a.kind {
	case groupOverloaded, groupFullyBusy:
		return a.avgLoad < b.avgLoad
	case groupHasSpare:
		if a.idle != b.idle {
			return a.idle > b.idle
		}
		return a.util < b.util
	}
	return false
}

// findIdlestGroupCPU prefers the idle CPU that is quickest to wake, then the
// least loaded (find_idlest_group_cpu).
func (s *Sched) findIdlestGroupCPU(g *group, t *Task, thisCPU int32) int32 {
	if len(g.cpus) == 1 {
		return g.cpus[0]
	}
	shallowest, least := none, thisCPU
	exit, latest := int64(1<<62), int64(0)
	minLoad := int64(1 << 62)
	for _, ci := range g.cpus {
		if !t.Allowed(int(ci)) {
			continue
		}
		c := &s.cpus[ci]
		if s.idle(ci) {
			e := s.m.IdleStates[c.idleState].ExitLatency
			if e < exit || e == exit && c.idleStamp > latest {
				shallowest, exit, latest = ci, e, c.idleStamp
			}
		} else if shallowest == none {
			if load := s.cpuLoad(ci); load < minLoad {
				least, minLoad = ci, load
			}
		}
	}
	if shallowest != none {
		return shallowest
	}
	return least
}
