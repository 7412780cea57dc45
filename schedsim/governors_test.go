package schedsim

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/schedlab/schedlab/topology"
)

// steady is a task that works for a part of each millisecond at 3600 MHz. It
// sleeps for the rest, so that a lower clock makes a period longer.
func steady(part float64, cpu int) scripted {
	work := time.Duration(part * float64(time.Millisecond))
	return scripted{ops: []Op{run(work), sleep(time.Millisecond - work)}, cpus: pinned(cpu), cpu: cpu}
}

// TestSteadyState: the clock of a steady load follows from how much of the time
// it keeps the CPU busy, which is measured by the scheduler's accounting, and
// each governor's formula.
func TestSteadyState(t *testing.T) {
	const lo, hi, ms = 800.0, 3600.0, time.Millisecond
	for name, g := range map[string]struct {
		f CPUFreq
		// clock is the formula, for a busy share at a mean clock in MHz.
		clock func(busy, mhz float64) float64
		slack float64
	}{
		"active":   {active, func(busy, _ float64) float64 { return 1.25 * hi * busy }, 150},
		"ondemand": {ondemand, func(busy, _ float64) float64 { return lo + busy*(hi-lo) }, 150},
		"hwp":      {activeHWP, func(busy, mhz float64) float64 { return busy * mhz / hwpTarget }, 250},
		// The utilisation that schedutil reads is that of the moment, and the
		// highest since the last sleep: above the mean.
		"schedutil": {schedutil, func(busy, mhz float64) float64 { return 1.25 * busy * mhz }, 250},
	} {
		for _, part := range []float64{.1, .3, .5, .7, .9} {
			t.Run(fmt.Sprint(name, part), func(t *testing.T) {
				w := &script{tasks: []scripted{steady(part, 0)}}
				s := newFreqSched(t, scalingMachine(1, 2, 1), w, g.f)
				simulate(t, s, 500*ms)
				busy0, _, _ := s.frequencyTotals()
				clock, n := 0.0, 0
				for range 500 {
					simulate(t, s, ms)
					clock += float64(s.clockMHz(0))
					n++
				}
				clock /= float64(n)
				busy1, _, _ := s.frequencyTotals()
				busy := float64(busy1-busy0) / 500e6
				want := min(max(g.clock(busy, clock), lo), hi)
				t.Logf("busy %.3f: %.0f MHz, want %.0f", busy, clock, want)
				if math.Abs(clock-want) > g.slack {
					t.Errorf("busy %.3f: %.0f MHz, want %.0f", busy, clock, want)
				}
			})
		}
	}
}

// TestClockDomain: beside a hog, a CPU with little to do runs at the hog's clock
// if they share it, and at the lowest if it has its own. A socket with nothing
// to do is not concerned.
func TestClockDomain(t *testing.T) {
	for name, f := range map[string]CPUFreq{"active": active, "schedutil": schedutil, "ondemand": ondemand, "hwp": activeHWP} {
		for _, perCore := range []bool{true, false} {
			m := scalingMachine(2, 2, 1)
			m.Frequency.Control.PerCore = perCore
			little := func(cpu int) scripted {
				return scripted{ops: []Op{run(10 * time.Microsecond), sleep(10 * time.Millisecond)}, cpus: pinned(cpu), cpu: cpu}
			}
			w := &script{tasks: []scripted{{ops: []Op{hog()}, cpus: pinned(0)}, little(1), little(2)}}
			s := newFreqSched(t, m, w, f)
			simulate(t, s, 400*time.Millisecond)
			want := []int64{3600, 800, 800}
			if !perCore {
				want[1] = 3600
			}
			for ci, mhz := range want {
				if got := s.clockMHz(int32(ci)); got != mhz {
					t.Errorf("%s, a clock a core %v: CPU %d at %d MHz, want %d", name, perCore, ci, got, mhz)
				}
			}
		}
	}
}

// TestSiblingsShareAClock: a core runs at what the busier of its threads asks
// for.
func TestSiblingsShareAClock(t *testing.T) {
	w := &script{tasks: []scripted{{ops: []Op{hog()}, cpus: pinned(0)}, steady(.01, 1)}}
	for _, f := range []CPUFreq{active, schedutil, ondemand, activeHWP} {
		s := newFreqSched(t, scalingMachine(1, 1, 2), w, f)
		for range 4 {
			simulate(t, s, 100*time.Millisecond)
		}
		if got := s.clockMHz(1); got != 3600 {
			t.Errorf("%+v: %d MHz", f, got)
		}
	}
}

