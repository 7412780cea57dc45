package workload

import (
	"fmt"

	"github.com/schedlab/schedlab/schedsim"
)

// Tests of Netperf.
const (
	TCPRR     = "tcp_rr"
	TCPStream = "tcp_stream"
	UDPRR     = "udp_rr"
	UDPStream = "udp_stream"
)

// NetperfParams are the constants of Netperf. Work is ns at the machine's
// reference clock with the core to itself.
type NetperfParams struct {
	// Pairs is how many netperf processes run at once, each with a netserver
	// process of its own.
	Pairs int
	// Test is one of the constants above.
	Test string
	// WorkNS is one message's way through the sender up to the wakeup of the
	// receiver, without copying: system call, TCP or UDP, loopback softirq.
	WorkNS float64
	// TailNS is what follows the wakeup, up to the next send or recv.
	TailNS float64
	// MessageBytes is what one send of a stream carries. 16384 is netperf's
	// default for TCP, the socket buffer's initial size.
	MessageBytes float64
	// BufferBytes is how much a stream may have on its way before its sender
	// sleeps (TCP) or its messages are lost (UDP).
	BufferBytes float64
	// CopyNSPerKiB is copying data into or out of a socket buffer.
	CopyNSPerKiB float64
	// TransferLines are the lines of a message without data; see
	// schedsim.Locality, also for the others.
	TransferLines, RefillLines, SMTThroughput float64
	// LinesInFlight is how many lines of data a receiver's copy pulls over at
	// once.
	LinesInFlight float64
}

// DefaultNetperf are the constants whose work per message gives, on the machine
// and kernel nearest to it, what a published run of one pair measured; see
// TestNetperfIsPublished.
func DefaultNetperf(pairs int, test string) NetperfParams {
	p := NetperfParams{
		Pairs: pairs, Test: test,
		WorkNS: 3950, TailNS: 500,
		MessageBytes: 16384, BufferBytes: 128 << 10,
		CopyNSPerKiB: 80, TransferLines: 20, RefillLines: 90, SMTThroughput: 1.25, LinesInFlight: 12,
	}
	switch test {
	case UDPRR:
		p.WorkNS = 2250
	case TCPStream:
		p.WorkNS = 1500
	case UDPStream:
		p.WorkNS, p.MessageBytes, p.BufferBytes = 1500, 65507, 208<<10
	}
	return p
}

// Roles of Netperf's tasks.
const (
	RoleNetserverDaemon int32 = iota
	RoleNetperfScript
	RoleNetserver
	RoleNetperf
)

// Netperf is netperf over the loopback device: pairs of processes, of which one
// sends and one answers (RR) or only takes (STREAM). A message's softirq runs on
// its sender's CPU, which wakes the receiver with WF_SYNC, whether or not it will
// sleep next.
//
// A script starts the netperf processes one after another; each connects to the
// netserver daemon, which has a session of its own and forks a server for it.
//
// A TCP stream's sender sleeps when the buffer is full and is woken, without
// WF_SYNC, when a third of it is free (sk_stream_write_space). A UDP sender goes
// on, and what finds the buffer full is lost. That there is room costs its sender as
// many lines as a message does, which is too many for a long one.
type Netperf struct {
	NetperfParams
	rr        bool
	limit     int32 // messages that fit into the buffer
	pair      []netperfPair
	listener  listener
	messages  int64 // transactions, or messages that arrived
	startedAt int64
}

type netperfPair struct {
	inFlight int32
	blocked  bool // the sender waits for room
}

