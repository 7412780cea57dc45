package study

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/schedlab/schedlab/schedsim"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// count returns a visitor that counts runs.
func count(n *int) func(StoredRun) error {
	return func(StoredRun) error {
		*n++
		return nil
	}
}

func cellOf(t *testing.T, o *Outcome, row string) Cell {
	t.Helper()
	for _, c := range o.Cells {
		if c.Row == row {
			return c
		}
	}
	t.Fatalf("no cell for row %s", row)
	return Cell{}
}

// mixedEffect has an effect on one row and one that hangs on a constant on
// another.
func mixedEffect(j Job) float64 {
	switch j.Row {
	case "64":
		return 12
	case "128":
		return (j.Constants["tail_ns"] - 800) / 50
	}
	return 0
}

func TestBuild(t *testing.T) {
	s := withEnsemble(t, 8)
	plan := testPlan(3, 8)
	store := fill(t, s, plan, &fakeRunner{study: s, effect: mixedEffect})
	o, err := Build(s, plan, store, testIdentity)
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Missing) != 0 || o.HaveRuns != 720 || o.WantRuns != 720 || len(o.Cells) != 10 || len(o.Warnings) != 0 {
		t.Fatalf("missing %v, %d of %d runs, %d cells, warnings %q", o.Missing, o.HaveRuns, o.WantRuns, len(o.Cells), o.Warnings)
	}
	if e := float64(o.MedianBaseErrPct); e < 1.8 || e > 2.2 {
		t.Errorf("median base error %v, the runner is 2 %% off", e)
	}
	c := cellOf(t, o, "64")
	// The published effect of row 64 is within its noise.
	if c.Verdict != Phantom || c.Agreement != 1 || math.Abs(float64(c.Simulated.Pct)-12) > 0.1 {
		t.Errorf("row 64: %+v", c)
	}
	if c.Simulated.N != 24 || c.Simulated.Ensemble != 8 || len(c.PerSet) != 8 || len(c.Base.Values) != 24 {
		t.Errorf("row 64: n %d, ensemble %d, sets %d, values %d", c.Simulated.N, c.Simulated.Ensemble, len(c.PerSet), len(c.Base.Values))
	}
	if !near(float64(c.Simulated.Base), Hmean(c.Base.Values)) || !near(float64(c.Simulated.Patched), Hmean(c.Patched.Values)) {
		t.Errorf("columns %+v are not the harmonic means of the values", c.Simulated.Effect)
	}
	if c.Base.Counters.Wakeups != 240 || c.Patched.Counters.IdleNS != 72 || c.Base.SimulatedNS != 24*200e6 {
		t.Errorf("row 64 sums: %+v, %d ns", c.Base.Counters, c.Base.SimulatedNS)
	}
	if float64(c.Base.Spread.Max) != slices.Max(c.Base.Values) || c.Base.Spread.Min > c.Base.Spread.Median {
		t.Errorf("spread %+v", c.Base.Spread)
	}
	if c.ControlPct < -0.5 || c.ControlPct > 0.5 || !(c.ControlCILow < c.ControlPct && c.ControlPct < c.ControlCIHigh) {
		t.Errorf("control %v [%v, %v]", c.ControlPct, c.ControlCILow, c.ControlCIHigh)
	}
	if strings.Contains(c.Reason, "beware") {
		t.Errorf("a control that is none is warned of: %s", c.Reason)
	}
	c = cellOf(t, o, "128")
	if c.Verdict != Unidentified || c.DecidingConstant != "tail_ns" {
		t.Errorf("row 128: %s on %q: %s", c.Verdict, c.DecidingConstant, c.Reason)
	}
	if c = cellOf(t, o, "1"); c.Verdict != AgreesOnNone {
		t.Errorf("row 1: %s: %s", c.Verdict, c.Reason)
	}
	if len(o.Claims) != 2 || o.Claims[0].Verdict != Reproduced || o.Claims[1].Verdict != AgreesOnNone {
		t.Errorf("claims %+v", o.Claims)
	}
}

