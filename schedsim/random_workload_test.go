package schedsim

import (
	"fmt"
	"time"
)

// states is a workload of all operations that there are, at random, with everything that a
// workload may ask of the kernel meanwhile: groups, quotas, shares, sessions, policies, CPUs.
//
// One task in eight is a healer: it sleeps for a moment, sees who waits in vain, and sends,
// reads, writes or stores what that one waits for. So a state does not end in a deadlock, and
// barriers and buffers of two or three are met by somebody in the end.
type states struct {
	n, max, born int
	off          uint64 // operations of opKinds that are left out
	cpus         []int
	masks        []int32
	attrs        []SchedAttr
	attrID       []int32
	buffers      []int32
	weight       [len(opKinds)]int
	total        int
	spin         SpinParams
	loc          Locality
	memory       bool
	mms          []MM
	regions      []RegionID
	pinned       int // one task in so many has a mask from the start
	maxGroups    int
}

// What tasks do. The first entry of each is the number that states.off counts from.
const (
	doCompute = iota
	doLong
	doSend
	doRecv
	doFutexWake
	doFutexWait
	doRead
	doWrite
	doSleep
	doFork
	doExit
	doExec
	doYield
	doClock
	doBarrier
	doSpin
	doStore
	doPolicy
	doJoin
	doBind
	doBindOther
	doGroup
	doMove
	doShares
	doQuota
	doSession
)

var opKinds = [...]struct {
	name string
	most int // its weight is drawn up to that
}{
	doCompute: {"compute", 20}, doLong: {"long", 4}, doSend: {"send", 40}, doRecv: {"recv", 30},
	doFutexWake: {"futex-wake", 20}, doFutexWait: {"futex-wait", 10}, doRead: {"read", 20}, doWrite: {"write", 20},
	doSleep: {"sleep", 30}, doFork: {"fork", 3}, doExit: {"exit", 2}, doExec: {"exec", 3}, doYield: {"yield", 8},
	doClock: {"clock", 4}, doBarrier: {"barrier", 6}, doSpin: {"spin", 4}, doStore: {"store", 6},
	doPolicy: {"policy", 6}, doJoin: {"join", 4}, doBind: {"bind", 6}, doBindOther: {"bind-other", 6},
	doGroup: {"group", 2}, doMove: {"move", 3}, doShares: {"shares", 2}, doQuota: {"quota", 2}, doSession: {"session", 2},
}

const (
	barrierWords = 4 // of two or three tasks
	spinWords    = 4
	roleHealer   = 1
)

// newStates draws a workload for a machine.
func newStates(r *Rand, cfg *Config) *states {
	w := &states{cpus: cfg.Machine.OnlineCPUs(), loc: Locality{TransferLines: 5, RefillLines: 20}}
	n := len(w.cpus)
	switch r.IntN(5) {
	case 0:
		w.n = 3 + r.IntN(6)
	case 1:
		w.n = 3 + n/2
	case 2:
		w.n = 3 + n
	case 3:
		w.n = 3 + 2*n
	default:
		w.n = 3 + r.IntN(4*n)
	}
	w.n = min(w.n, 500)
	w.max = w.n + w.n/2 + 2
	for i := range w.weight {
		if i == doCompute || i == doSleep || r.IntN(4) > 0 { // most, in each workload
			w.weight[i] = 1 + r.IntN(opKinds[i].most)
		}
	}
	w.spin = SpinParams{Words: barrierWords + spinWords, Limit: int64(r.IntN(3)) * 20e3, SiblingShare: .7}
	w.pinned = 1 + r.IntN(8)
	w.maxGroups = 2 + r.IntN(12)
	w.memory = len(cfg.Machine.Memory.Remote) > 0 && r.IntN(5) == 0
	if !versionHas(cfg.Kernel.Version, 3014) {
		w.attrs = mixedAttrs[:9]
	} else {
		w.attrs = mixedAttrs
	}
	return w
}

func versionHas(version string, number int) bool { return versionNumber(version) >= number }

// without leaves operations out.
func (w *states) without(off uint64) *states {
	w.off = off
	for i := range w.weight {
		if off>>i&1 != 0 && i != doCompute {
			w.weight[i] = 0
		}
	}
	w.total = 0
	for _, v := range w.weight {
		w.total += v
	}
	return w
}

func (w *states) Name() string       { return fmt.Sprintf("states-%d", w.n) }
func (w *states) MaxTasks() int      { return w.max }
func (w *states) Channels() int      { return w.max + 4 } // one each, and futexes of all
func (w *states) Locality() Locality { return w.loc }
func (w *states) Spin() SpinParams   { return w.spin }

func (w *states) Measured(*Sched, bool) (float64, string) { return 0, "" }

