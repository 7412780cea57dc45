package markdown_test

import (
	"testing"

	"github.com/schedlab/schedlab/reports/internal/golden"
	"github.com/schedlab/schedlab/reports/internal/sample"
	"github.com/schedlab/schedlab/reports/markdown"
	"github.com/schedlab/schedlab/reports/overlay"
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
			r, err := view.New(tt.outcome, view.Parts{Here: tt.here, Tables: map[string]view.TableParts{"fakebench": {
				PublishedTable: "Hmean     1        111.11 (   0.00%)      122.22 *  10.00%*",
				Plots:          []view.Plot{{Name: "effect", Title: "Effect by row, synthetic.", Alt: "two dots", SVG: sample.SVG}},
			}}})
			if err != nil {
				t.Fatal(err)
			}
			got, err := markdown.Render(r)
			if err != nil {
				t.Fatal(err)
			}
			golden.Check(t, tt.name+".md", got)
		})
	}
}
