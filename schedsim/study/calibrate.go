package study

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/optimize"
)

// CalibrationProgress is told of each evaluation: how many there were and the
// best objective so far.
type CalibrationProgress func(evaluations int, best float64)

// maxEvaluations bounds a calibration.
const maxEvaluations = 80

// Calibrate fits the constants that are marked fitted to the rows of the base
// column that are, and returns all constants with their new values.
//
// The objective is the sum over rows of the squared log error in units of the
// row's tolerance (its noise and ModelAllowance), minimised by Nelder and
// Mead's simplex over the logit of each constant's place between its bounds, so
// that no bound is crossed.
func Calibrate(ctx context.Context, base Base, seed uint64, progress CalibrationProgress) ([]Constant, Calibration, error) {
	f := &fitter{base: base, seed: seed}
	constants := append([]Constant(nil), base.Constants...)
	var fitted []int
	var start []float64
	for i, c := range constants {
		if c.Fitted {
			fitted = append(fitted, i)
			start = append(start, logit((c.Value-c.Low)/(c.High-c.Low)))
		}
	}
	rows := f.fitRows()
	if len(fitted) == 0 || len(rows) <= len(fitted) {
		return nil, Calibration{}, fmt.Errorf("study: %s: %d constants to fit on %d rows; mark constants fitted, and more fit_rows than that", base.Study, len(fitted), len(rows))
	}
	set := func(x []float64) map[string]float64 {
		for j, i := range fitted {
			c := &constants[i]
			c.Value = c.Low + (c.High-c.Low)*logistic(x[j])
		}
		return valuesOf(constants)
	}

	var failed error
	evaluations, best := 0, math.Inf(1)
	objective := func(x []float64) float64 {
		column, err := f.column(ctx, set(x), rows)
		if err != nil {
			failed = err
			return math.Inf(1)
		}
		sum := 0.0
		for _, row := range rows {
			sum += math.Pow(f.implausibility(row, column[row]), 2)
		}
		evaluations++
		best = min(best, sum)
		if progress != nil {
			progress(evaluations, best)
		}
		return sum
	}
	r, err := optimize.Minimize(optimize.Problem{
		Func:   objective,
		Status: func() (optimize.Status, error) { return optimize.NotTerminated, failed },
	}, start, &optimize.Settings{
		FuncEvaluations: maxEvaluations,
		Converger:       &optimize.FunctionConverge{Absolute: 1e-3, Iterations: 30},
	}, &optimize.NelderMead{SimplexSize: 0.3})
	if failed != nil {
		return nil, Calibration{}, failed
	}
	if err != nil {
		return nil, Calibration{}, fmt.Errorf("study: %s: calibration: %w", base.Study, err)
	}
	column, err := f.column(ctx, set(r.X), f.allRows())
	if err != nil {
		return nil, Calibration{}, err
	}
	cal := Calibration{
		Optimiser:       fmt.Sprintf("Nelder-Mead, %d evaluations, seed %d", evaluations, seed),
		MedianAbsErrPct: Number(Median(f.errorsPct(column))),
	}
	for _, row := range rows {
		cal.Rows = append(cal.Rows, base.name(row))
	}
	for i := range constants {
		if constants[i].Fitted {
			constants[i].Value = round3(constants[i].Value)
		}
	}
	return constants, cal, nil
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
func logit(p float64) float64    { return math.Log(p / (1 - p)) }

// round3 keeps as many digits as a fit determines at best.
func round3(v float64) float64 {
	if v == 0 {
		return 0
	}
	scale := math.Pow(10, 3-math.Ceil(math.Log10(math.Abs(v))))
	return math.Round(v*scale) / scale
}
