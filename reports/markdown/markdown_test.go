package markdown_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/schedlab/schedlab/reports/internal/sample"
	"github.com/schedlab/schedlab/reports/markdown"
	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim/study"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

func TestRender(t *testing.T) {
	for _, tt := range []struct {
		name    string
		outcome *study.Outcome
	}{
		{"full", sample.Full()},
		{"quick", sample.Quick()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := view.New(tt.outcome, view.Parts{
				PublishedTable: "Hmean     1        111.11 (   0.00%)      122.22 *  10.00%*",
				Plots:          []view.Plot{{Name: "effect", Title: "Effect by row, synthetic.", Alt: "two dots", SVG: sample.SVG}},
			})
			if err != nil {
				t.Fatal(err)
			}
			got, err := markdown.Render(r)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, tt.name+".md", got)
		})
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("%v; run go test -update", err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s differs (-want +got):\n%s", name, d)
	}
}
