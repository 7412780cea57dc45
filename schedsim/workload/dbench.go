package workload

import (
	"fmt"
	"math"

	"github.com/schedlab/schedlab/schedsim"
)

// DbenchParams are the constants of Dbench. Work is ns at the machine's reference
// clock with the core to itself.
type DbenchParams struct {
	// Clients is how many processes there are; 0 for one on each CPU.
	Clients int
	// OpNS is the work of an operation of client.txt in the mean: system call,
	// name lookup, file system, copying.
	OpNS float64
	// BatchOps is how many operations go without a wait that is modelled.
	BatchOps float64
	// LockNS is the part of a batch's work that no two clients do at once, under
	// sleeping locks of the file system.
	LockNS float64
	// CommitNS is how long a commit of the journal takes in the mean, 0 for a file
	// system whose fsync writes nothing. Every client of a commit waits for it.
	CommitNS float64
	// CommitCV is the spread of that time, its standard deviation over its mean,
	// 1 or more.
	CommitCV float64
	// Intensity: see schedsim.SetAccess.
	Intensity float64
	// CacheMiB is a client's files in the page cache, PrivateMiB its process.
	CacheMiB, PrivateMiB float64
	// CacheShare is the part of the accesses that go to the files.
	CacheShare float64
	// LoopOps is how many operations a pass of client.txt has. At its end the
	// files are removed, and written anew.
	LoopOps float64
}

// DefaultDbench are mid-range constants, to start a calibration from.
func DefaultDbench(clients int) DbenchParams {
	return DbenchParams{
		Clients: clients, OpNS: 20e3, BatchOps: 1 / flushShare, LockNS: 6e3, CommitCV: 1,
		Intensity: 0.3, CacheMiB: 24, PrivateMiB: 1, CacheShare: 0.8, LoopOps: 100e3,
	}
}

// flushShare is how many of client.txt's operations are a Flush, which is an
// fsync: 170,000 of 14 million in printed summaries of dbench 4. From memory.
const flushShare = 0.0121

// Roles of Dbench's tasks.
const (
	RoleDbenchParent int32 = iota
	RoleDbenchClient
	RoleJournal
)

// Dbench is dbench on a local file system: processes that each repeat the
// operations of client.txt on files of their own, in the page cache, and wait for
// locks of the file system and for its journal. The journal's thread writes one
// commit after another, for all that asked before it began.
type Dbench struct {
	DbenchParams
	mms       []schedsim.MM
	cache     []schedsim.RegionID
	ops       float64
	startedAt int64
	waiting   []int32 // clients whose fsync waits for the next commit
	commit    []int32 // ... and for the one that is written
	done      []float64
	hotRate   float64
}

// NewDbench returns the workload; one value serves one run.
func NewDbench(p DbenchParams) (*Dbench, error) {
	switch {
	case p.Clients < 0 || p.Clients > maxDbenchClients:
		return nil, fmt.Errorf("workload: dbench: %d clients, give 0 to %d", p.Clients, maxDbenchClients)
	case !(p.OpNS > 0 && p.BatchOps > 0 && p.CacheMiB > 0 && p.PrivateMiB > 0 && p.LoopOps >= p.BatchOps):
		return nil, fmt.Errorf("workload: dbench: a time or a size is not positive, or a pass is shorter than a batch: %+v", p)
	case p.LockNS < 0 || p.CommitNS < 0 || p.LockNS > p.OpNS*p.BatchOps:
		return nil, fmt.Errorf("workload: dbench: a constant is negative, or there is more work under locks than there is: %+v", p)
	case !(p.CommitCV >= 1):
		return nil, fmt.Errorf("workload: dbench: the spread of commits is %v, give 1 or more", p.CommitCV)
	case !(p.CacheShare >= 0 && p.CacheShare <= 1 && p.Intensity >= 0 && p.Intensity <= 1):
		return nil, fmt.Errorf("workload: dbench: intensity or share of accesses is not within 0 to 1: %+v", p)
	}
	return &Dbench{DbenchParams: p}, nil
}

// maxDbenchClients bounds Clients, as the number of CPUs is not known before the
// start.
const maxDbenchClients = 1024

