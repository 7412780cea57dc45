package schedsim

import (
	"fmt"
	"math"
	"slices"
)

// verify checks what must hold between any two events, whatever the workload:
// that every sum equals the sum over its parts, and that no task is in two
// places.
func (s *Sched) verify() error {
	for _, check := range []func() error{
		s.verifyQueues, s.verifyCPUs, s.verifyTasks, s.verifyClasses, s.verifyGroups, s.verifyLoads, s.verifyHardware,
	} {
		if err := check(); err != nil {
			return fmt.Errorf("at %d ns, event %d: %w", s.now-bootTime, s.count.Events, err)
		}
	}
	return nil
}

func (s *Sched) verifyQueues() error {
	type sums struct {
		nr, hNr int32
		load    int64
	}
	custom := make([]int32, len(s.cfs))
	want := make([]sums, len(s.cfs))
	for i := range s.ents {
		e := &s.ents[i]
		if e.my != none {
			g := &s.cfs[e.my]
			if on := g.nrRunning > 0 && !g.throttled; on != (e.onRQ && !e.delayed) {
				return fmt.Errorf("group entity %d: on_rq %v with %d queued below, throttled %v", i, e.onRQ, g.nrRunning, g.throttled)
			}
			if e.runnable != g.hNr && e.onRQ && s.since(5, 7) {
				return fmt.Errorf("group entity %d: runnable %d, h_nr_running %d", i, e.runnable, s.cfs[e.my].hNr)
			}
		}
		if !e.onRQ {
			continue
		}
		if e.customSlice {
			custom[e.cfs]++
		}
		w := &want[e.cfs]
		w.nr++
		w.load += e.load.weight
		if e.my == none {
			w.hNr++
		} else {
			w.hNr += s.cfs[e.my].hNr
		}
	}
	for i := range s.cfs {
		q := &s.cfs[i]
		w := want[i]
		if q.nrRunning != w.nr || q.hNr != w.hNr || q.load.weight != w.load {
			return fmt.Errorf("cfs_rq %d: nr %d, h_nr %d, load %d; its entities make %+v", i, q.nrRunning, q.hNr, q.load.weight, w)
		}
		if q.customSlices != custom[i] {
			return fmt.Errorf("cfs_rq %d: %d entities with slices of their own, counted %d", i, custom[i], q.customSlices)
		}
		if err := s.verifyQueue(q); err != nil {
			return fmt.Errorf("cfs_rq %d: %w", i, err)
		}
	}
	return nil
}

func (s *Sched) verifyQueue(q *cfsRQ) error {
	queued := int32(len(q.queue) + len(q.timeline))
	if q.curr != none && s.ents[q.curr].onRQ {
		queued++
	}
	if queued != q.nrRunning {
		return fmt.Errorf("%d in the queue or current, nr_running %d", queued, q.nrRunning)
	}
	index := func(se int32) bool { return &s.cfs[s.ents[se].cfs] == q && s.ents[se].onRQ }
	for i, v := range q.queue {
		e := &s.ents[v.se]
		switch {
		case !index(v.se):
			return fmt.Errorf("entity %d is queued here but elsewhere or off", v.se)
		case v.se == q.curr:
			return fmt.Errorf("the current entity %d is in the queue", v.se)
		case v.vruntime != e.vruntime:
			return fmt.Errorf("entity %d: vruntime %d queued as %d", v.se, e.vruntime, v.vruntime)
		case i > 0 && q.queue[i-1].vruntime > v.vruntime:
			return fmt.Errorf("queue is not sorted at %d", i)
		}
	}
	if err := s.verifyTimeline(q); err != nil {
		return err
	}
	for _, buddy := range []int32{q.next, q.last, q.skip} {
		if buddy != none && !index(buddy) {
			return fmt.Errorf("buddy %d is not queued here", buddy)
		}
	}
	for _, v := range []int64{q.avg.load, q.avg.loadSum, q.avg.util, q.avg.utilSum, q.avg.runnable, q.avg.runnableSum} {
		if v < 0 {
			return fmt.Errorf("negative average: %+v", q.avg)
		}
	}
	return nil
}

