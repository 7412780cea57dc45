package schedsim

import "fmt"

// Task groups (CONFIG_FAIR_GROUP_SCHED), as the cpu controller of cgroups makes
// them: creating, nesting and weighing them, and moving tasks between them. The
// group that a task starts in is its session's; see autogroup.go.
//
// Groups are never removed. A group of SCHED_IDLE (cpu.idle, since 5.15) is left
// out.

// taskGroup is struct task_group. Group 0 is the root. A group's parent has a
// lower index.
type taskGroup struct {
	name     string
	parent   int32 // none for the root
	children []int32
	shares   int64 // stored weight, 1024<<fixedShift by default
	loadAvg  int64 // sum of the contributions of its cfs_rqs
	// runnableAvg is the sum of the fractions of a CPU that it is runnable on each,
	// v3.10.
	runnableAvg int64
	cfsBandwidth
}

// Bounds of a group's shares.
const (
	minShares = 2
	maxShares = 1 << 18
)

// NewGroup creates a task group below parent, 0 for the root, with cgroup v1
// shares of which 1024 are the default, and returns its number. It may be called
// at any time; creating one takes no simulated time.
//
// Shares out of the kernel's range of 2 to 262144 are brought into it, as the
// kernel does. A parent that there is not is an error, with which Run ends.
func (s *Sched) NewGroup(name string, parent int, shares int64) int {
	if !s.isGroup(parent) {
		s.failStart(fmt.Errorf("schedsim: group %q is to be below group %d, which is not there, use one that NewGroup returned", name, parent))
		return 0
	}
	g := s.addGroup(name, int32(parent))
	s.SetShares(g, shares)
	return g
}

// SharesFromWeight returns the shares that a weight of cgroup v2 stands for
// (sched_weight_from_cgroup): 100, the default, is 1024. It rounds to the nearest.
func SharesFromWeight(weight int64) int64 { return (weight*1024 + 50) / 100 }

// WeightFromShares returns the cgroup v2 weight that shares are shown as
// (sched_weight_to_cgroup), 1 to 10000.
func WeightFromShares(shares int64) int64 { return min(max((shares*100+512)/1024, 1), 10000) }

func (s *Sched) isGroup(g int) bool { return g >= 0 && g < len(s.groups) }

// addGroup makes the queues and entities of a group on all CPUs
// (sched_create_group, sched_online_group).
func (s *Sched) addGroup(name string, parent int32) int {
	g := int32(len(s.groups))
	s.groups = append(s.groups, taskGroup{
		name: name, parent: parent, shares: nice0Load,
		cfsBandwidth: cfsBandwidth{quota: noQuota, period: defaultCFSPeriod},
	})
	if parent != none {
		s.groups[parent].children = append(s.groups[parent].children, g)
	}
	n := int32(len(s.cpus))
	for c := range n {
		q := cfsRQ{
			cpu: c, group: g, se: none,
			curr: none, next: none, last: none, skip: none,
		}
		if s.eevdf {
			q.timeline = make([]timelineNode, 0, 16)
		} else {
			q.queue = make([]queued, 0, 16)
		}
		q.avg.lastUpdate = s.now
		if parent != none {
			q.se = int32(len(s.ents))
			up := &s.cfs[parent*n+c]
			e := entity{parent: up.se, cfs: parent*n + c, my: g*n + c, task: none}
			e.load.set(nice0Load)
			e.avg.lastUpdate = s.now
			s.ents = append(s.ents, e)
			q.throttleCount = up.throttleCount // sync_throttle
			q.throttledClockPelt = s.throttleClock(c)
		}
		s.cfs = append(s.cfs, q)
	}
	s.addGroupLoad()
	return int(g)
}

