package schedsim

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func read(b int32) Op  { return Op{Kind: OpRead, Arg: b, Work: 1000} }
func write(b int32) Op { return Op{Kind: OpWrite, Arg: b, Work: 1000} }

// buffered starts a script on a machine of four cores with one buffer, number 0.
func buffered(t *testing.T, k func(int) Kernel, b Buffer, tasks ...scripted) (*Sched, *script) {
	t.Helper()
	w := &script{tasks: tasks}
	s := newKernelSched(t, k(4), testMachine(1, 4, 1), w, true)
	s.NewBuffer(b)
	if s.startErr != nil {
		t.Fatal(s.startErr)
	}
	return s, w
}

func on(cpu int, start time.Duration, ops ...Op) scripted {
	return scripted{ops: ops, cpus: pinned(cpu), cpu: cpu, start: start}
}

// writes is n of them, and then a long sleep.
func writes(n int) []Op {
	var ops []Op
	for range n {
		ops = append(ops, write(0))
	}
	return append(ops, sleep(time.Hour))
}

// TestSocketBounds: writers fill a socket up to its limit and wait; they all wake
// when a read leaves the low mark, and none before.
func TestSocketBounds(t *testing.T) {
	const limit, low = 20, 5
	reads := []Op{sleep(5 * time.Millisecond)}
	for range limit - low - 1 {
		reads = append(reads, read(0))
	}
	reads = append(reads, sleep(5*time.Millisecond), read(0), sleep(time.Hour))
	s, _ := buffered(t, V612, Buffer{Limit: limit, Low: low},
		on(0, 0, writes(1000)...), on(1, 0, writes(1000)...), on(2, 0, writes(1000)...), on(3, 0, reads...))
	b := &s.buffers[0]
	at := func(d time.Duration, n int32, waiting bool) {
		t.Helper()
		simulate(t, s, d)
		if b.n != n || (b.writers != nobody) != waiting {
			t.Errorf("at %v: %d messages, waiters %v, want %d, %v", time.Duration(s.now-bootTime), b.n, b.writers, n, waiting)
		}
	}
	at(4*time.Millisecond, limit, true)
	s.count.Wakeups = 0
	at(4*time.Millisecond, low+1, true)
	if n := s.count.Wakeups; n != 1 {
		t.Errorf("%d wakeups before the low mark, want the reader's timer only", n)
	}
	at(10*time.Millisecond, limit, true)
	if n := s.count.Wakeups; n != 2+3 {
		t.Errorf("%d wakeups, want the reader's two timers and three writers", n)
	}
}

// TestSocketReaderWakesOnce: a reader that sleeps is woken by the first message
// and not by those that come before it runs.
func TestSocketReaderWakesOnce(t *testing.T) {
	s, _ := buffered(t, V612, Buffer{Limit: 100, Low: 25},
		on(0, 0, read(0)), on(0, time.Millisecond, writes(10)...))
	simulate(t, s, 900*time.Microsecond)
	s.count.Wakeups = 0
	simulate(t, s, 20*time.Millisecond)
	if n := s.count.Wakeups; n != 2 {
		t.Errorf("%d wakeups, want the writer's start and one of the reader", n)
	}
	if b := &s.buffers[0]; b.n != 0 || b.readers == nobody {
		t.Errorf("%d messages unread, readers %v", b.n, b.readers)
	}
}

// TestPipeWakeups: a page of ten messages is read to its end while three writers
// wait. Before 5.5 that wakes them all, since then one, which finds no room for a
// second.
func TestPipeWakeups(t *testing.T) {
	reads := []Op{sleep(5 * time.Millisecond)}
	for range 10 {
		reads = append(reads, read(0))
	}
	reads = append(reads, sleep(time.Hour))
	for _, c := range []struct {
		name   string
		kernel func(int) Kernel
		want   int64
	}{{"v3.10", V310, 3}, {"v5.10", V510, 1}, {"v6.12", V612, 1}} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := buffered(t, c.kernel, Buffer{Limit: 2, PageMessages: 10},
				on(0, 0, writes(1000)...), on(1, 0, writes(1000)...), on(2, 0, writes(1000)...), on(3, 0, reads...))
			simulate(t, s, 4*time.Millisecond)
			if b := &s.buffers[0]; b.n != 20 || b.pages != 2 {
				t.Fatalf("%d messages in %d pages, want 20 in 2", b.n, b.pages)
			}
			before := s.count.Wakeups
			simulate(t, s, 4*time.Millisecond)
			if n := s.count.Wakeups - before - 1; n < c.want || c.want == 1 && n > 1 {
				t.Errorf("%d writers woken, want %d", n, c.want)
			}
		})
	}
}

