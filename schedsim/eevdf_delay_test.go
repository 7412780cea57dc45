package schedsim

import (
	"testing"
	"time"
)

// sleepAhead lets the first of two tasks run until it had more than its share,
// then blocks it, and returns both.
func sleepAhead(t *testing.T, k Kernel) (*Sched, *Task, *Task) {
	s := newUnit(t, k, 2, false)
	s.queueTask(0)
	s.queueTask(1)
	first := s.pick()
	s.now += 2e6
	sleeper, other := &s.tasks[first], &s.tasks[1-first]
	sleeper.inOp = true
	s.block(0, sleeper)
	return s, sleeper, other
}

// TestDelayDequeue: a task that goes to sleep ahead of the others stays queued
// and counts, while the other one runs.
func TestDelayDequeue(t *testing.T) {
	for _, on := range []bool{true, false} {
		k := V612(8)
		k.DelayDequeue = on
		s, sleeper, other := sleepAhead(t, k)
		want := int32(1)
		if on {
			want = 2
		}
		e := &s.ents[sleeper.se]
		if s.cpus[0].curr != other.ID || e.delayed != on || e.onRQ != on || sleeper.onRQ != on {
			t.Errorf("delay %v: current %d, delayed %v, on_rq %v and %v", on, s.cpus[0].curr, e.delayed, e.onRQ, sleeper.onRQ)
		}
		if q := &s.cfs[0]; q.nrRunning != want || q.hNr != want || s.cpus[0].nrRunning != want {
			t.Errorf("delay %v: nr_running %d, h_nr_running %d, of the CPU %d; want %d", on, q.nrRunning, q.hNr, s.cpus[0].nrRunning, want)
		}
		if got := sleeper.nvcsw; got != 1 {
			t.Errorf("delay %v: %d voluntary switches, want 1", on, got)
		}
	}
}

// TestDelayedIsDequeued: when it is picked, for it is eligible then; it leaves
// without credit.
func TestDelayedIsDequeued(t *testing.T) {
	s, sleeper, other := sleepAhead(t, V612(8))
	e := &s.ents[sleeper.se]
	s.pass(3.1e6) // the other one's slice; now it is the one that is ahead
	if s.pick() != other.ID || e.delayed || e.onRQ || sleeper.onRQ {
		t.Fatalf("current %d, delayed %v, on_rq %v", s.cpus[0].curr, e.delayed, e.onRQ)
	}
	if e.vlag != 0 {
		t.Errorf("it takes a lag of %d with it, want 0", e.vlag)
	}
	if q := &s.cfs[0]; q.nrRunning != 1 || q.hNr != 1 || s.cpus[0].nrRunning != 1 {
		t.Errorf("nr_running %d, h_nr_running %d, of the CPU %d; want 1", q.nrRunning, q.hNr, s.cpus[0].nrRunning)
	}
}

// TestDelayedWakes: it goes on where it is, with its debt if there is some left,
// and from V if there is not.
func TestDelayedWakes(t *testing.T) {
	for _, tc := range []struct {
		name string
		ran  int64 // by the other one
		zero bool
		lag  int64 // when it goes on
	}{
		{"in-debt", 1e6, true, -500e3},
		{"even", 2e6, true, 0},
		{"without-debt", 2.8e6, true, 0},
		{"credit", 2.8e6, false, 400e3},
	} {
		k := V612(8)
		k.DelayZero = tc.zero
		s, sleeper, _ := sleepAhead(t, k)
		s.pass(tc.ran)
		e := &s.ents[sleeper.se]
		sleeper.state = taskWaking
		if !s.ttwuRunnable(0, sleeper) || e.delayed || sleeper.state != taskRunning {
			t.Errorf("%s: delayed %v, state %d", tc.name, e.delayed, sleeper.state)
		}
		if q := &s.cfs[0]; q.nrRunning != 2 || s.cpus[0].nrRunning != 2 {
			t.Errorf("%s: nr_running %d, want 2", tc.name, q.nrRunning)
		}
		if got := s.averageVruntime(&s.cfs[0]) - e.vruntime; max(got-tc.lag, tc.lag-got) > 1 {
			t.Errorf("%s: lag %d, want %d", tc.name, got, tc.lag)
		}
	}
}

