// Package sample holds made-up outcomes for the tests of the report forms. No
// figure in it was measured or simulated: published cells are repeated digits,
// simulated ones are simple multiples of them, and the names say "synthetic".
package sample

import (
	"time"

	"github.com/schedlab/schedlab/schedsim"
	"github.com/schedlab/schedlab/schedsim/study"
)

// nm is short for the missing figure.
var nm = study.NotMeasured

// Study is a made-up study with one row for each verdict.
func Study() *study.Study {
	rows := []study.Row{
		{Key: "1", Base: 111.11, Patched: 122.22, Pct: 10, Significant: true, Again: 112.22, Noise: spread},
		{Key: "2", Base: 222.22, Patched: 244.44, Pct: 10, Significant: true, Again: 224.44, Noise: spread},
		{Key: "4", Base: 444.44, Patched: 446.66, Pct: 0.5, Again: 448.88, Noise: spread},
		{Key: "8", Base: 888.88, Patched: 977.77, Pct: 10, Significant: true, Again: nm, Noise: assumed},
		{Key: "16", Base: 1111.11, Patched: 1116.67, Pct: 0.5, Again: nm, Noise: assumed},
		{Key: "32", Base: 2222.22, Patched: 2444.44, Pct: 10, Significant: true, Again: nm, Noise: assumed},
		{Key: "64", Base: 3333.33, Patched: 3666.66, Pct: 10, Significant: true, Again: nm, Noise: assumed},
		{Key: "128", Base: 4444.44, Patched: 4466.66, Pct: 0.5, Again: nm, Noise: assumed},
		{Key: "256", Base: 5555.55, Patched: 5000.00, Pct: -10, Significant: true, Again: nm, Noise: assumed},
		{Key: "512", Base: 6666.66, Patched: 6733.33, Pct: 1, Again: nm, Noise: assumed},
	}
	return &study.Study{
		ID:    "synthetic-2099-sample",
		Title: "sched/fake: Synthetic sample for tests | not a real patch",
		Post: study.Post{
			Author: "Zoë Synthetic", Date: "2099-01-02",
			Subject:   "[PATCH 0/9] sched/fake: Synthetic sample for tests | not a real patch",
			MessageID: "synthetic@example.invalid",
			Link:      "https://example.invalid/r/synthetic@example.invalid",
			Quote:     "This synthetic paragraph stands for the changelog. It says that fake_idle_core() helps as the number of *busy* CPUs approaches 50% <of nothing>.",
		},
		Setup: setup,
		Tables: []study.Table{{
			ID: "fakebench", Setup: setup, Dialect: "mmtests", Benchmark: "fakebench9", Statistic: "Hmean", Unit: "MB/sec", Better: "higher",
			BaseLabel: [2]string{"99.1.0-rc9", "vanilla"}, PatchedLabel: [2]string{"99.1.0-rc9", "fakeidle"},
			RowName: "clients", Rows: rows,
			Again: study.Again{Label: "99.1.0-rc9 again", Date: "2099-01-01", MessageID: "again@example.invalid", Note: "synthetic"},
		}},
		Claims: []study.Claim{
			{Text: "It improves the fake rows.", Rows: []string{"1", "2"}, Expect: "up"},
			{Text: "It may hurt when idle.", Rows: []string{"256"}, Expect: "none-or-down"},
		},
		Constants: []study.Constant{
			{Name: "fake_drawn", Unit: "ratio", Doc: "a constant that is drawn only", Value: 0.5, Low: 0.25, High: 0.75, Kind: "assumed", Source: "synthetic"},
			{Name: "fake_work_ns", Unit: "ns", Doc: "a constant that is fitted", Value: 1000, Low: 500, High: 4000, Fitted: true, Kind: "assumed", Source: "synthetic"},
			{Name: "fake_probe_ns", Unit: "ns", Doc: "a constant that ended at its bound", Value: 100, Low: 10, High: 100, Fitted: true, Kind: "derived", Source: "synthetic, example.invalid/table-2"},
		},
		Calibration: study.Calibration{Optimiser: "Synthetic Search", Date: "2099-01-03", ModelVersion: "v0.0.0-synthetic", Rows: []string{"1", "4", "16"}, MedianAbsErrPct: 2},
		Ensemble: study.Ensemble{
			Draws: 1000, Rule: "every base cell within its noise", Date: "2099-01-04",
			SHA256: "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
			Names:  []string{"fake_drawn", "fake_work_ns"},
			Sets:   [][]float64{{0.25, 1000}, {0.5, 1000}, {0.6, 1100}, {0.75, 900}},
		},
		NotModelled: []string{"interrupts of fake devices", "the NIC: traffic stays on the loop-back device, whose copies are charged to the receiver, as a long line that has to be wrapped"},
	}
}

