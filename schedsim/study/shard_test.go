package study

import (
	"slices"
	"testing"
)

// TestShardsTakeTheSame: what a part takes follows from the run alone, not from the
// rest of the plan, the order of its runs, or what the store has.
func TestShardsTakeTheSame(t *testing.T) {
	const parts = 5
	s := withEnsemble(t, 3)
	small, err := Jobs(s, testPlan(1, 1), testIdentity)
	if err != nil {
		t.Fatal(err)
	}
	of := make(map[string]int)
	for i := range parts {
		for _, j := range small {
			h, _ := j.Hash()
			if (Shard{i + 1, parts}).Holds(h) {
				if of[h] != 0 {
					t.Fatalf("%s is in parts %d and %d", j.Key, of[h], i+1)
				}
				of[h] = i + 1
			}
		}
	}
	if len(of) != len(small) {
		t.Fatalf("%d of %d runs are in a part", len(of), len(small))
	}
	// A larger plan into a store that has some of it.
	large := testPlan(3, 3)
	store := mustOpen(t, t.TempDir())
	for part := parts; part >= 1; part-- {
		runner := &fakeRunner{study: s, effect: noEffect}
		total := 0
		opt := Options{Identity: testIdentity, Shard: Shard{part, parts}, Progress: func(p Progress) { total = p.Total }}
		if part == 3 {
			// Some of it is there from an earlier, smaller sweep.
			if err := Run(t.Context(), s, testPlan(1, 1), runner, store, opt); err != nil {
				t.Fatal(err)
			}
		}
		if err := Run(t.Context(), s, large, runner, store, opt); err != nil {
			t.Fatal(err)
		}
		if len(runner.jobs) != total {
			t.Errorf("part %d has %d runs and simulated %d", part, total, len(runner.jobs))
		}
		for _, j := range runner.jobs {
			if h, _ := j.Hash(); of[h] != 0 && of[h] != part {
				t.Errorf("%s is in part %d, and in part %d of the smaller plan", j.Key, part, of[h])
			}
		}
	}
}

func TestLackingParts(t *testing.T) {
	s := withEnsemble(t, 2)
	plan := testPlan(2, 2)
	store := mustOpen(t, t.TempDir())
	all, err := Jobs(s, plan, testIdentity)
	if err != nil {
		t.Fatal(err)
	}
	lacking := func(want []int) {
		t.Helper()
		parts, runs, err := LackingParts(s, plan, store, testIdentity, 4)
		if err != nil || !slices.Equal(parts, want) {
			t.Errorf("parts %v, want %v; %v", parts, want, err)
		}
		n := 0
		for _, j := range all {
			if h, _ := j.Hash(); slices.Contains(want, partOf(h, 4)) {
				n++
			}
		}
		if runs != n {
			t.Errorf("%d runs of parts %v, want %d", runs, want, n)
		}
	}
	fill := func(part int) {
		t.Helper()
		opt := Options{Identity: testIdentity, Shard: Shard{part, 4}}
		if err := Run(t.Context(), s, plan, &fakeRunner{study: s, effect: noEffect}, store, opt); err != nil {
			t.Fatal(err)
		}
	}
	lacking([]int{1, 2, 3, 4})
	fill(3)
	lacking([]int{1, 2, 4})
	fill(1)
	fill(4)
	lacking([]int{2})
	fill(2)
	lacking(nil)
}
