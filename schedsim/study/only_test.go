package study

import (
	"fmt"
	"slices"
	"testing"
)

func TestOnly(t *testing.T) {
	s, err := Load("lawall2020-idle-prev")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := s.Plan(ModeQuick)
	if err != nil {
		t.Fatal(err)
	}
	part, err := plan.Only(s, "nas-active", "nas-passive/lu")
	if err != nil {
		t.Fatal(err)
	}
	ident, err := s.Identity()
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := Jobs(s, part, ident)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, j := range jobs {
		if len(j.Ablated) > 0 {
			t.Errorf("an ablation: %v", j.Key)
		}
		if row := fmt.Sprint(j.Row, j.Params, j.System); !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	if len(rows) != 5 {
		t.Errorf("rows %q, want four of one table and one of another", rows)
	}
	if len(plan.Skip) == len(part.Skip) {
		t.Error("the plan itself changed")
	}
	if _, err := plan.Only(s, "nas-active/none"); err == nil {
		t.Error("a row that there is not")
	}
}
