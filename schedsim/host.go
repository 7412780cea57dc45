package schedsim

import (
	"fmt"
	"math"
)

// Host is a machine that runs the simulated one as its guest: fewer CPUs than the guest
// has, on which each virtual CPU is a thread.
//
// It schedules them by EEVDF with equal weights and slices, as Linux 6.18 was seen to do: who
// has had its slice gives way at the next tick to who is owed time and has the earliest
// deadline. Who wakes and is owed time, with what it was owed when it went to sleep, runs at
// once, whatever its deadline: that was measured (TestHostMeasured), and is not read from a
// source. A woken thread goes to a free CPU, if it can the one that it ran on before. A CPU
// without threads takes a waiting one of another, and where one has more than another, a
// waiting one is moved now and then.
//
// A virtual CPU that does not run does nothing: what it was doing ends later by as long as
// it waits, its interrupts come when it is back, and of the ticks that it missed one. The
// guest's time goes on, and its kernel charges its tasks.
type Host struct {
	CPUs int
	// Tick is the time between ticks of the host, and Slice its base slice, ns.
	Tick, Slice int64
	// TimerRunning and TimerHalted are how late the interrupt of a timer comes to a virtual
	// CPU that has tasks, and to one that has none. Each virtual CPU has one timer, which
	// the host's thread for timers serves: what else is due when its interrupt comes is
	// served by the same.
	TimerRunning, TimerHalted Lateness
	// TimerWaits is in how many of its wakeups, as a part, that thread finds something
	// else on its CPU, which stays until the next tick of the host.
	TimerWaits float64
	// TimerCost is what such an interrupt costs a virtual CPU that has tasks, beside what
	// each wakeup costs that comes of it: the next one has to be asked for. ns.
	TimerCost int64
	// StealEvery and StealTime are what else the host runs: it takes a CPU once in so
	// long in the mean, for so long in the mean, both exponential. ns. 0: it runs
	// nothing else. SpareEvery and SpareTime are the same while another CPU of the host
	// has nothing to do, where most of that goes then; SpareEvery is not below StealEvery,
	// or 0 for the same as without.
	StealEvery, StealTime, SpareEvery, SpareTime int64
	// NewidleCosts are what CPUs of the guest may remember at the start, a list each of the
	// dearest newly idle balance of each domain (max_newidle_lb_cost), the lowest first, ns:
	// one that the host has interrupted is forgotten by 1 % a second only. Empty: what a
	// machine without a host remembers.
	NewidleCosts [][]int64
}

// Lateness is a time of Least and an exponential More, in the mean, ns.
type Lateness struct{ Least, More int64 }

// hostBalance is how many ticks of the host pass between two moves of a thread from a CPU
// that has one more than another: the interval of a busy CPU's balance, 32 ms of 4.
const hostBalance = 8

type hostState uint8

const (
	hostAsleep hostState = iota
	hostWaits
	hostRuns
)

type host struct {
	Host
	cpus   []hostCPU
	vcpus  []vcpu
	rand   Rand
	phase  int64 // when it ticked first
	tickAt int64 // when it ticks next, if anybody waits
	missed int64 // ticks of the guest
	slot   int32
}

type hostCPU struct {
	curr  int32   // virtual CPU, or none
	since int64   // up to when curr is charged
	queue []int32 // those that wait
	avg   int64   // V: the mean of the vruntimes, or the last one if there is none
	// stealAt is when something else takes the CPU, 0 for never, and backAt when it gives
	// it back, 0 if it does not have it.
	stealAt, backAt int64
}

type vcpu struct {
	state     hostState
	home      int32 // CPU of the host
	vruntime  int64
	deadline  int64
	lag       int64 // what it was owed when it went to sleep
	interrupt bool  // of another virtual CPU, to be taken when it is back
	tick      bool
	timers    []timer // sleeps that are over, whose interrupt is on its way or waits
	armed     bool    // it is on its way
}

func (h *Host) check() error {
	if h.CPUs < 1 || h.Tick <= 0 || h.Slice <= 0 || min(h.TimerRunning.Least, h.TimerHalted.Least, h.StealEvery) < 0 || h.StealEvery > 0 && h.StealTime <= 0 ||
		h.SpareEvery != 0 && (h.SpareEvery < h.StealEvery || h.SpareTime <= 0) {
		return fmt.Errorf("schedsim: Config.Host is %+v, give at least one CPU, a tick, a slice, no time below 0, and a time to each theft", *h)
	}
	return nil
}

