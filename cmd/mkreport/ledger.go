package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/schedsim/study"
)

func (a *app) ledgerCommand() *cobra.Command {
	var f planFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "ledger [STUDY...]",
		Short: "Print published and simulated cells with their verdicts",
		Long: `Print the published cells of studies (default: all) beside the simulated ones,
with their verdicts, from the runs in the store. Nothing is simulated. Without
--quick or --full it is the full plan if all of its runs are stored, and the
quick one otherwise.

With --json it is a list of cells; figures that were not measured are null.`,
		Example: `  mkreport ledger gorman2020-idle-candidate
  mkreport ledger --json | jq -r '.[] | select(.verdict == "missed") | [.study, .table, .row] | @tsv'`,
		ValidArgsFunction: completeStudies,
	}
	f.register(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a list of cells as JSON")
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
		if !asJSON {
			return study.WriteLedger(a.stdout, outcomes(results))
		}
		for _, w := range store.Warnings() {
			a.note("mkreport: warning: %s", w)
		}
		return writeJSON(a.stdout, study.LedgerJSON(outcomes(results)))
	})
	return cmd
}
