package view

import (
	"fmt"

	"github.com/schedlab/schedlab/schedsim/study"
)

// caption names the tables of a section. Those that a report has of all rows are
// about rows of the given name, the others about one table of the study.
func (s *Section) caption(o *study.Outcome) {
	of := ""
	if len(o.Study.Tables) == 1 {
		of = " of " + o.Study.Tables[0].ID
	}
	if s.own() {
		by := " by " + rowName(s.Table)
		s.Comparison.name(s.Table.ID, "Published and simulated effect of the patch"+by+": "+s.Table.ID)
		s.Evidence.name("held-out/"+s.Table.ID, "Published figures of the base kernel that nothing was fitted to: "+s.Table.ID)
	}
	if s.own() && len(o.Study.Tables) > 1 {
		return // the rest is in the report's topics
	}
	for _, t := range []struct {
		table       *Table
		id, caption string
	}{
		{&s.Intervals, "effects", "Effects with what their verdicts rest on, row by row" + of},
		{&s.Direct, "decisions", "How often the changed line decided otherwise, row by row" + of},
		{&s.Counters, "rates", "What the scheduler did, row by row" + of},
		{&s.Trace, "changes", "Figures that change most between the columns, row by row" + of},
		{&s.Spreads, "spread", "Distribution of the runs, row by row" + of},
		{&s.Controls, "control", "Base against base under another seed, row by row" + of},
		{&s.BaseErrors, "base-column", "Base column, published and simulated, row by row" + of},
		{&s.BySet, "constant-sets", "Effect over the constant sets, row by row" + of},
	} {
		t.table.name(t.id, t.caption)
	}
}

// own reports whether the section is about one table of the study, and not about
// the rows of all.
func (s *Section) own() bool { return s.Table.ID != "" }

func (t *Table) name(id, caption string) { t.ID, t.Caption = id, caption }

// caption names the tables that are not of a section.
func (r *Report) caption() {
	r.Ablations.name("ablations", "Rows with a mechanism switched off")
	if o := r.Outcome.Sensitivity; o != nil {
		r.Sensitivity.name("sensitivity", fmt.Sprintf("Which constants move each row, and which its verdict hangs on (%s plan, %d runs)", o.Plan.Mode, o.HaveRuns))
	}
	r.Constants.name("constants", "Constants of the model that the study sets")
	for i := range r.Histories {
		h := &r.Histories[i]
		h.Table.name("pasts/"+h.Row, "Row "+h.Row+" from other pasts")
	}
	for _, s := range r.Sections {
		s.caption(r.Outcome)
	}
	for _, s := range r.Topics {
		if !s.own() {
			s.caption(r.Outcome)
		}
	}
}
