package nb

import (
	"bytes"
	"encoding/json"
	"errors"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/google/go-cmp/cmp"

	"github.com/schedlab/schedlab/reports"
	"github.com/schedlab/schedlab/reports/dialect"
	"github.com/schedlab/schedlab/reports/internal/sample"
	"github.com/schedlab/schedlab/reports/view"
	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/study"
	"github.com/schedlab/schedlab/topology"
)

// TestBundleKinds holds the forms of everything that Show knows against golden
// files, which are there to be read.
func TestBundleKinds(t *testing.T) {
	outcome := sample.Full()
	report, err := reports.NewWriteUp(outcome, reports.Parts{})
	if err != nil {
		t.Fatal(err)
	}
	published, err := study.Load("gorman2020-idle-candidate")
	if err != nil {
		t.Fatal(err)
	}
	mmtests, err := dialect.FromSamples(
		dialect.Spec{Kernels: []dialect.Kernel{{Label: [2]string{"a", "1"}}, {Label: [2]string{"b", "2"}}}, Better: dialect.Higher},
		[]dialect.SampleRow{{Key: "64", Runs: [][]float64{{100, 102}, {110, 111}}}})
	if err != nil {
		t.Fatal(err)
	}
	frame := dataframe.New(
		series.New([]string{"a|b", "<b>&"}, series.String, "name"),
		series.New([]float64{1e-9, math.NaN()}, series.Float, "value"),
		series.New([]int{7, 15417}, series.Int, "count"),
	)
	tests := []struct {
		name  string
		value any
		forms string
	}{
		{"table", view.Table{Cols: []view.Col{{Head: "row"}, {Head: "verdict"}, {Head: "n", Num: true}},
			Rows: [][]string{{"64", "reproduced", "12"}, {"x<y", "missed"}}}, "html markdown plain"},
		{"frame", frame, "html markdown plain"},
		{"author", mmtests, "plain"},
		{"machine", must(topology.Load("csl-2s-80")), "plain png svg+xml"},
		{"study", published, "html markdown plain"},
		{"outcome", outcome, "html markdown plain"},
		{"ledger", study.LedgerJSON([]*study.Outcome{outcome}), "html markdown plain"},
		{"report", report, "html plain"},
		{"run", schedsim.Result{Throughput: 15417.25, Unit: "MB/sec", MeasuredNS: 4e7, TotalEvents: 52, TraceHash: 0xabc,
			Metrics: []schedsim.Metric{{Name: "throughput", Unit: "MB/sec", Value: 15417.25}, {Name: "migrations/s", Unit: "1/s", Value: 3.5}}},
			"html markdown plain"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bundle, err := Bundle(tt.value)
			if err != nil {
				t.Fatal(err)
			}
			var have []string
			for _, mime := range []string{mimeHTML, mimeMarkdown, mimeText, mimePNG, mimeSVG} {
				form, ok := bundle[mime]
				if !ok {
					continue
				}
				_, kind, _ := strings.Cut(mime, "/")
				have = append(have, kind)
				if data, ok := form.([]byte); ok {
					if _, err := png.DecodeConfig(bytes.NewReader(data)); err != nil {
						t.Errorf("%s: %v", mime, err)
					}
					continue
				}
				// The report and the drawing have goldens where they are made.
				if tt.name != "report" && mime != mimeSVG {
					goldenText(t, tt.name+"."+kind, form.(string)+"\n")
				}
			}
			if got := strings.Join(have, " "); got != tt.forms {
				t.Errorf("forms %q, want %q", got, tt.forms)
			}
		})
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// goldenText compares text with testdata/show/NAME.
func goldenText(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "show", name)
	if *update {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(got), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func TestBundleNil(t *testing.T) {
	for _, v := range []any{(*topology.Machine)(nil), (*study.Study)(nil), (*study.Outcome)(nil), (*reports.WriteUp)(nil),
		(*view.Table)(nil), (*dataframe.DataFrame)(nil), (*dialect.Table)(nil), (*schedsim.Result)(nil)} {
		bundle, err := Bundle(v)
		if err != nil || len(bundle) != 1 {
			t.Errorf("%T: %v, %v; want text alone", v, bundle, err)
		}
	}
}

func TestBundleRefuses(t *testing.T) {
	if _, err := Bundle(dataframe.LoadRecords(nil)); err == nil {
		t.Error("a frame that holds an error is shown")
	}
	if _, err := Bundle([]*study.Outcome{nil}); err == nil {
		t.Error("a missing outcome is shown")
	}
}

// TestLongFrame: the ends of a long frame are shown, and how much is not.
func TestLongFrame(t *testing.T) {
	const rows = 1000
	numbers := make([]int, rows)
	for i := range numbers {
		numbers[i] = i
	}
	bundle, err := Bundle(dataframe.New(series.New(numbers, series.Int, "i")))
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(bundle[mimeText].(string), "\n")
	want := []string{"i"}
	for i := range 50 {
		want = append(want, strconv.Itoa(i))
	}
	want = append(want, "...")
	for i := rows - 10; i < rows; i++ {
		want = append(want, strconv.Itoa(i))
	}
	for i := range want {
		want[i] = strings.Repeat(" ", 3-len(want[i])) + want[i]
	}
	want = append(want, "", "1000 rows, 1 column; 940 in the middle are not shown")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFigure(t *testing.T) {
	for _, tt := range []struct {
		value float64
		want  string
	}{{0, "0"}, {1e-9, "1e-09"}, {1.0 / 3, "0.333333"}, {15417.23456, "15417.2"}, {208543, "208543"}, {math.Inf(1), "-"}, {-2.5, "-2.5"}} {
		if got := figure(tt.value); got != tt.want {
			t.Errorf("figure(%g) = %q, want %q", tt.value, got, tt.want)
		}
	}
}

// TestGridEscapes: what is data is no markup, in HTML as in Markdown.
func TestGridEscapes(t *testing.T) {
	const evil = `<script>alert(1)</script>`
	g := grid{caption: evil, note: evil}
	g.Cols = []view.Col{{Head: evil}, {Head: "verdict"}}
	g.Rows = [][]string{{evil, evil}}
	all := grids{title: evil, facts: []view.Fact{{Label: evil, Text: evil}}, parts: []grid{g}}
	if strings.Contains(all.HTML(), "<script") {
		t.Errorf("HTML:\n%s", all.HTML())
	}
	if strings.Contains(strings.ReplaceAll(all.Markdown(), `\<script`, ""), "<script") {
		t.Errorf("Markdown:\n%s", all.Markdown())
	}
	if _, err := json.Marshal(all.HTML()); err != nil {
		t.Error(err)
	}
}
