package schedsim

import "fmt"

// Buffer is a bounded queue of messages of one size: one direction of a stream
// socket pair, a pipe, or a gate. Who finds it empty waits to read, who finds it
// full waits to write, and wakes whom is that of the kernel's net/unix/af_unix.c and
// fs/pipe.c. All their wakeups are WF_SYNC.
//
// A socket (PageMessages 0) accounts its memory to the sender's end, which all
// senders share. A write waits while Limit messages are unread
// (sock_alloc_send_pskb). A read that leaves Low or fewer wakes all writers that
// wait (unix_write_space), a write wakes the reader if it waits
// (sock_def_readable).
//
// A pipe has Limit pages, each filled by writes of PageMessages messages
// (PIPE_BUF_FLAG_CAN_MERGE). A writer that found it full waits for a page to be
// read to its end.
//
//   - Since 5.5 that wakes one writer, if the pipe was full, and a write wakes one
//     reader, if the pipe was empty. Who has waited wakes the next of its side if
//     there still is something for that.
//   - Before, there is one queue of waiters for both sides: each write, and each
//     page that is read to its end, wakes all who wait.
//
// A gate lets readers pass once somebody has written, all of them, and nothing is
// taken from it: poll of a pipe that nobody reads.
type Buffer struct {
	Limit, Low   int32
	PageMessages int32
	Gate         bool
	// StateLines is how many cache lines of the queue and its lock whoever reads
	// or writes pulls over, one after another, from the CPU that did so last. The
	// lines of a message come from the CPU that wrote it: Locality.TransferLines.
	StateLines float64
	// RecycleLines is how many lines of a message's memory a write to a socket pulls
	// from the CPU that freed it. A slab's objects go back to where they came from
	// (SLUB's remote free): the memory of a message is had again on the CPU that
	// wrote it, with its lines where it was read.
	RecycleLines float64
}

// buffer is a Buffer in use.
type buffer struct {
	Buffer
	onePipeQueue bool
	n            int32 // messages unread
	pages        int32 // of a pipe
	head, tail   int32 // messages written to the newest page, and unread in the oldest
	touched      int32 // CPU that read or wrote last
	readers      waiters
	writers      waiters
	from         []int16 // CPUs that wrote the messages, a ring
	oldest       int32   // place of the first unread in it
}

// waiters is a wait queue: tasks in the order in which they came.
type waiters struct{ first, last TaskID }

var nobody = waiters{none, none}

// maxBuffer bounds the messages of a buffer.
const maxBuffer = 1 << 20

// NewBuffer creates a buffer and returns its number for Op.Arg. It is for
// Workload.Start. A buffer that can hold nothing ends Run with an error.
func (s *Sched) NewBuffer(b Buffer) int32 {
	size := int64(b.Limit) * int64(max(b.PageMessages, 1))
	switch {
	case b.Gate:
		size = 0
	case b.Limit < 1 || b.PageMessages < 0 || size > maxBuffer:
		s.failStart(fmt.Errorf("schedsim: workload %s: a buffer of %d by %d messages, give 1 to %d",
			s.w.Name(), b.Limit, b.PageMessages, maxBuffer))
		size = 0
	case b.Low < 0 || b.Low >= b.Limit:
		s.failStart(fmt.Errorf("schedsim: workload %s: a buffer that wakes writers at %d of %d messages, give 0 to %d",
			s.w.Name(), b.Low, b.Limit, b.Limit-1))
	}
	if !(b.StateLines >= 0 && b.StateLines <= maxLines) {
		s.failStart(fmt.Errorf("schedsim: workload %s: a buffer of %v lines, give 0 to %g", s.w.Name(), b.StateLines, maxLines))
	}
	if !(b.RecycleLines >= 0 && b.RecycleLines <= maxLines) {
		s.failStart(fmt.Errorf("schedsim: workload %s: messages of %v lines, give 0 to %g", s.w.Name(), b.RecycleLines, maxLines))
	}
	if b.RecycleLines > 0 && s.freedBy == nil {
		s.freedBy = make([]int16, len(s.cpus))
		for i := range s.freedBy {
			s.freedBy[i] = int16(i)
		}
	}
	s.buffers = append(s.buffers, buffer{
		Buffer: b, onePipeQueue: b.PageMessages > 0 && !s.since(5, 5),
		touched: none, readers: nobody, writers: nobody, from: make([]int16, size),
	})
	return int32(len(s.buffers) - 1)
}