// SetShares gives a group other shares (sched_group_set_shares, a write to
// cpu.shares or cpu.weight). The root's cannot be changed.
func (s *Sched) SetShares(group int, shares int64) {
	if group == 0 || !s.isGroup(group) {
		s.failStart(fmt.Errorf("schedsim: group %d has no shares to set, use one that NewGroup returned", group))
		return
	}
	shares = min(max(shares, minShares), maxShares) << fixedShift
	tg := &s.groups[group]
	if tg.shares == shares {
		return
	}
	tg.shares = shares
	for _, ci := range s.online {
		for q := &s.cfs[group*len(s.cpus)+int(ci)]; q.se != none; {
			se := q.se
			up := &s.cfs[s.ents[se].cfs]
			if s.since(4, 15) {
				s.updateLoadAvg(up, se, updateTG)
			}
			s.updateCFSGroup(se)
			q = up
		}
	}
}

// MoveTask moves a task into a group, 0 for the root, where its session's
// autogroup has it if there is one. The task may run, wait, sleep or be on its way
// to a queue; a dead one stays where it is. It takes no simulated time: see
// OpJoinGroup for a task that moves itself.
func (s *Sched) MoveTask(t *Task, group int) {
	if !s.isGroup(group) {
		s.failStart(fmt.Errorf("schedsim: %s is to move into group %d, which is not there, use one that NewGroup returned", t.Name, group))
		return
	}
	if t.state == taskDead {
		return
	}
	t.cgroup = int32(group)
	s.moveToGroup(t, s.groupOf(t))
}

// joinGroup is a write of 0 to the cgroup.procs of a group. Its cost is that of
// detaching and attaching a task.
func (s *Sched) joinGroup(ci int32, t *Task, group int) {
	s.cpus[ci].owedWork += s.cost.MoveTask
	s.MoveTask(t, group)
}

// inheritGroup puts a new task, which is not queued yet, where its parent is
// (sched_fork).
func (s *Sched) inheritGroup(parent, child *Task) {
	child.cgroup, child.session = parent.cgroup, parent.session
	if child.group != parent.group {
		child.group = parent.group
		s.setTaskRQ(child, child.cpu)
	}
}

// moveToGroup is sched_move_task. Before 6.12 a move into the group that the task
// is in already takes it off and puts it back all the same.
func (s *Sched) moveToGroup(t *Task, group int32) {
	if group == t.group && s.since(6, 12) {
		return
	}
	if s.checks != nil {
		s.checks.requeued = true
	}
	c := &s.cpus[t.cpu]
	running := c.curr == t.ID && t.onRQ
	queued := t.onRQ
	if queued {
		s.dequeueTask(t, 0)
	}
	if running {
		s.putPrevTask(t)
	}
	s.changeGroup(t, group, queued)
	if queued {
		s.enqueueTask(t, 0)
	}
	if running {
		s.setNextTask(t, false)
		if s.since(5, 6) {
			// The new group may be throttled.
			s.reschedHere(t.cpu)
		}
	} else if c.curr == none && c.nrRunning > 0 {
		// Out of a throttled group. The kernel leaves an idle CPU asleep here,
		// until the next interrupt.
		s.reschedHere(t.cpu)
	}
}

// changeGroup is task_change_group_fair, task_move_group_fair in its time: the
// task's load leaves its old group at once. A task that was never attached, or that
// left its load behind for another CPU, takes none along: kernels before 6.1 took
// the load of the latter out twice.
func (s *Sched) changeGroup(t *Task, group int32, queued bool) {
	e := &s.ents[t.se]
	if t.class != classFair { // task_change_group is fair's; set_task_rq is all others'
		t.group = group
		s.setOtherCPU(t, t.cpu)
		return
	}
	old := &s.cfs[e.cfs]
	attached := e.avg.lastUpdate != 0 && s.pelt != peltV310
	relative := s.vruntimeNormalized(t, queued)
	if !relative {
		if s.since(4, 4) {
			// The sleep so far is not to count in the new group.
			s.placeEntity(old, t.se, false)
		}
		e.vruntime -= old.minVruntime
	}
	if attached {
		s.detachEntity(t)
	}
	t.group = group
	s.setTaskRQ(t, t.cpu)
	if s.pelt == peltV310 {
		s.moveGroupV310(t, relative)
	} else {
		e.avg.lastUpdate = 0
	}
	if attached {
		s.attachToGroup(t)
	}
	if !relative {
		e.vruntime += s.cfs[e.cfs].minVruntime
	}
}

