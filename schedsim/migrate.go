package schedsim

// Moving queued tasks between runqueues.

// canMigrate reports whether load balancing may move t (can_migrate_task). A
// task that ran a moment ago is cache hot and stays, until balancing has
// failed too often.
func (s *Sched) canMigrate(env *lbEnv, t *Task) bool {
	if s.throttledLBPair(t, env.dst) {
		return false
	}
	if s.since(5, 12) && t.kthread && t.allowed.only() >= 0 {
		return false // a kernel thread of one CPU
	}
	if !t.Allowed(int(env.dst)) {
		s.pinned(env, t)
		return false
	}
	env.flags &^= lbfAllPinned
	if s.cpus[t.cpu].curr == t.ID {
		return false // running (p->on_cpu)
	}
	return !s.tooHot(env, t) || env.d.nrBalanceFailed > env.d.cacheNiceTries
}

// pinned notes that a task may not run on env.dst, and another CPU of its group where it
// may.
func (s *Sched) pinned(env *lbEnv, t *Task) {
	env.flags |= lbfSomePinned
	if env.idle == cpuNewlyIdle || env.flags&lbfDstPinned != 0 {
		return
	}
	for _, ci := range env.d.groups[0].cpus {
		if t.Allowed(int(ci)) && s.takesPart(env, ci) {
			env.flags |= lbfDstPinned
			env.newDst = ci
			return
		}
	}
}

// taskHot is task_hot. Since v5.10 siblings share what is hot.
func (s *Sched) taskHot(env *lbEnv, t *Task) bool {
	if env.d.smt && s.since(5, 10) {
		return false
	}
	e := &s.ents[t.se]
	q := &s.cfs[e.cfs]
	busy := env.dst
	if !s.since(3, 12) {
		busy = s.this // whoever balances
	}
	if s.cpus[busy].nrRunning > 0 && (q.next == t.se || q.last == t.se && !s.since(6, 6)) {
		return true // CACHE_HOT_BUDDY
	}
	return s.now-e.execStart < s.k.SchedMigrationCost
}

// migrateBreak is sched_nr_migrate_break.
const migrateBreak = 32

// detachTasks moves up to env.imbalance worth of tasks from env.src to env.dst,
// those first that ran longest ago (detach_tasks, attach_tasks), and in v3.10 those that
// were queued last (move_tasks). It returns how many.
func (s *Sched) detachTasks(env *lbEnv) int {
	moved := 0
	c := &s.cpus[env.src]
	newest := !s.since(4, 15)
	if c.nrRunning <= 1 && s.since(5, 12) {
		env.flags &^= lbfAllPinned // emptied meanwhile
		return 0
	}
	s.lbWork += s.switchEnds(env.src)
	s.lb.detached = s.lb.detached[:0]
	for len(c.fairTasks) > 0 && env.imbalance > 0 {
		if env.idle != cpuNotIdle && c.nrRunning <= 1 && s.since(3, 19) {
			break
		}
		env.loop++
		if env.loop > env.loopMax && !(env.flags&lbfAllPinned != 0 && s.since(6, 1) && !s.since(6, 12)) {
			break
		}
		if env.loop > env.loopBreak {
			env.loopBreak += migrateBreak
			env.flags |= lbfNeedBreak
			break
		}
		id := c.fairTasks[0]
		if newest {
			id = c.fairTasks[len(c.fairTasks)-1]
		}
		t := &s.tasks[id]
		switch {
		case !s.canMigrate(env, t) || !s.fitsImbalance(env, t):
			if newest {
				c.toBack(id)
			} else {
				c.toFront(id)
			}
			continue
		case !newest:
			s.detachTask(t, env.dst)
			s.lb.detached = append(s.lb.detached, id)
		default:
			s.moveTask(t, env.dst)
		}
		moved++
		if env.idle == cpuNewlyIdle && s.k.NewidlePullsOne {
			break
		}
	}
	// What was detached last is attached first.
	for i := len(s.lb.detached) - 1; i >= 0; i-- {
		s.attachTask(&s.tasks[s.lb.detached[i]])
	}
	return moved
}

// longestSwitch bounds how long a pass waits for a context switch, ns. A switch begins with what
// its CPU owes, of which a newly idle pass may be the most: up to half a millisecond with 2,000
// tasks on 224 CPUs. Without a bound CPUs that balance at one tick would wait for each other's
// waits, which doubled within a tick until the time overflowed.
const longestSwitch = 1e6

