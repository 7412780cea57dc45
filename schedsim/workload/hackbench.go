package workload

import (
	"fmt"

	"github.com/schedlab/schedlab/schedsim"
)

// HackbenchParams are what hackbench is asked to do and the constants of its
// messages. Work is ns at the machine's reference clock with the core to itself.
type HackbenchParams struct {
	// Groups is how many groups there are (-g), FDs how many senders, and how many
	// receivers, a group has (-f).
	Groups, FDs int
	// Loops is how many messages each sender sends to each receiver of its group
	// (-l). 0 is no end.
	Loops int
	// Threads makes the tasks threads of one process (-T) instead of processes,
	// Pipes connects them by pipes (-p) instead of AF_UNIX stream sockets.
	Threads, Pipes bool
	// SendNS is the work of one write up to the wakeup of the reader, RecvNS that
	// of one read. Fitted.
	SendNS, RecvNS float64
	// Jitter is the half-width of the uniform spread of both, relative.
	Jitter float64
	// SndbufBytes is sk_sndbuf of a socket, TruesizeBytes what a message counts
	// there; 0 is that of the kernel's version.
	SndbufBytes, TruesizeBytes int
	// PipePages and PageMessages are how many buffers a pipe has and how many
	// messages one takes.
	PipePages, PageMessages int
	// MessageLines are the cache lines of a message that a receiver pulls from the
	// sender's core, StateLines those of the queue that both sides pull from who
	// used it last, RefillLines those that a task pulls after a migration.
	MessageLines, StateLines, RefillLines float64
	// RecycleShare is what part of MessageLines the writer pulls as well, of memory
	// that a reader freed. 0 counts it to SendNS, which is right where that is fitted.
	RecycleShare float64
	// SMTThroughput: see schedsim.Locality.
	SMTThroughput float64
	// JobLoops and JobRuns are the loops and the number of the runs that a figure
	// of a whole job counts; see Metrics. Without them there are no such figures.
	JobLoops, JobRuns int
}

// Of hackbench and the kernel.
const (
	hackbenchFDs   = 20
	messageBytes   = 100    // hackbench -s
	sndbufBytes    = 212992 // wmem_default since 3.2: 256 times the truesize of 256 bytes
	truesizeBytes  = 768    // 100 bytes in a slab object of 512: 192 + 256 + 320
	truesizeSmall  = 960    // since 6.3 in one of the small-head cache, of 704: 384 + 256 + 320
	pipePages      = 16     // PIPE_DEF_BUFFERS
	pageMessages   = 40     // 4096 bytes by 100
	unixWritable   = 4      // unix_writable: a quarter of sk_sndbuf
	threadWork     = 15e3   // clone of a thread, work in the parent, ns; assumed
	forkSpread     = 1e6    // the program starts within this, ns; assumed
	hackbenchReady = 2e3    // writing or reading a byte of the ready pipe, ns; assumed
)

// DefaultHackbench are mid-range constants, to start a calibration from.
func DefaultHackbench(groups int) HackbenchParams {
	return HackbenchParams{
		Groups: groups, FDs: hackbenchFDs,
		SendNS: 1100, RecvNS: 900, Jitter: 0.3,
		SndbufBytes: sndbufBytes, PipePages: pipePages, PageMessages: pageMessages,
		MessageLines: 6, StateLines: 2, RefillLines: 100,
		SMTThroughput: 1.25,
	}
}

// Roles of Hackbench's tasks.
const (
	RoleHackbench int32 = iota + 16
	RoleReceiver
	RoleSender
)

// Hackbench is hackbench of rt-tests: groups of 20 senders and 20 receivers. Each
// sender writes a message of 100 bytes to each of its group's receivers in turn, all
// in the same order; each receiver reads from a socket or pipe of its own, whose
// other end all senders of the group write to.
//
// It starts as the real one does: a parent forks all tasks, for each group the
// receivers and then the senders; each says that it is ready and polls a pipe;
// once all are ready, one byte in that pipe releases them all.
type Hackbench struct {
	HackbenchParams
	received    int64
	startedAt   int64 // of the measured time
	releasedAt  int64
	first, gate int32 // buffers
}