// vruntimeNormalized is vruntime_normalized: whether the task's vruntime is
// relative to its queue's at the moment. Since 6.6 it always is, as lag.
func (s *Sched) vruntimeNormalized(t *Task, queued bool) bool {
	if queued || s.ents[t.se].sumExec == 0 || s.since(6, 6) {
		return true
	}
	return t.state == taskWaking && (t.migrated || !s.since(4, 19))
}

// attachToGroup adds the load of a task that is not queued to its new group
// (attach_entity_cfs_rq).
func (s *Sched) attachToGroup(t *Task) {
	q := &s.cfs[s.ents[t.se].cfs]
	s.updateLoadAvg(q, t.se, 0)
	s.attachLoadAvg(q, t.se)
	s.cfsUtilChange(q)
	s.updateTGLoadAvg(q)
	s.propagateEntity(t.se)
}

// propagateEntity updates the entities above se, after the load of what it is on
// changed (propagate_entity_cfs_rq): each hands it one level up. It ends at a
// throttled queue, which up to 6.0 was not updated itself.
func (s *Sched) propagateEntity(se int32) {
	q := &s.cfs[s.ents[se].cfs]
	if s.since(5, 13) {
		if q.throttled {
			return
		}
		s.addLeaf(q)
	}
	for se = s.ents[se].parent; se != none; se = s.ents[se].parent {
		q := &s.cfs[s.ents[se].cfs]
		if q.throttled && !s.since(6, 1) {
			return
		}
		s.updateLoadAvg(q, se, updateTG)
		if q.throttled {
			return
		}
		if s.since(5, 13) {
			s.addLeaf(q)
		}
	}
}

// setNextTaskFair makes a task that runs current in its group and in those above
// (set_next_task_fair).
func (s *Sched) setNextTaskFair(t *Task) {
	if s.since(4, 15) {
		s.cpus[t.cpu].toFront(t.ID)
	}
	for se := t.se; se != none; se = s.ents[se].parent {
		s.setNextEntity(se)
		if q := &s.cfs[s.ents[se].cfs]; q.runtimeEnabled {
			s.accountCFSRuntime(q, 0)
		}
	}
}

// reschedHere is resched_curr, by the CPU whose event is dispatched.
func (s *Sched) reschedHere(ci int32) {
	c := &s.cpus[ci]
	if c.needResched {
		return
	}
	c.needResched = true
	if ci != s.smp {
		s.sendIPI(s.smp, ci, ipiResched)
	} else if c.curr == none {
		s.kickIdle(ci, 0)
	}
}

// GroupStats are what the files cpu.stat and cpuacct.usage of a group show.
type GroupStats struct {
	Name string
	// UsageNS is how long its tasks and those of groups below ran on all CPUs,
	// up to their last accounting. It is 0 for the root.
	UsageNS int64
	// Periods, Throttled and ThrottledNS are nr_periods, nr_throttled and
	// throttled_time: how many periods the timer of its quota saw, in how many of
	// them the group was throttled on some CPU, and how long it was, all CPUs
	// together, up to the last time it was let go on.
	Periods, Throttled, ThrottledNS int64
	// Bursts and BurstNS are nr_bursts and burst_time (since 5.16).
	Bursts, BurstNS int64
}

// GroupStats returns the counters of a group.
func (s *Sched) GroupStats(group int) GroupStats {
	if !s.isGroup(group) {
		return GroupStats{}
	}
	tg := &s.groups[group]
	st := GroupStats{
		Name: tg.name, Periods: tg.nrPeriods, Throttled: tg.nrThrottled, ThrottledNS: tg.throttledTime,
		Bursts: tg.nrBurst, BurstNS: tg.burstTime,
	}
	for c := range s.cpus {
		if se := s.cfs[group*len(s.cpus)+c].se; se != none {
			st.UsageNS += s.ents[se].sumExec
		}
	}
	return st
}
