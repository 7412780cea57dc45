package workload

import "github.com/schedlab/schedlab/schedsim"

// Next implements schedsim.Workload.
func (w *NPB) Next(s *schedsim.Sched, t *schedsim.Task) schedsim.Op {
	th := &w.threads[t.Arg]
	w.progress += th.credit
	th.credit = 0
	if th.started >= 0 {
		return w.begin(s, t, th)
	}
	for {
		g := &w.step[th.segment]
		switch g.kind {
		case npbFork, npbJoin:
			w.advance(s, t, th)
			return w.barrier()
		case npbLoop:
			w.advance(s, t, th)
			if rows := rowsOf(g.rows, w.Threads, int(t.Arg)); rows > 0 {
				return w.work(t, th, g.share*float64(rows)/float64(g.rows), g.irregular)
			}
		case npbSweep:
			if op, ok := w.sweep(s, t, th, g); ok {
				return op
			}
		}
	}
}

// begin is the way of a thread to its first step: the master creates the others, which
// wait for all of them to be there (gomp_team_start); all initialise their data, and
// meet.
func (w *NPB) begin(s *schedsim.Sched, t *schedsim.Task, th *npbThread) schedsim.Op {
	th.started++
	n := th.started
	if t.Role == RoleNPBMaster {
		if n < int32(w.Threads) {
			return schedsim.Op{Kind: schedsim.OpFork, Arg: n, Work: npbForkWork}
		}
		n -= int32(w.Threads) - 1
	}
	switch n {
	case 1:
		return schedsim.Op{Kind: schedsim.OpCompute, Work: npbStartWork}
	case 2:
		return w.barrier()
	case 3:
		return schedsim.Op{Kind: schedsim.OpCompute, Work: npbInitWork}
	case 4:
		th.home = s.Machine().CPUs[t.CPU()].Node
		return w.barrier()
	}
	th.started = -1
	w.setAccess(s, t, npbPasses*1e9/(w.stepWork()/float64(w.Threads)))
	return schedsim.Op{Kind: schedsim.OpCompute}
}

func (w *NPB) barrier() schedsim.Op {
	return schedsim.Op{Kind: schedsim.OpBarrier, Arg: npbBarrier, Arg64: int64(w.Threads)}
}

// work is a computation of so much work in the mean.
func (w *NPB) work(t *schedsim.Task, th *npbThread, work, irregular float64) schedsim.Op {
	th.credit = work
	spread := max(w.Jitter, irregular)
	return schedsim.Op{Kind: schedsim.OpCompute, Work: int64(work * (1 + spread*(2*t.Rand.Float64()-1)))}
}

// advance goes on to the next segment.
func (w *NPB) advance(s *schedsim.Sched, t *schedsim.Task, th *npbThread) {
	th.segment++
	th.plane, th.part = 0, 0
	if int(th.segment) == len(w.step) {
		th.segment = 0
		if t.Arg == 0 {
			w.sample(s)
		}
	}
}

// rowsOf is how many of n iterations a thread gets from a static schedule: the first
// n modulo threads get one more than the others.
func rowsOf(n, threads, i int) int {
	rows := n / threads
	if i < n%threads {
		rows++
	}
	return rows
}

// sweep is the next operation of a thread in a sweep, if it has one left. In each
// plane it computes the Jacobians of its rows, waits for the thread before it to have
// done that plane (sync_left), solves its own rows, and hands on, once the thread
// behind it has taken the plane before (sync_right).
func (w *NPB) sweep(s *schedsim.Sched, t *schedsim.Task, th *npbThread, g *npbSegment) (schedsim.Op, bool) {
	i := t.Arg
	last := int32(min(w.Threads, g.rows)) - 1
	rows := rowsOf(g.rows, w.Threads, int(i))
	if rows == 0 || int(th.plane) == g.planes {
		w.advance(s, t, th)
		return schedsim.Op{}, false
	}
	work := g.share * float64(rows) / float64(g.rows) / float64(g.planes)
	for {
		part := th.part
		th.part++
		switch part {
		case 0:
			return w.work(t, th, work*g.jacobian, 0), true
		case 1:
			if i > 0 {
				return schedsim.Op{Kind: schedsim.OpSpin, Sync: true, Arg: w.doneWord(i - 1), Arg64: th.swept + 1}, true
			}
		case 2:
			if i > 0 {
				return schedsim.Op{Kind: schedsim.OpStore, Arg: w.takenWord(i - 1), Arg64: th.swept + 1}, true
			}
		case 3:
			return w.work(t, th, work*(1-g.jacobian), 0), true
		case 4:
			if i < last {
				return schedsim.Op{Kind: schedsim.OpSpin, Arg: w.takenWord(i), Arg64: th.swept}, true
			}
		case 5:
			th.plane++
			th.swept++
			th.part = 0
			if i < last {
				return schedsim.Op{Kind: schedsim.OpStore, Arg: w.doneWord(i), Arg64: th.swept}, true
			}
			if int(th.plane) == g.planes {
				w.advance(s, t, th)
				return schedsim.Op{}, false
			}
		}
	}
}
