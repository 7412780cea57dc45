package view

import (
	"fmt"

	"github.com/schedlab/schedlab/schedsim/study"
)

// A Claim is a sentence of the post with its verdict.
type Claim struct {
	Quoted string // in quotation marks
	Where  string // the rows that it speaks of: "rows 32 and 64"
	// Verdict and Reason are as the ledger has them; Ruling is both as one
	// sentence.
	Verdict, Reason, Ruling string
}

func claims(o *study.Outcome) []Claim {
	var out []Claim
	for _, c := range o.Claims {
		v := string(c.Verdict)
		if v == "" {
			v = string(study.NotRun)
		}
		ruling := v + "."
		if c.Reason != "" {
			ruling = v + "; " + stop(c.Reason)
		}
		where := "no row named"
		if len(c.Claim.Rows) > 0 {
			where = namedRows(c.Claim.Rows)
			if c.Claim.Table != "" && len(o.Study.Tables) > 1 {
				where += " of " + c.Claim.Table
			}
		}
		out = append(out, Claim{`"` + c.Claim.Text + `"`, where, v, c.Reason, ruling})
	}
	return out
}

// claimSentence says how many claims in prose came to each verdict; it is empty
// if the study has none.
func claimSentence(o *study.Outcome) string {
	n := map[study.Verdict]int{}
	for _, c := range o.Claims {
		v := c.Verdict
		if v == "" {
			v = study.NotRun
		}
		n[v]++
	}
	var clauses []string
	for _, w := range verdicts {
		if n[w.Verdict] > 0 {
			clauses = append(clauses, Count{w, n[w.Verdict]}.Text())
		}
	}
	if len(clauses) == 0 {
		return ""
	}
	return fmt.Sprintf("Of %s in prose, %s.", counted(len(o.Claims), "claim"), list(clauses))
}
