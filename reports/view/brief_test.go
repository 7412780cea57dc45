package view

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/schedlab/schedlab/schedsim/study"
)

func TestFit(t *testing.T) {
	table := Table{
		Cols: []Col{text("row"), num("first\ncount"), num("second"), num("third")},
		Rows: [][]string{{"a", "1", "2", "3"}, {"b"}},
	}
	for _, tc := range []struct {
		width int
		want  string
	}{
		{100, "row first\ncount second third"},
		{25, "row first\ncount second third"}, // 3+2+5+2+6+2+5
		{24, "row first\ncount third"},
		{1, "row first\ncount"},
	} {
		t.Run(fmt.Sprint(tc.width), func(t *testing.T) {
			got := table.fit(tc.width, "second", "fourth", "third")
			var heads []string
			for _, c := range got.Cols {
				heads = append(heads, c.Head)
			}
			if s := strings.Join(heads, " "); s != tc.want {
				t.Errorf("%q, want %q", s, tc.want)
			}
			if n := len(got.Rows[0]); n != len(got.Cols) || len(got.Rows) != 2 {
				t.Errorf("%d cells below %d heads: %v", n, len(got.Cols), got.Rows)
			}
		})
	}
	if len(table.Cols) != 4 || len(table.Rows[0]) != 4 {
		t.Error("the table itself was changed")
	}
}

func TestFewNames(t *testing.T) {
	for _, tc := range []struct{ names, want string }{
		{"a", "row a"},
		{"a b", "rows a and b"},
		{"a b c d", "rows a, b, c and d"},
		{"a b c d e", "rows a, b, c and 2 more"},
	} {
		if got := fewNames(strings.Fields(tc.names), "row"); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}

// TestReasons: rows that have one reason are named together, in a few words.
func TestReasons(t *testing.T) {
	of := func(name string, v study.Verdict, reason string) row {
		return row{name: name, run: v != study.NotModelled && v != study.NotRun, verdict: v, cell: study.Cell{Reason: reason}}
	}
	rows := []row{
		of("a", study.Missed, "published +1.00 % (noise ±0.10), simulated 0.00 % [-1.00, +1.00]: no effect"),
		of("b", study.Reproduced, "as published"),
		of("c", study.Missed, "published +2.00 % (noise ±0.10), simulated 0.10 % [-1.00, +1.00]: no effect"),
		of("d", study.Phantom, ""),
		of("e", study.NotModelled, "no disk"),
		of("f", study.NotModelled, "no disk"),
		of("g", study.NotRun, ""),
	}
	if diff := cmp.Diff([]string{"Rows a and c: missed; no effect.", "Row d: phantom; the ledger gives no reason."}, briefReasons(rows)); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Rows e and f: no disk."}, unmodelledRows(rows)); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
}

// TestSettings: what all tables have alike is told once, the rest with its table.
func TestSettings(t *testing.T) {
	s := &study.Study{Tables: []study.Table{{}, {}}}
	s.Tables[0].System = map[string]string{"hz": "250", "governor": "powersave"}
	s.Tables[1].System = map[string]string{"hz": "250", "governor": "ondemand"}
	s.Tables[1].Params = map[string]string{"class": "C"}
	shared := common(s)
	if diff := cmp.Diff(map[string]string{"hz": "250"}, shared); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"class": "C", "governor": "ondemand"}, own(&s.Tables[1], shared)); diff != "" {
		t.Error(diff)
	}
	if len(s.Tables[0].System) != 2 {
		t.Error("the study itself was changed")
	}
}
