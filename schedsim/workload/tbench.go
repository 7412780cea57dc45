package workload

import (
	"fmt"
	"math"

	"github.com/schedlab/schedlab/schedsim"
)

// TbenchParams are the constants of Tbench. Work is ns at the machine's
// reference clock with the core to itself.
type TbenchParams struct {
	// Clients is the number of client processes; each has a server process.
	Clients int
	// WorkNS is the work of one message up to the wakeup of its receiver:
	// user code, system call, TCP and the loopback softirq. Fitted.
	WorkNS float64
	// TailNS is the sender's work after the wakeup until it blocks in recv:
	// the way out of send and into recv. Fitted.
	TailNS float64
	// TransferLines and RefillLines: see schedsim.Locality. Fitted.
	TransferLines, RefillLines float64
	// SMTThroughput: see schedsim.Locality.
	SMTThroughput float64
	// CopyNSPerKiB is copying data into or out of a socket buffer, ns a KiB.
	// 80 is one core's memory bandwidth of 12.5 GB/s (machine data, assumed).
	CopyNSPerKiB float64
}

// DefaultTbench are mid-range constants, to start a calibration from.
func DefaultTbench(clients int) TbenchParams {
	return TbenchParams{
		Clients: clients,
		WorkNS:  1450, TailNS: 950, TransferLines: 25, RefillLines: 90,
		SMTThroughput: 1.25, CopyNSPerKiB: 80,
	}
}

// The mix of operations of dbench's client.txt, counted in a run of tbench
// 4.00 (2 clients, 3 s, 664,271 operations, 1194.73 MB/s): 27.1 % ReadX, 8.65 %
// WriteX, the rest carries no data. One operation is one request and one
// response. Only the data counts as throughput: 5.4 kB an operation on average
// (3 %: the run's length is known to the second), so 15.1 kB a ReadX or WriteX.
const (
	readXShare  = 179831.0 / 664271
	writeXShare = 57474.0 / 664271
	bytesPerOp  = 1194.73e6 * 3 / 664271
	bytesPerX   = bytesPerOp / (readXShare + writeXShare)
	// maxX is the largest transfer of client.txt, bytes. From memory.
	maxX = 65536
)

// Assumed constants of starting and of jitter.
const (
	forkWork    = 80e3  // fork of a small process, work in the parent, ns
	startWork   = 50e3  // a child's first instructions and page faults, and connect, ns
	pollPeriod  = 100e6 // dbench polls whether all clients are prepared, ns
	reportWork  = 20e3  // the once-a-second report line, ns
	workJitter  = 0.2   // half-width of the uniform spread of WorkNS
	startSpread = 1e6   // the two parents start within this of each other, ns
)

// Roles of Tbench's tasks.
const (
	RoleServerParent int32 = iota
	RoleClientParent
	RoleServer
	RoleClient
)

// Tbench is dbench's network mode on one machine: each client process sends a
// request to a server process of its own over loopback TCP and waits for the
// response. The message's softirq runs on the sender's CPU, so the sender wakes
// the receiver, with WF_SYNC.
//
// It starts as the real one does: tbench_srv listens; the parent of the clients
// forks them one by one; each connects, which makes tbench_srv fork its server;
// the parent polls until all are prepared and releases them one after another.
type Tbench struct {
	TbenchParams
	ops       int64
	startedAt int64
	prepared  int
	listener  listener
	data      []exchange // by client: the operation in progress
}

type exchange struct{ request, response int64 } // data bytes

// NewTbench returns the workload; one value serves one run.
func NewTbench(p TbenchParams) (*Tbench, error) {
	if p.Clients < 1 {
		return nil, fmt.Errorf("workload: tbench: %d clients, want at least 1", p.Clients)
	}
	if p.WorkNS < 0 || p.TailNS < 0 || p.CopyNSPerKiB < 0 || p.TransferLines < 0 || p.RefillLines < 0 {
		return nil, fmt.Errorf("workload: tbench: a constant is negative: %+v", p)
	}
	return &Tbench{TbenchParams: p, data: make([]exchange, p.Clients)}, nil
}

// Name implements schedsim.Workload.
func (w *Tbench) Name() string { return fmt.Sprintf("tbench-%d", w.Clients) }

// MaxTasks implements schedsim.Workload.
func (w *Tbench) MaxTasks() int { return 2 + 2*w.Clients }

// chansPerPair are the channels of a client beside tbench_srv's listening socket:
// its release, its requests and its responses.
const chansPerPair = 3

func (w *Tbench) release(i int32) int32  { return 1 + chansPerPair*i }
func (w *Tbench) request(i int32) int32  { return 2 + chansPerPair*i }
func (w *Tbench) response(i int32) int32 { return 3 + chansPerPair*i }

// Channels implements schedsim.Workload.
func (w *Tbench) Channels() int { return 1 + chansPerPair*w.Clients }

// Locality implements schedsim.Workload.
func (w *Tbench) Locality() schedsim.Locality {
	return schedsim.Locality{
		TransferLines: w.TransferLines,
		RefillLines:   w.RefillLines,
		SMTThroughput: w.SMTThroughput,
	}
}

