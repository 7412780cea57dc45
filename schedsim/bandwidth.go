package schedsim

import (
	"fmt"
	"time"
)

// CFS bandwidth control (CONFIG_CFS_BANDWIDTH): a group may run for its quota in
// each period, on all CPUs together. Its queues take runtime from the group's pool
// in slices of 5 ms; one that finds the pool empty is throttled, taken off its
// parent's queue with all that is below, until the period timer, or slack that
// another queue gave back, pays its debt.
//
// Runtime is accounted when the running entity is: at ticks, wakeups and switches.
// A group that is out of it runs on until then.
//
// Versions: up to 5.3 runtime that a queue holds expires at the end of its period;
// up to 5.7 a queue is throttled even if the pool was refilled meanwhile; since 5.14
// unused runtime adds up to a burst; since 6.3 each CPU lets its own queues go on,
// asked by an interrupt, and the timers of groups have different phases. 3.16 to
// 4.18 serve first what was throttled last.
//
// Timer handlers read and change all state at one instant. A period that the
// kernel lengthens because its timer is late (three overruns) is left out, and so
// is the timer moving to another CPU.

const (
	noQuota               = int64(-1) // RUNTIME_INF
	defaultCFSPeriod      = 100e6     // ns
	cfsBandwidthSlice     = 5e6       // sysctl_sched_cfs_bandwidth_slice, ns
	minCFSQuotaPeriod     = 1e6       // of quota and of period, ns
	maxCFSQuotaPeriod     = 1e9
	minCFSRQRuntime       = 1e6 // what a queue that goes idle keeps, ns
	minBandwidthExpire    = 2e6 // slack is not worth it so shortly before a refill, ns
	cfsBandwidthSlackTime = 5e6 // time to gather slack, ns
)

// cfsBandwidth is struct cfs_bandwidth: the pool of a group.
type cfsBandwidth struct {
	quota, period, burst int64 // ns; noQuota for no limit
	runtime, runtimeSnap int64 // left of this period; as it was after the refill
	expires              int64 // up to 5.3: end of the period that runtime is of
	expiresSeq           int32
	idle, periodActive   bool
	slackStarted         bool
	periodAt, slackAt    int64   // expiry of the timers; slackAt is 0 if it does not run
	periodCPU, slackCPU  int32   // where they were started
	throttledList        []int32 // cfs_rqs in the order to let them go on

	nrPeriods, nrThrottled, throttledTime int64
	nrBurst, burstTime                    int64
}

// cfsBandwidthRQ is the part of struct cfs_rq that bandwidth control uses where
// there is a quota.
type cfsBandwidthRQ struct {
	unthrottling bool // on its CPU's list to be let go on
	expiresSeq   int32
	// runtimeRemaining is what is left of what it took from the pool, ns.
	runtimeRemaining, runtimeExpires int64
	throttledClock                   int64 // since when it is; 0 if that does not count
	// Load tracking stands still while it is throttled: when that began.
	throttledClockPelt int64
}

// SetBandwidth limits a group to quota in each period, on all CPUs together
// (cpu.max, or cpu.cfs_quota_us and cpu.cfs_period_us). A quota below 0 lifts the
// limit. A period of 0 is 100 ms. Since 5.14 runtime that was not used adds up, to
// be used on top of a later quota, as far as burst.
//
// The kernel's bounds hold: quota and period of 1 ms at least, a period of 1 s at
// most, a burst of the quota at most, and in relation to its period not more than
// a group above has, as with cgroup v1. What breaks them is an error, and changes
// nothing. It may be called at any time and takes no simulated time.
func (s *Sched) SetBandwidth(group int, quota, period, burst time.Duration) error {
	if period == 0 {
		period = defaultCFSPeriod
	}
	if quota < 0 {
		quota = time.Duration(noQuota)
	}
	if err := s.checkBandwidth(group, quota, period, burst); err != nil {
		return err
	}
	b := &s.groups[group].cfsBandwidth
	if b.throttledList == nil {
		b.throttledList = make([]int32, 0, len(s.cpus))
		s.bandwidth = append(s.bandwidth, int32(group))
		if s.since(6, 3) {
			r := StreamFor(s.seed, int32(group), -2)
			b.periodAt = int64(r.IntN(int(period)))
		}
		for i := range s.cpus {
			if c := &s.cpus[i]; cap(c.unthrottle) < len(s.bandwidth) {
				c.unthrottle = append(make([]int32, 0, 2*len(s.bandwidth)), c.unthrottle...)
			}
		}
	}
	b.quota, b.period, b.burst = int64(quota), int64(period), int64(burst)
	s.refillBandwidth(b)
	if b.quota != noQuota {
		s.startBandwidth(b)
	}
	for _, ci := range s.online {
		q := &s.cfs[group*len(s.cpus)+int(ci)]
		q.runtimeEnabled = b.quota != noQuota
		q.runtimeRemaining = 0
		if q.throttled {
			s.unthrottleCFS(q)
		}
	}
	return nil
}

