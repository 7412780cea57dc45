package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/schedlab/schedlab/schedsim/study"
)

// storeVariable names the environment variable for the default of --store.
const storeVariable = "MKREPORT_STORE"

// planFlags choose which runs of a study are meant, and where they are kept.
type planFlags struct {
	set         *pflag.FlagSet
	quick, full bool
	seed        uint64
	n           int
	store       string
	machine     string
	// For tests, which have no minutes; the times apply to all rows.
	sets                 int
	age, warmup, measure time.Duration
}

func (f *planFlags) register(cmd *cobra.Command) {
	f.set = cmd.Flags()
	f.set.BoolVar(&f.quick, "quick", false, "the quick plan of a study")
	f.set.BoolVar(&f.full, "full", false, "the full plan of a study")
	f.set.Uint64Var(&f.seed, "seed", 1, "seed that the seeds of all runs follow from")
	f.set.IntVarP(&f.n, "n", "n", 0, "runs of each row, arm and constant set (default that of the plan)")
	f.set.StringVar(&f.machine, "machine", "", "the machine `NAME|FILE`, of the catalogue or of a YAML file, instead of the post's")
	f.set.StringVar(&f.store, "store", defaultStore(), "directory of finished runs; $"+storeVariable+" sets the default")
	f.set.DurationVar(&f.warmup, "warmup", 0, "simulated time before measuring, for all rows")
	f.set.DurationVar(&f.measure, "measure", 0, "simulated time to measure, for all rows")
	f.set.IntVar(&f.sets, "sets", 0, "constant sets of the ensemble, 0 for the study's own constants")
	f.set.DurationVar(&f.age, "age", 0, "simulated time to age before the warm-up, for all rows")
	_ = f.set.MarkHidden("sets")
	_ = f.set.MarkHidden("age")
	_ = f.set.MarkHidden("warmup")
	_ = f.set.MarkHidden("measure")
}

func defaultStore() string {
	if dir := os.Getenv(storeVariable); dir != "" {
		return dir
	}
	return filepath.Join("out", "store")
}

// check refuses values that no plan can have.
func (f *planFlags) check() error {
	switch {
	case f.quick && f.full:
		return usageError{errors.New("--quick and --full exclude each other; give one")}
	case f.set.Changed("n") && f.n < 1:
		return usageError{fmt.Errorf("-n %d: give at least 1 run", f.n)}
	case f.sets < 0:
		return usageError{fmt.Errorf("--sets %d: give at least 0", f.sets)}
	case f.age < 0:
		return usageError{fmt.Errorf("--age %v: give a time of at least 0", f.age)}
	case f.warmup < 0:
		return usageError{fmt.Errorf("--warmup %v: give a time of at least 0", f.warmup)}
	case f.set.Changed("measure") && f.measure <= 0:
		return usageError{fmt.Errorf("--measure %v: give a time", f.measure)}
	}
	return nil
}

// plan is the study's plan of a mode with the flags applied.
func (f *planFlags) plan(s *study.Study, mode string) (study.Plan, error) {
	p, err := s.Plan(mode)
	if err != nil {
		return p, err
	}
	p.Seed = f.seed
	if f.set.Changed("n") {
		p.N, p.MaxN = f.n, f.n
		p.Histories = min(p.Histories, f.n)
	}
	if f.set.Changed("sets") {
		p.Sets = f.sets
	}
	if f.set.Changed("age") {
		p.Age = map[string]time.Duration{"": f.age}
		p.Histories = 0 // all rows have one past
	}
	if f.set.Changed("warmup") {
		p.Warmup = map[string]time.Duration{"": f.warmup}
	}
	if f.set.Changed("measure") {
		p.Measure = map[string]time.Duration{"": f.measure}
	}
	return p, nil
}

// command is the command line that runs the study by the plan of a mode with
// the flags applied.
func (f *planFlags) command(id, mode string) string {
	c := []string{"mkreport", "run", id, "--" + mode, fmt.Sprintf("--seed %d", f.seed)}
	if f.machine != "" {
		c = append(c, "--machine "+f.machine)
	}
	if f.set.Changed("n") {
		c = append(c, fmt.Sprintf("-n %d", f.n))
	}
	if f.set.Changed("sets") {
		c = append(c, fmt.Sprintf("--sets %d", f.sets))
	}
	if f.set.Changed("age") {
		c = append(c, fmt.Sprintf("--age %v", f.age))
	}
	if f.set.Changed("warmup") {
		c = append(c, fmt.Sprintf("--warmup %v", f.warmup))
	}
	if f.set.Changed("measure") {
		c = append(c, fmt.Sprintf("--measure %v", f.measure))
	}
	return strings.Join(c, " ")
}

// commandHere is command for this machine: with the store that was named.
func (f *planFlags) commandHere(id, mode string) string {
	c := f.command(id, mode)
	if f.set.Changed("store") {
		c += " --store " + f.store
	}
	return c
}

// modeToRun is what run does without --full.
func (f *planFlags) modeToRun() string {
	if f.full {
		return study.ModeFull
	}
	return study.ModeQuick
}
