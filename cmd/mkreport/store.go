package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

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

// placeOf is the file, and the line in a pack.
func placeOf(f study.File) string {
	if f.Line == 0 {
		return f.Path
	}
	return fmt.Sprintf("%s:%d", f.Path, f.Line)
}

// kilobytes rounds up.
func kilobytes(n int64) int64 { return (n + 999) / 1000 }
