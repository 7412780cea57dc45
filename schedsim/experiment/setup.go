package experiment

import (
	"fmt"
	"strings"
	"time"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/study"
	"github.com/schedlab/schedlab/topology"
)

// A Setup is what one run simulates.
type Setup struct {
	Machine string // of the catalogue, or the file of one: "csl-2s-80", "./my.yaml"
	Kernel  string // "v6.12"
	// Workload is its name and parameters, "tbench clients=64"; System what is set
	// of machine and kernel, "governor=schedutil autogroup=off".
	Workload string
	System   string
	// Age, Warmup and Measure are simulated in this order, and Measure counts; see
	// schedsim.Config.
	Age, Warmup, Measure time.Duration
}

// String names the setup: "v6.12 on csl-2s-80, tbench clients=64".
func (s Setup) String() string {
	text := s.Kernel + " on " + s.Machine + ", " + s.Workload
	if s.System != "" {
		text += ", " + s.System
	}
	return text
}

// On is the setup on other machines.
func (s Setup) On(machines ...string) []Setup {
	return s.each(machines, func(s *Setup, m string) { s.Machine = m })
}

// Running is the setup with other workloads.
func (s Setup) Running(workloads ...string) []Setup {
	return s.each(workloads, func(s *Setup, w string) { s.Workload = w })
}

func (s Setup) each(values []string, set func(*Setup, string)) []Setup {
	out := make([]Setup, len(values))
	for i, v := range values {
		out[i] = s
		set(&out[i], v)
	}
	return out
}

// Config is the setup for the simulator, with the kernel as it is released. Errors
// name what is not known, and what is.
func (s Setup) Config() (schedsim.Config, error) {
	cfg, _, err := s.config()
	return cfg, err
}

// config is Config with the key of its runs, of which the caller sets patches, arm
// and seed.
func (s Setup) config() (schedsim.Config, study.Key, error) {
	fail := func(err error) (schedsim.Config, study.Key, error) {
		return schedsim.Config{}, study.Key{}, fmt.Errorf("experiment: %s: %w", s, err)
	}
	m, err := topology.Open(s.Machine)
	if err != nil {
		return fail(err)
	}
	name, given, _ := strings.Cut(strings.TrimSpace(s.Workload), " ")
	params, err := words(given)
	if err != nil {
		return fail(fmt.Errorf("workload: %w", err))
	}
	system, err := words(s.System)
	if err != nil {
		return fail(fmt.Errorf("system: %w", err))
	}
	setup := study.Setup{Kernel: s.Kernel, Workload: name, Params: params, System: system}
	cfg, err := setup.Config(m)
	if err != nil {
		return fail(err)
	}
	if s.Age < 0 || s.Warmup < 0 || s.Measure <= 0 {
		return fail(fmt.Errorf("age %v, warmup %v, measure %v: want times, and some to measure", s.Age, s.Warmup, s.Measure))
	}
	cfg.Age, cfg.Warmup, cfg.Measure = s.Age, s.Warmup, s.Measure
	return cfg, study.Key{
		ModelVersion: schedsim.ModelVersion,
		Study:        "experiment",
		Machine:      m.ID, MachineHash: m.Hash(),
		Kernel: s.Kernel, Workload: name, Params: params, System: system,
		Age: s.Age, Warmup: s.Warmup, Measure: s.Measure,
	}, nil
}

// words reads "name=value name=value".
func words(text string) (map[string]string, error) {
	out := make(map[string]string)
	for _, w := range strings.Fields(text) {
		name, value, ok := strings.Cut(w, "=")
		if !ok || name == "" || value == "" {
			return nil, fmt.Errorf("%q: write it as name=value", w)
		}
		if _, twice := out[name]; twice {
			return nil, fmt.Errorf("%s is given twice", name)
		}
		out[name] = value
	}
	return out, nil
}

// differing is what tells setups apart, a text for each: their machines, or
// workloads, or all that they are.
func differing(setups []Setup) []string {
	distinct := func(of func(Setup) string) ([]string, bool) {
		var out []string
		for _, s := range setups {
			out = append(out, of(s))
		}
		seen := make(map[string]bool)
		for _, v := range out {
			seen[v] = true
		}
		return out, len(seen) == len(out)
	}
	for _, of := range []func(Setup) string{
		func(s Setup) string { return s.Machine },
		func(s Setup) string { return s.Workload },
		func(s Setup) string { return s.Kernel },
		Setup.String,
	} {
		if out, ok := distinct(of); ok {
			return out
		}
	}
	out, _ := distinct(Setup.String)
	return out
}
