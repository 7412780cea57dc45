package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/reports/nb"
)

func (a *app) notebookCommand() *cobra.Command {
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "notebook FILE.ipynb...",
		Short: "Execute Go notebooks and store their outputs",
		Long: `Execute the cells of Go notebooks under GoNB, without Jupyter, and store their
outputs in them. A notebook stops at the first cell that fails; the others are
executed nevertheless.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name the notebooks to execute")
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"ipynb"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	cmd.Flags().DurationVar(&timeout, "timeout", nb.DefaultCellTimeout, "longest time that a cell may take")
	cmd.RunE = a.work(func(ctx context.Context, files []string) error {
		if timeout <= 0 {
			return usageError{fmt.Errorf("--timeout %v: give a time", timeout)}
		}
		return a.notebooks(ctx, files, nb.Options{CellTimeout: timeout, Progress: a.stderr})
	})
	return cmd
}

// notebooks executes notebooks one after another.
func (a *app) notebooks(ctx context.Context, files []string, opt nb.Options) error {
	var failed []error
	for _, file := range files {
		r, err := nb.Execute(ctx, file, opt)
		if err != nil {
			failed = append(failed, err)
			if ctx.Err() != nil {
				break
			}
			continue
		}
		fmt.Fprintf(a.stdout, "%s: %s executed\n", r.Output, count(len(r.Cells), "cell"))
	}
	return errors.Join(failed...)
}