func (s *Sched) checkBandwidth(group int, quota, period, burst time.Duration) error {
	limited := quota != time.Duration(noQuota)
	switch {
	case group == 0 || !s.isGroup(group):
		return fmt.Errorf("schedsim: group %d cannot have a quota, use one that NewGroup returned", group)
	case period < minCFSQuotaPeriod || period > maxCFSQuotaPeriod:
		return fmt.Errorf("schedsim: group %q: period of %v, give 1ms to 1s", s.groups[group].name, period)
	case limited && quota < minCFSQuotaPeriod:
		return fmt.Errorf("schedsim: group %q: quota of %v, give 1ms or more", s.groups[group].name, quota)
	case burst < 0 || limited && burst > quota:
		return fmt.Errorf("schedsim: group %q: burst of %v, give 0 to the quota of %v", s.groups[group].name, burst, quota)
	}
	ratio := func(quota, period int64) int64 { return quota << 20 / period }
	// tg_cfs_schedulable_down, against the group above and those below.
	tg := &s.groups[group]
	for up := tg.parent; limited && up > 0; up = s.groups[up].parent {
		if u := &s.groups[up]; u.quota != noQuota {
			if ratio(int64(quota), int64(period)) > ratio(u.quota, u.period) {
				return fmt.Errorf("schedsim: group %q: quota of %v in %v is more than group %q above it has", tg.name, quota, period, u.name)
			}
			break
		}
	}
	for _, g := range tg.children {
		if c := &s.groups[g]; limited && c.quota != noQuota && ratio(c.quota, c.period) > ratio(int64(quota), int64(period)) {
			return fmt.Errorf("schedsim: group %q: quota of %v in %v is less than group %q below it has", tg.name, quota, period, c.name)
		}
	}
	return nil
}

// refillBandwidth is __refill_cfs_bandwidth_runtime.
func (s *Sched) refillBandwidth(b *cfsBandwidth) {
	if b.quota == noQuota {
		return
	}
	if !s.since(5, 14) {
		b.runtime = b.quota
		b.expires = s.now + b.period
		b.expiresSeq++
		return
	}
	b.runtime += b.quota
	if used := b.runtimeSnap - b.runtime; used > 0 {
		b.burstTime += used
		b.nrBurst++
	}
	b.runtime = min(b.runtime, b.quota+b.burst)
	b.runtimeSnap = b.runtime
}

// startBandwidth starts the period timer on this CPU (start_cfs_bandwidth). Its
// expiry is a multiple of the period since boot, or since its phase.
func (s *Sched) startBandwidth(b *cfsBandwidth) {
	if b.periodActive {
		return
	}
	b.periodActive = true
	n := b.forward(s.now)
	if s.since(4, 3) {
		b.expires += (n + 1) * b.period
		b.expiresSeq++
	}
	b.periodCPU = s.timerCPU()
	s.armBandwidth(b.periodAt)
}

// timerCPU is the CPU that a timer is started on.
func (s *Sched) timerCPU() int32 {
	if s.cpus[s.smp].core == offline {
		return s.online[0] // before the start
	}
	return s.smp
}

// forward sets the period timer to its next expiry after now, and returns by how
// many periods (hrtimer_forward_now).
func (b *cfsBandwidth) forward(now int64) int64 {
	if now < b.periodAt {
		return 0
	}
	n := (now-b.periodAt)/b.period + 1
	b.periodAt += n * b.period
	return n
}

