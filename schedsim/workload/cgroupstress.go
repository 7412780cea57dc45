package workload

import (
	"fmt"

	"github.com/schedlab/schedlab/schedsim"
)

// CgroupStressParams are the constants of CgroupStress. Work is ns at the machine's
// reference clock with the core to itself.
type CgroupStressParams struct {
	// Commands and Sleeps are how many commands and how many "sleep 1" the whole
	// test has.
	Commands, Sleeps float64
	// Groups is how many subgroups a case makes.
	Groups int
	// PerSleep is how many commands are simulated from one sleep to the next.
	PerSleep int
	// ExecShare is the share of commands that exec a program (mkdir, rmdir, cat,
	// sed, seq); the others are subshells that write to a file.
	ExecShare float64
	// ToolNS is what a program does between its start and its exit, the
	// kernel's work on groups included, and WriteNS what a subshell does.
	ToolNS, WriteNS float64
	// ShellNS is what the shell itself does between two commands.
	ShellNS float64
	// Attach is 1 if all processes of the test are moved into each subgroup in
	// turn, as a part of the cases does, else 0.
	Attach float64
	// MaxCommands bounds the commands that are simulated. A run that needs more
	// has no result.
	MaxCommands int
	// See schedsim.Locality.
	RefillLines, SMTThroughput float64
}

// DefaultCgroupStress is LTP's cgroup_fj of 2012 to 2013 on a kernel without the
// debug and ns controllers: of its cases there remain about 76 of function, each
// with three sleeps, 13 of function2 with two and 36 of stress with three.
func DefaultCgroupStress() CgroupStressParams {
	return CgroupStressParams{
		Commands: 300e3, Sleeps: 370, Groups: 100, PerSleep: 300,
		ExecShare: 0.6, ToolNS: 300e3, WriteNS: 100e3, ShellNS: 50e3, Attach: 1,
		MaxCommands: 20000, RefillLines: 300, SMTThroughput: 1.25,
	}
}

// Roles of CgroupStress's tasks.
const (
	RoleStressShell int32 = iota
	RoleStressProc
	RoleStressSubshell
	RoleStressTool
)

// CgroupStress is LTP's cgroup_fj: a shell makes groups, moves processes through
// them and removes them, each step a process that it forks and waits for, with
// sleeps of a second between. Nothing else runs, and one process at a time: it is a
// chain of fork, placement, exec and exit.
//
// The test is too long to be simulated whole: what it takes is the mean time of a
// command, and of a sleep, times how many there are.
type CgroupStress struct {
	CgroupStressParams
	groups    []int
	commands  int
	inBatch   int
	next      int
	since     int64 // when the last command or sleep ended
	sleeping  bool
	busyNS    int64
	commandsN int64
}

// NewCgroupStress returns the workload; one value serves one run.
func NewCgroupStress(p CgroupStressParams) (*CgroupStress, error) {
	switch {
	case p.Groups < 1 || p.PerSleep < 1 || p.MaxCommands < 1:
		return nil, fmt.Errorf("workload: cgroupstress: a count is below 1: %+v", p)
	case p.ExecShare < 0 || p.ExecShare > 1:
		return nil, fmt.Errorf("workload: cgroupstress: a share of %g, want 0 to 1", p.ExecShare)
	case p.Commands < 0 || p.Sleeps < 0 || p.ToolNS < 0 || p.WriteNS < 0 || p.ShellNS < 0 || p.RefillLines < 0:
		return nil, fmt.Errorf("workload: cgroupstress: a constant is negative: %+v", p)
	}
	return &CgroupStress{CgroupStressParams: p}, nil
}

// Name implements schedsim.Workload.
func (w *CgroupStress) Name() string { return fmt.Sprintf("cgroupstress-%d", w.Groups) }

// MaxTasks implements schedsim.Workload.
func (w *CgroupStress) MaxTasks() int { return 2 + w.MaxCommands }

// Channels: the shell's children, and what cgroup_fj_proc waits for.
func (w *CgroupStress) Channels() int { return 2 }

// Locality implements schedsim.Workload.
func (w *CgroupStress) Locality() schedsim.Locality {
	return schedsim.Locality{RefillLines: w.RefillLines, SMTThroughput: w.SMTThroughput}
}

