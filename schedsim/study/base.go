package study

import (
	"slices"
	"time"
)

// Base is what calibration may see of a study: the base column, its noise and
// the constants to fit. There is nothing in it that is measured, claimed or
// printed about the patched kernel, nor the name of the patch, so a fit cannot
// lean towards the published effect.
type Base struct {
	Study, Machine, Kernel, Workload string
	Statistic, Unit                  string
	Rows                             []BaseRow
	Constants                        []Constant
}

// BaseRow is one cell of the base column.
type BaseRow struct {
	Key   string
	Value float64 // in Base.Unit
	// Noise is the half-width of what another measurement of the cell may
	// give, percent of Value.
	Noise   float64
	Assumed bool // nothing is published about the noise
	Fit     bool // calibration fits this row; the others are held out
	// Age, Warmup and Measure are the simulated times of the quick plan: a fit
	// runs what the table runs.
	Age, Warmup, Measure time.Duration
}

// Base returns the study's base column. Changing it does not change the study.
func (s *Study) Base() Base {
	b := Base{
		Study:     s.ID,
		Machine:   s.Machine,
		Kernel:    s.Kernel,
		Workload:  s.Workload,
		Statistic: s.Table.Statistic,
		Unit:      s.Table.Unit,
		Constants: slices.Clone(s.Constants),
	}
	// A study without a quick plan has no times, and cannot be fitted.
	quick, _ := s.Plan(ModeQuick)
	for _, r := range s.Table.Rows {
		b.Rows = append(b.Rows, BaseRow{
			Key:     r.Key,
			Value:   r.Base,
			Noise:   r.Noise.Pct,
			Assumed: r.Noise.Assumed,
			Fit:     slices.Contains(s.FitRows, r.Key),
			Age:     quick.AgeOf(r.Key),
			Warmup:  quick.WarmupOf(r.Key),
			Measure: quick.MeasureOf(r.Key),
		})
	}
	return b
}
