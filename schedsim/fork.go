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
		group:         s.sessions[1],
		session:       1,
		se:            s.taskEnts + id,
		lastWakee:     none,
		recentUsedCPU: ci,
		nextWaiter:    none,
		homeCore:      none,
		allowed:       s.onlineMask,
		class:         classFair,
		prio:          maxRTPrio + 20,
		dl:            none,
	}
	t := &s.tasks[id]
	e := &s.ents[t.se]
	*e = entity{my: none, task: id, parent: none}
	e.load.set(nice0Load)
	// init_entity_runnable_average: a new task starts with the load of its
	// weight.
	e.avg.load = 1024
	if s.pelt == peltV418 {
		e.avg.runnable, e.runnableWeight = e.avg.load, e.load.weight
	}
	s.setTaskRQ(t, ci)
	e.vruntime = 0
	return t
}

// fork is the end of a fork system call: the child is created, placed by the
// slow path and started; the parent goes on.
func (s *Sched) fork(ci int32, parent *Task, arg int32) {
	if parent.class == classDeadline {
		s.failStart(fmt.Errorf("schedsim: workload %s: task %d forks as a deadline task (EAGAIN)", s.w.Name(), parent.ID))
		return
	}
	child := s.newTask("", 0, ci)
	s.inheritGroup(parent, child)
	s.inherit(child, parent)
	child.allowed = parent.allowed
	child.state = taskSleeping // so that Born can give it a policy, a group and CPUs
	if s.parents != nil {
		s.parents[child.ID] = parent.ID
	}
	s.w.Born(s, parent, child, arg)

	if child.class == classFair {
		s.taskForkFair(parent, child)
	}
	child.recentUsedCPU = ci
	// The task struct is a copy of the parent's.
	child.wakeeFlips, child.lastWakee, child.wakeeFlipDecay = parent.wakeeFlips, parent.lastWakee, parent.wakeeFlipDecay

	s.at(ci)
	s.probeWork, s.probeStall = 0, 0
	target := ci
	if child.class == classRT {
		target = s.selectTaskRQRT(child)
	} else {
		target = int32(s.selectNewCPU(child, int(ci)))
	}
	if !child.Allowed(int(target)) {
		target = int32(s.selectFallbackRQ(child))
	}
	s.setTaskRQ(child, target)
	if s.pelt == peltV310 {
		s.forkV310(parent, child, ci)
	} else {
		s.postInitUtil(child)
	}
	s.unattached(child)
	child.state = taskRunning
	s.trace.record(s.now, TraceFork, child.ID, target)
	s.enqueueTask(child, enqInitial)
	s.checkPreemptCurr(ci, child)
	s.taskWoken(ci, child)
	c := &s.cpus[ci]
	c.owedWork += s.cost.Fork + s.probeWork
	c.owedStall += s.probeStall
}

// selectNewCPU is select_task_rq for a new task.
func (s *Sched) selectNewCPU(t *Task, thisCPU int) int {
	if cpu := t.allowed.only(); cpu >= 0 {
		return cpu
	}
	cpu := s.k.FindIdlestCPU(s, t, thisCPU, false)
	if !t.Allowed(cpu) {
		return s.selectFallbackRQ(t)
	}
	return cpu
}

// postInitUtil gives a new task half of what is left of the CPU
// (post_init_entity_util_avg).
func (s *Sched) postInitUtil(t *Task) {
	e := &s.ents[t.se]
	q := &s.cfs[e.cfs]
	room := (capacityScale - q.avg.util) / 2
	if room > 0 {
		if q.avg.util != 0 {
			w := e.load.weight
			if s.since(6, 12) {
				w = s.weightOf(t.se) // still in the other scale in v6.1
			}
			u := q.avg.util * w / (q.avg.load + 1)
			e.avg.util = min(u, room)
		} else {
			e.avg.util = room
		}
	}
	e.avg.runnable = e.avg.util
	if s.pelt == peltV418 {
		e.avg.runnable, e.runnableWeight = e.avg.load, e.load.weight
	}
	e.avg.lastUpdate = 0
}
