package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/google/renameio/v2"

	"github.com/schedlab/schedlab/internal/input"
	"github.com/schedlab/schedlab/reports/measured"
)

// results reads files of benchmark results, or nothing if the first is none: it
// is of a machine then. A directory or the standard input is of a machine.
func (a *app) results(files []string) ([]measured.Series, error) {
	var all []measured.Series
	for i, name := range files {
		info, err := os.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			return nil, nil // which the machine's side words
		}
		if i == 0 && info.Size() > measured.MaxInput {
			return nil, nil // a dump may be that large
		}
		data, err := input.File(name, measured.MaxInput)
		if err != nil {
			return nil, err
		}
		if i == 0 && !measured.Known(data) {
			return nil, nil
		}
		s, err := measured.Parse(data, name)
		if err != nil {
			return nil, err
		}
		all = append(all, s...)
	}
	return measured.Merge(all), nil
}

// importResults writes results as CSV.
func (a *app) importResults(all []measured.Series, f importFlags) error {
	if f.id != "" || f.name != "" || f.arch != "" {
		return usageError{errors.New("--id, --name and --arch are for a machine; these files are results")}
	}
	var b bytes.Buffer
	if err := measured.WriteCSV(&b, all); err != nil {
		return err
	}
	if f.out == "" {
		_, err := a.stdout.Write(b.Bytes())
		return err
	}
	if err := renameio.WriteFile(f.out, b.Bytes(), 0o644); err != nil {
		return err
	}
	_, err := fmt.Fprintln(a.stdout, f.out)
	return err
}
