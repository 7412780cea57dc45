package study

import (
	"maps"
	"slices"
	"time"
)

// Base is what calibration may see of a study: the base columns, their noise and
// the constants to fit. There is nothing in it that is measured, claimed or
// printed about the patched kernel, nor the name of what it has more, so a fit
// cannot lean towards the published effect.
type Base struct {
	Study     string
	Rows      []BaseRow
	Constants []Constant
	// Several: the study has several tables, of which maybe one has rows here.
	Several bool
}

// BaseRow is one cell of a base column, and what it was measured on.
type BaseRow struct {
	Table, Key                string
	Machine, Kernel, Workload string
	// Applied are the changes that the base kernel has on top of its version.
	Applied        []string
	Params, System []NameValue
	Metric, Unit   string
	Better         string
	Value          float64 // in Unit
	// Noise is the half-width of what another measurement of the cell may
	// give, percent of Value.
	Noise   float64
	Assumed bool // nothing is published about the noise
	Fit     bool // calibration fits this row; the others are held out
	// Age, Warmup and Measure are the simulated times of the quick plan: a fit
	// runs what the table runs.
	Age, Warmup, Measure time.Duration
}

// NameValue is one parameter or setting.
type NameValue struct{ Name, Value string }

// Base returns the study's base columns: the cells that the quick plan runs, for which
// the post has a figure and which are not held out. Changing it does not change the study.
func (s *Study) Base() Base {
	b := Base{Study: s.ID, Constants: slices.Clone(s.Constants), Several: len(s.Tables) > 1}
	// A study without a quick plan has no times, and cannot be fitted.
	quick, _ := s.Plan(ModeQuick)
	for i := range s.Tables {
		t := &s.Tables[i]
		for j := range t.Rows {
			r := &t.Rows[j]
			if !r.Base.Measured() || r.HeldOut || r.NotModelled != "" || quick.skips(t, r) {
				continue
			}
			setup := t.setupOf(r)
			row := BaseRow{
				Table: t.ID, Key: r.Key,
				Machine: setup.Machine, Kernel: setup.Kernel, Workload: setup.Workload,
				Applied: slices.Clone(setup.KernelPatches),
				Params:  nameValues(setup.Params), System: nameValues(setup.System),
				Metric: t.MetricOf(r), Unit: t.UnitOf(r), Better: t.BetterOf(r),
				Value:   float64(r.Base),
				Noise:   r.baseNoise,
				Assumed: r.Noise.Assumed,
				Fit:     slices.Contains(t.FitRows, r.Key),
				Age:     quick.AgeOf(t.ID, r.Key),
				Warmup:  quick.WarmupOf(t.ID, r.Key),
				Measure: quick.MeasureOf(t.ID, r.Key),
			}
			if setup.Reversed() {
				row.Applied = append(row.Applied, setup.PatchNames()...)
			}
			b.Rows = append(b.Rows, row)
		}
	}
	return b
}

// Name is the row's name within the base, as of Study.RowName.
func (b *Base) name(row int) string {
	if b.Several {
		return b.Rows[row].Table + "/" + b.Rows[row].Key
	}
	return b.Rows[row].Key
}

func nameValues(m map[string]string) []NameValue {
	var out []NameValue
	for _, name := range slices.Sorted(maps.Keys(m)) {
		out = append(out, NameValue{name, m[name]})
	}
	return out
}

func asMap(list []NameValue) map[string]string {
	m := make(map[string]string, len(list))
	for _, v := range list {
		m[v.Name] = v.Value
	}
	return m
}