// TestPipeEnds: pipes of every era pass all messages of several writers, to the last
// one, and nobody waits for ever.
func TestPipeEnds(t *testing.T) {
	const n = 700
	for _, k := range []func(int) Kernel{V310, V510, V612} {
		for _, b := range []Buffer{{Limit: 16, PageMessages: 40}, {Limit: 1, PageMessages: 3}, {Limit: 222, Low: 55}, {Limit: 1}} {
			name := fmt.Sprintf("%s %d by %d", k(4).Version, b.Limit, b.PageMessages)
			var reads []Op
			for range 3 * n {
				reads = append(reads, read(0))
			}
			s, w := buffered(t, k, b, on(0, 0, writes(n)...), on(1, 0, writes(n)...), on(1, 0, writes(n)...), on(3, 0, reads...))
			simulate(t, s, time.Second)
			if w.iters[3] != 1 || s.buffers[0].n != 0 {
				t.Errorf("%s: %d unread, reader done %d times", name, s.buffers[0].n, w.iters[3])
			}
		}
	}
}

// TestPipePages compares the counts of a pipe with a list of its pages.
func TestPipePages(t *testing.T) {
	const limit, size = 4, 3
	type page struct{ written, unread int32 }
	var pages []page
	b := &buffer{Buffer: Buffer{Limit: limit, PageMessages: size}}
	r := Rand(7)
	for i := range 20000 {
		full := len(pages) == limit && pages[limit-1].written == size
		if b.full(false) != full || b.full(true) != (len(pages) == limit) {
			t.Fatalf("step %d: full %v and %v of %v", i, b.full(false), b.full(true), pages)
		}
		// Fill and drain by turns.
		writing := r.Float64() < 0.35+0.3*float64(i/500%2)
		switch {
		case writing && !full:
			b.fillPage()
			if len(pages) == 0 || pages[len(pages)-1].written == size {
				pages = append(pages, page{})
			}
			p := &pages[len(pages)-1]
			p.written++
			p.unread++
		case !writing && len(pages) > 0:
			pages[0].unread--
			done := pages[0].unread == 0
			if done {
				pages = pages[1:]
			}
			if b.turnPage() != done {
				t.Fatalf("step %d: page done %v", i, !done)
			}
		}
		if int(b.pages) != len(pages) || len(pages) > 0 && (b.tail != pages[0].unread || b.head != pages[len(pages)-1].written) {
			t.Fatalf("step %d: %d pages, tail %d, head %d of %v", i, b.pages, b.tail, b.head, pages)
		}
	}
}

// TestGate: who reads before the gate opens waits; the opening wakes all, and who
// comes later passes.
func TestGate(t *testing.T) {
	pass := []Op{read(0), sleep(time.Hour)}
	s, w := buffered(t, V612, Buffer{Gate: true}, on(0, 0, pass...), on(1, 0, pass...), on(2, 2*time.Millisecond, read(0), run(time.Millisecond)),
		on(3, time.Millisecond, write(0), sleep(time.Hour)))
	simulate(t, s, 900*time.Microsecond)
	if s.count.VoluntarySwitches != 2 {
		t.Errorf("%d tasks wait, want 2", s.count.VoluntarySwitches)
	}
	s.count.Wakeups = 0
	simulate(t, s, 9*time.Millisecond)
	if s.count.Wakeups != 2+2 || w.iters[2] < 5 {
		t.Errorf("%d wakeups, the third passed %d times", s.count.Wakeups, w.iters[2])
	}
}

// TestMessageLines: a reader pays for the lines of a message by where it was
// written, and both sides for those of the queue by who used it last.
func TestMessageLines(t *testing.T) {
	perMessage := func(readerCPU int, loc Locality, lines float64) float64 {
		w := &script{tasks: []scripted{on(0, 0, write(0)), on(readerCPU, 0, read(0))}, loc: loc}
		s := newKernelSched(t, V612(4), testMachine(1, 4, 1), w, true)
		s.NewBuffer(Buffer{Limit: 1, StateLines: lines})
		simulate(t, s, 20*time.Millisecond)
		return 20e6 / float64(w.iters[1])
	}
	same, other := perMessage(0, Locality{}, 0), perMessage(1, Locality{}, 0)
	if d := perMessage(0, Locality{TransferLines: 100}, 100) - same; d > 10 {
		t.Errorf("%.0f ns more on one CPU", d)
	}
	line := float64(testMachine(1, 4, 1).Transfer.SameLLC.Value)
	for _, c := range []struct {
		name         string
		loc          Locality
		state, lines float64
	}{
		{"message", Locality{TransferLines: 100}, 0, 100},
		// Both pull, the reader while the writer does.
		{"queue", Locality{}, 100, 100},
	} {
		d := perMessage(1, c.loc, c.state) - other
		if want := c.lines * line; d < 0.8*want || d > 1.2*want {
			t.Errorf("%s: %.0f ns more between CPUs, want %.0f", c.name, d, want)
		}
	}
}

