package study

import "testing"

// TestAblationJudge holds an effect without the mechanism to one with it.
func TestAblationJudge(t *testing.T) {
	tests := []struct {
		name, expect string
		effect, with Interval
		want         Verdict
	}{
		{"gone", expectNone, interval(0, 0.4), interval(5, 1), Reproduced},
		{"gone, though wide", expectNone, interval(0, 4), interval(5, 1), Reproduced},
		{"too wide to tell", expectNone, interval(0, 6), interval(5, 1), Undecided},
		{"no effect with it, narrow", expectNone, interval(0, 1), interval(0, 1), Reproduced},
		{"no effect with it, wide", expectNone, interval(0, 1.1), interval(0, 1), Undecided},
		{"stays", expectNone, interval(4, 1), interval(5, 1), Contradicted},
		{"costs", expectWorse, interval(-9, 1), notMeasuredInterval, Reproduced},
		{"costs nothing", expectWorse, interval(0, 0.5), notMeasuredInterval, Missed},
		{"costs, too wide", expectWorse, interval(0, 3), notMeasuredInterval, Undecided},
		{"gains", expectWorse, interval(9, 1), notMeasuredInterval, Contradicted},
		{"one run", expectNone, notMeasuredInterval, interval(5, 1), NotRun},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := AblationCell{Ablation: Ablation{Expect: tt.expect}, Effect: tt.effect, With: tt.with}
			if c.judge("higher"); c.Verdict != tt.want {
				t.Errorf("got %s: %s; want %s", c.Verdict, c.Reason, tt.want)
			}
		})
	}
}
