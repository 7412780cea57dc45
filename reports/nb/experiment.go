package nb

import (
	"context"
	"fmt"
	"os"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/experiment"
)

// Compare is [experiment.Bench.Compare] with a line of progress in the cell. If the cell
// is interrupted, the finished runs are kept.
func Compare(ctx context.Context, b *experiment.Bench, patch schedsim.Patch, setups ...experiment.Setup) (*experiment.Comparison, error) {
	var c *experiment.Comparison
	err := withProgress(ctx, patch.Name, b, func(ctx context.Context, b *experiment.Bench) (err error) {
		c, err = b.Compare(ctx, patch, setups...)
		return err
	})
	return c, err
}

// RunAll is [experiment.Bench.RunAll] with a line of progress in the cell.
func RunAll(ctx context.Context, b *experiment.Bench, setups []experiment.Setup, patches ...schedsim.Patch) ([][]schedsim.Result, error) {
	var r [][]schedsim.Result
	err := withProgress(ctx, "runs", b, func(ctx context.Context, b *experiment.Bench) (err error) {
		r, err = b.RunAll(ctx, setups, patches...)
		return err
	})
	return r, err
}

func withProgress(ctx context.Context, name string, b *experiment.Bench, work func(context.Context, *experiment.Bench) error) error {
	ctx, stop := Interruptible(ctx)
	defer stop()
	live := NewLive(name, "runs")
	shown := *b
	shown.Progress = live.Step
	err := work(ctx, &shown)
	note := "kept in " + b.Store.Dir()
	switch {
	case ctx.Err() != nil:
		note = "interrupted; those that are done are kept in " + b.Store.Dir() + ", run the cell again to go on"
		err = fmt.Errorf("nb: %s: %w", name, ErrInterrupted)
	case err != nil:
		note = "stopped by an error; those that are done are kept in " + b.Store.Dir()
	}
	if liveErr := live.End(note); err == nil {
		err = liveErr
	}
	return err
}

// Must returns v. With an error it prints that and ends the program with status 1, which
// fails the cell: for cells, where a longer way of handling errors hides what they do.
func Must[T any](v T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return v
}
