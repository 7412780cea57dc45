package fidelity_test

import (
	"strings"
	"testing"

	"github.com/schedlab/schedlab/reports/fidelity"
	"github.com/schedlab/schedlab/reports/internal/golden"
	"github.com/schedlab/schedlab/reports/internal/sample"
	"github.com/schedlab/schedlab/schedsim/study"
)

func TestMarkdown(t *testing.T) {
	golden.Check(t, "fidelity.md", fidelity.Markdown([]*study.Outcome{sample.Full(), sample.Tables()}))
}

// TestEveryCellIsThere: no cell is left out, whatever its verdict.
func TestEveryCellIsThere(t *testing.T) {
	o := sample.Tables()
	text := string(fidelity.Markdown([]*study.Outcome{o}))
	for _, c := range o.Cells {
		if name := o.Study.RowName(c.Table, c.Row); !strings.Contains(text, name) {
			t.Errorf("%s is not named", name)
		}
	}
	if !strings.Contains(string(fidelity.Markdown(nil)), "# Fidelity") {
		t.Error("no page without outcomes")
	}
}
