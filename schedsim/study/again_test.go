package study

import (
	"errors"
	"testing"
)

// TestRunAgain: with Again what is stored is simulated once more; the same results are fine,
// another one is an error that says which run it is.
func TestRunAgain(t *testing.T) {
	s := fixture(t)
	plan := testPlan(1, 1)
	store := fill(t, s, plan, &fakeRunner{study: s, effect: noEffect})
	again := &fakeRunner{study: s, effect: noEffect}
	if err := Run(t.Context(), s, plan, again, store, Options{Identity: testIdentity, Again: true}); err != nil {
		t.Fatal(err)
	}
	if jobs, err := Jobs(s, plan, testIdentity); err != nil || len(again.jobs) != len(jobs) {
		t.Errorf("%d runs of %d, error %v", len(again.jobs), len(jobs), err)
	}
	other := &fakeRunner{study: s, effect: func(Job) float64 { return 3 }}
	err := Run(t.Context(), s, plan, other, store, Options{Identity: testIdentity, Again: true})
	if c := (*ConflictError)(nil); !errors.As(err, &c) {
		t.Errorf("error %v, want a conflict", err)
	}
}