func (w *Dbench) maxClients() int {
	if w.Clients > 0 {
		return w.Clients
	}
	return maxDbenchClients
}

// Name implements schedsim.Workload.
func (w *Dbench) Name() string { return fmt.Sprintf("dbench-%d", w.Clients) }

// MaxTasks implements schedsim.Workload.
func (w *Dbench) MaxTasks() int { return w.maxClients() + 2 }

// Channels: the lock, the journal's requests, and each client's answers.
const (
	chanFSLock = iota
	chanJournal
	chanCommitted
)

// Channels implements schedsim.Workload.
func (w *Dbench) Channels() int { return chanCommitted + w.maxClients() }

// Locality implements schedsim.Workload.
func (w *Dbench) Locality() schedsim.Locality {
	return schedsim.Locality{TransferLines: 10, RefillLines: jbbRefill}
}

// Start implements schedsim.Workload.
func (w *Dbench) Start(s *schedsim.Sched) {
	r := s.Rand()
	cpus := s.Machine().OnlineCPUs()
	if w.Clients == 0 {
		w.Clients = min(len(cpus), maxDbenchClients)
	}
	page := 4096.0
	if a := s.Machine().Arch; a == "ppc64" || a == "ppc64le" {
		page = 65536
	}
	w.hotRate = jbbHotRate / page
	w.done = make([]float64, w.Clients)
	for range w.Clients {
		mm := s.NewMM()
		w.mms = append(w.mms, mm)
		// Pages of the page cache are not mapped: nobody scans them.
		w.cache = append(w.cache, s.AddRegion(mm, schedsim.Region{Name: "page cache", Bytes: int64(w.CacheMiB * (1 << 20)), HugeTLB: true}))
	}
	s.Spawn("dbench", RoleDbenchParent, cpus[r.IntN(len(cpus))], int64(r.IntN(1e6)))
	if w.CommitNS > 0 {
		s.Spawn("jbd2", RoleJournal, cpus[r.IntN(len(cpus))], 0)
	}
}

// Born implements schedsim.Workload.
func (w *Dbench) Born(s *schedsim.Sched, parent, child *schedsim.Task, arg int32) {
	child.Name, child.Role, child.Arg = "dbench", RoleDbenchClient, arg
	child.Rand = schedsim.StreamFor(s.Seed(), child.Role, arg)
	mm := w.mms[arg]
	s.SetMM(child, mm)
	own := s.AddRegion(mm, schedsim.Region{Name: "process", Bytes: int64(w.PrivateMiB * (1 << 20))})
	s.SetAccess(child, w.Intensity,
		schedsim.Access{Region: w.cache[arg], Weight: w.CacheShare, PagesPerSecond: w.hotRate * w.CacheMiB},
		schedsim.Access{Region: own, Weight: 1 - w.CacheShare, PagesPerSecond: w.hotRate})
}

// Next implements schedsim.Workload.
func (w *Dbench) Next(s *schedsim.Sched, t *schedsim.Task) schedsim.Op {
	switch t.Role {
	case RoleDbenchParent:
		if t.PC++; t.PC == 1 { // the lock is free
			return schedsim.Op{Kind: schedsim.OpFutexWake, Arg: chanFSLock}
		}
		if i := int(t.PC) - 2; i < w.Clients {
			return schedsim.Op{Kind: schedsim.OpFork, Arg: int32(i), Work: forkWork}
		}
		return schedsim.Op{Kind: schedsim.OpSleep, Arg64: 1e9, Work: reportWork}
	case RoleJournal:
		return w.nextJournal(t)
	}
	return w.nextClient(s, t)
}

// A client's batch, by Task.PC.
const (
	dbenchWork  = iota // operations without locks
	dbenchLock         // ask for the lock
	dbenchHold         // work under it
	dbenchFlush        // fsync
	dbenchWait         // for the commit
	dbenchStates
)

