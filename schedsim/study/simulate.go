package study

import (
	"context"
	"fmt"
	"time"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/workload"
	"github.com/schedlab/schedlab/topology"
)

// Simulator runs jobs on the simulator. It is a Runner.
type Simulator struct {
	// Machine is what every job is run on; nil for the machine of the
	// catalogue that the job names.
	Machine *topology.Machine
	// Check looks at the invariants of the simulator while it runs: see schedsim.Violation.
	Check bool
}

// Run implements Runner. Every arm also asks the other kernel, without acting
// on its answers, so that the run counts where the patch decides differently.
func (s Simulator) Run(ctx context.Context, job Job) (schedsim.Result, error) {
	m := s.Machine
	if m == nil {
		var err error
		if m, err = topology.Load(job.Machine); err != nil {
			return schedsim.Result{}, err
		}
	}
	cfg, err := configOf(m, Setup{
		Kernel: job.Kernel, KernelPatches: job.KernelPatches,
		Workload: job.Workload, Params: job.Params, System: job.System,
	}, job.Constants)
	if err != nil {
		return schedsim.Result{}, err
	}
	plain := cfg.Kernel
	patched, err := withPatches(plain, job.Patches)
	if err != nil {
		return schedsim.Result{}, err
	}
	if plain, err = withPatches(plain, job.Ablated); err != nil {
		return schedsim.Result{}, err
	}
	if patched, err = withPatches(patched, job.Ablated); err != nil {
		return schedsim.Result{}, err
	}
	// The patched arm has the patches, unless the base arm is the one with them.
	cfg.Kernel, cfg.Shadow = plain, &patched
	if (job.Arm == ArmPatched) != job.Reverse {
		cfg.Kernel, cfg.Shadow = patched, &plain
	}
	cfg.Seed, cfg.Age, cfg.Warmup, cfg.Measure = job.Seed, job.Age, job.Warmup, job.Measure
	cfg.Slices, cfg.Check = measureSlices, s.Check
	return schedsim.Run(ctx, cfg)
}

// withPatches applies patches by name.
func withPatches(k schedsim.Kernel, names []string) (schedsim.Kernel, error) {
	for _, name := range names {
		p, err := schedsim.LookupPatch(name)
		if err != nil {
			return k, err
		}
		k = k.With(p)
	}
	return k, nil
}

// Config returns what a run of a row's base column simulates, with the constants'
// present values; the caller sets seed and times. The row is named as by RowName.
// It is the way into the simulator for a notebook.
func (s *Study) Config(row string) (schedsim.Config, error) {
	t, r := s.FindRow(row)
	if r == nil {
		return schedsim.Config{}, fmt.Errorf("study: %s has no row %q; %s", s.ID, row, suggest(row, s.rowNames()))
	}
	m, err := s.loadMachine(t)
	if err != nil {
		return schedsim.Config{}, err
	}
	cfg, err := configOf(m, t.setupOf(r), constantsFor(s.Constants, valuesOf(s.Constants), t.ID, t.Workload))
	if err == nil && t.Reversed() {
		cfg.Kernel, err = withPatches(cfg.Kernel, t.PatchNames())
	}
	return cfg, err
}

// configOf turns a machine, names and constants into a configuration, without the
// patches of an arm.
func configOf(m *topology.Machine, setup Setup, constants map[string]float64) (schedsim.Config, error) {
	k, err := schedsim.LookupKernel(setup.Kernel, len(m.OnlineCPUs()))
	if err != nil {
		return schedsim.Config{}, err
	}
	spec, err := workload.Lookup(setup.Workload)
	if err != nil {
		return schedsim.Config{}, err
	}
	costs := schedsim.DefaultCosts(m)
	params := merged(setup.Params, nil)
	if params == nil {
		params = make(map[string]string)
	}
	for name, v := range constants {
		switch {
		case spec.Param(name) != nil:
			params[name] = formatFloat(v)
		case costSetters[name] != nil:
			costSetters[name](&costs, v)
		default:
			return schedsim.Config{}, fmt.Errorf("study: constant %q is not one of the model's", name)
		}
	}
	values, err := spec.Values(params)
	if err != nil {
		return schedsim.Config{}, err
	}
	w, err := spec.New(values)
	if err != nil {
		return schedsim.Config{}, err
	}
	cfg := schedsim.Config{
		Machine: m, Kernel: k, Workload: w, Costs: &costs,
		Warmup: time.Second, Measure: 100 * time.Millisecond,
	}
	if err := applySystem(&cfg, setup.System); err != nil {
		return schedsim.Config{}, err
	}
	if cfg.Kernel, err = withPatches(cfg.Kernel, setup.KernelPatches); err != nil {
		return schedsim.Config{}, err
	}
	return cfg, nil
}
