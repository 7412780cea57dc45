package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/schedlab/schedlab/reports/author"
	"github.com/schedlab/schedlab/reports/measured"
)

// twoKernels are the base's file and the patched one's.
const twoKernels = 2

// importTable writes results of two files as one table, in the style dialect: those
// of the first are of the base, those of the second of the patched kernel.
func (a *app) importTable(files []string, dialect string) error {
	if len(files) != twoKernels {
		return usageError{errors.New("--dialect makes a table of two files: the base's results and the patched kernel's")}
	}
	if err := checkDialect(dialect); err != nil {
		return err
	}
	var figures []author.Figure
	at := make(map[string]int)
	var lone []string
	for k, file := range files {
		all, err := a.results([]string{file}) // apart: one command is on both kernels
		if err != nil {
			return err
		}
		if all == nil {
			return fmt.Errorf("%s: not known as a result of a benchmark", file)
		}
		for _, s := range all {
			key := figureKey(s)
			i, ok := at[key]
			if !ok {
				i = len(figures)
				at[key] = i
				figures = append(figures, author.Figure{Key: key, Unit: s.Unit, Better: s.Better})
			}
			if k == 0 {
				figures[i].Base = runsOf(s)
			} else {
				figures[i].Patched = runsOf(s)
			}
		}
	}
	both := figures[:0]
	for _, f := range figures {
		if f.Base.Mean == 0 || f.Patched.Mean == 0 {
			lone = append(lone, f.Key)
			continue
		}
		both = append(both, f)
	}
	if len(both) == 0 {
		return fmt.Errorf("%s and %s have no figure in common; the commands and parameters have to be the same", files[0], files[1])
	}
	for _, key := range lone {
		a.note("mkreport: %s: not in both files, or zero; left out", key)
	}
	text, err := author.Measured(dialect, label(files[0]), label(files[1]), both)
	if err != nil {
		return err
	}
	_, err = a.stdout.Write([]byte(text))
	return err
}

// figureKey names a figure by what tells it from the others of its file.
func figureKey(s measured.Series) string {
	key := s.Key()
	if c, ok := s.Params["command"]; ok && len(s.Params) == 1 {
		key = c
	}
	switch {
	case key == "":
		return s.Name
	case s.Name == "time":
		return key
	}
	return s.Name + " " + key
}

func runsOf(s measured.Series) author.Runs {
	return author.Runs{Values: s.Values, Mean: s.Mean, Stddev: s.Stddev}
}

// label heads the column of a file.
func label(file string) string {
	name := filepath.Base(file)
	return strings.TrimSuffix(name, filepath.Ext(name))
}
