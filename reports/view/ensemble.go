package view

import (
	"fmt"
	"slices"

	"github.com/schedlab/schedlab/schedsim/study"
)

// ensembleSentence is the rule by which constant sets were kept.
func ensembleSentence(o *study.Outcome) string {
	e := o.Study.Ensemble
	if len(e.Sets) == 0 {
		return "No ensemble is frozen for this study: the verdicts rest on one set of constants and say nothing of how they depend on it."
	}
	s := fmt.Sprintf("%s of the constants %s drawn and %s kept", counted(e.Draws, "set"), was(e.Draws), fmt.Sprint(len(e.Sets)))
	if e.Rule != "" {
		s += " by this rule: " + stop(e.Rule)
	} else {
		s += "."
	}
	if e.Date != "" {
		s += " The kept sets were frozen on " + e.Date + ", before the first patched run with them."
	} else {
		s += " The kept sets were frozen before the first patched run with them."
	}
	if n := setsUsed(o); n > 0 {
		s += fmt.Sprintf(" These runs used %d of them.", n)
	} else {
		s += " These runs used none of them, but the study's own constants."
	}
	return s + " A verdict that under 90 % of the sets come to is unidentified."
}

// deciding lists the cells that hang on a constant.
func deciding(rows []row) []Fact {
	var out []Fact
	for _, r := range rows {
		if r.cell.DecidingConstant == "" {
			continue
		}
		t := "hangs on " + r.cell.DecidingConstant
		if r.run && r.cell.Agreement.Measured() {
			t += fmt.Sprintf("; %s of the sets agree", share(r, r.cell.Agreement))
		}
		out = append(out, Fact{r.key, t})
	}
	return out
}

// bySet is how the effect of each row spreads over the constant sets.
func bySet(t *study.Table, rows []row) Table {
	out := Table{Cols: []Col{
		text(rowName(t)), num("sets"), num("least %"), num("median %"), num("greatest %"), num("agree"), text("verdict"),
	}}
	some := false
	for _, r := range rows {
		effects := setEffects(r)
		if len(effects) == 0 {
			line := absent(r.key, len(out.Cols))
			line[len(line)-1] = string(r.verdict)
			out.Rows = append(out.Rows, line)
			continue
		}
		some = some || len(effects) > 1
		out.Rows = append(out.Rows, []string{
			r.key, fmt.Sprint(len(effects)),
			Signed(effects[0], 2), Signed(study.Number(study.Median(floats(effects))), 2), Signed(effects[len(effects)-1], 2),
			share(r, r.cell.Agreement), string(r.verdict),
		})
	}
	if !some { // one set has no spread
		out.Rows = nil
	}
	return out
}

// setEffects are the effects of a row with each constant set, ascending.
func setEffects(r row) []study.Number {
	var effects []study.Number
	for _, iv := range r.cell.PerSet {
		if r.run && iv.Pct.Measured() {
			effects = append(effects, iv.Pct)
		}
	}
	slices.Sort(effects)
	return effects
}

func floats(ns []study.Number) []float64 {
	fs := make([]float64, len(ns))
	for i, n := range ns {
		fs[i] = float64(n)
	}
	return fs
}

// share prints a share as a percentage.
func share(r row, n study.Number) string {
	if !r.run || !n.Measured() {
		return Missing
	}
	return Fixed(n*100, 0) + " %"
}
