package study

import "fmt"

// Rule is the rule by which a cell gets its verdict, in words: one paragraph of
// plain text for a report. Its figures are those that Judge and JudgeEnsemble
// use.
func Rule() string {
	return fmt.Sprintf("A published difference is an effect if it is larger than its noise; "+
		"where nothing is published to tell the noise from, %d %% is assumed. "+
		"A simulated difference is an effect if its 95 %% interval excludes 0 and it is at least %g %%. "+
		"Neither is an effect: %s. The published one alone: %s. "+
		"Both are %s instead while the simulated interval holds 0 and is so wide that it holds the published effect as well, "+
		"or where none is published one beyond the noise. The simulated one alone: %s. "+
		"Both, of opposite signs: %s. "+
		"Both, of the same sign: %s if they differ by no more than the largest of %g %% of the published effect, "+
		"the noise and the interval's half-width together, and %.1f percentage points; %s if they differ by more. "+
		"A claim that says only which way: %s by a simulated effect that way, %s without one, %s by one the other way; "+
		"the range of a claim is taken for its middle with half of its width as noise. "+
		"Each constant set of the ensemble is judged by itself. "+
		"A verdict that at least %d %% of the sets come to stands; if there is none, the cell is %s, "+
		"or %s if those that are undecided could make it stand. "+
		"A cell that no constant moves over its range is %s instead of %s. "+
		"The verdict %s was added after first results had been seen: it takes verdicts of none away and gives none of the others.",
		assumedNoisePct, minEffectPct,
		AgreesOnNone, Missed, Undecided, Phantom, Contradicted,
		Reproduced, 100*toleranceShare, tolerancePct, Direction,
		Reproduced, Missed, Contradicted,
		agreementPct, Unidentified, Undecided, Unfalsifiable, Reproduced, Undecided)
}
