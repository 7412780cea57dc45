package workload

import (
	"fmt"

	"github.com/schedlab/schedlab/schedsim"
)

// Aim7Params are the constants of Aim7. Work is ns at the machine's reference
// clock with the core to itself.
type Aim7Params struct {
	// Users is how many simulated users run at once.
	Users int
	// JobNS is the work of a job that only computes.
	JobNS float64
	// ForkShare, ExecShare and DiskShare are the shares of jobs that fork,
	// that fork and exec, and that write to storage; the rest computes.
	ForkShare, ExecShare, DiskShare float64
	// Forks, Execs and Writes are how many of them such a job does.
	Forks, Execs, Writes int
	// WriteNS is the wait for the storage, 0 if it is memory.
	WriteNS float64
	// MaxForks is how many processes a run may make. A run that needs more has
	// no result.
	MaxForks int
	// See schedsim.Locality.
	RefillLines, SMTThroughput float64
}

// DefaultAim7 is a mix like AIM7's shared one, with jobs cut to 20 ms.
func DefaultAim7(users int) Aim7Params {
	return Aim7Params{
		Users: users, JobNS: 20e6,
		ForkShare: 0.05, ExecShare: 0.05, DiskShare: 0.1,
		Forks: 20, Execs: 10, Writes: 5, WriteNS: 200e3,
		MaxForks: 30000, RefillLines: 300, SMTThroughput: 1.25,
	}
}

// Roles of Aim7's tasks.
const (
	RoleAimMain int32 = iota
	RoleAimUser
	RoleAimForked
	RoleAimExeced
)

// Aim7 is AIM Multiuser Benchmark Suite VII in what it asks of the scheduler:
// users, each a process that does one job after another, drawn from a list. Most
// jobs compute; some make processes and wait for each; some write to storage and
// wait.
type Aim7 struct {
	Aim7Params
	user      []aimUser
	forks     int
	out       bool
	jobs      float64
	startedAt int64
}

type aimUser struct {
	kind   aimKind
	pieces int // of the job, and how many are left
	left   int
	wait   bool
}

type aimKind uint8

const (
	aimCompute aimKind = iota
	aimFork
	aimExec
	aimDisk
)

// NewAim7 returns the workload; one value serves one run.
func NewAim7(p Aim7Params) (*Aim7, error) {
	switch {
	case p.Users < 1:
		return nil, fmt.Errorf("workload: aim7: %d users, want at least 1", p.Users)
	case p.ForkShare < 0 || p.ExecShare < 0 || p.DiskShare < 0 || p.ForkShare+p.ExecShare+p.DiskShare > 1:
		return nil, fmt.Errorf("workload: aim7: shares of jobs %g, %g and %g, want 0 to 1 in all", p.ForkShare, p.ExecShare, p.DiskShare)
	case p.Forks < 1 || p.Execs < 1 || p.Writes < 1 || p.MaxForks < 1:
		return nil, fmt.Errorf("workload: aim7: a count is below 1: %+v", p)
	case p.JobNS < aimSlice || p.WriteNS < 0 || p.RefillLines < 0:
		return nil, fmt.Errorf("workload: aim7: a constant is too small: %+v", p)
	}
	return &Aim7{Aim7Params: p, user: make([]aimUser, p.Users)}, nil
}

// Name implements schedsim.Workload.
func (w *Aim7) Name() string { return fmt.Sprintf("aim7-%d", w.Users) }

// MaxTasks implements schedsim.Workload.
func (w *Aim7) MaxTasks() int { return 1 + w.Users + w.MaxForks }

// Channels are the users' children.
func (w *Aim7) Channels() int { return w.Users }

// Locality implements schedsim.Workload.
func (w *Aim7) Locality() schedsim.Locality {
	return schedsim.Locality{RefillLines: w.RefillLines, SMTThroughput: w.SMTThroughput}
}

