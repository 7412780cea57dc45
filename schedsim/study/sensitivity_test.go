package study

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// movedByTail has an effect of 12 % on every row, which on row 128 hangs on tail_ns.
func movedByTail(j Job) float64 {
	if j.Row == "128" {
		return 12 * (j.Constants["tail_ns"] - 300) / 2700
	}
	return 12
}

func TestSensitivity(t *testing.T) {
	s := withEnsemble(t, 2)
	for i := range s.Tables[0].Rows { // an effect that the model can have
		r := &s.Tables[0].Rows[i]
		r.Patched, r.Pct, r.Noise.Pct = r.Base*1.12, 12, 1
	}
	plan := testPlan(3, 2)
	runner := &fakeRunner{study: s, effect: movedByTail}
	store := fill(t, s, plan, runner)
	opt := Options{Identity: testIdentity, Jobs: 2}

	// Without its runs there is no sensitivity, and verdicts stand.
	o, err := Build(s, plan, store, testIdentity)
	if err != nil {
		t.Fatal(err)
	}
	if c := cellOf(t, o, "64"); o.Sensitivity != nil || c.Verdict != Reproduced {
		t.Fatalf("row 64: %s: %s", c.Verdict, c.Reason)
	}
	runner.jobs = nil
	if err := RunSensitivity(t.Context(), s, plan, runner, store, opt); err != nil {
		t.Fatal(err)
	}
	// The middle and both ends of four constants, two columns, three runs.
	if want := (1 + 2*4) * 10 * 2 * 3; len(runner.jobs) != want {
		t.Errorf("%d runs, want %d", len(runner.jobs), want)
	}
	seeds := make(map[string]map[uint64]bool)
	for _, j := range runner.jobs {
		if seeds[j.Row] == nil {
			seeds[j.Row] = make(map[uint64]bool)
		}
		seeds[j.Row][j.Seed] = true
	}
	if len(seeds["64"]) != 3 {
		t.Errorf("row 64 has %d seeds; variations must share theirs", len(seeds["64"]))
	}
	sens, err := BuildSensitivity(s, plan, store, testIdentity)
	if err != nil {
		t.Fatal(err)
	}
	if sens.HaveRuns != sens.WantRuns || len(sens.Cells) != 10 {
		t.Fatalf("%d of %d runs, %d cells", sens.HaveRuns, sens.WantRuns, len(sens.Cells))
	}
	for _, c := range sens.Cells {
		want := []string(nil)
		if c.Row == "128" {
			want = []string{"tail_ns"}
		}
		if !slices.Equal(c.Moved(), want) || !slices.Equal(c.HangsOn(), want) {
			t.Errorf("row %s is moved by %q and hangs on %q", c.Row, c.Moved(), c.HangsOn())
		}
	}
	o, err = Build(s, plan, store, testIdentity)
	if err != nil {
		t.Fatal(err)
	}
	if c := cellOf(t, o, "64"); o.Sensitivity == nil || c.Verdict != Unfalsifiable || !strings.Contains(c.Reason, "no constant moves it") {
		t.Errorf("row 64: %s: %s", c.Verdict, c.Reason)
	}
	if c := cellOf(t, o, "128"); c.Verdict == Unfalsifiable {
		t.Errorf("row 128, which a constant moves: %s", c.Verdict)
	}
}

// TestSensitivityOfQuickPlan: where a plan's own was not run, that of the quick one stands.
func TestSensitivityOfQuickPlan(t *testing.T) {
	s := withEnsemble(t, 2)
	full := testPlan(2, 2)
	full.Mode, full.Measure = ModeFull, map[string]time.Duration{"": time.Second}
	runner := &fakeRunner{study: s, effect: noEffect}
	store := fill(t, s, full, runner)
	quick, err := s.Plan(ModeQuick)
	if err != nil {
		t.Fatal(err)
	}
	if err := RunSensitivity(t.Context(), s, quick, runner, store, Options{Identity: testIdentity, Jobs: 2}); err != nil {
		t.Fatal(err)
	}
	o, err := Build(s, full, store, testIdentity)
	if err != nil {
		t.Fatal(err)
	}
	if o.Sensitivity == nil || o.Sensitivity.Plan.Mode != ModeQuick {
		t.Errorf("sensitivity %+v", o.Sensitivity)
	}
}

// TestUnfalsifiable: that nothing was seen to move a cell says something only where a
// move would have been seen.
func TestUnfalsifiable(t *testing.T) {
	for _, tt := range []struct {
		name      string
		at        Interval
		low, high Interval
		want      bool
	}{
		{"narrow", interval(12, 1), interval(12.2, 1), interval(11.9, 1), true},
		{"as wide as the effect", interval(12, 9), interval(13, 9), interval(12, 9), false},
		{"one end wide", interval(12, 1), interval(12, 1), interval(10, 13), false},
		{"moved", interval(12, 1), interval(15, 1), interval(12, 1), false},
		{"not run", interval(12, 1), interval(12, 1), notMeasuredInterval, false},
	} {
		m := Move{Constant: "tail_ns", Low: tt.low, High: tt.high, Moved: apart(tt.at, tt.low) || apart(tt.at, tt.high)}
		c := SensitivityCell{Effect: tt.at, Moves: []Move{m}}
		if got := c.Unfalsifiable(); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// TestSensitivityOfTables: constants of one table are varied there only.
func TestSensitivityOfTables(t *testing.T) {
	s := tables(t)
	plan, err := s.Plan(ModeQuick)
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := SensitivityJobs(s, plan, tablesIdentity(t, s))
	if err != nil {
		t.Fatal(err)
	}
	n := make(map[string]int)
	for _, j := range jobs {
		n[j.Machine]++
		if len(j.Ablated) > 0 {
			t.Error("an ablation is varied")
		}
	}
	// Three points with two constants, one with three; two columns and runs.
	if n["csl-2s-80"] != 3*(1+2*2)*4 || n["snb-ep-4s"] != (1+2*3)*4 {
		t.Errorf("runs %v", n)
	}
}
