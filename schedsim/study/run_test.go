package study

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

func TestJobs(t *testing.T) {
	s := withEnsemble(t, 3)
	jobs, err := Jobs(s, testPlan(2, 2), testIdentity)
	if err != nil {
		t.Fatal(err)
	}
	rows := len(s.Tables[0].Rows)
	if len(jobs) != 2*2*rows*3 {
		t.Fatalf("%d jobs", len(jobs))
	}
	seeds := make(map[uint64]int)
	for i, j := range jobs {
		seeds[j.Seed]++
		if first := i < rows*3; first != (j.Run == 0 && j.Set == 0) {
			t.Errorf("job %d is run %d of set %d", i, j.Run, j.Set)
		}
		if want := s.Ensemble.Sets[j.Set][1]; j.Constants["tail_ns"] != want || j.Constants["transfer_lines"] != s.Constant("transfer_lines").Value {
			t.Errorf("job %d has constants %v", i, j.Constants)
		}
		if want := testPlan(2, 2).MeasureOf("tbench", j.Row); j.Measure != want {
			t.Errorf("row %s is measured for %v", j.Row, j.Measure)
		}
	}
	for i := 0; i < len(jobs); i += 3 {
		base, patched, control := jobs[i], jobs[i+1], jobs[i+2]
		if base.Arm != ArmBase || patched.Arm != ArmPatched || control.Arm != ArmControl {
			t.Fatalf("arms %s, %s, %s", base.Arm, patched.Arm, control.Arm)
		}
		if base.Seed != patched.Seed || base.Seed == control.Seed {
			t.Errorf("seeds %d, %d, %d", base.Seed, patched.Seed, control.Seed)
		}
		if seeds[base.Seed] != 2 || seeds[control.Seed] != 1 {
			t.Errorf("seed of run %d is used elsewhere too", i)
		}
	}
}

// TestSeeds pins the derivation: a change of it invalidates every store.
// TestControlSets: with control_sets only so many sets have a control.
func TestControlSets(t *testing.T) {
	plan := testPlan(2, 3)
	plan.ControlSets = 1
	jobs, err := Jobs(withEnsemble(t, 3), plan, testIdentity)
	if err != nil {
		t.Fatal(err)
	}
	n := make(map[string]int)
	for _, j := range jobs {
		n[fmt.Sprint(j.Arm, j.Set)]++
	}
	if n["control0"] != 20 || n["control1"] != 0 || n["base2"] != 20 || n["patched1"] != 20 {
		t.Errorf("runs %v", n)
	}
}

func TestSeeds(t *testing.T) {
	// The first outputs of SplitMix64 from state 0.
	if got := []uint64{splitMix(0), splitMix(0x9e3779b97f4a7c15)}; !slices.Equal(got, []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4}) {
		t.Errorf("SplitMix64: %#x", got)
	}
	// Worked out from the definition by another program.
	const want uint64 = 0x7992453921e3e76
	if got := deriveSeed(1, pairStream, "64", 0, 0); got != want {
		t.Errorf("seed of the first run of row 64: %#x, want %#x", got, want)
	}
}

// TestJobsAreStable extends a plan: what it had before has the same keys.
func TestJobsAreStable(t *testing.T) {
	small, err := Jobs(withEnsemble(t, 3), testPlan(1, 1), testIdentity)
	if err != nil {
		t.Fatal(err)
	}
	large, err := Jobs(withEnsemble(t, 3), testPlan(3, 3), testIdentity)
	if err != nil {
		t.Fatal(err)
	}
	hashes := make(map[string]bool)
	for _, j := range large {
		h, _ := j.Hash()
		hashes[h] = true
	}
	if len(hashes) != len(large) {
		t.Errorf("%d jobs have %d keys", len(large), len(hashes))
	}
	for _, j := range small {
		if h, _ := j.Hash(); !hashes[h] {
			t.Errorf("%s is not in the larger plan", j.Key)
		}
	}
}

func TestJobsBadPlan(t *testing.T) {
	s := fixture(t)
	if _, err := Jobs(s, testPlan(0, 0), testIdentity); err == nil {
		t.Error("no runs")
	}
	if _, err := Jobs(s, Plan{N: 1}, testIdentity); err == nil {
		t.Error("no time")
	}
	jobs, err := Jobs(s, testPlan(1, 5), testIdentity)
	if err != nil || len(jobs) != 30 {
		t.Errorf("without an ensemble: %d jobs, %v", len(jobs), err)
	}
}