// NewNetperf returns the workload; one value serves one run.
func NewNetperf(p NetperfParams) (*Netperf, error) {
	switch {
	case p.Pairs < 1:
		return nil, fmt.Errorf("workload: netperf: %d pairs, want at least 1", p.Pairs)
	case p.WorkNS < 0 || p.TailNS < 0 || p.CopyNSPerKiB < 0 || p.TransferLines < 0 || p.RefillLines < 0:
		return nil, fmt.Errorf("workload: netperf: a constant is negative: %+v", p)
	case p.MessageBytes < 1 || p.BufferBytes < p.MessageBytes:
		return nil, fmt.Errorf("workload: netperf: messages of %g bytes in a buffer of %g, want 1 byte to a buffer", p.MessageBytes, p.BufferBytes)
	case p.LinesInFlight < 1:
		return nil, fmt.Errorf("workload: netperf: %g lines in flight, want at least 1", p.LinesInFlight)
	}
	w := &Netperf{
		NetperfParams: p,
		limit:         int32(p.BufferBytes / p.MessageBytes),
		pair:          make([]netperfPair, p.Pairs),
	}
	switch p.Test {
	case TCPRR, UDPRR:
		w.rr = true
	case TCPStream, UDPStream:
	default:
		return nil, fmt.Errorf("workload: netperf: no test %q, use %s, %s, %s or %s", p.Test, TCPRR, TCPStream, UDPRR, UDPStream)
	}
	return w, nil
}

// Name implements schedsim.Workload.
func (w *Netperf) Name() string { return fmt.Sprintf("netperf-%s-%d", w.Test, w.Pairs) }

// MaxTasks implements schedsim.Workload.
func (w *Netperf) MaxTasks() int { return 2 + 2*w.Pairs }

// Channels: the daemon's listening socket, and for each pair data and what
// comes back: the response, the connection's acceptance, or room in the buffer.
func (w *Netperf) Channels() int { return 1 + 2*w.Pairs }

func (w *Netperf) data(i int32) int32 { return 1 + 2*i }
func (w *Netperf) back(i int32) int32 { return 2 + 2*i }

// Locality implements schedsim.Workload. The data of a stream are pulled over
// with several lines in flight.
func (w *Netperf) Locality() schedsim.Locality {
	lines := w.TransferLines
	if !w.rr {
		lines += w.MessageBytes / 64 / w.LinesInFlight
	}
	return schedsim.Locality{TransferLines: lines, RefillLines: w.RefillLines, SMTThroughput: w.SMTThroughput}
}

// Start implements schedsim.Workload.
func (w *Netperf) Start(s *schedsim.Sched) {
	r := s.Rand()
	cpus := s.Machine().OnlineCPUs()
	daemon := s.Spawn("netserver", RoleNetserverDaemon, cpus[r.IntN(len(cpus))], 0)
	s.SetSession(daemon, s.NewSession())
	s.Spawn("sh", RoleNetperfScript, cpus[r.IntN(len(cpus))], startSpread+int64(r.IntN(startSpread)))
}

// Born implements schedsim.Workload.
func (w *Netperf) Born(s *schedsim.Sched, parent, child *schedsim.Task, arg int32) {
	child.Arg = arg
	if parent.Role == RoleNetserverDaemon {
		child.Name, child.Role = "netserver", RoleNetserver
	} else {
		child.Name, child.Role = "netperf", RoleNetperf
	}
	child.Rand = schedsim.StreamFor(s.Seed(), child.Role, arg)
}

// Next implements schedsim.Workload.
func (w *Netperf) Next(s *schedsim.Sched, t *schedsim.Task) schedsim.Op {
	if t.Role == RoleNetserverDaemon {
		return w.listener.next(t, forkWork)
	}
	t.PC++
	switch t.Role {
	case RoleNetperfScript:
		if t.PC <= int32(w.Pairs) {
			return schedsim.Op{Kind: schedsim.OpFork, Arg: t.PC - 1, Work: forkWork}
		}
		return schedsim.Op{Kind: schedsim.OpSleep, Arg64: 1e9, Work: 1000} // wait
	case RoleNetserver:
		return w.nextServer(t)
	}
	return w.nextClient(t)
}

