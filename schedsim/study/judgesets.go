package study

import (
	"fmt"
	"math"
	"strings"
)

// Ruling is a verdict over an ensemble of constant sets.
type Ruling struct {
	Verdict Verdict
	Reason  string // one sentence
	// Agreement is the share of sets that come to Verdict, or, if that is
	// Unidentified, to the most frequent one.
	Agreement Number
	// Deciding is, for Unidentified, the constant whose rank correlation Rho
	// with the effect over the sets is largest in size; "" if none varies.
	Deciding string
	Rho      Number
}

// ballot is what one constant set comes to. Two phantoms of opposite signs do
// not agree; of the other verdicts the published effect gives the sign, or
// there is none.
type ballot struct {
	verdict Verdict
	sign    int // of a Phantom, -1 or 1; or else 0
}

func newBallot(v Verdict, iv Interval) ballot {
	b := ballot{verdict: v}
	if v == Phantom {
		b.sign = 1
		if iv.Pct < 0 {
			b.sign = -1
		}
	}
	return b
}

func (b ballot) String() string {
	switch b.sign {
	case 1:
		return string(b.verdict) + " (up)"
	case -1:
		return string(b.verdict) + " (down)"
	}
	return string(b.verdict)
}

// ballots is the order in which ballots are listed; the first of equally
// frequent ones wins.
var ballots = []ballot{
	{Reproduced, 0}, {Direction, 0}, {AgreesOnNone, 0}, {Missed, 0},
	{Phantom, 1}, {Phantom, -1}, {Contradicted, 0}, {Undecided, 0}, {NotModelled, 0},
}

// JudgeEnsemble judges each constant set by Judge and lets only a verdict
// stand that at least 90 % of them come to, with the same sign; otherwise the
// cell is Unidentified and the constant that it hangs on is named. PerSet has
// the effect of each set, in the order of sets, whose values are named by
// names; overall is the effect over all of them and is used in the reason.
// Sets without an interval have no vote; if there are no others the verdict is
// NotRun.
func JudgeEnsemble(published Effect, noise Noise, overall Interval, perSet []Interval, better string, names []string, sets [][]float64) Ruling {
	return judgeSets(ruleOf(published, noise, better), overall, perSet, names, sets)
}

// rule judges an interval, and words the figures that a verdict rests on.
type rule struct {
	judge   func(Interval) (Verdict, string)
	figures func(Interval) string
}

// ruleOf is the rule for a published effect.
func ruleOf(published Effect, noise Noise, better string) rule {
	return rule{
		judge:   func(iv Interval) (Verdict, string) { return Judge(published, noise, iv, better) },
		figures: func(iv Interval) string { return figures(published, noise, iv) },
	}
}

// ruleOfClaim is the rule for a claim that says which way, and not how much.
func ruleOfClaim(expect, better string) rule {
	return rule{
		judge:   func(iv Interval) (Verdict, string) { return judgeDirection(expect, iv, better) },
		figures: func(iv Interval) string { return claimFigures(expect, iv) },
	}
}

// judgeSets lets each set vote; see JudgeEnsemble.
func judgeSets(rule rule, overall Interval, perSet []Interval, names []string, sets [][]float64) Ruling {
	votes := make(map[ballot]int)
	total := 0
	var last Ruling
	for _, iv := range perSet {
		if !iv.decidable() {
			continue
		}
		last.Verdict, last.Reason = rule.judge(iv)
		votes[newBallot(last.Verdict, iv)]++
		total++
	}
	switch total {
	case 0:
		overall.CILow, overall.CIHigh = NotMeasured, NotMeasured
		v, reason := rule.judge(overall)
		return Ruling{Verdict: v, Reason: reason, Agreement: NotMeasured, Rho: NotMeasured}
	case 1:
		return Ruling{Verdict: last.Verdict, Reason: last.Reason + " (one constant set only)", Agreement: 1, Rho: NotMeasured}
	}
	top := winner(votes)
	r := Ruling{Verdict: top.verdict, Agreement: Number(float64(votes[top]) / float64(total)), Rho: NotMeasured}
	numbers := rule.figures(overall)
	if agree(votes[top], total) {
		r.Reason = fmt.Sprintf("%s: %s in %d of %d constant sets", numbers, meaning(top.verdict), votes[top], total)
		return r
	}
	if undecided := votes[ballot{verdict: Undecided}]; undecided > 0 && agree(settled(votes)+undecided, total) {
		r.Verdict, r.Agreement = Undecided, Number(float64(undecided)/float64(total))
		r.Reason = fmt.Sprintf("%s: %s in %d of %d constant sets; more runs are needed", numbers, meaning(Undecided), undecided, total)
		return r
	}
	r.Verdict = Unidentified
	r.Deciding, r.Rho = deciding(perSet, names, sets)
	r.Reason = fmt.Sprintf("%s: the %d constant sets disagree (%s)", numbers, total, tally(votes))
	if r.Deciding != "" {
		r.Reason += fmt.Sprintf(", and it hangs on %s (rank correlation %+.2f with the effect)", r.Deciding, float64(r.Rho))
	}
	return r
}

// agree reports whether so many of the sets are enough for a verdict.
func agree(votes, total int) bool { return 100*votes >= agreementPct*total }

// settled is how many sets come to the most frequent verdict that runs can settle.
func settled(votes map[ballot]int) int {
	most := 0
	for _, b := range ballots {
		if b.verdict != Undecided {
			most = max(most, votes[b])
		}
	}
	return most
}

// winner is the most frequent ballot.
func winner(votes map[ballot]int) ballot {
	var top ballot
	for _, b := range ballots {
		if votes[b] > votes[top] {
			top = b
		}
	}
	return top
}

// tally lists ballots with their number of sets.
func tally(votes map[ballot]int) string {
	var parts []string
	for _, b := range ballots {
		if votes[b] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", votes[b], b))
		}
	}
	return strings.Join(parts, ", ")
}

// meaning words a verdict that most sets come to.
func meaning(v Verdict) string {
	switch v {
	case Reproduced:
		return "sign and size agree"
	case Direction:
		return "the sign agrees, the size does not"
	case AgreesOnNone:
		return "neither is an effect"
	case Missed:
		return "the simulation shows no effect"
	case Phantom:
		return "the simulation shows an effect where the published difference is within its noise"
	case Undecided:
		return "the interval holds both no effect and an effect"
	case Contradicted:
		return "the signs are opposite"
	}
	return string(v)
}

// deciding finds the constant that orders the effects best. A name that is empty is of
// a constant that the row does not have: with a few sets some constant of another
// workload orders any effects by chance.
func deciding(perSet []Interval, names []string, sets [][]float64) (string, Number) {
	best, bestRho := "", NotMeasured
	for j, name := range names {
		if name == "" {
			continue
		}
		var x, y []float64
		for k, iv := range perSet {
			if iv.Pct.Measured() && k < len(sets) && j < len(sets[k]) {
				x = append(x, sets[k][j])
				y = append(y, float64(iv.Pct))
			}
		}
		rho := Spearman(x, y)
		if math.IsNaN(rho) {
			continue
		}
		if best == "" || math.Abs(rho) > math.Abs(float64(bestRho)) {
			best, bestRho = name, Number(rho)
		}
	}
	return best, bestRho
}
