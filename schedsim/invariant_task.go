package schedsim

// Tasks: each is in exactly one place, and what sleeps has something to wake it.

// placeKind is where a task is.
type placeKind uint8

const (
	placeNone    placeKind = iota
	placeQueued            // on a runqueue, the current task included
	placeWaking            // being woken, or in a wake list
	placeChannel           // waits in a channel
	placeBuffer            // waits for a buffer, or is among those that are woken in turn
	placeTimer             // sleeps until a time
	placeWord              // asleep at a barrier
)

// at counts a place of a task.
func (c *checker) at(id TaskID, k placeKind) {
	c.places[id]++
	c.kinds[id] = max(c.kinds[id], k) // a delayed task waits, and is queued beside
}

// chain counts the tasks of a list of waiters from one on. A list that bites its own tail is
// seen by its first task being there twice.
func (c *checker) chain(id TaskID, k placeKind) {
	for ; id != none && c.places[id] < 8; id = c.s.tasks[id].nextWaiter {
		c.at(id, k)
	}
}

// findPlaces looks everywhere for tasks.
func (c *checker) findPlaces() {
	s := c.s
	clear(c.places)
	clear(c.kinds)
	for i := range s.cpus {
		p := &s.cpus[i]
		if p.wakee != none {
			c.at(p.wakee, placeWaking)
		}
		for _, id := range p.wakeList {
			c.at(id, placeWaking)
		}
		for _, id := range p.fairTasks {
			c.at(id, placeQueued)
		}
		for _, id := range s.rt[i].queue {
			c.at(id, placeQueued)
		}
		if p.stopTask != none {
			c.at(p.stopTask, placeQueued)
		}
	}
	for i := range s.dls {
		// A throttled one is on no queue: its timer brings it back.
		if id := s.dls[i].task; id != none && s.tasks[id].class == classDeadline && s.tasks[id].onRQ {
			c.at(id, placeQueued)
		}
	}
	for i := range s.channels {
		c.chain(s.channels[i].waiter, placeChannel)
	}
	for i := range s.buffers {
		c.chain(s.buffers[i].readers.first, placeBuffer)
		c.chain(s.buffers[i].writers.first, placeBuffer)
	}
	for i := range s.tasks {
		// Those that a task is about to wake, one after another.
		if t := &s.tasks[i]; t.state == taskRunning {
			c.chain(t.nextWaiter, placeBuffer)
		}
	}
	for _, t := range s.timers.heap {
		if t.task >= 0 {
			c.at(t.task, placeTimer) // else it is the interrupt of a virtual CPU
		}
	}
	if s.host != nil {
		for i := range s.host.vcpus {
			for _, t := range s.host.vcpus[i].timers {
				c.at(t.task, placeTimer)
			}
		}
	}
	if s.spin != nil {
		for i := range s.spin.words {
			for _, id := range s.spin.words[i].sleepers {
				c.at(id, placeWord)
			}
		}
		for i := range s.spin.tasks {
			if st := &s.spin.tasks[i]; st.state == spinWaking {
				c.chain(st.first, placeWord)
			}
		}
	}
}

// allTasks looks at every task.
func (c *checker) allTasks() error {
	s := c.s
	c.findPlaces()
	for i := range s.tasks {
		t := &s.tasks[i]
		if t.state == taskDead {
			if c.places[i] != 0 || t.onRQ {
				return t.breach("is dead and still in %d places, on_rq %v", c.places[i], t.onRQ)
			}
			continue
		}
		delayed := s.ents[t.se].delayed
		want := uint8(1)
		switch {
		case t.kthread && t.state == taskSleeping && !delayed:
			want = 0 // it waits for work
		case delayed && !t.kthread:
			want = 2 // on its CPU's list beside
		}
		if c.places[i] != want {
			return t.breach("in state %d is in %d places, want %d: with none it is lost, with two it runs twice", t.state, c.places[i], want)
		}
		if t.onRQ != (t.state == taskRunning || delayed) || t.class == classFair && t.onRQ != s.ents[t.se].onRQ || delayed && t.state == taskRunning {
			return t.breach("in state %d has on_rq %v, its entity %v, its dequeue delayed: %v", t.state, t.onRQ, s.ents[t.se].onRQ, delayed)
		}
		if t.state == taskSleeping && !t.kthread {
			if want := t.waitsIn(); c.kinds[i] != want {
				return t.breach("sleeps in operation %d (waits %v), in place %d, want %d: nothing will wake it", t.op.Kind, t.inOp, c.kinds[i], want)
			}
		}
		e := &s.ents[t.se]
		if i < int(s.born) {
			if want := t.group*int32(len(s.cpus)) + t.cpu; t.group != s.groupOf(t) || e.cfs != want || e.parent != s.cfs[want].se {
				return t.breach("of cgroup %d and session %d is in group %d, on cfs_rq %d below entity %d", t.cgroup, t.session, t.group, e.cfs, e.parent)
			}
		}
		if s.eevdf && t.class == classFair && !e.onRQ {
			if err := c.lagBound(t, e); err != nil {
				return err
			}
		}
	}
	overloaded := 0
	for _, ci := range s.online {
		if s.rtoMask.has(int(ci)) {
			overloaded++
		}
	}
	if overloaded != s.rtoCount {
		return inMachine("%d CPUs have real-time tasks for others, counted are %d", overloaded, s.rtoCount)
	}
	for i := range s.dls {
		if e := &s.dls[i]; e.timer != 0 && (e.pending == 0 || e.pending > e.timer) {
			return inMachine("deadline entity %d: its timer of %d is not set, its entry is of %d", i, e.timer, e.pending)
		}
	}
	return nil
}