func TestRunAndResume(t *testing.T) {
	s := withEnsemble(t, 2)
	plan := testPlan(2, 2)
	store := mustOpen(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	// Runs that are done when the sweep is stopped are stored; more than these are not
	// done before that.
	var begun atomic.Int64
	runner := &fakeRunner{study: s, effect: noEffect, after: func(Job) error {
		if begun.Add(1) > 80 {
			<-ctx.Done()
		}
		return nil
	}}
	finished := 0
	opt := Options{Identity: testIdentity, Jobs: 3, Progress: func(p Progress) {
		finished++
		if p.Done != finished || p.Total != 120 || p.FromStore {
			t.Errorf("progress %d of %d, from store %v, after %d", p.Done, p.Total, p.FromStore, finished)
		}
		if finished == 50 {
			cancel()
		}
	}}
	if err := Run(ctx, s, plan, runner, store, opt); err != context.Canceled {
		t.Fatalf("canceled run returns %v", err)
	}
	kept := 0
	if err := store.Each(count(&kept)); err != nil || kept != finished || kept < 50 || kept == 120 {
		t.Fatalf("%d runs kept of %d finished, %v", kept, finished, err)
	}
	before := len(runner.jobs)
	fromStore := 0
	opt.Progress = func(p Progress) {
		if p.FromStore {
			fromStore++
		}
	}
	if err := Run(t.Context(), s, plan, runner, store, opt); err != nil {
		t.Fatal(err)
	}
	if fresh := len(runner.jobs) - before; fromStore != kept || fresh != 120-kept {
		t.Errorf("%d from store and %d fresh, kept were %d", fromStore, fresh, kept)
	}
	before = len(runner.jobs)
	if err := Run(t.Context(), s, plan, runner, store, opt); err != nil || len(runner.jobs) != before {
		t.Errorf("a complete store is run again: %d runs, %v", len(runner.jobs)-before, err)
	}
}

func TestRunFails(t *testing.T) {
	s := fixture(t)
	boom := errors.New("boom")
	runner := &fakeRunner{study: s, effect: noEffect, after: func(j Job) error {
		if j.Row == "4" && j.Arm == ArmPatched {
			return boom
		}
		return nil
	}}
	store := mustOpen(t, t.TempDir())
	err := Run(t.Context(), s, testPlan(1, 0), runner, store, Options{Identity: testIdentity, Jobs: 1})
	if !errors.Is(err, boom) || !strings.Contains(err.Error(), "row 4 patched") {
		t.Errorf("got %v", err)
	}
	kept := 0
	if err := store.Each(count(&kept)); err != nil || kept != 7 {
		t.Errorf("%d runs kept, want the 7 before it; %v", kept, err)
	}
}

func TestShards(t *testing.T) {
	s := withEnsemble(t, 4)
	plan := testPlan(2, 4)
	store := mustOpen(t, t.TempDir())
	runner := &fakeRunner{study: s, effect: noEffect}
	for i := range 3 {
		before := len(runner.jobs)
		opt := Options{Identity: testIdentity, Shard: Shard{i + 1, 3}}
		if err := Run(t.Context(), s, plan, runner, store, opt); err != nil {
			t.Fatal(err)
		}
		if n := len(runner.jobs) - before; n < 50 || n > 110 {
			t.Errorf("shard %d has %d of 240 runs", i+1, n)
		}
	}
	kept := 0
	if err := store.Each(count(&kept)); err != nil || kept != 240 || len(runner.jobs) != 240 {
		t.Errorf("%d runs kept of %d, want 240; %v", kept, len(runner.jobs), err)
	}
}

func TestParseShard(t *testing.T) {
	for text, want := range map[string]Shard{"1/1": {1, 1}, "2/4": {2, 4}, "16/16": {16, 16}} {
		if got, err := ParseShard(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "1", "0/4", "5/4", "-1/4", "a/b", "1/0", "1/2/3", "1/"} {
		if got, err := ParseShard(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}