// verifyTimeline checks the order of EEVDF's queue and what is kept of it, and
// that somebody is eligible.
func (s *Sched) verifyTimeline(q *cfsRQ) error {
	sum, load, least, eligible := int64(0), int64(0), int64(math.MaxInt64), false
	for i, n := range q.timeline {
		e := &s.ents[n.se]
		w := scaleDown(e.load.weight)
		sum += (e.vruntime - q.minVruntime) * w
		load += w
		least = min(least, e.vruntime)
		eligible = eligible || s.eligible(q, e.vruntime)
		switch {
		case &s.cfs[e.cfs] != q || !e.onRQ || n.se == q.curr:
			return fmt.Errorf("entity %d is in the timeline but elsewhere, off or current", n.se)
		case n.deadline != e.deadline || n.vruntime != e.vruntime:
			return fmt.Errorf("entity %d: %d by %d queued as %d by %d", n.se, e.vruntime, e.deadline, n.vruntime, n.deadline)
		case i > 0 && q.timeline[i-1].deadline > n.deadline:
			return fmt.Errorf("the timeline is not sorted at %d", i)
		case e.slice < 0 || e.relDeadline:
			return fmt.Errorf("entity %d: slice %d, relative %v", n.se, e.slice, e.relDeadline)
		}
	}
	if sum != q.avgVruntime || load != q.avgLoad || load > 0 && least != q.timelineMin {
		return fmt.Errorf("timeline: sums %d and %d, least %d; kept are %d, %d, %d",
			sum, load, least, q.avgVruntime, q.avgLoad, q.timelineMin)
	}
	if c := q.curr; c != none && s.ents[c].onRQ {
		eligible = eligible || s.eligible(q, s.ents[c].vruntime)
		// A running task that is moved into a throttled group may make a delayed
		// one above current, for as long as it takes to reschedule.
		if e := &s.ents[c]; e.delayed && (e.my == none || !s.cpus[q.cpu].needResched) {
			return fmt.Errorf("the current entity %d is asleep", c)
		}
		load++
	}
	if load > 0 && s.eevdf && !eligible {
		return fmt.Errorf("nobody is eligible")
	}
	return nil
}

func (s *Sched) verifyCPUs() error {
	overloaded, idle, nohz := 0, 0, 0
	llcNohz := make([]int32, len(s.llcs))
	for i := range s.cpus {
		if err := s.verifyOffline(int32(i)); err != nil {
			return err
		}
	}
	for _, i := range s.online {
		c, root := &s.cpus[i], &s.cfs[i]
		fail := func(format string, args ...any) error {
			return fmt.Errorf("CPU %d: %s", i, fmt.Sprintf(format, args...))
		}
		listed := s.listed(c)
		if c.nrRunning != root.hNr+s.otherRunning(i) || root.hNr != listed {
			return fail("nr_running %d, h_nr_running %d, %d tasks listed that are not throttled", c.nrRunning, root.hNr, listed)
		}
		if want := c.curr == none && c.nrRunning == 0 && len(c.wakeList) == 0; s.rq[i].idle != want {
			return fail("idle %v, want %v", s.rq[i].idle, want)
		}
		if err := s.verifyCurrent(int32(i)); err != nil {
			return fail("%v", err)
		}
		if (c.curr == none) != (c.act <= actExit) {
			return fail("current %d in activity %d", c.curr, c.act)
		}
		due := s.q.at(int32(i))
		if c.act == actIdle && due >= 0 || c.act != actIdle && !c.frozen && due < s.now {
			return fail("activity %d, next event at %d", c.act, due)
		}
		if c.act > actExit && !c.frozen && due != c.end() {
			return fail("segment ends at %d, event at %d", c.end(), due)
		}
		if c.act == actIdle && (c.nrRunning > 0 || len(c.wakeList) > 0 && s.q.at(s.ipiSlot(int32(i))) < 0) {
			return fail("asleep with %d queued and %d to wake", c.nrRunning, len(c.wakeList))
		}
		if len(c.unthrottle) > 0 && c.act == actIdle && s.q.at(s.ipiSlot(int32(i))) < 0 {
			return fail("asleep with %d queues to let go on", len(c.unthrottle))
		}
		if (c.act == actSelect || c.act == actWake) != (c.wakee != none) {
			return fail("activity %d with wakee %d", c.act, c.wakee)
		}
		if c.nrRunning >= 2 {
			overloaded++
		}
		if c.act <= actExit {
			idle++
		}
		if c.nohz {
			nohz++
			llcNohz[c.llc]++
		}
		if c.tickStopped && !c.nohz {
			return fail("tick stopped but not in the nohz mask")
		}
	}
	if overloaded != s.nrOverloaded || idle != s.nrIdle || nohz != s.nohzCount {
		return fmt.Errorf("%d overloaded, %d idle, %d nohz CPUs; counted %d, %d, %d",
			overloaded, idle, nohz, s.nrOverloaded, s.nrIdle, s.nohzCount)
	}
	for i := range s.llcs {
		if s.llcs[i].nohz != llcNohz[i] {
			return fmt.Errorf("LLC %d: %d nohz CPUs, counted %d", i, llcNohz[i], s.llcs[i].nohz)
		}
	}
	return nil
}

