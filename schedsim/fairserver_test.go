package schedsim

import (
	"testing"
	"time"
)

// TestFairServerWaits: the server begins 950 ms after a fair task came to a CPU
// that real-time tasks have to themselves, serves 50 ms, and then at the begin of
// each of its periods.
func TestFairServerWaits(t *testing.T) {
	w := &script{tasks: []scripted{
		scripted{ops: []Op{hog()}}.as(fifo(10)), {ops: []Op{hog()}, start: 100 * millisecond},
	}}
	k := V612(1)
	k.HZ = 1000
	s := newKernelSched(t, k, testMachine(1, 1, 1), w, true)
	var spans [][2]int64 // ms
	running := false
	for ms := int64(1); ms <= 4000; ms++ {
		simulate(t, s, millisecond)
		if on := s.cpus[0].curr == 1; on != running {
			if running = on; on {
				spans = append(spans, [2]int64{ms, 0})
			} else {
				spans[len(spans)-1][1] = ms
			}
		}
	}
	// When it begins it has 50 ms in the 50 ms to its deadline, which is more than
	// it asked for: it starts a period there.
	want := [][2]int64{{1050, 1100}, {2050, 2100}, {3050, 3100}}
	if len(spans) != len(want) {
		t.Fatalf("served in %v ms, want %v", spans, want)
	}
	for i := range want {
		for j := range want[i] {
			if d := spans[i][j] - want[i][j]; d < -2 || d > 3 {
				t.Errorf("served in %v ms, want %v", spans, want)
			}
		}
	}
}

// TestFairServerStaysAway: where fair tasks have 5 % by themselves, or would if
// they were there, the server never runs.
func TestFairServerStaysAway(t *testing.T) {
	rt := func(work, pause time.Duration) scripted {
		return scripted{ops: []Op{run(work), sleep(pause)}}.as(fifo(10))
	}
	for _, tc := range []struct {
		name  string
		tasks []scripted
		serve bool
	}{
		{"no-rt", hogs(2), false},
		{"half", []scripted{rt(10*millisecond, 10*millisecond), {ops: []Op{hog()}}}, false},
		{"ten-percent-idle", []scripted{rt(90*millisecond, 10*millisecond), {ops: []Op{run(millisecond), sleep(300 * millisecond)}}}, false},
		{"three-percent", []scripted{rt(970*millisecond, 30*millisecond), {ops: []Op{hog()}}}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newKernelSched(t, V612(1), testMachine(1, 1, 1), &script{tasks: tc.tasks}, true)
			served := false
			for range 5000 {
				simulate(t, s, millisecond)
				served = served || s.dls[0].onRQ
			}
			if served != tc.serve {
				t.Errorf("served %v, want %v", served, tc.serve)
			}
			if n := len(s.classTimers.heap); n > 2 {
				t.Errorf("%d timers wait", n)
			}
		})
	}
}

// TestServerResched: the first fair task that comes to a CPU makes a real-time
// task call schedule(), which goes on with it: no switch is counted.
func TestServerResched(t *testing.T) {
	w := &script{tasks: []scripted{
		scripted{ops: []Op{hog()}}.as(fifo(10)), {ops: []Op{sleep(10 * millisecond), run(millisecond)}, start: 5 * millisecond},
	}}
	s := newKernelSched(t, V612(1), testMachine(1, 1, 1), w, true)
	simulate(t, s, 500*millisecond)
	if n := s.tasks[0].nivcsw; n != 0 {
		t.Errorf("%d involuntary switches", n)
	}
}
