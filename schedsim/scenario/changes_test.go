package scenario

import (
	"strings"
	"testing"
)

func TestChanges(t *testing.T) {
	line := func(kernel, quantity string, lo, hi, model float64) Line {
		return Line{Kernel: kernel, Machine: "2cpu", Scenario: "s", Quantity: quantity, Lo: lo, Hi: hi, Model: model, Verdict: Pass}
	}
	for _, c := range []struct {
		name           string
		base, changed  Line
		moved, follows bool
	}{
		{"the same", line("a", "share/t", 0.4, 0.42, 0.41), line("b", "share/t", 0.41, 0.43, 0.41), false, false},
		{"less than the tolerance", line("a", "share/t", 0.4, 0.42, 0.41), line("b", "share/t", 0.43, 0.44, 0.43), false, true},
		{"up", line("a", "share/t", 0.4, 0.42, 0.41), line("b", "share/t", 0.5, 0.52, 0.5), true, true},
		{"down", line("a", "involuntary/t", 90, 100, 95), line("b", "involuntary/t", 30, 40, 50), true, true},
		{"other way", line("a", "involuntary/t", 90, 100, 95), line("b", "involuntary/t", 30, 40, 99), true, false},
		{"too little", line("a", "involuntary/t", 90, 100, 95), line("b", "involuntary/t", 30, 40, 90), true, false},
		{"too much", line("a", "involuntary/t", 90, 100, 300), line("b", "involuntary/t", 30, 40, 10), true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := Changes([]Line{c.base, line("c", "share/t", 0, 1, 0), c.changed}, "a", "b")
			if len(all) != 1 {
				t.Fatalf("%d changes, want 1", len(all))
			}
			if m, f := all[0].Moved(), all[0].Follows(); m != c.moved || f != c.follows {
				t.Errorf("moved %v and follows %v, want %v and %v", m, f, c.moved, c.follows)
			}
		})
	}
}

func TestWriteChanges(t *testing.T) {
	var out strings.Builder
	writeChanges(&out, []Line{
		{Kernel: "6.12", Machine: "2cpu", Scenario: "s", Quantity: "share/t", Lo: 0.4, Hi: 0.42, Model: 0.41, Verdict: Pass},
		{Kernel: "6.12", Machine: "2cpu", Scenario: "s", Quantity: "voluntary/t", Lo: 4, Hi: 5, Model: 4, Verdict: Pass},
		{Kernel: "6.12-no-run-to-parity", Machine: "2cpu", Scenario: "s", Quantity: "share/t", Lo: 0.5, Hi: 0.52, Model: 0.4, Verdict: Miss},
		{Kernel: "6.12-no-run-to-parity", Machine: "2cpu", Scenario: "s", Quantity: "voluntary/t", Lo: 4, Hi: 5, Model: 40, Verdict: Miss},
	})
	for _, want := range []string{
		"### 6.12: `RUN_TO_PARITY` off",
		"| s | 2cpu | share/t | 0.400 to 0.420 | 0.500 to 0.520 | 0.410 | 0.400 | **does not follow** |",
		"1 of 2 quantities did not move so; of those the model moves 1.",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "### 6.1:") {
		t.Error("a change without recordings has a table")
	}
}
