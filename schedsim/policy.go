package schedsim

import "fmt"

// Policy is a scheduling policy, with the kernel's number.
type Policy uint8

const (
	PolicyNormal   Policy = 0 // SCHED_OTHER: the fair class
	PolicyFIFO     Policy = 1 // SCHED_FIFO: until it blocks or something higher comes
	PolicyRR       Policy = 2 // SCHED_RR: as FIFO, in turns of 100 ms with its equals
	PolicyBatch    Policy = 3 // SCHED_BATCH: fair, preempts nobody when it wakes
	PolicyIdle     Policy = 5 // SCHED_IDLE: fair with weight 3, preempted by all others
	PolicyDeadline Policy = 6 // SCHED_DEADLINE, since 3.14
)

// SchedAttr is struct sched_attr: what sched_setattr takes.
type SchedAttr struct {
	Policy Policy
	// Nice is -20 to 19. It counts for PolicyNormal and PolicyBatch; others
	// keep it for when they become one of these.
	Nice int
	// Priority is 1 to 99, higher before lower, for PolicyFIFO and PolicyRR.
	Priority int
	// Runtime ns in each Period ns, before Deadline ns of it are over, are for
	// PolicyDeadline. A Period of 0 is the Deadline.
	Runtime, Deadline, Period int64
}

// Limits of a deadline reservation: DL_SCALE, and the sysctls
// sched_deadline_period_min_us and _max_us, which 5.6 introduced with these
// values; all versions are taken to have them.
const (
	dlScale     = 10
	dlPeriodMin = 100e3
	dlPeriodMax = (1 << 22) * 1000
)

// check is what sched_setattr answers with EINVAL.
func (a *SchedAttr) check() error {
	switch {
	case a.Nice < -20 || a.Nice > 19:
		return fmt.Errorf("nice is %d, give -20 to 19", a.Nice)
	case a.Policy == PolicyFIFO || a.Policy == PolicyRR:
		if a.Priority < 1 || a.Priority > 99 {
			return fmt.Errorf("priority of a real-time policy is %d, give 1 to 99", a.Priority)
		}
	case a.Priority != 0:
		return fmt.Errorf("priority is %d without a real-time policy, give 0", a.Priority)
	}
	switch a.Policy {
	case PolicyNormal, PolicyFIFO, PolicyRR, PolicyBatch, PolicyIdle:
		if a.Runtime != 0 || a.Deadline != 0 || a.Period != 0 {
			return fmt.Errorf("runtime, deadline or period is set without PolicyDeadline, leave them 0")
		}
	case PolicyDeadline:
		if p := a.period(); a.Runtime < 1<<dlScale || a.Runtime > a.Deadline || a.Deadline > p || p < dlPeriodMin || p > dlPeriodMax {
			return fmt.Errorf("runtime %d, deadline %d and period %d ns, give 1024 <= runtime <= deadline <= period and a period of %g to %g",
				a.Runtime, a.Deadline, p, dlPeriodMin, float64(dlPeriodMax))
		}
	default:
		return fmt.Errorf("there is no policy %d", a.Policy)
	}
	return nil
}

func (a *SchedAttr) period() int64 {
	if a.Period == 0 {
		return a.Deadline
	}
	return a.Period
}

// class is the class of a policy.
func (p Policy) class() class {
	switch p {
	case PolicyFIFO, PolicyRR:
		return classRT
	case PolicyDeadline:
		return classDeadline
	}
	return classFair
}

// maxRTPrio is MAX_RT_PRIO: the kernel's priorities 0 to 98 are real-time ones,
// the lower the more urgent; 100 to 139 are nice values, and -1 is deadline.
const maxRTPrio = 100

// prio is the kernel's priority of an attribute (__normal_prio).
func (a *SchedAttr) prio() int16 {
	switch a.Policy.class() {
	case classRT:
		return int16(maxRTPrio - 1 - a.Priority)
	case classDeadline:
		return -1
	}
	return int16(maxRTPrio + 20 + a.Nice)
}