// read is the end of a system call that reads a message. It reports whether the
// task goes on at once.
func (s *Sched) read(ci int32, t *Task) bool {
	b := &s.buffers[t.op.Arg]
	if b.n == 0 {
		t.waited = true
		return s.waitIn(&b.readers, ci, t)
	}
	waited := t.waited
	t.waited = false
	if b.Gate {
		return s.syscallEnd(ci)
	}
	s.touchBuffer(b, ci)
	from := int32(b.from[b.oldest])
	s.count.MessagesRead++
	if s.cpus[from].socket != s.cpus[ci].socket {
		s.count.MessagesRemote++
	}
	s.cpus[ci].owedStall += s.transfer(from, ci, s.loc.TransferLines)
	if b.oldest++; int(b.oldest) == len(b.from) {
		b.oldest = 0
	}
	b.n--
	wake := TaskID(none)
	if b.PageMessages == 0 {
		if b.RecycleLines > 0 {
			s.freedBy[from] = int16(ci)
		}
		if b.n <= b.Low {
			wake = s.takeAll(&b.writers)
		}
		return s.wakeHerd(ci, wake)
	}
	turned := b.turnPage()
	switch {
	case b.onePipeQueue:
		if turned {
			wake = s.join(s.takeAll(&b.readers), s.takeAll(&b.writers))
		}
		return s.wakeHerd(ci, wake)
	case turned && b.pages == b.Limit-1:
		wake = s.takeFirst(&b.writers)
	}
	if waited && b.n > 0 {
		wake = s.join(wake, s.takeFirst(&b.readers))
	}
	return s.wakeHerd(ci, wake)
}

// fillPage counts a message of a pipe as written to its newest page, or to a new
// one if that is full.
func (b *buffer) fillPage() {
	if b.pages == 0 || b.head == b.PageMessages {
		b.pages++
		b.head = 0
		if b.pages == 1 {
			b.tail = 0
		}
	}
	b.head++
	if b.pages == 1 {
		b.tail++
	}
}

// turnPage counts a message of a pipe as read and reports whether its page has
// been read to its end, which frees it.
func (b *buffer) turnPage() bool {
	if b.tail--; b.tail > 0 {
		return false
	}
	b.pages--
	switch b.pages {
	case 0:
		b.head = 0
	case 1:
		b.tail = b.head
	default:
		b.tail = b.PageMessages
	}
	return true
}

// write is the end of a system call that writes a message.
func (s *Sched) write(ci int32, t *Task) bool {
	b := &s.buffers[t.op.Arg]
	if b.Gate {
		b.n = 1
		return s.wakeHerd(ci, s.takeAll(&b.readers))
	}
	if b.full(t.waited) {
		t.waited = true
		return s.waitIn(&b.writers, ci, t)
	}
	waited, wasEmpty := t.waited, b.n == 0
	t.waited = false
	s.touchBuffer(b, ci)
	at := b.oldest + b.n
	if int(at) >= len(b.from) {
		at -= int32(len(b.from))
	}
	b.from[at] = int16(ci)
	b.n++
	if b.PageMessages == 0 {
		if b.RecycleLines > 0 {
			s.cpus[ci].owedStall += s.transfer(int32(s.freedBy[ci]), ci, b.RecycleLines)
		}
		return s.wakeHerd(ci, s.takeAll(&b.readers))
	}
	b.fillPage()
	wake := TaskID(none)
	if b.onePipeQueue {
		return s.wakeHerd(ci, s.join(s.takeAll(&b.readers), s.takeAll(&b.writers)))
	}
	if wasEmpty {
		wake = s.takeFirst(&b.readers)
	}
	if waited && b.pages < b.Limit {
		wake = s.join(wake, s.takeFirst(&b.writers))
	}
	return s.wakeHerd(ci, wake)
}

