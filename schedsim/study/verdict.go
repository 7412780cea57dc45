package study

import (
	"fmt"
	"math"
)

// The figures of Judge's rule.
const (
	// minEffectPct is the smallest simulated effect that counts. Under
	// common random numbers enough runs make the interval of any non-zero
	// effect exclude zero; no one could measure a tenth of a percent on
	// the machine itself, where the calmest published row differs by 0.6 %
	// between two measurements of the same kernel.
	minEffectPct = 0.5
	// toleranceShare of the published effect is how far the simulated one
	// may be off to be reproduced.
	toleranceShare = 0.25
	// tolerancePct is the least tolerance, in percentage points.
	tolerancePct = 1.0
	// agreementPct is how many of the constant sets of an ensemble must
	// come to a verdict for it to stand, percent; see JudgeEnsemble.
	agreementPct = 90
)

// Judge compares a published with a simulated effect by a rule that knows
// neither beforehand. It first decides of each whether it is an effect at all:
//
//   - the published one is if |pct| > noise,
//   - the simulated one is if its 95 % interval excludes 0 and |pct| >= 0.5.
//
// Neither is: AgreesOnNone. The published alone: Missed. Both are Undecided
// instead where the simulated interval holds 0 and is so wide that it holds an
// effect as well: the published one where there is one, or else one beyond its
// noise (and beyond 1 point). The simulated alone:
// Phantom. Both with opposite signs: Contradicted. Both with the same sign:
// Reproduced if they differ by no more than the largest of 25 % of the
// published effect, the noise plus the interval's half-width, and 1 point, or
// else Direction. So nothing within the published noise is ever reproduced.
//
// Better is "higher" or "lower"; it words the reason, which is one sentence,
// and does not change the verdict. Without a simulated interval, as from a
// single run, the verdict is NotRun.
func Judge(published Effect, noise Noise, sim Interval, better string) (Verdict, string) {
	if !published.Pct.Measured() {
		return NotModelled, "nothing is published to compare with"
	}
	if !sim.decidable() {
		return NotRun, fmt.Sprintf("too few paired runs (%d) for an interval; run at least two with a constant set", sim.N)
	}
	dp, ds := float64(published.Pct), float64(sim.Pct)
	isPublished, isSimulated := beyond(published, noise), sim.isEffect()
	figures := figures(published, noise, sim)
	switch {
	case isPublished && sim.holdsZeroAnd(dp):
		return Undecided, figures + ": the interval holds 0 and the published effect as well; more runs are needed"
	case !isPublished && sim.holdsZeroAndBeyond(noise.Pct):
		return Undecided, figures + ": the interval holds 0 and effects beyond the noise as well; more runs are needed"
	case !isPublished && !isSimulated:
		return AgreesOnNone, figures + ": neither is an effect"
	case isPublished && !isSimulated:
		return Missed, figures + ": the simulation shows no effect (" + sim.whyNone() + ")"
	case !isPublished && isSimulated:
		reason := figures + ": the simulation shows " + wording(ds, better) + " where the published difference is within its noise"
		if math.Abs(ds-dp) <= noise.Pct {
			reason += ", which does not exclude it"
		}
		return Phantom, reason
	case math.Signbit(dp) != math.Signbit(ds):
		return Contradicted, fmt.Sprintf("%s: the post has %s, the simulation %s", figures, wording(dp, better), wording(ds, better))
	}
	tolerance := max(toleranceShare*math.Abs(dp), noise.Pct+sim.halfWidth(), tolerancePct)
	off := math.Abs(ds - dp)
	if off <= tolerance {
		return Reproduced, fmt.Sprintf("%s: both have %s, %.2f points apart where %.2f are allowed", figures, wording(dp, better), off, tolerance)
	}
	return Direction, fmt.Sprintf("%s: both have %s, but %.2f points apart where %.2f are allowed", figures, wording(dp, better), off, tolerance)
}

