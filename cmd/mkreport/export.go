package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/reports/runs"
	"github.com/schedlab/schedlab/schedsim/study"
)

// exportFormats are the ways to write a table of runs.
var exportFormats = map[string]func(*runs.Table, io.Writer) error{
	"csv":     (*runs.Table).WriteCSV,
	"json":    (*runs.Table).WriteJSON,
	"parquet": (*runs.Table).WriteParquet,
}

func exportNames() []string { return []string{"csv", "json", "parquet"} }

func (a *app) exportCommand() *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export [FILE]",
		Short: "Write all runs of the store as one table, for pandas, R or a spreadsheet",
		Long: `Write the runs of the store as one table, a row a run, to FILE or standard
output: settings, constants, every metric and every counter, with all digits.
What a run does not have is empty in CSV, and null in JSON and Parquet; JSON is a
list of objects, one a line. Rows are in the order of the runs' hashes, so equal
stores give equal bytes.

--columns lists the columns with their units instead. Seeds are texts: R and
JavaScript have 53 bits of an integer only.`,
		Example: `  mkreport export runs.parquet
  mkreport export --format csv | xsv select study,row,arm,throughput
  mkreport export --study gorman2020-idle-candidate gorman.csv`,
		Args: cobra.MaximumNArgs(1),
	}
	f.store = storeFlag(cmd)
	cmd.Flags().StringVar(&f.format, "format", "", "csv, json or parquet (default by FILE's name, or csv)")
	cmd.Flags().StringSliceVar(&f.studies, "study", nil, "only the runs of these studies")
	cmd.Flags().BoolVar(&f.columns, "columns", false, "list the columns as CSV: name, type and unit")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(exportNames(), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("study", completeStudies)
	cmd.RunE = a.work(func(_ context.Context, args []string) error {
		file := ""
		if len(args) > 0 && args[0] != "-" {
			file = args[0]
		}
		return a.export(file, &f)
	})
	return cmd
}

type exportFlags struct {
	store   *string
	format  string
	studies []string
	columns bool
}

func (a *app) export(file string, f *exportFlags) error {
	format := f.format
	if ext := strings.TrimPrefix(filepath.Ext(file), "."); format == "" && exportFormats[ext] != nil {
		format = ext
	}
	if format == "" && file != "" {
		return usageError{fmt.Errorf("%s: not a name that tells the format; give --format csv, json or parquet", file)}
	}
	if format == "" {
		format = "csv"
	}
	write := exportFormats[format]
	if write == nil {
		return usageError{fmt.Errorf("no format %q; use %s", format, strings.Join(exportNames(), ", "))}
	}
	store, err := study.OpenReadOnly(*f.store)
	if err != nil {
		return err
	}
	table, err := runs.Read(store, func(k study.Key) bool { return len(f.studies) == 0 || slices.Contains(f.studies, k.Study) })
	for _, w := range store.Warnings() {
		a.note("mkreport: warning: %s", w)
	}
	if err != nil {
		return err
	}
	if table.Rows == 0 {
		return fmt.Errorf("no such run is in %s; 'mkreport store stats' lists what is", store.Dir())
	}
	if f.columns {
		write = writeColumns
	}
	if file == "" {
		out := bufio.NewWriter(a.stdout)
		return errors.Join(write(table, out), out.Flush())
	}
	out, err := renameio.NewPendingFile(file, renameio.WithTempDir(filepath.Dir(file)), renameio.WithPermissions(0o666), renameio.WithExistingPermissions())
	if err != nil {
		return err
	}
	defer out.Cleanup()
	buffer := bufio.NewWriter(out)
	if err := errors.Join(write(table, buffer), buffer.Flush()); err != nil {
		return fmt.Errorf("%s: not written: %w", file, err)
	}
	if err := out.CloseAtomicallyReplace(); err != nil {
		return fmt.Errorf("%s: not written: %w", file, err)
	}
	a.note("%s: %s, %s", file, count(table.Rows, "run"), count(len(table.Columns), "column"))
	return nil
}

// writeColumns lists the columns.
func writeColumns(t *runs.Table, w io.Writer) error {
	out := csv.NewWriter(w)
	lines := [][]string{{"name", "type", "unit"}}
	for _, d := range t.Describe() {
		lines = append(lines, []string{d.Name, d.Type, d.Unit})
	}
	return out.WriteAll(lines)
}