// verifyOffline checks that nothing ever comes to a CPU that is not online.
func (s *Sched) verifyOffline(ci int32) error {
	c := &s.cpus[ci]
	if c.core != offline {
		return nil
	}
	if c.nrRunning > 0 || c.curr != none || len(c.wakeList) > 0 || c.nohz || c.ipi != 0 || len(c.domains) > 0 ||
		s.rq[ci].idle || s.rq[ci].written != 0 || s.q.at(ci) >= 0 || s.q.at(s.ipiSlot(ci)) >= 0 {
		return fmt.Errorf("CPU %d is not online and in use: %+v", ci, *c)
	}
	for _, other := range s.online {
		for _, d := range s.cpus[other].domains {
			if d.mask.has(int(ci)) {
				return fmt.Errorf("CPU %d is not online and in domain %s of CPU %d", ci, d.name, other)
			}
		}
	}
	return nil
}

// verifyCurrent checks that the current entities of all levels are those of the
// current task.
func (s *Sched) verifyCurrent(ci int32) error {
	want := map[int32]int32{} // by cfs_rq
	if id := s.cpus[ci].curr; id != none {
		if t := &s.tasks[id]; t.cpu != ci || !t.onRQ || t.state != taskRunning {
			return fmt.Errorf("current task %d: CPU %d, on_rq %v, state %d", id, t.cpu, t.onRQ, t.state)
		}
		for se := s.tasks[id].se; se != none && s.tasks[id].class == classFair; se = s.ents[se].parent {
			want[s.ents[se].cfs] = se
		}
	}
	for g := range s.groups {
		q := int32(g*len(s.cpus)) + ci
		se, ok := want[q]
		if !ok {
			se = none
		}
		if s.cfs[q].curr != se {
			return fmt.Errorf("cfs_rq %d: current entity %d, want %d", q, s.cfs[q].curr, se)
		}
	}
	return nil
}

