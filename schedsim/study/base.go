package study

import "slices"

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
	for _, r := range s.Table.Rows {
		b.Rows = append(b.Rows, BaseRow{
			Key:     r.Key,
			Value:   r.Base,
			Noise:   r.Noise.Pct,
			Assumed: r.Noise.Assumed,
		})
	}
	return b
}
