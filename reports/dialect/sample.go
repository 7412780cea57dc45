package dialect

import (
	"fmt"
	"math"
)

// A SampleRow is the runs of one test case.
type SampleRow struct {
	Key string
	// Runs has one slice a kernel, the baseline first; an empty slice is a
	// kernel that was not measured.
	Runs [][]float64
}

// A Spec says what a table made from runs looks like.
type Spec struct {
	Caption string
	Kernels []Kernel
	// Better selects the mean: Hmean for Higher, Amean for Lower.
	Better Better
	// Precision is the digits after the point, 0 for 2.
	Precision int
	// Rule stars the means; the zero StarRule stars nothing.
	Rule StarRule
	// Stddev adds a block of standard deviations below the means.
	Stddev bool
}

// FromSamples makes a table of means, with stars by the rule of the spec.
// Infinite and missing numbers in a sample are an error, because a mean over
// them would hide how many runs it stands for.
func FromSamples(spec Spec, rows []SampleRow) (*Table, error) {
	if len(spec.Kernels) < 1 {
		return nil, fmt.Errorf("dialect: no kernels, name at least the baseline")
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("dialect: no rows to make a table of")
	}
	meanName := ""
	switch spec.Better {
	case Higher:
		meanName = "Hmean"
	case Lower:
		meanName = "Amean"
	default:
		return nil, fmt.Errorf("dialect: direction unknown, set Better to Higher or Lower")
	}
	prec := spec.Precision
	if prec == 0 {
		prec = 2
	}
	t := &Table{Caption: spec.Caption, Kernels: spec.Kernels}
	for _, r := range rows {
		if err := r.check(len(spec.Kernels)); err != nil {
			return nil, err
		}
		values, stars := make([]float64, len(r.Runs)), make([]bool, len(r.Runs))
		for i, runs := range r.Runs {
			values[i] = mean(spec.Better, runs)
			if i > 0 && spec.Rule != (StarRule{}) {
				stars[i] = spec.Rule.Significant(spec.Better, r.Runs[0], runs)
			}
		}
		t.Rows = append(t.Rows, NewRow(meanName, r.Key, spec.Better, prec, values, stars))
	}
	if !spec.Stddev {
		return t, nil
	}
	for _, r := range rows {
		values := make([]float64, len(r.Runs))
		for i, runs := range r.Runs {
			values[i] = math.NaN()
			if len(runs) > 1 {
				values[i] = stddev(runs)
			}
		}
		t.Rows = append(t.Rows, NewRow("Stddev", r.Key, Lower, prec, values, nil))
	}
	return t, nil
}

// check returns an error for a row that no table can be made of.
func (r SampleRow) check(kernels int) error {
	if len(r.Runs) != kernels {
		return fmt.Errorf("dialect: row %q has runs of %d kernels, want %d", r.Key, len(r.Runs), kernels)
	}
	for i, runs := range r.Runs {
		for j, v := range runs {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("dialect: row %q, kernel %d, run %d: %v is not a result, leave failed runs out", r.Key, i+1, j+1, v)
			}
		}
	}
	return nil
}