var (
	setup   = study.Setup{Machine: "synthetic-2s-8c", Kernel: "v99.1", Patch: "fake-idle", Workload: "fakebench"}
	spread  = study.Noise{Pct: 1, Source: "the base column, measured again"}
	assumed = study.Noise{Pct: 2, Source: "none published", Assumed: true}
)

// Full is a full run with every verdict, one row that was not run and one
// that is unidentified.
func Full() *study.Outcome {
	s := Study()
	o := &study.Outcome{
		Study: s,
		Plan: study.Plan{
			Mode: "full", Seed: 9, N: 3, Sets: 4,
			Warmup:  map[string]time.Duration{"": time.Second},
			Measure: map[string]time.Duration{"": 2 * time.Second, "64": 4 * time.Second},
		},
		Evidence: []study.EvidenceCell{
			{Table: "fakebench", Evidence: study.Evidence{Name: "fake_counter", Doc: "synthetic events", Unit: "%", Published: 11.11, Source: "a synthetic source"}, Simulated: 22.22},
			{Table: "fakebench", Evidence: study.Evidence{Name: "fake_missing", Doc: "synthetic events of which no run counted any", Unit: "%", Published: 33.33}, Simulated: nm},
		},
		MedianBaseErrPct: 1, ModelVersion: "v0.0.0-synthetic", Machines: map[string]string{"synthetic-2s-8c": "sha256:feedface"},
		Missing: []string{"512"}, HaveRuns: 8 * 36, WantRuns: 10 * 36,
		Warnings: []string{"synthetic: run abcd.json is of another model"},
	}
	o.Cells = []study.Cell{
		cell(s, 0, 10, study.Reproduced, "synthetic reason for a reproduced cell", 1),
		cell(s, 1, 30, study.Direction, "synthetic: both improve, 20.00 points apart where 3.00 are allowed", 1),
		cell(s, 2, 0, study.AgreesOnNone, "synthetic: neither is an effect", 1),
		cell(s, 3, 0, study.Missed, "synthetic: the interval of the simulated effect includes zero", 1),
		cell(s, 4, 10, study.Phantom, "synthetic: an improvement where the published difference is noise", 1),
		cell(s, 5, -10, study.Contradicted, "synthetic: the post has an improvement, the simulation a regression", 1),
		cell(s, 6, 5, study.Unidentified, "synthetic: the 4 constant sets disagree (2 reproduced, 2 missed)", 0.5),
		cell(s, 7, 0.25, study.Unfalsifiable, "synthetic: no constant moves the cell", 1),
		cell(s, 8, 0, study.NotModelled, "synthetic: the row waits on a disk", 1),
	}
	o.Cells[6].DecidingConstant = "fake_drawn"
	s.Findings = []study.Finding{{
		Cells: []string{"fakebench"}, Reason: "synthetic: the post does not say how its kernel was configured",
		Evidence: "with another configuration the synthetic effect is as published",
	}}
	o.Cells[3].Findings, o.Cells[5].Findings = s.Findings, s.Findings
	o.Cells[0].DroppedPct = 25
	o.Cells[0].Base.PublishedCVPct = 3.21
	o.Cells[1].RunWidth, o.Cells[1].MoreRuns = 2, 36
	unrun(&o.Cells[8])
	o.Cells[5].ControlPct, o.Cells[5].ControlCILow, o.Cells[5].ControlCIHigh = 2, 1, 3
	o.Claims = []study.ClaimCell{
		{Claim: s.Claims[0], Verdict: study.Reproduced, Reason: "synthetic: row 1 improves beyond noise"},
		{Claim: s.Claims[1], Verdict: study.NotModelled, Reason: "synthetic: row 256 is not modelled"},
	}
	return o
}

