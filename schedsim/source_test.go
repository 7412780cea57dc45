package schedsim

import (
	"strings"
	"testing"
)

// TestPatchSource: the source of a patch is its declaration whole, with what it is
// made of, and nothing of another one.
func TestPatchSource(t *testing.T) {
	for _, tc := range []struct {
		name   string
		has    []string
		hasNot string
	}{
		{"idle-candidate", []string{"// IdleCandidate is \"[PATCH 4/4]", "var IdleCandidate = Patch{", "return idleCandidate // + was -1"}, "IdlePrev"},
		{"idle-prev", []string{"var IdlePrev = Patch{", "if s.IdleCPU(prevCPU) { // +"}, "IdleCandidate"},
		{"eevdf-nr-running", []string{"k.UpdateCurrAlone = func"}, "IdlePrev"},
		{"scan-reset", []string{"k.UpdateScanPeriod = func"}, "NUMARework"},
		{"runnable-load", []string{"func runnableLoadUpTo(", "r.SleepOnce = true"}, "IdlePrev"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := PatchSource(tc.name)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range tc.has {
				if !strings.Contains(got, w) {
					t.Errorf("no %q in\n%s", w, got)
				}
			}
			if strings.Contains(got, tc.hasNot) {
				t.Errorf("%q in\n%s", tc.hasNot, got)
			}
		})
	}
	for _, p := range Patches() { // each of the list has some, or says that it has not
		if got, err := PatchSource(p.Name); (err == nil) != (got != "") {
			t.Errorf("%s: %q, %v", p.Name, got, err)
		}
	}
	if _, err := PatchSource("no-such"); err == nil {
		t.Error("source of a patch that there is not")
	}
}