// TestExitIsNotDelayed: a task that ends is off the queue at once.
func TestExitIsNotDelayed(t *testing.T) {
	s := newUnit(t, V612(8), 2, false)
	s.queueTask(0)
	s.queueTask(1)
	first := &s.tasks[s.pick()]
	s.now += 2e6
	first.state = taskDead
	s.block(0, first)
	if e := &s.ents[first.se]; e.delayed || e.onRQ {
		t.Errorf("delayed %v, on_rq %v", e.delayed, e.onRQ)
	}
}

// TestDelayedMoves: load balancing takes a delayed task along; it stays delayed
// on the other CPU until it is picked there, and can be woken there.
func TestDelayedMoves(t *testing.T) {
	for _, wake := range []bool{false, true} {
		s, sleeper, _ := sleepAhead(t, V612(8))
		s.at(1)
		s.moveTask(sleeper, 1)
		e := &s.ents[sleeper.se]
		if sleeper.cpu != 1 || !e.delayed || !sleeper.onRQ || s.cpus[0].nrRunning != 1 || s.cpus[1].nrRunning != 1 {
			t.Fatalf("CPU %d, delayed %v, on_rq %v", sleeper.cpu, e.delayed, sleeper.onRQ)
		}
		if wake {
			sleeper.state = taskWaking
			s.ttwuRunnable(0, sleeper)
		}
		s.schedule(1)
		if (s.cpus[1].curr == sleeper.ID) != wake || sleeper.onRQ != wake || s.cpus[1].nrRunning > 1 {
			t.Errorf("woken %v: current %d, on_rq %v", wake, s.cpus[1].curr, sleeper.onRQ)
		}
	}
}

// TestDelayedGroup: a group whose last task left goes on counting above, until
// it is picked or gets a task.
func TestDelayedGroup(t *testing.T) {
	s := newUnit(t, V612(8), 2, true)
	daemon := &s.tasks[1]
	daemon.group = 0
	s.setTaskRQ(daemon, 0)
	s.queueTask(0)
	s.queueTask(1)
	if s.pick() != 0 {
		s.pass(3.1e6)
		s.pick()
	}
	group := &s.ents[s.ents[s.tasks[0].se].parent]
	s.now += 2.9e6
	s.tasks[0].inOp = true
	s.block(0, &s.tasks[0])
	root := &s.cfs[0]
	if !group.delayed || root.nrRunning != 2 || root.hNr != 1 || s.cpus[0].nrRunning != 1 {
		t.Fatalf("delayed %v, nr_running %d, h_nr_running %d, of the CPU %d", group.delayed, root.nrRunning, root.hNr, s.cpus[0].nrRunning)
	}
	s.pass(100e3)
	s.queueTask(0)
	if group.delayed || root.nrRunning != 2 || root.hNr != 2 || s.cpus[0].nrRunning != 2 {
		t.Errorf("delayed %v, nr_running %d, h_nr_running %d, of the CPU %d", group.delayed, root.nrRunning, root.hNr, s.cpus[0].nrRunning)
	}
	if err := s.verifyQueues(); err != nil {
		t.Error(err)
	}
}