// Tables is an outcome with the sample's table and one of claims on another machine,
// which has ablations, a slip of the post and a trace.
func Tables() *study.Outcome {
	o := Full()
	s := o.Study
	s.Setup = study.Setup{Patch: "fake-idle"}
	s.Claims[0].Table, s.Claims[1].Table = "fakebench", "fakebench"
	s.Calibration.Rows = []string{"fakebench/1"}
	o.Missing = []string{"fakebench/512"}
	s.Tables[0].Rows[3].PublishedError = "synthetic: the columns give another percentage"
	other := setup
	other.Machine, other.Workload = "synthetic-4s-16c", "fakeload"
	other.Params, other.System = map[string]string{"class": "C"}, map[string]string{"hz": "250"}
	t := study.Table{
		ID: "claims", Setup: other, Benchmark: "fakeload2", Statistic: "Amean", Unit: "s", Better: "lower", RowName: "case",
		Note: "synthetic: nothing else is known of the machine",
		Rows: []study.Row{
			{Key: "range", Base: nm, Patched: nm, Again: nm, Pct: -6, Printed: study.Printed{Low: -10, High: -2, Given: true}, Text: "it falls by 2~10%", Noise: study.Noise{Pct: 4, Source: "half of the range"}},
			{Key: "better", Base: nm, Patched: nm, Again: nm, Pct: nm, Expect: "better", Text: "it gets *better*", Noise: assumed},
			{Key: "disk", Base: nm, Patched: nm, Again: nm, Pct: nm, Text: "and the disk", NotModelled: "synthetic: no disk", Noise: assumed},
		},
	}
	s.Tables = append(s.Tables, t)
	o.Machines["synthetic-4s-16c"] = "sha256:0badcafe"
	for i, v := range []study.Verdict{study.Reproduced, study.Contradicted, study.NotModelled} {
		r := t.Rows[i]
		pct := []float64{-5, 3, 0}[i]
		c := study.Cell{
			Study: s.ID, Table: t.ID, Machine: t.Machine, Row: r.Key, Metric: "Amean", Unit: "s", Better: "lower",
			Published: study.Effect{Base: nm, Patched: nm, Pct: r.Pct}, Expect: r.Expect, Noise: r.Noise,
			Simulated: study.Interval{
				Effect: study.Effect{Base: 12, Patched: study.Number(12 * (1 + pct/100)), Pct: study.Number(pct)},
				CILow:  study.Number(pct - 1), CIHigh: study.Number(pct + 1), N: 12, Ensemble: 4,
			},
			BaseErrorPct: nm, PerSet: perSet(pct), Base: arm(12, int64(i+1)), Patched: arm(12*(1+pct/100), int64(i+2)),
			Verdict: v, Reason: "synthetic: a reason", Agreement: 1, ControlPct: 0, ControlCILow: -1, ControlCIHigh: 1,
		}
		c.Base.Metrics = map[string]float64{"throughput": 12, "migrations/s": 200, "migrations/work": 3, "wakeups/s": 1000}
		c.Patched.Metrics = map[string]float64{"throughput": 11, "migrations/s": 100, "migrations/work": 1, "wakeups/s": 1001}
		c.Base.Bimodal = true
		if v == study.NotModelled {
			unrun(&c)
			c.Base.Metrics, c.Patched.Metrics = nil, nil
		}
		o.Cells = append(o.Cells, c)
	}
	o.Ablations = []study.AblationCell{{
		Ablation: study.Ablation{ID: "no-fake", Doc: "without the fake mechanism", Expect: "none"}, Table: "claims", Row: "range",
		Effect: study.Interval{Effect: study.Effect{Base: 12, Patched: 12, Pct: 0}, N: 4, Ensemble: 2}, With: o.Cells[9].Simulated,
		Identical: true, Verdict: study.Reproduced, Reason: "synthetic",
	}}
	s.Ablations = []study.Ablation{o.Ablations[0].Ablation}
	s.Histories = []study.Histories{{Table: "fakebench", Row: "64", Doc: "synthetic: where the tasks were left", Ages: []string{"100ms", "2s"}}}
	for _, c := range []struct {
		age        time.Duration
		base, gain float64
	}{{100 * time.Millisecond, 3000, 2}, {2 * time.Second, 3600, -3}} {
		h := study.HistoryCell{Table: "fakebench", Row: "64", Age: c.age, Base: arm(c.base, 1), Patched: arm(c.base*(1+c.gain/100), 2)}
		h.Effect = study.Interval{
			Effect: study.Effect{Base: study.Number(c.base), Patched: study.Number(c.base * (1 + c.gain/100)), Pct: study.Number(c.gain)},
			CILow:  study.Number(c.gain - 1), CIHigh: study.Number(c.gain + 1), N: 2, Ensemble: 1,
		}
		for _, share := range []float64{0.4, 0.5} {
			h.Runs = append(h.Runs, study.HistoryRun{Base: c.base, Patched: c.base * (1 + c.gain/100), BaseShare: share, PatchedShare: share})
		}
		o.Histories = append(o.Histories, h)
	}
	return o
}

// Quick is a quick run of the same study that found nothing at all: its first
// rows agree on none, the rest was not run.
func Quick() *study.Outcome {
	o := Full()
	o.Plan.Mode, o.Plan.N, o.Plan.Sets = "quick", 1, 2
	o.Missing = []string{"8", "16", "32", "64", "128", "256", "512"}
	o.Cells = []study.Cell{
		cell(o.Study, 2, 0, study.AgreesOnNone, "synthetic: neither is an effect", 1),
	}
	o.Study.Tables[0].Rows = o.Study.Tables[0].Rows[2:]
	o.Claims = nil
	o.MedianBaseErrPct = nm
	o.HaveRuns, o.WantRuns, o.Warnings = 1, 1, nil
	return o
}

