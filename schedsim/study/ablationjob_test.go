package study

import "testing"

// TestAblationOfConstant: a parameter that an ablation sets wins over a constant of
// that name, and only there.
func TestAblationOfConstant(t *testing.T) {
	s, err := Load("lawall2020-idle-prev")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := s.Plan(ModeQuick)
	if err != nil {
		t.Fatal(err)
	}
	tab := s.Table("nas-active")
	p, err := s.pointOf(plan, tab, tab.Row("bt"))
	if err != nil {
		t.Fatal(err)
	}
	values := valuesOf(s.Constants)
	if c := s.constantsOf(&p, values); c["spin_ns"] != values["spin_ns"] || c["daemons"] != values["daemons"] {
		t.Errorf("a row's runs have the constants %v", c)
	}
	for i, a := range s.Ablations {
		p.ablation = i
		c := s.constantsOf(&p, values)
		for name := range a.Params {
			if _, ok := c[name]; ok {
				t.Errorf("ablation %s: %s is a constant in spite of the ablation's parameter", a.ID, name)
			}
		}
		if _, ok := c["op_ns"]; !ok {
			t.Errorf("ablation %s: no op_ns", a.ID)
		}
	}
}