func (w *states) Start(s *Sched) {
	r := s.Rand()
	w.born = w.n
	for range 12 {
		cpus := make([]int, 0, len(w.cpus))
		keep := 1 + r.IntN(len(w.cpus))
		if r.IntN(2) == 0 {
			keep = 1
		}
		for i, ci := range w.cpus {
			if r.IntN(len(w.cpus)-i) < keep-len(cpus) {
				cpus = append(cpus, ci)
			}
		}
		w.masks = append(w.masks, s.Mask(cpus...))
	}
	w.masks = append(w.masks, s.Mask(w.cpus...), s.Mask(w.cpus...))
	for _, b := range []Buffer{
		{Limit: 4, Low: 1, StateLines: 2}, {Limit: 2, PageMessages: 3}, {Limit: 8, Low: 3}, {Limit: 1, PageMessages: 1}, {Gate: true},
	} {
		w.buffers = append(w.buffers, s.NewBuffer(b))
	}
	for _, a := range w.attrs {
		w.attrID = append(w.attrID, s.Attr(a))
	}
	if w.weight[doGroup] > 0 {
		s.NewGroup("c", s.NewGroup("b", s.NewGroup("a", 0, 1024), 2048), 512)
	}
	if w.memory {
		for i := range 2 {
			mm := s.NewMM()
			w.mms = append(w.mms, mm)
			w.regions = append(w.regions, s.AddRegion(mm, Region{Name: fmt.Sprint("r", i), Bytes: 8 << 20, PageBytes: int64(64 << 10)}))
		}
	}
	for i := range w.n {
		t := s.Spawn("", int32(0), w.cpus[r.IntN(len(w.cpus))], int64(r.IntN(1_000_000)))
		t.Arg = int32(i)
		t.Rand = StreamFor(s.seed, 0, t.Arg)
		if i%8 == 0 {
			t.Role = roleHealer
			continue
		}
		if i%5 == 2 {
			s.SetSlice(t, int64(100e3+r.IntN(5_000_000)))
		}
		if w.weight[doBind] > 0 && i%8 < w.pinned && r.IntN(4) == 0 {
			s.SetAffinity(t, w.cpus[r.IntN(len(w.cpus))], w.cpus[r.IntN(len(w.cpus))])
		}
		if w.weight[doPolicy] > 0 && r.IntN(3) == 0 {
			s.SetScheduler(t, w.attrs[w.anyAttr(r, t.Arg, 9)])
		}
		if w.memory {
			s.SetMM(t, w.mms[i%2])
			s.SetAccess(t, .3, Access{w.regions[i%2], 1, 20_000})
		}
	}
}

func (w *states) Born(s *Sched, parent, child *Task, arg int32) {
	child.Arg = arg
	child.Rand = StreamFor(s.seed, 0, arg)
	if w.memory && parent.Role != roleHealer {
		s.CloneVM(parent, child)
	}
}

// anyAttr draws one of the first n policies for a task: for every other one a fair one of any
// weight, for the rest one of any class with the weight of nice 0.
//
// A task that does both at short intervals makes load_avg overflow, in the kernel as here: it
// takes its load along through the real-time class, comes back with a lower weight, by which
// load_sum is then too large (attach_entity_load_avg), and gets the higher weight back
// (reweight_task), with a load that is larger by the ratio of the weights each time.
func (w *states) anyAttr(r *Rand, arg int32, n int) int {
	for {
		i := r.IntN(n)
		a := &w.attrs[i]
		if arg%2 == 0 && a.Policy.class() == classFair || arg%2 == 1 && a.Nice == 0 && a.Policy != PolicyIdle {
			return i
		}
	}
}

// futex is one of the channels that all share.
func (w *states) futex(r *Rand) int32 { return int32(w.max + r.IntN(4)) }