func (w *Netperf) nextClient(t *schedsim.Task) schedsim.Op {
	switch {
	case t.PC == 1:
		return schedsim.Op{Kind: schedsim.OpExec, Work: startWork}
	case t.PC == 2:
		return w.listener.connect(t.Arg)
	case t.PC == 3:
		return schedsim.Op{Kind: schedsim.OpRecv, Arg: w.back(t.Arg)}
	case !w.rr:
		return w.stream(t)
	case t.PC%2 == 0:
		if t.PC > 4 {
			w.messages++
		}
		if t.PC > 1<<30 {
			t.PC -= 1 << 30
		}
		return schedsim.Op{Kind: schedsim.OpSend, Sync: true, Arg: w.data(t.Arg), Work: w.message(t)}
	}
	return schedsim.Op{Kind: schedsim.OpRecv, Arg: w.back(t.Arg), Work: int64(w.TailNS)}
}

// stream is the sender of a stream.
func (w *Netperf) stream(t *schedsim.Task) schedsim.Op {
	t.PC = 4
	p := &w.pair[t.Arg]
	work := w.message(t) + int64(w.TailNS) + w.copyMessage()
	switch {
	case p.inFlight < w.limit:
		p.inFlight++
		return schedsim.Op{Kind: schedsim.OpSend, Sync: true, Arg: w.data(t.Arg), Work: work}
	case w.Test == UDPStream:
		return schedsim.Op{Kind: schedsim.OpCompute, Work: work}
	}
	p.blocked = true
	return schedsim.Op{Kind: schedsim.OpRecv, Arg: w.back(t.Arg), Work: int64(w.TailNS)}
}

func (w *Netperf) nextServer(t *schedsim.Task) schedsim.Op {
	if t.PC == 1 {
		return schedsim.Op{Kind: schedsim.OpSend, Arg: w.back(t.Arg), Work: startWork}
	}
	if w.rr {
		if t.PC%2 == 0 {
			if t.PC > 1<<30 {
				t.PC -= 1 << 30
			}
			return schedsim.Op{Kind: schedsim.OpRecv, Arg: w.data(t.Arg), Work: int64(w.TailNS)}
		}
		return schedsim.Op{Kind: schedsim.OpSend, Sync: true, Arg: w.back(t.Arg), Work: w.message(t)}
	}
	if t.PC == 2 {
		return schedsim.Op{Kind: schedsim.OpRecv, Arg: w.data(t.Arg)}
	}
	// A message has been taken; its copy is part of the next operation.
	p := &w.pair[t.Arg]
	if t.PC == 3 {
		w.messages++
		p.inFlight--
		if p.blocked && 3*p.inFlight <= 2*w.limit {
			p.blocked = false
			return schedsim.Op{Kind: schedsim.OpSend, Arg: w.back(t.Arg), Work: w.copyMessage()}
		}
		t.PC = 2
		return schedsim.Op{Kind: schedsim.OpRecv, Arg: w.data(t.Arg), Work: int64(w.TailNS) + w.copyMessage()}
	}
	t.PC = 2
	return schedsim.Op{Kind: schedsim.OpRecv, Arg: w.data(t.Arg), Work: int64(w.TailNS)}
}

func (w *Netperf) message(t *schedsim.Task) int64 {
	return int64(w.WorkNS * (1 + float64(workJitter*(2*t.Rand.Float64()-1))))
}

func (w *Netperf) copyMessage() int64 { return int64(w.MessageBytes * w.CopyNSPerKiB / 1024) }

// Measured implements schedsim.Workload: transactions of all pairs a second, or
// what arrived, in 10^6 bits a second.
func (w *Netperf) Measured(s *schedsim.Sched, end bool) (float64, string) {
	if !end {
		w.messages, w.startedAt = 0, s.Now()
		return 0, ""
	}
	rate := float64(w.messages) / (float64(s.Now()-w.startedAt) / 1e9)
	if w.rr {
		return rate, "trans/s"
	}
	return rate * w.MessageBytes * 8 / 1e6, "Mbit/s"
}