// switchEnds is how long a CPU is still in a context switch, ns. It holds its runqueue's
// lock until that ends, so that no pass ever finds a task between two states.
func (s *Sched) switchEnds(ci int32) int64 {
	wait := int64(0)
	for _, id := range s.cpus[ci].fairTasks {
		wait = max(wait, s.tasks[id].switchedOut-s.now)
	}
	return min(wait, longestSwitch)
}

// fitsImbalance reports whether t is not more than what is to be moved, and
// takes it off the rest.
func (s *Sched) fitsImbalance(env *lbEnv, t *Task) bool {
	failed := min(env.d.nrBalanceFailed, 63)
	switch env.kind {
	case migrateLoad:
		load := s.taskHLoad(t)
		switch {
		case !s.since(5, 5):
			if load/2 > env.imbalance {
				return false
			}
			env.imbalance -= load
			return true
		case !s.since(5, 10):
			load = max(load, 1)
			if load/2 > env.imbalance && env.d.nrBalanceFailed <= env.d.cacheNiceTries {
				return false
			}
			env.imbalance -= load
			return true
		}
		load = max(load, 1)
		if load>>failed > env.imbalance {
			return false
		}
		env.imbalance -= load
	case migrateUtil:
		a := &s.ents[t.se].avg
		util := max(a.util, int64(a.taskUtilEst()))
		if !s.since(6, 12) {
			failed = 0
		}
		if util>>failed > env.imbalance {
			return false
		}
		env.imbalance -= util
	case migrateTask:
		env.imbalance--
	}
	return true
}

// moveTask takes a queued task that does not run off its CPU and queues it on
// dst.
func (s *Sched) moveTask(t *Task, dst int32) {
	s.detachTask(t, dst)
	s.attachTask(t)
}

func (s *Sched) detachTask(t *Task, dst int32) {
	s.dequeueTask(t, 0)
	s.setTaskCPU(t, dst)
}

func (s *Sched) attachTask(t *Task) {
	s.enqueueTask(t, 0)
	s.count.LBMigrations++
	s.trace.record(s.now, TraceMigrate, t.ID, t.cpu)
	s.checkPreemptCurr(s.this, t)
}

// taskToPush is detach_one_task without the detaching, in v3.10 move_one_task: the first
// task that may go, in the order of detachTasks, or none.
func (s *Sched) taskToPush(env *lbEnv) TaskID {
	c := &s.cpus[env.src]
	for i := range c.fairTasks {
		id := c.fairTasks[i]
		if !s.since(4, 15) {
			id = c.fairTasks[len(c.fairTasks)-1-i]
		}
		if !s.canPush(env, &s.tasks[id]) {
			continue
		}
		s.count.ActiveBalances++
		if s.since(3, 12) {
			env.d.nrBalanceFailed = 0
		}
		return id
	}
	return none
}

// canPush is can_migrate_task for the migration thread, which runs instead of the task
// that was current.
func (s *Sched) canPush(env *lbEnv, t *Task) bool {
	if s.throttledLBPair(t, env.dst) || !t.Allowed(int(env.dst)) || s.since(5, 12) && t.kthread && t.allowed.only() >= 0 {
		return false
	}
	return s.since(5, 12) || !s.tooHot(env, t) || env.d.nrBalanceFailed > env.d.cacheNiceTries
}

// domainAcross returns the lowest domain of ci that spans other, or nil.
func (s *Sched) domainAcross(ci, other int32) *Domain {
	domains := s.cpus[ci].domains
	for i := range domains {
		if d := &domains[i]; d.mask.has(int(other)) {
			return d
		}
	}
	return nil
}

// fairTasks is rq->cfs_tasks with the tail first: tasks that were enqueued or
// ran longest ago come first.

func (c *cpu) addFair(id TaskID) { c.fairTasks = append(c.fairTasks, id) }

func (c *cpu) removeFair(id TaskID) {
	for i, v := range c.fairTasks {
		if v == id {
			copy(c.fairTasks[i:], c.fairTasks[i+1:])
			c.fairTasks = c.fairTasks[:len(c.fairTasks)-1]
			return
		}
	}
	panic("schedsim: task not on its runqueue's list")
}

// toBack makes id the one that was queued longest ago.
func (c *cpu) toBack(id TaskID) {
	c.removeFair(id)
	c.fairTasks = append(c.fairTasks, id)
	copy(c.fairTasks[1:], c.fairTasks)
	c.fairTasks[0] = id
}

// toFront makes id the most recent.
func (c *cpu) toFront(id TaskID) {
	if n := len(c.fairTasks); n > 0 && c.fairTasks[n-1] == id {
		return
	}
	c.removeFair(id)
	c.addFair(id)
}
