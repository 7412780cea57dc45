package study

import (
	"strings"
	"testing"
)

// TestRuleIsJudge holds the paragraph to what Judge does at the figures that it
// names.
func TestRuleIsJudge(t *testing.T) {
	tests := []struct {
		sentence  string
		dp, noise float64
		ds, half  float64
		want      Verdict
	}{
		{"at least 0.5 %", 1, 2, 0.5, 0.1, Phantom},
		{"at least 0.5 %", 1, 2, 0.49, 0.1, AgreesOnNone},
		{"Neither is an effect: agrees on none.", 2, 2, 0, 1, AgreesOnNone},
		{"The published one alone: missed.", 3, 2, 0, 1, Missed},
		{"The simulated one alone: phantom.", 2, 2, 3, 1, Phantom},
		{"Both, of opposite signs: contradicted.", 3, 2, -3, 1, Contradicted},
		{"25 % of the published effect", 20, 1, 15, 0.1, Reproduced},
		{"direction if they differ by more", 20, 1, 14.9, 0.1, Direction},
		{"the noise and the interval's half-width together", 8, 5, 2.5, 0.5, Reproduced},
		{"and 1.0 percentage points", 2, 0.25, 1, 0.25, Reproduced},
	}
	rule := Rule()
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			if !strings.Contains(rule, tt.sentence) {
				t.Errorf("the rule does not say %q: %s", tt.sentence, rule)
			}
			if got, reason := Judge(publishedPct(tt.dp), Noise{Pct: tt.noise}, interval(tt.ds, tt.half), "higher"); got != tt.want {
				t.Errorf("judged %s (%s), the rule says %s", got, reason, tt.want)
			}
		})
	}
	for _, figure := range []string{"at least 90 % of the sets", "2 % is assumed"} {
		if !strings.Contains(rule, figure) {
			t.Errorf("the rule does not say %q", figure)
		}
	}
	for i, c := range []byte(rule) {
		if c > 127 || c == '\n' {
			t.Fatalf("byte %d is %q; a mail takes one ASCII paragraph", i, c)
		}
	}
}
