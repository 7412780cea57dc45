package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/schedsim/study"
)

// The forms of a report.
const (
	formatMarkdown = "md"
	formatHTML     = "html"
	formatPost     = "post"
)

var allFormats = []string{formatMarkdown, formatHTML, formatPost}

func (a *app) renderCommand() *cobra.Command {
	var f planFlags
	var out string
	var formats []string
	var shards int
	cmd := &cobra.Command{
		Use:   "render [STUDY...]",
		Short: "Write reports from the store, without simulating",
		Long: `Write the reports of studies (default: all) from the runs in the store. Nothing
is simulated. Without --quick or --full it is the full plan if all of its runs
are stored, and the quick one otherwise.`,
		ValidArgsFunction: completeStudies,
	}
	f.register(cmd)
	cmd.Flags().StringVarP(&out, "out", "o", "out", "directory to write into")
	cmd.Flags().StringSliceVar(&formats, "format", allFormats, "forms to write: md, html, post")
	cmd.Flags().IntVar(&shards, "shards", 0, "write only if all `N` parts of run --shard I/N are in the store; name those that are not")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(allFormats, cobra.ShellCompDirectiveNoFileComp))
	cmd.RunE = a.work(func(_ context.Context, ids []string) error {
		for _, name := range formats {
			if !slices.Contains(allFormats, name) {
				return usageError{fmt.Errorf("no format %q; use some of %s", name, strings.Join(allFormats, ", "))}
			}
		}
		if cmd.Flags().Changed("shards") && shards < 1 {
			return usageError{fmt.Errorf("--shards %d: give the N of --shard I/N", shards)}
		}
		return a.render(ids, &f, out, formats, shards)
	})
	return cmd
}

// render writes the reports of studies into out, with shards only if no run is
// missing.
func (a *app) render(ids []string, f *planFlags, out string, formats []string, shards int) error {
	results, store, err := a.stored(ids, f)
	if err != nil {
		return err
	}
	if shards > 0 {
		if err := lackingParts(results, store, shards); err != nil {
			return err
		}
	}
	for _, r := range results {
		if r.HaveRuns == 0 {
			return fmt.Errorf("%s: no run of its %s plan is in %s; run '%s'", r.Study.ID, r.Plan.Mode, store.Dir(), r.here)
		}
	}
	names, err := publish(out, results, formats)
	if err != nil {
		return err
	}
	// The index links to every form.
	if len(slices.Compact(slices.Sorted(slices.Values(formats)))) == len(allFormats) {
		index, err := writeIndex(out, store, f, results)
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
