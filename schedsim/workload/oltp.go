package workload

import (
	"fmt"

	"github.com/schedlab/schedlab/schedsim"
)

// OLTPParams are the constants of OLTP. Work is ns at the machine's reference
// clock with the core to itself.
type OLTPParams struct {
	// Threads is sysbench's --num-threads: client threads, each with a thread
	// of mysqld that serves its connection.
	Threads int
	// Mode is one of the constants below.
	Mode string
	// PointNS, RangeNS and WriteNS are what the server does for a statement of
	// the kind; BEGIN and COMMIT take a fifth of PointNS.
	PointNS, RangeNS, WriteNS float64
	// ClientNS is what sysbench does between a response and the next request.
	ClientNS float64
	// Locks is how many times a statement takes one of the server's hot locks
	// (of transactions, of the buffer pool, of the table cache), for HoldNS
	// each; they are spread over Mutexes of them.
	Locks, Mutexes int
	HoldNS         float64
	// SpinNS is how long a thread spins for a lock before it sleeps.
	SpinNS float64
	// FlushNS is a write and flush of the log by one thread for all that
	// commit; it waits for the storage.
	FlushNS float64
	// See schedsim.Locality.
	TransferLines, RefillLines, SMTThroughput float64
}

// Modes of OLTP.
const (
	OLTPComplex  = "complex"  // reads, writes and the flush of the log
	OLTPReadOnly = "readonly" // the reads of it
	OLTPSelect   = "select"   // one select by key, without BEGIN and COMMIT, as pgbench -S
)

// DefaultOLTP is sysbench's complex test against one mysqld; for the work of a
// statement see TestOLTPIsPublished.
func DefaultOLTP(threads int) OLTPParams {
	return OLTPParams{
		Threads: threads, Mode: OLTPComplex,
		PointNS: 22e3, RangeNS: 44e3, WriteNS: 40e3, ClientNS: 6e3,
		Locks: 2, Mutexes: 2, HoldNS: 300, SpinNS: 20e3, FlushNS: 100e3,
		TransferLines: 25, RefillLines: 200, SMTThroughput: 1.25,
	}
}

// Roles of OLTP's tasks.
const (
	RoleMysqld int32 = iota
	RoleSysbench
	RoleMysqldThread
	RoleSysbenchThread
)

// Statements of a transaction of sysbench's oltp test: BEGIN, ten selects by
// key, four of ranges, two updates, a delete and an insert, COMMIT.
const (
	oltpPoints = 10
	oltpRanges = 4
	oltpWrites = 4
)

// oltpSpinStep is how long a thread spins before it looks at the lock again, ns.
const oltpSpinStep = 2000

// OLTP is sysbench's oltp test against mysqld on one machine, without think
// time. A client's thread sends a statement over a socket and waits; the server's
// thread for its connection executes it, takes locks on the way, and answers; both
// wakeups are sync. At COMMIT it waits for the log: the first to come flushes it,
// those that come meanwhile wait and are woken all at once, of whom one flushes
// for all others.
//
// mysqld is a daemon in a session of its own.
type OLTP struct {
	OLTPParams
	client []int32 // statement of the transaction, by thread
	server []oltpServer
	mutex  []futexMutex
	log    oltpLog

	listener     listener
	transactions int64
	startedAt    int64
}

// oltpServer is where a thread of mysqld is in a statement.
type oltpServer struct {
	phase  int32
	locks  int32
	spun   int32
	number int64 // of the flush that it needs
}

// oltpLog is the log and who waits for it.
type oltpLog struct {
	flushing bool
	done     int64 // flushes that are complete
	waiting  int32
	wake     int32 // of them, those that the flusher still has to wake
}

const (
	oltpReceive int32 = iota
	oltpWork
	oltpLock
	oltpHold
	oltpCommit
	oltpFlushed // it has flushed the log
	oltpWake    // and wakes those that waited for it
	oltpReply
)

