package main

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/study"
)

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
