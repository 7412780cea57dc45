package html_test

import (
	"bytes"
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
	t.Run("here", func(t *testing.T) {
		r, err := view.New(sample.Full(), view.Parts{Here: sample.Here()})
		if err != nil {
			t.Fatal(err)
		}
		page, err := html.Render(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{
			`<th scope="col" class="num">measured here %</th>`,
			`<tr id="measured/1"><th scope="row">1 <a class="here" href="#measured/1" aria-label="link to row 1">#</a></th><td class="num">100.00 ±1.00 (5)</td><td class="num">110.00 ±1.50 (5)</td><td class="num">+10.00</td><td class="num">[+8.00, +12.00]</td>`,
			`<td>agree</td>`, `<td>no spread or n</td>`, `<td>no patched</td>`,
			`only the columns headed &#34;published&#34; or &#34;measured here&#34; were measured on hardware`,
			`fake-latency [clients=1] (here.log:9), fake-latency [clients=2] (there.log:9)`,
		} {
			if !bytes.Contains(page, []byte(want)) {
				t.Errorf("the page lacks %s", want)
			}
		}
		if bytes.Contains(page, []byte("dir/")) {
			t.Error("the page has the directory of the reader's files")
		}
	})
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
		"<svg width=", `<desc id="figure/effect.desc">two &#34;dots&#34;</desc>`, "default-src 'none'",
		`<tr id="fakebench/64"><th scope="row">64 <a class="here" href="#fakebench/64"`,
		`<summary><strong>64</strong>: published +10.00 %*, simulated +5.00 %;`,
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
		`<a class="chip good" href="#how/fakebench/1">reproduced</a>`,
		`<a class="chip partial" href="#how/fakebench/2">direction</a>`,
		`<a class="chip neutral" href="#how/fakebench/4">agrees on none</a>`,
		`<a class="chip bad" href="#how/fakebench/8">missed</a>`,
		`<span class="chip bad">phantom</span>`,
		`<span class="chip bad">contradicted</span>`,
		`<span class="chip open">unidentified</span>`,
		`<span class="chip open">unfalsifiable</span>`,
		`<span class="chip off">not modelled</span>`,
		`<span class="chip off">not run</span>`,
		`<td class="num">+10.00*</td>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}
