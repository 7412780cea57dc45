package view

import (
	"strconv"

	"github.com/schedlab/schedlab/schedsim/study"
)

// Tone groups verdicts for colour. The verdict's text always stands beside
// the colour.
type Tone string

// The tones, as used in the class names of the HTML form.
const (
	Good    Tone = "good"    // the published effect came out
	Partial Tone = "partial" // part of it did
	Neutral Tone = "neutral" // nothing was published, nothing came out
	Bad     Tone = "bad"     // the model is at odds with the post
	Open    Tone = "open"    // the model cannot say
	Off     Tone = "off"     // nothing was compared
)

// Words are how a verdict is written in a sentence.
type Words struct {
	Verdict study.Verdict
	// One and Many follow a count: "1 is missed", "3 are missed".
	One, Many string
	Meaning   string
	Tone      Tone
	// Agrees says that the cell counts as agreeing with the post.
	Agrees bool
}

// verdicts are in the order in which a report counts them.
var verdicts = []Words{
	{study.Reproduced, "is reproduced", "are reproduced",
		"same sign as published, and the sizes differ by no more than the rule allows", Good, true},
	{study.Direction, "has the published direction but not the size", "have the published direction but not the size",
		"same sign as published, both beyond noise, but the size is off", Partial, false},
	{study.AgreesOnNone, "agrees on none", "agree on none",
		"neither the published nor the simulated difference is beyond noise", Neutral, true},
	{study.Missed, "is missed", "are missed",
		"the published effect is beyond noise, the simulated one is not", Bad, false},
	{study.Phantom, "is a phantom", "are phantoms",
		"the simulated effect is beyond noise, the published one is not", Bad, false},
	{study.Contradicted, "is contradicted", "are contradicted",
		"both effects are beyond noise and their signs differ", Bad, false},
	{study.Undecided, "is undecided", "are undecided",
		"the simulated interval is so wide that it holds no effect and an effect alike: more runs are needed", Open, false},
	{study.Unidentified, "is unidentified", "are unidentified",
		"under 90 % of the constant sets come to one verdict", Open, false},
	{study.Unfalsifiable, "is unfalsifiable", "are unfalsifiable",
		"no constant of the model moves the cell, so agreement would mean nothing", Open, false},
	{study.NotModelled, "is not modelled", "are not modelled",
		"the model leaves out what the cell depends on", Off, false},
	{study.NotRun, "has no verdict for want of runs", "have no verdict for want of runs",
		"the store holds no runs of the row, or too few to tell", Off, false},
}

// WordsOf returns the words for v. A verdict that this package does not know
// is named as it is, so that a count never loses a cell.
func WordsOf(v study.Verdict) Words {
	for _, w := range verdicts {
		if w.Verdict == v {
			return w
		}
	}
	name := strconv.Quote(string(v))
	return Words{v, "has the verdict " + name, "have the verdict " + name, "a verdict that this report does not know", Open, false}
}

// A Count is how many cells came to a verdict.
type Count struct {
	Words
	N int
}

// Text is the count as a clause: "6 agree on none".
func (c Count) Text() string {
	if c.N == 1 {
		return "1 " + c.One
	}
	return strconv.Itoa(c.N) + " " + c.Many
}

// Tally counts the verdicts over the published rows of the outcomes, rows that
// were not run included. Verdicts that did not occur are left out.
func Tally(outcomes ...*study.Outcome) []Count {
	var unknown []Count
	n := make([]int, len(verdicts))
	for _, o := range outcomes {
		for _, r := range rowsOf(o) {
			if i := known(r.verdict); i >= 0 {
				n[i]++
			} else {
				unknown = addTo(unknown, r.verdict)
			}
		}
	}
	var counts []Count
	for i, w := range verdicts {
		if n[i] > 0 {
			counts = append(counts, Count{w, n[i]})
		}
	}
	return append(counts, unknown...)
}

func known(v study.Verdict) int {
	for i, w := range verdicts {
		if w.Verdict == v {
			return i
		}
	}
	return -1
}

func addTo(counts []Count, v study.Verdict) []Count {
	for i := range counts {
		if counts[i].Verdict == v {
			counts[i].N++
			return counts
		}
	}
	return append(counts, Count{WordsOf(v), 1})
}
