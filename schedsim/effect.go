package schedsim

import "fmt"

// This file is the programs: what tasks do between two decisions of the kernel.

// run lets the current task of ci execute: what is left of its operation, or
// the next ones.
func (s *Sched) run(ci int32) {
	c := &s.cpus[ci]
	t := &s.tasks[c.curr]
	for n := 0; ; n++ {
		if !t.inOp {
			t.op = s.nextOp(t)
			if n == maxOpsAtOnce {
				s.refuse(t, fmt.Sprintf("does %d operations in no time", n))
			}
			if uint64(t.op.Work) > maxWork || t.op.Kind == OpSleep && t.op.Arg64 < 0 {
				s.refuse(t, fmt.Sprintf("works for %d ns and sleeps for %d", t.op.Work, t.op.Arg64))
			}
			t.inOp = true
			t.work = t.op.Work
		}
		// A receive that was waiting takes its message at once: the switch that
		// brought the task back is part of what it does next.
		waited := (t.op.Kind == OpRecv || t.op.Kind == OpFutexWait) && t.work == 0 && s.channels[t.op.Arg].pending > 0 ||
			(t.op.Kind == OpRead || t.op.Kind == OpWrite) && t.work == 0 && s.ready(t)
		if !waited && (t.work > 0 || t.stall > 0 || c.owedWork > 0 || c.owedStall > 0) {
			s.begin(ci, actRun, t.stall, t.work)
			return
		}
		if !s.effect(ci, t) {
			return
		}
	}
}

// maxWork is how much work an operation may have, ns: a day and a half, which in
// 16.16 fixed point fits a word. maxOpsAtOnce is how many a task may do without
// simulated time.
const (
	maxWork      = 1 << 47
	maxOpsAtOnce = 1 << 20
)

// refuse ends the run, and the task, for what its program asks for.
func (s *Sched) refuse(t *Task, what string) {
	s.failStart(fmt.Errorf("schedsim: workload %s: task %d (%s) %s; give times of 0 or more and work up to %d ns",
		s.w.Name(), t.ID, t.Name, what, int64(maxWork)))
	t.op = Op{Kind: OpExit}
}

// effect does what an operation does once its work is done. It reports whether
// the task goes on at once.
func (s *Sched) effect(ci int32, t *Task) bool {
	op := &t.op
	t.inOp = false
	switch op.Kind {
	case OpSend, OpFutexWake:
		ch := &s.channels[op.Arg]
		ch.pending++
		ch.from = ci
		if w := s.firstWaiter(ch); w != none {
			s.tryToWakeUp(ci, &s.tasks[w], op.Sync && op.Kind == OpSend)
			return false
		}
	case OpRecv, OpFutexWait:
		ch := &s.channels[op.Arg]
		if ch.pending == 0 {
			s.wait(ch, t)
			t.inOp = true // the receive itself is still to be done
			s.block(ci, t)
			return false
		}
		ch.pending--
		t.stall += s.transfer(ch.from, ci, s.loc.TransferLines)
	case OpFork:
		s.fork(ci, t, op.Arg)
		if s.cpus[ci].needResched {
			s.reschedAfterSyscall(ci)
			return false
		}
	case OpSleep:
		s.timers.push(s.now+op.Arg64, t.ID)
		s.armTimers()
		s.block(ci, t)
		return false
	case OpExec:
		return s.schedExec(ci, t)
	case OpJoinGroup:
		s.joinGroup(ci, t, int(op.Arg))
		if s.cpus[ci].needResched {
			s.reschedAfterSyscall(ci)
			return false
		}
	case opFreqWork:
		s.odUpdate(ci)
		s.block(ci, t)
		return false
	case opStopWork:
		s.stopWork(ci)
		s.block(ci, t)
		return false
	case opSugovWork:
		s.sugovDone(t)
		s.block(ci, t)
		return false
	case OpSetScheduler:
		s.setScheduler(ci, t, &s.attrs[op.Arg])
		if s.cpus[ci].needResched {
			s.reschedAfterSyscall(ci)
			return false
		}
	case OpRead:
		return s.read(ci, t)
	case OpWrite:
		return s.write(ci, t)
	case OpSetAffinity:
		return s.affinityOp(ci, t)
	case OpReadClock:
		return s.clockRead(ci, t)
	case OpYield:
		s.yield(ci, t)
		return false
	case OpBarrier, OpSpin, OpStore:
		if s.spin == nil {
			s.failStart(fmt.Errorf("schedsim: workload %s waits for words of memory and has none, implement Spinner", s.w.Name()))
			s.block(ci, t)
			return false
		}
		switch op.Kind {
		case OpBarrier:
			return s.barrierOp(ci, t)
		case OpSpin:
			return s.spinOp(ci, t)
		}
		s.storeOp(ci, t)
	case OpExit:
		if s.mem != nil {
			s.exitNUMA(t)
		}
		t.state = taskDead
		s.block(ci, t)
		return false
	}
	return true
}
