package main

import (
	"context"
	"fmt"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/reports/fidelity"
)

func (a *app) fidelityCommand() *cobra.Command {
	var f planFlags
	var out string
	cmd := &cobra.Command{
		Use:   "fidelity [STUDY...]",
		Short: "Write how studies come out, as docs/fidelity.md has it",
		Long: `Write what studies (default: all) came to in the model, cell by cell, with what
it rests on, from the runs in the store. Nothing is simulated. docs/fidelity.md of
the project is written by it. Without --quick or --full it is the full plan if all
of its runs are stored, and the quick one otherwise.`,
		Example:           `  mkreport fidelity -o docs/fidelity.md`,
		ValidArgsFunction: completeStudies,
	}
	f.register(cmd)
	cmd.Flags().StringVarP(&out, "out", "o", "", "`FILE` to write (default the standard output)")
	cmd.RunE = a.work(func(_ context.Context, ids []string) error {
		results, store, err := a.stored(ids, &f)
		if err != nil {
			return err
		}
		for _, r := range results {
			if r.HaveRuns == 0 {
				a.note("mkreport: %s", r.missing(store))
			}
		}
		page := fidelity.Markdown(outcomes(results))
		if out == "" {
			_, err := a.stdout.Write(page)
			return err
		}
		if err := renameio.WriteFile(out, page, 0o666); err != nil {
			return fmt.Errorf("cannot write %s: %w; give another file with -o", out, err)
		}
		fmt.Fprintln(a.stdout, out)
		return nil
	})
	return cmd
}
