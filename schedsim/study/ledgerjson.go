package study

// LedgerCell is one cell of the ledger in its JSON form. Figures that are
// missing are null.
type LedgerCell struct {
	Study     string          `json:"study"`
	Table     string          `json:"table"`
	Machine   string          `json:"machine"`
	Row       string          `json:"row"`
	Metric    string          `json:"metric"`
	Unit      string          `json:"unit"`
	Better    string          `json:"better"`
	Published LedgerEffect    `json:"published"`
	Noise     LedgerNoise     `json:"noise"`
	Simulated LedgerSimulated `json:"simulated"`
	Verdict   Verdict         `json:"verdict"`
	Reason    string          `json:"reason"`
	// Findings is what is known of why the cell does not agree.
	Findings []LedgerFinding `json:"findings,omitempty"`
}

// LedgerFinding is a Finding.
type LedgerFinding struct {
	Reason   string `json:"reason"`
	Evidence string `json:"evidence"`
}

// LedgerEffect is a pair of columns and the percentage between them.
type LedgerEffect struct {
	Base    Number `json:"base"`
	Patched Number `json:"patched"`
	Pct     Number `json:"pct"`
}

// LedgerNoise is the published effect's noise; its source says if it is
// assumed.
type LedgerNoise struct {
	Pct    Number `json:"pct"`
	Source string `json:"source"`
}

// LedgerSimulated is the simulated effect with its 95 % interval.
type LedgerSimulated struct {
	LedgerEffect
	CILow    Number `json:"ci_low"`
	CIHigh   Number `json:"ci_high"`
	N        int    `json:"n"`        // paired runs
	Ensemble int    `json:"ensemble"` // constant sets
}

// claimTable is the table that claims in prose are listed under.
const claimTable = "claims"

// LedgerJSON lists all cells of the outcomes, and after those of each study its
// claims in prose: these are in the table "claims", have the claim's text as
// their row, no metric and no figures. The list is never nil.
func LedgerJSON(outcomes []*Outcome) []LedgerCell {
	cells := []LedgerCell{}
	for _, o := range outcomes {
		for _, c := range o.Cells {
			cells = append(cells, LedgerCell{
				Study:     c.Study,
				Table:     c.Table,
				Machine:   c.Machine,
				Row:       c.Row,
				Metric:    c.Metric,
				Unit:      c.Unit,
				Better:    c.Better,
				Published: LedgerEffect(c.Published),
				Noise:     LedgerNoise{Number(c.Noise.Pct), c.Noise.Source},
				Simulated: LedgerSimulated{
					LedgerEffect: LedgerEffect(c.Simulated.Effect),
					CILow:        c.Simulated.CILow,
					CIHigh:       c.Simulated.CIHigh,
					N:            c.Simulated.N,
					Ensemble:     c.Simulated.Ensemble,
				},
				Verdict:  c.Verdict,
				Reason:   c.Reason,
				Findings: ledgerFindings(c.Findings),
			})
		}
		for _, c := range o.Claims {
			cells = append(cells, LedgerCell{
				Study:     o.Study.ID,
				Table:     claimTable,
				Machine:   o.Study.Machine,
				Row:       c.Claim.Text,
				Better:    claimBetter(o.Study, c.Claim),
				Published: LedgerEffect(notMeasuredEffect),
				Noise:     LedgerNoise{Pct: NotMeasured},
				Simulated: LedgerSimulated{
					LedgerEffect: LedgerEffect(notMeasuredEffect),
					CILow:        NotMeasured,
					CIHigh:       NotMeasured,
				},
				Verdict: c.Verdict,
				Reason:  c.Reason,
			})
		}
	}
	return cells
}

func ledgerFindings(findings []Finding) []LedgerFinding {
	var out []LedgerFinding
	for _, f := range findings {
		out = append(out, LedgerFinding{f.Reason, f.Evidence})
	}
	return out
}

func claimBetter(s *Study, c Claim) string {
	if t := s.claimTable(c); t != nil {
		return t.Better
	}
	return ""
}