// nextClient does a batch of operations, part of them under the lock, and an fsync.
// The lock is a counting semaphore of one.
func (w *Dbench) nextClient(s *schedsim.Sched, t *schedsim.Task) schedsim.Op {
	state := t.PC
	t.PC = (t.PC + 1) % dbenchStates
	switch state {
	case dbenchWork:
		if w.done[t.Arg] >= w.LoopOps {
			w.done[t.Arg] -= w.LoopOps
			s.Discard(w.cache[t.Arg])
		}
		work := w.OpNS*w.BatchOps - w.LockNS
		return schedsim.Op{Kind: schedsim.OpCompute, Work: int64(work * (1 + float64(workJitter*(2*t.Rand.Float64()-1))))}
	case dbenchLock:
		if w.LockNS == 0 {
			return schedsim.Op{Kind: schedsim.OpCompute}
		}
		return schedsim.Op{Kind: schedsim.OpFutexWait, Arg: chanFSLock}
	case dbenchHold:
		if w.LockNS == 0 {
			return schedsim.Op{Kind: schedsim.OpCompute}
		}
		return schedsim.Op{Kind: schedsim.OpFutexWake, Arg: chanFSLock, Work: exponential(t, w.LockNS)}
	case dbenchFlush:
		w.ops += w.BatchOps
		w.done[t.Arg] += w.BatchOps
		if w.CommitNS == 0 {
			return schedsim.Op{Kind: schedsim.OpCompute}
		}
		w.waiting = append(w.waiting, t.Arg)
		return schedsim.Op{Kind: schedsim.OpSend, Arg: chanJournal}
	}
	if w.CommitNS == 0 {
		return schedsim.Op{Kind: schedsim.OpCompute}
	}
	return schedsim.Op{Kind: schedsim.OpRecv, Arg: chanCommitted + t.Arg}
}

// The journal's commit, by Task.PC.
const (
	journalIdle   = iota // wait for a request
	journalWrite         // those who asked by now are in this commit
	journalAnswer        // to one after another
)

// nextJournal writes commits. Requests are counted one by one; those that an
// earlier commit served already find nobody waiting.
func (w *Dbench) nextJournal(t *schedsim.Task) schedsim.Op {
	switch t.PC {
	case journalIdle:
		t.PC = journalWrite
		return schedsim.Op{Kind: schedsim.OpRecv, Arg: chanJournal}
	case journalWrite:
		if len(w.waiting) == 0 {
			return schedsim.Op{Kind: schedsim.OpRecv, Arg: chanJournal}
		}
		w.commit, w.waiting = append(w.commit[:0], w.waiting...), w.waiting[:0]
		t.PC = journalAnswer
		return schedsim.Op{Kind: schedsim.OpSleep, Work: commitWork, Arg64: w.commitTime(t)}
	}
	n := len(w.commit) - 1
	c := w.commit[n]
	w.commit = w.commit[:n]
	if n == 0 {
		t.PC = journalIdle
	}
	return schedsim.Op{Kind: schedsim.OpSend, Arg: chanCommitted + c, Work: 500}
}

// commitWork is the journal's work for a commit, ns. Assumed.
const commitWork = 20e3

// commitTime draws the time of a commit: exponential, of one of two means, so that
// the spread is as asked for and half of the time is in each of the two.
func (w *Dbench) commitTime(t *schedsim.Task) int64 {
	// Two phases with balanced means (Tijms, Stochastic Models, 1994).
	v := w.CommitCV * w.CommitCV
	p := (1 + math.Sqrt((v-1)/(v+1))) / 2
	mean := w.CommitNS / (2 * p)
	if t.Rand.Float64() >= p {
		mean = w.CommitNS / (2 * (1 - p))
	}
	return exponential(t, mean)
}

// Measured implements schedsim.Workload.
func (w *Dbench) Measured(s *schedsim.Sched, end bool) (float64, string) {
	if !end {
		w.ops, w.startedAt = 0, s.Now()
		return 0, ""
	}
	return w.ops * bytesPerOp / 1e6 / (float64(s.Now()-w.startedAt) / 1e9), "MB/sec"
}

// Metrics implements schedsim.Meter.
func (w *Dbench) Metrics(s *schedsim.Sched) []schedsim.Metric {
	c := s.Counters()
	out := numaPointMetrics(&c, jbbPointNS/float64(s.Now()-w.startedAt))
	if c.MemTicks > 0 {
		out = append(out, schedsim.Metric{Name: "local-accesses", Unit: "%", Value: float64(c.MemLocal) / float64(c.MemTicks) / 10})
	}
	return out
}
