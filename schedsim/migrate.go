package schedsim

// Moving queued tasks between runqueues.

// canMigrate reports whether load balancing may move t (can_migrate_task). A
// task that ran a moment ago is cache hot and stays, until balancing has
// failed too often.
func (s *Sched) canMigrate(env *lbEnv, t *Task) bool {
	if s.throttledLBPair(t, env.dst) {
		return false
	}
	if !t.Allowed(int(env.dst)) || s.cpus[t.cpu].curr == t.ID || t.switchedOut > s.now {
		return false // not allowed there, or running (p->on_cpu)
	}
	return !s.taskHot(env, t) || env.d.nrBalanceFailed > env.d.cacheNiceTries
}

func (s *Sched) taskHot(env *lbEnv, t *Task) bool {
	if env.d.smt {
		return false
	}
	e := &s.ents[t.se]
	q := &s.cfs[e.cfs]
	if s.cpus[env.dst].nrRunning > 0 && (q.next == t.se || q.last == t.se) {
		return true // CACHE_HOT_BUDDY
	}
	return s.now-e.execStart < s.k.SchedMigrationCost
}

// detachTasks moves up to env.imbalance worth of tasks from src to env.dst,
// those first that ran longest ago (detach_tasks, attach_tasks). It returns
// how many.
func (s *Sched) detachTasks(env *lbEnv, src int32) int {
	moved := 0
	c := &s.cpus[src]
	limit := min(s.k.SchedNrMigrate, int(c.nrRunning))
	for loop := 0; loop < limit && len(c.fairTasks) > 0 && env.imbalance > 0; loop++ {
		if env.idle != cpuNotIdle && c.nrRunning <= 1 {
			break
		}
		t := &s.tasks[c.fairTasks[0]]
		if !s.canMigrate(env, t) || !s.fitsImbalance(env, t) {
			c.toFront(t.ID)
			continue
		}
		s.moveTask(t, env.dst)
		moved++
	}
	return moved
}

// fitsImbalance reports whether t is not more than what is to be moved, and
// takes it off the rest.
func (s *Sched) fitsImbalance(env *lbEnv, t *Task) bool {
	switch env.kind {
	case migrateLoad:
		load := max(s.taskHLoad(t), 1)
		if load>>min(env.d.nrBalanceFailed, 63) > env.imbalance {
			return false
		}
		env.imbalance -= load
	case migrateUtil:
		a := &s.ents[t.se].avg
		util := max(a.util, int64(a.taskUtilEst()))
		if util > env.imbalance {
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
	s.dequeueTask(t, 0)
	s.setTaskCPU(t, dst)
	s.attachTask(t)
}

func (s *Sched) attachTask(t *Task) {
	s.enqueueTask(t, 0)
	s.count.LBMigrations++
	s.trace.record(s.now, TraceMigrate, t.ID, t.cpu)
	s.checkPreemptCurr(s.this, t)
}

// activeLoadBalance is the migration thread of ci: it runs instead of the
// current task, which thereby can be moved as well
// (active_load_balance_cpu_stop).
func (s *Sched) activeLoadBalance(ci int32) {
	c := &s.cpus[ci]
	c.activeBalance = false
	s.at(ci)
	d := s.domainAcross(c.pushCPU, ci)
	// The kernel wants nr_running > 1, the migration thread included.
	if d == nil || c.nrRunning < 1 {
		s.charge(ci, 0, s.cost.Stopper)
		return
	}
	env := lbEnv{d: d, dst: c.pushCPU, idle: cpuIdle}
	for _, id := range c.fairTasks {
		t := &s.tasks[id]
		if s.throttledLBPair(t, env.dst) || !t.Allowed(int(env.dst)) || s.taskHot(&env, t) && d.nrBalanceFailed <= d.cacheNiceTries {
			continue
		}
		s.count.ActiveBalances++
		d.nrBalanceFailed = 0
		if id != c.curr {
			s.charge(ci, 0, s.cost.Stopper)
			s.moveTask(t, env.dst)
			return
		}
		s.progress(c)
		t.stall, t.work = c.stall, c.work
		s.dequeueTask(t, 0)
		c.owedWork += s.cost.Stopper
		s.schedule(ci)
		s.at(ci)
		s.setTaskCPU(t, env.dst)
		s.attachTask(t)
		return
	}
	s.charge(ci, 0, s.cost.Stopper)
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

// toFront makes id the most recent.
func (c *cpu) toFront(id TaskID) {
	if n := len(c.fairTasks); n > 0 && c.fairTasks[n-1] == id {
		return
	}
	c.removeFair(id)
	c.addFair(id)
}
