package study

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

// past is faster after a long age, and its patch then slows.
type past struct{ fakeRunner }

func (p *past) Run(ctx context.Context, j Job) (schedsim.Result, error) {
	r, err := p.fakeRunner.Run(ctx, j)
	if j.Age >= time.Second {
		r.Throughput *= 1.2
		r.SocketShare = 0.6
		if j.Arm == ArmPatched {
			r.Throughput *= 0.9
		}
	}
	return r, err
}

func TestHistories(t *testing.T) {
	s := withEnsemble(t, 2)
	s.Histories = []Histories{{Row: "64", Doc: "made up", Ages: []string{"100ms", "2s"}}}
	plan := testPlan(2, 2)
	plan.Histories = 3
	runner := &past{fakeRunner{study: s, effect: noEffect}}
	store := fill(t, s, plan, runner)
	ages := make(map[time.Duration]int)
	for _, j := range runner.jobs {
		ages[j.Age]++
		if j.Age > 0 && (j.Row != "64" || j.Set != 0 || j.Arm == ArmControl) {
			t.Errorf("a run of row %s, set %d, arm %s after %v", j.Row, j.Set, j.Arm, j.Age)
		}
	}
	if ages[100*time.Millisecond] != 3*2 || ages[2*time.Second] != 3*2 {
		t.Errorf("runs by age: %v", ages)
	}
	o, err := Build(s, plan, store, testIdentity)
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Histories) != 2 || o.HaveRuns != o.WantRuns {
		t.Fatalf("%d pasts, %d of %d runs", len(o.Histories), o.HaveRuns, o.WantRuns)
	}
	young, old := o.Histories[0], o.Histories[1]
	if young.Age != 100*time.Millisecond || len(young.Runs) != 3 || young.Effect.isEffect() {
		t.Errorf("young: %+v", young)
	}
	if old.Effect.Pct > -9.9 || old.Effect.Pct < -10.1 || old.Runs[2].BaseShare != 0.6 {
		t.Errorf("old: %+v", old)
	}
	// The row itself is not touched by it.
	if c := cellOf(t, o, "64"); c.Simulated.N != 4 || c.Simulated.isEffect() {
		t.Errorf("row 64: %+v", c.Simulated)
	}
	// Without histories in the plan there are none of their runs.
	plan.Histories = 0
	if o, err = Build(s, plan, store, testIdentity); err != nil || len(o.Histories) != 0 {
		t.Errorf("%d pasts without any in the plan, %v", len(o.Histories), err)
	}
}

func TestHistoriesInFile(t *testing.T) {
	data, err := os.ReadFile(fixtureFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{"histories: [{row: \"65\", doc: d, ages: [1s]}]", "row \"65\""},
		{"histories: [{row: \"64\", doc: d, ages: [1]}]", "write a time such as 150ms"},
		{"histories: [{row: \"64\", doc: d, ages: []}]", "need ages and a doc"},
	} {
		_, err := Parse("study.yaml", append([]byte(c.text+"\n"), data...))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "study.yaml:1") {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}