// TestBuildIsAFunctionOfTheStore builds twice and from a reopened store.
func TestBuildIsAFunctionOfTheStore(t *testing.T) {
	s := withEnsemble(t, 4)
	plan := testPlan(2, 4)
	store := fill(t, s, plan, &fakeRunner{study: s, effect: mixedEffect})
	first, err := Build(s, plan, store, testIdentity)
	if err != nil {
		t.Fatal(err)
	}
	readOnly, err := OpenReadOnly(store.Dir())
	if err != nil {
		t.Fatal(err)
	}
	second, err := Build(s, plan, readOnly, testIdentity)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(first)
	b, _ := json.Marshal(second)
	if !bytes.Equal(a, b) {
		t.Error("two builds differ")
	}
}

func TestBuildBadControl(t *testing.T) {
	s := fixture(t)
	plan := testPlan(3, 0)
	store := mustOpen(t, t.TempDir())
	jobs, _ := Jobs(s, plan, testIdentity)
	runner := &fakeRunner{study: s, effect: noEffect}
	for _, j := range jobs {
		r, err := runner.Run(t.Context(), j)
		if err != nil {
			t.Fatal(err)
		}
		if j.Arm == ArmControl && j.Row == "8" {
			r.Throughput *= 1.05
		}
		if err := store.Put(j.Key, r); err != nil {
			t.Fatal(err)
		}
	}
	o, err := Build(s, plan, store, testIdentity)
	if err != nil {
		t.Fatal(err)
	}
	if c := cellOf(t, o, "8"); !strings.Contains(c.Reason, "beware: base against base") {
		t.Errorf("row 8: %s", c.Reason)
	}
}

func TestBuildPartial(t *testing.T) {
	s := fixture(t)
	plan := testPlan(2, 0)
	store := mustOpen(t, t.TempDir())
	jobs, _ := Jobs(s, plan, testIdentity)
	runner := &fakeRunner{study: s, effect: noEffect}
	for _, j := range jobs {
		r, _ := runner.Run(t.Context(), j)
		switch {
		case j.Row == "1" && j.Arm == ArmPatched: // no pair
			continue
		case j.Row == "2" && j.Run == 1: // one pair
			continue
		case j.Row == "4": // nothing
			continue
		case j.Row == "8" && j.Run == 1 && j.Arm == ArmBase:
			r.Throughput = 0
		}
		if err := store.Put(j.Key, r); err != nil {
			t.Fatal(err)
		}
	}
	o, err := Build(s, plan, store, testIdentity)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(o.Missing, []string{"1", "4"}) || o.HaveRuns != 60-2-3-6 {
		t.Errorf("missing %q, %d runs", o.Missing, o.HaveRuns)
	}
	tests := []struct{ row, want string }{
		{"1", "no pair of runs for row 1; run 'mkreport run " + gorman},
		{"2", "too few paired runs (1)"},
		{"4", "no pair of runs"},
		{"8", "measured no throughput"},
	}
	for _, tt := range tests {
		c := cellOf(t, o, tt.row)
		if c.Verdict != NotRun || !strings.Contains(c.Reason, tt.want) {
			t.Errorf("row %s: %s: %s", tt.row, c.Verdict, c.Reason)
		}
		if c.Agreement.Measured() {
			t.Errorf("row %s: agreement %v", tt.row, c.Agreement)
		}
	}
	if c := cellOf(t, o, "1"); c.Simulated.Base.Measured() || c.BaseErrorPct.Measured() || c.Base.Spread.Median.Measured() {
		t.Errorf("row 1 has figures without a pair: %+v", c)
	}
	if o.Claims[1].Verdict != NotRun {
		t.Errorf("claim on rows that were not run: %+v", o.Claims[1])
	}
}

