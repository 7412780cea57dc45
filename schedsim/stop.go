package schedsim

import "fmt"

// The stop class: a thread a CPU, migration/N, that runs before everything else
// and cannot be preempted. It does active load balancing.
//
// Who balances wakes it; it takes the CPU from the current task, which counts an
// involuntary switch if it is not the one that is moved away and comes back to it,
// and sleeps again.

// Operations of threads of the kernel, beside opFreqWork.
const (
	opStopWork  OpKind = 254 // active load balance
	opSugovWork OpKind = 253 // the slow path of schedutil
)

// buildHighClasses makes room for the threads of the higher classes behind the
// kworkers, of which n is the number of tasks so far, and returns the new one.
func (s *Sched) buildHighClasses(n int) int {
	cpus := len(s.cpus)
	s.rt, s.dl = make([]rtRQ, cpus), make([]dlRQ, cpus)
	s.lowestMask, s.rtoMask = newCPUMask(cpus), newCPUMask(cpus)
	s.rtoCPU = none
	for i := range s.rt {
		s.rt[i].runtime, s.rt[i].last, s.rt[i].oldStamp = rtRuntime, none, s.now
		s.rt[i].avg.lastUpdate, s.dl[i].avg.lastUpdate = s.now, s.now
	}
	s.buildServers()
	s.sugovs = none
	s.stoppers = int32(n)
	n += cpus
	if f := s.freq; f != nil && f.governor == governorSchedutil && !f.driver.fastSwitch {
		s.sugovs = int32(n)
		n += len(f.policies)
	}
	return n
}

// startHighClasses starts those threads, asleep.
func (s *Sched) startHighClasses() {
	for _, ci := range s.online {
		t := s.newKthread(s.stoppers+ci, fmt.Sprintf("migration/%d", ci), ci, opStopWork)
		t.class, t.policy, t.prio = classStop, PolicyFIFO, 0
		t.allowed = maskOf(len(s.cpus), []int{int(ci)})
	}
	if s.sugovs == none {
		return
	}
	for i := range s.freq.policies {
		cpus := s.freq.policies[i].cpus
		t := s.newKthread(s.sugovs+int32(i), fmt.Sprintf("sugov:%d", cpus[0]), cpus[0], opSugovWork)
		t.class, t.policy, t.prio = classDeadline, PolicyDeadline, -1
		t.dl = s.newDLEntity(t)
		s.dls[t.dl].special = true
		t.allowed = newCPUMask(len(s.cpus))
		for _, ci := range cpus {
			t.allowed.set(int(ci))
		}
	}
}

// newKthread makes a thread of the kernel, which is no task of the workload.
func (s *Sched) newKthread(id TaskID, name string, ci int32, op OpKind) *Task {
	t := &s.tasks[id]
	*t = Task{
		ID: id, Name: name, kthread: true, kthreadOp: op,
		class: classFair, prio: maxRTPrio + 20, dl: none,
		se: t.se, cpu: ci, state: taskSleeping,
		lastWakee: none, nextWaiter: none, recentUsedCPU: ci, homeCore: s.cpus[ci].core,
	}
	e := &s.ents[t.se]
	*e = entity{my: none, task: id, parent: none}
	e.load.set(nice0Load)
	s.setTaskRQ(t, ci)
	return t
}

// kthreadWork is how long a thread of the kernel works at a time.
func (s *Sched) kthreadWork(t *Task) int64 {
	if t.kthreadOp == opStopWork {
		// Costs.Stopper has both switches in it.
		return max(s.cost.Stopper-2*s.cost.Switch, 0)
	}
	return s.cost.FreqWork
}

// wakeStopper queues active balance on ci's migration thread (stop_one_cpu_nowait). What
// wakes it is the CPU that balances, be it for another one.
func (s *Sched) wakeStopper(ci int32) {
	s.lbWork += s.cost.TTWU
	s.wakeKthread(s.smp, &s.tasks[s.stoppers+ci])
}

// wakeKthread wakes a sleeping thread of the kernel where it slept. The caller
// charges it.
func (s *Sched) wakeKthread(by int32, t *Task) {
	if t.state != taskSleeping {
		return
	}
	t.state = taskWaking
	s.trace.record(s.now, TraceWakeup, t.ID, t.cpu)
	if s.ttwuQueueCond(by, t, t.cpu, false) {
		d := &s.cpus[t.cpu]
		d.wakeList = append(d.wakeList, t.ID)
		s.touch(t.cpu)
		s.sendIPI(by, t.cpu, ipiWakeList)
		return
	}
	s.activate(by, t)
}

func (s *Sched) enqueueTaskStop(t *Task) {
	s.cpus[t.cpu].stopTask = t.ID
	t.onRQ = true
	s.addNrRunning(t.cpu, 1)
}

func (s *Sched) dequeueTaskStop(t *Task) {
	s.updateCurrOther(t)
	s.cpus[t.cpu].stopTask = none
	t.onRQ = false
	s.addNrRunning(t.cpu, -1)
}

// stopWork is, at the end of the thread's work, migration_cpu_stop (see affinity.go) and
// active_load_balance_cpu_stop: one
// task of ci that may go to the CPU that asked for one goes, be it the one that
// the thread took the CPU from.
func (s *Sched) stopWork(ci int32) {
	if len(s.leaving) > 0 {
		s.moveLeaving(ci)
	}
	c := &s.cpus[ci]
	if !c.activeBalance {
		return
	}
	c.activeBalance = false
	s.at(ci)
	d := s.domainAcross(c.pushCPU, ci)
	if d == nil || c.nrRunning <= 1 {
		return
	}
	env := lbEnv{d: d, dst: c.pushCPU, src: ci, idle: cpuIdle}
	if id := s.taskToPush(&env); id != none {
		s.moveTask(&s.tasks[id], env.dst)
	}
}

// selfIPI raises an interrupt of a CPU at itself.
func (s *Sched) selfIPI(ci int32) {
	slot := s.ipiSlot(ci)
	if at := s.now + s.cost.IPISame; s.q.at(slot) < 0 || at < s.q.at(slot) {
		s.q.set(slot, at)
	}
}
