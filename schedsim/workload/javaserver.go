package workload

import (
	"fmt"
	"math"

	"github.com/schedlab/schedlab/schedsim"
)

// JavaServerParams are the constants of JavaServer. Work is ns at the machine's
// reference clock with the core to itself.
type JavaServerParams struct {
	// Connections is how many clients there are, each with a thread of the
	// server.
	Connections int
	// RequestNS is the mean work of a request in the server, exponential.
	RequestNS float64
	// DriverNS is what a client does between a response and its next request,
	// and ThinkNS how long it sleeps then in the mean, exponential.
	DriverNS, ThinkNS float64
	// Locks is how many times a request enters one of Monitors shared monitors,
	// for HoldNS each; a thread spins for SpinNS before it parks.
	Locks, Monitors int
	HoldNS, SpinNS  float64
	// See schedsim.Locality.
	TransferLines, RefillLines, SMTThroughput float64
}

// DefaultJavaServer is a server with requests of a fraction of a millisecond. None
// of it is known of the post's program.
func DefaultJavaServer(connections int) JavaServerParams {
	return JavaServerParams{
		Connections: connections,
		RequestNS:   150e3, DriverNS: 15e3, ThinkNS: 200e3,
		Locks: 1, Monitors: 32, HoldNS: 500, SpinNS: 10e3,
		TransferLines: 40, RefillLines: 500, SMTThroughput: 1.25,
	}
}

// Roles of JavaServer's tasks.
const (
	RoleJVM int32 = iota
	RoleJavaDriver
	RoleJavaThread
	RoleJavaClient
)

// JavaServer is a server in Java under load on one machine: each client has a
// connection over loopback and a thread of one JVM that serves it. Threads meet at
// shared monitors, where they park (futex) after spinning. Collections of garbage
// are left out.
//
// The JVM is a daemon in a session of its own; all clients are one process in
// another.
type JavaServer struct {
	JavaServerParams
	server    []javaThread
	monitor   []futexMutex
	listener  listener
	requests  int64
	startedAt int64
}

type javaThread struct {
	phase, locks, spun int32
	monitor            int32
	part               int64
}

const (
	javaReceive int32 = iota
	javaWork
	javaLock
	javaHold
)

// NewJavaServer returns the workload; one value serves one run.
func NewJavaServer(p JavaServerParams) (*JavaServer, error) {
	switch {
	case p.Connections < 1:
		return nil, fmt.Errorf("workload: javaserver: %d connections, want at least 1", p.Connections)
	case p.Locks < 0 || p.Locks > 0 && p.Monitors < 1:
		return nil, fmt.Errorf("workload: javaserver: %d locks of %d monitors, want 0 or more of at least 1", p.Locks, p.Monitors)
	case p.RequestNS < 0 || p.DriverNS < 0 || p.ThinkNS < 0 || p.HoldNS < 0 || p.SpinNS < 0 || p.TransferLines < 0 || p.RefillLines < 0:
		return nil, fmt.Errorf("workload: javaserver: a constant is negative: %+v", p)
	}
	w := &JavaServer{
		JavaServerParams: p,
		server:           make([]javaThread, p.Connections),
		monitor:          make([]futexMutex, p.Monitors),
	}
	for i := range w.monitor {
		w.monitor[i].channel = int32(1 + i)
	}
	return w, nil
}

// Name implements schedsim.Workload.
func (w *JavaServer) Name() string { return fmt.Sprintf("javaserver-%d", w.Connections) }

// MaxTasks implements schedsim.Workload.
func (w *JavaServer) MaxTasks() int { return 2 + 2*w.Connections }

// Channels: the listening socket, the monitors, and for each connection requests
// and responses.
func (w *JavaServer) Channels() int { return 1 + w.Monitors + 2*w.Connections }

func (w *JavaServer) request(i int32) int32  { return int32(1+w.Monitors) + 2*i }
func (w *JavaServer) response(i int32) int32 { return int32(2+w.Monitors) + 2*i }

// Locality implements schedsim.Workload.
func (w *JavaServer) Locality() schedsim.Locality {
	return schedsim.Locality{TransferLines: w.TransferLines, RefillLines: w.RefillLines, SMTThroughput: w.SMTThroughput}
}

