package main

import (
	"fmt"
	"strings"

	"github.com/schedlab/schedlab/schedsim/study"
)

// lackingParts is an error if runs of results are not in the store. It names the
// parts of n that have them, as --array of Slurm's sbatch takes them.
func lackingParts(results []result, store *study.Store, n int) error {
	var lines []string
	for _, r := range results {
		if r.HaveRuns >= r.WantRuns {
			continue
		}
		ident := study.Identity{ModelVersion: r.ModelVersion, Machines: r.Machines}
		parts, runs, err := study.LackingParts(r.Study, r.Plan, store, ident, n)
		if err != nil {
			return err
		}
		lines = append(lines, fmt.Sprintf("%s: parts %s of %d lack %d of the %d runs of the %s plan in %s; for each of them as I run '%s --shard I/%d'",
			r.Study.ID, commas(parts), n, runs, r.WantRuns, r.Plan.Mode, store.Dir(), r.here, n))
	}
	if len(lines) == 0 {
		return nil
	}
	return fmt.Errorf("nothing is written, as runs are missing:\n%s", strings.Join(lines, "\n"))
}

func commas(numbers []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(numbers), "[]"), " ", ",")
}
