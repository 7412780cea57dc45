package scenario

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/schedlab/schedlab/schedsim"
)

// Verdict is what came of a comparison.
type Verdict string

const (
	Pass    Verdict = "pass"
	Miss    Verdict = "miss"
	Pending Verdict = "pending" // the model lacks a mechanism that the scenario needs
)

// Line is one comparison.
type Line struct {
	Kernel, Machine, Scenario string
	Quantity                  string // "*" if the whole scenario is pending
	Lo, Hi                    float64
	Boots                     int
	Model                     float64 // mean of the runs
	Verdict                   Verdict
	// Needs is what a pending scenario lacks.
	Needs []string
}

// Key identifies what a line is about.
func (l *Line) Key() string {
	return strings.Join([]string{l.Kernel, l.Machine, l.Scenario, l.Quantity}, " ")
}

// runs is how often the model runs a scenario.
const runs = 9

// kernels are the models of the kernels of the recordings. Four are those of two
// comparisons of one line, built from Debian's source; the last had a feature turned off.
// Which is compared with which is in changes.
var kernels = []struct {
	name  string
	model func(cpus int) schedsim.Kernel
	lacks string
}{
	{"5.10", schedsim.V510Stable, ""},
	{"6.1", schedsim.V61Stable, ""},
	{"6.12", schedsim.V612Stable, ""},
	{"6.1-base", schedsim.V61Stable, ""},
	// Without the idle previous CPU in wake_affine_idle, which 5.11 has brought.
	{"6.1-no-idle-prev", func(cpus int) schedsim.Kernel {
		k := schedsim.V61Stable(cpus)
		k.WakeAffineIdle = schedsim.V510(cpus).WakeAffineIdle
		return k
	}, ""},
	{"6.12-base", schedsim.V612Stable, ""},
	{"6.12-rq-nr-running", func(cpus int) schedsim.Kernel {
		k := schedsim.V612Stable(cpus)
		k.UpdateCurrAlone = schedsim.V612rc1(cpus).UpdateCurrAlone
		return k
	}, ""},
	{"6.12-no-run-to-parity", without(schedsim.V612Stable, func(f *schedsim.Features) { f.RunToParity = false }), ""},
	{"6.12-no-delay-dequeue", without(schedsim.V612Stable, func(f *schedsim.Features) { f.DelayDequeue = false }), ""},
	{"5.10-no-gentle-fair-sleepers", without(schedsim.V510Stable, func(f *schedsim.Features) { f.GentleFairSleepers = false }), ""},
	{"5.10-no-wakeup-preemption", without(schedsim.V510Stable, func(f *schedsim.Features) { f.WakeupPreemption = false }), ""},
	{"6.1-no-gentle-fair-sleepers", without(schedsim.V61Stable, func(f *schedsim.Features) { f.GentleFairSleepers = false }), ""},
	{"6.1-no-wakeup-preemption", without(schedsim.V61Stable, func(f *schedsim.Features) { f.WakeupPreemption = false }), ""},
}

// without is a model with a feature turned off.
func without(model func(cpus int) schedsim.Kernel, off func(*schedsim.Features)) func(cpus int) schedsim.Kernel {
	return func(cpus int) schedsim.Kernel {
		k := model(cpus)
		off(&k.Features)
		return k
	}
}

// Kernels lists the names of the kernels of the recordings.
func Kernels() []string {
	var names []string
	for _, k := range kernels {
		names = append(names, k.name)
	}
	return names
}

// A suite is one scenario on one machine and kernel.
type suite struct {
	kernel   int
	guest    *Guest
	scenario *Scenario
	boots    []Outcome
	sittings []*sitting // of the boots
}

// Conformance runs all scenarios that a directory has recordings of, and compares.
// The order of the lines is that of kernels, machines and recordings.
func Conformance(ctx context.Context, dir string) ([]Line, error) {
	suites, err := load(dir)
	if err != nil {
		return nil, err
	}
	lines := make([][]Line, len(suites))
	errs := make([]error, len(suites))
	var wg sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range suites {
		wg.Add(1)
		free <- struct{}{}
		go func() {
			defer func() { <-free; wg.Done() }()
			lines[i], errs[i] = suites[i].compare(ctx)
		}()
	}
	wg.Wait()
	var all []Line
	for i := range lines {
		all = append(all, lines[i]...)
	}
	return all, errors.Join(errs...)
}

// load reads recordings and scenarios.
func load(dir string) ([]suite, error) {
	newidle, err := readNewidle(dir)
	if err != nil {
		return nil, err
	}
	var all []suite
	for k := range kernels {
		for _, shape := range Shapes() {
			guest, err := NewGuest(shape)
			if err != nil {
				return nil, err
			}
			boots, err := ReadRecordings(dir, shape)
			if err != nil {
				return nil, err
			}
			at := map[string]int{}
			for _, b := range boots {
				if b.Kernel != kernels[k].name || forCosts(b.Scenario) {
					continue
				}
				i, ok := at[b.Scenario]
				if !ok {
					sc, err := Load(filepath.Join(dir, "scenarios", b.Scenario), len(guest.Machine.CPUs))
					if err != nil {
						return nil, err
					}
					i = len(all)
					at[b.Scenario] = i
					g := *guest
					g.newidle = newidle.of(shape, sc.Name)
					all = append(all, suite{kernel: k, guest: &g, scenario: sc})
				}
				all[i].boots = append(all[i].boots, b.Outcome)
				all[i].sittings = append(all[i].sittings, sittingOf(b.Scenario, b.Number))
			}
		}
	}
	return all, nil
}

// compare runs a suite.
func (u *suite) compare(ctx context.Context) ([]Line, error) {
	k := kernels[u.kernel]
	line := Line{Kernel: k.name, Machine: u.guest.Name, Scenario: u.scenario.Name, Boots: len(u.boots)}
	lack := needs(u.scenario)
	if k.lacks != "" {
		lack = append(lack, k.lacks)
	}
	if lack != nil {
		line.Quantity, line.Verdict, line.Needs = "*", Pending, lack
		return []Line{line}, nil
	}
	var outcomes []Outcome
	for n := range runs {
		guest := u.guest.in(u.sittings[n%len(u.sittings)])
		o, err := Simulate(ctx, u.scenario, guest, k.model(len(u.guest.Machine.CPUs)), n)
		if err != nil {
			return nil, fmt.Errorf("%s on %s, kernel %s: %w", u.scenario.Name, u.guest.Name, k.name, err)
		}
		outcomes = append(outcomes, *o)
	}
	see := whatBootsShow(u.boots, len(u.guest.Machine.CPUs))
	real, model := quantities(u.scenario, u.boots, see), quantities(u.scenario, outcomes, see)
	var lines []Line
	for i, q := range real {
		l := line
		l.Quantity = q.Name
		l.Lo, l.Hi = minMax(q.Values)
		l.Model = mean(model[i].Values)
		l.Verdict = Miss
		if tolerances[q.kind()].within(l.Model, q.Values) {
			l.Verdict = Pass
		}
		lines = append(lines, l)
	}
	return lines, nil
}