// NewHackbench returns the workload; one value serves one run.
func NewHackbench(p HackbenchParams) (*Hackbench, error) {
	switch {
	case p.Groups < 1 || p.FDs < 1 || p.Groups > maxHackbench || p.FDs > maxHackbench || p.Groups*p.FDs > maxHackbench:
		return nil, fmt.Errorf("workload: hackbench: %d groups of %d senders, give 1 to %d senders", p.Groups, p.FDs, maxHackbench)
	case p.Loops < 0 || p.Loops > maxLoops:
		return nil, fmt.Errorf("workload: hackbench: %d loops, give 0 for no end, or up to %d", p.Loops, maxLoops)
	case p.SendNS < 0 || p.RecvNS < 0 || p.Jitter < 0 || p.Jitter > 1 || p.MessageLines < 0 || p.StateLines < 0 || p.RefillLines < 0 || p.RecycleShare < 0:
		return nil, fmt.Errorf("workload: hackbench: a constant is negative, or the jitter above 1: %+v", p)
	case p.SndbufBytes < 0 || p.TruesizeBytes < 0 || p.JobLoops < 0 || p.JobRuns < 0:
		return nil, fmt.Errorf("workload: hackbench: a size or a number of loops is negative: %+v", p)
	case p.Pipes && (p.PipePages < 1 || p.PageMessages < 1 || p.PipePages > 1<<12 || p.PageMessages > 1<<12):
		return nil, fmt.Errorf("workload: hackbench: a pipe of %d pages of %d messages, give 1 to %d each", p.PipePages, p.PageMessages, 1<<12)
	}
	return &Hackbench{HackbenchParams: p}, nil
}

// maxHackbench bounds the senders, and maxLoops the loops, which a task counts in
// 32 bits.
const (
	maxHackbench = 1 << 15
	maxLoops     = 1 << 20
)

// Name implements schedsim.Workload.
func (w *Hackbench) Name() string { return fmt.Sprintf("hackbench-%d", w.Groups) }

func (w *Hackbench) children() int { return 2 * w.FDs * w.Groups }

// MaxTasks implements schedsim.Workload.
func (w *Hackbench) MaxTasks() int { return 1 + w.children() }

// Channels: one for those who are ready, one for those who are done.
const (
	chanReady = iota
	chanDone
	hackbenchChannels
)

// Channels implements schedsim.Workload.
func (w *Hackbench) Channels() int { return hackbenchChannels }

// Locality implements schedsim.Workload.
func (w *Hackbench) Locality() schedsim.Locality {
	return schedsim.Locality{
		TransferLines: w.MessageLines,
		RefillLines:   w.RefillLines,
		SMTThroughput: w.SMTThroughput,
	}
}

// buffer is what connects the senders of a group with a receiver.
func (w *Hackbench) buffer(s *schedsim.Sched) schedsim.Buffer {
	if w.Pipes {
		return schedsim.Buffer{Limit: int32(w.PipePages), PageMessages: int32(w.PageMessages), StateLines: w.StateLines}
	}
	truesize := w.TruesizeBytes
	if truesize == 0 {
		truesize = truesizeBytes
		if s.KernelSince(6, 3) {
			truesize = truesizeSmall
		}
	}
	// A write goes ahead while the buffer is not exceeded yet.
	return schedsim.Buffer{
		Limit:      int32((w.SndbufBytes + truesize - 1) / truesize),
		Low:        int32(w.SndbufBytes / unixWritable / truesize),
		StateLines: w.StateLines, RecycleLines: w.RecycleShare * w.MessageLines,
	}
}

