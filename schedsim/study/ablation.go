package study

import "fmt"

// What an ablation compares.
const (
	againstPatch = "patch" // both columns, without the mechanism
	againstBase  = "base"  // the base column without and with the mechanism
)

// arms are what is run of an ablation.
func (a *Ablation) arms() []string {
	if a.Against == againstBase {
		return []string{ArmBase}
	}
	return []string{ArmBase, ArmPatched}
}

// AblationCell is what a row does with a mechanism switched off.
type AblationCell struct {
	Ablation Ablation
	Table    string
	Row      string
	// Effect is of the patch without the mechanism, or of taking the mechanism
	// away from base, see Ablation.Against.
	Effect Interval
	// With is the effect of the patch with the mechanism, to be held against it.
	With Interval
	// Identical: every run gave the very figure of the one it is paired with.
	Identical bool
	Verdict   Verdict
	Reason    string
}

// judge holds the effect to what is expected.
func (c *AblationCell) judge(better string) {
	if !c.Effect.decidable() {
		c.Verdict, c.Reason = NotRun, "too few paired runs of the ablation for an interval"
		return
	}
	figures := fmt.Sprintf("%+.2f %% %s", float64(c.Effect.Pct), bounds(c.Effect))
	if c.Identical {
		figures = "the same to the last digit"
	}
	want := expectedSign(c.Ablation.Expect, better)
	got := 0
	if c.Effect.isEffect() {
		got = signOf(float64(c.Effect.Pct))
	}
	switch {
	case got == 0 && c.wide():
		c.Verdict, c.Reason = Undecided, figures+": the interval holds 0 and the effect with the mechanism as well; more runs are needed"
	case got == want && want == 0:
		c.Verdict, c.Reason = Reproduced, figures+": no effect without it, as it must be"
	case got == want:
		c.Verdict, c.Reason = Reproduced, figures+": "+wording(float64(c.Effect.Pct), better)+", as expected"
	case want == 0:
		c.Verdict, c.Reason = Contradicted, figures+": an effect remains without the mechanism, so something else makes it"
	case got == 0:
		c.Verdict, c.Reason = Missed, figures+": switching the mechanism off does nothing"
	default:
		c.Verdict, c.Reason = Contradicted, figures+": the opposite of what is expected"
	}
}

// wide reports whether the interval is too wide to tell that the effect is gone: it
// holds 0 and the effect with the mechanism or, where that is none, effects of over
// 1 point.
func (c *AblationCell) wide() bool {
	if c.Ablation.Expect == expectNone && c.With.decidable() && c.With.isEffect() {
		return c.Effect.holdsZeroAnd(float64(c.With.Pct))
	}
	return c.Effect.holdsZeroAndBeyond(tolerancePct)
}

// What a row, a claim or an ablation can expect of one effect.
const (
	expectNone   = "none"
	expectDown   = "down"
	expectBetter = "better"
	expectWorse  = "worse"
)

var expectations = []string{expectUp, expectDown, expectBetter, expectWorse, expectNone}

// expectedSign is the sign of the change of the value that is expected.
func expectedSign(expect, better string) int {
	good := 1
	if better == "lower" {
		good = -1
	}
	switch expect {
	case expectUp:
		return 1
	case expectDown:
		return -1
	case expectBetter:
		return good
	case expectWorse:
		return -good
	}
	return 0
}

func signOf(v float64) int {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}
