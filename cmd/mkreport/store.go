package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/study"
)

func (a *app) storeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "store",
		Short: "Check, count and clean the store of finished runs",
		RunE:  a.work(func(context.Context, []string) error { return usageError{errors.New("say verify, stats or gc")} }),
		Args:  unknownCommand,
	}
	cmd.AddCommand(a.storeVerifyCommand(), a.storeStatsCommand(), a.storeGCCommand())
	return cmd
}

// storeFlag registers --store.
func storeFlag(cmd *cobra.Command) *string {
	return cmd.Flags().String("store", defaultStore(), "directory of finished runs; $"+storeVariable+" sets the default")
}

func (a *app) storeVerifyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Read every run and name those that are damaged or contradict each other",
		Long: `Read every file of the store, compare it with its checksum and its name, and
name each that does not count, with the reason; then the exit status is 1.

A damaged run is simulated again by the next 'mkreport run' that needs it, which
moves the file to the store's folder aside/. Of a run with two different results
none counts until the files are removed.`,
		Args: cobra.NoArgs,
	}
	dir := storeFlag(cmd)
	cmd.RunE = a.work(func(ctx context.Context, _ []string) error {
		store, err := study.OpenReadOnly(*dir)
		if err != nil {
			return err
		}
		return a.verify(ctx, store)
	})
	return cmd
}

// verify prints a line a bad file, and a summary.
func (a *app) verify(ctx context.Context, store *study.Store) error {
	var sound, others, bad, aside, temp, foreign int
	err := store.Inspect(schedsim.ModelVersion, func(f study.File) error {
		switch {
		case f.Kind == study.AsideFile:
			aside++
		case f.Kind == study.TempFile:
			temp++
		case f.Kind == study.ForeignFile:
			foreign++
			fmt.Fprintf(a.stdout, "%s: note: not a file of the store\n", f.Path)
		case f.Problem != "":
			bad++
			name := ""
			if f.Whole {
				name = f.Key.String() + ": "
			}
			fmt.Fprintf(a.stdout, "%s: %s%s\n", placeOf(f), name, f.Problem)
		case f.Key.ModelVersion != schedsim.ModelVersion:
			others++
		default:
			sound++
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s in %s are sound", count(sound+others, "run"), store.Dir())
	if others > 0 {
		fmt.Fprintf(a.stdout, ", %d of them of another model version", others)
	}
	fmt.Fprintln(a.stdout)
	if aside > 0 {
		fmt.Fprintf(a.stdout, "%s, replaced by a run since, in %s\n", count(aside, "file"), filepath.Join(store.Dir(), "aside"))
	}
	if temp > 0 {
		fmt.Fprintf(a.stdout, "%s being written, or left by killed writers: 'mkreport store gc' removes them\n", count(temp, "file"))
	}
	if bad > 0 {
		return fmt.Errorf("%s in %s do not count", count(bad, "file"), store.Dir())
	}
	return nil
}

// placeOf is the file, and the line in a pack.
func placeOf(f study.File) string {
	if f.Line == 0 {
		return f.Path
	}
	return fmt.Sprintf("%s:%d", f.Path, f.Line)
}

func (a *app) storeStatsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Count the runs of each study, kernel, machine and model version",
		Args:  cobra.NoArgs,
	}
	dir := storeFlag(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a list as JSON")
	cmd.RunE = a.work(func(ctx context.Context, _ []string) error {
		store, err := study.OpenReadOnly(*dir)
		if err != nil {
			return err
		}
		groups := make(study.Groups)
		other := study.RunGroup{}
		err = store.Inspect(schedsim.ModelVersion, func(f study.File) error {
			groups.Add(&f)
			if f.Kind != study.RunFile || !f.Whole {
				other.Runs++
				other.Bytes += f.Bytes
			}
			return ctx.Err()
		})
		if err != nil {
			return err
		}
		if asJSON {
			return writeJSON(a.stdout, statsJSON(groups.Sorted()))
		}
		return a.printStats(groups.Sorted(), other)
	})
	return cmd
}

// runGroupJSON is a group of runs for other programs.
type runGroupJSON struct {
	Study        string    `json:"study"`
	Machine      string    `json:"machine"`
	Kernel       string    `json:"kernel"`
	ModelVersion string    `json:"model_version"`
	Runs         int       `json:"runs"`
	Bytes        int64     `json:"bytes"`
	Oldest       time.Time `json:"oldest"`
	Newest       time.Time `json:"newest"`
}

func statsJSON(groups []study.RunGroup) []runGroupJSON {
	out := []runGroupJSON{}
	for _, g := range groups {
		out = append(out, runGroupJSON{g.Study, g.Machine, g.Kernel, g.ModelVersion, g.Runs, g.Bytes, g.Oldest.UTC(), g.Newest.UTC()})
	}
	return out
}

func (a *app) printStats(groups []study.RunGroup, other study.RunGroup) error {
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "study\tmachine\tkernel\tmodel\truns\tkB\toldest\tnewest")
	var runs int
	var bytes int64
	const day = "2006-01-02 15:04"
	for _, g := range groups {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%d\t%s\t%s\n", g.Study, g.Machine, g.Kernel, g.ModelVersion,
			g.Runs, kilobytes(g.Bytes), g.Oldest.Format(day), g.Newest.Format(day))
		runs += g.Runs
		bytes += g.Bytes
	}
	fmt.Fprintf(t, "all\t\t\t\t%d\t%d\t\t\n", runs, kilobytes(bytes))
	if err := t.Flush(); err != nil {
		return err
	}
	if other.Runs > 0 {
		fmt.Fprintf(a.stdout, "and %s that are no sound runs, %d kB: see 'mkreport store verify'\n", count(other.Runs, "file"), kilobytes(other.Bytes))
	}
	return nil
}

func kilobytes(n int64) int64 { return (n + 999) / 1000 }

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
