package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/schedlab/schedlab/schedsim/study"
)

func (a *app) sensitivityCommand() *cobra.Command {
	var f planFlags
	var jobs int
	var asJSON, noRun bool
	cmd := &cobra.Command{
		Use:   "sensitivity STUDY",
		Short: "Move each constant over its range and see which cells follow",
		Long: `Run a study with each of its constants at both ends of its stated range in turn,
the others as they are, both columns under the seeds of the middle, and print
which effects move and which verdicts hang on a constant. A cell that nothing
moves, where a move as great as its effect would have shown, is unfalsifiable: it
does not count as reproduced in reports and the ledger. They take the result
from the store, that of their own plan or else of the quick one.

Runs that the store has are not simulated again.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name one study of 'mkreport list studies'")
			}
			return nil
		},
		ValidArgsFunction: completeStudies,
	}
	f.register(cmd)
	cmd.Flags().IntVar(&jobs, "jobs", 0, "runs at a time (default one a CPU)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a list of cells as JSON")
	cmd.Flags().BoolVar(&noRun, "stored", false, "simulate nothing: print what the store has")
	cmd.RunE = a.work(func(ctx context.Context, args []string) error {
		if err := f.check(); err != nil {
			return err
		}
		studies, err := subjects(args, f.machine)
		if err != nil {
			return err
		}
		s := studies[0]
		plan, err := f.plan(s.Study, f.modeToRun())
		if err != nil {
			return err
		}
		store, err := study.OpenReadOnly(f.store)
		if !noRun {
			if store, err = study.Open(f.store); err == nil {
				err = a.sweepSensitivity(ctx, s, plan, store, jobs)
			}
		}
		if err != nil {
			return err
		}
		result, err := study.BuildSensitivity(s.Study, plan, store, s.identity)
		if err != nil {
			return err
		}
		if asJSON {
			return writeJSON(a.stdout, sensitivityJSON(result))
		}
		return a.printSensitivity(result)
	})
	return cmd
}

// sweepSensitivity fills the store.
func (a *app) sweepSensitivity(ctx context.Context, s subject, plan study.Plan, store *study.Store, jobs int) error {
	p := a.newProgress(s.ID, "runs")
	begin := time.Now()
	err := study.RunSensitivity(ctx, s.Study, plan, study.Simulator{Machine: s.elsewhere}, store, study.Options{
		Identity: s.identity,
		Jobs:     jobs,
		Progress: func(r study.Progress) { p.step(r.Total, r.FromStore) },
	})
	p.end()
	if ctx.Err() != nil {
		return fmt.Errorf("%s: stopped; %s in %s, and the same command goes on from there", s.ID, p.kept(), store.Dir())
	}
	if err != nil {
		return err
	}
	a.note("%s: %s in %s, %d of them new, in %v", s.ID, p.kept(), store.Dir(), p.fresh, time.Since(begin).Round(time.Millisecond))
	return nil
}

// printSensitivity prints a line a cell, and one for each constant that moves it.
func (a *app) printSensitivity(r *study.Sensitivity) error {
	fmt.Fprintf(a.stdout, "%s: %d of %d runs\n\n", r.Study.ID, r.HaveRuns, r.WantRuns)
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "row\tconstant\tat its low end\tas it is\tat its high end\tverdicts")
	var still, wide []string
	for i := range r.Cells {
		c := &r.Cells[i]
		name := r.Study.RowName(c.Table, c.Row)
		if c.Verdict == study.NotRun {
			fmt.Fprintf(t, "%s\t\t\t-\t\t%s\n", name, c.Verdict)
			continue
		}
		moved := false
		for _, m := range c.Moves {
			if !m.Moved {
				continue
			}
			moved = true
			verdicts := string(c.Verdict)
			if m.LowVerdict != c.Verdict || m.HighVerdict != c.Verdict {
				verdicts = fmt.Sprintf("%s / %s / %s", m.LowVerdict, c.Verdict, m.HighVerdict)
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", name, m.Constant, effectText(m.Low), effectText(c.Effect), effectText(m.High), verdicts)
		}
		if !moved {
			if c.Unfalsifiable() {
				still = append(still, name)
			} else {
				wide = append(wide, name)
			}
			fmt.Fprintf(t, "%s\tnone moves it\t\t%s\t\t%s\n", name, effectText(c.Effect), c.Verdict)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if len(still) > 0 {
		fmt.Fprintf(a.stdout, "\nno constant moves %s: agreement there means nothing\n", strings.Join(still, ", "))
	}
	if len(wide) > 0 {
		fmt.Fprintf(a.stdout, "\nno constant was seen to move %s, where intervals are as wide as the effect: run more with --n\n", strings.Join(wide, ", "))
	}
	return nil
}

// effectText is an effect with half of its interval.
func effectText(iv study.Interval) string {
	if !iv.Pct.Measured() {
		return "-"
	}
	text := fmt.Sprintf("%+.2f %%", float64(iv.Pct))
	if iv.CIHigh.Measured() {
		text += fmt.Sprintf(" +-%.2f", float64(iv.CIHigh-iv.CILow)/2)
	}
	return text
}

// sensitivityMove is a constant's effect on a cell in the JSON list.
type sensitivityMove struct {
	Study    string        `json:"study"`
	Table    string        `json:"table"`
	Row      string        `json:"row"`
	Constant string        `json:"constant"`
	Pct      study.Number  `json:"pct"`
	LowPct   study.Number  `json:"low_pct"`
	HighPct  study.Number  `json:"high_pct"`
	Moved    bool          `json:"moved"`
	Verdict  study.Verdict `json:"verdict"`
	Low      study.Verdict `json:"low_verdict"`
	High     study.Verdict `json:"high_verdict"`
}

func sensitivityJSON(r *study.Sensitivity) []sensitivityMove {
	out := []sensitivityMove{}
	for _, c := range r.Cells {
		for _, m := range c.Moves {
			out = append(out, sensitivityMove{
				r.Study.ID, c.Table, c.Row, m.Constant, c.Effect.Pct, m.Low.Pct, m.High.Pct, m.Moved, c.Verdict, m.LowVerdict, m.HighVerdict,
			})
		}
	}
	return out
}