// TestDelayedWakeupWithMessages: a task that waits for messages and is always
// ahead is woken on its queue by others and dequeued meanwhile, and none of its
// messages is lost.
func TestDelayedWakeupWithMessages(t *testing.T) {
	const us = time.Microsecond
	w := &script{channels: 1, tasks: []scripted{
		{ops: []Op{recv(0), run(2000 * us)}, cpus: pinned(0)},
		{ops: []Op{run(300 * us)}, cpus: pinned(0)},
		{ops: []Op{sleep(2000 * us), send(0), sleep(9000 * us), send(0)}, cpus: pinned(1), cpu: 1},
	}}
	s := newKernelSched(t, V612(2), testMachine(1, 2, 1), w, true)
	delayed, requeued := 0, 0
	e, was := &s.ents[s.tasks[0].se], false
	for s.now < bootTime+200e6 {
		s.step()
		switch {
		case e.delayed && !was:
			delayed++
		case !e.delayed && was && e.onRQ:
			requeued++
		}
		was = e.delayed
		if err := s.verify(); err != nil {
			t.Fatal(err)
		}
	}
	if delayed < 20 || requeued < 10 || requeued > delayed-10 {
		t.Errorf("delayed %d times, %d of them woken before they were dequeued", delayed, requeued)
	}
	if sent, got := 2*w.iters[2], w.iters[0]+int64(s.channels[0].pending); got < sent-1 {
		t.Errorf("%d messages sent, %d received or pending", sent, got)
	}
}

// TestDelayedWakingMoves: load balancing may take it along even while somebody
// is about to wake it; it takes its load along like any queued task.
func TestDelayedWakingMoves(t *testing.T) {
	s, sleeper, _ := sleepAhead(t, V612(8))
	sleeper.state = taskWaking
	s.at(1)
	s.moveTask(sleeper, 1)
	if q := &s.cfs[0]; q.removedNr != 0 {
		t.Error("it left its load behind like a sleeping task")
	}
	if !s.ttwuRunnable(0, sleeper) || sleeper.cpu != 1 {
		t.Errorf("CPU %d, delayed %v", sleeper.cpu, s.ents[sleeper.se].delayed)
	}
}

// TestDelayedIsGone: a waker that finds the task dequeued when it has the
// runqueue's lock begins anew, with the choice of a CPU.
func TestDelayedIsGone(t *testing.T) {
	s, sleeper, other := sleepAhead(t, V612(8))
	s.tryToWakeUp(1, sleeper, false)
	if !s.cpus[1].wakeDelayed || s.cpus[1].act != actWake {
		t.Fatal("the wakeup is not that of a queued task")
	}
	s.pass(3.1e6)
	if s.pick() != other.ID || sleeper.onRQ {
		t.Fatal("it was not dequeued")
	}
	s.cpus[1].curr = other.ID // somebody to go on after the wakeup
	s.finishWakeup(1)
	s.cpus[1].curr = none
	if c := &s.cpus[1]; c.wakee != sleeper.ID || c.wakeDelayed || c.act != actWake && c.act != actSelect {
		t.Errorf("wakee %d, activity %d", c.wakee, c.act)
	}
}

// TestDelayedLastOfGroup: the dequeue of a group's last task, delayed or by its
// exit, may leave the group behind in turn.
func TestDelayedLastOfGroup(t *testing.T) {
	for _, exit := range []bool{false, true} {
		s := newUnit(t, V612(8), 3, true)
		daemon := &s.tasks[2]
		daemon.group = 0
		s.setTaskRQ(daemon, 0)
		s.queueTask(0)
		s.queueTask(2)
		if s.pick() != 0 {
			s.pass(3.1e6)
			s.pick()
		}
		se := s.tasks[0].se
		group := s.ents[se].parent
		s.now += 2.9e6
		if exit {
			s.tasks[0].state = taskDead
			s.block(0, &s.tasks[0])
		} else {
			// Let it look delayed, alone on its queue, the group being ahead.
			s.pass(0)
			s.tasks[0].state = taskSleeping
			s.tasks[0].inOp = true
			s.ents[se].delayed = true
			s.utilEstDequeue(&s.tasks[0])
			s.dequeueEntities(se, enqWakeup|enqDelayed)
			s.pick()
		}
		if s.ents[se].onRQ || !s.ents[group].delayed || !s.ents[group].onRQ || s.cpus[0].curr != 2 {
			t.Errorf("exit %v: task queued %v, group queued %v, delayed %v, current %d",
				exit, s.ents[se].onRQ, s.ents[group].onRQ, s.ents[group].delayed, s.cpus[0].curr)
		}
		if err := s.verifyQueues(); err != nil {
			t.Error(err)
		}
	}
}
