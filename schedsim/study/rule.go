package study

import "fmt"

// Rule is the rule by which a cell gets its verdict, in words: one paragraph of
// plain text for a report. Its figures are those that Judge and JudgeEnsemble
// use.
func Rule() string {
	return fmt.Sprintf("A published difference is an effect if it is larger than its noise; "+
		"where nothing is published to tell the noise from, %d %% is assumed. "+
		"A simulated difference is an effect if its 95 %% interval excludes 0 and it is at least %g %%. "+
		"Neither is an effect: %s. The published one alone: %s. The simulated one alone: %s. "+
		"Both, of opposite signs: %s. "+
		"Both, of the same sign: %s if they differ by no more than the largest of %g %% of the published effect, "+
		"the noise and the interval's half-width together, and %.1f percentage points; %s if they differ by more. "+
		"A claim that says only which way: %s by a simulated effect that way, %s without one, %s by one the other way; "+
		"the range of a claim is taken for its middle with half of its width as noise. "+
		"Each constant set of the ensemble is judged by itself. "+
		"A verdict that at least %d %% of the sets come to stands; if there is none, the cell is %s. "+
		"A cell that no constant moves over its range is %s instead of %s.",
		assumedNoisePct, minEffectPct,
		AgreesOnNone, Missed, Phantom, Contradicted,
		Reproduced, 100*toleranceShare, tolerancePct, Direction,
		Reproduced, Missed, Contradicted,
		agreementPct, Unidentified, Unfalsifiable, Reproduced)
}
