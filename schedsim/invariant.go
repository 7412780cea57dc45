package schedsim

import "slices"

// Invariants: what holds of a simulated machine between any two events, whatever runs on
// it. With Config.Check they are looked at while a run goes on, and the first that does
// not hold ends it with a Violation. docs/reliability.md lists them.
//
// Looking at a whole machine after each event would cost more than the events. After each,
// the CPUs are looked at that it changed, with all that is queued there and what runs; what
// takes all CPUs, tasks or waiters together comes every wholeEvery events and at the end. A
// fault of the first kind is so found at the event that made it, one of the second up to
// wholeEvery events later: a lost wakeup, say, or a contribution that a group's sum lacks.
//
// The checks compute what they expect from the parts, by other ways than the code that keeps
// the sums; they change nothing, so that a run is the same with them and without.

// wholeEvery is after how many events all of the machine is looked at, and memoryEvery how
// many times rarer its memory, all pages of which are counted.
const (
	wholeEvery  = 1024
	memoryEvery = 64
)

// checker is the state of checking: what it remembers of the events before.
type checker struct {
	s       *Sched
	touched []int32 // CPUs that the event changed
	marked  []bool  // by CPU: it is in touched
	// requeued says that the event took a running task off its queue and put it back, as
	// a change of group or affinity does: it may have another vruntime then.
	requeued bool

	events, wholes int64
	next           int64 // when all is looked at

	cpu []seenCPU
	// By task: how long it was seen running, ns, and how much of that the kernel does not
	// charge (deadline tasks; see ranAs).
	ran, lost []int64
	minimum   []int64 // by cfs_rq: min_vruntime
	idleNS    int64   // IdleNS of the counters before they were reset
	unspent   int64   // CPU time that was charged to nobody when checking began

	overloaded, idle int // CPUs that are
	// Scratch: which entities a queue was found to have, in how many places tasks are and
	// in which kind, sums of queues and cores.
	stamp    uint32
	entitys  []uint32
	places   []uint8
	kinds    []placeKind
	runnable []int64
	busy     []int32
	llcNohz  []int32
	awaited  []int32 // by channel: tasks on their way to take something from it
}

// seenCPU is what a CPU was like when it was looked at last.
type seenCPU struct {
	curr  TaskID
	since int64 // when curr was switched to
	// Of curr, if it is fair: its queue, weight, CPU time and vruntime.
	cfs               int32
	weight            int64
	sumExec, vruntime int64
	throttled         bool // deadline task whose time is up
	// out is what ran before, if it was switched away by the event.
	out          TaskID
	outThrottled bool
	class        class
	// demoted: curr left the deadline class for the real-time one. The kernel does not
	// reschedule then, whatever waits (switched_from_dl, switched_to_rt).
	demoted          bool
	overloaded, idle bool
}

// newChecker begins to check s as it is.
func newChecker(s *Sched) *checker {
	c := &checker{
		s: s, touched: make([]int32, 0, len(s.cpus)), marked: make([]bool, len(s.cpus)), next: wholeEvery,
		cpu: make([]seenCPU, len(s.cpus)), ran: make([]int64, len(s.tasks)), lost: make([]int64, len(s.tasks)),
		places: make([]uint8, len(s.tasks)), kinds: make([]placeKind, len(s.tasks)),
		busy: make([]int32, len(s.cores)), llcNohz: make([]int32, len(s.llcs)), awaited: make([]int32, len(s.channels)),
	}
	for i := range s.tasks {
		c.ran[i] = s.ents[s.tasks[i].se].sumExec
	}
	for i := range c.cpu {
		k := &c.cpu[i]
		k.curr, k.cfs, k.out = s.cpus[i].curr, none, none
		if k.curr != none {
			t := &s.tasks[k.curr]
			k.since, k.class = s.ents[t.se].execStart, t.class
			k.demoted = t.class == classRT // it may have been
		}
		k.overloaded, k.idle = s.cpus[i].nrRunning >= 2, s.cpus[i].act <= actExit && s.cpus[i].core != offline
		if k.overloaded {
			c.overloaded++
		}
		if k.idle {
			c.idle++
		}
	}
	c.grow()
	c.unspent = c.unaccounted()
	return c
}

