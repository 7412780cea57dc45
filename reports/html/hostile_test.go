package html_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/schedlab/schedlab/internal/hostile"
	"github.com/schedlab/schedlab/reports/html"
	"github.com/schedlab/schedlab/reports/internal/sample"
	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim/study"
)

// words are fields that take one of few words, which a study's checks hold them to.
var words = []string{"Verdict", "Dialect", "Statistic", "Better", "Expect", "PctSign", "Kind", "Mode", "ID", "Against", "SHA256", "Of"}

// hostileOutcome is an outcome with the text at the end of every other string.
func hostileOutcome(o *study.Outcome, text string) *study.Outcome {
	hostile.Append(o, text, func(field string, t reflect.Type) bool {
		return slices.Contains(words, field) || t == reflect.TypeFor[study.Verdict]()
	})
	return o
}

// TestHostile: a page of a study whose every text is hostile runs and loads nothing.
func TestHostile(t *testing.T) {
	for name, outcome := range map[string]func() *study.Outcome{"full": sample.Full, "tables": sample.Tables} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i, v := range hostile.Vectors {
				if name == "tables" && i%10 != 0 {
					continue // it has a few more kinds of text
				}
				o := hostileOutcome(outcome(), v.Text)
				machines := make(map[string]string)
				for id := range o.Machines {
					machines[id] = "a machine " + v.Text
				}
				for i := range o.Study.Tables {
					machines[o.Study.Tables[i].Machine] = "a machine " + v.Text
				}
				parts := view.Parts{Machines: machines, Command: "mkreport run " + v.Text, Tables: map[string]view.TableParts{o.Study.Tables[0].ID: {
					Table: "row " + v.Text, PublishedTable: "row " + v.Text,
					Plots: []view.Plot{{Name: "effect", Title: "Effect " + v.Text, Alt: "effect " + v.Text, SVG: sample.SVG}},
				}}}
				r, err := view.New(o, parts)
				if err != nil {
					t.Fatalf("%q: %v", v.Text, err)
				}
				page, err := html.Render(r)
				if err != nil {
					t.Fatalf("%q: %v", v.Text, err)
				}
				if found := hostile.Page(page); len(found) > 0 {
					t.Errorf("%s %q: the page has %s", v.Class, v.Text, strings.Join(found[:min(len(found), 3)], "\n"))
				}
				// The text is shown rather than lost.
				if !strings.Contains(string(page), "alert(1)") && strings.Contains(v.Text, "alert(1)") {
					t.Errorf("%s %q: nothing of it is shown", v.Class, v.Text)
				}
				index, err := html.Index([]*study.Outcome{o})
				if err != nil {
					t.Fatal(err)
				}
				if found := hostile.Page(index); len(found) > 0 {
					t.Errorf("%s %q: the index has %s", v.Class, v.Text, strings.Join(found[:min(len(found), 3)], "\n"))
				}
			}
		})
	}
}

// TestHostileDrawing: a drawing that runs or loads something is refused.
func TestHostileDrawing(t *testing.T) {
	for _, v := range hostile.Vectors {
		if v.Class != "svg" || !strings.HasPrefix(v.Text, "<svg>") {
			continue
		}
		t.Run(fmt.Sprintf("%.40s", v.Text), func(t *testing.T) {
			o := sample.Full()
			r, err := view.New(o, view.Parts{
				Machines: map[string]string{"synthetic-2s-8c": "x"},
				Tables:   map[string]view.TableParts{"fakebench": {Plots: []view.Plot{{Name: "effect", Title: "x", Alt: "x", SVG: []byte(v.Text)}}}},
			})
			if err != nil {
				return
			}
			page, err := html.Render(r)
			if err != nil {
				return
			}
			if found := hostile.Page(page); len(found) > 0 {
				t.Errorf("the page has %s", strings.Join(found, "\n"))
			}
		})
	}
}