// Start implements schedsim.Workload.
func (w *JavaServer) Start(s *schedsim.Sched) {
	r := s.Rand()
	cpus := s.Machine().OnlineCPUs()
	daemon := s.Spawn("java", RoleJVM, cpus[r.IntN(len(cpus))], 0)
	s.SetSession(daemon, s.NewSession())
	s.Spawn("driver", RoleJavaDriver, cpus[r.IntN(len(cpus))], startSpread+int64(r.IntN(startSpread)))
}

// Born implements schedsim.Workload.
func (w *JavaServer) Born(s *schedsim.Sched, parent, child *schedsim.Task, arg int32) {
	child.Arg = arg
	if parent.Role == RoleJVM {
		child.Name, child.Role = "java", RoleJavaThread
	} else {
		child.Name, child.Role = "driver", RoleJavaClient
	}
	child.Rand = schedsim.StreamFor(s.Seed(), child.Role, arg)
}

// Next implements schedsim.Workload.
func (w *JavaServer) Next(s *schedsim.Sched, t *schedsim.Task) schedsim.Op {
	switch t.Role {
	case RoleJVM:
		return w.listener.next(t, cloneWork)
	case RoleJavaDriver:
		t.PC++
		if t.PC <= int32(w.Connections) {
			return schedsim.Op{Kind: schedsim.OpFork, Arg: t.PC - 1, Work: cloneWork}
		}
		return schedsim.Op{Kind: schedsim.OpSleep, Arg64: 1e9, Work: 1000}
	case RoleJavaThread:
		return w.nextThread(t)
	}
	return w.nextClient(t)
}

func (w *JavaServer) nextClient(t *schedsim.Task) schedsim.Op {
	t.PC++
	switch t.PC {
	case 1:
		return w.listener.connect(t.Arg)
	case 2:
		return schedsim.Op{Kind: schedsim.OpSend, Sync: true, Arg: w.request(t.Arg), Work: int64(w.DriverNS) + sendWork}
	case 3:
		return schedsim.Op{Kind: schedsim.OpRecv, Arg: w.response(t.Arg), Work: tailWork}
	}
	w.requests++
	t.PC = 1
	if w.ThinkNS == 0 {
		return w.nextClient(t)
	}
	return schedsim.Op{Kind: schedsim.OpSleep, Arg64: exponential(t, w.ThinkNS), Work: 1000}
}

func (w *JavaServer) nextThread(t *schedsim.Task) schedsim.Op {
	c := &w.server[t.Arg]
	switch c.phase {
	case javaReceive:
		c.phase, c.locks = javaWork, 0
		// Work is done in equal parts before, between and after the monitors.
		c.part = exponential(t, w.RequestNS/float64(w.Locks+1))
		return schedsim.Op{Kind: schedsim.OpRecv, Arg: w.request(t.Arg), Work: tailWork}
	case javaHold:
		c.phase = javaWork
		if op, wake := w.monitor[c.monitor].release(); wake {
			return op
		}
		fallthrough
	case javaWork:
		c.phase = javaLock
		if c.locks == int32(w.Locks) {
			c.phase = javaReceive
			return schedsim.Op{Kind: schedsim.OpSend, Sync: true, Arg: w.response(t.Arg), Work: c.part + sendWork}
		}
		c.monitor = int32(t.Rand.IntN(w.Monitors))
		return schedsim.Op{Kind: schedsim.OpCompute, Work: c.part}
	}
	op, taken := w.monitor[c.monitor].acquire(&c.spun, int32(w.SpinNS/javaSpinStep), javaSpinStep)
	if !taken {
		return op
	}
	c.locks++
	c.phase = javaHold
	return schedsim.Op{Kind: schedsim.OpCompute, Work: int64(w.HoldNS)}
}

// javaSpinStep is how long a thread spins before it looks at the monitor again, ns.
const javaSpinStep = 2000

// exponential draws from the exponential distribution, cut at ten times the mean.
func exponential(t *schedsim.Task, mean float64) int64 {
	return int64(min(-mean*math.Log(1-t.Rand.Float64()), 10*mean))
}

// Measured implements schedsim.Workload.
func (w *JavaServer) Measured(s *schedsim.Sched, end bool) (float64, string) {
	if !end {
		w.requests, w.startedAt = 0, s.Now()
		return 0, ""
	}
	return float64(w.requests) / (float64(s.Now()-w.startedAt) / 1e9), "requests/s"
}