// Start implements schedsim.Workload.
func (w *Aim7) Start(s *schedsim.Sched) {
	cpus := s.Machine().OnlineCPUs()
	s.Spawn("multitask", RoleAimMain, cpus[s.Rand().IntN(len(cpus))], 0)
}

// Born implements schedsim.Workload.
func (w *Aim7) Born(s *schedsim.Sched, parent, child *schedsim.Task, arg int32) {
	child.Name, child.Arg = "multitask", arg
	switch {
	case parent.Role == RoleAimMain:
		child.Role = RoleAimUser
		child.Rand = schedsim.StreamFor(s.Seed(), RoleAimUser, arg)
	case w.user[arg].kind == aimFork:
		child.Role = RoleAimForked
	default:
		child.Role = RoleAimExeced
	}
}

// Next implements schedsim.Workload.
func (w *Aim7) Next(s *schedsim.Sched, t *schedsim.Task) schedsim.Op {
	t.PC++
	switch t.Role {
	case RoleAimMain:
		if t.PC <= int32(w.Users) {
			return schedsim.Op{Kind: schedsim.OpFork, Arg: t.PC - 1, Work: forkWork}
		}
		return schedsim.Op{Kind: schedsim.OpSleep, Arg64: 1e9, Work: 1000}
	case RoleAimForked:
		return exitOps(t.PC-1, t.Arg)
	case RoleAimExeced:
		switch t.PC {
		case 1:
			return schedsim.Op{Kind: schedsim.OpExec, Work: execEntryWork}
		case 2:
			return schedsim.Op{Kind: schedsim.OpCompute, Work: execWork}
		}
		return exitOps(t.PC-3, t.Arg)
	}
	return w.nextUser(t)
}

// aimSlice is the grain in which a computing job's work is counted, ns.
const aimSlice = 1e6

func (w *Aim7) nextUser(t *schedsim.Task) schedsim.Op {
	u := &w.user[t.Arg]
	if u.wait {
		u.wait = false
		return schedsim.Op{Kind: schedsim.OpRecv, Arg: t.Arg, Work: waitWork}
	}
	if u.pieces > 0 {
		w.jobs += 1 / float64(u.pieces)
	}
	if u.left == 0 {
		w.draw(t, u)
	}
	u.left--
	switch u.kind {
	case aimFork, aimExec:
		if w.forks == w.MaxForks {
			w.out = true
			break
		}
		w.forks++
		u.wait = true
		return schedsim.Op{Kind: schedsim.OpFork, Arg: t.Arg, Work: forkWork}
	case aimDisk:
		return schedsim.Op{Kind: schedsim.OpSleep, Arg64: int64(w.WriteNS), Work: flushWork}
	}
	return schedsim.Op{Kind: schedsim.OpCompute, Work: aimSlice}
}

// draw begins the next job.
func (w *Aim7) draw(t *schedsim.Task, u *aimUser) {
	switch x := t.Rand.Float64(); {
	case x < w.ForkShare:
		u.kind, u.pieces = aimFork, w.Forks
	case x < w.ForkShare+w.ExecShare:
		u.kind, u.pieces = aimExec, w.Execs
	case x < w.ForkShare+w.ExecShare+w.DiskShare:
		u.kind, u.pieces = aimDisk, w.Writes
	default:
		u.kind, u.pieces = aimCompute, int(evenly(t, w.JobNS, 0.5)/aimSlice)
	}
	u.pieces = max(u.pieces, 1)
	u.left = u.pieces
}

// Measured implements schedsim.Workload. A job under way counts by its part that is
// done.
func (w *Aim7) Measured(s *schedsim.Sched, end bool) (float64, string) {
	if !end {
		w.jobs, w.startedAt = 0, s.Now()
		return 0, ""
	}
	if w.out {
		return 0, "jobs/min"
	}
	return w.jobs * 60 / (float64(s.Now()-w.startedAt) / 1e9), "jobs/min"
}