// grow follows new groups.
func (c *checker) grow() {
	s := c.s
	for i := len(c.minimum); i < len(s.cfs); i++ {
		c.minimum = append(c.minimum, s.cfs[i].minVruntime)
	}
	c.entitys = slices.Grow(c.entitys, len(s.ents)-len(c.entitys))[:len(s.ents)]
	c.runnable = slices.Grow(c.runnable, len(s.cfs)-len(c.runnable))[:len(s.cfs)]
}

// mark notes that a CPU's runqueue changes.
func (c *checker) mark(ci int32) {
	if !c.marked[ci] {
		c.marked[ci] = true
		c.touched = append(c.touched, ci)
	}
}

// resetCounters begins to count anew.
func (s *Sched) resetCounters() {
	if s.checks != nil {
		s.checks.idleNS += s.count.IdleNS
	}
	s.count = Counters{}
}

// after looks at what the event of a slot, just dispatched, has left.
func (c *checker) after(slot int32) error {
	s := c.s
	n := int32(len(s.cpus))
	c.events++
	switch {
	case slot < n:
		c.mark(slot)
	case slot < 2*n:
		c.mark(slot - n)
	case slot == s.tickSlot:
		for _, ci := range s.online {
			if !s.cpus[ci].tickStopped {
				c.mark(ci)
			}
		}
	case slot == s.hostSlot:
		for _, ci := range s.online {
			c.mark(ci)
		}
	default:
		c.mark(s.smp)
	}
	if len(s.cfs) > len(c.minimum) {
		c.grow()
	}
	for _, ci := range c.touched {
		c.follow(ci)
	}
	for _, ci := range c.touched {
		if err := c.oneCPU(ci, slot != ci && !c.requeued); err != nil {
			return c.violation(err)
		}
	}
	for _, ci := range c.touched {
		c.marked[ci] = false
	}
	c.touched = c.touched[:0]
	c.requeued = false
	if c.overloaded != s.nrOverloaded || c.idle != s.nrIdle {
		return c.violation(inMachine("%d CPUs have two tasks or more and %d are idle, counted are %d and %d",
			c.overloaded, c.idle, s.nrOverloaded, s.nrIdle))
	}
	if c.events >= c.next {
		return c.whole()
	}
	return nil
}

// whole looks at all of the machine.
func (c *checker) whole() error {
	c.next = c.events + wholeEvery
	c.wholes++
	if err := c.wholeState(); err != nil {
		return c.violation(err)
	}
	if c.s.mem != nil && c.wholes%memoryEvery == 1 {
		if err := c.s.verifyNUMA(); err != nil {
			return c.violation(inMachine("%v", err))
		}
	}
	return nil
}

func (c *checker) wholeState() error {
	s := c.s
	if len(s.cfs) > len(c.minimum) {
		c.grow()
	}
	for _, ci := range s.online {
		c.follow(ci)
	}
	for i := range s.cpus {
		ci := int32(i)
		if s.cpus[i].core == offline {
			if err := c.offlineCPU(ci); err != nil {
				return err
			}
			continue
		}
		if err := c.oneCPU(ci, false); err != nil {
			return err
		}
	}
	for _, check := range []func() error{c.counts, c.allTasks, c.waiting, c.allTime, c.groups, c.loads, c.hardware} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// oneCPU looks at one CPU. undisturbed says that what ran there before the event and still
// does was not taken off meanwhile by an operation of its own.
func (c *checker) oneCPU(ci int32, undisturbed bool) error {
	if err := c.queues(ci); err != nil {
		return err
	}
	if err := c.runqueue(ci); err != nil {
		return err
	}
	if err := c.classes(ci); err != nil {
		return err
	}
	if err := c.order(ci); err != nil {
		return err
	}
	return c.time(ci, undisturbed)
}