// weight is the stored load weight of an attribute (set_load_weight).
func (a *SchedAttr) weight() int64 {
	if a.Policy == PolicyIdle {
		return weightIdlePrio << fixedShift
	}
	return prioToWeight[a.Nice+20] << fixedShift
}

const weightIdlePrio = 3 // WEIGHT_IDLEPRIO

// prioToWeight is sched_prio_to_weight: by nice+20, steps of about 1.25.
var prioToWeight = [40]int64{
	88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
	9548, 7620, 6100, 4904, 3906, 3121, 2501, 1991, 1586, 1277,
	1024, 820, 655, 526, 423, 335, 272, 215, 172, 137,
	110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
}

// SetScheduler gives a task that did not run yet a policy (sched_setattr).
// Tasks of OpFork inherit their parent's. What the kernel would refuse ends Run
// with an error.
func (s *Sched) SetScheduler(t *Task, a SchedAttr) {
	if err := s.checkAttr(&a); err != nil {
		s.failStart(fmt.Errorf("schedsim: workload %s, task %s: %w", s.w.Name(), t.Name, err))
		return
	}
	if t.state != taskSleeping || t.inOp {
		s.failStart(fmt.Errorf("schedsim: workload %s changes the policy of %s when it runs already, use OpSetScheduler", s.w.Name(), t.Name))
		return
	}
	if a.Policy == PolicyDeadline && !s.dlAdmit(t, &a) {
		s.failStart(s.notAdmitted(t, &a))
		return
	}
	s.setAttr(t, &a)
	// It joins its queue with the load of its weight.
	s.ents[t.se].avg.load = scaleDown(s.ents[t.se].load.weight)
	s.ents[t.se].avg.lastUpdate = 0
	s.unattached(t)
}

// unattached marks the averages of a new task that is not fair as left by
// switched_from_fair: in no queue, until the task comes to the fair class
// (post_init_entity_util_avg).
func (s *Sched) unattached(t *Task) {
	if e := &s.ents[t.se]; t.class != classFair {
		e.avg.lastUpdate = s.cfs[e.cfs].avg.lastUpdate
	}
}

func (s *Sched) notAdmitted(t *Task, a *SchedAttr) error {
	return fmt.Errorf("schedsim: workload %s: task %d asks for %d ns in %d, which with the others is more than deadline tasks may have (EBUSY)",
		s.w.Name(), t.ID, a.Runtime, a.period())
}

// SetNice is SetScheduler with PolicyNormal and a nice value.
func (s *Sched) SetNice(t *Task, nice int) { s.SetScheduler(t, SchedAttr{Nice: nice}) }

// Attr makes a policy known that tasks will change to by OpSetScheduler, and
// returns its number for Op.Arg. It is for Workload.Start. What the kernel would
// refuse ends Run with an error.
func (s *Sched) Attr(a SchedAttr) int32 {
	if err := s.checkAttr(&a); err != nil {
		s.failStart(fmt.Errorf("schedsim: workload %s: %w", s.w.Name(), err))
	}
	s.attrs = append(s.attrs, a)
	return int32(len(s.attrs) - 1)
}

func (s *Sched) checkAttr(a *SchedAttr) error {
	if a.Policy == PolicyDeadline && !s.since(3, 14) {
		return fmt.Errorf("kernel %s has no deadline class, use 3.14 or later", s.k.Version)
	}
	return a.check()
}

// setAttr stores an attribute in a task that is off the queue (__setscheduler).
func (s *Sched) setAttr(t *Task, a *SchedAttr) {
	if t.class == classDeadline {
		s.dlLeave(t)
	}
	t.policy, t.class, t.prio, t.nice = a.Policy, a.Policy.class(), a.prio(), int8(a.Nice)
	switch t.class {
	case classFair:
		if a.Policy == PolicyIdle {
			s.schedIdle = true
		}
	case classDeadline:
		s.dlSet(t, a)
	case classRT:
		t.timeSlice = s.rrTimeslice()
	}
	// A real-time task keeps the weight of its nice value, with which it would
	// come back to the fair class.
	s.ents[t.se].load.setPolicy(a)
}

