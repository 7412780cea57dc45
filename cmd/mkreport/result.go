package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/schedlab/schedlab/reports"
	"github.com/schedlab/schedlab/reports/overlay"
	"github.com/schedlab/schedlab/schedsim/study"
	"github.com/schedlab/schedlab/topology"
)

// result is what a study came to, with what its report needs beside that.
type result struct {
	*study.Outcome
	machines map[string]*topology.Machine
	command  string // that runs it
	here     string // the same with the store of this machine
	measured *overlay.Overlay
	store    *study.Store // that it was read from
	identity study.Identity
}

func outcomes(results []result) []*study.Outcome {
	var out []*study.Outcome
	for _, r := range results {
		out = append(out, r.Outcome)
	}
	return out
}

// buildResult judges the runs that the store has of a study's plan.
func buildResult(s subject, store *study.Store, f *planFlags, mode string) (result, error) {
	plan, err := f.plan(s.Study, mode)
	if err != nil {
		return result{}, err
	}
	o, err := study.Build(s.Study, plan, store, s.identity)
	return result{Outcome: o, machines: s.machines, command: f.command(s.name, mode), here: f.commandHere(s.name, mode), store: store, identity: s.identity}, err
}

// storedResult judges what the store has of a study: the full plan if all its
// runs are there, and the quick one otherwise, unless the flags name one. Where
// flags have made one of the two, it is called quick.
func storedResult(s subject, store *study.Store, f *planFlags) (result, error) {
	if f.full {
		return buildResult(s, store, f, study.ModeFull)
	}
	quick, err := buildResult(s, store, f, study.ModeQuick)
	if err != nil || f.quick {
		return quick, err
	}
	full, err := buildResult(s, store, f, study.ModeFull)
	if err == nil && full.HaveRuns == full.WantRuns && full.WantRuns > quick.WantRuns {
		return full, nil
	}
	return quick, err
}

// missing says what to run for the rest of the plan, or nothing if the store
// has all of it.
func (r result) missing(store *study.Store) string {
	if r.HaveRuns == r.WantRuns {
		return ""
	}
	return fmt.Sprintf("%s: %d of the %d runs of the %s plan are in %s; for the rest run '%s'",
		r.Study.ID, r.HaveRuns, r.WantRuns, r.Plan.Mode, store.Dir(), r.here)
}

// publish writes the reports into dir in the given formats, tables in the style
// dialect or, if it is empty, in their authors', and returns the names of the files.
func (a *app) publish(dir string, results []result, formats []string, dialect string) ([]string, error) {
	var names []string
	for _, r := range results {
		// A post has no drawings, and they take longer than all of its text.
		drawn := slices.ContainsFunc(formats, func(f string) bool { return f != formatPost })
		p, err := a.partsOf(r, dialect, drawn)
		if err != nil {
			return names, err
		}
		forms, err := reports.Render(r.Outcome, p, formsOf(formats)...)
		if err != nil {
			return names, err
		}
		written, err := reports.WriteFiles(dir, r.Study.ReportID(), forms)
		names = append(names, written...)
		if err != nil {
			return names, err
		}
	}
	return names, nil
}

func formsOf(formats []string) []reports.Form {
	var out []reports.Form
	for _, f := range formats {
		out = append(out, reports.Form(f))
	}
	return out
}

// writeIndex writes the index page of dir: the given results, and those of
// other studies whose pages are in dir from before.
func writeIndex(dir string, store *study.Store, f *planFlags, results []result) (string, error) {
	all := outcomes(results)
	others, err := subjects(nil, "")
	if err != nil {
		return "", err
	}
	for _, s := range others {
		if slices.ContainsFunc(results, func(r result) bool { return r.Study.ReportID() == s.ReportID() }) {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, s.ID+".html")); err != nil {
			continue
		}
		r, err := storedResult(s, store, f)
		if err != nil {
			return "", err
		}
		all = append(all, r.Outcome)
	}
	return reports.WriteIndex(dir, all)
}

// checkWritable makes sure that files can be written into dir, which it makes
// if need be.
func checkWritable(dir string) error {
	err := os.MkdirAll(dir, 0o777)
	if err == nil {
		var probe *os.File
		if probe, err = os.CreateTemp(dir, ".probe-*"); err == nil {
			err = errors.Join(probe.Close(), os.Remove(probe.Name()))
		}
	}
	if err == nil {
		return nil
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err // the path may be that of the probe
	}
	return fmt.Errorf("cannot write into %s: %w; give another directory with -o", dir, err)
}