// TestSyscallPreemption: without CONFIG_PREEMPT a task is preempted at the end of
// its system call, with it in the middle. The timer of the other task is due in the
// middle.
func TestSyscallPreemption(t *testing.T) {
	for _, c := range []struct {
		preempt bool
		late    time.Duration // of the second task, after its timer
	}{{false, 5 * time.Millisecond}, {true, 0}} {
		w := &script{tasks: []scripted{
			on(0, 0, Op{Kind: OpRead, Arg: 0, Work: 7e6}),
			on(0, 0, sleep(2*time.Millisecond), Op{Kind: OpCompute, Work: 1000}, sleep(time.Hour)),
		}}
		w.tasks[1].attr = SchedAttr{Policy: PolicyFIFO, Priority: 50}
		k := V510(4)
		k.NewidlePullsOne = c.preempt
		s := newKernelSched(t, k, testMachine(1, 4, 1), w, true)
		s.NewBuffer(Buffer{Gate: true})
		s.buffers[0].n = 1
		var ran time.Duration
		for ran == 0 && s.now < bootTime+20e6 {
			s.step()
			if cur := s.Current(0); cur != nil && cur.Arg == 1 && cur.PC == 2 {
				ran = time.Duration(s.now - bootTime)
			}
		}
		if late := ran - 2*time.Millisecond; late < c.late-200*time.Microsecond || late > c.late+200*time.Microsecond {
			t.Errorf("preemptible %v: ran %v after its timer, want %v", c.preempt, late, c.late)
		}
	}
}

// TestRemoteMessages: those that cross sockets are counted.
func TestRemoteMessages(t *testing.T) {
	for cpu, want := range []int64{0, 1} {
		w := &script{tasks: []scripted{on(0, 0, write(0)), on(cpu, 0, read(0))}}
		s := newKernelSched(t, V612(2), testMachine(2, 1, 1), w, true)
		s.NewBuffer(Buffer{Limit: 4})
		simulate(t, s, 2*time.Millisecond)
		if c := &s.count; c.MessagesRead < 100 || c.MessagesRemote != want*c.MessagesRead {
			t.Errorf("reader on CPU %d: %d of %d messages are remote", cpu, c.MessagesRemote, c.MessagesRead)
		}
	}
}

// TestBadBuffers: what can hold nothing is refused.
func TestBadBuffers(t *testing.T) {
	for _, b := range []Buffer{{}, {Limit: -1}, {Limit: 4, Low: 4}, {Limit: 4, Low: -1}, {Limit: 1 << 20, PageMessages: 2}, {Limit: 4, StateLines: -1}} {
		s := newKernelSched(t, V612(4), testMachine(1, 4, 1), &script{tasks: hogs(1)}, true)
		s.NewBuffer(b)
		if s.startErr == nil || !strings.Contains(s.startErr.Error(), "give") {
			t.Errorf("%+v: error %v", b, s.startErr)
		}
	}
}

// TestRecycle: a writer pays for the lines of memory that a reader on another core
// freed, from its second message on, and nothing while both are on one CPU.
func TestRecycle(t *testing.T) {
	const n, lines = 10, 5
	ends := func(reader int, recycle float64) int64 {
		ops := []Op{sleep(time.Millisecond)}
		for range n {
			ops = append(ops, write(0), sleep(time.Millisecond))
		}
		reads := make([]Op, 0, n+1)
		for range n {
			reads = append(reads, read(0))
		}
		s, _ := buffered(t, V612, Buffer{Limit: 100, Low: 25, RecycleLines: recycle},
			on(0, 0, append(ops, sleep(time.Hour))...), on(reader, 0, append(reads, sleep(time.Hour))...))
		simulate(t, s, 100*time.Millisecond)
		if s.buffers[0].n != 0 {
			t.Fatalf("reader on CPU %d: %d messages unread", reader, s.buffers[0].n)
		}
		return s.ents[s.tasks[0].se].sumExec
	}
	for _, c := range []struct {
		reader int
		want   int64
	}{{0, 0}, {1, (n - 1) * lines}} {
		s, _ := buffered(t, V612, Buffer{Limit: 1}, on(0, 0, sleep(time.Hour)))
		want := c.want * s.lineNS(0, 1)
		if got := ends(c.reader, lines) - ends(c.reader, 0); got != want {
			t.Errorf("reader on CPU %d: the writer ran for %d ns more, want %d", c.reader, got, want)
		}
	}
}
