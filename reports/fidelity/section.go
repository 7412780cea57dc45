package fidelity

import (
	"fmt"
	"slices"
	"strings"

	"github.com/schedlab/schedlab/reports/markdown"
	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim/study"
)

// section is what one study came to, cell by cell.
func section(b *strings.Builder, o *study.Outcome) {
	s := o.Study
	fmt.Fprintf(b, "## %s\n\n%s, %s: %s\n\n", s.ReportID(), markdown.Escape(s.Post.Author), s.Post.Date, markdown.Escape(s.Title))
	cells(b, o)
	list(b, "Beyond noise and not reproduced", disagreements(o))
	findings(b, o)
	var notes []view.Fact
	for _, a := range o.Ablations {
		notes = append(notes, view.Fact{Label: a.Ablation.ID + ", " + s.RowName(a.Table, a.Row), Text: string(a.Verdict) + ": " + a.Reason})
	}
	list(b, "Ablations", notes)
	notes = nil
	for _, c := range o.Claims {
		notes = append(notes, view.Fact{Label: "\"" + c.Claim.Text + "\"", Text: string(c.Verdict) + ": " + c.Reason})
	}
	list(b, "Claims", notes)
	if len(o.Evidence) > 0 {
		e := view.Table{Cols: []view.Col{{Head: "held out, base kernel"}, {Head: "published", Num: true}, {Head: "simulated", Num: true}, {Head: "unit"}}}
		for _, c := range o.Evidence {
			e.Rows = append(e.Rows, []string{c.Name, view.Fixed(study.Number(c.Published), 2), view.Fixed(c.Simulated, 2), c.Unit})
		}
		b.WriteString(markdown.Table(e) + "\n\n")
	}
	if sens := o.Sensitivity; sens != nil {
		list(b, fmt.Sprintf("Sensitivity, each constant over its range (%s plan, %d runs)", sens.Plan.Mode, sens.HaveRuns), moves(s, sens))
	}
}

// list writes facts below a heading, if there are any.
func list(b *strings.Builder, heading string, facts []view.Fact) {
	if len(facts) > 0 {
		b.WriteString(heading + ":\n\n" + markdown.Facts(facts) + "\n\n")
	}
}

// cells is the table of rows, without those within noise that were not run.
func cells(b *strings.Builder, o *study.Outcome) {
	t := view.Table{Cols: []view.Col{
		{Head: "row"}, {Head: "verdict"}, {Head: "published %", Num: true}, {Head: "noise", Num: true},
		{Head: "simulated %", Num: true}, {Head: "95 % interval", Num: true}, {Head: "pairs", Num: true}, {Head: "base error %", Num: true},
	}}
	quiet := make(map[study.Verdict][]string)
	for i := range o.Cells {
		c := &o.Cells[i]
		name := o.Study.RowName(c.Table, c.Row)
		if !c.BeyondNoise() && slices.Contains([]study.Verdict{study.NotModelled, study.NotRun}, c.Verdict) {
			quiet[c.Verdict] = append(quiet[c.Verdict], name)
			continue
		}
		published := view.Signed(c.Published.Pct, 2)
		if c.Expect != "" {
			published = c.Expect
		}
		t.Rows = append(t.Rows, []string{
			name, string(c.Verdict), published, view.Fixed(study.Number(c.Noise.Pct), 2),
			view.Signed(c.Simulated.Pct, 2), view.Range(c.Simulated.CILow, c.Simulated.CIHigh, 2),
			number(c.Simulated.N), view.Signed(c.BaseErrorPct, 2),
		})
	}
	if len(t.Rows) > 0 {
		b.WriteString(markdown.Table(t) + "\n\n")
	}
	for _, v := range []study.Verdict{study.NotModelled, study.NotRun} {
		if names := quiet[v]; len(names) > 0 {
			fmt.Fprintf(b, "%d cells within noise are %s: %s.\n\n", len(names), v, markdown.Escape(strings.Join(names, ", ")))
		}
	}
}

// disagreements are the cells beyond their noise that do not come out as published.
func disagreements(o *study.Outcome) []view.Fact {
	var out []view.Fact
	for i := range o.Cells {
		c := &o.Cells[i]
		if c.BeyondNoise() && !view.WordsOf(c.Verdict).Agrees {
			out = append(out, view.Fact{Label: o.Study.RowName(c.Table, c.Row), Text: string(c.Verdict) + ": " + c.Reason})
		}
	}
	return out
}

// moves are what moves each row, and what its verdict hangs on.
func moves(s *study.Study, sens *study.Sensitivity) []view.Fact {
	var out []view.Fact
	for i := range sens.Cells {
		c := &sens.Cells[i]
		out = append(out, view.Fact{Label: s.RowName(c.Table, c.Row),
			Text: "moved by " + listed(c.Moved()) + "; the verdict hangs on " + listed(c.HangsOn())})
	}
	return out
}

// findings are what is known of why cells do not agree, and which have no reason yet.
func findings(b *strings.Builder, o *study.Outcome) {
	var unexplained []string
	cells := make(map[string][]string)
	for i := range o.Cells {
		c := &o.Cells[i]
		name := o.Study.RowName(c.Table, c.Row)
		for _, f := range c.Findings {
			cells[f.Reason] = append(cells[f.Reason], name)
		}
		if c.Unexplained() {
			unexplained = append(unexplained, name)
		}
	}
	var notes []view.Fact
	for _, f := range o.Study.Findings {
		if names := cells[f.Reason]; len(names) > 0 {
			notes = append(notes, view.Fact{Label: f.Reason, Text: f.Evidence + ". Cells: " + strings.Join(names, ", ")})
		}
	}
	list(b, "What is known of why", notes)
	if len(unexplained) > 0 {
		fmt.Fprintf(b, "Of %d cells beyond noise the reason is not known: %s.\n\n", len(unexplained), markdown.Escape(strings.Join(unexplained, ", ")))
	}
}
