package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/reports"
	"github.com/schedlab/schedlab/schedsim/study"
)

// The forms of a report.
const (
	formatMarkdown = string(reports.Markdown)
	formatHTML     = string(reports.HTML)
	formatPost     = string(reports.Post)
)

var allFormats = []string{formatMarkdown, formatHTML, formatPost}

// renderFlags say how reports are written.
type renderFlags struct {
	out      string
	formats  []string
	dialect  string
	shards   int
	measured measuredFlags
}

func (r *renderFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&r.out, "out", "o", "out", "directory to write into")
	cmd.Flags().StringSliceVar(&r.formats, "format", allFormats, "forms to write: md, html, post")
	cmd.Flags().IntVar(&r.shards, "shards", 0, "write only if all `N` parts of run --shard I/N are in the store; name those that are not")
	registerDialect(cmd, &r.dialect)
	r.measured.register(cmd)
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(allFormats, cobra.ShellCompDirectiveNoFileComp))
}

// check refuses flags that mean nothing.
func (r *renderFlags) check(cmd *cobra.Command) error {
	for _, name := range r.formats {
		if !slices.Contains(allFormats, name) {
			return usageError{fmt.Errorf("no format %q; use some of %s", name, strings.Join(allFormats, ", "))}
		}
	}
	if cmd.Flags().Changed("shards") && r.shards < 1 {
		return usageError{fmt.Errorf("--shards %d: give the N of --shard I/N", r.shards)}
	}
	return checkDialect(r.dialect)
}

// all reports whether every form is written, which the index links to.
func (r *renderFlags) all() bool {
	return len(slices.Compact(slices.Sorted(slices.Values(r.formats)))) == len(allFormats)
}

func (a *app) renderCommand() *cobra.Command {
	var f planFlags
	var r renderFlags
	var code string
	cmd := &cobra.Command{
		Use:   "render [STUDY|NOTEBOOK.ipynb...]",
		Short: "Write reports from the store, and notebooks up, without simulating",
		Long: `Write the reports of studies (default: all) from the runs in the store. Nothing
is simulated. Without --quick or --full it is the full plan if all of its runs
are stored, and the quick one otherwise.

With --measured a result file of your own machine (whatever 'mkreport import'
reads) joins the tables and plots of one study as a column, "measured here".

A notebook is written up from the outputs that are stored in it; nothing is
executed. Its pictures are inside of the page, beside the Markdown document, and
left out of the post. A page made of somebody else's notebook runs and loads
nothing.`,
		Example: `  mkreport render gorman2020-idle-candidate --format html
  mkreport render gorman2020-idle-candidate --measured tbench-base.log,base --measured tbench-patched.log,patched
  mkreport render lawall2020-idle-prev --measured nas.json,base=5.9,patched=5.9+,table=nas-active
  mkreport render notebooks/01-idle-candidate.ipynb --code fold`,
		ValidArgsFunction: completeStudies,
	}
	f.register(cmd)
	r.register(cmd)
	registerCode(cmd, &code)
	cmd.RunE = a.work(func(_ context.Context, args []string) error {
		if err := r.check(cmd); err != nil {
			return err
		}
		notebooks, ids := splitNotebooks(args)
		if err := checkCode(cmd, code, notebooks); err != nil {
			return err
		}
		if len(notebooks) == 0 {
			return a.render(ids, &f, &r)
		}
		err := a.renderNotebooks(notebooks, &r, code)
		if len(ids) > 0 {
			err = errors.Join(err, a.render(ids, &f, &r))
		}
		return err
	})
	return cmd
}

// render writes the reports of studies, with shards only if no run is missing.
func (a *app) render(ids []string, f *planFlags, how *renderFlags) error {
	if err := how.measured.check(ids); err != nil {
		return err
	}
	results, store, err := a.stored(ids, f)
	if err != nil {
		return err
	}
	if how.shards > 0 {
		if err := lackingParts(results, store, how.shards); err != nil {
			return err
		}
	}
	if results, err = a.withRuns(results, store, len(ids) > 0); err != nil {
		return err
	}
	if err := a.join(results, &how.measured); err != nil {
		return err
	}
	names, err := a.publish(how.out, results, how.formats, how.dialect)
	if err != nil {
		return err
	}
	if how.all() {
		index, err := writeIndex(how.out, store, f, results)
		if err != nil {
			return err
		}
		names = append(names, index)
	}
	for _, name := range names {
		fmt.Fprintln(a.stdout, name)
	}
	return nil
}

// withRuns are the results that have runs to be written up. That a study has none is an
// error if it was named, or if none has any; else it is said, and the others are written.
func (a *app) withRuns(results []result, store *study.Store, named bool) ([]result, error) {
	var have []result
	var lacking []error
	for _, r := range results {
		if r.HaveRuns > 0 {
			have = append(have, r)
			continue
		}
		lacking = append(lacking, fmt.Errorf("%s: no run of its %s plan is in %s; run '%s'", r.Study.ID, r.Plan.Mode, store.Dir(), r.here))
	}
	if len(lacking) > 0 && (named || len(have) == 0) {
		return nil, lacking[0]
	}
	for _, err := range lacking {
		a.note("mkreport: %v", err)
	}
	return have, nil
}

// stored judges what the store has of studies, and tells the user what it
// lacks.
func (a *app) stored(ids []string, f *planFlags) ([]result, *study.Store, error) {
	if err := f.check(); err != nil {
		return nil, nil, err
	}
	studies, err := subjects(ids, f.machine)
	if err != nil {
		return nil, nil, err
	}
	store, err := study.OpenReadOnly(f.store)
	if err != nil {
		return nil, nil, err
	}
	var results []result
	for _, s := range studies {
		r, err := storedResult(s, store, f)
		if err != nil {
			return nil, nil, err
		}
		if m := r.missing(store); m != "" && r.HaveRuns > 0 {
			a.note("mkreport: %s", m)
		}
		results = append(results, r)
	}
	return results, store, nil
}