// assignRuntime is __assign_cfs_rq_runtime: q takes what it owes and target on top
// from the pool. It reports whether it has any runtime now.
func (s *Sched) assignRuntime(b *cfsBandwidth, q *cfsRQ, target int64) bool {
	want := target - q.runtimeRemaining
	amount := int64(0)
	if b.quota == noQuota {
		amount = want
	} else {
		if !s.since(4, 3) && !b.periodActive {
			s.refillBandwidth(b)
		}
		s.startBandwidth(b)
		if b.runtime > 0 {
			amount = min(b.runtime, want)
			b.runtime -= amount
			b.idle = false
		}
	}
	q.runtimeRemaining += amount
	if q.expiresSeq != b.expiresSeq {
		q.expiresSeq, q.runtimeExpires = b.expiresSeq, b.expires
	}
	return q.runtimeRemaining > 0
}

// accountCFSRuntime charges a queue that is under control for delta ns
// (__account_cfs_rq_runtime). Out of runtime, it asks for schedule(), which
// throttles it.
func (s *Sched) accountCFSRuntime(q *cfsRQ, delta int64) {
	b := &s.groups[q.group].cfsBandwidth
	q.runtimeRemaining -= delta
	if !s.since(5, 4) {
		s.expireRuntime(b, q)
	}
	if q.runtimeRemaining > 0 || q.throttled && s.since(5, 4) {
		return
	}
	if !s.assignRuntime(b, q, cfsBandwidthSlice) && q.curr != none {
		s.reschedHere(q.cpu)
	}
}

// expireRuntime is expire_cfs_rq_runtime, up to 5.3: what is left of a period that
// is over is lost. A clock that is ahead of the group's gets a tick more.
func (s *Sched) expireRuntime(b *cfsBandwidth, q *cfsRQ) {
	if s.now < q.runtimeExpires || q.runtimeRemaining < 0 {
		return
	}
	if q.expiresSeq == b.expiresSeq {
		q.runtimeExpires += s.tickNS
	} else {
		q.runtimeRemaining = 0
	}
}

// checkCFSRuntime throttles a queue that is out of runtime, on its way off the CPU
// (check_cfs_rq_runtime). It reports whether it is throttled.
func (s *Sched) checkCFSRuntime(q *cfsRQ) bool {
	if !q.runtimeEnabled || q.runtimeRemaining > 0 {
		return false
	}
	return q.throttled || s.throttleCFS(q)
}

// checkEnqueueThrottle throttles a queue that gets its first entity, but has no
// runtime (check_enqueue_throttle).
func (s *Sched) checkEnqueueThrottle(q *cfsRQ) {
	s.addLeaf(q)
	if q.runtimeEnabled && q.curr == none && !q.throttled {
		s.accountCFSRuntime(q, 0)
		if q.runtimeRemaining <= 0 {
			s.throttleCFS(q)
		}
	}
	if s.since(6, 6) && q.throttled && q.throttledClock == 0 {
		q.throttledClock = s.now
	}
}

// throttleCFS is throttle_cfs_rq: q's entity leaves its parent's queue, and all
// levels above count the tasks below as gone. It reports false if there is
// runtime after all.
func (s *Sched) throttleCFS(q *cfsRQ) bool {
	b := &s.groups[q.group].cfsBandwidth
	if s.since(5, 8) && s.assignRuntime(b, q, 1) {
		return false
	}
	s.throttleDown(q.group, q.cpu)
	s.throttleEntities(q)
	q.throttled = true
	if q.nrRunning > 0 || !s.since(6, 6) {
		q.throttledClock = s.now
	}
	b.throttledList = append(b.throttledList, s.cfsIndex(q))
	if s.since(3, 16) && !s.since(4, 19) {
		copy(b.throttledList[1:], b.throttledList)
		b.throttledList[0] = s.cfsIndex(q)
	}
	if !s.since(5, 8) && s.since(4, 3) {
		s.startBandwidth(b)
	}
	return true
}

// throttleEntities takes the tasks of a queue that is throttled out of the levels
// above. It ends where one is off its queue already.
func (s *Sched) throttleEntities(q *cfsRQ) {
	tasks, had := q.hNr, s.cfs[q.cpu].hNr
	dequeue := true
	for se := q.se; se != none; se = s.ents[se].parent {
		if !s.ents[se].onRQ {
			return
		}
		up := &s.cfs[s.ents[se].cfs]
		if dequeue {
			flags := enqWakeup | deqSpecial // not delayed
			if s.ents[se].delayed {
				flags |= enqDelayed
			}
			s.dequeueEntity(up, se, flags)
		} else if s.since(5, 7) {
			s.updateLoadAvg(up, se, 0)
			s.updateRunnable(se)
		}
		up.hNr -= tasks
		if up.load.weight != 0 {
			dequeue = false
		}
	}
	s.addNrRunning(q.cpu, -tasks)
	s.serverStartStop(q.cpu, had)
}

