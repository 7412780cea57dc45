package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/study"
)

// studiesDir is where the studies are in the source tree.
var studiesDir = filepath.Join("schedsim", "study", "studies")

// calibrateFlags are the flags of calibrate.
type calibrateFlags struct {
	file, date              string
	keep, draws             int
	seed                    uint64
	fit, ensemble, refreeze bool
	refit                   bool
}

func (a *app) calibrateCommand() *cobra.Command {
	var f calibrateFlags
	cmd := &cobra.Command{
		Use:   "calibrate STUDY",
		Short: "Fit a study's constants to the base column and freeze its ensemble",
		Long: `Fit the constants of a study that are marked as fitted to the published base
column, draw the ensemble of constant sets that fit it as well, and write both to
the model file beside the study's own, in a clone of the project. Nothing of the
patched column is used.

With --refit, the constants that are fitted are moved to each draw of the others,
which is for base columns that next to no draw fits by itself.

An ensemble is frozen once: it is not drawn again without --refreeze.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("name one study: %s", strings.Join(study.IDs(), ", "))
			}
			return nil
		},
		ValidArgsFunction: completeStudies,
	}
	set := cmd.Flags()
	set.StringVar(&f.file, "file", "", "the study's file (default "+filepath.Join(studiesDir, "STUDY.yaml")+" of the clone)")
	set.StringVar(&f.date, "date", time.Now().Format(time.DateOnly), "date to record")
	set.IntVar(&f.keep, "keep", 20, "constant sets to keep for the ensemble")
	set.IntVar(&f.draws, "draws", 2000, "sets to draw at most")
	set.Uint64Var(&f.seed, "seed", 1, "seed of the runs and the draws")
	set.BoolVar(&f.fit, "fit", false, "only fit; the ensemble stays as it is")
	set.BoolVar(&f.ensemble, "ensemble", false, "only draw the ensemble; the fit stays as it is")
	set.BoolVar(&f.refit, "refit", false, "draw only the constants that are not fitted, and move those that are to each draw")
	set.BoolVar(&f.refreeze, "refreeze", false, "replace a frozen ensemble")
	cmd.RunE = a.work(func(ctx context.Context, args []string) error {
		if err := f.check(); err != nil {
			return err
		}
		return a.calibrate(ctx, args[0], &f)
	})
	return cmd
}

func (f *calibrateFlags) check() error {
	if f.fit && f.ensemble {
		return usageError{errors.New("--fit and --ensemble exclude each other; give none for both")}
	}
	if _, err := time.Parse(time.DateOnly, f.date); err != nil {
		return usageError{fmt.Errorf("--date %q: write it as YYYY-MM-DD", f.date)}
	}
	if f.keep < 1 || f.draws < f.keep {
		return usageError{fmt.Errorf("--keep %d --draws %d: keep at least 1 set and draw at least as many", f.keep, f.draws)}
	}
	return nil
}

// calibrate fits, then draws. Each result is written as soon as it is there.
func (a *app) calibrate(ctx context.Context, id string, f *calibrateFlags) error {
	path, err := studyFile(id, f.file)
	if err != nil {
		return err
	}
	s, err := loadToCalibrate(path, f.refreeze)
	if err != nil {
		return err
	}
	if s.ID != id {
		return fmt.Errorf("%s is the file of study %s, not of %s", path, s.ID, id)
	}
	if e := s.Ensemble; len(e.Sets) > 0 && !f.fit && !f.refreeze {
		return fmt.Errorf("%s: its ensemble of %d sets is frozen since %s; leave it with --fit, or replace it with --refreeze before anyone looks at patched runs",
			id, len(e.Sets), e.Date)
	}
	base, cal := s.Base(), s.Calibration
	if !f.ensemble {
		if base.Constants, cal, err = a.fit(ctx, base, f); err != nil {
			return err
		}
		if err := study.UpdateFile(path, base.Constants, cal, s.Ensemble); err != nil {
			return err
		}
	}
	if err := a.printBase(ctx, base, f.seed); err != nil {
		return err
	}
	if !f.fit {
		if err := a.draw(ctx, path, base, cal, f); err != nil {
			return err
		}
	}
	fmt.Fprintf(a.stdout, "\nwritten: %s\n", study.ModelPath(path))
	return nil
}

// fit fits the constants to the base column.
func (a *app) fit(ctx context.Context, base study.Base, f *calibrateFlags) ([]study.Constant, study.Calibration, error) {
	p := a.newProgress(base.Study, "evaluations")
	constants, cal, err := study.Calibrate(ctx, base, f.seed, func(_ int, best float64) {
		p.detail = fmt.Sprintf(", misfit %.4g", best)
		p.step(unknownTotal, false)
	})
	p.end()
	if ctx.Err() != nil {
		return nil, cal, fmt.Errorf("%s: stopped; a fit starts from the beginning", base.Study)
	}
	cal.Date, cal.ModelVersion = f.date, schedsim.ModelVersion
	return constants, cal, err
}

// draw draws the ensemble and writes it to the model file of path.
func (a *app) draw(ctx context.Context, path string, base study.Base, cal study.Calibration, f *calibrateFlags) error {
	p := a.newProgress(base.Study, "draws")
	draw := study.DrawEnsemble
	if f.refit {
		draw = study.RefitEnsemble
	}
	e, err := draw(ctx, base, f.seed, f.keep, f.draws, func(_, kept int) {
		p.detail = fmt.Sprintf(", %d kept", kept)
		p.step(f.draws, false)
	})
	p.end()
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%s: stopped; no ensemble is written, 'mkreport calibrate %s --ensemble' draws it from the beginning", base.Study, base.Study)
	case err != nil:
		return err
	case len(e.Sets) == 0:
		return fmt.Errorf("%s: none of %d drawn constant sets fits the base column; draw more, or see what the model lacks", base.Study, e.Draws)
	}
	e.Date = f.date
	if err := study.UpdateFile(path, base.Constants, cal, e); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "\nensemble: %d of %d drawn sets kept, frozen as sha256:%s\n", len(e.Sets), e.Draws, e.Digest())
	if len(e.Sets) < f.keep {
		a.note("mkreport: only %d of the %d sets that were asked for; --draws allows more", len(e.Sets), f.keep)
	}
	return nil
}

// printBase prints the base column as published and as simulated with the
// constants as they are, and the fitted constants.
func (a *app) printBase(ctx context.Context, base study.Base, seed uint64) error {
	column, err := study.BaseColumn(ctx, base, seed)
	if ctx.Err() != nil {
		return fmt.Errorf("%s: stopped", base.Study)
	}
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "row\tpublished\tsimulated\terror %%\tnoise %%\tused for\t\n")
	var errs []float64
	for i, r := range base.Rows {
		e := 100 * (column[i]/r.Value - 1)
		errs = append(errs, math.Abs(e))
		use := "check"
		if r.Fit {
			use = "fit"
		}
		fmt.Fprintf(t, "%s\t%.2f\t%.2f\t%+.2f\t%.2f\t%s\t\n", r.Table+"/"+r.Key, r.Value, column[i], e, r.Noise, use)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "median absolute error %.2f %%, greatest %.2f %% (base column, seed %d)\n\n",
		study.Median(errs), study.Quantile(1, errs), seed)
	for _, c := range base.Constants {
		if c.Fitted {
			fmt.Fprintf(a.stdout, "%s = %g %s in [%g, %g]%s\n", c.ID(), c.Value, c.Unit, c.Low, c.High, atBound(c))
		}
	}
	return nil
}

// atBound warns of a constant whose best value may lie outside what is plausible:
// optimisers stop short of a bound, so within 1 % of the range is at it.
func atBound(c study.Constant) string {
	if near := (c.High - c.Low) / 100; c.Value-c.Low <= near || c.High-c.Value <= near {
		return ", AT ITS BOUND"
	}
	return ""
}

// studyFile finds the file of a study in the clone that the working directory
// is in, unless it is given.
func studyFile(id, given string) (string, error) {
	if given != "" {
		return given, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		path := filepath.Join(dir, studiesDir, id+".yaml")
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	// An unknown id gets the study package's own suggestion.
	if _, err := subjects([]string{id}, ""); err != nil {
		return "", err
	}
	return "", fmt.Errorf("no %s here or in a directory above; run it in a clone of the project, or name the file with --file",
		filepath.Join(studiesDir, id+".yaml"))
}

// loadToCalibrate reads a study with its model file. A model file that does not
// fit the study any more counts as none if it is to be replaced.
func loadToCalibrate(path string, replace bool) (*study.Study, error) {
	s, err := study.LoadFile(path)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	data, readErr := study.ReadFile(path)
	if readErr != nil {
		return nil, err
	}
	s, parseErr := study.Parse(path, data)
	if parseErr != nil {
		return nil, parseErr
	}
	if !replace {
		return nil, fmt.Errorf("%w; --refreeze replaces the model file", err)
	}
	return s, nil
}