func TestBuildWrongUnit(t *testing.T) {
	s := fixture(t)
	plan := testPlan(1, 0)
	store := fill(t, s, plan, &fakeRunner{study: s, effect: noEffect})
	s.Tables[0].Unit = "ops/sec"
	if _, err := Build(s, plan, store, testIdentity); err == nil || !strings.Contains(err.Error(), `"MB/sec"`) {
		t.Errorf("got %v", err)
	}
}

// TestCountersAreSummed fails when a counter is added that is not summed.
func TestCountersAreSummed(t *testing.T) {
	var a, b schedsim.Counters
	v := reflect.ValueOf(&b).Elem()
	for i := range v.NumField() {
		if v.Field(i).Kind() != reflect.Int64 {
			t.Fatalf("counter %s is not an int64 and would not be summed", v.Type().Field(i).Name)
		}
		v.Field(i).SetInt(int64(i + 1))
	}
	addCounters(&a, b)
	addCounters(&a, b)
	for i := range v.NumField() {
		if got := reflect.ValueOf(a).Field(i).Int(); got != 2*int64(i+1) {
			t.Errorf("counter %s is %d", v.Type().Field(i).Name, got)
		}
	}
}

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got); if that is meant, run with -update:\n%s", path, diff)
	}
}

// partialOutcome has every kind of row: complete, single pair, none.
func partialOutcome(t *testing.T) *Outcome {
	t.Helper()
	s := withEnsemble(t, 8)
	plan := testPlan(2, 8)
	store := mustOpen(t, t.TempDir())
	jobs, _ := Jobs(s, plan, testIdentity)
	runner := &fakeRunner{study: s, effect: mixedEffect}
	for _, j := range jobs {
		if j.Row == "256" || j.Row == "320" && (j.Run > 0 || j.Set > 0) {
			continue
		}
		r, err := runner.Run(t.Context(), j)
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Put(j.Key, r); err != nil {
			t.Fatal(err)
		}
	}
	o, err := Build(s, plan, store, testIdentity)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestWriteLedger(t *testing.T) {
	var b bytes.Buffer
	if err := WriteLedger(&b, []*Outcome{partialOutcome(t)}); err != nil {
		t.Fatal(err)
	}
	for i, c := range b.Bytes() {
		if c > 127 {
			t.Fatalf("byte %d is not ASCII", i)
		}
	}
	golden(t, "testdata/ledger.txt", b.Bytes())
}

func TestLedgerJSON(t *testing.T) {
	b, err := json.MarshalIndent(LedgerJSON([]*Outcome{partialOutcome(t)}), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/ledger.json", append(b, '\n'))
	var cells []map[string]any
	if err := json.Unmarshal(b, &cells); err != nil {
		t.Fatal(err)
	}
	if len(cells) != 12 {
		t.Fatalf("%d cells, want 10 rows and 2 claims", len(cells))
	}
	fields := map[string][]string{
		"":          {"study", "table", "machine", "row", "metric", "unit", "better", "published", "noise", "simulated", "verdict", "reason"},
		"published": {"base", "patched", "pct"},
		"noise":     {"pct", "source"},
		"simulated": {"base", "patched", "pct", "ci_low", "ci_high", "n", "ensemble"},
	}
	for i, cell := range cells {
		for group, names := range fields {
			object := cell
			if group != "" {
				object = cell[group].(map[string]any)
			}
			if len(object) != len(names) {
				t.Errorf("cell %d %s has %d fields", i, group, len(object))
			}
			for _, name := range names {
				if _, ok := object[name]; !ok {
					t.Errorf("cell %d has no %s %s", i, group, name)
				}
			}
		}
	}
	simulated := cells[8]["simulated"].(map[string]any) // row 256
	if simulated["pct"] != nil || simulated["base"] != nil || simulated["n"] != 0.0 {
		t.Errorf("row without runs: %v", simulated)
	}
	if b, _ := json.Marshal(LedgerJSON(nil)); string(b) != "[]" {
		t.Errorf("empty ledger is %s", b)
	}
}