// Start implements schedsim.Workload. The groups are there from the beginning: to
// make one takes time in the tool that does, not in the scheduler.
func (w *CgroupStress) Start(s *schedsim.Sched) {
	for i := range w.Groups {
		w.groups = append(w.groups, s.NewGroup(fmt.Sprintf("/subgroup_%d", i+1), 0, 1024))
	}
	r := s.Rand()
	cpus := s.Machine().OnlineCPUs()
	s.Spawn("sh", RoleStressShell, cpus[r.IntN(len(cpus))], 0)
	s.Spawn("cgroup_fj_proc", RoleStressProc, cpus[r.IntN(len(cpus))], 0)
	w.since = s.Now()
}

// Born implements schedsim.Workload.
func (w *CgroupStress) Born(s *schedsim.Sched, parent, child *schedsim.Task, arg int32) {
	child.Name, child.Role = "sh", arg
	child.Rand = schedsim.StreamFor(s.Seed(), arg, int32(w.commands))
}

// Next implements schedsim.Workload.
func (w *CgroupStress) Next(s *schedsim.Sched, t *schedsim.Task) schedsim.Op {
	switch t.Role {
	case RoleStressProc:
		return schedsim.Op{Kind: schedsim.OpRecv, Arg: 1} // sigsuspend
	case RoleStressSubshell:
		t.PC++
		if t.PC == 1 {
			return schedsim.Op{Kind: schedsim.OpCompute, Work: int64(evenly(t, w.WriteNS, 0.5))}
		}
		return exitOps(t.PC-2, 0)
	case RoleStressTool:
		t.PC++
		switch t.PC {
		case 1:
			return schedsim.Op{Kind: schedsim.OpExec, Work: execEntryWork}
		case 2:
			return schedsim.Op{Kind: schedsim.OpCompute, Work: execWork + int64(evenly(t, w.ToolNS, 0.5))}
		}
		return exitOps(t.PC-3, 0)
	}
	return w.nextShell(s, t)
}

// States of the shell.
const (
	stressCommand int32 = iota
	stressWait
	stressWaited
	stressWoke
)

func (w *CgroupStress) nextShell(s *schedsim.Sched, t *schedsim.Task) schedsim.Op {
	switch t.PC {
	case stressWait:
		t.PC = stressWaited
		return schedsim.Op{Kind: schedsim.OpRecv, Arg: 0, Work: waitWork}
	case stressWaited:
		w.account(s)
		w.commandsN++
		w.inBatch++
		if w.inBatch == w.PerSleep {
			w.inBatch = 0
			w.sleeping = true
			t.PC = stressWoke
			return schedsim.Op{Kind: schedsim.OpSleep, Arg64: 1e9}
		}
	case stressWoke:
		w.account(s)
		w.sleeping = false
		if w.Attach != 0 {
			t.PC = stressCommand
			w.next = (w.next + 1) % len(w.groups)
			return schedsim.Op{Kind: schedsim.OpJoinGroup, Arg: int32(w.groups[w.next]), Work: int64(w.WriteNS)}
		}
	}
	if w.commands == w.MaxCommands {
		return schedsim.Op{Kind: schedsim.OpSleep, Arg64: 1e9}
	}
	w.commands++
	t.PC = stressWait
	kind := RoleStressSubshell
	if t.Rand.Float64() < w.ExecShare {
		kind = RoleStressTool
	}
	return schedsim.Op{Kind: schedsim.OpFork, Arg: kind, Work: int64(w.ShellNS) + shellForkWork}
}

// account adds the time since the last event to that of commands, unless it was
// slept away.
func (w *CgroupStress) account(s *schedsim.Sched) {
	if !w.sleeping {
		w.busyNS += s.Now() - w.since
	}
	w.since = s.Now()
}

// Measured implements schedsim.Workload: what the whole test takes.
func (w *CgroupStress) Measured(s *schedsim.Sched, end bool) (float64, string) {
	if !end {
		w.since = s.Now()
		w.busyNS, w.commandsN = 0, 0
		return 0, ""
	}
	if w.commands == w.MaxCommands || w.commandsN == 0 {
		return 0, "s"
	}
	command := float64(w.busyNS) / float64(w.commandsN) / 1e9
	return w.Commands*command + w.Sleeps, "s"
}
