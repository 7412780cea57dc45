package schedsim

import (
	"context"
	"strings"
	"testing"
	"time"
)

// TestPatchApplies: a patch that is not for a version, or that replaces a decision
// which the version does not take, is refused by name and does not run.
func TestPatchApplies(t *testing.T) {
	own := Patch{Name: "own", Apply: func(k *Kernel) {
		k.SelectIdleSMT = func(*Sched, *Task, int) int { return -1 }
	}}
	for _, tc := range []struct {
		kernel  Kernel
		patches []Patch
		want    string // "" applies
	}{
		{V510(4), []Patch{IdleCandidate}, ""},
		{V59(4), []Patch{IdlePrev, IdleCandidate}, ""},
		{V418(4), []Patch{IdlePrev, NoIdleCoreSearch}, ""},
		{V61(4), []Patch{NoIdlePrev, own}, ""},
		{V612(4), []Patch{NoIdlePrev}, ""},
		{V61(4), []Patch{IdleCandidate}, "patch idle-candidate does not apply to v6.1, use it on v5.9 to v5.10"},
		{V418(4), []Patch{IdleCandidate}, "patch idle-candidate does not apply to v4.18"},
		{V61(4), []Patch{IdlePrev}, "patch idle-prev does not apply to v6.1, use it on v4.18 to v5.10"},
		{V310(4), []Patch{IdlePrev}, "patch idle-prev does not apply to v3.10"},
		{V510(4), []Patch{NoIdlePrev}, "patch no-idle-prev does not apply to v5.10, use it on v6.1 or later"},
		{V612(8), []Patch{EEVDFNrRunning}, "patch eevdf-nr-running does not apply to v6.12, use it on v6.12-rc1"},
		{V310(4), []Patch{own}, "patch own replaces SelectIdleSMT, which v3.10 does not have"},
		{V310(4), []Patch{own, IdlePrev}, "patch own replaces"}, // the first
	} {
		k := tc.kernel.With(tc.patches...)
		cfg := Config{Machine: testMachine(1, 2, 2), Kernel: k, Workload: &script{tasks: hogs(1)}, Measure: time.Millisecond}
		_, err := Run(context.Background(), cfg)
		if tc.want == "" {
			if err != nil || k.Err() != nil {
				t.Errorf("%v: %v, %v", k, k.Err(), err)
			}
			continue
		}
		for _, err := range []error{k.Err(), err} {
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v: error %v, want %q", k, err, tc.want)
			}
		}
		base := tc.kernel
		cfg.Kernel, cfg.Shadow = base, &k
		if _, err := Run(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), "Config.Shadow") {
			t.Errorf("%v as a shadow: %v", k, err)
		}
	}
}

// TestForeignDecision: a function that was set by hand where the version takes no
// such decision, or removed where it does, is an error as well.
func TestForeignDecision(t *testing.T) {
	for _, tc := range []struct {
		kernel Kernel
		spoil  func(k *Kernel)
		want   string
	}{
		{V61(4), func(k *Kernel) { k.SelectIdleCore = selectIdleCore }, "Config.Kernel has a SelectIdleCore, a decision that v6.1 does not take"},
		{V310(4), func(k *Kernel) { k.WakeAffine = nil }, "Config.Kernel has no WakeAffine"},
		{V61(4), func(k *Kernel) { k.SelectIdleCPU = nil }, "Config.Kernel has no SelectIdleCPU"},
	} {
		tc.spoil(&tc.kernel)
		cfg := Config{Machine: testMachine(1, 2, 2), Kernel: tc.kernel, Workload: &script{tasks: hogs(1)}}
		if _, err := Run(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("error %v, want %q", err, tc.want)
		}
	}
}

// TestIdlePrevShadow: the patch is asked beside the base at each wakeup, changes
// nothing there, and is counted where it acts.
func TestIdlePrevShadow(t *testing.T) {
	base := V59(16)
	run := func(shadow *Kernel) Result {
		r, err := Run(context.Background(), Config{
			Machine: testMachine(2, 4, 2), Kernel: base, Shadow: shadow,
			Workload: newChaos(14, false), Seed: 3, Measure: 100 * time.Millisecond,
		})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	patched := base.With(IdlePrev)
	alone, both := run(nil), run(&patched)
	if alone.TraceHash != both.TraceHash {
		t.Error("the run with a shadow is another one")
	}
	if c := both.Counters; c.ShadowDecisions == 0 || c.ShadowDiffers == 0 || c.ShadowDiffers > c.ShadowDecisions/2 {
		t.Errorf("%d of %d decisions differ", c.ShadowDiffers, c.ShadowDecisions)
	}
	if c := alone.Counters; c.WakeAffineAttempts == 0 || c.WakeAffinePulls > c.WakeAffineAttempts {
		t.Errorf("%d pulls in %d attempts", c.WakeAffinePulls, c.WakeAffineAttempts)
	}
}