// Start implements schedsim.Workload: the program begins on a CPU drawn from the
// run's seed, as a shell leaves it anywhere.
func (w *Hackbench) Start(s *schedsim.Sched) {
	b := w.buffer(s)
	w.first = s.NewBuffer(b)
	for range w.Groups*w.FDs - 1 {
		s.NewBuffer(b)
	}
	w.gate = s.NewBuffer(schedsim.Buffer{Gate: true})
	if w.JobLoops > 0 {
		s.ReadSchedDebug(debugEvery)
	}
	if w.Loops > 0 {
		s.EndsItself()
	}
	r := s.Rand()
	cpus := s.Machine().OnlineCPUs()
	s.Spawn("hackbench", RoleHackbench, cpus[r.IntN(len(cpus))], int64(r.IntN(forkSpread)))
}

// Born implements schedsim.Workload. Child i of a group is its receiver i, or its
// sender i-FDs.
func (w *Hackbench) Born(s *schedsim.Sched, parent, child *schedsim.Task, arg int32) {
	child.Name, child.Arg = "hackbench", arg
	child.Role = RoleReceiver
	if int(arg)%(2*w.FDs) >= w.FDs {
		child.Role = RoleSender
	}
	// The work that a task draws must not depend on when it was forked.
	child.Rand = schedsim.StreamFor(s.Seed(), child.Role, arg)
}

// Next implements schedsim.Workload.
func (w *Hackbench) Next(s *schedsim.Sched, t *schedsim.Task) schedsim.Op {
	t.PC++
	if t.Role == RoleHackbench {
		return w.nextParent(s, t)
	}
	switch t.PC {
	case 1:
		return schedsim.Op{Kind: schedsim.OpSend, Sync: true, Arg: chanReady, Work: startWork}
	case 2:
		return schedsim.Op{Kind: schedsim.OpRead, Arg: w.gate, Work: hackbenchReady}
	}
	n := t.PC - 3 // messages so far
	if w.Loops > 0 && int(n) >= w.Loops*w.FDs {
		if int(n) == w.Loops*w.FDs {
			w.count(t)
			return schedsim.Op{Kind: schedsim.OpSend, Sync: true, Arg: chanDone, Work: hackbenchReady}
		}
		return schedsim.Op{Kind: schedsim.OpExit, Work: hackbenchReady}
	}
	group := t.Arg / int32(2*w.FDs)
	if t.Role == RoleSender {
		to := group*int32(w.FDs) + n%int32(w.FDs)
		return schedsim.Op{Kind: schedsim.OpWrite, Arg: w.first + to, Work: w.work(t, w.SendNS)}
	}
	if n > 0 {
		w.count(t)
	} else if w.Loops == 0 && n < 0 {
		t.PC = 3 // the counter went round
	}
	own := group*int32(w.FDs) + t.Arg%int32(2*w.FDs)
	return schedsim.Op{Kind: schedsim.OpRead, Arg: w.first + own, Work: w.work(t, w.RecvNS)}
}

// count counts a message that a receiver has read.
func (w *Hackbench) count(t *schedsim.Task) {
	if t.Role == RoleReceiver {
		w.received++
	}
}

func (w *Hackbench) work(t *schedsim.Task, ns float64) int64 {
	// The conversion keeps compilers from fusing the sum, which would round
	// differently on some architectures.
	return int64(ns * (1 + float64(w.Jitter*(2*t.Rand.Float64()-1))))
}

