package view

import (
	"fmt"
	"math"
	"slices"

	"github.com/schedlab/schedlab/schedsim/study"
)

// constants lists the model constants of the study, fitted ones first.
func constants(s *study.Study) Table {
	out := Table{Cols: []Col{
		text("constant"), num("value"), text("unit"), num("bounds"), text("set by"), text("kind"), text("source"),
	}}
	for _, fitted := range []bool{true, false} {
		for _, c := range s.Constants {
			if c.Fitted != fitted {
				continue
			}
			by := "ensemble"
			switch {
			case fitted && len(s.Calibration.Rows) == 0:
				by = "start value"
			case fitted:
				by = "fit"
			}
			out.Rows = append(out.Rows, []string{
				c.ID(), Plain(c.Value), c.Unit, "[" + Plain(c.Low) + ", " + Plain(c.High) + "]", by, c.Kind, c.Source,
			})
		}
	}
	return out
}

// constantDocs says what each constant stands for, in the order of constants.
func constantDocs(s *study.Study) []Fact {
	var docs []Fact
	for _, fitted := range []bool{true, false} {
		for _, c := range s.Constants {
			if c.Fitted == fitted && c.Doc != "" {
				docs = append(docs, Fact{c.ID(), stop(c.Doc)})
			}
		}
	}
	return docs
}

func sourced(source string) string {
	if source == "" {
		return "No source."
	}
	return "Source: " + stop(source)
}

// joined puts two sentences side by side.
func joined(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + " " + b
}

// fitSentence says how the fitted constants came about and warns of those that
// ended at a bound, where a better fit may lie outside what is plausible.
func fitSentence(o *study.Outcome) string {
	s := o.Study
	fitted := 0
	var bound []string
	for _, c := range s.Constants {
		if !c.Fitted {
			continue
		}
		fitted++
		// Optimisers stop short of a bound; within 1 % of the range is at it.
		if near := (c.High - c.Low) / 100; near > 0 && (math.Abs(c.Value-c.Low) <= near || math.Abs(c.Value-c.High) <= near) {
			bound = append(bound, c.ID())
		}
	}
	if fitted == 0 {
		return "No constant was fitted."
	}
	cal := s.Calibration
	if len(cal.Rows) == 0 {
		return fmt.Sprintf("No calibration is recorded: %s below %s a start value that was fitted to nothing.", counted(fitted, "constant"), have(fitted))
	}
	out := fmt.Sprintf("%s fitted on %s of the base column", upper(counted(fitted, "constant"))+" "+was(fitted), counted(len(cal.Rows), "row"))
	if len(cal.Rows) > 0 && len(cal.Rows) < rowCount(s) {
		out += " (" + list(cal.Rows) + ")"
	}
	if cal.Optimiser != "" {
		out += " by " + cal.Optimiser
	}
	if cal.Date != "" {
		out += " on " + cal.Date
	}
	out += "; the fit was given no patched value."
	if cal.ModelVersion != "" && cal.ModelVersion != o.ModelVersion {
		out += fmt.Sprintf(" The fit was made with model %s and not with %s, which ran here.", cal.ModelVersion, o.ModelVersion)
	}
	if len(bound) > 0 {
		out += fmt.Sprintf(" At a bound: %s; the best value may lie outside what is plausible.", list(bound))
	}
	return out
}

func rowCount(s *study.Study) int {
	n := 0
	for _, t := range s.Tables {
		n += len(t.Rows)
	}
	return n
}

func have(n int) string {
	if n == 1 {
		return "has"
	}
	return "have"
}

func was(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// baseErrors is the simulated base column against the published one.
func baseErrors(t *study.Table, cal study.Calibration, rows []row) Table {
	out := Table{Cols: []Col{
		text(rowName(t)), num("published\nbase"), num("measured\nagain"), num("simulated\nbase"), num("error\n%"), text("fitted\non"),
	}}
	for _, r := range rows {
		c := r.cell
		if !c.Published.Base.Measured() {
			continue // a claim without a figure
		}
		dec := r.decimals()
		on := "no"
		if slices.Contains(cal.Rows, r.name) {
			on = "yes"
		}
		out.Rows = append(out.Rows, []string{
			r.key, Fixed(c.Published.Base, dec), measuredAgain(r, dec), Fixed(c.Simulated.Base, dec), Signed(c.BaseErrorPct, 2), on,
		})
	}
	return out
}

// baseErrorSentence compares the base column now with the base column as
// fitted.
func baseErrorSentence(o *study.Outcome) string {
	now, then := o.MedianBaseErrPct, o.Study.Calibration.MedianAbsErrPct
	switch {
	case o.Study.Elsewhere():
		return fmt.Sprintf("The constants were fitted on %s; the base column of %s has no published one to be held against.", o.Study.PostMachine, o.Study.Machine)
	case now.Measured() && then.Measured():
		return fmt.Sprintf("The median absolute error of the base column is %s %% in these runs; it was %s %% at calibration.", Fixed(now, 2), Fixed(then, 2))
	case now.Measured():
		return fmt.Sprintf("The median absolute error of the base column is %s %%.", Fixed(now, 2))
	}
	return "The error of the base column was not measured."
}

// measuredAgain is the base cell of another post on the same machine.
func measuredAgain(r row, dec int) string {
	if r.published == nil {
		return Missing
	}
	return Fixed(r.published.Again, dec)
}

// againSentence says where the base column was measured a second time, and
// with it how far two measurements of it lie apart.
func againSentence(t *study.Table) string {
	if t.Again.MessageID == "" {
		return ""
	}
	s := fmt.Sprintf("The author measured the base column again (%q, %s, <%s>)", t.Again.Label, t.Again.Date, t.Again.MessageID)
	var diffs []float64
	for _, r := range t.Rows {
		if r.Again.Measured() && r.Base != 0 {
			diffs = append(diffs, 100*math.Abs(float64(r.Again/r.Base)-1))
		}
	}
	if len(diffs) > 0 {
		slices.Sort(diffs)
		s += fmt.Sprintf("; over %s the two columns differ by up to %.2f %%", counted(len(diffs), "row"), diffs[len(diffs)-1])
	}
	s += "."
	return joined(s, stop(upper(t.Again.Note)))
}
