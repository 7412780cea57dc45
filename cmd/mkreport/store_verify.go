package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/study"
)

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
