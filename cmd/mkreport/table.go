package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/reports/author"
	"github.com/schedlab/schedlab/schedsim/study"
)

// registerDialect adds the flag that chooses the style of tables.
func registerDialect(cmd *cobra.Command, dialect *string) {
	cmd.Flags().StringVar(dialect, "dialect", "", "write the simulated tables in this `STYLE` instead of their authors': "+strings.Join(author.Styles(), ", "))
	_ = cmd.RegisterFlagCompletionFunc("dialect", cobra.FixedCompletions(author.Styles(), cobra.ShellCompDirectiveNoFileComp))
}

// checkDialect refuses styles that there are not.
func checkDialect(dialect string) error {
	if dialect == "" || author.Known(dialect) {
		return nil
	}
	return usageError{fmt.Errorf("no dialect %q; use one of %s", dialect, strings.Join(author.Styles(), ", "))}
}

// simulatedTable is a table's simulated columns in the style dialect, or in its
// author's. It is empty, which leaves the layout to the report, for a table that has
// neither. A table that has not what the style prints is written in its author's,
// which is said.
func (a *app) simulatedTable(o *study.Outcome, t *study.Table, dialect string) (string, error) {
	if dialect != "" {
		text, err := author.Simulated(o, t, dialect)
		if unfit := (*author.UnfitError)(nil); !errors.As(err, &unfit) {
			return text, err
		}
		a.note("mkreport: %s: %v", o.Study.ID, err)
	}
	if !author.Known(t.Dialect) {
		return "", nil
	}
	text, err := author.Simulated(o, t, t.Dialect)
	if unfit := (*author.UnfitError)(nil); errors.As(err, &unfit) {
		a.note("mkreport: %s: %v", o.Study.ID, err)
		return "", nil
	}
	return text, err
}