// Start implements schedsim.Workload: both parents begin on CPUs drawn from
// the run's seed, as a shell leaves them anywhere.
func (w *Tbench) Start(s *schedsim.Sched) {
	r := s.Rand()
	cpus := s.Machine().OnlineCPUs()
	s.Spawn("tbench_srv", RoleServerParent, cpus[r.IntN(len(cpus))], 0)
	s.Spawn("tbench", RoleClientParent, cpus[r.IntN(len(cpus))], startSpread+int64(r.IntN(startSpread)))
}

// Born implements schedsim.Workload.
func (w *Tbench) Born(s *schedsim.Sched, parent, child *schedsim.Task, arg int32) {
	child.Arg = arg
	if parent.Role == RoleServerParent {
		child.Name, child.Role = "tbench_srv", RoleServer
	} else {
		child.Name, child.Role = "tbench", RoleClient
	}
	// The work that a process draws must not depend on when it was forked.
	child.Rand = schedsim.StreamFor(s.Seed(), child.Role, arg)
}

// Next implements schedsim.Workload.
func (w *Tbench) Next(s *schedsim.Sched, t *schedsim.Task) schedsim.Op {
	switch t.Role {
	case RoleServerParent:
		return w.listener.next(t, forkWork)
	case RoleClientParent:
		return w.nextClientParent(t)
	case RoleServer:
		return w.nextServer(t)
	}
	return w.nextClient(t)
}

func (w *Tbench) nextClientParent(t *schedsim.Task) schedsim.Op {
	n := int32(w.Clients)
	t.PC++
	switch i := t.PC - 1; {
	case i < n:
		return schedsim.Op{Kind: schedsim.OpFork, Arg: i, Work: forkWork}
	case i == n && w.prepared < w.Clients:
		t.PC--
		return schedsim.Op{Kind: schedsim.OpSleep, Arg64: pollPeriod, Work: 1000}
	case i == n:
		return schedsim.Op{Kind: schedsim.OpCompute, Work: 1000}
	case i <= 2*n:
		return schedsim.Op{Kind: schedsim.OpSend, Arg: w.release(i - n - 1)}
	}
	return schedsim.Op{Kind: schedsim.OpSleep, Arg64: 1e9, Work: reportWork}
}

func (w *Tbench) nextServer(t *schedsim.Task) schedsim.Op {
	t.PC++
	x := &w.data[t.Arg]
	if t.PC%2 == 1 {
		work := int64(w.TailNS)
		if t.PC == 1 {
			work = startWork
		}
		return schedsim.Op{Kind: schedsim.OpRecv, Arg: w.request(t.Arg), Work: work}
	}
	return schedsim.Op{
		Kind: schedsim.OpSend, Sync: true, Arg: w.response(t.Arg),
		Work: w.message(t) + w.copy(x.request) + w.copy(x.response),
	}
}

func (w *Tbench) nextClient(t *schedsim.Task) schedsim.Op {
	t.PC++
	x := &w.data[t.Arg]
	switch {
	case t.PC == 1:
		return w.listener.connect(t.Arg)
	case t.PC == 2:
		w.prepared++
		return schedsim.Op{Kind: schedsim.OpRecv, Arg: w.release(t.Arg)}
	case t.PC%2 == 0:
		return schedsim.Op{Kind: schedsim.OpRecv, Arg: w.response(t.Arg), Work: int64(w.TailNS)}
	}
	received := int64(0)
	if t.PC > 3 {
		w.ops++
		received = x.response
	}
	*x = w.draw(t)
	return schedsim.Op{
		Kind: schedsim.OpSend, Sync: true, Arg: w.request(t.Arg),
		Work: w.message(t) + w.copy(received) + w.copy(x.request),
	}
}

// draw picks the next operation of client.txt: which kind it is and how much
// data it carries, exponential around the mean (assumed shape).
func (w *Tbench) draw(t *schedsim.Task) exchange {
	u := t.Rand.Float64()
	if u >= readXShare+writeXShare {
		return exchange{}
	}
	size := int64(min(-bytesPerX*math.Log(1-t.Rand.Float64()), maxX))
	if u < readXShare {
		return exchange{response: size}
	}
	return exchange{request: size}
}

func (w *Tbench) message(t *schedsim.Task) int64 {
	// The conversion keeps compilers from fusing the sum, which would round
	// differently on some architectures.
	return int64(w.WorkNS * (1 + float64(workJitter*(2*t.Rand.Float64()-1))))
}

func (w *Tbench) copy(bytes int64) int64 {
	return int64(float64(bytes) * w.CopyNSPerKiB / 1024)
}

// Measured implements schedsim.Workload. Throughput is operations times their
// mean data, so that the draw of sizes adds no noise to a short run.
func (w *Tbench) Measured(s *schedsim.Sched, end bool) (float64, string) {
	if !end {
		w.ops, w.startedAt = 0, s.Now()
		return 0, ""
	}
	seconds := float64(s.Now()-w.startedAt) / 1e9
	return float64(w.ops) * bytesPerOp / 1e6 / seconds, "MB/sec"
}
