package workload

import (
	"fmt"

	"github.com/schedlab/schedlab/schedsim"
)

// KbuildParams are the constants of Kbuild. Work is ns at the machine's reference
// clock with the core to itself.
type KbuildParams struct {
	// Jobs is make's -j.
	Jobs int
	// CompileNS is the mean work of cc1 for a file, drawn evenly from 0.3 to
	// 1.7 of it, and AssembleNS of as.
	CompileNS, AssembleNS float64
	// MakeNS is what make does for a file: dependencies and the recipe.
	MakeNS float64
	// MaxFiles is how many files there are. A run that comes to their end has no
	// result.
	MaxFiles int
	// See schedsim.Locality.
	RefillLines, SMTThroughput float64
}

// DefaultKbuild is a kernel's build with the files of a small configuration.
func DefaultKbuild(jobs int) KbuildParams {
	return KbuildParams{
		Jobs: jobs, CompileNS: 250e6, AssembleNS: 15e6, MakeNS: 400e3, MaxFiles: 8000,
		RefillLines: 2000, SMTThroughput: 1.3,
	}
}

// Roles of Kbuild's tasks.
const (
	RoleMake int32 = iota
	RoleRecipe
	RoleCompiler
)

// Kbuild is a kernel's build: make keeps a number of recipes going. A recipe is a
// shell that execs gcc, which runs cc1 and then as, each a process that it forks
// and waits for. Files are in the page cache; linking is left out.
type Kbuild struct {
	KbuildParams
	running  int
	started  int32
	free     []int32 // slots
	left     []int64 // by slot: work that its compiler has still to do
	part     []int64 // by slot: the slice of it that is going on
	done     int64   // work of compilers, ns
	out      bool    // of files
	measured int64
}

// NewKbuild returns the workload; one value serves one run.
func NewKbuild(p KbuildParams) (*Kbuild, error) {
	switch {
	case p.Jobs < 1:
		return nil, fmt.Errorf("workload: kbuild: %d jobs, want at least 1", p.Jobs)
	case p.MaxFiles < 1:
		return nil, fmt.Errorf("workload: kbuild: %d files, want at least 1", p.MaxFiles)
	case p.CompileNS < 1 || p.AssembleNS < 1 || p.MakeNS < 0 || p.RefillLines < 0:
		return nil, fmt.Errorf("workload: kbuild: a constant is too small: %+v", p)
	}
	w := &Kbuild{KbuildParams: p, left: make([]int64, p.Jobs), part: make([]int64, p.Jobs)}
	for i := range p.Jobs {
		w.free = append(w.free, int32(p.Jobs-1-i))
	}
	return w, nil
}

// Name implements schedsim.Workload.
func (w *Kbuild) Name() string { return fmt.Sprintf("kbuild-%d", w.Jobs) }

// MaxTasks implements schedsim.Workload.
func (w *Kbuild) MaxTasks() int { return 1 + 3*w.MaxFiles }

// Channels: make's children, and for each slot the compiler.
func (w *Kbuild) Channels() int { return 1 + w.Jobs }

// Locality implements schedsim.Workload.
func (w *Kbuild) Locality() schedsim.Locality {
	return schedsim.Locality{RefillLines: w.RefillLines, SMTThroughput: w.SMTThroughput}
}

// Start implements schedsim.Workload.
func (w *Kbuild) Start(s *schedsim.Sched) {
	cpus := s.Machine().OnlineCPUs()
	s.Spawn("make", RoleMake, cpus[s.Rand().IntN(len(cpus))], 0)
}

// Born implements schedsim.Workload.
func (w *Kbuild) Born(s *schedsim.Sched, parent, child *schedsim.Task, arg int32) {
	child.Arg = arg
	if parent.Role == RoleMake {
		child.Name, child.Role = "sh", RoleRecipe
		child.Rand = schedsim.StreamFor(s.Seed(), RoleRecipe, w.started)
		return
	}
	child.Name, child.Role = "cc1", RoleCompiler
}

// Next implements schedsim.Workload.
func (w *Kbuild) Next(s *schedsim.Sched, t *schedsim.Task) schedsim.Op {
	t.PC++
	switch t.Role {
	case RoleMake:
		return w.nextMake(t)
	case RoleRecipe:
		return w.nextRecipe(t)
	}
	return w.nextCompiler(t)
}

func (w *Kbuild) nextMake(t *schedsim.Task) schedsim.Op {
	if t.PC == 2 {
		w.running-- // a child has been waited for
	}
	t.PC = 0
	if w.running < w.Jobs && w.started < int32(w.MaxFiles) {
		w.running++
		w.started++
		slot := w.free[len(w.free)-1]
		w.free = w.free[:len(w.free)-1]
		return schedsim.Op{Kind: schedsim.OpFork, Arg: slot, Work: int64(w.MakeNS) + forkWork}
	}
	w.out = w.out || w.started == int32(w.MaxFiles)
	t.PC = 1
	return schedsim.Op{Kind: schedsim.OpRecv, Arg: 0, Work: waitWork}
}

func (w *Kbuild) nextRecipe(t *schedsim.Task) schedsim.Op {
	slot := t.Arg
	switch t.PC {
	case 1, 3: // sh, then gcc in its place
		return schedsim.Op{Kind: schedsim.OpExec, Work: execEntryWork}
	case 2, 4:
		return schedsim.Op{Kind: schedsim.OpCompute, Work: execWork}
	case 5:
		w.left[slot] = int64(evenly(t, w.CompileNS, 0.7))
		return schedsim.Op{Kind: schedsim.OpFork, Arg: slot, Work: forkWork}
	case 7:
		w.left[slot] = int64(evenly(t, w.AssembleNS, 0.7))
		return schedsim.Op{Kind: schedsim.OpFork, Arg: slot, Work: forkWork}
	case 6, 8:
		return schedsim.Op{Kind: schedsim.OpRecv, Arg: 1 + slot, Work: waitWork}
	case 9:
		w.free = append(w.free, slot)
	}
	return exitOps(t.PC-9, 0)
}

// compileSlice is the grain in which a compiler's work is counted, ns.
const compileSlice = 1e6

func (w *Kbuild) nextCompiler(t *schedsim.Task) schedsim.Op {
	slot := t.Arg
	switch t.PC {
	case 1:
		return schedsim.Op{Kind: schedsim.OpExec, Work: execEntryWork}
	case 2:
		return schedsim.Op{Kind: schedsim.OpCompute, Work: execWork}
	case 3:
		w.done += w.part[slot]
		w.part[slot] = min(w.left[slot], compileSlice)
		w.left[slot] -= w.part[slot]
		if w.part[slot] > 0 {
			t.PC = 2
			return schedsim.Op{Kind: schedsim.OpCompute, Work: w.part[slot]}
		}
		return exitOps(0, 1+slot)
	}
	return exitOps(1, 1+slot)
}

// Measured implements schedsim.Workload. Files are counted by the compilers' work,
// so that a short run does not depend on which of them end in it.
func (w *Kbuild) Measured(s *schedsim.Sched, end bool) (float64, string) {
	if !end {
		w.done, w.measured = 0, s.Now()
		return 0, ""
	}
	if w.out {
		return 0, "files/s"
	}
	return float64(w.done) / (w.CompileNS + w.AssembleNS) / (float64(s.Now()-w.measured) / 1e9), "files/s"
}
