package study

import (
	"context"
	"fmt"
	"strconv"
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
	cfg, err := configOf(m, job.Kernel, job.Workload, job.Row, job.Constants)
	if err != nil {
		return schedsim.Result{}, err
	}
	patch, err := schedsim.LookupPatch(job.Patch)
	if err != nil {
		return schedsim.Result{}, err
	}
	base := cfg.Kernel
	patched := base.With(patch)
	cfg.Shadow = &patched
	if job.Arm == ArmPatched {
		cfg.Kernel, cfg.Shadow = patched, &base
	}
	cfg.Seed, cfg.Age, cfg.Warmup, cfg.Measure = job.Seed, job.Age, job.Warmup, job.Measure
	return schedsim.Run(ctx, cfg)
}

// Config returns what a run of the study's base kernel simulates, with the
// constants' present values; the caller sets seed and times. It is the way into
// the simulator for a notebook.
func (s *Study) Config(row string) (schedsim.Config, error) {
	if s.Row(row) == nil {
		return schedsim.Config{}, fmt.Errorf("study: %s has no row %q", s.ID, row)
	}
	m, err := s.loadMachine()
	if err != nil {
		return schedsim.Config{}, err
	}
	return configOf(m, s.Kernel, s.Workload, row, s.constantValues())
}

// configOf turns a machine, names and constants into a configuration.
func configOf(m *topology.Machine, kernel, load, row string, constants map[string]float64) (schedsim.Config, error) {
	k, err := schedsim.LookupKernel(kernel, len(m.OnlineCPUs()))
	if err != nil {
		return schedsim.Config{}, err
	}
	costs := schedsim.DefaultCosts(m)
	w, err := tbenchOf(load, row, constants)
	if err != nil {
		return schedsim.Config{}, err
	}
	for name, v := range constants {
		if set := costSetters[name]; set != nil {
			set(&costs, v)
		} else if tbenchSetters[name] == nil {
			return schedsim.Config{}, fmt.Errorf("study: constant %q is not one of the model's", name)
		}
	}
	return schedsim.Config{
		Machine: m, Kernel: k, Workload: w, Costs: &costs,
		Warmup: time.Second, Measure: 100 * time.Millisecond,
	}, nil
}

func tbenchOf(load, row string, constants map[string]float64) (schedsim.Workload, error) {
	if load != "tbench" {
		return nil, fmt.Errorf("study: no workload %q, use tbench", load)
	}
	clients, err := strconv.Atoi(row)
	if err != nil {
		return nil, fmt.Errorf("study: row %q is not a number of clients", row)
	}
	p := workload.DefaultTbench(clients)
	for name, v := range constants {
		if set := tbenchSetters[name]; set != nil {
			set(&p, v)
		}
	}
	return workload.NewTbench(p)
}

// The constants that a study can set, by name in its file.
var tbenchSetters = map[string]func(*workload.TbenchParams, float64){
	"work_ns":         func(p *workload.TbenchParams, v float64) { p.WorkNS = v },
	"tail_ns":         func(p *workload.TbenchParams, v float64) { p.TailNS = v },
	"transfer_lines":  func(p *workload.TbenchParams, v float64) { p.TransferLines = v },
	"refill_lines":    func(p *workload.TbenchParams, v float64) { p.RefillLines = v },
	"smt_throughput":  func(p *workload.TbenchParams, v float64) { p.SMTThroughput = v },
	"copy_ns_per_kib": func(p *workload.TbenchParams, v float64) { p.CopyNSPerKiB = v },
}

var costSetters = map[string]func(*schedsim.Costs, float64){
	"ttwu_ns":         func(c *schedsim.Costs, v float64) { c.TTWU = int64(v) },
	"switch_ns":       func(c *schedsim.Costs, v float64) { c.Switch, c.SwitchIdle = int64(v), int64(v/2) },
	"probe_lines":     func(c *schedsim.Costs, v float64) { c.ProbeLines = v },
	"idle_exit_scale": func(c *schedsim.Costs, v float64) { c.IdleExitScale = v },
}
