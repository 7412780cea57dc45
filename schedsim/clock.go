package schedsim

// This file is the hardware of clocks: what CPUs ask for, which clock they get,
// and what the counters APERF and MPERF see of it.

// limits are what a CPU asks for, MHz. Without HWP both are the same.
type limits struct{ lo, hi int64 }

// cpuClock is the clock as one CPU sees it.
type cpuClock struct {
	ask limits // as written by the driver
	now limits // in force: one transition later
	hwp int64  // what HWP chose for the core, MHz

	// Time and cycles up to since. c0 is MPERF as time in ns, cycles is APERF
	// as MHz times ns.
	since            int64
	c0, cycles, idle int64

	// The same at the last sample of HWP, of the tick, and of the governor.
	hwpC0                              int64
	tickC0, tickCycles                 int64
	sampleC0, sampleCycles, sampleIdle int64
	sampleTime                         int64 // 0 before the first

	pstate                    int64 // intel_pstate: asked for last
	idleCalls, savedIdleCalls int64 // schedutil: times that the idle loop stopped the tick
	prevLoad                  int64 // ondemand: percent
}

// clock is the clock of a core, or of a socket.
type clock struct {
	cores, cpus []int32
	socket      int32
	mhz         int64
	moving      bool // a request is on its way
}

// buildClocks makes a clock for each core or for each socket.
func (s *Sched) buildClocks(perCore bool) {
	f := s.freq
	f.clockOf = make([]int32, len(s.cores))
	n := len(s.cores)
	if !perCore {
		n = len(s.active)
	}
	f.clocks = make([]clock, n)
	f.moving.slots = make([]movingClock, n)
	for i := range s.cores {
		k := &s.cores[i]
		f.clockOf[i] = k.socket
		if perCore {
			f.clockOf[i] = int32(i)
		}
		c := &f.clocks[f.clockOf[i]]
		c.cores = append(c.cores, int32(i))
		c.cpus = append(c.cpus, k.cpus...)
		c.socket = k.socket
	}
	for i := range f.cpu {
		f.cpu[i].hwp = f.minMHz
	}
}

// turbo re-evaluates the clocks from the active cores of each socket, as the
// hardware does about once a millisecond (assumed).
func (s *Sched) turbo() {
	for i := range s.active {
		s.active[i] = 0
	}
	for i := range s.cores {
		k := &s.cores[i]
		if k.busy > 0 || !s.asleep(k) {
			s.active[k.socket]++
		}
	}
	for i, n := range s.active {
		mhz := s.mhzAt[n]
		if mhz == s.mhz[i] {
			continue
		}
		s.mhz[i] = mhz
		if s.freq != nil {
			continue
		}
		for j := range s.cores {
			if s.cores[j].socket == int32(i) {
				s.cores[j].speed = s.speedOf(mhz)
				s.retimeCore(int32(j))
			}
		}
	}
	if s.freq != nil {
		if s.freq.hwp {
			s.hwpChoose()
		}
		for i := range s.freq.clocks {
			s.setClock(&s.freq.clocks[i])
		}
	}
	s.q.set(s.turboSlot, s.now+turboPeriod)
}

// turboPeriod is how often the power control unit re-evaluates, ns (assumed).
const turboPeriod = 1e6

// asleep reports whether all threads of a core are in the deepest idle state,
// which takes the core out of the turbo count.
func (s *Sched) asleep(k *core) bool {
	for _, ci := range k.cpus {
		if !s.cpuAsleep(ci) {
			return false
		}
	}
	return true
}

func (s *Sched) cpuAsleep(ci int32) bool {
	c := &s.cpus[ci]
	return c.act == actIdle && int(c.idleState) == len(s.idleExit)-1
}

// request writes what a CPU asks for. It is in force a transition later; what is
// written while the clock is on its way already goes with it.
func (s *Sched) request(ci int32, r limits) {
	c := &s.freq.cpu[ci]
	if c.ask == r {
		return
	}
	c.ask = r
	s.moveClock(s.freq.clockOf[s.cpus[ci].core])
}

// moveClock starts a transition of a clock.
func (s *Sched) moveClock(i int32) {
	f := s.freq
	if f.clocks[i].moving {
		return
	}
	f.clocks[i].moving = true
	f.moving.push(movingClock{s.now + f.transition, i})
	s.q.set(s.clockSlot, f.moving.first().at)
}

