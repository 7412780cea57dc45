package study

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

const gorman = "gorman2020-idle-candidate"

func mustLoad(t testing.TB, id string) *Study {
	t.Helper()
	s, err := Load(id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fixtureFile is a study whose constants do not change with the model.
const fixtureFile = "testdata/study.yaml"

func fixture(t testing.TB) *Study {
	t.Helper()
	s, err := LoadFile(fixtureFile)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPublishedRows prints the rows as the post has them, byte for byte.
func TestPublishedRows(t *testing.T) {
	want := []string{
		"Hmean     1        500.06 (   0.00%)      505.67 *   1.12%*",
		"Hmean     2        975.90 (   0.00%)      974.06 *  -0.19%*",
		"Hmean     4       1902.95 (   0.00%)     1904.43 *   0.08%*",
		"Hmean     8       3761.73 (   0.00%)     3721.02 *  -1.08%*",
		"Hmean     16      6713.93 (   0.00%)     6769.17 *   0.82%*",
		"Hmean     32     10435.31 (   0.00%)    10312.58 *  -1.18%*",
		"Hmean     64     12325.51 (   0.00%)    13792.01 *  11.90%*",
		"Hmean     128    21225.21 (   0.00%)    20963.44 *  -1.23%*",
		"Hmean     256    20532.83 (   0.00%)    20335.62 *  -0.96%*",
		"Hmean     320    20334.81 (   0.00%)    20147.25 *  -0.92%*",
	}
	s := mustLoad(t, gorman)
	if len(s.Tables[0].Rows) != len(want) {
		t.Fatalf("%d rows, want %d", len(s.Tables[0].Rows), len(want))
	}
	for i, r := range s.Tables[0].Rows {
		mark := "*"
		if !r.Significant {
			mark = " "
		}
		got := fmt.Sprintf("%s     %-5s  %8.2f (   0.00%%)    %8.2f %s%7.2f%%%s", s.Tables[0].Statistic, r.Key, r.Base, r.Patched, mark, r.Pct, mark)
		if got != want[i] {
			t.Errorf("row %s:\ngot  %s\nwant %s", r.Key, got, want[i])
		}
	}
}

func TestNoiseFromSecondMeasurement(t *testing.T) {
	s := mustLoad(t, gorman)
	// |again-base|/base of each row; the median of the ten is 1.692 %.
	want := map[string]float64{
		"1": 1.692, "2": 1.692, "4": 1.692, "8": 1.692, "16": 2.097, "32": 2.805,
		"64": 16.412, "128": 2.909, "256": 1.692, "320": 1.719,
	}
	for _, r := range s.Tables[0].Rows {
		if got := r.Noise.Pct; got < want[r.Key]-0.001 || got > want[r.Key]+0.001 {
			t.Errorf("row %s: noise %.4f %%, want %.3f %%", r.Key, got, want[r.Key])
		}
		if r.Noise.Assumed {
			t.Errorf("row %s: noise is flagged as assumed", r.Key)
		}
		if !strings.Contains(r.Noise.Source, "20201207091516.24683-3-mgorman@techsingularity.net") {
			t.Errorf("row %s: noise source %q names no post", r.Key, r.Noise.Source)
		}
		if raised := strings.Contains(r.Noise.Source, "raised"); raised != (want[r.Key] == 1.692) {
			t.Errorf("row %s: noise source %q", r.Key, r.Noise.Source)
		}
	}
}

func TestEmbeddedStudies(t *testing.T) {
	ids := IDs()
	if !slices.Contains(ids, gorman) || !slices.IsSorted(ids) {
		t.Fatalf("IDs() = %q", ids)
	}
	for _, id := range ids {
		t.Run(id, func(t *testing.T) {
			if s := mustLoad(t, id); s.ID != id {
				t.Errorf("file %s.yaml has id %s", id, s.ID)
			}
			if s, err := LoadFile("studies/" + id + ".yaml"); err != nil || s.ID != id {
				t.Errorf("LoadFile: %v", err)
			}
		})
	}
}

func TestLoadUnknown(t *testing.T) {
	tests := []struct{ name, id, want string }{
		{"typo", "gorman2020-idle-candidat", "did you mean " + gorman},
		{"part", "gorman", gorman},
		{"model file", gorman + ".model", "unknown study"},
		{"path", "../study", "unknown study"},
		{"empty", "", "known are"},
		{"nothing near", "zzzzzzzz", "known are"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Load(tt.id)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Load(%q): %v, want %q in it", tt.id, err, tt.want)
			}
		})
	}
}

// lineOf returns the 1-based line of the first occurrence of part.
func lineOf(text, part string) int {
	before, _, ok := strings.Cut(text, part)
	if !ok {
		panic(part + " not in text")
	}
	return 1 + strings.Count(before, "\n")
}

func TestParseErrors(t *testing.T) {
	data, err := os.ReadFile(fixtureFile)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, old, new, at, want string }{
		{"wrong pct", "pct: 11.90", "pct: 11.91", "pct: 11.91", `row "64" prints +11.91 % but its columns give +11.8981 %`},
		{"pct sign", "pct: -0.19", "pct: 0.19", "pct: 0.19", `row "2" prints +0.19 %`},
		{"wrong digit", "base: 10435.31", "base: 10485.31", "base: 10485.31", `row "32" prints`},
		{"duplicate row", `key: "2"`, `key: "1"`, "975.90", `row "1" is there twice`},
		{"no key", `{key: "1",`, `{key: "",`, "500.06", "row has no key"},
		{"negative base", "base: 500.06", "base: -500.06", "base: -500.06", "positive figures"},
		{"not a number", "base: 500.06", "base: .nan", "base: .nan", "positive figures"},
		{"text for number", "base: 500.06", "base: fast", "base: fast", "cannot unmarshal string"},
		{"unknown key", "workload: tbench", "workloed: tbench", "workloed", "unknown field"},
		{"duplicate key", "workload: tbench", "workload: tbench\nworkload: dbench", "workload: dbench", "already defined"},
		{"missing machine", "machine: csl-2s-80", "machine: ''", "- id: tbench", `machine of table "tbench" is missing`},
		{"bad id", "id: gorman2020-idle-candidate", "id: Gorman 2020", "id: Gorman 2020", "lower-case"},
		{"bad better", "better: higher", "better: more", "better: more", `better is "more"; use one of higher, lower`},
		{"bad statistic", "statistic: Hmean", "statistic: Gmean", "statistic: Gmean", "use one of Hmean, Amean"},
		{"zero again", "again: 508.39", "again: 0", "again: 0", `row "1" has no positive figure for again`},
		{"again from nowhere", `message_id: "20201207091516.24683-3-mgorman@techsingularity.net"`, `message_id: ""`, "again: 508.39", "names no message_id"},
		{"noise without source", "again: 508.39", "noise: {pct: 1}", "noise: {pct: 1}", `noise of row "1" needs`},
		{"claim on no row", `rows: ["32", "64"]`, `rows: ["32", "63"]`, `"63"`, `claim refers to row "63"`},
		{"claim without rows", `rows: ["32", "64"]`, `rows: []`, "text: \"It provides", "claim names no rows"},
		{"claim expects", "expect: up", "expect: better", "expect: better", "use one of up, none-or-down"},
		{"constant out of bounds", "value: 1500", "value: 15", "name: work_ns", "low <= value <= high"},
		{"constant twice", "name: tail_ns", "name: work_ns", "name: work_ns\n    unit: ns\n    doc: \"work of the sender", `constant "work_ns" is there twice`},
		{"constant kind", "kind: assumed", "kind: guessed", "kind: guessed", "use one of measured, vendor, derived, assumed"},
		{"picture of no row", "claims:", "pictures: [{row: \"63\", warmup: 1ms, length: 1ms}]\nclaims:", "row: \"63\"", `no row "63" that is run`},
		{"picture of no time", "claims:", "pictures: [{row: \"64\", warmup: 1ms, length: 0s}]\nclaims:", "pictures:", "give a length above 0"},
		{"broken yaml", "claims:", "claims: [", "claims: [", ""},
		{"two documents", "claims:", "---\nclaims:", "", "2 YAML documents"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.Replace(string(data), tt.old, tt.new, 1)
			if text == string(data) {
				t.Fatalf("%q is not in the study", tt.old)
			}
			_, err := Parse("my.yaml", []byte(text))
			if err == nil {
				t.Fatal("no error")
			}
			want := "study: my.yaml:"
			if tt.at != "" && tt.name != "broken yaml" {
				want += fmt.Sprint(lineOf(text, tt.at)) + ":"
			}
			if !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got  %v\nwant %s ... %s", err, want, tt.want)
			}
		})
	}
}

