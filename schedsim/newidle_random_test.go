package schedsim

import "testing"

// TestNewidleDice: the ratio is what was pulled in the last 1024 chances, half of which are
// of before.
func TestNewidleDice(t *testing.T) {
	n := newDice()
	for range 511 {
		n.count(1)
	}
	if n.ratio != 512 {
		t.Errorf("ratio %d after 511 chances, want still 512", n.ratio)
	}
	n.count(1)
	if want := (newidleDice{512, 384, 768}); n != want {
		t.Errorf("after 512 pulls %+v, want %+v", n, want)
	}
	for range 512 {
		n.count(0)
	}
	if want := (newidleDice{512, 192, 384}); n != want {
		t.Errorf("after 512 more that pulled nothing %+v, want %+v", n, want)
	}
}

// TestThrowDice: a newly idle CPU balances in as many of 1024 chances as the ratio says, one
// that was passed over counts as failed, and a pull for as many as were passed over for it.
func TestThrowDice(t *testing.T) {
	for _, tc := range []struct {
		name      string
		ratio     uint32
		low, high int // of 4096 chances
		weight    uint32
		off       bool
	}{
		{name: "half", ratio: 512, low: 1900, high: 2250, weight: 2},
		{name: "always", ratio: 1024, low: 4096, high: 4096, weight: 1},
		{name: "hardly", ratio: 0, low: 1, high: 30, weight: 1024},
		{name: "tenth", ratio: 102, low: 320, high: 510, weight: 10},
		{name: "off", ratio: 0, low: 4096, high: 4096, weight: 1, off: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			k := V61Stable(2)
			k.NewidleRandom = !tc.off
			s := newKernelSched(t, k, testMachine(1, 2, 1), &script{tasks: []scripted{{ops: []Op{hog()}}}}, true)
			n := 0
			for range 4096 {
				d := Domain{dice: newidleDice{ratio: tc.ratio}}
				weight, balance := s.throwDice(&d)
				if !balance {
					if d.dice.calls != 1 || d.dice.successes != 0 {
						t.Fatalf("passed over, and counted as %+v", d.dice)
					}
					continue
				}
				n++
				if weight != tc.weight || d.dice.calls != 0 {
					t.Fatalf("a pull counts for %d, want %d; counted %d", weight, tc.weight, d.dice.calls)
				}
			}
			if n < tc.low || n > tc.high {
				t.Errorf("balances in %d of 4096, want %d to %d", n, tc.low, tc.high)
			}
		})
	}
}

// TestPullRTLeavesWoken: a task that has just woken on an idle CPU is not taken from there.
func TestPullRTLeavesWoken(t *testing.T) {
	for _, idle := range []bool{true, false} {
		w := &script{tasks: []scripted{
			scripted{ops: []Op{hog()}, cpus: pinned(0)}.as(fifo(30)),
			scripted{ops: []Op{hog()}, cpus: pinned(0)}.as(fifo(20)),
			scripted{ops: []Op{hog()}}.as(fifo(10)),
		}}
		s := newKernelSched(t, V61Stable(2), testMachine(1, 2, 1), w, true)
		simulate(t, s, 10*millisecond)
		task := &s.tasks[2]
		if task.cpu != 1 {
			t.Fatalf("the free task is on CPU %d, want 1", task.cpu)
		}
		// As if it had been queued on CPU 0 a moment ago.
		s.cpus[1].curr = none
		s.dequeueTask(task, 0)
		s.setTaskCPU(task, 0)
		s.enqueueTask(task, 0)
		if idle {
			s.cpus[0].curr = none
		}
		s.pullRTTasks(1)
		if took := task.cpu == 1; took == idle {
			t.Errorf("source idle %v: taken %v", idle, took)
		}
	}
}
