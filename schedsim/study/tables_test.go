package study

import (
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/schedlab/schedlab/schedsim"
)

const tablesFile = "testdata/tables.yaml"

func tables(t testing.TB) *Study {
	t.Helper()
	s, err := LoadFile(tablesFile)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func tablesIdentity(t testing.TB, s *Study) Identity {
	t.Helper()
	id, err := s.Identity()
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestTablesInherit(t *testing.T) {
	s := tables(t)
	a, b := s.Table("figures"), s.Table("times")
	if a.Kernel != "v5.10" || b.Kernel != "v5.10" || a.Reversed() || !b.Reversed() {
		t.Errorf("kernels %s, %s; reversed %v, %v", a.Kernel, b.Kernel, a.Reversed(), b.Reversed())
	}
	if a.PatchText() != "idle-candidate" || b.PatchText() != "idle-prev (the base column has it)" || b.KernelText() != "v5.10 + no-idle-core-search" {
		t.Errorf("%s; %s; %s", a.PatchText(), b.PatchText(), b.KernelText())
	}
	want := map[string]string{"hz": "1000", "autogroup": "on"}
	if got := b.setupOf(b.Row("rate")).System; !reflect.DeepEqual(got, want) {
		t.Errorf("system %v, want %v", got, want)
	}
	want = map[string]string{"clients": "2", "copy_ns_per_kib": "90"}
	if got := b.setupOf(b.Row("much")).Params; !reflect.DeepEqual(got, want) {
		t.Errorf("params %v, want %v", got, want)
	}
	if !slices.Equal(s.Machines(), []string{"csl-2s-80", "snb-ep-4s"}) || s.Machine != "" || s.Workload != "tbench" {
		t.Errorf("machines %q, the study's %q", s.Machines(), s.Machine)
	}
	if s.RowName("times", "rate") != "times/rate" {
		t.Error("rows of several tables are named by key alone")
	}
}

// TestPublishedEffects: percentages become the change of the value, whatever the
// sign that the post prints, and what is not printed is computed.
func TestPublishedEffects(t *testing.T) {
	s := tables(t)
	for _, tt := range []struct {
		table, row string
		pct, noise float64
		assumed    bool
	}{
		// 95 % of Student's t with the degrees of freedom of Welch: relative
		// standard deviations of 2 and 0.952 % of five runs each give 5.72 degrees
		// and 2.477 * 1.05 * 0.9907 %.
		{"figures", "4", 5, 2.577, false},
		// 2 % of ten runs and alike for the other: 18 degrees, 2.1009 * 0.99 * 0.8944.
		{"figures", "8", -1, 1.860, false},
		{"figures", "16", 11, 2 * math.Sqrt2, false},
		{"times", "duration", -10, 3, false},
		{"times", "few", 6, 4, false},
		{"times", "much", -30, 3, false}, // lower is better, and gain is positive
		{"times", "nothing", 0, 3, false},
	} {
		r := s.Table(tt.table).Row(tt.row)
		if math.Abs(float64(r.Pct)-tt.pct) > 1e-9 || math.Abs(r.Noise.Pct-tt.noise) > 0.002 || r.Noise.Assumed != tt.assumed || r.Noise.Source == "" {
			t.Errorf("%s/%s: %v %%, noise %+v; want %v and %v", tt.table, tt.row, r.Pct, r.Noise, tt.pct, tt.noise)
		}
	}
	if s.Table("times").Row("rate").Pct.Measured() {
		t.Error("a claim without a figure has one")
	}
	// What the base column's noise is takes nothing from the patched one.
	b := s.Base()
	if r := b.Rows[0]; r.Key != "4" || math.Abs(r.Noise-2.306*0.02*math.Sqrt(2./5)*100) > 0.01 {
		t.Errorf("base row %+v", b.Rows[0])
	}
}

// TestSharedRuns: rows that differ in their figure only have one run, and keys tell
// all runs apart.
func TestSharedRuns(t *testing.T) {
	s := tables(t)
	plan, err := s.Plan(ModeQuick)
	if err != nil {
		t.Fatal(err)
	}
	points, err := s.points(plan)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range points {
		got = append(got, fmt.Sprintf("%s/%s %d rows ablation %d %v", p.table, p.row, len(p.cells), p.ablation, p.measure))
	}
	want := []string{
		"figures/4 1 rows ablation -1 10ms", "figures/8 1 rows ablation -1 30ms", "figures/16 1 rows ablation -1 10ms",
		"times/duration 4 rows ablation -1 10ms", // rate, few and nothing with it; much is skipped
		"figures/16 1 rows ablation 0 10ms", "times/duration 1 rows ablation 1 10ms",
	}
	if !slices.Equal(got, want) {
		t.Errorf("points\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	jobs, err := Jobs(s, plan, tablesIdentity(t, s))
	if err != nil {
		t.Fatal(err)
	}
	hashes := make(map[string]bool)
	for _, j := range jobs {
		h, _ := j.Hash()
		hashes[h] = true
	}
	// Two runs of four points with three arms, one with two, and one with one.
	if want := 2 * (4*3 + 2 + 1); len(jobs) != want || len(hashes) != want {
		t.Errorf("%d jobs with %d keys, want %d", len(jobs), len(hashes), want)
	}
	j := jobs[slices.IndexFunc(jobs, func(j Job) bool { return j.Machine == "snb-ep-4s" })]
	if !j.Reverse || !slices.Equal(j.KernelPatches, []string{"no-idle-core-search"}) || j.Warmup != 20*time.Millisecond ||
		j.Params["clients"] != "4" || j.Params["refill_lines"] != "90" || j.System["hz"] != "1000" {
		t.Errorf("key %+v", j.Key)
	}
	if !reflect.DeepEqual(j.Constants, map[string]float64{"work_ns": 1500, "tail_ns": 1000, "switch_scale": 1}) {
		t.Errorf("constants %v", j.Constants)
	}
	if _, ok := jobs[0].Constants["tail_ns"]; ok {
		t.Error("a constant of one table is set in another's runs")
	}
}

// TestTablesRun simulates the study and judges it: figures by metric, reversed
// columns, ablations, claims.
func TestTablesRun(t *testing.T) {
	s := tables(t)
	plan, err := s.Plan(ModeQuick)
	if err != nil {
		t.Fatal(err)
	}
	plan.Warmup = map[string]time.Duration{"": 150 * time.Millisecond}
	identity := tablesIdentity(t, s)
	store := fillAs(t, s, plan, Simulator{}, identity)
	o, err := Build(s, plan, store, identity)
	if err != nil {
		t.Fatal(err)
	}
	if o.HaveRuns != o.WantRuns || !slices.Equal(o.Missing, []string{"times/much"}) {
		t.Errorf("%d of %d runs, missing %q", o.HaveRuns, o.WantRuns, o.Missing)
	}
	cells := make(map[string]Cell)
	for _, c := range o.Cells {
		cells[c.Table+"/"+c.Row] = c
	}
	if c := cells["times/rate"]; c.Metric != "involuntary-switches/s" || c.Unit != "1/s" || len(c.Base.Values) != 2 ||
		!near(Mean(c.Base.Values), c.Base.Metrics["involuntary-switches/s"]) {
		t.Errorf("rate: %+v", c)
	}
	if c := cells["times/disk"]; c.Verdict != NotModelled || c.Reason != "there is no disk" {
		t.Errorf("disk: %s: %s", c.Verdict, c.Reason)
	}
	if c := cells["times/much"]; c.Verdict != NotRun || !strings.Contains(c.Reason, "leaves the row out") {
		t.Errorf("much: %s: %s", c.Verdict, c.Reason)
	}
	if c := cells["figures/4"]; c.Base.Metrics["migrations/s"] < 0 || c.Base.Metrics["throughput"] == 0 {
		t.Errorf("metrics %v", c.Base.Metrics)
	}
	if len(o.Ablations) != 2 || o.Ablations[0].Verdict != Reproduced || !o.Ablations[0].Identical {
		t.Errorf("without a search the patch does something: %+v", o.Ablations[0])
	}
	// One client instead of four moves a quarter of the data: less of what is
	// called better when lower.
	if a := o.Ablations[1]; a.Verdict != Reproduced || a.Effect.Pct > -50 {
		t.Errorf("fewer clients: %+v", a)
	}
	if len(o.Evidence) != 1 || !o.Evidence[0].Simulated.Measured() {
		t.Errorf("evidence %+v", o.Evidence)
	}
}

// TestReverse: the base arm of a reversed table runs the kernel with the patch.
func TestReverse(t *testing.T) {
	s := tables(t)
	plan, _ := s.Plan(ModeQuick)
	plan.Warmup = map[string]time.Duration{"": 150 * time.Millisecond}
	jobs, err := Jobs(s, plan, tablesIdentity(t, s))
	if err != nil {
		t.Fatal(err)
	}
	hash := func(arm string, reverse bool) uint64 {
		j := jobs[slices.IndexFunc(jobs, func(j Job) bool { return j.Row == "16" && j.Arm == arm })]
		j.Reverse = reverse
		j.Params = merged(j.Params, map[string]string{"clients": "64"}) // where the patch acts
		r, err := Simulator{}.Run(t.Context(), j)
		if err != nil {
			t.Fatal(err)
		}
		return r.TraceHash
	}
	if hash(ArmBase, false) != hash(ArmPatched, true) || hash(ArmBase, true) != hash(ArmPatched, false) || hash(ArmBase, true) == hash(ArmBase, false) {
		t.Error("reversing does not change the columns")
	}
}

func TestTablesErrors(t *testing.T) {
	data, err := os.ReadFile(tablesFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, old, new, at, want string }{
		{"missing unit", "    statistic: Hmean\n    unit: MB/sec\n", "    statistic: Hmean\n", "- id: figures", `unit of table "figures" is missing`},
		{"unknown direction", "better: lower\n", "better: less\n", "better: less", `better is "less"; use one of higher, lower`},
		{"row without base", `{key: "8", base: 400, patched: 396, base_spread: 8, n: 10}`, `{key: "8", patched: 396}`, `{key: "8"`, `row "8" has a patched figure and no base`},
		{"row without figures", `{key: "8", base: 400, patched: 396, base_spread: 8, n: 10}`, `{key: "8"}`, `{key: "8"}`, `or a text and what it claims`},
		{"pct that does not follow", "pct: 5.00", "pct: 6.10", "pct: 6.10", `row "4" prints +6.10 % but its columns give +5.0000 %`},
		{"slip without a note", `, published_error: "the columns give 10.00 %"`, "", "pct: 11.00", "or note the slip as published_error"},
		{"note without a slip", "pct: 11.00, published", "pct: 10.00, published", "published_error", "do follow from one another"},
		{"sign of the percentage", "    pct_sign: gain\n", "", "pct: 10.0}", "say pct_sign: gain"},
		{"unknown sign", "pct_sign: gain", "pct_sign: plus", "pct_sign: plus", "use one of change, gain"},
		{"claim of nothing", `pct: 30, text`, `text`, "{key: much", `row "much" claims nothing`},
		{"expect in vain", "expect: none, text", "expect: less, text", "expect: less", "use one of up, down, better, worse, none"},
		{"range upside down", "{low: 2, high: 10}", "{low: 12, high: 10}", "{low: 12", "nor a range with low <= high"},
		{"range without an end", "{low: 2, high: 10}", "{low: 2}", "{low: 2}", "nor a range"},
		{"range with more", "{low: 2, high: 10}", "{low: 2, heigh: 10}", "heigh", `unknown field "heigh"`},
		{"unknown machine", "machine: csl-2s-80", "machine: csl-2s-8", "machine: csl-2s-8", "did you mean csl-2s-80"},
		{"unknown kernel", "kernel: v5.10", "kernel: v5.11", "kernel: v5.11", "v5.10"},
		{"unknown patch", "patch: idle-candidate\n", "patch: idle-candidat\n", "patch: idle-candidat\n", "idle-candidate"},
		{"unknown workload", "workload: tbench", "workload: tbnch", `{key: "4"`, `no workload "tbnch", use one of`},
		{"unknown parameter", "params: {clients: 4}", "params: {client: 4}", "{key: duration", `no parameter "client", use some of clients, `},
		{"parameter missing", "    params: {clients: 4}\n", "", "{key: duration", "needs a value for clients"},
		{"unknown setting", "system: {autogroup: on}", "system: {autogrup: on}", "autogrup", `no system setting "autogrup", use some of autogroup, governor`},
		{"value of a setting", "system: {autogroup: on}", "system: {autogroup: yes}", "autogroup: yes", `autogroup is "yes", use one of on, off`},
		{"table twice", "id: times", "id: figures", "id: figures\n    machine: snb", `table "figures" is there twice`},
		{"no kind of spread", "kind: stddev", "kind: deviation", "kind: deviation", "use one of stddev, population-stddev, stddev-pct"},
		{"spread of one run", "n: 5,", "n: 1,", "base_spread: 4", "has a spread of 1 runs"},
		{"noise of what", "of: single", "of: one", "of: one", "use one of difference, single"},
		{"fit of no row", `fit_rows: ["4", "8"]`, `fit_rows: ["4", "9"]`, `"9"`, `row "9" to fit`},
		{"evidence without unit", "unit: 1/s, row", "row", "name: migrations/s", "needs a unit and a source"},
		{"claim on no table", "table: figures, rows: [\"16\"], expect: up", "table: figure, rows: [\"16\"], expect: up", "- {text: \"It helps", "name one of the study's"},
		{"ablation of no row", `rows: ["16"], patches`, `rows: ["17"], patches`, `"17"`, `refers to row "17"`},
		{"ablation of nothing", "patches: [no-idle-core-search], expect", "expect", "id: no-search", "switches nothing off"},
		{"ablation expects", "expect: better}", "expect: faster}", "expect: faster", "use one of"},
		{"constant of nothing", "name: switch_scale", "name: swich_scale", "name: swich_scale", "neither a parameter of their workloads nor a cost"},
		{"constant of no table", "table: times, unit", "table: time, unit", "name: tail_ns", "is of no table"},
		{"skip of nothing", "skip: [much]", "skip: [many]", "many", `no row or table "many"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.Replace(string(data), tt.old, tt.new, 1)
			if text == string(data) {
				t.Fatalf("%q is not in the study", tt.old)
			}
			_, err := Parse("my.yaml", []byte(text))
			if err == nil {
				t.Fatal("no error")
			}
			want := fmt.Sprintf("study: my.yaml:%d: ", lineOf(text, tt.at))
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if strings.HasPrefix(line, want) && strings.Contains(line, tt.want) {
					return
				}
			}
			t.Errorf("got  %v\nwant %s... %s", err, want, tt.want)
		})
	}
}

// TestSystemSettings: each changes the configuration, and all of a wrong kind are
// refused.
func TestSystemSettings(t *testing.T) {
	cfg := schedsim.Config{Kernel: schedsim.V510(80)}
	for _, s := range SystemSettings() {
		t.Run(s.Name, func(t *testing.T) {
			values := s.Values
			if len(values) == 0 {
				values = []string{"4242", "7"}
			}
			seen := map[string]bool{}
			for _, v := range values {
				c := cfg
				if err := applySystem(&c, map[string]string{s.Name: v}); err != nil {
					t.Fatal(err)
				}
				seen[fmt.Sprintf("%+v %+v %+v", c.Kernel.Tunables, c.Kernel.Features, c.CPUFreq)] = true
			}
			if len(seen) < 2 || s.Doc == "" {
				t.Errorf("%d configurations of %d values", len(seen), len(values))
			}
			if err := applySystem(&schedsim.Config{}, map[string]string{s.Name: "sometimes"}); err == nil {
				t.Error("anything goes")
			}
		})
	}
}
