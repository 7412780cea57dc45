package view

import "github.com/schedlab/schedlab/schedsim/study"

// evidence lists published figures of the base kernel that nothing was fitted
// to, beside the simulated ones.
func evidence(o *study.Outcome, table string) Table {
	out := Table{Cols: []Col{text("base kernel"), num("published"), num("simulated"), text("unit"), text("counted")}}
	for _, e := range o.Evidence {
		if e.Table != table {
			continue
		}
		out.Rows = append(out.Rows, []string{e.Name, Fixed(study.Number(e.Published), 2), Fixed(e.Simulated, 2), e.Unit, e.Doc})
	}
	return out
}

// EvidenceSources says where each published figure of Evidence is from.
func (s *Section) EvidenceSources() []Fact {
	var facts []Fact
	for _, e := range s.evidence {
		facts = append(facts, Fact{e.Name, sourced(e.Source)})
	}
	return facts
}
