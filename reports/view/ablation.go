package view

import (
	"github.com/schedlab/schedlab/schedsim/study"
)

// ablations is what the rows do with a mechanism switched off.
func ablations(o *study.Outcome) Table {
	out := Table{Cols: []Col{
		text("without"), text("row"), num("expected"), num("with it %"), num("without %"), num("95 % interval"), num("pairs"), text("verdict"),
	}}
	for _, a := range o.Ablations {
		interval := Range(a.Effect.CILow, a.Effect.CIHigh, 2)
		if a.Identical {
			interval = "identical"
		}
		with := Signed(a.With.Pct, 2)
		if a.Ablation.Against == "base" {
			with = "0.00"
		}
		out.Rows = append(out.Rows, []string{
			a.Ablation.ID, o.Study.RowName(a.Table, a.Row), a.Ablation.Expect,
			with, Signed(a.Effect.Pct, 2), interval, whole(a.Effect.N, a.Effect.N > 0), string(a.Verdict),
		})
	}
	return out
}

// ablationDocs says what each ablation switches off.
func ablationDocs(o *study.Outcome) []Fact {
	var out []Fact
	for _, a := range o.Study.Ablations {
		doc := a.Doc
		if a.Against == "base" {
			doc += "; the base column against itself with the mechanism"
		}
		out = append(out, Fact{a.ID, stop(doc)})
	}
	return out
}
