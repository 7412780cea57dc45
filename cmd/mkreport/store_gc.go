package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/study"
)

func (a *app) storeGCCommand() *cobra.Command {
	var f gcFlags
	cmd := &cobra.Command{
		Use:   "gc [STUDY...]",
		Short: "Remove what no command reads any more",
		Long: `Say what a store need not keep, and with --delete remove it:

  temp      files that killed writers left, once they are a day old
  version   runs of other versions of the model
  unasked   runs that no shipped study asks for, and no STUDY that is named:
            of rows, constants, patches or machines that are not theirs any
            more. The seed, the number of runs and the times do not matter
  aside     runs of other builds that were replaced by this one's

Name your own studies, so that their runs are kept; --machine keeps the runs on
that machine too. What cannot be read, results that contradict each other and
what is not a file of the store are never removed.`,
		Example: `  mkreport store gc
  mkreport store gc --only temp,version --delete
  mkreport store gc my.yaml --machine lab.yaml --delete`,
		ValidArgsFunction: completeStudies,
	}
	f.store = storeFlag(cmd)
	cmd.Flags().BoolVar(&f.remove, "delete", false, "remove the files, instead of saying what would be")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "only say what would be removed; the default")
	cmd.Flags().BoolVar(&f.list, "list", false, "name every file")
	cmd.Flags().StringSliceVar(&f.only, "only", garbageKinds(), "what to remove")
	cmd.Flags().StringArrayVar(&f.machines, "machine", nil, "keep the studies' runs on this machine too; a name or a YAML `FILE`, once each")
	cmd.Flags().DurationVar(&f.older, "older", 24*time.Hour, "age of temporary files whose writer is taken for dead")
	cmd.MarkFlagsMutuallyExclusive("delete", "dry-run")
	cmd.RunE = a.work(func(ctx context.Context, studies []string) error { return a.gc(ctx, studies, &f) })
	return cmd
}

type gcFlags struct {
	store                *string
	remove, dryRun, list bool
	only, machines       []string
	older                time.Duration
}

// reasons are the kinds of garbage by their names on the command line.
var reasons = map[string]string{
	"temp": study.ReasonTemp, "version": study.ReasonVersion, "unasked": study.ReasonUnasked, "aside": study.ReasonAside,
}

func garbageKinds() []string { return []string{"temp", "version", "unasked", "aside"} }

func (a *app) gc(ctx context.Context, studies []string, f *gcFlags) error {
	chosen := make(map[string]bool)
	for _, name := range f.only {
		if reasons[name] == "" {
			return usageError{fmt.Errorf("--only %s: use some of %s", name, strings.Join(garbageKinds(), ", "))}
		}
		chosen[reasons[name]] = true
	}
	if f.older < 0 {
		return usageError{fmt.Errorf("--older %v: give a time of at least 0", f.older)}
	}
	wanted, err := wantedRuns(studies, f.machines)
	if err != nil {
		return err
	}
	open := study.OpenReadOnly
	if f.remove {
		if _, err := open(*f.store); err != nil {
			return err // do not make one to clean it
		}
		open = study.Open
	}
	store, err := open(*f.store)
	if err != nil {
		return err
	}
	garbage := study.Garbage{ModelVersion: schedsim.ModelVersion, Wanted: wanted, Older: f.older}
	files, bytes := make(map[string]int), make(map[string]int64)
	kept, unread := 0, 0
	err = store.Collect(&garbage, func(why string) bool { return chosen[why] }, f.remove, func(file study.File, why string) error {
		if why == "" {
			if kept++; file.Problem != "" && file.Kind != study.ForeignFile {
				unread++
			}
			return ctx.Err()
		}
		if f.list {
			fmt.Fprintf(a.stdout, "%s: %s\n", placeOf(file), why)
		}
		files[why]++
		bytes[why] += file.Bytes
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	would := "would remove"
	if f.remove {
		would = "removed"
	}
	all := 0
	for _, name := range garbageKinds() {
		if n := files[reasons[name]]; n > 0 {
			all += n
			fmt.Fprintf(a.stdout, "%-7s  %s %s %s, %d kB\n", name, would, count(n, "file"), reasons[name], kilobytes(bytes[reasons[name]]))
		}
	}
	fmt.Fprintf(a.stdout, "%s in %s: %s %d, %d stay\n", count(all+kept, "file"), store.Dir(), would, all, kept)
	if unread > 0 {
		fmt.Fprintf(a.stdout, "%s among those do not count: see 'mkreport store verify'\n", count(unread, "file"))
	}
	if all > 0 && !f.remove {
		fmt.Fprintln(a.stdout, "nothing was removed; --delete does it")
	}
	return nil
}

// wantedRuns are the runs of all shipped studies and the named ones, each on its own
// machines and on the given ones.
func wantedRuns(named, machines []string) (*study.Wanted, error) {
	ids := study.IDs()
	for _, id := range named {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	var wanted study.Wanted
	for _, machine := range append([]string{""}, machines...) {
		all, err := subjects(ids, machine)
		if err != nil {
			return nil, err
		}
		for _, s := range all {
			if err := wanted.Add(s.Study, s.identity); err != nil {
				return nil, err
			}
		}
	}
	return &wanted, nil
}