func (w *states) Next(s *Sched, t *Task) Op {
	if t.Role == roleHealer {
		return w.heal(s, t)
	}
	r := &t.Rand
	op := Op{Work: int64(r.IntN(20000)), Sync: r.IntN(2) == 0}
	if r.IntN(8) == 0 {
		op.Work = 0
	}
	pick, kind := r.IntN(w.total), 0
	for ; pick >= w.weight[kind]; kind++ {
		pick -= w.weight[kind]
	}
	fair := t.class == classFair
	switch kind {
	case doLong:
		op.Work *= 500
	case doSend:
		op.Kind, op.Arg = OpSend, int32(r.IntN(w.born))
	case doRecv:
		op.Kind, op.Arg = OpRecv, t.Arg
	case doFutexWake:
		op.Kind, op.Arg = OpFutexWake, w.futex(r)
	case doFutexWait:
		op.Kind, op.Arg = OpFutexWait, w.futex(r)
	case doRead:
		op.Kind, op.Arg = OpRead, w.buffers[r.IntN(len(w.buffers))]
	case doWrite:
		op.Kind, op.Arg = OpWrite, w.buffers[r.IntN(len(w.buffers))]
	case doSleep:
		op.Kind, op.Arg64 = OpSleep, int64(r.IntN(300_000))
	case doFork:
		if w.born < w.max && t.class != classDeadline {
			op.Kind, op.Arg = OpFork, int32(w.born)
			w.born++
		}
	case doExit:
		if t.Arg >= int32(w.n) {
			op.Kind = OpExit
		}
	case doExec:
		op.Kind = OpExec
	case doYield:
		op.Kind = OpYield
	case doClock:
		op.Kind = OpReadClock
	case doBarrier:
		if fair {
			op.Kind, op.Arg = OpBarrier, int32(r.IntN(barrierWords))
			op.Arg64 = int64(2 + op.Arg&1)
		}
	case doSpin:
		if fair {
			op.Kind, op.Arg = OpSpin, int32(barrierWords+r.IntN(spinWords))
			op.Arg64 = s.spin.words[op.Arg].value + 1
		}
	case doStore:
		op.Kind, op.Arg = OpStore, int32(barrierWords+r.IntN(spinWords))
		op.Arg64 = s.spin.words[op.Arg].value + 1
	case doPolicy:
		i := w.anyAttr(r, t.Arg, len(w.attrID))
		if a := &w.attrs[i]; a.Policy != PolicyDeadline || s.dlAdmit(t, a) && s.unbound(t) {
			op.Kind, op.Arg = OpSetScheduler, w.attrID[i]
		}
	case doJoin:
		op.Kind, op.Arg = OpJoinGroup, int32(r.IntN(len(s.groups)))
	case doBind:
		op.Kind, op.Arg = OpSetAffinity, w.masks[r.IntN(len(w.masks))]
	case doBindOther:
		op.Kind, op.Arg, op.Arg64 = OpSetAffinity, w.masks[r.IntN(len(w.masks))], 1+int64(r.IntN(int(s.born)))
	case doGroup:
		if p := r.IntN(len(s.groups)); len(s.groups) < w.maxGroups && depthOf(s, p) < 4 {
			s.NewGroup("g", p, int64(2+r.IntN(4000)))
		}
	case doMove:
		s.MoveTask(&s.tasks[r.IntN(int(s.born))], r.IntN(len(s.groups)))
	case doShares:
		if g := r.IntN(len(s.groups)); g > 0 {
			s.SetShares(g, int64(r.IntN(5000)))
		}
	case doQuota:
		quota := time.Duration(1+r.IntN(20)) * time.Millisecond
		if r.IntN(4) == 0 {
			quota = -1
		}
		// Some are refused, as there is less above.
		_ = s.SetBandwidth(r.IntN(len(s.groups)), quota, time.Duration(5+r.IntN(20))*time.Millisecond, 0)
	case doSession:
		if len(s.groups) < w.maxGroups {
			s.SetSession(t, s.NewSession())
		}
	}
	return op
}

// heal is what a healer does: after a sleep, what somebody waits for.
func (w *states) heal(s *Sched, t *Task) Op {
	r := &t.Rand
	if t.PC ^= 1; t.PC == 1 {
		return Op{Kind: OpSleep, Work: 500, Arg64: int64(20_000 + r.IntN(100_000))}
	}
	op := Op{Work: int64(r.IntN(2000))}
	switch r.IntN(4) {
	case 0: // a channel, from one on
		n := len(s.channels)
		for i, at := 0, r.IntN(n); i < n; i, at = i+1, (at+1)%n {
			if s.channels[at].waiter != none {
				op.Kind, op.Arg = OpSend, int32(at)
				if at >= w.max {
					op.Kind = OpFutexWake
				}
				break
			}
		}
	case 1:
		at := w.buffers[r.IntN(len(w.buffers))]
		switch b := &s.buffers[at]; {
		case b.readers.first != none && b.n == 0:
			op.Kind, op.Arg = OpWrite, at
		case b.writers.first != none && b.n > 0:
			op.Kind, op.Arg = OpRead, at
		}
	case 2:
		at := int32(r.IntN(barrierWords))
		if need := int64(2 + at&1); int64(s.spin.words[at].arrived) == need-1 {
			op.Kind, op.Arg, op.Arg64, op.Work = OpBarrier, at, need, 0
		}
	default:
		at := int32(barrierWords + r.IntN(spinWords))
		op.Kind, op.Arg, op.Arg64 = OpStore, at, s.spin.words[at].value+1
	}
	return op
}
