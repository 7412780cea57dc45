package post_test

import (
	"testing"

	"github.com/schedlab/schedlab/reports/internal/golden"
	"github.com/schedlab/schedlab/reports/internal/sample"
	"github.com/schedlab/schedlab/reports/lint"
	"github.com/schedlab/schedlab/reports/overlay"
	"github.com/schedlab/schedlab/reports/post"
	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim/study"
)

func TestRender(t *testing.T) {
	for _, tt := range []struct {
		name    string
		outcome *study.Outcome
		here    *overlay.Overlay
	}{
		{"full", sample.Full(), nil},
		{"quick", sample.Quick(), nil},
		{"tables", sample.Tables(), nil},
		{"here", sample.Full(), sample.Here()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := view.New(tt.outcome, view.Parts{Here: tt.here, Machines: map[string]string{"synthetic-2s-8c": "2 synthetic sockets, 8 cores"}})
			if err != nil {
				t.Fatal(err)
			}
			got, err := post.Render(r)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range post.Lint(string(got)) {
				t.Errorf("lint: %s", p)
			}
			// What is posted stands the check that others' tables are put to.
			if r := lint.Text(string(got), tt.name); r.Wrong() {
				t.Errorf("its own tables: %v", r.Findings)
			}
			golden.Check(t, tt.name+".txt", got)
		})
	}
}