// inherit gives a new task the policy of its parent (sched_fork).
func (s *Sched) inherit(child, parent *Task) {
	child.policy, child.class, child.prio, child.nice = parent.policy, parent.class, parent.prio, parent.nice
	if child.class == classRT {
		child.timeSlice = s.rrTimeslice()
	}
	e := &s.ents[child.se]
	if p := &s.ents[parent.se]; e.load.weight != p.load.weight {
		e.load = p.load
		e.avg.load = scaleDown(e.load.weight)
	}
}

// setScheduler changes the policy of the running task of ci, which asked for it
// (__sched_setscheduler; for a fair task that stays one it is also
// set_user_nice). Whether to switch at once is in needResched.
func (s *Sched) setScheduler(ci int32, t *Task, a *SchedAttr) {
	if a.Policy == PolicyDeadline && !s.dlAdmit(t, a) {
		s.failStart(s.notAdmitted(t, a))
		return
	}
	from, oldPrio := t.class, t.prio
	s.dequeueTask(t, 0)
	s.putPrevTask(t)
	if from == classFair && a.Policy.class() == classFair {
		// Load of the old weight leaves the queue and of the new comes
		// (reweight_task).
		s.reweightTask(t, a)
	}
	s.setAttr(t, a)
	flags := 0
	if oldPrio < t.prio {
		flags = enqHead
	}
	s.enqueueTask(t, flags)
	s.setNextTask(t, false)
	if from == t.class {
		s.prioChanged(ci, t, oldPrio)
		return
	}
	// switched_from and switched_to of the classes.
	switch from {
	case classFair:
		s.detachEntity(t)
	case classRT:
		if s.rt[ci].empty() {
			s.pullRT(ci)
		}
	}
	switch t.class {
	case classFair:
		s.attachEntity(t)
		s.cpus[ci].needResched = true
	case classRT:
		s.updateRTAvg(ci, false)
	}
}

// prioChanged is prio_changed of the classes, for the running task.
func (s *Sched) prioChanged(ci int32, t *Task, old int16) {
	switch t.class {
	case classFair:
		if s.cfs[ci].nrRunning > 1 && t.prio > old {
			s.cpus[ci].needResched = true
		}
	case classRT:
		if old < t.prio {
			s.pullRT(ci)
		}
		if s.rt[ci].highest(s) < t.prio {
			s.cpus[ci].needResched = true
		}
	case classDeadline:
		s.pullDL(ci)
		if q := &s.dl[ci]; len(q.queue) > 0 && s.dlBefore(q.queue[0], t.dl) {
			s.cpus[ci].needResched = true
		}
	}
}

// reweightTask takes the averages of a fair task that is off the queue over to
// another weight (reweight_task).
func (s *Sched) reweightTask(t *Task, a *SchedAttr) {
	e := &s.ents[t.se]
	if e.load.weight == a.weight() {
		return
	}
	s.reweightEntity(&s.cfs[e.cfs], t.se, a.weight())
}

// attachEntity adds the averages of a task that comes to the fair class to its
// queue (attach_entity_cfs_rq).
func (s *Sched) attachEntity(t *Task) {
	se := t.se
	q := &s.cfs[s.ents[se].cfs]
	s.updateLoadAvg(q, se, 0)
	s.attachLoadAvg(q, se)
	s.cfsUtilChange(q)
	s.updateTGLoadAvg(q)
	for se = s.ents[se].parent; se != none; se = s.ents[se].parent {
		s.updateLoadAvg(&s.cfs[s.ents[se].cfs], se, updateTG)
	}
}

// setOtherCPU is set_task_cpu for a task that is not fair: its averages go with
// it, aged to its old queue's last update and as new as its new one's
// (set_task_rq_fair).
func (s *Sched) setOtherCPU(t *Task, target int32) {
	e := &s.ents[t.se]
	if e.avg.lastUpdate == 0 || s.pelt == peltV310 {
		s.setTaskRQ(t, target)
		return
	}
	s.ageBlocked(t.se, s.cfs[e.cfs].avg.lastUpdate)
	s.setTaskRQ(t, target)
	e.avg.lastUpdate = s.cfs[e.cfs].avg.lastUpdate
}