// buildHost puts the machine, all of whose CPUs are idle, on a host.
func (s *Sched) buildHost(h *Host) {
	if h == nil {
		return
	}
	s.host = &host{
		Host: *h, cpus: make([]hostCPU, h.CPUs), vcpus: make([]vcpu, len(s.cpus)),
		rand: StreamFor(s.seed, -4, 0), slot: s.hostSlot,
	}
	s.host.phase = s.now - int64(s.host.rand.Float64()*float64(h.Tick))
	for i := range s.host.cpus {
		s.host.cpus[i] = hostCPU{curr: none, queue: make([]int32, 0, len(s.cpus)), stealAt: s.host.nextTheft(s.now)}
	}
	for i := range s.host.vcpus {
		s.host.vcpus[i].home = int32(i % h.CPUs)
	}
	s.armHost()
}

// free reports whether a CPU of the host has nothing to do.
func (c *hostCPU) free() bool { return c.curr == none && c.backAt == 0 && len(c.queue) == 0 }

// spare reports whether a CPU has nothing to do.
func (h *host) spare() bool {
	for i := range h.cpus {
		if h.cpus[i].free() {
			return true
		}
	}
	return false
}

// threads is how many virtual CPUs run or wait on a CPU. What else runs there is taken to weigh
// nothing: recorded guests had ten times the weight of it.
func (c *hostCPU) threads() int {
	if c.curr == none {
		return len(c.queue)
	}
	return len(c.queue) + 1
}

// hostUpdate charges the thread that runs on a CPU, and computes the mean.
func (s *Sched) hostUpdate(c *hostCPU) {
	h := s.host
	sum, n := int64(0), int64(0)
	if c.curr != none {
		v := &h.vcpus[c.curr]
		v.vruntime += s.now - c.since
		sum, n = v.vruntime-c.avg, 1
	}
	c.since = s.now
	for _, ci := range c.queue {
		sum += h.vcpus[ci].vruntime - c.avg
		n++
	}
	if n > 0 {
		c.avg += sum / n
	}
}

// hostPlace puts a woken or moved thread on the queue of a CPU; ahead is by how much its
// vruntime is ahead of the mean.
func (s *Sched) hostPlace(p, ci int32, ahead int64) {
	h := s.host
	c, v := &h.cpus[p], &h.vcpus[ci]
	s.hostUpdate(c)
	v.home, v.state = p, hostWaits
	v.vruntime = c.avg + ahead
	v.deadline = v.vruntime + h.Slice
	c.queue = append(c.queue, ci)
	s.hostUpdate(c)
}

// hostWake makes the thread of a virtual CPU runnable, and reports whether it runs.
func (s *Sched) hostWake(ci int32) bool {
	h := s.host
	if h == nil {
		return true
	}
	v := &h.vcpus[ci]
	if v.state != hostAsleep {
		return v.state == hostRuns
	}
	// What it was owed it is still owed, up to a tick; what it has had too much of it
	// has paid off while others ran (DELAY_DEQUEUE).
	old := &h.cpus[v.home]
	s.hostUpdate(old)
	ahead := max(v.vruntime-old.avg, 0)
	if v.lag > 0 {
		ahead = -min(v.lag, h.Tick)
	}
	p := v.home
	if !old.free() {
		for i := range h.cpus {
			if h.cpus[i].free() {
				p = int32(i)
				break
			}
		}
	}
	if n := int64(len(h.cpus[p].queue)); ahead < 0 {
		// So that the mean, which it lowers, is still ahead by its lag.
		if h.cpus[p].curr != none {
			n++
		}
		if n == 0 {
			ahead = 0
		} else {
			ahead += ahead / n
		}
	}
	s.cpus[ci].frozen = true
	s.cpus[ci].since = s.now
	s.hostPlace(p, ci, ahead)
	c := &h.cpus[p]
	if c.backAt != 0 {
		c.backAt, c.stealAt = 0, h.nextTheft(s.now)
	}
	if c.curr == none || v.vruntime <= c.avg {
		c.queue = c.queue[:len(c.queue)-1]
		s.hostHold(c)
		s.hostRun(p, ci)
	} else {
		s.hostSchedule(p)
	}
	s.armHost()
	return v.state == hostRuns
}