// judgeDirection holds a simulated effect to a claim that says which way and not
// how much: Reproduced if it is an effect that way, Contradicted if it is one the
// other way, and Missed if it is none, or Undecided if its interval holds 0 and
// effects of over 1 point as well.
func judgeDirection(expect string, sim Interval, better string) (Verdict, string) {
	if !sim.decidable() {
		return NotRun, fmt.Sprintf("too few paired runs (%d) for an interval; run at least two with a constant set", sim.N)
	}
	text := claimFigures(expect, sim)
	switch {
	case sim.holdsZeroAndBeyond(tolerancePct):
		return Undecided, text + ": the interval holds 0 and effects of over 1 point as well; more runs are needed"
	case !sim.isEffect():
		return Missed, text + ": the simulation shows no effect (" + sim.whyNone() + ")"
	case signOf(float64(sim.Pct)) == expectedSign(expect, better):
		return Reproduced, text + ": " + claimWording(expect, float64(sim.Pct), better) + ", as claimed"
	}
	return Contradicted, text + ": " + claimWording(expect, float64(sim.Pct), better) + ", which is the opposite"
}

// claimFigures opens the reason of a claim without a figure.
func claimFigures(expect string, sim Interval) string {
	text := fmt.Sprintf("claimed %s, simulated %+.2f %%", expect, float64(sim.Pct))
	if sim.decidable() {
		text += " " + bounds(sim)
	}
	return text
}

// beyond reports whether a published effect is beyond its noise.
func beyond(published Effect, noise Noise) bool {
	return math.Abs(float64(published.Pct)) > noise.Pct
}

// decidable reports whether the effect has an interval.
func (iv Interval) decidable() bool {
	return iv.Pct.Measured() && iv.CILow.Measured() && iv.CIHigh.Measured()
}

// isEffect reports whether the simulated effect counts as one.
func (iv Interval) isEffect() bool {
	return iv.excludesZero() && math.Abs(float64(iv.Pct)) >= minEffectPct
}

func (iv Interval) excludesZero() bool { return iv.CILow > 0 || iv.CIHigh < 0 }

// holds reports whether the interval holds an effect, percent.
func (iv Interval) holds(pct float64) bool {
	return float64(iv.CILow) <= pct && pct <= float64(iv.CIHigh)
}

// holdsZeroAnd reports whether the interval holds both no effect and this one.
func (iv Interval) holdsZeroAnd(pct float64) bool { return iv.holds(0) && iv.holds(pct) }

// holdsZeroAndBeyond reports whether the interval holds no effect and also effects
// larger than size, or than the least tolerance where that is larger.
func (iv Interval) holdsZeroAndBeyond(size float64) bool {
	size = max(size, tolerancePct)
	return iv.holds(0) && (float64(iv.CILow) < -size || float64(iv.CIHigh) > size)
}

func (iv Interval) halfWidth() float64 { return float64(iv.CIHigh-iv.CILow) / 2 }

// whyNone says what keeps the effect from counting.
func (iv Interval) whyNone() string {
	if iv.excludesZero() {
		return fmt.Sprintf("it is under %.1f %%", minEffectPct)
	}
	return "its interval includes 0"
}

// figures opens each reason with the numbers it rests on.
func figures(published Effect, noise Noise, sim Interval) string {
	text := fmt.Sprintf("published %+.2f %% (noise +-%.2f), simulated %+.2f %%",
		float64(published.Pct), noise.Pct, float64(sim.Pct))
	if sim.decidable() {
		text += " " + bounds(sim)
	}
	return text
}

// claimWording names the sign of an effect in the claim's terms: a counter that is
// claimed to go up is neither better nor worse.
func claimWording(expect string, pct float64, better string) string {
	switch {
	case expect != expectUp && expect != expectDown:
		return wording(pct, better)
	case pct > 0:
		return "a rise"
	}
	return "a fall"
}

// wording names the sign of an effect.
func wording(pct float64, better string) string {
	if (pct > 0) == (better != "lower") {
		return "an improvement"
	}
	return "a regression"
}