// waitsIn is where a task sleeps by what its program does.
func (t *Task) waitsIn() placeKind {
	if !t.inOp {
		return placeTimer // of OpSleep, or until it starts
	}
	switch t.op.Kind {
	case OpRecv, OpFutexWait:
		return placeChannel
	case OpRead, OpWrite:
		return placeBuffer
	case OpBarrier, OpSpin:
		return placeWord
	}
	return placeTimer
}

// lagBound looks at what a task that is off the queue keeps of its lag: two of its slices at
// most, or a tick (entity_lag).
func (c *checker) lagBound(t *Task, e *entity) error {
	limit := max(2*e.slice, c.s.tickNS)*1024/scaleDown(e.load.weight) + 1
	limit += limit >> 8 // of rounding, and of a weight that changed meanwhile
	if e.vlag > limit || e.vlag < -limit {
		return t.breach("left its queue with a lag of %d, want at most %d", e.vlag, limit)
	}
	return nil
}

// waiting sees that no waiter sleeps on while what it waits for is there.
func (c *checker) waiting() error {
	s := c.s
	if err := c.channels(); err != nil {
		return err
	}
	for i := range s.buffers {
		if err := c.buffer(int32(i), &s.buffers[i]); err != nil {
			return err
		}
	}
	for _, t := range s.timers.heap {
		switch {
		case t.at >= s.now:
		case t.task < 0:
			return inMachine("the interrupt of a timer of virtual CPU %d was due at %d", ^t.task, t.at)
		default:
			return s.tasks[t.task].breach("sleeps on after %d, when it was to wake", t.at)
		}
	}
	if n := len(s.timers.heap); n > 0 && s.q.at(s.timerSlot) != s.timers.heap[0].at {
		return inMachine("%d tasks sleep, the first until %d, and the timer is set for %d", n, s.timers.heap[0].at, s.q.at(s.timerSlot))
	}
	if s.spin == nil {
		return nil
	}
	for i := range s.spin.words {
		w := &s.spin.words[i]
		for _, list := range [...][]TaskID{w.spinners, w.sleepers} {
			for _, id := range list {
				if st := &s.spin.tasks[id]; st.want <= w.value {
					return s.tasks[id].breach("waits for word %d to be %d, and it is %d", i, st.want, w.value)
				}
			}
		}
	}
	return nil
}

// channels: a message in a channel where somebody waits is for one who was woken already and
// is on the way.
func (c *checker) channels() error {
	s := c.s
	some := false
	for i := range s.channels {
		if ch := &s.channels[i]; ch.waiter != none && ch.pending > 0 {
			some = true
			break
		}
	}
	if !some {
		return nil
	}
	clear(c.awaited)
	for i := range s.tasks[:s.born] {
		t := &s.tasks[i]
		if t.inOp && (t.op.Kind == OpRecv || t.op.Kind == OpFutexWait) && (t.state == taskRunning || t.state == taskWaking) {
			c.awaited[t.op.Arg]++
		}
	}
	for i := range s.channels {
		if ch := &s.channels[i]; ch.waiter != none && ch.pending > c.awaited[i] {
			return s.tasks[ch.waiter].breach("waits in channel %d, which has %d messages, and %d others are on their way to take one: a lost wakeup",
				i, ch.pending, c.awaited[i])
		}
	}
	return nil
}

// buffer: who waits for a buffer waits for something that is not there, but for what the
// kernel leaves to one who was woken already.
func (c *checker) buffer(i int32, b *buffer) error {
	s := c.s
	reader, writer := b.readers.first, b.writers.first
	switch {
	case b.Gate:
		if reader != none && b.n > 0 {
			return s.tasks[reader].breach("waits at gate %d, which is open", i)
		}
		return nil
	case b.PageMessages == 0 || b.onePipeQueue:
		if reader != none && b.n > 0 {
			return s.tasks[reader].breach("waits to read buffer %d, which has %d messages: a lost wakeup", i, b.n)
		}
	}
	if b.PageMessages == 0 && writer != none && b.n <= b.Low {
		return s.tasks[writer].breach("waits to write to buffer %d, which has %d messages of %d: a lost wakeup", i, b.n, b.Limit)
	}
	if b.PageMessages == 0 || b.onePipeQueue {
		return nil
	}
	// Since 5.5 one is woken, who wakes the next: so one is on its way.
	if reader != none && b.n > 0 && !c.onItsWay(OpRead, i) {
		return s.tasks[reader].breach("waits to read pipe %d, which has %d messages, and nobody else does: a lost wakeup", i, b.n)
	}
	if writer != none && b.pages < b.Limit && !c.onItsWay(OpWrite, i) {
		return s.tasks[writer].breach("waits to write to pipe %d, which has %d pages of %d, and nobody else does: a lost wakeup", i, b.pages, b.Limit)
	}
	return nil
}

// onItsWay reports whether a task that is awake is to do an operation on a buffer.
func (c *checker) onItsWay(kind OpKind, buffer int32) bool {
	for i := range c.s.tasks[:c.s.born] {
		t := &c.s.tasks[i]
		if t.inOp && t.op.Kind == kind && t.op.Arg == buffer && (c.kinds[i] != placeBuffer || c.herded(t.ID)) {
			return true
		}
	}
	return false
}

// herded reports whether a task is among those that another is about to wake.
func (c *checker) herded(id TaskID) bool {
	s := c.s
	for _, ci := range s.online {
		if curr := s.cpus[ci].curr; curr != none {
			for w := s.tasks[curr].nextWaiter; w != none; w = s.tasks[w].nextWaiter {
				if w == id {
					return true
				}
			}
		}
	}
	return false
}
