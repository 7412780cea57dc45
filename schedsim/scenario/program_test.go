package scenario

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// simulate runs a scenario text on 5.10.
func simulate(t *testing.T, shape, text string) *Outcome {
	t.Helper()
	g, err := NewGuest(shape)
	if err != nil {
		t.Fatal(err)
	}
	sc, err := Parse(strings.NewReader(text), "x", len(g.Machine.CPUs))
	if err != nil {
		t.Fatal(err)
	}
	o, err := Simulate(t.Context(), sc, g, schedsim.V510(len(g.Machine.CPUs)), 1)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestHog(t *testing.T) {
	o := simulate(t, "2cpu", "@duration 500\nt_a 0 0 0 hog\nt_b 0 0 100 hog")
	a, b := &o.Tasks[0], &o.Tasks[1]
	if got := a.CPU + b.CPU; got < 499*time.Millisecond || got > 500*time.Millisecond {
		t.Errorf("two hogs used %v of 500 ms", got)
	}
	if got := a.CPU - b.CPU; got < 85*time.Millisecond || got > 115*time.Millisecond {
		t.Errorf("the one that was alone for 100 ms has %v more", got)
	}
	if a.Voluntary != 0 || a.Involuntary < 20 {
		t.Errorf("%d voluntary and %d involuntary switches of a hog", a.Voluntary, a.Involuntary)
	}
}

// TestFutex: posts are counted, and waiters served in the order they came.
func TestFutex(t *testing.T) {
	o := simulate(t, "4core", `@duration 300
t_src 0 0 20 wake:0 sleep:10000
t_a 0 1 0 wait:0
t_b 0 2 5 wait:0
t_c 0 3 10 wait:0`)
	n := o.Tasks[0].Iterations
	for i := range 3 {
		if got := o.Tasks[i+1].Iterations; got < n/3 || got > n/3+1 {
			t.Errorf("%s got %d of %d posts, want a third", o.Tasks[i+1].Name, got, n)
		}
	}
	late := simulate(t, "2cpu", "@duration 100\nt_src 0 0 0 wake:0 run:1000\nt_a 0 1 50 wait:0")
	if got, n := late.Tasks[1].Iterations, late.Tasks[0].Iterations; got < n-2 || got > n+1 {
		t.Errorf("%d posts taken of %d, those before the start included", got, n)
	}
}

// TestPipeReaders: a pipe may have several readers.
func TestPipeReaders(t *testing.T) {
	o := simulate(t, "4core", "@duration 200\nt_s 0 0 10 send:1 sleep:2000\nt_a 0 1 0 recv:1\nt_b 0 2 0 recv:1")
	if a, b := o.Tasks[1].Iterations, o.Tasks[2].Iterations; a+b < o.Tasks[0].Iterations-1 || a-b > 1 || b-a > 1 {
		t.Errorf("readers took %d and %d of %d", a, b, o.Tasks[0].Iterations)
	}
}

// TestBarrier: nobody passes before all are there, however fast.
func TestBarrier(t *testing.T) {
	o := simulate(t, "4core", `@duration 400
t_a 0 0 0 run:100 barrier:0,3
t_b 0 1 0 run:1000 barrier:0,3
t_c 0 2 0 run:5000 barrier:0,3`)
	for _, task := range o.Tasks {
		if d := task.Iterations - o.Tasks[0].Iterations; d < -1 || d > 1 || task.Iterations < 50 || task.Iterations > 80 {
			t.Errorf("%s passed %d times", task.Name, task.Iterations)
		}
	}
}

// TestFork: children run beside their parent.
func TestFork(t *testing.T) {
	o := simulate(t, "4core", "@duration 400\nt_f 0 - 0 fork:3,20000 sleep:40000")
	if n := o.Tasks[0].Iterations; n < 7 || n > 10 {
		t.Errorf("%d bursts in 400 ms", n)
	}
	if cpu := o.Tasks[0].CPU; cpu > 100*time.Millisecond {
		t.Errorf("the parent used %v: it did what its children should", cpu)
	}
}

func TestRunsDiffer(t *testing.T) {
	text := "@duration 200\nt_a 0 - 0 run:700 sleep:900\nt_b 0 - 0 run:800 sleep:500"
	g, err := NewGuest("4core")
	if err != nil {
		t.Fatal(err)
	}
	sc, err := Parse(strings.NewReader(text), "x", 4)
	if err != nil {
		t.Fatal(err)
	}
	var cpu [3]time.Duration
	for i, number := range []int{0, 0, 1} {
		o, err := Simulate(t.Context(), sc, g, schedsim.V510(4), number)
		if err != nil {
			t.Fatal(err)
		}
		cpu[i] = o.Tasks[0].CPU
	}
	if cpu[0] != cpu[1] || cpu[0] == cpu[2] {
		t.Errorf("CPU time %v; the first two are the same run, the third is not", cpu)
	}
}

func TestNotModelled(t *testing.T) {
	g, err := NewGuest("2cpu")
	if err != nil {
		t.Fatal(err)
	}
	for text, need := range map[string]string{
		"@group a 1\nt 0 - 0 run:1000 group:a":        "changes of group or session while running",
		"@autogroup on\nt 0 - 0 run:1000 session hog": "changes of group or session while running",
	} {
		sc, err := Parse(strings.NewReader(text), "x", 2)
		if err != nil {
			t.Fatal(err)
		}
		o, err := Simulate(t.Context(), sc, g, schedsim.V510(2), 0)
		var lack *NotModelled
		if o != nil || !errors.As(err, &lack) || !strings.Contains(err.Error(), need) {
			t.Errorf("%s: %v, %v, want an error with %q", text, o, err, need)
		}
	}
}
