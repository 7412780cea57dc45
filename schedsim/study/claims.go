package study

import (
	"fmt"
	"strings"
)

// What a claim can expect of its rows.
const (
	expectUp         = "up"           // at least one improves
	expectNoneOrDown = "none-or-down" // none improves
)

// JudgeClaims holds the claims of a study to its simulated cells, by the same
// rule for what an effect is (see Judge) and the same share of the ensemble
// (see JudgeEnsemble).
//
// "up" is Reproduced if a row improves, Contradicted if none does and one
// regresses, and Missed if nothing happens. "none-or-down" is Contradicted if a
// row improves; otherwise it holds, and is Reproduced if a row regresses and
// AgreesOnNone if nothing happens. A row whose interval holds 0 and effects of over
// 1 point as well leaves either Undecided, unless another row settles it. If under 90 % of the constant sets agree
// the claim is Unidentified. A claim whose rows were not run is NotRun, unless
// those that were already decide it.
func JudgeClaims(s *Study, cells []Cell) []ClaimCell {
	out := make([]ClaimCell, len(s.Claims))
	for i, c := range s.Claims {
		better := ""
		if t := s.claimTable(c); t != nil {
			better = t.Better
		}
		out[i] = judgeClaim(c, better, claimed(s.claimTable(c), c, cells))
	}
	return out
}

// claimTable is the table that a claim is about, or nil.
func (s *Study) claimTable(c Claim) *Table {
	if c.Table == "" && len(s.Tables) == 1 {
		return &s.Tables[0]
	}
	return s.Table(c.Table)
}

// claimed picks the cells that a claim speaks of, in the claim's order.
func claimed(t *Table, c Claim, cells []Cell) []Cell {
	var out []Cell
	for _, key := range c.Rows {
		for _, cell := range cells {
			if cell.Row == key && (t == nil || cell.Table == t.ID) {
				out = append(out, cell)
			}
		}
	}
	return out
}

func judgeClaim(c Claim, better string, cells []Cell) ClaimCell {
	sets := 0
	for _, cell := range cells {
		sets = max(sets, len(cell.PerSet))
	}
	votes := make(map[ballot]int)
	total := 0
	for k := range sets {
		v := claimBySet(c, better, cells, k)
		if v != NotRun {
			votes[ballot{verdict: v}]++
			total++
		}
	}
	rows := claimRows(cells)
	if total == 0 {
		return ClaimCell{c, NotRun, "too few runs of rows " + strings.Join(c.Rows, ", ") + " to tell; run them"}
	}
	// Both of these mean that the claim holds: the vote is on that first.
	holds := votes[ballot{verdict: Reproduced}] + votes[ballot{verdict: AgreesOnNone}]
	if c.Expect == expectNoneOrDown && agree(holds, total) {
		verdict := AgreesOnNone
		if agree(votes[ballot{verdict: Reproduced}], total) {
			verdict = Reproduced
		}
		return ClaimCell{c, verdict, fmt.Sprintf("%s: no row improves in %d of %d constant sets", rows, holds, total)}
	}
	undecided := votes[ballot{verdict: Undecided}]
	settled := settled(votes)
	if c.Expect == expectNoneOrDown {
		settled = max(settled, holds)
	}
	top := winner(votes)
	if !agree(votes[top], total) && undecided > 0 && agree(settled+undecided, total) {
		return ClaimCell{c, Undecided, fmt.Sprintf("%s: %s in %d of %d constant sets", rows, claimFinding(c.Expect, Undecided), undecided, total)}
	}
	if !agree(votes[top], total) {
		return ClaimCell{c, Unidentified, fmt.Sprintf("%s: the %d constant sets disagree (%s)", rows, total, tally(votes))}
	}
	return ClaimCell{c, top.verdict, fmt.Sprintf("%s: %s in %d of %d constant sets", rows, claimFinding(c.Expect, top.verdict), votes[top], total)}
}

// claimBySet is the verdict of one constant set.
func claimBySet(c Claim, better string, cells []Cell, set int) Verdict {
	up, down, wide, measured := false, false, false, 0
	for _, cell := range cells {
		if set >= len(cell.PerSet) || !cell.PerSet[set].decidable() {
			continue
		}
		measured++
		iv := cell.PerSet[set]
		if !iv.isEffect() {
			wide = wide || iv.holdsZeroAndBeyond(tolerancePct)
			continue
		}
		if (iv.Pct > 0) == (better != "lower") {
			up = true
		} else {
			down = true
		}
	}
	complete := measured == len(c.Rows)
	if c.Expect == expectNoneOrDown {
		switch {
		case up:
			return Contradicted
		case !complete:
			return NotRun
		case wide:
			return Undecided
		case down:
			return Reproduced
		}
		return AgreesOnNone
	}
	switch {
	case up:
		return Reproduced
	case !complete:
		return NotRun
	case wide:
		return Undecided
	case down:
		return Contradicted
	}
	return Missed
}

// claimRows lists the effects that a claim rests on, published and simulated,
// and says of which the post's own table is beyond its noise.
func claimRows(cells []Cell) string {
	var parts []string
	for _, c := range cells {
		p := fmt.Sprintf("row %s published %+.2f %%", c.Row, float64(c.Published.Pct))
		if beyond(c.Published, c.Noise) {
			p += " (beyond its noise)"
		} else {
			p += " (within its noise)"
		}
		if c.Simulated.Pct.Measured() {
			p += fmt.Sprintf(" simulated %+.2f %%", float64(c.Simulated.Pct))
		} else {
			p += " not simulated"
		}
		parts = append(parts, p)
	}
	return strings.Join(parts, ", ")
}

// claimFinding words what was seen of a claim.
func claimFinding(expect string, v Verdict) string {
	switch {
	case v == Missed:
		return "no row changes"
	case v == Undecided:
		return "an interval holds 0 and effects of over 1 point as well, more runs are needed,"
	case v == Contradicted && expect == expectUp:
		return "no row improves and at least one regresses"
	}
	return "at least one row improves"
}
