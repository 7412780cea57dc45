package schedsim

import (
	"errors"
	"flag"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

var (
	stateEvents = flag.Float64("events", 2e6, "events of the random states test, in all")
	stateSeed   = flag.Uint64("states", 1, "seed that its machines and workloads follow from")
	oneState    = flag.String("state", "", "run this state only, as a failure prints it: SEED:TASKS:OFF")
)

// stateLength is how many events a state runs for.
const stateLength = 100_000

// A state is a machine, a kernel and a workload, all drawn from a seed. tasks, if it is not
// 0, and off make the workload smaller: see states.
type state struct {
	seed  uint64
	tasks int
	off   uint64
}

func (c state) String() string { return fmt.Sprintf("%#x:%d:%#x", c.seed, c.tasks, c.off) }

func parseState(text string) (c state, err error) {
	_, err = fmt.Sscanf(text, "%v:%v:%v", &c.seed, &c.tasks, &c.off)
	return c, err
}

// build draws the state. A configuration that the simulator refuses, as some governors on
// some machines, is drawn again.
func (c state) build() (*Sched, error) {
	var err error
	for try := range uint64(50) {
		r := Rand(c.seed + try<<32)
		cfg := randomConfig(&r)
		w := newStates(&r, &cfg)
		if c.tasks > 0 {
			w.n = min(w.n, c.tasks)
		}
		cfg.Workload = w.without(c.off)
		var s *Sched
		if s, err = newSched(&cfg); err != nil {
			continue
		}
		w.Start(s)
		return s, s.startErr
	}
	return nil, fmt.Errorf("50 configurations are refused, the last one: %w", err)
}

// run simulates a state for so many events, and returns the first violation. With every, all
// of the machine is looked at after each event from that one on.
func (c state) run(events, every int64) (s *Sched, err error) {
	if s, err = c.build(); err != nil {
		return s, err
	}
	defer func() {
		if p := recover(); p != nil {
			stack := make([]byte, 1<<12)
			err = fmt.Errorf("panic at event %d: %v\n%s", s.checks.events, p, stack[:runtime.Stack(stack, false)])
		}
	}()
	for s.checks.events < events && s.startErr == nil {
		slot, _ := s.q.next()
		s.step()
		if every >= 0 && s.checks.events+1 >= every {
			s.checks.next = 0
		}
		if err := s.checks.after(slot); err != nil {
			return s, err
		}
	}
	if d := (*Deadlock)(nil); s.startErr != nil && !errors.As(s.startErr, &d) {
		return s, s.startErr
	}
	return s, s.checks.whole()
}

// shrink looks for a smaller state that fails too, and for the event that breaks it.
func (c state) shrink(events int64) (state, error) {
	small := c
	for range 3 {
		was := small
		for i := range opKinds {
			try := small
			if try.off |= 1 << i; try != small {
				if _, err := try.run(events, -1); err != nil {
					small = try
				}
			}
		}
		for n := 1; n < 64; n *= 2 {
			try := small
			if try.tasks = n; small.tasks == 0 || n < small.tasks {
				if _, err := try.run(events, -1); err != nil {
					small = try
					break
				}
			}
		}
		if small == was {
			break
		}
	}
	_, err := small.run(events, -1)
	if v := (*Violation)(nil); errors.As(err, &v) {
		if _, exact := small.run(events, v.Event-2*wholeEvery); exact != nil {
			err = exact
		}
	}
	return small, err
}

// report fails the test for a state.
func (c state) report(t *testing.T, err error) {
	t.Helper()
	small, smallErr := c.shrink(stateLength)
	s, _ := small.build()
	var what []string
	for i, k := range opKinds {
		if w := s.w.(*states); w.weight[i] > 0 {
			what = append(what, k.name)
		}
	}
	t.Errorf("%v\nstate %v: %v\nsmaller: go test ./schedsim -run RandomStates -state %v\n%v on %s, %d CPUs, %d tasks, %s\n%v",
		"an invariant does not hold", c, err, small, s.k, s.m.ID, len(s.online), s.w.(*states).n, strings.Join(what, " "), smallErr)
}

// TestRandomStates runs random workloads under random kernels on random machines up to 256
// CPUs, and checks the invariants after each event. More of them:
//
//	go test ./schedsim -run RandomStates -events 1e9 -timeout 0
func TestRandomStates(t *testing.T) {
	if *oneState != "" {
		c, err := parseState(*oneState)
		if err != nil {
			t.Fatalf("-state %s: %v, want SEED:TASKS:OFF", *oneState, err)
		}
		if s, err := c.run(stateLength, -1); err != nil {
			c.report(t, err)
		} else {
			t.Logf("%v: %v on %s, %d CPUs: no violation in %d events", c, s.k, s.m.ID, len(s.online), s.checks.events)
		}
		return
	}
	total := int64(*stateEvents)
	if testing.Short() {
		total = min(total, 300_000)
	}
	var next, done, failed atomic.Int64
	seeds := Rand(*stateSeed)
	first := seeds.Uint64()
	t.Run("states", func(t *testing.T) {
		for worker := range runtime.GOMAXPROCS(0) {
			t.Run(fmt.Sprint(worker), func(t *testing.T) {
				t.Parallel()
				for failed.Load() < 3 {
					i := next.Add(1) - 1
					if done.Load() >= total {
						return
					}
					c := state{seed: first + uint64(i)*0x9e3779b97f4a7c15}
					s, err := c.run(stateLength, -1)
					if err != nil {
						failed.Add(1)
						c.report(t, err)
						continue
					}
					done.Add(s.checks.events)
				}
			})
		}
	})
	t.Logf("%d states, %d events", next.Load(), done.Load())
}