// cell is a made-up simulated cell for published row i with an effect of pct.
func cell(s *study.Study, i int, pct float64, v study.Verdict, reason string, agreement float64) study.Cell {
	t := &s.Tables[0]
	r := t.Rows[i]
	base := float64(r.Base) * 1.01
	patched := base * (1 + pct/100)
	c := study.Cell{
		Study: s.ID, Table: t.ID, Machine: t.Machine, Row: r.Key,
		Metric: "Hmean", Unit: t.Unit, Better: t.Better,
		Published: study.Effect{Base: r.Base, Patched: r.Patched, Pct: r.Pct},
		Noise:     r.Noise,
		Simulated: study.Interval{
			Effect: study.Effect{Base: study.Number(base), Patched: study.Number(patched), Pct: study.Number(pct)},
			CILow:  study.Number(pct - 1), CIHigh: study.Number(pct + 1), N: 12, Ensemble: 4,
		},
		BaseErrorPct: 1,
		PerSet:       perSet(pct),
		Base:         arm(base, int64(i+1)), Patched: arm(patched, int64(i+2)),
		Verdict: v, Reason: reason, Agreement: study.Number(agreement),
		ControlPct: 0, ControlCILow: -1, ControlCIHigh: 1,
	}
	for set := range 2 {
		k := study.Key{ModelVersion: "v0.0.0-synthetic", Study: s.ID, Row: r.Key, Seed: uint64(100*i + set), Warmup: time.Second, Measure: 2 * time.Second}
		k.Constants = map[string]float64{"fake_drawn": 0.25 * float64(set+1), "fake_work_ns": 1000}
		p := study.Pair{Set: set, Base: k, Patched: k}
		p.Base.Arm, p.Patched.Arm = study.ArmBase, study.ArmPatched
		c.Pairs = append(c.Pairs, p)
	}
	return c
}

// perSet has the effect with each of the four constant sets, spread by half a
// point about pct.
func perSet(pct float64) []study.Interval {
	var out []study.Interval
	for _, off := range []float64{0, -0.5, 0.5, 0} {
		p := study.Number(pct + off)
		out = append(out, study.Interval{Effect: study.Effect{Base: nm, Patched: nm, Pct: p}, CILow: p - 1, CIHigh: p + 1, N: 3, Ensemble: 1})
	}
	return out
}

func arm(mean float64, k int64) study.Arm {
	a := study.Arm{
		Spread: study.Spread{
			Min: study.Number(mean * 0.9), P10: study.Number(mean * 0.95), Median: study.Number(mean),
			P90: study.Number(mean * 1.05), Max: study.Number(mean * 1.1),
		},
		CVPct: 6.54, PublishedCVPct: nm,
		SimulatedNS: 10e9,
		SocketShare: []float64{0.5, 0.25, 0.75},
		Counters: schedsim.Counters{
			Wakeups: 1000 * k, WakeupsSameLLC: 200 * k, WakeupsRemote: 100 * k,
			IdleCoreSearches: 500 * k, IdleCoreFailed: 400 * k, CPUsScanned: 5000 * k,
			VoluntarySwitches: 123456 * k, InvoluntarySwitch: 1111 * k, LBMigrations: 10 * k,
			IdleNS: 20e9, IdleOverloadedNS: 5e9,
			ShadowDecisions: 1000 * k, ShadowDiffers: 100 * k, ShadowOther: 10 * k,
		},
	}
	for i := range 12 {
		a.Values = append(a.Values, mean*(0.9+0.2*float64(i)/11))
	}
	return a
}

// unrun takes every simulated figure out of c.
func unrun(c *study.Cell) {
	c.Simulated = study.Interval{Effect: study.Effect{Base: nm, Patched: nm, Pct: nm}, CILow: nm, CIHigh: nm}
	c.BaseErrorPct, c.ControlPct, c.ControlCILow, c.ControlCIHigh, c.Agreement = nm, nm, nm, nm, nm
	none := study.Spread{Min: nm, P10: nm, Median: nm, P90: nm, Max: nm}
	c.Base, c.Patched = study.Arm{Spread: none, CVPct: nm, PublishedCVPct: nm}, study.Arm{Spread: none, CVPct: nm, PublishedCVPct: nm}
	c.Pairs = nil
}

// SVG is a made-up drawing as gonum/plot writes them.
var SVG = []byte(`<?xml version="1.0"?>
<!-- synthetic -->
<svg width="288pt" height="72pt" viewBox="0 0 288 72" xmlns="http://www.w3.org/2000/svg">
<rect x="0" y="0" width="288" height="72" style="fill:#FFFFFF"/>
<line x1="20" y1="60" x2="280" y2="60" style="stroke:#000000"/>
<circle cx="60" cy="30" r="4" style="fill:#0072B2"/><circle cx="160" cy="40" r="4" style="fill:#D55E00"/>
<text x="100" y="20" style="font-family:Liberation Sans;font-size:10px">synthetic</text>
</svg>
`)