// NewOLTP returns the workload; one value serves one run.
func NewOLTP(p OLTPParams) (*OLTP, error) {
	switch {
	case p.Threads < 1:
		return nil, fmt.Errorf("workload: oltp: %d threads, want at least 1", p.Threads)
	case p.Mode != OLTPComplex && p.Mode != OLTPReadOnly && p.Mode != OLTPSelect:
		return nil, fmt.Errorf("workload: oltp: no mode %q, use %s, %s or %s", p.Mode, OLTPComplex, OLTPReadOnly, OLTPSelect)
	case p.Locks < 0 || p.Locks > 0 && p.Mutexes < 1:
		return nil, fmt.Errorf("workload: oltp: %d locks of %d mutexes, want 0 or more of at least 1", p.Locks, p.Mutexes)
	case p.PointNS < 0 || p.RangeNS < 0 || p.WriteNS < 0 || p.ClientNS < 0 || p.HoldNS < 0 || p.SpinNS < 0 ||
		p.FlushNS < 0 || p.TransferLines < 0 || p.RefillLines < 0:
		return nil, fmt.Errorf("workload: oltp: a constant is negative: %+v", p)
	}
	w := &OLTP{
		OLTPParams: p,
		client:     make([]int32, p.Threads),
		server:     make([]oltpServer, p.Threads),
		mutex:      make([]futexMutex, p.Mutexes),
	}
	for i := range w.mutex {
		w.mutex[i].channel = int32(2 + i)
	}
	return w, nil
}

// Name implements schedsim.Workload.
func (w *OLTP) Name() string { return fmt.Sprintf("oltp-%s-%d", w.Mode, w.Threads) }

// MaxTasks implements schedsim.Workload.
func (w *OLTP) MaxTasks() int { return 2 + 2*w.Threads }

// Channels: mysqld's listening socket, the log, the locks, and for each
// connection requests, responses and the start.
func (w *OLTP) Channels() int { return 2 + w.Mutexes + 2*w.Threads }

func (w *OLTP) request(i int32) int32  { return int32(2+w.Mutexes) + 2*i }
func (w *OLTP) response(i int32) int32 { return int32(3+w.Mutexes) + 2*i }

// Locality implements schedsim.Workload.
func (w *OLTP) Locality() schedsim.Locality {
	return schedsim.Locality{TransferLines: w.TransferLines, RefillLines: w.RefillLines, SMTThroughput: w.SMTThroughput}
}

// Start implements schedsim.Workload.
func (w *OLTP) Start(s *schedsim.Sched) {
	r := s.Rand()
	cpus := s.Machine().OnlineCPUs()
	daemon := s.Spawn("mysqld", RoleMysqld, cpus[r.IntN(len(cpus))], 0)
	s.SetSession(daemon, s.NewSession())
	s.Spawn("sysbench", RoleSysbench, cpus[r.IntN(len(cpus))], startSpread+int64(r.IntN(startSpread)))
}

// Born implements schedsim.Workload.
func (w *OLTP) Born(s *schedsim.Sched, parent, child *schedsim.Task, arg int32) {
	child.Arg = arg
	if parent.Role == RoleMysqld {
		child.Name, child.Role = "mysqld", RoleMysqldThread
	} else {
		child.Name, child.Role = "sysbench", RoleSysbenchThread
	}
	child.Rand = schedsim.StreamFor(s.Seed(), child.Role, arg)
}

// Next implements schedsim.Workload.
func (w *OLTP) Next(s *schedsim.Sched, t *schedsim.Task) schedsim.Op {
	switch t.Role {
	case RoleMysqld:
		return w.listener.next(t, cloneWork)
	case RoleSysbench:
		t.PC++
		if t.PC <= int32(w.Threads) {
			return schedsim.Op{Kind: schedsim.OpFork, Arg: t.PC - 1, Work: cloneWork}
		}
		return schedsim.Op{Kind: schedsim.OpSleep, Arg64: 1e9, Work: 1000} // pthread_join
	case RoleMysqldThread:
		return w.nextServer(t)
	}
	return w.nextClient(t)
}

// cloneWork is making a thread, without its placement, in its parent, ns. Assumed,
// 50 %: less than half of a fork, which copies an address space.
const cloneWork = 20e3

func (w *OLTP) nextClient(t *schedsim.Task) schedsim.Op {
	t.PC++
	switch {
	case t.PC == 1:
		return w.listener.connect(t.Arg)
	case t.PC%2 == 1:
		return schedsim.Op{Kind: schedsim.OpRecv, Arg: w.response(t.Arg), Work: tailWork}
	}
	t.PC = 2
	// The server has started, or answered the statement before.
	i := &w.client[t.Arg]
	if *i == w.statements() {
		*i = 0
		w.transactions++
	}
	*i++
	return schedsim.Op{Kind: schedsim.OpSend, Sync: true, Arg: w.request(t.Arg), Work: w.spread(t, w.ClientNS)}
}

// tailWork is the way out of send and into recv, ns. Assumed, 50 %.
const tailWork = 500

// statements is how many there are in a transaction.
func (w *OLTP) statements() int32 {
	switch w.Mode {
	case OLTPSelect:
		return 1
	case OLTPReadOnly:
		return 2 + oltpPoints + oltpRanges
	}
	return 2 + oltpPoints + oltpRanges + oltpWrites
}