// clockEvent is the end of transitions.
func (s *Sched) clockEvent() {
	f := s.freq
	for f.moving.n > 0 && f.moving.first().at <= s.now {
		c := &f.clocks[f.moving.pop().clock]
		c.moving = false
		for _, ci := range c.cpus {
			f.cpu[ci].now = f.cpu[ci].ask
		}
		s.setClock(c)
	}
	if f.moving.n > 0 {
		s.q.set(s.clockSlot, f.moving.first().at)
	} else {
		s.q.clear(s.clockSlot)
	}
}

// setClock gives a clock its target.
func (s *Sched) setClock(c *clock) {
	mhz := s.clockTarget(c)
	if mhz == c.mhz {
		return
	}
	for _, ci := range c.cpus {
		s.countCycles(ci)
	}
	c.mhz = mhz
	s.count.FreqChanges++
	for _, core := range c.cores {
		s.cores[core].speed = s.speedOf(mhz)
		s.retimeCore(core)
	}
}

// clockTarget is the highest of what the CPUs of a clock want, up to the turbo
// bin. CPUs in the deepest idle state have no say (assumed: on Intel servers
// those in C3 or deeper have none); if all are there, nothing changes.
func (s *Sched) clockTarget(c *clock) int64 {
	f := s.freq
	want := int64(0)
	for _, ci := range c.cpus {
		if !s.cpuAsleep(ci) {
			want = max(want, f.cpu[ci].wanted(f))
		}
	}
	if want == 0 {
		return c.mhz
	}
	return min(want, s.mhz[c.socket])
}

// wanted is what a CPU wants within its limits.
func (c *cpuClock) wanted(f *cpufreq) int64 {
	if f.hwp {
		return min(max(c.hwp, c.now.lo), c.now.hi)
	}
	return c.now.hi
}

// clockAwake gives a CPU that leaves its idle state its say again: what it asked
// for while all slept, or wants more of than the others, it gets a transition
// later.
func (s *Sched) clockAwake(ci int32) {
	f := s.freq
	i := f.clockOf[s.cpus[ci].core]
	c := &f.clocks[i]
	if f.cpu[ci].wanted(f) != c.mhz && s.clockTarget(c) != c.mhz {
		s.moveClock(i)
	}
}

// countCycles brings APERF, MPERF and the idle time of ci up to now. A polling
// idle state is in C0 for the counters, and idle for the kernel.
func (s *Sched) countCycles(ci int32) {
	f := s.freq
	c, k := &f.cpu[ci], &s.cpus[ci]
	dt := s.now - c.since
	c.since = s.now
	if k.busy || s.idleC0[k.idleState] {
		c.c0 += dt
		c.cycles += dt * f.clocks[f.clockOf[k.core]].mhz
	}
	if !k.busy {
		c.idle += dt
	}
}

// HWP, without which no data sheet says what it does, is assumed to be this:
// once in turboPeriod each core compares its time in C0 with the period and
// chooses the clock at which it would have been busy for hwpTarget of it. It
// goes up at once, which takes from the lowest to the highest clock of a server
// 5 to 7 ms, and down by half of the way.
const hwpTarget = 0.75

func (s *Sched) hwpChoose() {
	f := s.freq
	for i := range s.cores {
		k := &s.cores[i]
		mhz := f.clocks[f.clockOf[i]].mhz
		c0 := int64(0)
		for _, ci := range k.cpus {
			s.countCycles(ci)
			c := &f.cpu[ci]
			c0 = max(c0, c.c0-c.hwpC0)
			c.hwpC0 = c.c0
		}
		want := int64(float64(mhz*c0) / (turboPeriod * hwpTarget))
		last := f.cpu[k.cpus[0]].hwp
		if want < last {
			want = (want + last) / 2
		}
		want = min(max(want, f.minMHz), f.maxMHz)
		for _, ci := range k.cpus {
			f.cpu[ci].hwp = want
		}
	}
}

// ring is a queue of clocks on their way; it never holds more than there are.
type ring struct {
	slots   []movingClock
	head, n int
}

type movingClock struct {
	at    int64
	clock int32
}

func (r *ring) first() movingClock { return r.slots[r.head] }

func (r *ring) push(m movingClock) {
	r.slots[(r.head+r.n)%len(r.slots)] = m
	r.n++
}

func (r *ring) pop() movingClock {
	m := r.slots[r.head]
	r.head = (r.head + 1) % len(r.slots)
	r.n--
	return m
}

func (r *ring) drop() { r.head, r.n = 0, 0 }
