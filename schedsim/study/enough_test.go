package study

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// noisy is a fakeRunner whose row 64 varies by some percent between the columns.
type noisy struct {
	fakeRunner
	pct float64
}

func (n *noisy) Run(ctx context.Context, j Job) (schedsim.Result, error) {
	r, err := n.fakeRunner.Run(ctx, j)
	if j.Row == "64" && j.Arm == ArmPatched {
		r.Throughput *= 1 + n.pct/100*rand.New(rand.NewPCG(j.Seed, 7)).NormFloat64()
	}
	return r, err
}

func TestMoreRuns(t *testing.T) {
	s := withEnsemble(t, 2)
	plan := testPlan(2, 2)
	plan.MaxN = 6
	runner := &noisy{fakeRunner{study: s, effect: noEffect}, 3}
	store := fill(t, s, plan, runner)
	n := make(map[string]int)
	for _, j := range runner.jobs {
		n[j.Row]++
	}
	// Row 64 is too noisy for its most runs to be enough; the others vary by 0.05 %.
	if n["64"] != 6*2*3 || n["32"] != 2*2*3 {
		t.Errorf("runs %v", n)
	}
	o, err := Build(s, plan, store, testIdentity)
	if err != nil {
		t.Fatal(err)
	}
	if c := cellOf(t, o, "64"); c.Simulated.N != 12 || !(c.RunWidth > WidthWanted) || c.MoreRuns < 10 {
		t.Errorf("row 64: %d pairs, width %v, %d more", c.Simulated.N, c.RunWidth, c.MoreRuns)
	}
	if c := cellOf(t, o, "32"); c.Simulated.N != 4 || c.MoreRuns != 0 || !(c.RunWidth < WidthWanted) {
		t.Errorf("row 32: %d pairs, width %v", c.Simulated.N, c.RunWidth)
	}
	if o.HaveRuns != o.WantRuns || o.HaveRuns != 10*2*2*3+4*2*3 {
		t.Errorf("%d of %d runs", o.HaveRuns, o.WantRuns)
	}
	var b strings.Builder
	if err := WriteLedger(&b, []*Outcome{o}); err != nil || !strings.Contains(b.String(), "need about so many more pairs: 64 (") {
		t.Errorf("the ledger does not say so: %v", err)
	}
	// A second sweep has nothing left to do, and a plan of fewer does not see more.
	runner.jobs = nil
	if err := Run(t.Context(), s, plan, runner, store, Options{Identity: testIdentity}); err != nil || len(runner.jobs) != 0 {
		t.Errorf("%d runs again, %v", len(runner.jobs), err)
	}
	plan.MaxN = 0
	if o, err := Build(s, plan, store, testIdentity); err != nil || cellOf(t, o, "64").Simulated.N != 4 {
		t.Errorf("the plan without more runs has them: %v", err)
	}
}

// TestBudget: no further runs begin when the time is over.
func TestBudget(t *testing.T) {
	s := withEnsemble(t, 2)
	plan := testPlan(2, 2)
	plan.MaxN, plan.Budget = 6, time.Nanosecond
	runner := &noisy{fakeRunner{study: s, effect: noEffect}, 3}
	fill(t, s, plan, runner)
	if len(runner.jobs) != 10*2*2*3 {
		t.Errorf("%d runs", len(runner.jobs))
	}
}

// TestRunWidth: with more runs the interval narrows by the root, and the estimate of
// how many it takes is about right.
func TestRunWidth(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	make2 := func(n int) PairedGroups {
		g := PairedGroups{Statistic: "Amean", Base: make([][]float64, 2), Patched: make([][]float64, 2)}
		for set := range 2 {
			for range n {
				g.Base[set] = append(g.Base[set], 100)
				// Sets that differ by 20 % do not count; runs vary by 2 %.
				g.Patched[set] = append(g.Patched[set], 100+20*float64(set)+2*rng.NormFloat64())
			}
		}
		return g
	}
	width, runs := make2(50).RunWidth()
	if runs != 100 || math.Abs(width-2*1.985*2/10) > 0.2 {
		t.Errorf("width %v of %d runs", width, runs)
	}
	if n := moreRuns(2, 1, 10); n != 30 {
		t.Errorf("%d more runs for half of the width, want 30", n)
	}
	if w, _ := (PairedGroups{Base: [][]float64{{1}}, Patched: [][]float64{{1}}}).RunWidth(); !math.IsNaN(w) || moreRuns(w, 1, 1) != 0 {
		t.Errorf("one pair has a width of %v", w)
	}
}

// TestWidthWanted: a tenth of the noise is enough, and never less than a point.
func TestWidthWanted(t *testing.T) {
	for _, c := range []struct {
		noise, width float64
		more         int
	}{{2, 1, 0}, {2, 2, 30}, {50, 5, 0}, {50, 10, 30}} {
		if got := moreRuns(c.width, widthWanted(Noise{Pct: c.noise}), 10); got != c.more {
			t.Errorf("noise %g, width %g: %d more, want %d", c.noise, c.width, got, c.more)
		}
	}
}