// hostSchedule lets a CPU run who should, unless its thread has not had its slice.
func (s *Sched) hostSchedule(p int32) {
	h := s.host
	c := &h.cpus[p]
	s.hostUpdate(c)
	if c.backAt != 0 || len(c.queue) == 0 {
		return
	}
	if c.curr != none {
		v := &h.vcpus[c.curr]
		if v.vruntime < v.deadline {
			return
		}
		v.deadline = v.vruntime + h.Slice
	}
	best, at := none, -1
	better := func(ci int32) bool {
		v := &h.vcpus[ci]
		return v.vruntime <= c.avg && (best == none || v.deadline < h.vcpus[best].deadline)
	}
	if c.curr != none && better(c.curr) {
		best = c.curr
	}
	for i, ci := range c.queue {
		if better(ci) {
			best, at = ci, i
		}
	}
	if best == none {
		best, at = c.queue[0], 0 // the mean is rounded down
	}
	if at < 0 {
		return
	}
	c.queue = append(c.queue[:at], c.queue[at+1:]...)
	s.hostHold(c)
	s.hostRun(p, best)
}

// hostHold makes the thread that runs on a CPU of the host wait.
func (s *Sched) hostHold(c *hostCPU) {
	ci := c.curr
	if ci == none {
		return
	}
	s.hostUpdate(c)
	c.curr = none
	c.queue = append(c.queue, ci)
	s.host.vcpus[ci].state = hostWaits
	s.progress(&s.cpus[ci])
	s.cpus[ci].frozen = true
}

// hostRun gives a CPU of the host to a thread, which goes on with what it did.
func (s *Sched) hostRun(p, ci int32) {
	c, v := &s.host.cpus[p], &s.host.vcpus[ci]
	v.state = hostRuns
	c.curr, c.since = ci, s.now
	g := &s.cpus[ci]
	g.frozen, g.since = false, s.now
	if g.act != actIdle {
		s.q.set(ci, g.end())
	}
	s.hostDeliver(ci)
	if v.tick {
		v.tick = false
		if !g.tickStopped {
			s.tickCPU(ci)
		}
	}
}

// hostDeliver lets the interrupts and timers come that were kept for a virtual CPU.
func (s *Sched) hostDeliver(ci int32) {
	v := &s.host.vcpus[ci]
	if v.interrupt {
		v.interrupt = false
		s.q.set(s.ipiSlot(ci), s.now)
	}
	if len(v.timers) > 0 && !v.armed {
		v.armed = true
		s.timers.push(s.now, ^ci)
		s.armTimers()
	}
}

// hostSleep takes the thread of a virtual CPU that has nothing to do off the host.
func (s *Sched) hostSleep(ci int32) {
	h := s.host
	v := &h.vcpus[ci]
	if v.state == hostAsleep {
		return
	}
	p := v.home
	c := &h.cpus[p]
	s.hostUpdate(c)
	v.lag = c.avg - v.vruntime
	if v.state == hostRuns {
		c.curr = none
	} else {
		for i, w := range c.queue {
			if w == ci {
				c.queue = append(c.queue[:i], c.queue[i+1:]...)
				break
			}
		}
		s.cpus[ci].frozen = false
	}
	v.state = hostAsleep
	// A timer of bandwidth control or of a class may have put it to sleep while it waited:
	// those come at once.
	s.hostDeliver(ci)
	if c.curr == none {
		s.hostNext(p)
	}
	s.armHost()
}

// hostNext gives a CPU of the host to the next thread, if need be one that waits for another
// CPU.
func (s *Sched) hostNext(p int32) {
	h := s.host
	if c := &h.cpus[p]; len(c.queue) == 0 && c.backAt == 0 {
		from := p
		for i := range h.cpus {
			if len(h.cpus[i].queue) > len(h.cpus[from].queue) {
				from = int32(i)
			}
		}
		s.hostMove(from, p)
	}
	s.hostSchedule(p)
}

// hostMove moves the thread that waits for longest.
func (s *Sched) hostMove(from, to int32) {
	c := &s.host.cpus[from]
	if from == to || len(c.queue) == 0 {
		return
	}
	s.hostUpdate(c)
	ci := c.queue[0]
	c.queue = c.queue[:copy(c.queue, c.queue[1:])]
	s.hostPlace(to, ci, s.host.vcpus[ci].vruntime-c.avg)
}

// hostEvent is what is due on the host: ends of thefts, thefts, the tick.
func (s *Sched) hostEvent() {
	h := s.host
	for i := range h.cpus {
		c := &h.cpus[i]
		switch {
		case c.backAt != 0 && c.backAt <= s.now:
			c.backAt = 0
			c.stealAt = h.nextTheft(s.now)
			s.hostSchedule(int32(i))
		case c.backAt == 0 && c.stealAt != 0 && c.stealAt <= s.now:
			took := h.StealTime
			if h.SpareEvery > 0 && h.spare() {
				if took = h.SpareTime; h.rand.Float64()*float64(h.SpareEvery) > float64(h.StealEvery) {
					c.stealAt = h.nextTheft(s.now)
					continue
				}
			}
			s.hostHold(c)
			c.backAt = s.now + h.draw(took)
		}
	}
	if h.tickAt == s.now {
		s.hostTick()
	}
	s.armHost()
}

