package study

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/schedlab/schedlab/schedsim"
)

// EnsembleProgress is told of each draw.
type EnsembleProgress func(draws, kept int)

// DrawEnsemble looks for keep constant sets that are as consistent with the
// base column as the fitted one (history matching): every constant is drawn
// over its range, and a set is kept if every row is within its tolerance. The
// first fitted constant, which sets the time scale, is not drawn but solved for
// so that the first row is exact: a draw that fails there says nothing about
// the others.
//
// It stops with what it has after maxDraws.
func DrawEnsemble(ctx context.Context, base Base, seed uint64, keep, maxDraws int, progress EnsembleProgress) (Ensemble, error) {
	f := &fitter{base: base, seed: seed}
	scale := slices.IndexFunc(base.Constants, func(c Constant) bool { return c.Fitted })
	if scale < 0 {
		return Ensemble{}, fmt.Errorf("study: %s: no constant is marked fitted", base.Study)
	}
	e := Ensemble{Rule: fmt.Sprintf("every row of the base column within its noise plus %g %%; %s solved for row %s",
		ModelAllowance, base.Constants[scale].Name, base.Rows[0].Key)}
	for _, c := range base.Constants {
		e.Names = append(e.Names, c.Name)
	}
	r := schedsim.StreamFor(seed, -2, 0)
	for len(e.Sets) < keep && e.Draws < maxDraws {
		e.Draws++
		constants := slices.Clone(base.Constants)
		for i := range constants {
			c := &constants[i]
			c.Value = round3(c.Low + (c.High-c.Low)*r.Float64())
		}
		ok, err := f.plausible(ctx, constants, scale)
		if err != nil {
			return Ensemble{}, err
		}
		if ok {
			set := make([]float64, len(constants))
			for i, c := range constants {
				set[i] = c.Value
			}
			e.Sets = append(e.Sets, set)
		}
		if progress != nil {
			progress(e.Draws, len(e.Sets))
		}
	}
	return e, nil
}

// plausible solves for the scale and tests the rows, cheapest first, up to the
// first that is out.
func (f *fitter) plausible(ctx context.Context, constants []Constant, scale int) (bool, error) {
	c := &constants[scale]
	if ok, err := f.solve(ctx, constants, c); !ok || err != nil {
		return false, err
	}
	values := valuesOf(constants)
	rows := f.allRows()[1:]
	for len(rows) > 0 {
		n := min(2, len(rows))
		column, err := f.column(ctx, values, rows[:n])
		if err != nil {
			return false, err
		}
		for _, row := range rows[:n] {
			if f.implausibility(row, column[row]) > 1 {
				return false, nil
			}
		}
		rows = rows[n:]
	}
	return true, nil
}

// solve sets c so that the first row is within a quarter of its tolerance, by
// secant steps. It reports false if that takes c out of its range.
func (f *fitter) solve(ctx context.Context, constants []Constant, c *Constant) (bool, error) {
	at := func(v float64) (float64, error) {
		c.Value = v
		cell, err := f.cell(ctx, valuesOf(constants), 0)
		if err != nil {
			return 0, err
		}
		// Time an operation is linear in the work; throughput is not.
		return f.base.Rows[0].Value/cell - 1, nil
	}
	x0, x1 := c.Low+(c.High-c.Low)/3, c.Low+(c.High-c.Low)*2/3
	y0, err := at(x0)
	if err != nil {
		return false, err
	}
	y1, err := at(x1)
	if err != nil {
		return false, err
	}
	for range 4 {
		if y1 == y0 {
			return false, nil
		}
		x := round3(x1 - y1*(x1-x0)/(y1-y0))
		if x <= c.Low || x >= c.High || math.IsNaN(x) {
			return false, nil
		}
		y, err := at(x)
		if err != nil {
			return false, err
		}
		if math.Abs(y) < f.tolerance(0)/4 {
			return true, nil
		}
		x0, y0, x1, y1 = x1, y1, x, y
	}
	return false, nil
}