func (s *Sched) verifyTasks() error {
	places := make([]int, len(s.tasks)) // lists that wait for the task
	for i := range s.cpus {
		c := &s.cpus[i]
		if c.wakee != none {
			places[c.wakee]++
		}
		for _, id := range c.wakeList {
			places[id]++
		}
		for _, id := range append(s.otherTasks(int32(i)), c.fairTasks...) {
			places[id]++
			if t := &s.tasks[id]; t.cpu != int32(i) || !t.onRQ {
				return fmt.Errorf("task %d is listed on CPU %d, but on %d, on_rq %v", id, i, t.cpu, t.onRQ)
			}
		}
	}
	for i := range s.channels {
		if w := s.channels[i].waiter; w != none {
			places[w]++
		}
	}
	for _, t := range s.timers.heap {
		places[t.task]++
	}
	est := make([]uint32, len(s.cpus))
	for i := range s.tasks {
		t := &s.tasks[i]
		if t.state == taskDead {
			if places[i] != 0 || t.onRQ {
				return fmt.Errorf("dead task %d is still somewhere", i)
			}
			continue
		}
		want := 1
		if t.kthread && t.state == taskSleeping {
			want = 0 // it waits for work
		}
		delayed := s.ents[t.se].delayed
		if delayed {
			want++ // its CPU's list beside
		}
		if places[i] != want {
			return fmt.Errorf("task %d in state %d is in %d places", i, t.state, places[i])
		}
		if t.onRQ != (t.state == taskRunning || delayed) || t.onRQ != s.ents[t.se].onRQ && t.class == classFair || delayed && t.state == taskRunning {
			return fmt.Errorf("task %d: state %d, on_rq %v", i, t.state, t.onRQ)
		}
		if t.onRQ && t.class == classFair && !delayed {
			est[t.cpu] += s.ents[t.se].avg.taskUtilEst()
		}
		if t.onRQ {
			if !t.Allowed(int(t.cpu)) {
				return fmt.Errorf("task %d is on CPU %d, which it may not use", i, t.cpu)
			}
		}
	}
	for i := range s.cpus {
		if got := s.cfs[i].estEnqueued; got != est[i] {
			return fmt.Errorf("CPU %d: util_est %d, its tasks make %d", i, got, est[i])
		}
	}
	return nil
}

// listed counts the fair tasks of a CPU that no throttled group holds back.
func (s *Sched) listed(c *cpu) int32 {
	n := int32(0)
	for _, id := range c.fairTasks {
		if s.cfs[s.ents[s.tasks[id].se].cfs].throttleCount == 0 {
			n++
		}
	}
	return n
}

func (s *Sched) verifyGroups() error {
	for g := 1; g < len(s.groups); g++ {
		sum := int64(0)
		for c := range s.cpus {
			sum += s.cfs[g*len(s.cpus)+c].tgContrib
		}
		if sum != s.groups[g].loadAvg {
			return fmt.Errorf("group %d: load_avg %d, contributions %d", g, s.groups[g].loadAvg, sum)
		}
		if err := s.verifyBandwidth(g); err != nil {
			return fmt.Errorf("group %d: %w", g, err)
		}
		for c := range s.cpus {
			q := &s.cfs[g*len(s.cpus)+c]
			e := &s.ents[q.se]
			if w := e.load.weight; w < minShares || w > max(s.groups[g].shares, nice0Load) && len(s.bandwidth) == 0 { // throttled, it keeps an old one
				return fmt.Errorf("group %d: weight %d on CPU %d, want %d to %d", g, w, c, minShares, s.groups[g].shares)
			}
			up := s.groups[g].parent*int32(len(s.cpus)) + int32(c)
			if e.cfs != up || e.parent != s.cfs[up].se || e.my != int32(g*len(s.cpus)+c) {
				return fmt.Errorf("group %d: entity of CPU %d is %+v, want it on queue %d", g, c, *e, up)
			}
			if q.nrRunning > 0 && q.throttleCount == 0 && !q.onLeaf {
				return fmt.Errorf("group %d: %d entities on CPU %d and not on its list", g, q.nrRunning, c)
			}
		}
	}
	for i := range s.tasks[:s.born] {
		t := &s.tasks[i]
		e := &s.ents[t.se]
		if want := t.group*int32(len(s.cpus)) + t.cpu; t.group != s.groupOf(t) || e.cfs != want || e.parent != s.cfs[want].se {
			return fmt.Errorf("task %d of cgroup %d and session %d is in group %d, queue %d", i, t.cgroup, t.session, t.group, e.cfs)
		}
	}
	for i := range s.cpus {
		onLeaf := 0
		for g := range s.groups {
			if s.cfs[g*len(s.cpus)+i].onLeaf {
				onLeaf++
			}
		}
		leaf := s.cpus[i].leaf
		if onLeaf != len(leaf) || !slices.IsSortedFunc(leaf, func(a, b int32) int { return int(b - a) }) {
			return fmt.Errorf("CPU %d: list of groups %v, %d say that they are on it", i, leaf, onLeaf)
		}
	}
	return nil
}