// hostTick ends slices and balances.
func (s *Sched) hostTick() {
	h := s.host
	most, least := 0, 0
	for i := range h.cpus {
		if h.cpus[i].threads() > h.cpus[most].threads() {
			most = i
		}
		if h.cpus[i].threads() < h.cpus[least].threads() {
			least = i
		}
	}
	if n := h.cpus[most].threads() - h.cpus[least].threads(); n > 1 || n == 1 && (s.now-h.phase)/h.Tick%hostBalance == 0 {
		s.hostMove(int32(most), int32(least))
	}
	for i := range h.cpus {
		s.hostSchedule(int32(i))
	}
}

// armHost sets the next event of the host. Its tick matters if somebody waits.
func (s *Sched) armHost() {
	h := s.host
	next := int64(math.MaxInt64)
	h.tickAt = 0
	for i := range h.cpus {
		c := &h.cpus[i]
		if c.backAt != 0 {
			next = min(next, c.backAt)
		} else if c.stealAt != 0 {
			next = min(next, c.stealAt)
		}
		if len(c.queue) > 0 {
			h.tickAt = h.nextTick(s.now)
			next = min(next, h.tickAt)
		}
	}
	if next == math.MaxInt64 {
		s.q.clear(h.slot)
		return
	}
	s.q.set(h.slot, next)
}

// nextTick is the first tick after a time.
func (h *host) nextTick(at int64) int64 { return h.phase + (at-h.phase)/h.Tick*h.Tick + h.Tick }

// nextTheft draws when something else wants a CPU of the host.
func (h *host) nextTheft(now int64) int64 {
	if h.StealEvery == 0 {
		return 0
	}
	return now + h.draw(h.StealEvery)
}

func (h *host) draw(mean int64) int64 {
	return 1 + int64(-float64(mean)*math.Log(1-h.rand.Float64()))
}

// hostLate keeps what a virtual CPU that does not run is to do when it is back.
func (s *Sched) hostLate(slot, ci int32) {
	s.q.clear(slot)
	if slot != ci {
		s.host.vcpus[ci].interrupt = true
	}
}

// hostMissesTick keeps a tick of a virtual CPU that does not run. It takes one when it is
// back, however many it missed.
func (s *Sched) hostMissesTick(ci int32) {
	v := &s.host.vcpus[ci]
	if v.tick {
		s.host.missed++
	}
	v.tick = true
}

// hostTimer keeps the timer of a sleep that is over until the interrupt comes that serves it.
func (s *Sched) hostTimer(t timer) {
	h := s.host
	ci := s.tasks[t.task].cpu
	v := &h.vcpus[ci]
	v.timers = append(v.timers, t)
	if v.armed || v.state == hostWaits {
		return
	}
	v.armed = true
	late := h.TimerRunning
	if s.cpus[ci].act == actIdle {
		late = h.TimerHalted
	}
	at := s.now + late.Least
	if late.More > 0 {
		at += h.draw(late.More)
	}
	if h.TimerWaits > 0 && h.rand.Float64() < h.TimerWaits {
		at = h.nextTick(at)
	}
	s.timers.push(at, ^ci)
}

// hostTimerInterrupt is the interrupt of a virtual CPU's timer. If that has to wait for the
// host, it is served when it is back.
func (s *Sched) hostTimerInterrupt(ci int32) {
	v := &s.host.vcpus[ci]
	runs := s.hostWake(ci)
	v.armed = false
	if !runs {
		return
	}
	s.charge(ci, 0, s.host.TimerCost/2)
	due := v.timers
	v.timers = v.timers[len(v.timers):]
	for _, t := range due {
		s.timerWakes(&s.tasks[t.task])
	}
	if len(v.timers) == 0 {
		v.timers = due[:0]
	}
	// Whom the wakeup has let run is charged for it: the kernel keeps the clock of the
	// wakeup for the switch (rq_clock_skip_update).
	s.charge(ci, 0, s.host.TimerCost-s.host.TimerCost/2)
	if s.cpus[ci].act == actIdle {
		s.hostSleep(ci) // it has woken for others' sake
	}
}
