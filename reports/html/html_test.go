package html_test

import (
	"strings"
	"testing"

	"github.com/schedlab/schedlab/reports/html"
	"github.com/schedlab/schedlab/reports/internal/golden"
	"github.com/schedlab/schedlab/reports/internal/sample"
	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim/study"
)

func TestRender(t *testing.T) {
	for _, tt := range []struct {
		name    string
		outcome *study.Outcome
	}{
		{"full", sample.Full()},
		{"quick", sample.Quick()},
		{"tables", sample.Tables()},
	} {
		t.Run(tt.name, func(t *testing.T) { golden.Check(t, tt.name+".html", render(t, tt.outcome)) })
	}
}

func TestIndex(t *testing.T) {
	got, err := html.Index([]*study.Outcome{sample.Full(), sample.Quick()})
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "index.html", got)
}

func render(t *testing.T, o *study.Outcome) []byte {
	t.Helper()
	r, err := view.New(o, view.Parts{
		Machines: map[string]string{"synthetic-2s-8c": "2 synthetic sockets, 8 cores"},
		Tables: map[string]view.TableParts{"fakebench": {
			Plots: []view.Plot{{Name: "effect", Title: "Effect by row, synthetic.", Alt: `two "dots"`, SVG: sample.SVG}},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	page, err := html.Render(r)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// A page must be whole: nothing in it loads or runs anything.
func TestSelfContained(t *testing.T) {
	page := string(render(t, sample.Full()))
	for _, bad := range []string{"<script", "<link", "<iframe", "@import", "src=", "url(", "omitted"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	for _, want := range []string{
		"prefers-color-scheme: dark", "@media print",
		"<svg width=", `aria-label="two &quot;dots&quot;"`,
		"<title>sched/fake: Synthetic sample for tests | not a real patch</title>",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// A verdict is text with a tone, never a colour alone.
func TestVerdictCells(t *testing.T) {
	page := string(render(t, sample.Full()))
	for _, want := range []string{
		`<td class="verdict good">reproduced</td>`,
		`<td class="verdict partial">direction</td>`,
		`<td class="verdict neutral">agrees on none</td>`,
		`<td class="verdict bad">missed</td>`,
		`<td class="verdict bad">phantom</td>`,
		`<td class="verdict bad">contradicted</td>`,
		`<td class="verdict open">unidentified</td>`,
		`<td class="verdict open">unfalsifiable</td>`,
		`<td class="verdict off">not modelled</td>`,
		`<td class="verdict off">not run</td>`,
		`<td class="num">+10.00*</td>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}
