package reports_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/google/go-cmp/cmp"

	"github.com/schedlab/schedlab/reports"
	"github.com/schedlab/schedlab/schedsim/study"
)

// outcome has a cell with two paired runs, one of which measured nothing, and
// a cell that was never run and whose fields nobody filled in.
func outcome() *study.Outcome {
	return &study.Outcome{Cells: []study.Cell{
		{
			Study: "made-up", Table: "tbench", Machine: "m", Row: "64", Metric: "Hmean", Unit: "MB/sec", Better: "higher",
			Published: study.Effect{Base: 100, Patched: 111.9, Pct: 11.9},
			Noise:     study.Noise{Pct: 2, Source: "default", Assumed: true},
			Simulated: study.Interval{
				Effect: study.Effect{Base: 101, Patched: 110.09, Pct: 9},
				CILow:  8, CIHigh: 10, N: 2, Ensemble: 1,
			},
			BaseErrorPct:  1,
			Base:          study.Arm{Values: []float64{100, math.NaN()}, Spread: study.Spread{Min: 100, P10: 100, Median: 101, P90: 102, Max: 102}, SocketShare: []float64{0.25}},
			Patched:       study.Arm{Values: []float64{109, 111}, Spread: study.Spread{P10: 109, Median: 110, P90: 111}, SocketShare: []float64{0.5, 0.75}},
			Verdict:       study.Reproduced,
			Agreement:     1,
			ControlPct:    study.NotMeasured,
			ControlCILow:  study.NotMeasured,
			ControlCIHigh: study.NotMeasured,
		},
		{Study: "made-up", Row: "320", Published: study.Effect{Base: 50, Patched: 0, Pct: -100}, Verdict: study.NotRun, Reason: "no runs"},
	}}
}

// column returns a column, failing the test when the frame has none of that
// name: a missing column panics in gota at the first use.
func column(t *testing.T, df dataframe.DataFrame, name string) series.Series {
	t.Helper()
	c := df.Col(name)
	if c.Err != nil {
		t.Fatalf("column %s: %v", name, c.Err)
	}
	return c
}

func TestFrame(t *testing.T) {
	df := reports.Frame(outcome())
	if df.Err != nil {
		t.Fatal(df.Err)
	}
	if rows := df.Nrow(); rows != 4 {
		t.Fatalf("%d rows, want one for each of 4 runs", rows)
	}
	nan := math.NaN()
	floats := map[string][]float64{
		"throughput":    {100, nan, 109, 111},
		"published":     {100, 100, 111.9, 111.9},
		"socket0_share": {0.25, nan, 0.5, 0.75},
	}
	for name, want := range floats {
		if diff := cmp.Diff(fmt.Sprint(want), fmt.Sprint(column(t, df, name).Float())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	texts := map[string]string{
		"study": "made-up made-up made-up made-up",
		"row":   "64 64 64 64",
		"arm":   "base base patched patched",
		"run":   "0 1 0 1",
		"unit":  "MB/sec MB/sec MB/sec MB/sec",
	}
	for name, want := range texts {
		if got := strings.Join(column(t, df, name).Records(), " "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if kind := column(t, df, "run").Type(); kind != series.Int {
		t.Errorf("run is of type %s", kind)
	}
}

func TestCells(t *testing.T) {
	df := reports.Cells(outcome())
	if df.Err != nil {
		t.Fatal(df.Err)
	}
	if rows := df.Nrow(); rows != 2 {
		t.Fatalf("%d rows, want one for each of 2 cells", rows)
	}
	nan := math.NaN()
	floats := map[string][]float64{
		"published_base":    {100, 50},
		"published_patched": {111.9, 0}, // a published 0 stays one
		"published_pct":     {11.9, -100},
		"noise_pct":         {2, 0},
		"simulated_base":    {101, nan},
		"simulated_patched": {110.09, nan},
		"simulated_pct":     {9, nan},
		"ci_low":            {8, nan},
		"ci_high":           {10, nan},
		"n":                 {2, 0},
		"ensemble":          {1, 0},
		"base_p10":          {100, nan},
		"base_median":       {101, nan},
		"base_p90":          {102, nan},
		"patched_p10":       {109, nan},
		"patched_median":    {110, nan},
		"patched_p90":       {111, nan},
		"base_error_pct":    {1, nan},
		"control_pct":       {nan, 0},
		"agreement":         {1, nan},
	}
	for name, want := range floats {
		if diff := cmp.Diff(fmt.Sprint(want), fmt.Sprint(column(t, df, name).Float())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	texts := map[string]string{
		"verdict":           "reproduced|not run",
		"reason":            "|no runs",
		"unit":              "MB/sec|",
		"noise_source":      "default|",
		"noise_assumed":     "true|false",
		"deciding_constant": "|",
	}
	for name, want := range texts {
		if got := strings.Join(column(t, df, name).Records(), "|"); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestFramesOfNothing(t *testing.T) {
	for name, o := range map[string]*study.Outcome{"nil": nil, "no cells": {}} {
		t.Run(name, func(t *testing.T) {
			for _, df := range []dataframe.DataFrame{reports.Frame(o), reports.Cells(o)} {
				if df.Err != nil || df.Nrow() != 0 || df.Ncol() == 0 {
					t.Errorf("%d rows, %d columns, error %v; want columns without rows", df.Nrow(), df.Ncol(), df.Err)
				}
			}
		})
	}
}

// The runs of the patched kernel, best first.
func ExampleFrame() {
	o := &study.Outcome{Cells: []study.Cell{{
		Study: "made-up", Row: "64", Unit: "MB/sec",
		Published: study.Effect{Base: 100, Patched: 112, Pct: 12},
		Base:      study.Arm{Values: []float64{100, 101}},
		Patched:   study.Arm{Values: []float64{109, 111}},
	}}}
	df := reports.Frame(o).
		Filter(dataframe.F{Colname: "arm", Comparator: series.Eq, Comparando: "patched"}).
		Arrange(dataframe.RevSort("throughput")).
		Select([]string{"row", "run", "throughput", "published"})
	for _, record := range df.Records() {
		fmt.Println(strings.Join(record, " "))
	}
	// Output:
	// row run throughput published
	// 64 1 111.000000 112.000000
	// 64 0 109.000000 112.000000
}

// The verdicts of an outcome.
func ExampleCells() {
	o := &study.Outcome{Cells: []study.Cell{
		{Row: "64", Verdict: study.Reproduced},
		{Row: "320", Verdict: study.NotRun},
	}}
	cells := reports.Cells(o)
	for i, verdict := range cells.Col("verdict").Records() {
		fmt.Println(cells.Col("row").Elem(i), verdict, cells.Col("simulated_pct").Elem(i))
	}
	// Output:
	// 64 reproduced NaN
	// 320 not run NaN
}