func TestParseListsAllErrors(t *testing.T) {
	data, err := os.ReadFile(fixtureFile)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(data), "pct: 11.90", "pct: 12.90", 1)
	text = strings.Replace(text, "better: higher", "better: more", 1)
	_, err = Parse("my.yaml", []byte(text))
	if err == nil || !strings.Contains(err.Error(), "12.90") || !strings.Contains(err.Error(), `"more"`) {
		t.Errorf("not both errors in: %v", err)
	}
}

// TestTooManyFitted has half as many fitted constants as rows.
func TestTooManyFitted(t *testing.T) {
	data, err := os.ReadFile(fixtureFile)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(data), "not_modelled: []", `  - {name: fifth, unit: ns, value: 1, low: 0, high: 2, fitted: true, kind: assumed, source: test}
not_modelled: []`, 1)
	if _, err := Parse("my.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), "5 fitted constants for 10 rows") {
		t.Errorf("got %v", err)
	}
}

func TestParseNotAStudy(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", "0 YAML documents"},
		{"list", "- a\n- b\n", "sequence was used"},
		{"binary", "\x7fELF\x00\x00", ""},
		{"deep", strings.Repeat("[", 1000), ""},
		{"huge", strings.Repeat("a", 1<<20), "too large for a study"},
		{"alias to itself", "id: &a [*a]\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("x", []byte(tt.text))
			if err == nil || !strings.HasPrefix(err.Error(), "study: x:1: ") || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestNoiseSources(t *testing.T) {
	data, err := os.ReadFile(fixtureFile)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(data), "again: 508.39", `noise: {pct: 3.5, source: "stddev of 10 runs"}`, 1)
	text = strings.Replace(text, ", again: 986.70", "", 1)
	s, err := Parse("my.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if n := s.Tables[0].Row("1").Noise; n.Pct != 3.5 || n.Assumed || n.Source != "stddev of 10 runs" {
		t.Errorf("stated noise: %+v", n)
	}
	if n := s.Tables[0].Row("2").Noise; n.Pct != 2 || !n.Assumed || !strings.Contains(n.Source, "assumed") {
		t.Errorf("assumed noise: %+v", n)
	}
	if s.Tables[0].Row("1").Again.Measured() || s.Tables[0].Row("2").Again.Measured() {
		t.Error("an absent second measurement counts as measured")
	}
}

func FuzzParse(f *testing.F) {
	data, err := os.ReadFile(fixtureFile)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte("id: x\ntable: {rows: [{key: 1}]}"))
	f.Add([]byte("a: &a [*a]"))
	f.Add([]byte("- ["))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse("f.yaml", data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "study: f.yaml:") {
				t.Errorf("error without a position: %v", err)
			}
			return
		}
		for _, r := range s.Tables[0].Rows {
			if r.Noise.Source == "" || !finite(r.Noise.Pct) {
				t.Errorf("row %q has noise %+v", r.Key, r.Noise)
			}
		}
	})
}