// TestTurboCapsRequests: who asks for the highest clock gets the bin of the
// cores that are active.
func TestTurboCapsRequests(t *testing.T) {
	for _, f := range []CPUFreq{performance, active, schedutil, ondemand, activeHWP} {
		for busy, want := range map[int]int64{1: 3600, 2: 3600, 3: 2500, 4: 2500} {
			m := scalingMachine(1, 4, 1)
			m.Frequency.Turbo = []topology.TurboBin{{ActiveCores: 2, MHz: 3600}, {ActiveCores: 4, MHz: 2500}}
			w := &script{}
			for i := range busy {
				w.tasks = append(w.tasks, scripted{ops: []Op{hog()}, cpus: pinned(i), cpu: i})
			}
			s := newFreqSched(t, m, w, f)
			// Not at a tick, at which an idle CPU wakes to balance for others.
			simulate(t, s, 302500*time.Microsecond)
			if got := s.clockMHz(0); got != want {
				t.Errorf("%+v, %d cores busy: %d MHz, want %d", f, busy, got, want)
			}
		}
	}
}

// TestTransition: a request takes as long as the machine says, and what is asked
// for on the way goes with it.
func TestTransition(t *testing.T) {
	for _, ns := range []int64{2, 20_000, 3_000_000} {
		m := scalingMachine(1, 1, 1)
		m.Frequency.Control.Transition.Value = float64(ns)
		s := newFreqSched(t, m, &script{tasks: hogs(1)}, CPUFreq{Governor: "powersave", Driver: "intel_cpufreq"})
		simulate(t, s, 10*time.Millisecond)
		asked := s.now
		s.request(0, limits{2000, 2000})
		simulate(t, s, time.Duration(ns/2))
		s.request(0, limits{3000, 3000})
		for s.clockMHz(0) == 800 {
			s.step()
		}
		if took := s.now - asked; took != ns {
			t.Errorf("transition of %d ns took %d", ns, took)
		}
		if got := s.clockMHz(0); got != 3000 {
			t.Errorf("%d MHz, want the last request", got)
		}
		simulate(t, s, 10*time.Millisecond)
		if got := s.clockMHz(0); got != 3000 {
			t.Errorf("%d MHz later", got)
		}
	}
}

// TestHWPWithGovernor: in passive mode HWP goes above what schedutil asks for,
// never below; the strict governors get what they ask for.
func TestHWPWithGovernor(t *testing.T) {
	for name, tc := range map[string]struct {
		governor string
		lo, hi   int64
	}{
		"schedutil":   {"schedutil", 800, 3600},
		"ondemand":    {"ondemand", 800, 3600},
		"powersave":   {"powersave", 800, 800},
		"performance": {"performance", 3600, 3600},
	} {
		f := CPUFreq{Governor: tc.governor, Driver: "intel_cpufreq", HWP: "on"}
		s := newFreqSched(t, scalingMachine(1, 1, 1), &script{tasks: []scripted{steady(.2, 0)}}, f)
		simulate(t, s, 300*time.Millisecond)
		for range 100 {
			simulate(t, s, time.Millisecond)
			r := s.freq.cpu[0].now
			if r.lo < tc.lo || r.hi != tc.hi {
				t.Fatalf("%s: limits %+v, want %d to %d", name, r, tc.lo, tc.hi)
			}
			if got := s.clockMHz(0); got < r.lo || got > r.hi {
				t.Fatalf("%s: %d MHz outside of %+v", name, got, r)
			}
		}
	}
}

// TestNoDecreaseWhileBusy: schedutil keeps the frequency of a CPU that was not
// idle since its last look, and lowers that of one that was.
func TestNoDecreaseWhileBusy(t *testing.T) {
	s := newFreqSched(t, scalingMachine(1, 1, 1), &script{tasks: hogs(1)}, schedutil)
	simulate(t, s, 400*time.Millisecond)
	p := &s.freq.policies[0]
	look := func() int64 {
		s.now += s.freq.delay
		s.cfs[0].avg.util, s.cfs[0].avg.estEnqueued = 200, 0
		sugovUpdate(s, 0)
		return p.cur
	}
	if got := look(); got != 3_600_000 {
		t.Errorf("busy: %d kHz", got)
	}
	s.freq.cpu[0].idleCalls++
	// 1.25 * 3.6 GHz * 200/1024 = 878906 kHz, up to the next P-state.
	if got := look(); got != 900_000 {
		t.Errorf("idle since: %d kHz, want 900000", got)
	}
	if got := look(); got != 900_000 {
		t.Errorf("again: %d kHz, want 900000", got)
	}
}

// TestRateLimit: schedutil changes a frequency at most once in its rate limit.
func TestRateLimit(t *testing.T) {
	s := newFreqSched(t, scalingMachine(1, 1, 1), &script{tasks: hogs(1)}, schedutil)
	simulate(t, s, time.Millisecond)
	p := &s.freq.policies[0]
	p.lastUpdate = s.now
	from := p.cur
	s.freq.cpu[0].idleCalls++
	s.cfs[0].avg.util = 700
	s.now += s.freq.delay - 1
	sugovUpdate(s, 0)
	if p.cur != from {
		t.Error("changed 1 ns before the limit is over")
	}
	s.now++
	sugovUpdate(s, 0)
	if p.cur == from {
		t.Error("not changed at the limit")
	}
}
