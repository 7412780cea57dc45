package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/topology"
)

func (a *app) machineCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "machine NAME",
		Short: "Describe a machine: layout, sched domains, every number with its source",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("name one machine: %s", strings.Join(topology.Catalog(), ", "))
			}
			return nil
		},
		ValidArgsFunction: cobra.FixedCompletions(topology.Catalog(), cobra.ShellCompDirectiveNoFileComp),
		RunE: a.work(func(_ context.Context, args []string) error {
			m, err := topology.Load(args[0])
			if err != nil && !slices.Contains(topology.Catalog(), args[0]) {
				err = usageError{err}
			}
			if err != nil {
				return err
			}
			return m.WriteText(a.stdout)
		}),
	}
}