// unthrottleCFS is unthrottle_cfs_rq: q's entity joins its parent's queue again. An
// idle CPU is woken; one that runs something goes on with that.
func (s *Sched) unthrottleCFS(q *cfsRQ) {
	b := &s.groups[q.group].cfsBandwidth
	q.throttled = false
	if q.throttledClock != 0 {
		b.throttledTime += s.now - q.throttledClock
		q.throttledClock = 0
	}
	id := s.cfsIndex(q)
	for i, v := range b.throttledList {
		if v == id {
			b.throttledList = append(b.throttledList[:i], b.throttledList[i+1:]...)
			break
		}
	}
	s.unthrottleUp(q.group, q.cpu)
	if q.load.weight == 0 {
		return
	}
	had := s.cfs[q.cpu].hNr
	if s.unthrottleEntities(q) {
		s.addNrRunning(q.cpu, q.hNr)
	}
	s.serverStartStop(q.cpu, had)
	if c := &s.cpus[q.cpu]; c.curr == none && s.cfs[q.cpu].nrRunning > 0 {
		s.reschedHere(q.cpu)
	}
}

// unthrottleEntities adds the tasks of a queue to the levels above. It reports
// whether it came to the root: it ends at a level that is throttled itself.
func (s *Sched) unthrottleEntities(q *cfsRQ) bool {
	se := q.se
	for ; se != none; se = s.ents[se].parent {
		up := &s.cfs[s.ents[se].cfs]
		if e := &s.ents[se]; e.delayed {
			s.dequeueEntity(up, se, enqWakeup|enqDelayed)
		} else if e.onRQ {
			break
		}
		s.enqueueEntity(up, se, enqWakeup)
		up.hNr += q.hNr
		if up.throttled {
			return false
		}
	}
	for ; se != none; se = s.ents[se].parent {
		up := &s.cfs[s.ents[se].cfs]
		if s.since(5, 7) {
			s.updateLoadAvg(up, se, updateTG)
			s.updateRunnable(se)
		}
		up.hNr += q.hNr
		if up.throttled {
			return false
		}
	}
	return true
}

// throttleDown stops the load tracking of a group and of those below on a CPU
// (walk_tg_tree_from with tg_throttle_down).
func (s *Sched) throttleDown(group, ci int32) {
	q := &s.cfs[int(group)*len(s.cpus)+int(ci)]
	if q.throttleCount == 0 {
		q.throttledClockPelt = s.throttleClock(ci)
	}
	q.throttleCount++
	for _, g := range s.groups[group].children {
		s.throttleDown(g, ci)
	}
}

// unthrottleUp lets it go on (tg_unthrottle_up).
func (s *Sched) unthrottleUp(group, ci int32) {
	for _, g := range s.groups[group].children {
		s.unthrottleUp(g, ci)
	}
	q := &s.cfs[int(group)*len(s.cpus)+int(ci)]
	q.throttleCount--
	if q.throttleCount == 0 {
		q.throttledPeltTime += s.throttleClock(ci) - q.throttledClockPelt
		if !s.decayed(q, 0) {
			s.addLeaf(q)
		}
	}
}

// throttleClock is the clock that throttled queues are stopped by: up to 5.18 that
// of tasks, although load tracking has another since 5.1.
func (s *Sched) throttleClock(ci int32) int64 {
	if !s.since(5, 19) {
		return s.now
	}
	return s.clockPelt(ci)
}

// cfsClock is cfs_rq_clock_pelt: time as load tracking of a queue sees it, without
// the time that it was throttled.
func (s *Sched) cfsClock(q *cfsRQ) int64 {
	if q.throttleCount > 0 {
		return q.throttledClockPelt - q.throttledPeltTime
	}
	return s.clockPelt(q.cpu) - q.throttledPeltTime
}

func (s *Sched) cfsIndex(q *cfsRQ) int32 { return q.group*int32(len(s.cpus)) + q.cpu }

// throttledLBPair is throttled_lb_pair: load balancing moves nothing from or to a
// throttled queue.
func (s *Sched) throttledLBPair(t *Task, dst int32) bool {
	if len(s.bandwidth) == 0 {
		return false
	}
	return s.cfs[s.ents[t.se].cfs].throttleCount > 0 ||
		s.cfs[int(t.group)*len(s.cpus)+int(dst)].throttleCount > 0
}
