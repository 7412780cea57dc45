package study

import (
	"os"
	"strings"
	"testing"
)

// TestFindings: a finding is beside the cells and the verdicts that it is about.
func TestFindings(t *testing.T) {
	s := withEnsemble(t, 2)
	for i := range s.Tables[0].Rows {
		r := &s.Tables[0].Rows[i]
		r.Patched, r.Pct, r.Noise.Pct = r.Base*1.12, 12, 1
	}
	missed := Finding{Cells: []string{"64", "128"}, Verdicts: []Verdict{Missed}, Reason: "a mechanism is missing", Evidence: "an ablation"}
	contradicted := Finding{Cells: []string{s.Tables[0].ID}, Verdicts: []Verdict{Contradicted}, Reason: "another", Evidence: "a source"}
	s.Findings = []Finding{missed, contradicted}
	plan := testPlan(3, 2)
	runner := &fakeRunner{study: s, effect: func(j Job) float64 {
		switch j.Row {
		case "64":
			return 0
		case "256":
			return -12
		case "8":
			return 0
		}
		return 12
	}}
	o, err := Build(s, plan, fill(t, s, plan, runner), testIdentity)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		row         string
		verdict     Verdict
		findings    string
		unexplained bool
	}{
		{"64", Missed, "a mechanism is missing", false},
		{"8", Missed, "", true},
		{"128", Reproduced, "", false},
		{"256", Contradicted, "another", false},
	} {
		c := cellOf(t, o, tt.row)
		got := ""
		for _, f := range c.Findings {
			got += f.Reason
		}
		if c.Verdict != tt.verdict || got != tt.findings || c.Unexplained() != tt.unexplained {
			t.Errorf("row %s: %s, findings %q, unexplained %v", tt.row, c.Verdict, got, c.Unexplained())
		}
	}
}

// TestBadFindings: what a finding refers to has to be there.
func TestBadFindings(t *testing.T) {
	data, err := os.ReadFile(fixtureFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ finding, want string }{
		{`{cells: ["65"], reason: a, evidence: b}`, `no table and no row`},
		{`{cells: ["64"], reason: a}`, `needs cells, a reason and evidence`},
		{`{reason: a, evidence: b}`, `needs cells, a reason and evidence`},
		{`{cells: ["64"], verdicts: [reproduced], reason: a, evidence: b}`, `no finding explains "reproduced"`},
	} {
		_, err := Parse("study.yaml", []byte(string(data)+"\nfindings:\n  - "+tt.finding+"\n"))
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "study.yaml:") {
			t.Errorf("%s: %v", tt.finding, err)
		}
	}
}