// verifyBandwidth checks who is throttled in a group.
func (s *Sched) verifyBandwidth(g int) error {
	b := &s.groups[g].cfsBandwidth
	if b.runtime < 0 {
		return fmt.Errorf("pool of %d ns", b.runtime)
	}
	if b.periodActive && b.periodAt < s.now || b.slackAt != 0 && b.slackAt < s.now {
		return fmt.Errorf("period timer of %d, slack timer of %d are over", b.periodAt, b.slackAt)
	}
	throttled := 0
	for c := range s.cpus {
		q := &s.cfs[g*len(s.cpus)+c]
		up := &s.cfs[s.ents[q.se].cfs]
		count := up.throttleCount
		if q.throttled {
			count++
			throttled++
			if !slices.Contains(b.throttledList, s.cfsIndex(q)) {
				return fmt.Errorf("throttled on CPU %d, but not listed", c)
			}
			// Up to 5.3 a throttled queue that still runs something takes runtime.
			if q.runtimeRemaining > 0 && !q.unthrottling && s.since(5, 4) || !b.periodActive {
				return fmt.Errorf("throttled on CPU %d with %d ns, timer %v", c, q.runtimeRemaining, b.periodActive)
			}
		}
		if q.throttleCount != count {
			return fmt.Errorf("throttle_count %d on CPU %d, want %d", q.throttleCount, c, count)
		}
	}
	if throttled != len(b.throttledList) {
		return fmt.Errorf("%d throttled, %d listed", throttled, len(b.throttledList))
	}
	return nil
}

func (s *Sched) verifyHardware() error {
	busy := make([]int32, len(s.cores))
	for _, i := range s.online {
		c := &s.cpus[i]
		if c.busy != (c.act > actExit) {
			return fmt.Errorf("CPU %d: busy %v in activity %d", i, c.busy, c.act)
		}
		if c.busy {
			busy[c.core]++
		}
	}
	if f := s.freq; f != nil {
		for i := range f.clocks {
			c := &f.clocks[i]
			if c.mhz < f.minMHz || c.mhz > f.maxMHz {
				return fmt.Errorf("clock %d: %d MHz", i, c.mhz)
			}
			for _, core := range c.cores {
				if got := s.cores[core].speed; got != s.speedOf(c.mhz) {
					return fmt.Errorf("core %d: speed %d at %d MHz", core, got, c.mhz)
				}
			}
		}
		for _, i := range s.online {
			c := &f.cpu[i]
			if c.since > s.now || c.c0+c.idle > s.now-bootTime && !slices.Contains(s.idleC0, true) {
				return fmt.Errorf("CPU %d: %d ns in C0 and %d idle in %d", i, c.c0, c.idle, s.now-bootTime)
			}
		}
	}
	for i := range s.cores {
		k := &s.cores[i]
		if k.busy != busy[i] {
			return fmt.Errorf("core %d: %d busy threads, counted %d", i, busy[i], k.busy)
		}
		want := k.speed
		if k.busy > 1 {
			want = want * s.smtShare[k.busy] >> 16
		}
		if j := slices.IndexFunc(k.cpus, func(c int32) bool {
			if s.mem != nil {
				return s.cpus[c].speed != s.mem.slowed(c, want)
			}
			return s.cpus[c].speed != want
		}); j >= 0 {
			return fmt.Errorf("core %d: speed %d of CPU %d, want %d", i, s.cpus[k.cpus[j]].speed, k.cpus[j], want)
		}
	}
	return nil
}