// statementNS is the work of statement i, from 1.
func (w *OLTP) statementNS(i int32) float64 {
	switch {
	case w.Mode == OLTPSelect:
		return w.PointNS
	case i == 1 || i == w.statements():
		return w.PointNS / 5
	case i <= 1+oltpPoints:
		return w.PointNS
	case i <= 1+oltpPoints+oltpRanges:
		return w.RangeNS
	}
	return w.WriteNS
}

func (w *OLTP) nextServer(t *schedsim.Task) schedsim.Op {
	c := &w.server[t.Arg]
	statement := w.client[t.Arg]
	// Work is done in equal parts before, between and after the locks.
	part := func() int64 { return w.spread(t, w.statementNS(statement)/float64(w.Locks+1)) }
	if t.PC == 0 {
		t.PC = 1
		return schedsim.Op{Kind: schedsim.OpRecv, Arg: w.request(t.Arg), Work: startWork}
	}
	if c.phase == oltpReceive {
		c.phase, c.locks = oltpLock, 0
		if w.Locks == 0 {
			c.phase = oltpCommit
		}
		return schedsim.Op{Kind: schedsim.OpCompute, Work: part()}
	}
	if c.phase == oltpHold {
		c.phase = oltpWork
		if op, wake := w.mutex[int(c.locks-1)%w.Mutexes].release(); wake {
			return op
		}
	}
	if c.phase == oltpWork {
		c.phase = oltpLock
		if c.locks == int32(w.Locks) {
			c.phase = oltpCommit
		}
		return schedsim.Op{Kind: schedsim.OpCompute, Work: part()}
	}
	if c.phase == oltpLock {
		m := &w.mutex[int(c.locks)%w.Mutexes]
		op, taken := m.acquire(&c.spun, int32(w.SpinNS/oltpSpinStep), oltpSpinStep)
		if !taken {
			return op
		}
		c.locks++
		c.phase = oltpHold
		return schedsim.Op{Kind: schedsim.OpCompute, Work: int64(w.HoldNS)}
	}
	if c.phase >= oltpCommit && c.phase <= oltpWake {
		if w.Mode == OLTPComplex && statement == w.statements() {
			if op, ok := w.commit(c); ok {
				return op
			}
		}
		c.phase = oltpReply
		return schedsim.Op{Kind: schedsim.OpSend, Sync: true, Arg: w.response(t.Arg), Work: sendWork}
	}
	c.phase = oltpReceive
	return schedsim.Op{Kind: schedsim.OpRecv, Arg: w.request(t.Arg), Work: tailWork}
}

// sendWork is one small message's way to its receiver's wakeup over a UNIX socket,
// ns. Assumed, 50 %: half of what a netperf message takes through TCP.
const sendWork = 1500

// commit waits until the log is flushed. ok is false when it is.
func (w *OLTP) commit(c *oltpServer) (op schedsim.Op, ok bool) {
	l := &w.log
	if c.phase == oltpFlushed {
		// The storage has answered.
		c.phase = oltpWake
		l.flushing = false
		l.done++
		l.wake += l.waiting
		l.waiting = 0
	}
	if c.phase == oltpWake {
		if l.wake > 0 {
			l.wake--
			return schedsim.Op{Kind: schedsim.OpFutexWake, Arg: 1, Work: futexWork}, true
		}
		c.number = 0
		return op, false
	}
	if c.number == 0 {
		c.number = l.done + 1
		if l.flushing {
			c.number++ // what is being written does not have its records
		}
	}
	if l.done >= c.number {
		c.number = 0
		return op, false
	}
	if !l.flushing {
		l.flushing = true
		c.phase = oltpFlushed
		return schedsim.Op{Kind: schedsim.OpSleep, Arg64: int64(w.FlushNS), Work: flushWork}, true
	}
	l.waiting++
	return schedsim.Op{Kind: schedsim.OpFutexWait, Arg: 1, Work: futexWork}, true
}

// flushWork is write and fsync of the log up to the wait for the storage, ns.
// Assumed, 50 %.
const flushWork = 10e3

// spread draws work uniformly around its mean.
func (w *OLTP) spread(t *schedsim.Task, mean float64) int64 {
	return int64(mean * (1 + float64(workJitter*(2*t.Rand.Float64()-1))))
}

// Measured implements schedsim.Workload.
func (w *OLTP) Measured(s *schedsim.Sched, end bool) (float64, string) {
	if !end {
		w.transactions, w.startedAt = 0, s.Now()
		return 0, ""
	}
	return float64(w.transactions) / (float64(s.Now()-w.startedAt) / 1e9), "transactions/s"
}