// full reports whether a writer has to wait. One that has waited already looks for
// a free page only.
func (b *buffer) full(waited bool) bool {
	if b.PageMessages == 0 {
		return b.n >= b.Limit
	}
	return b.pages == b.Limit && (waited || b.head == b.PageMessages)
}

// ready reports whether an operation on a buffer would not wait.
func (s *Sched) ready(t *Task) bool {
	b := &s.buffers[t.op.Arg]
	if t.op.Kind == OpRead {
		return b.n > 0
	}
	return b.Gate || !b.full(t.waited)
}

// touchBuffer pulls the lines of the queue to ci.
func (s *Sched) touchBuffer(b *buffer, ci int32) {
	if b.touched != none && b.StateLines > 0 {
		s.cpus[ci].owedStall += s.transfer(b.touched, ci, b.StateLines)
	}
	b.touched = ci
}

// waitIn puts the current task of ci to sleep behind all who wait in q. The
// operation itself is still to be done.
func (s *Sched) waitIn(q *waiters, ci int32, t *Task) bool {
	t.nextWaiter = none
	if q.first == none {
		q.first = t.ID
	} else {
		s.tasks[q.last].nextWaiter = t.ID
	}
	q.last = t.ID
	t.inOp = true
	s.block(ci, t)
	return false
}

// takeAll empties a wait queue and returns the first of its tasks, or none.
func (s *Sched) takeAll(q *waiters) TaskID {
	first := q.first
	*q = nobody
	return first
}

// takeFirst takes the first task out of a wait queue.
func (s *Sched) takeFirst(q *waiters) TaskID {
	first := q.first
	if first != none {
		q.first = s.tasks[first].nextWaiter
		s.tasks[first].nextWaiter = none
	}
	return first
}

// join puts the tasks from b on behind those from a on.
func (s *Sched) join(a, b TaskID) TaskID {
	if a == none {
		return b
	}
	last := a
	for s.tasks[last].nextWaiter != none {
		last = s.tasks[last].nextWaiter
	}
	s.tasks[last].nextWaiter = b
	return a
}

// wakeHerd wakes first and all behind it, one after another, with interrupts off
// (__wake_up_common_lock).
func (s *Sched) wakeHerd(ci int32, first TaskID) bool {
	if first == none {
		return s.syscallEnd(ci)
	}
	s.wakeNext(ci, first)
	return false
}

// wakeNext wakes w on behalf of the current task, which is to wake those behind it
// afterwards.
func (s *Sched) wakeNext(ci int32, w TaskID) {
	t := &s.tasks[w]
	s.tasks[s.cpus[ci].curr].nextWaiter = t.nextWaiter
	t.nextWaiter = none
	s.tryToWakeUp(ci, t, true)
}

// syscallEnd is the way out of a system call that woke nobody: where a kernel
// that is not preemptible reschedules.
func (s *Sched) syscallEnd(ci int32) bool {
	if s.cpus[ci].needResched {
		s.reschedAfterSyscall(ci)
		return false
	}
	return true
}

// inSyscall reports whether the current task of c is in the kernel where it cannot
// be preempted: reading or writing a buffer without CONFIG_PREEMPT. Other
// operations can be preempted everywhere, as if they were all user code.
func (s *Sched) inSyscall(c *cpu) bool {
	if s.k.NewidlePullsOne || len(s.buffers) == 0 {
		return false
	}
	t := &s.tasks[c.curr]
	return t.op.Kind == OpRead || t.op.Kind == OpWrite
}
