package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/schedsim/study"
)

// runFlags are the flags of run, and of the command without a subcommand.
type runFlags struct {
	planFlags
	measured   measuredFlags
	out, shard string
	jobs       int
	again      bool // --check
}

func (f *runFlags) register(cmd *cobra.Command) {
	f.planFlags.register(cmd)
	f.measured.register(cmd)
	f.set.StringVarP(&f.out, "out", "o", "out", "directory to write into")
	f.set.IntVar(&f.jobs, "jobs", 0, "runs at a time (default one a CPU)")
	f.set.BoolVar(&f.again, "check", false, "look at the invariants of the simulator while it runs, and simulate what is stored again; two to three times slower")
	f.set.StringVar(&f.shard, "shard", "", "only fill the store, with part `I/N` of the runs: 2/4 is the second of four")
}

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [STUDY...]",
		Short: "Run studies, write their reports and print the ledger",
		Long: `Run studies (default: all), write their reports and print the ledger of
verdicts. Runs that the store has already are not simulated again.`,
		Example: `  mkreport run
  mkreport run gorman2020-idle-candidate --full -o /tmp/report
  mkreport run --full --shard 2/8 --store /net/store    # then: mkreport render --full
  mkreport run lawall2020-idle-prev --check             # do the stored results hold?`,
		ValidArgsFunction: completeStudies,
	}
	f.register(cmd)
	cmd.RunE = a.work(f.run(a))
	return cmd
}

// run returns the work of the run command with these flags.
func (f *runFlags) run(a *app) func(context.Context, []string) error {
	return func(ctx context.Context, ids []string) error {
		studies, err := subjects(ids, f.machine)
		if err != nil {
			return err
		}
		var part study.Shard
		if f.set.Changed("shard") {
			if part, err = study.ParseShard(f.shard); err != nil {
				return usageError{err}
			}
		}
		// Better now than after an hour of simulating.
		if err := f.measured.check(ids); err != nil {
			return err
		}
		if err := f.measured.load(studies); err != nil {
			return err
		}
		if f.jobs < 0 {
			return usageError{fmt.Errorf("--jobs %d: give at least 1, or 0 for one a CPU", f.jobs)}
		}
		if err := f.check(); err != nil {
			return err
		}
		if part.N == 0 {
			if err := checkWritable(f.out); err != nil {
				return err
			}
		}
		if _, err := study.Open(f.store); err != nil {
			return err
		}
		// One study that fails is no reason to leave the others out.
		var failed []error
		for _, s := range studies {
			err := a.sweep(ctx, s, f, part)
			if ctx.Err() != nil {
				return err
			}
			if err != nil {
				failed = append(failed, err)
			}
		}
		if len(failed) == len(studies) {
			return errors.Join(failed...)
		}
		if part.N > 0 {
			fmt.Fprintf(a.stdout, "part %d of %d is in %s; when all parts are, 'mkreport render --%s --store %s' writes the reports\n",
				part.I, part.N, f.store, f.modeToRun(), f.store)
			return errors.Join(failed...)
		}
		return errors.Join(append(failed, a.report(studies, f))...)
	}
}

// sweep fills the store with the runs of a study.
func (a *app) sweep(ctx context.Context, s subject, f *runFlags, part study.Shard) error {
	plan, err := f.plan(s.Study, f.modeToRun())
	if err != nil {
		return err
	}
	store, err := study.Open(f.store)
	if err != nil {
		return err
	}
	p := a.newProgress(s.ID, "runs")
	begin := time.Now()
	err = study.Run(ctx, s.Study, plan, study.Simulator{Machine: s.elsewhere, Check: f.again}, store, study.Options{
		Identity: s.identity,
		Again:    f.again,
		Jobs:     f.jobs,
		Shard:    part,
		Progress: func(r study.Progress) { p.step(r.Total, r.FromStore) },
	})
	p.end()
	for _, w := range store.Warnings() {
		a.note("mkreport: warning: %s", w)
	}
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%s: stopped; %s in %s, and the same command goes on from there", s.ID, p.kept(), f.store)
	case err != nil && p.done() > 0:
		return fmt.Errorf("%w (%s in %s)", err, p.kept(), f.store)
	case err != nil:
		return err
	}
	a.note("%s: %s in %s, %d of them new, in %v", s.ID, p.kept(), f.store, p.fresh, time.Since(begin).Round(time.Millisecond))
	if part.N > 0 {
		return nil
	}
	// No figure needs a picture: a report without is better than none.
	if err := a.record(ctx, s, &f.planFlags, store); err != nil && ctx.Err() == nil {
		a.note("mkreport: warning: %v", err)
	}
	return ctx.Err()
}

// report writes the reports of studies that were run and prints the ledger.
func (a *app) report(studies []subject, f *runFlags) error {
	// A store that is opened anew has no warnings of files that the sweep has
	// replaced since.
	store, err := study.OpenReadOnly(f.store)
	if err != nil {
		return err
	}
	var results []result
	for _, s := range studies {
		r, err := buildResult(s, store, &f.planFlags, f.modeToRun())
		if err != nil {
			return err
		}
		results = append(results, r)
	}
	if err := a.join(results, &f.measured); err != nil {
		return err
	}
	names, err := a.publish(f.out, results, allFormats, "")
	if err != nil {
		return err
	}
	index, err := writeIndex(f.out, store, &f.planFlags, results)
	if err != nil {
		return err
	}
	if err := study.WriteLedger(a.stdout, outcomes(results)); err != nil {
		return err
	}
	fmt.Fprintln(a.stdout, "\nto open:")
	for _, name := range append([]string{index}, names...) {
		if filepath.Ext(name) != ".svg" { // they are parts of the others
			fmt.Fprintf(a.stdout, "  %s\n", name)
		}
	}
	return nil
}