// nextParent is the parent's program, by the number of its operation: forks,
// readiness of all, release, ends of all.
func (w *Hackbench) nextParent(s *schedsim.Sched, t *schedsim.Task) schedsim.Op {
	n := int32(w.children())
	switch i := t.PC - 1; {
	case i < n:
		work := int64(forkWork)
		if w.Threads {
			work = threadWork
		}
		return schedsim.Op{Kind: schedsim.OpFork, Arg: i, Work: work}
	case i < 2*n:
		return schedsim.Op{Kind: schedsim.OpRecv, Arg: chanReady, Work: hackbenchReady}
	case i == 2*n:
		w.releasedAt = s.Now()
		return schedsim.Op{Kind: schedsim.OpWrite, Arg: w.gate, Work: hackbenchReady}
	case w.Loops == 0:
		t.PC--
		return schedsim.Op{Kind: schedsim.OpSleep, Arg64: 1e12}
	case i <= 3*n:
		return schedsim.Op{Kind: schedsim.OpRecv, Arg: chanDone, Work: hackbenchReady}
	}
	s.Finish()
	t.PC--
	return schedsim.Op{Kind: schedsim.OpSleep, Arg64: 1e12}
}

// Measured implements schedsim.Workload: messages received a second, or with Loops
// the seconds from the release to the end of the last task, as hackbench prints
// them.
func (w *Hackbench) Measured(s *schedsim.Sched, end bool) (float64, string) {
	switch {
	case !end:
		w.received, w.startedAt = 0, s.Now()
		return 0, ""
	case w.Loops > 0:
		return float64(s.Now()-w.releasedAt) / 1e9, "s"
	}
	return w.rate(s), "messages/s"
}

// rate is the messages received in a second of the measured time.
func (w *Hackbench) rate(s *schedsim.Sched) float64 {
	since := w.startedAt
	if w.Loops > 0 {
		since = w.releasedAt
	}
	return float64(w.received) / (float64(s.Now()-since) / 1e9)
}

// Metrics implements schedsim.Meter.
//
//   - throughput-kb: what the kernel test robot calls hackbench.throughput, kB/s.
//     It counts tasks, not senders, times Loops, not messages, times 100 bytes, so
//     that a message is 2*100/20/1024 kB.
//   - remote-messages: those that are read on another socket than they are written.
//   - involuntary-direct: the involuntary switches, of those that there were without
//     the ones that this kernel's form of a patched line alone asked for, where a
//     shadow kernel has the other form.
//   - job-*: figures of a job of JobRuns runs of JobLoops, from the rates of the
//     measured time: its time, CPU time, switches, and what a monitor of the
//     runqueues reads; see jobDebug.
func (w *Hackbench) Metrics(s *schedsim.Sched) []schedsim.Metric {
	rate := w.rate(s)
	c := s.Counted()
	out := []schedsim.Metric{
		{Name: "throughput-kb", Unit: "kB/s", Value: rate * 2 * messageBytes / float64(w.FDs) / 1024},
	}
	if c.MessagesRead > 0 {
		out = append(out, schedsim.Metric{Name: "remote-messages", Unit: "%", Value: 100 * float64(c.MessagesRemote) / float64(c.MessagesRead)})
	}
	if own := c.InvoluntarySwitch - c.ShadowOther; own > 0 {
		out = append(out, schedsim.Metric{Name: "involuntary-direct", Unit: "%", Value: 100 * float64(c.InvoluntarySwitch) / float64(own)})
	}
	if rate == 0 || w.JobLoops == 0 || w.JobRuns == 0 || w.Loops > 0 {
		return out
	}
	job := float64(w.Groups*w.FDs*w.FDs) * float64(w.JobLoops) * float64(w.JobRuns)
	share := job / float64(w.received)
	seconds := float64(s.Now()-w.startedAt) / 1e9
	busy := float64(len(s.Machine().OnlineCPUs()))*seconds - float64(c.IdleNS)/1e9
	out = append(out,
		schedsim.Metric{Name: "job-time", Unit: "s", Value: job / rate},
		schedsim.Metric{Name: "job-cpu-time", Unit: "CPU s", Value: busy * share},
		schedsim.Metric{Name: "job-voluntary-switches", Unit: "1", Value: float64(c.VoluntarySwitches) * share},
		schedsim.Metric{Name: "job-involuntary-switches", Unit: "1", Value: float64(c.InvoluntarySwitch) * share},
	)
	return append(out, jobDebug(s, job/rate, seconds)...)
}
