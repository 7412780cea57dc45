package study

import (
	"strings"
	"testing"
)

// claimCell is a cell whose sets have the given effects.
func claimCell(row string, published float64, pcts ...float64) Cell {
	c := Cell{Row: row, Published: publishedPct(published), Noise: Noise{Pct: 2}, Simulated: notMeasuredInterval}
	for _, p := range pcts {
		c.PerSet = append(c.PerSet, interval(p, 0.2))
	}
	if len(pcts) > 0 {
		c.Simulated = interval(Mean(pcts), 0.2)
	}
	return c
}

// wideCell has an interval that tells nothing.
func wideCell(row string) Cell {
	c := claimCell(row, 9, 0)
	c.PerSet[0] = interval(0, 8)
	return c
}

func TestJudgeClaims(t *testing.T) {
	tests := []struct {
		name, expect string
		cells        []Cell
		want         Verdict
		inReason     string
	}{
		{"up, one row", expectUp, []Cell{claimCell("a", 9, 0), claimCell("b", 9, 4)}, Reproduced, "at least one row improves in 1 of 1"},
		{"up, though one falls", expectUp, []Cell{claimCell("a", 9, -4), claimCell("b", 9, 4)}, Reproduced, "beyond its noise"},
		{"up, nothing", expectUp, []Cell{claimCell("a", 1, 0), claimCell("b", 1, 0.4)}, Missed, "within its noise"},
		{"up, falls", expectUp, []Cell{claimCell("a", 9, -4), claimCell("b", 9, 0)}, Contradicted, "at least one regresses"},
		{"up, undecided sets", expectUp, []Cell{claimCell("a", 9, 4, 0, 4, 0), claimCell("b", 9, 0, 0, 0, 0)}, Unidentified, "2 reproduced, 2 missed"},
		{"up, too wide", expectUp, []Cell{wideCell("a"), claimCell("b", 9, 0)}, Undecided, "more runs are needed"},
		{"up, too wide but another row rises", expectUp, []Cell{wideCell("a"), claimCell("b", 9, 4)}, Reproduced, ""},
		{"none, too wide", expectNoneOrDown, []Cell{wideCell("a"), claimCell("b", 0, -3)}, Undecided, "more runs are needed"},
		{"up, not run", expectUp, []Cell{claimCell("a", 9), claimCell("b", 9)}, NotRun, "run them"},
		{"up, half run", expectUp, []Cell{claimCell("a", 9), claimCell("b", 9, 0)}, NotRun, "run them"},
		{"up, half run and decided", expectUp, []Cell{claimCell("a", 9), claimCell("b", 9, 4)}, Reproduced, "row a published +9.00 % (beyond its noise) not simulated"},
		{"none, nothing", expectNoneOrDown, []Cell{claimCell("a", 0, 0), claimCell("b", 0, 0)}, AgreesOnNone, "no row improves in 1 of 1"},
		{"none, falls", expectNoneOrDown, []Cell{claimCell("a", 0, -3), claimCell("b", 0, 0)}, Reproduced, "no row improves"},
		{"none, some sets fall", expectNoneOrDown, []Cell{claimCell("a", 0, -3, 0), claimCell("b", 0, 0, 0)}, AgreesOnNone, "no row improves in 2 of 2"},
		{"none, rises", expectNoneOrDown, []Cell{claimCell("a", 0, 3), claimCell("b", 0, -3)}, Contradicted, "at least one row improves"},
		{"none, half run", expectNoneOrDown, []Cell{claimCell("a", 0, 0), claimCell("b", 0)}, NotRun, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &Study{
				Tables: []Table{{Better: "higher"}},
				Claims: []Claim{{Text: "claim", Rows: []string{"a", "b"}, Expect: tt.expect}},
			}
			got := JudgeClaims(s, append(tt.cells, claimCell("other", 50, 50)))
			if len(got) != 1 || got[0].Verdict != tt.want || !strings.Contains(got[0].Reason, tt.inReason) {
				t.Errorf("got %+v, want %s, %q", got, tt.want, tt.inReason)
			}
		})
	}
}

// TestClaimLowerIsBetter has times, where an improvement is a fall.
func TestClaimLowerIsBetter(t *testing.T) {
	s := &Study{
		Tables: []Table{{Better: "lower"}},
		Claims: []Claim{{Text: "faster", Rows: []string{"a"}, Expect: expectUp}},
	}
	if got := JudgeClaims(s, []Cell{claimCell("a", -9, -4)}); got[0].Verdict != Reproduced {
		t.Errorf("got %+v", got)
	}
	if got := JudgeClaims(s, []Cell{claimCell("a", -9, 4)}); got[0].Verdict != Contradicted {
		t.Errorf("got %+v", got)
	}
}
