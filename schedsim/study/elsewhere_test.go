package study

import (
	"testing"

	"github.com/schedlab/schedlab/topology"
)

// otherMachine is a machine of four CPUs that is in no catalogue.
func otherMachine(t *testing.T) *topology.Machine {
	t.Helper()
	m, err := topology.Load("csl-2s-80")
	if err != nil {
		t.Fatal(err)
	}
	m.ID, m.CPUs, m.NUMANodes, m.Distances = "mine", m.CPUs[:4], m.NUMANodes[:1], [][]int{{10}}
	for i := range m.CPUs {
		m.CPUs[i].Core, m.CPUs[i].L2 = i, i
	}
	return m
}

func TestOnPostMachine(t *testing.T) {
	s := withEnsemble(t, 2)
	m, err := topology.Load(s.Machine)
	if err != nil {
		t.Fatal(err)
	}
	if on := s.On(m); on != s || on.Elsewhere() || on.ReportID() != s.ID {
		t.Errorf("on its own machine the study is %s of %s", on.ReportID(), on.Machine)
	}
	// The same name with other numbers is another machine.
	m.Costs.ContextSwitch.Value++
	if on := s.On(m); !on.Elsewhere() {
		t.Error("a changed machine passes for the post's")
	}
}

func TestElsewhere(t *testing.T) {
	own := withEnsemble(t, 8)
	m := otherMachine(t)
	s := own.On(m)
	if own.Elsewhere() || !s.Elsewhere() || s.PostMachine != "csl-2s-80" || s.ReportID() != own.ID+"-on-mine" {
		t.Fatalf("%s of %s, from %s", s.ReportID(), s.Machine, s.PostMachine)
	}
	plan := testPlan(3, 8)
	identity, err := s.Identity()
	if err != nil || identity.Machines["mine"] != m.Hash() {
		t.Fatalf("identity %+v, %v", identity, err)
	}
	store := fillAs(t, s, plan, &fakeRunner{study: s, effect: mixedEffect}, identity)
	o, err := Build(s, plan, store, identity)
	if err != nil {
		t.Fatal(err)
	}
	// The published base column is of another machine: nothing is held
	// against it, but the effects are.
	if o.MedianBaseErrPct.Measured() || o.Evidence != nil {
		t.Errorf("median base error %v, evidence %+v", o.MedianBaseErrPct, o.Evidence)
	}
	c := cellOf(t, o, "64")
	if c.Machine != "mine" || c.BaseErrorPct.Measured() || c.Verdict != Phantom || !c.Published.Pct.Measured() {
		t.Errorf("row 64: %+v", c)
	}
	// Its runs are not those of the post's machine.
	if other, err := Build(own, plan, store, testIdentity); err != nil || other.HaveRuns != 0 {
		t.Errorf("the study has %d runs of another machine, %v", other.HaveRuns, err)
	}
}

func TestConfigElsewhere(t *testing.T) {
	s, err := Load("gorman2020-idle-candidate")
	if err != nil {
		t.Fatal(err)
	}
	m := otherMachine(t)
	cfg, err := s.On(m).Config("16")
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Machine != m {
		t.Errorf("a run of the study is on %s", cfg.Machine.ID)
	}
}
